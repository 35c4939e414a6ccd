// SPDX-License-Identifier: Apache-2.0
/// The command line of Ringmesh with all that the examples add.
#include <ringmesh/lab/commands/command_line.h>
#include <ringmesh/platforms/card_machine.h>

#include "gray_code/gray_code.h"
#include "memory_channel/memory_channel.h"
#include "stencil/stencil.h"
#include "token_ring/token_ring.h"
#include "youngest_first/youngest_first.h"

int main(int argc, char** argv)
{
    using namespace ringmesh::workloads;
    return ringmesh::command_line(
        argc, argv,
        {over_ranks<token_ring::TokenRing>("token-ring", {Offer::kOneSided},
                                           "a token goes round by one-sided accesses"),
         over_ranks<stencil::Stencil>("stencil", {Offer::kQueues}, "Jacobi's iteration on strips, with halo exchange"),
         PatternPolicy::of<gray_code::GrayCode>(), ringmesh::hw::ArbitrationPolicy::of<youngest_first::YoungestFirst>(),
         ringmesh::platforms::card_kind<memory_channel::MemoryChannel>()});
}
