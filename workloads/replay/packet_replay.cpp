// SPDX-License-Identifier: Apache-2.0
#include "workloads/replay/packet_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::workloads {

void PacketReplayOptions::visit(ParameterVisitor& visitor)
{
    visitor.text({"packets", "file of the packets, as CSV", assumed()}, packets);
    visitor.text(
        {"inject", "SCI: sources are attached to the link controller or to the B-Link: link or blink", assumed()},
        packet.inject);
}

std::uint32_t PacketReplay::check_file()
{
    PacketTrace trace(file_named(folder_, "packets", options_.packets), *machine_);
    std::uint32_t largest = 0;
    while (const auto packet = trace.next()) {
        ++packets_;
        largest = std::max(largest, packet->size);
        if (packet->answered) ++to_answer_;
        if (!packet->waits_for.empty()) ++waits_;
    }
    if (packets_ > 0) return largest;
    throw UserError(fmt::format("packets = {}: no packets behind the first line; write some", options_.packets));
}

void PacketReplay::start_on(TrafficMachine& machine)
{
    machine_ = &machine;
    machine.simulation().calendar().join_places();  // that a message has come is known at once
    if (options_.packets.empty()) {
        throw UserError("replay: no trace; write replay:packets=FILE, or replay:goal=FILE for programs over ranks");
    }
    const bool given = options_.packet.inject != PacketOptions::kAuto;
    PacketForm form;
    if (given) form = machine.packets(options_.packet);  // says if there is none such
    form.size = check_file();
    PacketOptions usual;
    if (!given) machine.packets(usual);
    options_.packet = {.inject = given ? options_.packet.inject : usual.inject};
    trace_ = std::make_unique<PacketTrace>(file_named(folder_, "packets", options_.packets), machine);
    sources_.resize(machine.nodes());
    machine.start_traffic(recorder_.before(*this, machine), form);
}

Injection PacketReplay::next(unsigned number)
{
    Source& source = sources_[number];
    source.given.reset();
    read_ahead();
    if (source.ready.empty()) {
        source.is_idle = true;
        wake_sources();
        return {};
    }
    source.is_idle = false;
    const auto first = source.ready.begin();
    source.given = std::move(first->second);
    source.ready.erase(first);
    --ready_;
    const TracedPacket& packet = *source.given;
    source.given->at = std::max(packet.at, now());
    flying_[{number, packet.target, packet.at.ps()}].push_back(packet.id);
    const Injection injection{.at = packet.at, .to = packet.target, .size = packet.size, .kind = packet.kind};
    ++offered_;
    wake_sources();
    return injection;
}

bool PacketReplay::takes_back(unsigned number, const Injection& injection)
{
    Source& source = sources_[number];
    if (source.ready.empty() || source.ready.begin()->first.first >= injection.at) return false;
    TracedPacket packet = std::move(*source.given);
    source.given.reset();
    const std::tuple key{number, packet.target, packet.at.ps()};
    auto& ids = flying_[key];
    ids.pop_back();
    if (ids.empty()) flying_.erase(key);
    --offered_;
    ++ready_;
    source.ready.emplace(std::pair(packet.at, packet.id), std::move(packet));
    return true;
}

/// Enough that each source has its next packet in time: lines are in the order of time.
void PacketReplay::read_ahead()
{
    if (busy_) return;
    while (!at_end_ && ready_ < kAhead && waiting_.size() < kMostWaiting) {
        auto packet = trace_->next();
        if (!packet) {
            at_end_ = true;
            break;
        }
        std::size_t left = 0;
        for (const std::uint64_t id : packet->waits_for) {
            const auto before = open_.find(id);
            if (before == open_.end()) continue;
            before->second.push_back(packet->id);
            ++left;
        }
        open_[packet->id];
        if (left > 0) {
            const std::uint64_t id = packet->id;
            waiting_.emplace(id, Waiting{std::move(*packet), left});
        } else {
            add_ready(std::move(*packet));
        }
    }
}

void PacketReplay::add_ready(TracedPacket packet)
{
    const unsigned number = packet.source;
    Source& source = sources_[number];
    if (source.is_idle || (source.given && source.given->at > packet.at)) to_wake_.push_back(number);
    ++ready_;
    source.ready.emplace(std::pair(packet.at, packet.id), std::move(packet));
}

void PacketReplay::wake_sources()
{
    if (busy_) return;
    busy_ = true;
    while (!to_wake_.empty()) {
        const unsigned number = to_wake_.back();
        to_wake_.pop_back();
        machine_->resume_traffic(number);
    }
    busy_ = false;
}

void PacketReplay::delivered(const OfferedPacket& packet, Duration at)
{
    const auto found = flying_.find({packet.source, packet.target, packet.born.ps()});
    if (found == flying_.end()) throw ModelError("replay: a packet was delivered that was not sent");
    const std::uint64_t id = found->second.front();
    found->second.erase(found->second.begin());
    if (found->second.empty()) flying_.erase(found);
    const Duration latency = at - packet.born;
    latency_.add(latency, packet.target, at);
    last_delivery_ = std::max(last_delivery_, at);
    const auto open = open_.find(id);
    for (const std::uint64_t one : open->second) {
        const auto waiting = waiting_.find(one);
        if (--waiting->second.left > 0) continue;
        TracedPacket ready = std::move(waiting->second.packet);
        ready.at = std::max(ready.at, at);
        waiting_.erase(waiting);
        add_ready(std::move(ready));
    }
    open_.erase(open);
    if (ready_ == 0) read_ahead();
    wake_sources();
    constexpr std::uint64_t kProgress = 1024;
    if (latency_.count() % kProgress == 0) {
        machine_->simulation().report_progress(static_cast<double>(latency_.count()) / static_cast<double>(packets_));
    }
}

void PacketReplay::answered(const OfferedPacket&, Duration) { ++answers_; }

void PacketReplay::dropped(unsigned source, Duration born)
{
    // Not thrown: the kernel, which calls sources, makes something of its own of what is thrown
    machine_->simulation().fail(std::make_exception_ptr(trace_->problem(
        sources_[source].given->line,
        fmt::format("the queue of source {} is full at {:.3f} us: the trace offers more than the network takes; write "
                    "later times, or let packets wait for others",
                    source, born.us()))));
}

void PacketReplay::check() const
{
    if (finished()) return;
    throw ModelError(fmt::format("replay: of {} packets {} were offered and {} delivered; {} of {} responses came",
                                 packets_, offered_, latency_.count(), answers_, to_answer_));
}

Results PacketReplay::results() const
{
    Results results;
    results.columns = {{"packets", ""}, {"waiting", ""}, {"last_delivery_ns", "ns"}, {"latency_sum_ns", "ns"}};
    LatencySeries::add_columns(results);
    for (const auto* column : {"answered", "retries", "link_crossings"}) results.columns.push_back({column, ""});
    auto& row = results.rows.emplace_back();
    row = {static_cast<std::int64_t>(packets_), static_cast<std::int64_t>(waits_), last_delivery_.ns(),
           latency_.sum_ns()};
    latency_.add_cells(row);
    row.insert(row.end(), {static_cast<std::int64_t>(answers_), static_cast<std::int64_t>(machine_->retries()),
                           static_cast<std::int64_t>(machine_->link_crossings())});
    results.notes.emplace_back(
        "latency: from birth to delivery whole, the wait at the source included; a packet is born at its time, or when "
        "those that it waits for are delivered, if that is later; waiting: packets that wait for others");
    results.notes.emplace_back(latency_.percentiles_note());
    for (const std::string& note : machine_->traffic_notes()) results.notes.push_back(note);
    return results;
}

}  // namespace ringmesh::workloads
