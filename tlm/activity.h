// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/units.h"

/// Busy periods of a resource for waveforms; start and end may lie in the future. The kernel polls plain members; an
/// activity reports its changes with their own time stamps, so that the end of a busy period is shown although no event
/// occurs there.
namespace ringmesh {

/// Receives time-stamped changes. Implemented by the waveform writers in traces/.
class ActivityListener {
public:
    virtual ~ActivityListener() = default;
    /// Between `from` and `to` the resource `slot` is busy with `what` (a short word such as "request") of number `id`.
    /// `from` is not in the past. Periods of one slot never overlap; they may touch, and may come in any order.
    virtual void busy(std::uint32_t slot, Duration from, Duration to, std::string_view what, std::uint64_t id) = 0;
};

/// A resource's busy periods: one pointer test when not traced. Must not move once it is traced.
class Activity {
public:
    void busy(Duration from, Duration to, std::string_view what, std::uint64_t id) const
    {
        if (listener_ != nullptr) listener_->busy(slot_, from, to, what, id);
    }
    bool observed() const { return listener_ != nullptr; }

private:
    friend class WaveFile;
    mutable ActivityListener* listener_ = nullptr;
    mutable std::uint32_t slot_ = 0;
};

/// A trace file that also records activities. Modules call sc_trace for both kinds of members, whatever the file; one
/// that is no WaveFile skips the activities.
class WaveFile : public sc_core::sc_trace_file, public ActivityListener {
public:
    void trace_activity(const Activity& activity, const std::string& name)
    {
        if (const auto slot = declare_activity(activity, name)) {
            activity.slot_ = *slot;
            activity.listener_ = this;
            observed_.push_back(&activity);
        }
    }
    /// A value that changes only at kernel time steps and is shown as a word (an enumeration's name).
    virtual void trace_word(const std::string_view& word, const std::string& name) = 0;

protected:
    /// @return the slot for this activity's periods; empty if the activity is not selected
    virtual std::optional<std::uint32_t> declare_activity(const Activity& activity, const std::string& name) = 0;

    /// Detaches all activities. Called before the file is destroyed.
    void release_activities()
    {
        for (const Activity* activity : observed_) {
            if (activity->listener_ == this) activity->listener_ = nullptr;
        }
        observed_.clear();
    }

private:
    std::vector<const Activity*> observed_;
};

/// Found by argument-dependent lookup beside sc_core::sc_trace.
inline void sc_trace(sc_core::sc_trace_file* file, const Activity& activity, const std::string& name)
{
    if (auto* wave = dynamic_cast<WaveFile*>(file)) wave->trace_activity(activity, name);
}

inline void trace_word(sc_core::sc_trace_file* file, const std::string_view& word, const std::string& name)
{
    if (auto* wave = dynamic_cast<WaveFile*>(file)) wave->trace_word(word, name);
}
/// The file polls the view itself: it must be a member, not a temporary.
void trace_word(sc_core::sc_trace_file* file, std::string_view&& word, const std::string& name) = delete;

}  // namespace ringmesh
