// SPDX-License-Identifier: Apache-2.0
#include "tlm/payload_pool.h"

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh {

::tlm::tlm_generic_payload& PayloadPool::acquire_write(std::uint64_t address, std::span<const std::byte> bytes,
                                                       std::uint64_t packet)
{
    if (bytes.size() > kLargest) throw ModelError("a pooled payload holds at most 64 bytes");
    Cell& cell = cells_.acquire();
    std::copy(bytes.begin(), bytes.end(), cell.data.begin());
    cell.tag.packet = packet;
    cell.set_extension(&cell.tag);
    cell.set_mm(this);
    cell.set_write();
    cell.set_address(address);
    cell.set_data_ptr(reinterpret_cast<unsigned char*>(cell.data.data()));
    cell.set_data_length(static_cast<unsigned>(bytes.size()));
    cell.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
    ::tlm::tlm_generic_payload& payload = cell;
    payload.acquire();
    return payload;
}

void PayloadPool::free(::tlm::tlm_generic_payload* payload) { cells_.release(static_cast<Cell&>(*payload)); }

}  // namespace ringmesh
