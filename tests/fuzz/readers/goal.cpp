// SPDX-License-Identifier: Apache-2.0
/// A GOAL file, and the order of its operations.
#include "workloads/replay/goal.h"
#include "tests/fuzz/reader.h"
#include "workloads/replay/goal_order.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    return fuzz::refused_or_read([&] {
        const workloads::goal::File file(fuzz::file("trace.goal", fuzz::text_of(data, size)).string());
        if (file.ranks() > 1024) return;  // each rank is a rank of the order
        workloads::goal::Order(file, {.library = "this library"}).check();
    });
}
