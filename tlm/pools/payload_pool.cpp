// SPDX-License-Identifier: Apache-2.0
#include "tlm/pools/payload_pool.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh {

/// What acquire() does not set anyway; the data are the sender's.
void PayloadPool::Cell::renew()
{
    tag = PacketTag{};
    set_byte_enable_ptr(nullptr);
    set_byte_enable_length(0);
    set_dmi_allowed(false);
    set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
}

PayloadPool::Cell& PayloadPool::acquire(std::uint64_t address, std::size_t size, std::uint64_t packet)
{
    if (size > kLargest) throw ModelError(fmt::format("a pooled payload holds at most {} bytes", kLargest));
    Cell& cell = cells_.acquire();
    cell.tag.packet = packet;
    if (!cell.has_mm()) {  // for the first time
        cell.set_extension(&cell.tag);
        cell.set_mm(this);
    }
    cell.set_address(address);
    cell.set_data_ptr(reinterpret_cast<unsigned char*>(cell.data.data()));
    cell.set_data_length(static_cast<unsigned>(size));
    cell.set_streaming_width(static_cast<unsigned>(size));
    ::tlm::tlm_generic_payload& payload = cell;
    payload.acquire();
    return cell;
}

::tlm::tlm_generic_payload& PayloadPool::acquire_write(std::uint64_t address, std::span<const std::byte> bytes,
                                                       std::uint64_t packet)
{
    Cell& cell = acquire(address, bytes.size(), packet);
    cell.set_write();
    std::copy(bytes.begin(), bytes.end(), cell.data.begin());
    return cell;
}

::tlm::tlm_generic_payload& PayloadPool::acquire_read(std::uint64_t address, std::size_t size, std::uint64_t packet)
{
    Cell& cell = acquire(address, size, packet);
    cell.set_read();
    return cell;
}

void PayloadPool::free(::tlm::tlm_generic_payload* payload) { cells_.release(static_cast<Cell&>(*payload)); }

}  // namespace ringmesh
