// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tlm/statistics/shown.h"
#include "tlm/statistics/use.h"
#include "tlm/time/kernel_time.h"
#include "tlm/units/units.h"

/// Busy periods of a resource for waveforms and for the use of places; start and end may lie in the future. An activity
/// reports its changes with their own time stamps, so that the end of a busy period is shown although no event occurs
/// there. Levels, states and other values with a ValueWatch tell when they change; what is traced without one is looked
/// at in every time step.
namespace ringmesh {

/// Receives time-stamped changes. Implemented by the waveform writers in traces/.
class ActivityListener {
public:
    virtual ~ActivityListener() = default;
    /// Between `from` and `to` the resource `slot` is busy with `what` (a short word such as "request") of number `id`.
    /// `from` is not in the past. Periods of one slot never overlap; they may touch, and may come in any order.
    /// One until never() lasts until the next one of its slot begins.
    virtual void busy(std::uint32_t slot, Duration from, Duration to, std::string_view what, std::uint64_t id) = 0;
};

/// A resource's busy periods: two pointer tests when neither traced nor measured. Must not move once it is.
class Activity {
public:
    void busy(Duration from, Duration to, std::string_view what, std::uint64_t id, Carried carried = {}) const
    {
        if (use_ != nullptr) use_->busy(from, to, carried);
        if (listener_ != nullptr) listener_->busy(slot_, from, to, what, id);
    }
    /// From then on it shows this word, until another one is told that is to begin then or later. Counts as no use.
    void shows(Duration from, std::string_view word) const
    {
        if (listener_ != nullptr) listener_->busy(slot_, from, Duration::never(), word, 0);
    }
    /// A packet has waited for the resource.
    void wait(Duration span) const
    {
        if (use_ != nullptr) use_->wait(span);
    }
    /// The resource refused a packet, which has to come again.
    void refuse() const
    {
        if (use_ != nullptr) use_->refuse();
    }
    bool observed() const { return listener_ != nullptr; }
    bool measured() const { return use_ != nullptr; }

private:
    friend class WaveFile;
    friend class UseMeter;
    mutable PlaceUse* use_ = nullptr;
    mutable ActivityListener* listener_ = nullptr;
    mutable std::uint32_t slot_ = 0;
};

/// Where on a packet's way a signal lies: the order of views.
enum class SignalPlace : std::uint8_t {
    kProgram,  ///< processors and sources of packets
    kWayOut,   ///< buses and queues between them and the network
    kLink,
    kNetwork,  ///< queues and states of the network beside its links
    kWayIn,    ///< queues and buses between the network and memory
    kMemory,
    kOther,
};

/// What a signal shows, for those who look at it: `ringmesh list signals`, and views.
struct SignalNote {
    std::string_view meaning;
    std::string_view values;  ///< of a number its unit, of a word the words
    SignalPlace place = SignalPlace::kOther;
};

/// A value that tells of its changes.
using ShownValue =
    std::variant<const bool*, const std::int32_t*, const std::uint32_t*, const std::uint64_t*, const std::string_view*>;

/// A trace file that also records activities. Modules call sc_trace for both kinds of members, whatever the file; one
/// that is no WaveFile skips the activities.
class WaveFile : public sc_core::sc_trace_file, public ActivityListener, public ValueListener {
public:
    WaveFile() = default;
    ~WaveFile() override = default;
    WaveFile(const WaveFile&) = delete;
    WaveFile& operator=(const WaveFile&) = delete;

    void trace_activity(const Activity& activity, const std::string& name)
    {
        if (const auto slot = declare_activity(activity, name)) {
            activity.slot_ = *slot;
            activity.listener_ = this;
            observed_.push_back(&activity);
        }
    }
    /// Of a value that changes only at kernel time steps. One that tells another signal already is polled.
    void trace_value(ShownValue value, const ValueWatch& watch, const std::string& name)
    {
        const bool told = watch.listener_ == nullptr;
        const auto number = declare_value(value, told, name);
        if (!number || !told) return;
        watch.number_ = *number;
        watch.listener_ = this;
        watched_.push_back(&watch);
    }
    /// What the next signal that is traced shows.
    void describe(SignalNote note) { note_ = note; }
    /// A value that changes only at kernel time steps and is shown as a word (an enumeration's name).
    virtual void trace_word(const std::string_view& word, const std::string& name) = 0;

protected:
    /// @return the slot for this activity's periods; empty if the activity is not selected
    virtual std::optional<std::uint32_t> declare_activity(const Activity& activity, const std::string& name) = 0;

    /// @param told whether it tells of its changes
    /// @return the number by which it does; empty if the value is not selected
    virtual std::optional<std::uint32_t> declare_value(ShownValue value, bool told, const std::string& name) = 0;

    /// The kernel need not stop at each step: somebody else tells of them.
    void leave_kernel() { in_step_.reset(); }

    /// The note of the signal that is being traced, which has it for itself.
    SignalNote take_note() { return std::exchange(note_, {}); }

    /// Detaches all activities and values. Called before the file is destroyed.
    void release()
    {
        for (const ValueWatch* watch : watched_) watch->listener_ = nullptr;
        watched_.clear();
        for (const Activity* activity : observed_) {
            if (activity->listener_ == this) activity->listener_ = nullptr;
        }
        observed_.clear();
    }

private:
    std::vector<const Activity*> observed_;
    std::vector<const ValueWatch*> watched_;
    SignalNote note_{};
    std::optional<StepWatcher> in_step_{std::in_place};
};

/// Found by argument-dependent lookup beside sc_core::sc_trace.
inline void sc_trace(sc_core::sc_trace_file* file, const Activity& activity, const std::string& name)
{
    if (auto* wave = dynamic_cast<WaveFile*>(file)) wave->trace_activity(activity, name);
}

/// A file that is no WaveFile looks at the number in every step, and skips words.
template <class T>
void trace_value(sc_core::sc_trace_file* file, const T& value, const ValueWatch& watch, const std::string& name)
{
    using sc_core::sc_trace;
    if (auto* wave = dynamic_cast<WaveFile*>(file)) {
        wave->trace_value(&value, watch, name);
    } else if constexpr (!std::is_same_v<T, std::string_view>) {
        sc_trace(file, value, name);
    }
}

inline void sc_trace(sc_core::sc_trace_file* file, const Level& level, const std::string& name)
{
    trace_value(file, level.value(), level.watch(), name);
}

inline void sc_trace(sc_core::sc_trace_file* file, const StateWord& state, const std::string& name)
{
    trace_value(file, state.word(), state.watch(), name);
}

template <class T>
void sc_trace(sc_core::sc_trace_file* file, const Shown<T>& shown, const std::string& name)
{
    trace_value(file, shown.value(), shown.watch(), name);
}

inline void trace_word(sc_core::sc_trace_file* file, const std::string_view& word, const std::string& name)
{
    if (auto* wave = dynamic_cast<WaveFile*>(file)) wave->trace_word(word, name);
}
/// The file polls the view itself: it must be a member, not a temporary.
void trace_word(sc_core::sc_trace_file* file, std::string_view&& word, const std::string& name) = delete;

namespace detail {
/// For a file that reads values at the kernel's time steps until the process ends.
inline void watch_steps_for_ever() { static const StepWatcher watcher; }
}  // namespace detail

/// Traces a member, which may be an Activity, a Level, a StateWord, a Shown, a word (std::string_view) or whatever
/// sc_trace takes, and says what it shows.
template <class Member>
void trace_signal(sc_core::sc_trace_file* file, const Member& member, const std::string& name, SignalNote note)
{
    auto* wave = dynamic_cast<WaveFile*>(file);
    if (wave == nullptr) detail::watch_steps_for_ever();
    if (wave != nullptr) wave->describe(note);
    if constexpr (std::is_same_v<Member, std::string_view>) {
        trace_word(file, member, name);
    } else {
        using sc_core::sc_trace;
        sc_trace(file, member, name);
    }
    if (wave != nullptr) wave->describe({});  // a signal that is not selected did not take it
}
template <class Member>
requires(!std::is_lvalue_reference_v<Member>) void trace_signal(sc_core::sc_trace_file* file, Member&& member,
                                                                const std::string& name, SignalNote note) = delete;

/// Of a member whose owner keeps the watch beside it.
template <class Member>
void trace_signal(sc_core::sc_trace_file* file, const Member& member, const ValueWatch& watch, const std::string& name,
                  SignalNote note)
{
    auto* wave = dynamic_cast<WaveFile*>(file);
    if (wave == nullptr) detail::watch_steps_for_ever();
    if (wave != nullptr) wave->describe(note);
    trace_value(file, member, watch, name);
    if (wave != nullptr) wave->describe({});
}

}  // namespace ringmesh
