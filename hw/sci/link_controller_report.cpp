// SPDX-License-Identifier: Apache-2.0
/// What a link controller tells about itself.
#include <fmt/format.h>

#include "hw/sci/link_controller.h"

namespace ringmesh::hw {

std::uint64_t LinkController::packet_hops() const
{
    return stats_.forwarded.count() + stats_.sent.count() + stats_.echoes.count();
}

Duration LinkController::link_time_taken() const
{
    return stats_.link_busy.total() + timing_->idle_gap * static_cast<std::int64_t>(packet_hops());
}

unsigned LinkController::armed_wakeups() const
{
    return static_cast<unsigned>(arrival_wakeup_.armed()) + static_cast<unsigned>(echo_wakeup_.armed()) +
           static_cast<unsigned>(send_wakeup_.armed()) + static_cast<unsigned>(blink_wakeup_.armed());
}

std::string LinkController::pending() const
{
    std::string text;
    const auto add = [&text](std::size_t count, std::string_view what) {
        if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(arrivals_.size(), "packets on the incoming link");
    add(echoes_.size(), "echoes to be read");
    add(send_queues_[0].fill(), "requests in the send queue");
    add(send_queues_[1].fill(), "responses in the send queue");
    add(receive_queues_[0].fill(), "requests wait for the B-Link");
    add(receive_queues_[1].fill(), "responses wait for the B-Link");
    return text;
}

void LinkController::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("forwarded", stats_.forwarded, "packets", "passed on through the bypass FIFO");
    visitor.counter("sent", stats_.sent, "packets", "own packets put on the ring, retries included");
    visitor.counter("stripped", stats_.stripped, "packets", "taken off the ring for this node");
    visitor.counter("refused", stats_.refused, "packets", "answered with a busy echo");
    visitor.counter("echoes", stats_.echoes, "packets", "echoes sent for stripped or refused packets");
    visitor.counter("retries", stats_.retries, "packets", "own packets returned to the send queue by a busy echo");
    visitor.counter("send_full", stats_.send_full, "packets", "packets on the B-Link that waited for a send slot");
    visitor.value("go_kept", static_cast<double>(flow_.recoveries()), "times",
                  "recoveries: go bits withheld until the bypass FIFO was empty");
    visitor.time("go_wait", stats_.go_wait, "time that the first own packet waited with a free output for a go bit");
    visitor.counter("scrubbed", stats_.scrubbed, "packets", "discarded by the scrubber: no target on this ring");
    visitor.time("link_busy", stats_.link_busy, "time during which link_out carried packets");
    visitor.value("longest_bypass_wait", stats_.longest_bypass_wait.ns(), "ns",
                  "longest wait of a passing packet in the bypass FIFO");
}

void LinkController::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = name();
    sc_trace(file, link_activity_, prefix + ".link_out");
    sc_core::sc_trace(file, bypass_symbols_, prefix + ".bypass_wait");
    trace_word(file, flow_.word(), prefix + ".go");
    sc_core::sc_trace(file, send_queues_[0].fill(), prefix + ".send_requests");
    sc_core::sc_trace(file, send_queues_[1].fill(), prefix + ".send_responses");
    sc_core::sc_trace(file, receive_queues_[0].fill(), prefix + ".requests_for_blink");
    sc_core::sc_trace(file, receive_queues_[1].fill(), prefix + ".responses_for_blink");
}

}  // namespace ringmesh::hw
