// SPDX-License-Identifier: Apache-2.0
#include "traces/recorder.h"

#include <sysc/datatypes/fx/fx.h>

#include <algorithm>
#include <utility>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"
#include "traces/playback/window_finder.h"

namespace ringmesh {

namespace {

/// The digits of SystemC's numbers and vectors as VCD has them: `width` of them, in small letters.
std::string vcd_digits(std::string digits, int width)
{
    digits.erase(0, digits.size() - std::min(digits.size(), static_cast<std::size_t>(width)));
    for (char& c : digits) {
        if (c == 'X') c = 'x';
        if (c == 'Z') c = 'z';
    }
    return digits;
}

template <class Number>
std::string digits_of_number(const Number& number)
{
    return vcd_digits(number.to_string(sc_dt::SC_BIN, false), number.length());
}

template <class Vector>
std::string digits_of_vector(const Vector& vector)
{
    return vcd_digits(vector.to_string(), vector.length());
}

template <class Bit>
std::string digit_of(const Bit& bit)
{
    return vcd_digits({bit.to_char()}, 1);
}

template <class FixedPoint>
std::string decimal(const FixedPoint& number)
{
    return number.to_string();
}

constexpr Window kNever{Duration::never(), Duration::never()};

std::vector<WaveWriter*> pointers_to(const std::vector<std::unique_ptr<WaveWriter>>& writers)
{
    std::vector<WaveWriter*> pointers;
    pointers.reserve(writers.size());
    for (const auto& writer : writers) pointers.push_back(writer.get());
    return pointers;
}

}  // namespace

Recorder::Recorder(std::vector<std::unique_ptr<WaveWriter>> writers, Window window)
    : Recorder(std::move(writers), WindowRequest{.times = window})
{}

Recorder::Recorder(std::vector<std::unique_ptr<WaveWriter>> writers, const WindowRequest& request)
    : writers_(std::move(writers)),
      request_(request),
      window_({std::max(request.times.from, now()), request.times.to}),
      player_(about_, pointers_to(writers_), request.known_before_the_run() ? window_ : kNever),
      background_([this](RecordBlock block) { take(block); }),
      log_([this](ChangeLog::Block block, std::size_t size) { return background_.take(std::move(block), size); })
{
    if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS)) {
        throw ModelError("waveforms need a time resolution of 1 ps");
    }
    if (request.needs_packets() && !writers_.empty()) spool_.emplace(writers_.front()->target());
    if (request.kind == WindowRequest::Kind::kLast) flight_.emplace(player_, request.span);
    sc_core::sc_get_curr_simcontext()->add_trace_file(this);
}

Recorder::~Recorder() { detach(); }

void Recorder::detach()
{
    if (!attached_) return;
    attached_ = false;
    if (simulation_ != nullptr) simulation_->calendar().tell_steps(nullptr);
    release();
    sc_core::sc_get_curr_simcontext()->remove_trace_file(this);
}

void Recorder::begin()
{
    log_.step(window_.from);
    values_.log_all(log_);
    begun_ = true;
}

void Recorder::cycle(bool delta_cycle)
{
    // The kernel calls at the end of a time step, and after every delta cycle before it
    if (delta_cycle || over_) return;
    if (simulation_ != nullptr && !simulation_->calendar().in_step()) return;
    if (observations_ != nullptr) return tell_changes();
    const sc_core::sc_time left = sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext());
    // Its longest time is none of ours
    end_step(left > to_kernel(Duration::never() - now()) ? Duration::never() : now() + from_kernel(left));
}

void Recorder::follow(Simulation& simulation)
{
    simulation_ = &simulation;
    simulation.calendar().tell_steps(this);
    leave_kernel();
}

/// Called by the calendar, which no exception may pass.
void Recorder::step_ends(Duration next)
{
    try {
        end_step(next);
    } catch (...) {
        over_ = true;
        simulation_->fail(std::current_exception());
    }
}

void Recorder::end_step(Duration next)
{
    if (over_) return;
    background_.check();
    const Duration time = now();
    if (time <= window_.from) {
        // The state at the start is the one after the last step up to it
        if (next > window_.from) values_.sample();
        return;
    }
    if (!begun_) begin();
    log_.step(time);
    over_ = time > window_.to;
    if (!over_) values_.log_changes(log_);
}

void Recorder::close(std::string_view stopped, std::optional<Duration> end_of_run)
{
    if (!attached_) return;
    detach();
    const Duration end = end_of_run.value_or(now());
    if (observations_ != nullptr) {
        end_heard_step();
    } else if (end >= window_.from) {
        if (end == window_.from) values_.sample();
        end_step(Duration::never());  // the kernel has not left the last time step
        if (!begun_) begin();
    }
    background_.finish();
    take(log_.rest());
    finish(end, stopped);
}

enum class Recorder::Told : std::uint8_t { kStage, kBusy, kNumber, kReal, kWord, kTrigger, kText };

void Recorder::divide(Observations& observations)
{
    observations_ = &observations;
    watcher_ = observations.add(*this);
    values_.sample();
    begun_ = true;
    if (writers_.empty()) return;
    log_.step(Duration::zero());
    values_.log_all(log_);
}

/// Tells process 0 what has changed in this one.
class Recorder::ChangeTeller {
public:
    explicit ChangeTeller(Recorder& recorder) : recorder_(recorder) {}

    void number(std::uint32_t signal, std::uint64_t value) { tell(Told::kNumber, signal, value); }
    void real(std::uint32_t signal, double value) { tell(Told::kReal, signal, value); }
    void word(std::uint32_t signal, std::string_view word) { tell(Told::kWord, signal, std::string(word)); }
    void trigger(std::uint32_t signal) { tell(Told::kTrigger, signal, true); }
    void text(std::uint32_t signal, std::string_view text) { tell(Told::kText, signal, std::string(text)); }

private:
    template <class Value>
    void tell(Told kind, std::uint32_t signal, const Value& value)
    {
        Parcel& parcel = recorder_.observations_->tell_at_end(recorder_.watcher_, recorder_.orders_[signal]);
        parcel.put(kind);
        parcel.put(signal);
        parcel.put(value);
    }

    Recorder& recorder_;
};

void Recorder::tell_changes()
{
    over_ = now() > window_.to;
    if (over_) return;
    ChangeTeller teller(*this);
    values_.log_changes(teller);
}

/// Once for each time at which something was told.
void Recorder::end_heard_step()
{
    if (!ended_heard_step_) log_.step(heard_);
    ended_heard_step_ = true;
}

void Recorder::hear(Parcel& told)
{
    background_.check();
    const Duration time = now();
    if (time != heard_) {
        end_heard_step();
        heard_ = time;
        ended_heard_step_ = false;
    }
    const auto kind = told.take<Told>();
    if (kind == Told::kStage) {
        const std::string where = told.take_text();
        const auto sort = told.take<std::uint32_t>();
        const std::string what = told.take_text();
        const auto transaction = told.take<std::uint64_t>();
        const auto from = told.take<Duration>();
        log_.stage(where, sort, what, transaction, from, told.take<Duration>());
        return;
    }
    const auto number = told.take<std::uint32_t>();
    if (kind != Told::kBusy) end_heard_step();
    switch (kind) {
        case Told::kStage: break;
        case Told::kBusy: {
            const auto from = told.take<Duration>();
            const auto to = told.take<Duration>();
            const std::string what = told.take_text();
            log_.busy(number, from, to, what, told.take<std::uint64_t>());
            break;
        }
        case Told::kNumber: log_.number(number, told.take<std::uint64_t>()); break;
        case Told::kReal: log_.real(number, told.take<double>()); break;
        case Told::kWord: log_.word(number, told.take_text()); break;
        case Told::kTrigger:
            told.take<bool>();
            log_.trigger(number);
            break;
        case Told::kText: log_.text(number, told.take_text()); break;
    }
}

void Recorder::set_order(std::uint32_t order)
{
    orders_.resize(about_.signals.size());
    orders_.back() = order;
}

void Recorder::take(RecordBlock block)
{
    if (flight_) {
        flight_->append(block);
    } else if (spool_) {
        spool_->append(block);
    } else {
        player_.play(block);
    }
}

void Recorder::finish(Duration end, std::string_view stopped)
{
    if (flight_) flight_->finish(end);
    if (spool_) {
        WindowFinder finder(request_);
        do {
            spool_->read([&finder](RecordBlock block) { finder.read(block); });
        } while (finder.again());
        if (const auto window = finder.found()) {
            player_.follow(finder.packet());
            player_.set_window({std::max(window->from, window_.from), window->to});
            spool_->read([this](RecordBlock block) { player_.play(block); });
            happened_ = finder.happened();
        } else {
            missed_ = finder.what_there_is();
        }
    } else if (end < window_.from) {
        missed_ = "the run ended before the window began";
    }
    // Without it no file remains
    if (missed_.empty() || !stopped.empty()) player_.finish(end, stopped);
}

bool Recorder::shows_a_change() const
{
    for (std::uint32_t signal = 0; signal < about_.signals.size(); ++signal) {
        if (player_.changed(signal)) return true;
    }
    return false;
}

std::vector<ActivitySignals> Recorder::path() const
{
    std::vector<ActivitySignals> path;
    for (const std::uint32_t slot : player_.path()) path.push_back(about_.activities[slot]);
    return path;
}

void Recorder::stage(const Component& where, const Stage& stage)
{
    if (!attached_ || stage.to < window_.from || stage.from > window_.to) return;
    const auto [place, is_new] = places_.try_emplace(&where);
    if (is_new) {
        place->second.name = where.component_name();
        place->second.selected = !selected_ || selected_(place->second.name);
    }
    // The window follows packets through blocks that are not shown
    if (!place->second.selected && !request_.needs_packets()) return;
    const std::uint32_t kind = static_cast<std::uint32_t>(stage.kind) | (place->second.selected ? 0 : kNotShown);
    if (observations_ != nullptr) {
        Parcel& parcel = observations_->tell(watcher_);
        parcel.put(Told::kStage);
        parcel.put(place->second.name);
        parcel.put(kind);
        parcel.put(std::string(stage.what));
        parcel.put(stage.transaction);
        parcel.put(stage.from);
        parcel.put(stage.to);
        return;
    }
    log_.stage(place->second.name, kind, stage.what, stage.transaction, stage.from, stage.to);
}

void Recorder::busy(std::uint32_t slot, Duration from, Duration to, std::string_view what, std::uint64_t id)
{
    if (to < window_.from || from > window_.to) return;
    if (observations_ == nullptr) {
        log_.busy(slot, from, to, what, id);
        return;
    }
    Parcel& parcel = observations_->tell(watcher_);
    parcel.put(Told::kBusy);
    parcel.put(slot);
    parcel.put(from);
    parcel.put(to);
    parcel.put(std::string(what));
    parcel.put(id);
}

std::optional<std::uint32_t> Recorder::declare_activity(const Activity& activity, const std::string& name)
{
    if (!wanted(&activity, name)) return {};
    enter(&activity, name + "_id");
    const SignalNote note = take_note();
    std::string words = "idle";
    if (!note.values.empty()) words += ", " + std::string(note.values);
    const std::uint32_t word =
        about_.signals.declare({name, SignalKind::kWord, 1, std::string(note.meaning), std::move(words), note.place});
    const std::uint32_t id =
        about_.signals.declare({name + "_id", SignalKind::kUnsigned, 64,
                                "the number of its packet; none (z) while it is idle", "number", note.place});
    about_.activities.push_back({word, id});
    return static_cast<std::uint32_t>(about_.activities.size() - 1);
}

std::optional<std::uint32_t> Recorder::declare_value(ShownValue value, bool told, const std::string& name)
{
    if (!wanted(std::visit([](const auto* object) { return static_cast<const void*>(object); }, value), name))
        return {};
    const std::uint32_t order = std::visit(
        [&](const auto* object) {
            using Object = std::remove_cvref_t<decltype(*object)>;
            const auto tells = told ? ValueTable::Told::kYes : ValueTable::Told::kNo;
            if constexpr (std::is_same_v<Object, std::string_view>) {
                return values_.add(*object, declare(name, SignalKind::kWord, 1), tells);
            } else {
                constexpr SignalKind kKind = std::is_same_v<Object, bool> ? SignalKind::kBit
                                             : std::is_signed_v<Object>   ? SignalKind::kSigned
                                                                          : SignalKind::kUnsigned;
                const int width = kKind == SignalKind::kBit ? 1 : static_cast<int>(8 * sizeof *object);
                return values_.add(*object, declare(name, kKind, width), kKind, tells);
            }
        },
        value);
    set_order(order);
    return order;
}

bool Recorder::wanted(const void* object, const std::string& name)
{
    return (!selected_ || selected_(name)) && enter(object, name);
}

bool Recorder::enter(const void* object, const std::string& name)
{
    const auto [known, is_new] = objects_.emplace(name, object);
    if (!is_new && known->second != object) throw ModelError("two different things are traced as '" + name + "'");
    if (is_new && (begun_ || background_.started()))
        throw ModelError("the trace of '" + name + "' comes after the recording has begun");
    return is_new;
}

std::uint32_t Recorder::declare(const std::string& name, SignalKind kind, int width)
{
    const SignalNote note = take_note();
    return about_.signals.declare(
        {name, kind, static_cast<unsigned>(width), std::string(note.meaning), std::string(note.values), note.place});
}

template <class Number>
void Recorder::poll(const Number& object, const std::string& name, SignalKind kind, int width)
{
    if (!wanted(&object, name)) return;
    set_order(values_.add(object, declare(name, kind, width), kind));
}

template <class Integer>
void Recorder::poll_integer(const Integer& object, const std::string& name, int width)
{
    const int all = static_cast<int>(8 * sizeof object);
    poll(object, name, std::is_signed_v<Integer> ? SignalKind::kSigned : SignalKind::kUnsigned,
         width > 0 ? std::min(width, all) : all);
}

template <class Object, class Read>
void Recorder::poll_text(const Object& object, const std::string& name, SignalKind kind, int width, Read read)
{
    if (!wanted(&object, name)) return;
    set_order(values_.add([&object, read] { return read(object); }, declare(name, kind, width)));
}

void Recorder::trace_word(const std::string_view& word, const std::string& name)
{
    if (wanted(&word, name)) set_order(values_.add(word, declare(name, SignalKind::kWord, 1)));
}

// The interface of sc_trace_file

void Recorder::trace(const bool& object, const std::string& name) { poll(object, name, SignalKind::kBit, 1); }
void Recorder::trace(const float& object, const std::string& name) { poll(object, name, SignalKind::kReal, 64); }
void Recorder::trace(const double& object, const std::string& name) { poll(object, name, SignalKind::kReal, 64); }
void Recorder::trace(const unsigned char& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void Recorder::trace(const unsigned short& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void Recorder::trace(const unsigned int& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void Recorder::trace(const unsigned long& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void Recorder::trace(const char& object, const std::string& name, int width) { poll_integer(object, name, width); }
void Recorder::trace(const short& object, const std::string& name, int width) { poll_integer(object, name, width); }
void Recorder::trace(const int& object, const std::string& name, int width) { poll_integer(object, name, width); }
void Recorder::trace(const long& object, const std::string& name, int width) { poll_integer(object, name, width); }
void Recorder::trace(const sc_dt::int64& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void Recorder::trace(const sc_dt::uint64& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void Recorder::trace(const sc_core::sc_event& object, const std::string& name)
{
    poll(event_trigger_stamp(object), name, SignalKind::kEvent, 1);
}
void Recorder::trace(const sc_core::sc_time& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kUnsigned, 64,
              [](const sc_core::sc_time& time) { return digits_of_number(sc_dt::sc_uint<64>(time.value())); });
}
void Recorder::trace(const sc_dt::sc_bit& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kBit, 1, digit_of<sc_dt::sc_bit>);
}
void Recorder::trace(const sc_dt::sc_logic& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kBit, 1, digit_of<sc_dt::sc_logic>);
}
void Recorder::trace(const sc_dt::sc_int_base& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kSigned, object.length(), digits_of_number<sc_dt::sc_int_base>);
}
void Recorder::trace(const sc_dt::sc_uint_base& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kUnsigned, object.length(), digits_of_number<sc_dt::sc_uint_base>);
}
void Recorder::trace(const sc_dt::sc_signed& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kVector, object.length(), digits_of_number<sc_dt::sc_signed>);
}
void Recorder::trace(const sc_dt::sc_unsigned& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kVector, object.length(), digits_of_number<sc_dt::sc_unsigned>);
}
void Recorder::trace(const sc_dt::sc_bv_base& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kVector, object.length(), digits_of_vector<sc_dt::sc_bv_base>);
}
void Recorder::trace(const sc_dt::sc_lv_base& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kVector, object.length(), digits_of_vector<sc_dt::sc_lv_base>);
}
void Recorder::trace(const sc_dt::sc_fxval& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kWord, 1, decimal<sc_dt::sc_fxval>);
}
void Recorder::trace(const sc_dt::sc_fxval_fast& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kWord, 1, decimal<sc_dt::sc_fxval_fast>);
}
void Recorder::trace(const sc_dt::sc_fxnum& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kWord, 1, decimal<sc_dt::sc_fxnum>);
}
void Recorder::trace(const sc_dt::sc_fxnum_fast& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kWord, 1, decimal<sc_dt::sc_fxnum_fast>);
}
void Recorder::trace(const unsigned int& object, const std::string& name, const char** literals)
{
    unsigned int count = 0;
    while (literals[count] != nullptr) ++count;
    poll_text(object, name, SignalKind::kWord, 1, [literals, count](unsigned int value) {
        return value < count ? std::string(literals[value]) : std::to_string(value);
    });
}

void Recorder::write_comment(const std::string& comment)
{
    if (attached_ && !over_) log_.comment(comment);
}

void Recorder::set_time_unit(double, sc_core::sc_time_unit) { throw ModelError("the time unit of a waveform is 1 ps"); }

}  // namespace ringmesh
