// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tlm/parameters/policy.h"
#include "tlm/statistics/activity.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// A link controller's state of the go bits on its ring.
struct GoState {
    /// This node holds a go bit, sends go bits and is not in recovery: a packet that passes without waiting, with a go
    /// bit behind it, changes nothing.
    bool unrestricted = true;
    bool recovering = false;  ///< the bypass FIFO has filled behind an own packet and is not empty yet
    bool stop_sent = false;   ///< the idle symbols behind the last packet sent carry no go bit
    Duration go_from;         ///< when the go bit allows an own packet to start; never() until one arrives
    Duration saved_go = Duration::never();  ///< arrival of the first saved go bit; never() if there is none
    std::uint64_t recoveries = 0;
    /// For waveforms: the idle symbols behind the last packet sent: "go", "stop", or "keep" if this node stopped them.
    std::string_view word = "go";
};

/// Which nodes with an empty bypass FIFO may start an own packet.
///
/// Per gap between packets, not per symbol: a packet's `stop` says that the idle symbols behind it carry no go bits; a
/// Go message says that they carry them from later in the same gap on. Times are those at which symbols reach the
/// node's output; a returned time means: notify the next node that the idle symbols carry go bits from then on; never()
/// means no notification.
struct FlowControlPolicy : PolicyName {
    /// Whether an own packet may start until a passing head leaves, which then waits for it; else only until it
    /// arrives.
    bool starts_before_passing = false;
    /// A packet passes. @param stop as received @param waits in the bypass FIFO
    /// @param behind when the idle symbols behind it would leave if it did not wait @return its `stop` to send
    bool (*pass)(GoState& state, bool stop, bool waits, Duration behind);
    /// A packet was stripped here and idle symbols without go bits take its place.
    Duration (*receive_stop)(GoState& state);
    /// Incoming idle symbols carry go bits from now on.
    Duration (*receive_go)(GoState& state, Duration from);
    /// The bypass FIFO is empty from then on.
    Duration (*fifo_empty)(GoState& state, Duration from);
    /// An own packet starts. @param followed another packet has arrived and will wait for its end @return its `stop`
    bool (*start_own)(GoState& state, bool followed);

    static constexpr PolicyKindName kKind{"link-flow-control", "hw/sci/policies/flow_control"};
    static std::span<const FlowControlPolicy> table();
    template <class Policy>
    static constexpr FlowControlPolicy of()
    {
        return {Policy::kPolicy,     Policy::kStartsBeforePassing, &Policy::pass,     &Policy::receive_stop,
                &Policy::receive_go, &Policy::fifo_empty,          &Policy::start_own};
    }
};

using FlowControl = PolicyChoice<FlowControlPolicy>;

/// Flow control at one link controller: its policy with its state. Plain logic, without the kernel.
class LinkFlow {
public:
    explicit LinkFlow(FlowControl policy) : policy_(policy) {}

    const FlowControlPolicy& policy() const { return *policy_; }
    Duration go_from() const { return state_.go_from; }
    bool recovering() const { return state_.recovering; }
    Duration saved_go_from() const { return state_.saved_go; }
    /// The go bit that lets the next own packet start, saved or not; never() until one is known.
    Duration first_go() const { return state_.recovering ? state_.saved_go : state_.go_from; }
    bool sends_go() const { return !state_.stop_sent; }
    bool unrestricted() const { return state_.unrestricted; }
    std::uint64_t recoveries() const { return state_.recoveries; }
    std::string_view word() const { return state_.word; }
    /// The word, from when the idle symbols leave that it is about; of a packet that waits, from when they would.
    const Activity& shown() const { return shown_; }
    void show(Duration from) const { shown_.shows(from, state_.word); }

    /// The packet behind which this node lost its go bit; 0: none, or nobody gave its number.
    std::uint64_t stopped_behind() const { return stopped_behind_; }

    /// @param behind also when the word shows @param packet its number, for stopped_behind(); so below
    bool pass(bool stop, bool waits, Duration behind, std::uint64_t packet = 0)
    {
        const bool had_go = has_go();
        const std::string_view word_before = word();
        const bool stops = policy_->pass(state_, stop, waits, behind);
        note_stop(had_go, packet);
        show_change(word_before, behind);
        return stops;
    }
    Duration receive_idles(bool stop, Duration from, std::uint64_t packet = 0)
    {
        const bool had_go = has_go();
        const std::string_view word_before = word();
        const Duration told = stop ? policy_->receive_stop(state_) : policy_->receive_go(state_, from);
        note_stop(had_go, packet);
        show_change(word_before, from);
        return told;
    }
    Duration receive_go(Duration from)
    {
        const std::string_view word_before = word();
        const Duration told = policy_->receive_go(state_, from);
        show_change(word_before, from);
        return told;
    }
    /// @param shown when the word shows, not in the past
    Duration fifo_empty(Duration from, Duration shown)
    {
        const std::string_view word_before = word();
        const Duration told = policy_->fifo_empty(state_, from);
        show_change(word_before, shown);
        return told;
    }
    /// @param behind when the idle symbols behind it leave
    bool start_own(bool followed, Duration behind, std::uint64_t packet = 0)
    {
        const bool had_go = has_go();
        const std::string_view word_before = word();
        const bool stops = policy_->start_own(state_, followed);
        own_ = packet;
        note_stop(had_go, packet);
        show_change(word_before, behind);
        return stops;
    }

private:
    bool has_go() const { return state_.go_from != Duration::never(); }
    void show_change(std::string_view before, Duration from) const
    {
        if (shown_.observed() && word() != before) show(from);
    }
    void note_stop(bool had_go, std::uint64_t packet)
    {
        // In recovery the node waits until the FIFO is empty that filled behind its own packet
        if (had_go && !has_go()) stopped_behind_ = state_.recovering ? own_ : packet;
    }

    GoState state_;
    FlowControl policy_;
    std::uint64_t own_ = 0;  // the own packet that started last
    std::uint64_t stopped_behind_ = 0;
    Activity shown_;
};

}  // namespace ringmesh::hw
