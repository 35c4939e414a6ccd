// SPDX-License-Identifier: Apache-2.0
#include "workloads/ranks/stores.h"

namespace ringmesh::workloads {

Task<> store_in_a_row(PcProcessor& processor, Stores stores, std::uint64_t address, std::span<const std::byte> bytes)
{
    const auto size = static_cast<std::uint32_t>(bytes.size());
    const StoreKind kind = store_kind(stores, size);
    for (std::uint32_t done = 0; done < size;) {
        const std::uint32_t left = size - done;
        const StoreRequest request{.kind = kind,
                                   .address = address + done,
                                   .data = bytes.data() + done,
                                   .size = kind == StoreKind::kSingle ? assignment_bytes(address + done, left) : left};
        co_await processor.store(request);
        done += request.size;
    }
}

}  // namespace ringmesh::workloads
