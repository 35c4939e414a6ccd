// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "tlm/time/kernel_time.h"

/// Models that know nothing of Ringmesh but the base protocol.
namespace ringmesh::test {

/// A thread that makes transactions.
class Initiator final : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};

    SC_HAS_PROCESS(Initiator);
    Initiator(const sc_core::sc_module_name& name, std::function<void(Initiator&)> work)
        : sc_module(name), work_(std::move(work))
    {
        SC_THREAD(run);
    }
    struct Ended {
        ::tlm::tlm_response_status status = ::tlm::TLM_INCOMPLETE_RESPONSE;
        Duration took;
    };
    Ended write(std::uint64_t address, std::vector<unsigned char> bytes)
    {
        return call(::tlm::TLM_WRITE_COMMAND, address, bytes);
    }
    Ended read(std::uint64_t address, std::vector<unsigned char>& into)
    {
        return call(::tlm::TLM_READ_COMMAND, address, into);
    }
    Ended call(::tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& bytes,
               const std::function<void(::tlm::tlm_generic_payload&)>& change = {})
    {
        ::tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(static_cast<unsigned>(bytes.size()));
        payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
        payload.set_dmi_allowed(true);
        if (change) change(payload);
        const Duration began = kernel_now();
        sc_core::sc_time delay = delay_;
        socket->b_transport(payload, delay);
        dmi_ = payload.is_dmi_allowed();
        late_ = delay;
        return {payload.get_response_status(), kernel_now() - began};
    }
    sc_core::sc_time delay_;  ///< of the next calls
    sc_core::sc_time late_;   ///< what the last one left of it
    bool dmi_ = true;         ///< what the last one allowed

private:
    void run() { work_(*this); }
    std::function<void(Initiator&)> work_;
};

/// Memory of the base protocol, of which each access takes a time.
class Store final : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Store> socket{"socket"};

    Store(const sc_core::sc_module_name& name, std::size_t size, Duration access)
        : sc_module(name), bytes(size), access_(access)
    {
        socket.register_b_transport(this, &Store::transport);
    }
    std::vector<unsigned char> bytes;
    std::vector<std::size_t> sizes;  ///< of the accesses

private:
    void transport(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        delay += to_kernel(access_);
        const std::size_t size = payload.get_data_length();
        if (payload.get_address() + size > bytes.size()) {
            payload.set_response_status(::tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        sizes.push_back(size);
        unsigned char* const here = bytes.data() + payload.get_address();
        if (payload.is_write()) std::memcpy(here, payload.get_data_ptr(), size);
        if (payload.is_read()) std::memcpy(payload.get_data_ptr(), here, size);
        payload.set_response_status(::tlm::TLM_OK_RESPONSE);
    }
    Duration access_;
};

inline std::vector<unsigned char> counting(std::size_t size, unsigned from = 1)
{
    std::vector<unsigned char> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(from + i);
    return bytes;
}

}  // namespace ringmesh::test
