// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

namespace ringmesh::hw {

/// Begins a b_transport of TLM-2.0's base protocol, in its thread: waits for the caller's delay, which is zero
/// afterwards, and answers the transactions that need no hardware: those that are to be ignored, and those that no port
/// supports, byte enables, streaming and data of no length, with the response that the standard has for them. DMI is
/// always refused: all time is in the hardware. @return whether there is something left to do
inline bool is_to_be_done(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                          std::uint32_t most_bytes = UINT32_MAX)
{
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    payload.set_dmi_allowed(false);
    if (payload.is_read() == payload.is_write()) {  // TLM_IGNORE_COMMAND
        payload.set_response_status(::tlm::TLM_OK_RESPONSE);
        return false;
    }
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return false;
    }
    const std::uint32_t size = payload.get_data_length();
    if (size == 0 || size > most_bytes || payload.get_data_ptr() == nullptr || payload.get_streaming_width() < size) {
        payload.set_response_status(::tlm::TLM_BURST_ERROR_RESPONSE);
        return false;
    }
    return true;
}

}  // namespace ringmesh::hw
