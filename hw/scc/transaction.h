// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tlm>
#include <utility>

#include "hw/scc/system_address.h"
#include "tlm/mesh/journey.h"
#include "tlm/mesh/packet.h"
#include "tlm/units/units.h"

/// Memory transactions of the SCC as packets of its mesh: a header flit with the address, followed by flits with 16
/// bytes of data each [JSSC, FPGA]. The response is the same packet as the request, sent back.
namespace ringmesh::hw {

/// Flits of a packet with so many bytes of data.
constexpr std::uint32_t flits_with(std::size_t bytes)
{
    return static_cast<std::uint32_t>(1 + (bytes + mesh::kFlitBytes - 1) / mesh::kFlitBytes);
}

/// A read request is a header only, a write request carries the data.
inline std::uint32_t request_flits(const ::tlm::tlm_generic_payload& payload)
{
    return payload.is_read() ? 1 : flits_with(payload.get_data_length());
}

/// A read response carries the data, a write acknowledgement is a header only.
inline std::uint32_t response_flits(const ::tlm::tlm_generic_payload& payload)
{
    return payload.is_read() ? flits_with(payload.get_data_length()) : 1;
}

/// Turns a request into its response, created now by a block.
inline void turn_round(mesh::Packet& packet, Duration now, const Simulation& simulation, const Component& where)
{
    packet.payload->set_response_status(::tlm::TLM_OK_RESPONSE);
    std::swap(packet.from, packet.to);
    packet.kind = mesh::Class::kResponse;
    packet.flits = response_flits(*packet.payload);
    packet.born_ps = now.ps();
    const auto& payload = *packet.payload;
    mesh::report_birth(simulation, where, packet, now, payload.is_read() ? payload.get_data_length() : 0);
}

/// "mc0: core 1 of tile (2, 3)", for an error message of `place` about a request.
inline std::string who_asks(std::string_view place, const mesh::Packet& request)
{
    return fmt::format("{}: core {} of tile ({}, {})", place, request.source & 1, request.from.x, request.from.y);
}

inline SystemAddress address_of(const ::tlm::tlm_generic_payload& payload) { return decode(payload.get_address()); }

/// Whether a write disables some of its bytes.
inline bool masked(const ::tlm::tlm_generic_payload& payload) { return payload.get_byte_enable_ptr() != nullptr; }

/// Calls `write(first, bytes)` for each run of bytes that a write payload enables, `first` counting from its address.
template <class Write>
void for_each_run(const ::tlm::tlm_generic_payload& payload, Write&& write)
{
    const std::span<const std::byte> bytes{reinterpret_cast<const std::byte*>(payload.get_data_ptr()),
                                           payload.get_data_length()};
    if (!masked(payload)) {
        write(std::size_t{0}, bytes);
        return;
    }
    const auto enabled = [&payload](std::size_t i) {
        return payload.get_byte_enable_ptr()[i % payload.get_byte_enable_length()] != TLM_BYTE_DISABLED;
    };
    for (std::size_t i = 0; i < bytes.size();) {
        std::size_t end = i;
        while (end < bytes.size() && enabled(end)) ++end;
        if (end > i) write(i, bytes.subspan(i, end - i));
        i = end + 1;
    }
}

}  // namespace ringmesh::hw
