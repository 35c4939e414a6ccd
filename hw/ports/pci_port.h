// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/pci/pci_bus.h"
#include "hw/ports/port_use.h"
#include "tlm/error.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/time/require_now.h"

/// PCI ports for models from outside Ringmesh that speak TLM-2.0's base protocol: a master and a target.
namespace ringmesh::hw {

/// PCI master for a TLM-2.0 initiator from outside Ringmesh.
///
/// A transaction goes over the bus in bursts that end at multiples of 64 bytes; each is tried again, `retry_gap` after
/// its target has disconnected it, until it is accepted. One transaction is on its way at a time; loosely and
/// approximately timed initiators see it as they see a ProcessorPort. @tparam Width of the socket, bits
template <unsigned Width = 32>
class PciMasterPort final : public sc_core::sc_module, public Component {
public:
    static constexpr std::uint32_t kBurst = 64;  ///< bytes

    tlm_utils::simple_target_socket<PciMasterPort, Width> socket{"socket"};
    pci::Initiator<PciMasterPort> to_bus{"to_bus"};

    PciMasterPort(const sc_core::sc_module_name& module_name, Simulation& simulation, Duration retry_gap = 60_ns)
        : sc_module(module_name), payloads_(simulation.pool<PayloadPool>()), retry_gap_(retry_gap)
    {
        socket.register_b_transport(this, &PciMasterPort::transport);
        to_bus.register_nb_transport_bw(this, &PciMasterPort::answered);
        simulation.add(*this);
    }

    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override
    {
        use_.statistics(visitor);
        visitor.counter("bursts", bursts_, "transactions", "on the bus");
        visitor.counter("retries", retries_, "transactions", "that their target disconnected");
    }
    std::string pending() const override { return use_.pending(); }
    void trace(sc_core::sc_trace_file* file) const override { use_.trace(file, name()); }

private:
    using Payload = ::tlm::tlm_generic_payload;

    void transport(Payload& payload, sc_core::sc_time& delay)
    {
        if (!use_.begins(payload, delay)) return;
        const PortUse::Transaction transaction(use_, payload);
        const PortTurn turn(turn_);
        const auto bytes = bytes_of(payload);
        for (std::size_t done = 0; done < bytes.size();) {
            const std::uint64_t address = payload.get_address() + done;
            const std::size_t size =
                std::min<std::size_t>(bytes.size() - done, kBurst - static_cast<std::size_t>(address % kBurst));
            const auto part = bytes.subspan(done, size);
            Payload& burst =
                payload.is_write() ? payloads_.acquire_write(address, part) : payloads_.acquire_read(address, size);
            for (; !carried(burst); ++retries_) sc_core::wait(to_kernel(retry_gap_));
            ++bursts_;
            if (payload.is_read()) std::copy_n(bytes_of(burst).begin(), size, part.begin());
            burst.release();
            done += size;
        }
        payload.set_response_status(::tlm::TLM_OK_RESPONSE);
    }
    bool carried(Payload& burst)
    {
        pci::Phase phase = pci::Phase::kRequest;
        sc_core::sc_time none;
        to_bus->nb_transport_fw(burst, phase, none);
        sc_core::wait(answered_);
        return answer_ == pci::Phase::kDone;
    }
    ::tlm::tlm_sync_enum answered(Payload&, pci::Phase& phase, sc_core::sc_time& delay)
    {
        require_now(delay);
        answer_ = phase;
        answered_.notify(sc_core::SC_ZERO_TIME);
        return ::tlm::TLM_COMPLETED;
    }

    PayloadPool& payloads_;
    const Duration retry_gap_;
    sc_core::sc_mutex turn_;
    sc_core::sc_event answered_{"answered"};
    pci::Phase answer_ = pci::Phase::kRequest;
    PortUse use_;
    Counter bursts_, retries_;
};

/// PCI target for a TLM-2.0 target from outside Ringmesh: registers or memory of a device.
///
/// Writes are posted: up to `writes` bursts wait for the device, then the master is disconnected with a retry. A read
/// is a delayed transaction: disconnected until the device has given the bytes, after all writes before it. The device
/// takes one transaction at a time, and the time that its b_transport takes. An error response of the device ends the
/// run with a UserError. @tparam Width of the socket, bits
template <unsigned Width = 32>
class PciTargetPort final : public sc_core::sc_module, public Component {
public:
    pci::Target<PciTargetPort> from_bus{"from_bus"};
    tlm_utils::simple_initiator_socket<PciTargetPort, Width> socket{"socket"};

    SC_HAS_PROCESS(PciTargetPort);
    /// @param base what is subtracted from an address before the device sees it
    PciTargetPort(const sc_core::sc_module_name& module_name, Simulation& simulation, std::uint64_t base = 0,
                  std::size_t writes = 8)
        : sc_module(module_name), simulation_(simulation), base_(base), writes_(writes)
    {
        from_bus.register_nb_transport_fw(this, &PciTargetPort::access);
        SC_THREAD(work);
        simulation.add(*this);
    }

    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override
    {
        use_.statistics(visitor);
        visitor.counter("retries", retries_, "transactions", "disconnected: full, or the bytes were not there yet");
    }
    std::string pending() const override
    {
        PendingText text;
        text.add(jobs_.size(), jobs_.size() == 1 ? "transaction for the device" : "transactions for the device");
        return text.text();
    }
    void trace(sc_core::sc_trace_file* file) const override { use_.trace(file, name()); }

private:
    using Payload = ::tlm::tlm_generic_payload;
    struct Job {
        std::uint64_t address = 0;
        bool write = false;
        std::vector<unsigned char> bytes;
    };
    /// A read under way, or its bytes.
    struct Read {
        std::uint64_t address = 0;
        std::size_t size = 0;
        bool here = false;
        std::vector<unsigned char> bytes;
    };

    ::tlm::tlm_sync_enum access(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay)
    {
        require_now(delay);
        const std::uint64_t address = payload.get_address();
        const std::size_t size = payload.get_data_length();
        unsigned char* const data = payload.get_data_ptr();
        if (phase == pci::Phase::kAddress) {
            if (accepts(payload.is_write(), address, size)) return pci::target_answer(payload, true);
            ++retries_;
            refuse(payload, {.why = payload.is_write() ? "writes full" : "device"});
            return pci::target_answer(payload, false);
        }
        if (payload.is_write()) {
            add({address, true, {data, data + size}});
        } else {
            std::copy(read_->bytes.begin(), read_->bytes.end(), data);
            read_.reset();
        }
        return ::tlm::TLM_COMPLETED;
    }
    bool accepts(bool write, std::uint64_t address, std::size_t size)
    {
        if (write) return jobs_.size() < writes_;
        if (!read_) {
            read_ = Read{address, size, false, {}};
            add({address, false, std::vector<unsigned char>(size)});
        }
        return read_->here && read_->address == address && read_->size == size;
    }
    void add(Job job)
    {
        jobs_.push_back(std::move(job));
        more_.notify(sc_core::SC_ZERO_TIME);
    }

    void work()
    {
        while (true) {
            while (jobs_.empty()) wait(more_);
            Job& job = jobs_.front();
            ::tlm::tlm_generic_payload payload;
            payload.set_command(job.write ? ::tlm::TLM_WRITE_COMMAND : ::tlm::TLM_READ_COMMAND);
            payload.set_address(job.address - base_);
            payload.set_data_ptr(job.bytes.data());
            payload.set_data_length(static_cast<unsigned>(job.bytes.size()));
            payload.set_streaming_width(static_cast<unsigned>(job.bytes.size()));
            {
                const PortUse::Transaction transaction(use_, payload);
                sc_core::sc_time delay;
                socket->b_transport(payload, delay);
                wait(delay);
            }
            if (payload.is_response_error()) {
                simulation_.fail(std::make_exception_ptr(UserError(fmt::format(
                    "{}: the device answers a {} of {} bytes at {:#x} with {}", name(), job.write ? "write" : "read",
                    job.bytes.size(), job.address, payload.get_response_string()))));
                return;
            }
            if (!job.write) {
                read_->bytes = std::move(job.bytes);
                read_->here = true;
            }
            jobs_.pop_front();
        }
    }

    Simulation& simulation_;
    const std::uint64_t base_;
    const std::size_t writes_;
    std::deque<Job> jobs_;  // the first one is with the device
    std::optional<Read> read_;
    sc_core::sc_event more_{"more"};
    PortUse use_;
    Counter retries_;
};

}  // namespace ringmesh::hw
