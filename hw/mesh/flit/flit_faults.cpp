// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/flit/flit_faults.h"

#include <algorithm>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::hw {

using mesh::Packet;

namespace {

constexpr auto kLaterStart = [](const auto& a, const auto& b) { return a.cycle > b.cycle; };

}  // namespace

FlitFaults::FlitFaults(MeshFaults& faults, FlitFabric& fabric, const MeshClock& clock, std::int64_t to_wires)
    : faults_(faults), fabric_(fabric), clock_(clock), to_wires_(to_wires), links_(fabric.grid_.outputs())
{}

void FlitFaults::count_begins(std::int64_t cycle)
{
    const auto& begins = faults_.begins();
    const Duration time = clock_.time(cycle + to_wires_);
    for (; begun_ < begins.size() && begins[begun_].at <= time; ++begun_) {
        faults_.meets_down(begins[begun_].output, begins[begun_].at);
        to_look_.push_back(begins[begun_].output);
    }
}

void FlitFaults::look_due()
{
    count_begins(cycle_);
    looked_.swap(to_look_);
    for (const OutputIndex output : looked_) look(output);
    looked_.clear();
    while (!starts_.empty() && starts_.front().cycle <= cycle_) {
        const OutputIndex output = starts_.front().output;
        std::pop_heap(starts_.begin(), starts_.end(), kLaterStart);
        starts_.pop_back();
        look(output);
    }
    next_ = next_start();
    const auto& begins = faults_.begins();
    if (begun_ < begins.size()) next_ = std::min(next_, clock_.edge_from(begins[begun_].at) - to_wires_);
}

/// Whether an output takes flits in this cycle, which then go onto its link.
void FlitFaults::look(OutputIndex output)
{
    Link& link = links_[output];
    const Duration down = faults_.down_until(output, clock_.time(cycle_ + to_wires_));
    std::int64_t until = link.busy_until;
    if (down == Duration::never()) {
        until = INT64_MAX;
    } else if (down != Duration::zero()) {
        until = std::max(until, clock_.edge_from(down) - to_wires_);
    }
    if (until > cycle_) {
        if (!std::exchange(link.stopped, true)) stop(output);
        if (until == INT64_MAX) return;
        starts_.push_back({until, output});
        std::push_heap(starts_.begin(), starts_.end(), kLaterStart);
    } else if (std::exchange(link.stopped, false)) {
        start(output);
        link.started = cycle_;
    }
}

FlitFaults::Late FlitFaults::suffer(OutputIndex output, const Packet& packet, bool head, std::int64_t cycle)
{
    if (faults_.calm().passes(output, head ? 1 : 0, head ? packet.flits : 0, cycle)) return {};
    faults_.begin_asking(output);
    const Duration at = clock_.time(cycle);
    Late late;
    if (head) {
        late.again = faults_.retry() *
                     faults_.crosses(output, packet.flits, at, clock_.span(faults_.retry()), victim_of(packet));
    }
    if (faults_.half(output, at)) late.slow = 1;
    faults_.end_asking(output, at);
    if (head || late.sum() != 0) {
        links_[output].busy_until = cycle_ + 1 + late.sum();
        to_look_.push_back(output);
        // With a router all of its outputs stop
        faults_.for_each_beside(output, [&](OutputIndex each) {
            if (each != output) to_look_.push_back(each);
        });
    }
    return late;
}

void FlitFaults::stop(OutputIndex output)
{
    OutputPort& port = fabric_.outputs_[output];
    stopped_.push_back({output, port.credits});
    port.credits.fill(0);
    const Router router = fabric_.router(output.router());
    for (unsigned input = 0; input < mesh::kPorts; ++input) {
        for_each_set(router.state.ready[input][output.port()],
                     [&](unsigned channel) { router.state.clear_ready(input, channel, output.port()); });
    }
}

void FlitFaults::start(OutputIndex output)
{
    const auto stopped =
        std::find_if(stopped_.begin(), stopped_.end(), [output](const Stopped& each) { return each.output == output; });
    OutputPort& port = fabric_.outputs_[output];
    port.credits = stopped->credits;
    stopped_.erase(stopped);
    for (unsigned channel = 0; channel < static_cast<unsigned>(fabric_.params_.virtual_channels); ++channel) {
        if ((port.free >> channel & 1U) != 0 || port.credits[channel] == 0) continue;
        fabric_.has_credit(output.channel(channel));
    }
    fabric_.allocate_again(output);
}

/// Credits that come to stopped outputs are kept from them.
void FlitFaults::keep_credits()
{
    std::vector<OutputChannelIndex>& coming = fabric_.credit_wires_.at(cycle_);
    for (Stopped& stopped : stopped_) {
        const auto kept = std::partition(coming.begin(), coming.end(),
                                         [&](OutputChannelIndex channel) { return channel.port() != stopped.output; });
        OutputPort& output = fabric_.outputs_[stopped.output];
        for (auto channel = kept; channel != coming.end(); ++channel) {
            const std::uint32_t credits = ++stopped.credits[channel->channel()];
            if (credits > output.buffer) throw ModelError("a virtual channel has more credits than buffer slots");
            if (credits == output.buffer) output.empty |= static_cast<ChannelMask>(1U << channel->channel());
        }
        coming.erase(kept, coming.end());
    }
}

std::int64_t FlitFaults::next_wanted_start() const
{
    std::int64_t next = INT64_MAX;
    for (const Start& start : starts_) {
        if (start.cycle < next && !waiting_for(start.output).empty()) next = start.cycle;
    }
    return next;
}

std::vector<const Packet*> FlitFaults::waiting_for(OutputIndex output) const
{
    std::vector<const Packet*> waiting;
    const Router router = fabric_.router(output.router());
    for (unsigned port = 0; port < mesh::kPorts; ++port) {
        for (unsigned number = 0; number < kStride; ++number) {
            const InputChannel& channel = router.input(port, number);
            if (channel.packets == 0 || channel.output != output.port()) continue;
            waiting.push_back(channel.front);
        }
    }
    return waiting;
}

}  // namespace ringmesh::hw
