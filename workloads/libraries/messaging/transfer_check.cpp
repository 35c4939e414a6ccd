// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/messaging/transfer_check.h"

#include <fmt/format.h>

#include <utility>

#include "tlm/simulation/fault.h"

namespace ringmesh::workloads {

bool TransferCheck::failed(unsigned to, std::string_view what, std::uint64_t number, unsigned& tried)
{
    if (!on()) return false;
    ++tried;
    const std::uint64_t failures = processor_.failures(processor_.node_of(to));
    if (std::exchange(seen_.at(to), failures) == failures) return false;
    if (tried >= tries_) {
        throw FaultError(
            fmt::format("{}: {} {} of rank {} to rank {} was lost: sent {} time{}, as "
                        "recovery.transfer_tries says, and no store barrier found that it arrived",
                        library_, what, number, processor_.rank(), to, tried, tried == 1 ? "" : "s"));
    }
    ++again_;
    return true;
}

}  // namespace ringmesh::workloads
