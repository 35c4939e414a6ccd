// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tlm/division/observations.h"
#include "tlm/simulation/journey.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/activity.h"
#include "tlm/statistics/component.h"
#include "tlm/units/units.h"
#include "traces/changes/background.h"
#include "traces/changes/change_log.h"
#include "traces/changes/value_table.h"
#include "traces/formats/wave_writer.h"
#include "traces/playback/player.h"
#include "traces/playback/spool.h"
#include "traces/windows/window.h"

namespace ringmesh {

/// Records the running simulation. Modules declare their members with sc_trace in sc_object::trace; values that have
/// changed are looked at once per time step, after its last delta cycle. An Activity NAME becomes two signals: NAME, a
/// word that is "idle" between periods, and NAME_id, the number of the packet. Changes get their own time stamps, also
/// those after the end of the run. What costs time, sorting and writing, happens in a second thread.
///
/// Only the window is recorded, beginning with the state at its start. If the run does not reach the window, no file
/// remains: see missed(). Of a run that was stopped before it, the files declare the signals and hold no values.
///
/// Traced members, activities and modules must live until close() or the destructor, and must be traced before the
/// window begins. One name for two objects is a ModelError. Errors of writing are thrown by later time steps or
/// close().
class Recorder final : public WaveFile, public JourneyListener, private Observations::Watcher, private StepListener {
public:
    /// Attaches itself to the kernel; needs Simulation's resolution of 1 ps.
    explicit Recorder(std::vector<std::unique_ptr<WaveWriter>> writers, Window window = {});
    /// Of a window that is known only after the run, the whole run is kept in a file without a name beside the first
    /// target; of its end, that end in memory. @throws UserError
    Recorder(std::vector<std::unique_ptr<WaveWriter>> writers, const WindowRequest& request);
    /// Without close() no file remains.
    ~Recorder() override;
    /// This process runs a part of the machine, of which it tells process 0, whose recorder alone has writers.
    /// @pre all is traced; each process traces the same
    void divide(Observations& observations);

    /// Its calendar tells of its steps in place of the kernel; errors of writing then fail the run.
    /// @pre before the run, which one process runs @param simulation outlives close()
    void follow(Simulation& simulation);

    /// Leaves out signals whose name this returns false for. Applies to later calls of trace().
    void select(std::function<bool(std::string_view name)> selected) { selected_ = std::move(selected); }

    /// Detaches, writes the remaining changes and renames the files to their targets. @throws UserError; ModelError for
    /// an activity whose periods overlap
    /// @param stopped as of WaveWriter
    /// @param end of the run, if it is not now
    void close(std::string_view stopped = {}, std::optional<Duration> end = {});

    /// The recorded window, known after close(); empty if the run did not reach it.
    std::optional<Window> recorded() const { return player_.recorded(); }
    /// After close(): the activities of the packet that the window follows, in the order in which it passed them.
    std::vector<ActivitySignals> path() const;
    /// After close(): that packet; 0 if there is none.
    std::uint64_t followed() const { return player_.followed(); }
    /// After close(): when the word of a window first:WORD was first seen.
    std::optional<Duration> happened() const { return happened_; }
    /// After close(): why nothing was recorded, and what there is; empty if something was.
    const std::string& missed() const { return missed_; }
    /// After close(): whether a signal changes within the window.
    bool shows_a_change() const;
    /// A stage of a packet, for timelines and for windows that follow packets.
    void stage(const Component& where, const Stage& stage) override;
    const SignalTable& signals() const { return about_.signals; }
    const std::vector<ActivitySignals>& activities() const { return about_.activities; }
    /// Whether it has changed since its initial value.
    bool has_changed(std::uint32_t signal) const { return player_.changed(signal); }

    void busy(std::uint32_t slot, Duration from, Duration to, std::string_view what, std::uint64_t id) override;
    void changed(std::uint32_t value) override { values_.changed(value); }
    void trace_word(const std::string_view& word, const std::string& name) override;

    void trace(const bool& object, const std::string& name) override;
    void trace(const float& object, const std::string& name) override;
    void trace(const double& object, const std::string& name) override;
    void trace(const unsigned char& object, const std::string& name, int width) override;
    void trace(const unsigned short& object, const std::string& name, int width) override;
    void trace(const unsigned int& object, const std::string& name, int width) override;
    void trace(const unsigned long& object, const std::string& name, int width) override;
    void trace(const char& object, const std::string& name, int width) override;
    void trace(const short& object, const std::string& name, int width) override;
    void trace(const int& object, const std::string& name, int width) override;
    void trace(const long& object, const std::string& name, int width) override;
    void trace(const sc_dt::int64& object, const std::string& name, int width) override;
    void trace(const sc_dt::uint64& object, const std::string& name, int width) override;
    void trace(const unsigned int& object, const std::string& name, const char** literals) override;
    void trace(const sc_core::sc_event& object, const std::string& name) override;
    void trace(const sc_core::sc_time& object, const std::string& name) override;
    void trace(const sc_dt::sc_bit& object, const std::string& name) override;
    void trace(const sc_dt::sc_logic& object, const std::string& name) override;
    void trace(const sc_dt::sc_int_base& object, const std::string& name) override;
    void trace(const sc_dt::sc_uint_base& object, const std::string& name) override;
    void trace(const sc_dt::sc_signed& object, const std::string& name) override;
    void trace(const sc_dt::sc_unsigned& object, const std::string& name) override;
    void trace(const sc_dt::sc_bv_base& object, const std::string& name) override;
    void trace(const sc_dt::sc_lv_base& object, const std::string& name) override;
    void trace(const sc_dt::sc_fxval& object, const std::string& name) override;
    void trace(const sc_dt::sc_fxval_fast& object, const std::string& name) override;
    void trace(const sc_dt::sc_fxnum& object, const std::string& name) override;
    void trace(const sc_dt::sc_fxnum_fast& object, const std::string& name) override;

    void write_comment(const std::string& comment) override;
    /// Always a ModelError: the unit is 1 ps.
    void set_time_unit(double value, sc_core::sc_time_unit unit) override;

protected:
    std::optional<std::uint32_t> declare_activity(const Activity& activity, const std::string& name) override;
    std::optional<std::uint32_t> declare_value(ShownValue value, bool told, const std::string& name) override;
    void cycle(bool delta_cycle) override;

private:
    /// False if the name is not selected, or already stands for this object.
    bool wanted(const void* object, const std::string& name);
    /// False if it is entered already. @throws ModelError if the name stands for another object, or recording has begun
    bool enter(const void* object, const std::string& name);
    std::uint32_t declare(const std::string& name, SignalKind kind, int width);
    /// Of the signal that was declared last.
    void set_order(std::uint32_t order);
    // Of a divided run
    class ChangeTeller;
    enum class Told : std::uint8_t;
    void tell_changes();
    void tell_rest() override { tell_changes(); }
    void hear(Parcel& told) override;
    void end_heard_step();

    template <class Number>
    void poll(const Number& object, const std::string& name, SignalKind kind, int width);
    template <class Integer>
    void poll_integer(const Integer& object, const std::string& name, int width);
    template <class Object, class Read>
    void poll_text(const Object& object, const std::string& name, SignalKind kind, int width, Read read);
    void begin();
    void detach();
    void step_ends(Duration next) override;
    void end_step(Duration next);
    /// Blocks in their order. In the second thread.
    void take(RecordBlock block);
    void finish(Duration end, std::string_view stopped);

    std::vector<std::unique_ptr<WaveWriter>> writers_;
    Recorded about_;
    ValueTable values_;
    std::function<bool(std::string_view)> selected_;
    std::map<std::string, const void*, std::less<>> objects_;  ///< what each name stands for
    WindowRequest request_;
    Window window_;  ///< to record; of one that is known after the run, all
    Player player_;
    std::optional<Spool> spool_;
    std::optional<FlightRecorder> flight_;
    std::string missed_;
    std::optional<Duration> happened_;
    struct Place {
        std::string name{};
        bool selected = false;
    };
    std::unordered_map<const Component*, Place> places_;  ///< of stages
    Background background_;                               ///< works on what the log has filled
    ChangeLog log_;
    std::vector<std::uint32_t> orders_;     ///< of the values of each signal
    Observations* observations_ = nullptr;  ///< of a divided run
    std::uint32_t watcher_ = 0;
    Duration heard_;  ///< when the others told last
    bool ended_heard_step_ = false;
    Simulation* simulation_ = nullptr;  ///< whose calendar tells of its steps
    bool attached_ = true;
    bool begun_ = false;
    bool over_ = false;
};

}  // namespace ringmesh
