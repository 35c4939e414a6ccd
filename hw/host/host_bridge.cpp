// SPDX-License-Identifier: Apache-2.0
#include "hw/host/host_bridge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/statistics/activity.h"
#include "tlm/time/require_now.h"

namespace ringmesh::hw {

HostBridge::HostBridge(const sc_core::sc_module_name& module_name, Simulation& simulation, const Config& config,
                       Memory& memory)
    : sc_module(module_name),
      simulation_(simulation),
      payloads_(simulation.pool<PayloadPool>()),
      config_(config),
      memory_(memory)
{
    to_pci.register_nb_transport_bw(this, &HostBridge::pci_answer);
    from_pci.register_nb_transport_fw(this, &HostBridge::pci_target);
    simulation.add(*this);
}

std::size_t HostBridge::connect(NotFullListener not_full, ReadListener read, MemoryListener changed)
{
    processors_.push_back({std::move(not_full), std::move(read), std::move(changed)});
    return processors_.size() - 1;
}

void HostBridge::wrote(std::uint64_t address, std::size_t size, std::size_t processor)
{
    for (std::size_t i = 0; i < processors_.size(); ++i) {
        if (i != processor) processors_[i].changed(address, size, 0);
    }
}

Duration HostBridge::access_memory(Duration span)
{
    memory_free_ = std::max(memory_free_, now()) + span;
    return memory_free_;
}

void HostBridge::post(std::uint64_t address, std::span<const std::byte> bytes, Duration issued, std::uint64_t packet)
{
    ++posted_count_;
    queue(payloads_.acquire_write(address, bytes, packet), issued);
}

void HostBridge::read(std::uint64_t address, std::size_t size, Duration issued, std::uint64_t packet,
                      std::size_t processor)
{
    ++reads_;
    readers_.push_back(processor);
    queue(payloads_.acquire_read(address, size, packet), issued);
}

void HostBridge::queue(Payload& payload, Duration issued)
{
    const Duration ready = issued + (payload.is_read() ? config_.read_crossing : config_.crossing);
    posted_.push_back({&payload, ready});
    posted_level_.set(++posted_fill_, now());
    simulation_.report(*this, "host bridge", packet_of(payload), issued, ready);
    ask_for_bus();
}

void HostBridge::ask_for_bus()
{
    if (!on_bus_ && !posted_.empty()) wakeup_.at(std::max(posted_.front().ready, not_before_));
}

bool HostBridge::has_posted(std::uint64_t begin, std::uint64_t end) const
{
    for (std::size_t i = 0; i < posted_.size(); ++i) {
        const std::uint64_t address = posted_[i].payload->get_address();
        if (address < end && address + posted_[i].payload->get_data_length() > begin) return true;
    }
    return false;
}

void HostBridge::step()
{
    wakeup_.taken(now());
    while (!inbound_.empty() && inbound_.front().ready <= now()) write_memory();
    if (!on_bus_ && !posted_.empty() && std::max(posted_.front().ready, not_before_) <= now()) {
        on_bus_ = true;
        const Write& first = posted_.front();
        if (!std::exchange(asked_, true) && packet_of(*first.payload) != left_) {
            simulation_.report_wait(*this, "behind others", packet_of(*first.payload), first.ready, now(), left_);
        }
        pci::Phase phase = pci::Phase::kRequest;
        sc_core::sc_time delay;
        to_pci->nb_transport_fw(*posted_.front().payload, phase, delay);
    }
    if (!inbound_.empty()) wakeup_.at(inbound_.front().ready);
    ask_for_bus();
}

::tlm::tlm_sync_enum HostBridge::pci_answer(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay)
{
    require_now(delay);
    on_bus_ = false;
    if (phase == pci::Phase::kRetry) {
        ++retries_;
        not_before_ = now() + config_.retry_gap;
        const Refusal refused = refusal_of(payload);
        simulation_.report_wait(*this, refused.why, packet_of(payload), now(), not_before_, refused.behind);
        ask_for_bus();
        return ::tlm::TLM_COMPLETED;
    }
    asked_ = false;
    const bool was_full = full();
    posted_.pop_front();
    posted_level_.set(--posted_fill_, now());
    if (payload.is_read()) {
        const Duration ready = now() + config_.read_crossing;
        simulation_.report(*this, "host bridge", packet_of(payload), now(), ready);
        processors_[readers_.pop_front()].read(bytes_of(payload), ready);
    }
    left_ = packet_of(payload);
    payload.release();
    if (was_full) {
        const std::size_t first = first_asked_;
        first_asked_ = (first + 1) % processors_.size();
        for (std::size_t i = 0; i < processors_.size() && !full(); ++i) {
            processors_[(first + i) % processors_.size()].not_full(left_);
        }
    }
    ask_for_bus();
    return ::tlm::TLM_COMPLETED;
}

::tlm::tlm_sync_enum HostBridge::pci_target(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay)
{
    require_now(delay);
    if (payload.is_read()) {
        if (phase == pci::Phase::kAddress) {
            delay += to_kernel(begin_read());
            return pci::target_answer(payload, true);
        }
        read_memory(payload);
        return ::tlm::TLM_COMPLETED;
    }
    if (phase == pci::Phase::kAddress) {
        if (inbound_.size() < config_.inbound_writes) return pci::target_answer(payload, true);
        ++inbound_full_;
        if (simulation_.journey() != nullptr) {
            refuse(payload, {"inbound writes full", packet_of(*inbound_.front().payload)});
        }
        return pci::target_answer(payload, false);
    }
    payload.acquire();  // until it is written
    const Duration ready = now() + config_.crossing;
    inbound_.push_back({&payload, ready});
    simulation_.report(*this, "host bridge", packet_of(payload), now(), ready);
    ++inbound_count_;
    wakeup_.at(ready);
    return ::tlm::TLM_COMPLETED;
}

/// PCI ordering: a read sees earlier writes.
Duration HostBridge::begin_read() const
{
    const Duration behind = inbound_.empty() ? 0_ns : inbound_[inbound_.size() - 1].ready - now();
    return std::max(behind, 0_ns) + config_.read_crossing + config_.memory_access;
}

void HostBridge::read_memory(Payload& payload)
{
    ++inbound_reads_;
    memory_.read(payload.get_address(), bytes_of(payload));
}

void HostBridge::write_memory()
{
    Payload& payload = *inbound_.pop_front().payload;
    memory_.write(payload.get_address(), bytes_of(payload));
    for (const Processor& processor : processors_) {
        processor.changed(payload.get_address(), payload.get_data_length(), packet_of(payload));
    }
    payload.release();
}

std::string HostBridge::pending() const
{
    if (posted_.empty() && inbound_.empty()) return {};
    return fmt::format("{} posted writes and {} inbound writes", posted_.size(), inbound_.size());
}

void HostBridge::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("posted", posted_count_, "transactions", "writes of the processor handed to PCI");
    visitor.counter("reads", reads_, "transactions", "reads of the processor handed to PCI");
    visitor.counter("retries", retries_, "transactions", "of both, retries by a busy target");
    visitor.counter("inbound", inbound_count_, "transactions", "writes from PCI to memory");
    visitor.counter("inbound_full", inbound_full_, "transactions",
                    "writes from PCI retried because the buffer was full");
    visitor.counter("inbound_reads", inbound_reads_, "transactions", "reads of memory from PCI");
    const double seconds = now().seconds();
    visitor.value("posted_mean", seconds > 0 ? posted_level_.area(now()) / seconds : 0, "writes",
                  "mean fill of the posted writes over the whole run");
    visitor.value("posted_highest", static_cast<double>(posted_level_.highest()), "writes",
                  "highest fill of the posted writes");
}

void HostBridge::places(PlaceVisitor& visitor) const
{
    visitor.level("posted_writes", "buffer", posted_fill_, config_.posted_writes);
}

void HostBridge::trace(sc_core::sc_trace_file* file) const
{
    trace_signal(file, posted_fill_, std::string(name()) + ".posted_writes",
                 {"writes of the processor that the bridge has taken and not yet brought over PCI", "writes",
                  SignalPlace::kWayOut});
}

}  // namespace ringmesh::hw
