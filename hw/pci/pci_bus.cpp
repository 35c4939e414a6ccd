// SPDX-License-Identifier: Apache-2.0
#include "hw/pci/pci_bus.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

namespace {

/// Words of the bus that a transaction touches: bytes within the first and the last one may be disabled.
std::int64_t words_of(const ::tlm::tlm_generic_payload& payload, Bytes width)
{
    const auto bytes = static_cast<std::uint64_t>(width.count());
    const std::uint64_t first = payload.get_address() / bytes;
    const std::uint64_t last = (payload.get_address() + payload.get_data_length() - 1) / bytes;
    return static_cast<std::int64_t>(last - first + 1);
}

std::string_view stage_of(const ::tlm::tlm_generic_payload& payload, bool retried)
{
    if (retried) return "PCI retry";
    return payload.is_read() ? "PCI read" : "PCI write";
}

}  // namespace

PciBus::PciBus(const sc_core::sc_module_name& module_name, Simulation& simulation, const PciParams& params,
               std::size_t slots)
    : sc_module(module_name),
      from_slot("from_slot", slots),
      to_slot("to_slot", slots),
      simulation_(simulation),
      params_(params),
      clock_(params.clock),
      arbitration_(params.arbitration * clock_),
      turnaround_(params.turnaround * clock_),
      retry_time_((params.address_phase + params.retry_response) * clock_),
      masters_(slots)
{
    for (std::size_t i = 0; i < slots; ++i) {
        from_slot[i].register_nb_transport_fw(this, &PciBus::request, static_cast<int>(i));
    }
    simulation.add(*this);
}

void PciBus::decode(std::uint64_t base, std::size_t slot)
{
    if (ranges_.empty() ? base != 0 : base <= ranges_.back().base) {
        throw ModelError(fmt::format("{}: address ranges must come in rising order from 0", name()));
    }
    ranges_.push_back({base, slot});
}

std::size_t PciBus::target_of(const Payload& payload) const
{
    const auto above = std::upper_bound(ranges_.begin(), ranges_.end(), payload.get_address(),
                                        [](std::uint64_t address, const Range& range) { return address < range.base; });
    return std::prev(above)->slot;
}

::tlm::tlm_sync_enum PciBus::request(int slot, Payload& payload, pci::Phase&, sc_core::sc_time& delay)
{
    Master& master = masters_[static_cast<std::size_t>(slot)];
    if (master.waiting != nullptr) throw ModelError(fmt::format("{}: slot {} already waits", name(), slot));
    const bool parked = slot == 0;
    const Duration asks = now() + from_kernel(delay);
    master = {&payload, parked ? asks : asks + arbitration_};
    if (!parked) simulation_.report(*this, "PCI arbitration", packet_of(payload), asks, master.ready);
    wakeup_.at(std::max(master.ready, free_at_));
    return ::tlm::TLM_ACCEPTED;
}

void PciBus::step()
{
    wakeup_.taken(now());
    if (running_ != nullptr && now() >= running_end_) finish();
    if (running_ == nullptr && now() >= free_at_) start_next();
    if (running_ != nullptr) {
        wakeup_.at(running_end_);
        return;
    }
    for (const Master& master : masters_) {
        if (master.waiting != nullptr) wakeup_.at(std::max(master.ready, free_at_));
    }
}

/// End of the last data phase or of the retry: tells the master.
void PciBus::finish()
{
    Payload& payload = *std::exchange(running_, nullptr);
    if (retried_) {
        answer(running_master_, payload, pci::Phase::kRetry);
        return;
    }
    pci::Phase phase = pci::Phase::kData;
    sc_core::sc_time delay;
    to_slot[running_target_]->nb_transport_fw(payload, phase, delay);
    answer(running_master_, payload, pci::Phase::kDone);
}

void PciBus::answer(std::size_t master, Payload& payload, pci::Phase phase)
{
    sc_core::sc_time delay;
    from_slot[master]->nb_transport_bw(payload, phase, delay);
}

void PciBus::start_next()
{
    for (std::size_t i = 1; i <= masters_.size(); ++i) {
        const std::size_t master = (running_master_ + i) % masters_.size();
        if (masters_[master].waiting == nullptr || masters_[master].ready > now()) continue;
        start(master);
        return;
    }
}

/// Address phase: the target accepts the transaction or disconnects it with a retry.
void PciBus::start(std::size_t master)
{
    // A transaction that waited for the bus is charged the turnaround before it
    const bool waited = masters_[master].ready < now() && free_at_ == now();
    const Duration from = waited ? std::max(masters_[master].ready, now() - turnaround_) : now();
    running_ = std::exchange(masters_[master].waiting, nullptr);
    simulation_.report_wait(*this, "bus taken", packet_of(*running_), masters_[master].ready, from, carried_);
    carried_ = packet_of(*running_);
    running_master_ = master;
    running_target_ = target_of(*running_);
    pci::Phase phase = pci::Phase::kAddress;
    sc_core::sc_time delay;
    to_slot[running_target_]->nb_transport_fw(*running_, phase, delay);
    retried_ = running_->get_response_status() == ::tlm::TLM_INCOMPLETE_RESPONSE;

    activity_.wait(now() - masters_[master].ready);
    const std::int64_t words = words_of(*running_, params_.width);
    const Cycles first_wait = running_->is_read() ? params_.read_turnaround : params_.write_wait;
    const Duration span =
        retried_ ? retry_time_
                 : (params_.address_phase + first_wait + params_.data_phase * words) * clock_ + from_kernel(delay);
    running_end_ = now() + span;
    free_at_ = running_end_ + turnaround_;
    busy_.add(free_at_ - now());
    const Duration address_end = now() + params_.address_phase * clock_;
    simulation_.report(*this, stage_of(*running_, retried_), packet_of(*running_), from, running_end_);
    activity_.busy(now(), address_end, "address", packet_of(*running_), {.packets = 0});
    activity_.busy(address_end, running_end_, retried_ ? "retry" : "data", packet_of(*running_),
                   {.bytes = retried_ ? 0 : running_->get_data_length(), .packets = retried_ ? 0U : 1U});
    activity_.busy(running_end_, free_at_, "turnaround", packet_of(*running_), {.packets = 0});
    if (retried_) {
        ++retries_;
        activity_.refuse();
        simulation_.refused();
    } else {
        carrying_.add(free_at_ - now());
        ++transactions_;
        simulation_.accepted();
        data_phases_ += static_cast<std::uint64_t>(words);
    }
}

std::string PciBus::pending() const
{
    PendingText text;
    if (running_ != nullptr) text.add("a transaction is running");
    for (std::size_t i = 0; i < masters_.size(); ++i) {
        if (masters_[i].waiting != nullptr) text.add(fmt::format("slot {} waits for the bus", i));
    }
    return text.text();
}

void PciBus::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("transactions", transactions_, "transactions", "transactions accepted by a target");
    visitor.counter("data_phases", data_phases_, "phases", "data phases of these");
    visitor.counter("retries", retries_, "transactions", "transactions disconnected by a target with a retry");
    visitor.time("busy", busy_, "time during which the bus was in use, turnaround included");
}

void PciBus::places(PlaceVisitor& visitor) const { visitor.busy("phase", "bus", activity_); }

void PciBus::trace(sc_core::sc_trace_file* file) const
{
    trace_signal(file, activity_, std::string(name()) + ".phase",
                 {"the phase of the transaction on the bus; a target that cannot answer yet says retry",
                  "address, data, retry, turnaround", SignalPlace::kWayOut});
}

}  // namespace ringmesh::hw
