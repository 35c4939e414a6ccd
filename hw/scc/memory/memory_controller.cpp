// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/memory/memory_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/scc/transaction.h"
#include "tlm/error.h"
#include "tlm/mesh/journey.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/require_now.h"

namespace ringmesh::hw {

WaitingRequest MemoryQueue::pop(const Dram& dram)
{
    const std::size_t chosen = order_->choose(waiting_, dram, patience_);
    const WaitingRequest next = waiting_[chosen];
    for (std::size_t i = 0; i < chosen; ++i) ++waiting_[i].passed;
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen));
    return next;
}

using mesh::Class;
using mesh::Packet;
using mesh::PortPhase;

MemoryController::MemoryController(const sc_core::sc_module_name& module_name, Simulation& simulation,
                                   const MemoryParams& params, Frequency clock)
    : sc_module(module_name),
      simulation_(simulation),
      params_(params),
      clock_(clock),
      memory_(static_cast<std::uint64_t>(params.size.count())),
      dram_(params.dram, clock_.clock()),
      shortest_(params.latency.count() + std::min(dram_.timing().cl, dram_.timing().cwl) + dram_.timing().burst),
      queue_(params.order, params.patience),
      slots_(to_mesh, params.slots),
      banks_(static_cast<std::size_t>(params.dram.banks)),
      faults_(MemoryFaults::of(name(), simulation.faults(), params.slow.count()))
{
    to_mesh.register_nb_transport_bw(this, &MemoryController::from_mesh);
    simulation.add(*this);
}

::tlm::tlm_sync_enum MemoryController::from_mesh(Packet& packet, PortPhase& phase, sc_core::sc_time& delay)
{
    require_now(delay);
    const Duration time = now();
    if (phase == PortPhase::kCredit) {
        expect(collect(time));
        const std::size_t taken = outlet_.resume(packet.kind, time);
        if (packet.kind == Class::kResponse) free_slots(taken, time);
        return ::tlm::TLM_ACCEPTED;
    }
    if (!take_request(packet, time)) {
        phase = PortPhase::kFull;
        return ::tlm::TLM_UPDATED;
    }
    return ::tlm::TLM_ACCEPTED;
}

bool MemoryController::take_request(Packet& packet, Duration time)
{
    if (!slots_.take()) return false;
    level_.set(slots_.taken(), time);
    try {
        check(packet);
        take(packet, time);
    } catch (...) {
        simulation_.fail(std::current_exception());  // the packet stays with the simulation's pool
    }
    return true;
}

void MemoryController::take_early(Packet& response, Duration)
{
    simulation_.fail(std::make_exception_ptr(
        ModelError(fmt::format("{}: a response without a request, packet {}", name(), response.id))));
}

/// An order that looks for the best of those waiting decides when each of them comes.
bool MemoryController::expects(const Packet& request, Duration at, std::size_t coming)
{
    if (faults_ != nullptr || queue_.reorders() || slots_.taken() + coming > slots_.slots()) return false;
    expect({&request, at});
    return true;
}

void MemoryController::take_collected(Packet& request, Duration at) { take_request(request, at); }

/// Wakes when the request's data would end if it found its row open and no other were served.
void MemoryController::expect(const mesh::LookAhead::Next& next)
{
    if (next.packet != nullptr) end_wakeup_.at(clock_.time(clock_.edge_from(next.at) + shortest_));
}

void MemoryController::check(const Packet& request) const
{
    if (request.kind != Class::kRequest) throw ModelError(fmt::format("{}: a response without a request", name()));
    const SystemAddress address = address_of(*request.payload);
    const std::size_t size = request.payload->get_data_length();
    if (address.space != Space::kMemory) {
        throw UserError(fmt::format("{} accesses a {} in a memory controller; correct its look-up table",
                                    who_asks(name(), request),
                                    address.space == Space::kMessageBuffer ? "message-passing buffer" : "register"));
    }
    if (address.offset < memory_.size() && size <= memory_.size() - address.offset) return;
    throw UserError(
        fmt::format("{} accesses {} bytes at {:#x} of this controller's memory, which has {:#x}; correct its look-up "
                    "table or make the memory's size larger",
                    who_asks(name(), request), size, address.offset, memory_.size()));
}

void MemoryController::take(Packet& request, Duration time)
{
    const auto& payload = *request.payload;
    std::int64_t ready = clock_.edge_from(time) + params_.latency.count();
    if (faults_ != nullptr) [[unlikely]]
        ready = faults_->delay(ready, time, request);
    mesh::report(simulation_, *this, "memory controller", request, time, clock_.time(ready));
    const bool partial = payload.is_write() && (masked(payload) || payload.get_data_length() < kCacheLine);
    ++(payload.is_read() ? reads_ : writes_);
    if (partial) ++partial_writes_;
    const WaitingRequest waiting{&request, {address_of(payload).offset, payload.is_write(), partial}, ready};
    if (!queue_.reorders()) return begin(waiting);  // none ever waits
    queue_.push(waiting);
    decide(time);
}

void MemoryController::end_access()
{
    const Duration time = now();
    if (faults_ != nullptr && faults_->stops(time)) return;
    end_wakeup_.taken(time);
    stepping_ = true;
    const auto next = collect(time);
    finish(time);
    stepping_ = false;
    expect(next);
}

void MemoryController::decide_now()
{
    const Duration time = now();
    if (faults_ != nullptr && faults_->stops(time)) return;
    decide_wakeup_.taken(time);
    decide(time);
}

/// Issues requests to the DRAM as an order does that looks for the best of those waiting.
void MemoryController::decide(Duration time)
{
    while (!queue_.empty() && decide_at_ <= time) begin(queue_.pop(dram_));
    if (!queue_.empty()) decide_wakeup_.at(decide_at_, time);
}

void MemoryController::begin(const WaitingRequest& next)
{
    const Dram::Service service = dram_.serve(next.request, next.ready);
    ++(service.row == RowState::kHit ? hits_ : service.row == RowState::kEmpty ? empties_ : conflicts_);
    const Duration ready = clock_.time(next.ready);
    const Duration begin = clock_.time(service.begin);
    const Duration end = clock_.time(service.end);
    const Duration data = clock_.time(service.end - dram_.timing().burst);
    decide_at_ = clock_.time(service.column);
    waited_.add(begin - ready);
    bus_busy_.add(end - data);
    const std::string_view what = word(service.row, next.request.write);
    mesh::report_wait(simulation_, *this, "bank or bus busy", *next.packet, ready, begin, served_);
    served_ = next.packet->id;
    mesh::report(simulation_, *this, what, *next.packet, begin, end);
    const auto bytes = next.packet->payload->get_data_length();
    bus_.wait(begin - ready);
    bus_.busy(data, end, what, next.packet->id, {.bytes = bytes});
    BankUse& bank = banks_[service.bank];
    bank.activity.busy(std::max(begin, bank.until), end, what, next.packet->id, {.bytes = bytes});
    bank.until = end;
    accesses_.push_back({next.packet, end});
    if (!stepping_) end_wakeup_.at(accesses_.front().end);
}

void MemoryController::finish(Duration time)
{
    while (!accesses_.empty() && accesses_.front().end <= time) {
        Packet& packet = *accesses_.pop_front().packet;
        access(*packet.payload);
        simulation_.report_arrival(*this, packet.id, Leg::kRequest, time);
        turn_round(packet, time, simulation_, *this);
        free_slots(outlet_.send(packet, time, time), time);
    }
    if (!accesses_.empty()) end_wakeup_.at(accesses_.front().end, time);
}

void MemoryController::free_slots(std::size_t responses, Duration time)
{
    slots_.free(responses);
    level_.set(slots_.taken(), time);
}

void MemoryController::access(::tlm::tlm_generic_payload& payload)
{
    const std::uint64_t offset = address_of(payload).offset;
    if (payload.is_read()) {
        memory_.read(offset, bytes_of(payload));
        return;
    }
    for_each_run(payload, [this, offset](std::size_t first, std::span<const std::byte> bytes) {
        memory_.write(offset + first, bytes);
    });
}

std::string MemoryController::pending() const
{
    if (slots_.taken() == 0) return {};
    if (faults_ != nullptr && faults_->has_stopped(now())) {
        return fmt::format("has stopped, with {} requests", slots_.taken());
    }
    return fmt::format("{} requests, {} of them wait for the memory, {} for the mesh", slots_.taken(),
                       queue_.size() + accesses_.size(), outlet_.waiting(Class::kResponse));
}

void MemoryController::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("reads", reads_, "requests", "reads from the mesh");
    visitor.counter("writes", writes_, "requests", "writes from the mesh");
    visitor.counter("partial_writes", partial_writes_, "requests", "of these, writes of less than a line");
    visitor.counter("row_hits", hits_, "requests", "requests whose row was open");
    visitor.counter("row_empties", empties_, "requests", "requests to a bank without an open row");
    visitor.counter("row_conflicts", conflicts_, "requests", "requests to a bank with another row open");
    slots_.statistics(visitor);
    visitor.time("waited", waited_, "waiting time of requests for their bank or the data bus");
    visitor.time("data_bus_busy", bus_busy_, "time during which data were on the DDR3 bus");
    if (faults_ != nullptr) faults_->statistics(visitor);
    const double seconds = now().seconds();
    visitor.value("held_mean", seconds > 0 ? level_.area(now()) / seconds : 0, "requests",
                  "mean number of slots in use over the whole run");
    visitor.value("held_highest", static_cast<double>(level_.highest()), "requests", "highest number of slots in use");
    outlet_.statistics(visitor);
}

void MemoryController::places(PlaceVisitor& visitor) const
{
    visitor.busy("data_bus", "memory bus", bus_);
    for (std::size_t i = 0; i < banks_.size(); ++i) visitor.busy(fmt::format("bank{}", i), "bank", banks_[i].activity);
    visitor.level("slots_taken", "queue", slots_.taken(), slots_.slots());
    visitor.level("responses_for_mesh", "queue", outlet_.waiting(Class::kResponse));
}

void MemoryController::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = name();
    trace_signal(file, bus_, prefix + ".data_bus",
                 {"the burst on the data bus of the DRAM, and what state its bank's row was in",
                  "row_hit_read, row_empty_read, row_conflict_read, row_hit_write, row_empty_write, row_conflict_write",
                  SignalPlace::kMemory});
    trace_signal(file, slots_.taken(), prefix + ".slots_taken",
                 {"places taken in the controller's queue", "requests", SignalPlace::kWayIn});
    trace_signal(file, outlet_.waiting(Class::kResponse), prefix + ".responses_for_mesh",
                 {"responses that the mesh has not taken", "packets", SignalPlace::kWayOut});
}

}  // namespace ringmesh::hw
