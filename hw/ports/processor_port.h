// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>

#include "hw/ports/port_use.h"
#include "tlm/error.h"
#include "tlm/machine/processor.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

/// TLM-2.0 target in front of a processor: an initiator from outside Ringmesh takes the place of the program of a PC's
/// processor or of a core of the SCC.
///
///     initiator --> socket --> processor --> its caches, bridge, card, mesh
///
/// A read or write is the load or store that a program would make, and takes its time: a write has ended when the last
/// byte has left the processor, a read when the bytes have arrived. Addresses are the processor's: local memory, a
/// mapped segment of another PC, a message-passing buffer. One transaction is on its way at a time, others wait in no
/// order. Loosely timed: the delay of b_transport is waited for first, and is zero afterwards. Approximately timed: the
/// socket turns the four phases into such a call. No DMI. An address that is not mapped is a
/// TLM_ADDRESS_ERROR_RESPONSE; what goes wrong later, in another node, say, is thrown by Simulation::run().
/// @tparam Width of the socket, bits
template <unsigned Width = 32>
class ProcessorPort final : public sc_core::sc_module, public Component {
public:
    struct Config {
        StoreKind store = StoreKind::kSingle;  ///< how a PC's processor writes to remote memory
        std::uint32_t width = 4;               ///< bytes of each load or store instruction: 1, 2, 4 or 8
    };

    tlm_utils::simple_target_socket<ProcessorPort, Width> socket{"socket"};

    /// @param processor outlives the port; it runs no program beside it
    ProcessorPort(const sc_core::sc_module_name& module_name, Simulation& simulation, PollingProcessor& processor)
        : ProcessorPort(module_name, simulation, processor, Config{})
    {}
    ProcessorPort(const sc_core::sc_module_name& module_name, Simulation& simulation, PollingProcessor& processor,
                  const Config& config)
        : sc_module(module_name), processor_(processor), config_(config)
    {
        socket.register_b_transport(this, &ProcessorPort::transport);
        socket.register_transport_dbg(this, &ProcessorPort::debug);
        processor_.run(serve(), name());
        simulation.add(*this);
    }

    /// No transaction follows, so that the processor's program ends and Simulation::require_drained() is content.
    void close()
    {
        closed_ = true;
        processor_.call();
    }
    /// What the last address error was, in words.
    const std::string& last_error() const { return last_error_; }

    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override { use_.statistics(visitor); }
    std::string pending() const override { return use_.pending(); }
    void trace(sc_core::sc_trace_file* file) const override { use_.trace(file, name()); }

private:
    void transport(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        if (!use_.begins(payload, delay)) return;
        const PortUse::Transaction transaction(use_, payload);
        const PortTurn turn(turn_);
        if (closed_) {
            payload.set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
        } else {
            payload_ = &payload;
            processor_.call();
            sc_core::wait(done_);
        }
    }

    unsigned debug(::tlm::tlm_generic_payload& payload)
    {
        try {
            if (payload.is_read()) processor_.peek(payload.get_address(), bytes_of(payload));
            if (payload.is_write()) processor_.poke(payload.get_address(), bytes_of(payload));
        } catch (const std::exception& error) {
            last_error_ = error.what();
            return 0;
        }
        return payload.get_data_length();
    }

    /// The processor's program.
    Task<> serve()
    {
        while (true) {
            co_await processor_.await_call();
            if (payload_ == nullptr) co_return;  // closed; what came before close() is done first
            auto status = ::tlm::TLM_OK_RESPONSE;
            const auto bytes = bytes_of(*payload_);
            const auto size = static_cast<std::uint32_t>(bytes.size());
            try {
                if (payload_->is_write()) {
                    const StoreRequest request{config_.store, payload_->get_address(), bytes.data(), size,
                                               config_.width};
                    co_await processor_.store(request);
                } else {
                    const LoadRequest request{payload_->get_address(), bytes.data(), size, config_.width};
                    co_await processor_.load(request);
                }
            } catch (const UserError& error) {
                last_error_ = error.what();
                status = ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
            }
            std::exchange(payload_, nullptr)->set_response_status(status);
            // A core may be ahead of the kernel
            done_.notify(to_kernel(std::max(processor_.time() - kernel_now(), Duration::zero())));
        }
    }

    PollingProcessor& processor_;
    const Config config_;
    PortUse use_;
    sc_core::sc_mutex turn_;
    sc_core::sc_event done_{"done"};
    ::tlm::tlm_generic_payload* payload_ = nullptr;
    bool closed_ = false;
    std::string last_error_;
};

}  // namespace ringmesh::hw
