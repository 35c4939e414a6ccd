// SPDX-License-Identifier: Apache-2.0
#include "traces/vcd_file.h"

#include <sysc/datatypes/fx/fx.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/kernel_time.h"
#include "tlm/quantity.h"

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

}  // namespace

VcdFile::VcdFile(const std::filesystem::path& target, Window window)
    : writer_(target), window_(window), start_(std::max(window.from, now()))
{
    if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS)) {
        throw ModelError("waveforms need a time resolution of 1 ps");
    }
    periods_.begin_at(start_);
    sc_core::sc_get_curr_simcontext()->add_trace_file(this);
}

VcdFile::~VcdFile() { detach(); }

void VcdFile::detach()
{
    if (!attached_) return;
    attached_ = false;
    release_activities();
    sc_core::sc_get_curr_simcontext()->remove_trace_file(this);
}

void VcdFile::begin()
{
    writer_.begin(start_);
    values_.write_all(writer_);
    periods_.write_all(writer_);
    writer_.end_of_initial_values();
    begun_ = true;
}

void VcdFile::cycle(bool delta_cycle)
{
    // The kernel calls at the end of a time step, and after every delta cycle before it
    if (delta_cycle || over_) return;
    const Duration time = now();
    if (time <= start_) {
        // The state at the start is the one after the last step up to it
        const auto* kernel = sc_core::sc_get_curr_simcontext();
        if (sc_core::sc_time_to_pending_activity(kernel) > to_kernel(start_ - time)) values_.sample();
        return;
    }
    if (!begun_) begin();
    // Changes at the current time are written at the next step: a period that begins now may still be reported
    periods_.write_before(writer_, std::min(time, window_.to));
    if (time > window_.to) {
        over_ = true;
        return;
    }
    writer_.set_time(time);
    values_.write_changes(writer_);
}

void VcdFile::close()
{
    if (!attached_) return;
    detach();
    const Duration end = now();
    if (end < start_) {
        writer_.finish({});
        return;
    }
    if (end == start_) values_.sample();
    cycle(false);  // the kernel has not left the last time step
    if (!begun_) begin();
    const Duration last = std::min(window_.to, Duration::never() - Duration::picoseconds(1));
    periods_.write_before(writer_, last + Duration::picoseconds(1));
    writer_.finish(std::min(end, window_.to));
}

std::optional<Window> VcdFile::recorded() const
{
    if (!begun_) return {};
    return Window{start_, writer_.last_stamp()};
}

void VcdFile::busy(std::uint32_t slot, Duration from, Duration to, std::string_view what, std::uint64_t id)
{
    if (!over_ && from <= window_.to) periods_.report(writer_, slot, from, to, what, id);
}

std::optional<std::uint32_t> VcdFile::declare_activity(const Activity& activity, const std::string& name)
{
    if (!wanted(&activity, name)) return {};
    enter(&activity, name + "_id");
    return periods_.add(writer_, name);
}

bool VcdFile::wanted(const void* object, const std::string& name)
{
    return (!selected_ || selected_(name)) && enter(object, name);
}

bool VcdFile::enter(const void* object, const std::string& name)
{
    const auto [known, is_new] = objects_.emplace(name, object);
    if (!is_new && known->second != object) throw ModelError("two different things are traced as '" + name + "'");
    if (is_new && begun_) throw ModelError("the trace of '" + name + "' comes after the recording has begun");
    return is_new;
}

template <class Number>
void VcdFile::poll(const Number& object, const std::string& name, SignalKind kind, int width)
{
    if (wanted(&object, name)) values_.add(object, writer_.declare({name, kind, static_cast<unsigned>(width)}));
}

template <class Integer>
void VcdFile::poll_integer(const Integer& object, const std::string& name, int width)
{
    const int all = static_cast<int>(8 * sizeof object);
    poll(object, name, std::is_signed_v<Integer> ? SignalKind::kSigned : SignalKind::kUnsigned,
         width > 0 ? std::min(width, all) : all);
}

template <class Object, class Read>
void VcdFile::poll_text(const Object& object, const std::string& name, SignalKind kind, int width, Read read)
{
    if (!wanted(&object, name)) return;
    values_.add([&object, read] { return read(object); }, writer_.declare({name, kind, static_cast<unsigned>(width)}));
}

void VcdFile::trace_word(const std::string_view& word, const std::string& name)
{
    if (wanted(&word, name)) values_.add(word, writer_.declare({name, SignalKind::kWord, 1}));
}

// The interface of sc_trace_file

void VcdFile::trace(const bool& object, const std::string& name) { poll(object, name, SignalKind::kBit, 1); }
void VcdFile::trace(const float& object, const std::string& name) { poll(object, name, SignalKind::kReal, 64); }
void VcdFile::trace(const double& object, const std::string& name) { poll(object, name, SignalKind::kReal, 64); }
void VcdFile::trace(const unsigned char& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void VcdFile::trace(const unsigned short& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void VcdFile::trace(const unsigned int& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void VcdFile::trace(const unsigned long& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void VcdFile::trace(const char& object, const std::string& name, int width) { poll_integer(object, name, width); }
void VcdFile::trace(const short& object, const std::string& name, int width) { poll_integer(object, name, width); }
void VcdFile::trace(const int& object, const std::string& name, int width) { poll_integer(object, name, width); }
void VcdFile::trace(const long& object, const std::string& name, int width) { poll_integer(object, name, width); }
void VcdFile::trace(const sc_dt::int64& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void VcdFile::trace(const sc_dt::uint64& object, const std::string& name, int width)
{
    poll_integer(object, name, width);
}
void VcdFile::trace(const sc_core::sc_event& object, const std::string& name)
{
    poll(event_trigger_stamp(object), name, SignalKind::kEvent, 1);
}
void VcdFile::trace(const sc_core::sc_time& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kUnsigned, 64,
              [](const sc_core::sc_time& time) { return digits_of_number(sc_dt::sc_uint<64>(time.value())); });
}
void VcdFile::trace(const sc_dt::sc_bit& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kBit, 1, digit_of<sc_dt::sc_bit>);
}
void VcdFile::trace(const sc_dt::sc_logic& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kBit, 1, digit_of<sc_dt::sc_logic>);
}
void VcdFile::trace(const sc_dt::sc_int_base& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kSigned, object.length(), digits_of_number<sc_dt::sc_int_base>);
}
void VcdFile::trace(const sc_dt::sc_uint_base& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kUnsigned, object.length(), digits_of_number<sc_dt::sc_uint_base>);
}
void VcdFile::trace(const sc_dt::sc_signed& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kVector, object.length(), digits_of_number<sc_dt::sc_signed>);
}
void VcdFile::trace(const sc_dt::sc_unsigned& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kVector, object.length(), digits_of_number<sc_dt::sc_unsigned>);
}
void VcdFile::trace(const sc_dt::sc_bv_base& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kVector, object.length(), digits_of_vector<sc_dt::sc_bv_base>);
}
void VcdFile::trace(const sc_dt::sc_lv_base& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kVector, object.length(), digits_of_vector<sc_dt::sc_lv_base>);
}
void VcdFile::trace(const sc_dt::sc_fxval& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kWord, 1, decimal<sc_dt::sc_fxval>);
}
void VcdFile::trace(const sc_dt::sc_fxval_fast& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kWord, 1, decimal<sc_dt::sc_fxval_fast>);
}
void VcdFile::trace(const sc_dt::sc_fxnum& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kWord, 1, decimal<sc_dt::sc_fxnum>);
}
void VcdFile::trace(const sc_dt::sc_fxnum_fast& object, const std::string& name)
{
    poll_text(object, name, SignalKind::kWord, 1, decimal<sc_dt::sc_fxnum_fast>);
}
void VcdFile::trace(const unsigned int& object, const std::string& name, const char** literals)
{
    unsigned int count = 0;
    while (literals[count] != nullptr) ++count;
    poll_text(object, name, SignalKind::kWord, 1, [literals, count](unsigned int value) {
        return value < count ? std::string(literals[value]) : std::to_string(value);
    });
}

void VcdFile::write_comment(const std::string& comment)
{
    if (attached_ && !over_) writer_.comment(comment);
}

void VcdFile::set_time_unit(double, sc_core::sc_time_unit) { throw ModelError("the time unit of a waveform is 1 ps"); }

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why)
{
    throw UserError("--window " + std::string(text) + ": " + why);
}

Duration parse_end(std::string_view text, std::string_view end)
{
    const Parsed<Duration> parsed = parse_duration(end);
    if (!parsed.value) refuse(text, parsed.problem);
    return *parsed.value;
}

}  // namespace

Window parse_window(std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        refuse(text, "write FROM..TO, for example 2us..4us; FROM or TO may be left out");
    }
    const std::string_view from = text.substr(0, dots);
    const std::string_view to = text.substr(dots + 2);

    Window window;
    if (!from.empty()) window.from = parse_end(text, from);
    if (!to.empty()) window.to = parse_end(text, to);
    if (window.to < window.from) {
        refuse(text, "the window ends before it begins; write FROM..TO with FROM below TO");
    }
    if (window.to == window.from) refuse(text, "the window is empty; write FROM..TO with FROM below TO");
    return window;
}

}  // namespace ringmesh
