// SPDX-License-Identifier: Apache-2.0
#include "tlm/units/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <span>
#include <utility>

namespace ringmesh {
namespace {

struct Unit {
    std::string_view name;
    std::int64_t factor;  ///< in the finest unit
    int digits;           ///< after the point, at most, when a value is printed in it
};

/// A kind of quantity: its words for messages, and its units from the finest to the largest.
struct Kind {
    std::string_view article;
    std::string_view noun;
    std::string_view unit_of;
    std::string_view finest;
    std::string_view usual_unit;
    std::span<const Unit> units;
    std::string (*show)(std::int64_t);
};

constexpr std::array<Unit, 5> kTimeUnits{
    {{"ps", 1, 0}, {"ns", 1'000, 3}, {"us", 1'000'000, 6}, {"ms", 1'000'000'000, 9}, {"s", 1'000'000'000'000, 12}}};
constexpr std::array<Unit, 4> kFrequencyUnits{
    {{"Hz", 1, 0}, {"kHz", 1'000, 3}, {"MHz", 1'000'000, 6}, {"GHz", 1'000'000'000, 9}}};
// "1.5 kB" and "1.46484375 KiB" are read but not printed: sizes are printed as whole numbers.
constexpr std::array<Unit, 7> kByteUnits{{{"B", 1, 0},
                                          {"kB", 1'000, 0},
                                          {"KiB", 1'024, 0},
                                          {"MB", 1'000'000, 0},
                                          {"MiB", 1'048'576, 0},
                                          {"GB", 1'000'000'000, 0},
                                          {"GiB", 1'073'741'824, 0}}};
constexpr std::array<Unit, 4> kLengthUnits{{{"um", 1, 0}, {"mm", 1'000, 3}, {"cm", 10'000, 4}, {"m", 1'000'000, 6}}};
constexpr std::array<Unit, 2> kCycleUnits{{{"cycle", 1, 0}, {"cycles", 1, 0}}};

/// The value in one unit, or empty if that would be 0.x or need more digits than the unit allows.
std::string print_in(std::uint64_t magnitude, const Unit& unit)
{
    const auto factor = static_cast<std::uint64_t>(unit.factor);
    const std::uint64_t whole = magnitude / factor;
    const std::uint64_t rest = magnitude % factor;
    if (rest == 0) return fmt::format("{} {}", whole, unit.name);
    if (whole == 0 || unit.digits == 0) return {};
    std::string digits = fmt::format("{:0{}}", rest, unit.digits);
    digits.erase(digits.find_last_not_of('0') + 1);
    return fmt::format("{}.{} {}", whole, digits, unit.name);
}

std::string print(std::int64_t value, const Kind& kind)
{
    if (value == 0) return fmt::format("0 {}", kind.usual_unit);
    const auto magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    std::string shortest;
    for (const Unit& unit : kind.units) {
        std::string text = print_in(magnitude, unit);
        if (!text.empty() && (shortest.empty() || text.size() <= shortest.size())) shortest = std::move(text);
    }
    return (value < 0 ? "-" : "") + shortest;
}

std::string list_units(const Kind& kind)
{
    std::string list;
    for (std::size_t i = 0; i < kind.units.size(); ++i) {
        if (i > 0) list += i + 1 == kind.units.size() ? " or " : ", ";
        list += kind.units[i].name;
    }
    return list;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
/// Non-ASCII bytes begin a unit too, so that a Greek mu is reported as a wrong unit.
bool begins_unit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<signed char>(c) < 0; }

std::string_view trim(std::string_view text)
{
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string_view take_digits(std::string_view& text)
{
    std::size_t n = 0;
    while (n < text.size() && is_digit(text[n])) ++n;
    const std::string_view digits = text.substr(0, n);
    text.remove_prefix(n);
    return digits;
}

/// The parts of a text: "66.70 ns" is whole "66", fraction "70", unit "ns".
struct Parts {
    bool negative = false;
    std::string_view number;
    std::string_view whole;
    std::string_view fraction;
    std::string_view unit;
};

std::optional<Parts> take_apart(std::string_view text)
{
    Parts parts;
    text = trim(text);
    if (!text.empty() && text.front() == '-') {
        parts.negative = true;
        text = trim(text.substr(1));
    }
    const std::string_view start = text;
    parts.whole = take_digits(text);
    if (parts.whole.empty()) return std::nullopt;
    if (!text.empty() && text.front() == '.') {
        text.remove_prefix(1);
        parts.fraction = take_digits(text);
        if (parts.fraction.empty()) return std::nullopt;
    }
    parts.number = start.substr(0, start.size() - text.size());
    parts.unit = trim(text);
    if (!parts.unit.empty() && !begins_unit(parts.unit.front())) return std::nullopt;
    return parts;
}

/// A fraction of a unit in finest units, rounded down.
struct Scaled {
    std::int64_t floor = 0;
    bool exact = true;
};

/// Horner's rule from the last digit on: stays below ten units for any number of digits.
Scaled scale_fraction(std::string_view fraction, std::int64_t factor)
{
    Scaled scaled;
    for (std::size_t i = fraction.size(); i > 0; --i) {
        const std::int64_t sum = scaled.floor + (fraction[i - 1] - '0') * factor;
        scaled.exact = scaled.exact && sum % 10 == 0;
        scaled.floor = sum / 10;
    }
    return scaled;
}

/// whole * factor + fraction, if it fits.
std::optional<std::int64_t> combine(std::string_view whole, std::int64_t factor, std::int64_t fraction)
{
    std::int64_t value = 0;
    for (const char digit : whole) {
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit - '0', &value)) return {};
    }
    if (__builtin_mul_overflow(value, factor, &value) || __builtin_add_overflow(value, fraction, &value)) return {};
    return value;
}

Parsed<std::int64_t> parse(std::string_view text, const Kind& kind)
{
    const auto problem = [](std::string sentence) { return Parsed<std::int64_t>{std::nullopt, std::move(sentence)}; };
    const auto parts = take_apart(text);
    if (!parts) {
        return problem(fmt::format("'{}' is not {} {}; write a number and a unit, such as \"5 {}\"", text, kind.article,
                                   kind.noun, kind.usual_unit));
    }
    const Unit* unit = nullptr;
    for (const Unit& candidate : kind.units) {
        if (candidate.name == parts->unit) unit = &candidate;
    }
    if (unit == nullptr && !parts->unit.empty()) {
        return problem(fmt::format("'{}' is not a unit of {}; write {}", parts->unit, kind.unit_of, list_units(kind)));
    }
    if (parts->negative) {
        return problem(fmt::format("{} {} must not be negative; write \"{} {}\"", kind.article, kind.noun,
                                   parts->number, unit == nullptr ? kind.usual_unit : parts->unit));
    }
    if (unit == nullptr) {
        return problem(fmt::format("{} {} needs a unit; write \"{} {}\"", kind.article, kind.noun, parts->number,
                                   kind.usual_unit));
    }
    const Scaled fraction = scale_fraction(parts->fraction, unit->factor);
    const auto value = combine(parts->whole, unit->factor, fraction.floor);
    if (!value || (!fraction.exact && *value == INT64_MAX)) {
        return problem(fmt::format("too large; the largest {} is \"{}\"", kind.noun, kind.show(INT64_MAX)));
    }
    if (!fraction.exact) {
        return problem(fmt::format("not a whole number of {}; write \"{}\" or \"{}\"", kind.finest, kind.show(*value),
                                   kind.show(*value + 1)));
    }
    return {value, {}};
}

template <class Quantity>
Parsed<Quantity> parse_as(std::string_view text, const Kind& kind, Quantity (*make)(std::int64_t))
{
    Parsed<std::int64_t> parsed = parse(text, kind);
    if (!parsed.value) return {std::nullopt, std::move(parsed.problem)};
    return {make(*parsed.value), {}};
}

std::string show_duration(std::int64_t ps) { return to_string(Duration::picoseconds(ps)); }
std::string show_frequency(std::int64_t hz) { return to_string(Frequency::hertz(hz)); }
std::string show_bytes(std::int64_t count) { return to_string(Bytes(count)); }
std::string show_length(std::int64_t um) { return to_string(Length::micrometres(um)); }
std::string show_cycles(std::int64_t count) { return to_string(Cycles(count)); }

constexpr Kind kDuration{"a", "duration", "time", "picoseconds", "ns", kTimeUnits, show_duration};
constexpr Kind kFrequency{"a", "frequency", "frequency", "hertz", "MHz", kFrequencyUnits, show_frequency};
constexpr Kind kBytes{"a", "size", "size", "bytes", "B", kByteUnits, show_bytes};
constexpr Kind kLength{"a", "length", "length", "micrometres", "m", kLengthUnits, show_length};
constexpr Kind kCycles{"a", "number of cycles", "clock cycles", "cycles", "cycles", kCycleUnits, show_cycles};

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) { return parse_as(text, kDuration, &Duration::picoseconds); }
Parsed<Frequency> parse_frequency(std::string_view text) { return parse_as(text, kFrequency, &Frequency::hertz); }
Parsed<Length> parse_length(std::string_view text) { return parse_as(text, kLength, &Length::micrometres); }
Parsed<Bytes> parse_bytes(std::string_view text)
{
    return parse_as<Bytes>(text, kBytes, [](std::int64_t count) { return Bytes(count); });
}
Parsed<Cycles> parse_cycles(std::string_view text)
{
    return parse_as<Cycles>(text, kCycles, [](std::int64_t count) { return Cycles(count); });
}

std::string to_string(Duration duration) { return print(duration.ps(), kDuration); }
std::string to_string(Frequency frequency) { return print(frequency.hz(), kFrequency); }
std::string to_string(Bytes bytes) { return print(bytes.count(), kBytes); }
std::string to_string(Length length) { return print(length.um(), kLength); }
std::string to_string(Cycles cycles)
{
    return fmt::format("{} cycle{}", cycles.count(), cycles.count() == 1 ? "" : "s");
}

namespace {

std::string_view without_blanks(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Nothing if it is no number.
std::optional<std::string> form_of_number(std::string_view text)
{
    constexpr std::string_view kDigits = "0123456789";
    const std::string_view first = text.substr(text.starts_with('.') ? 1 : 0);
    if (first.empty() || kDigits.find(first.front()) == std::string_view::npos) return std::nullopt;
    if (text.find_first_not_of(kDigits) == std::string_view::npos) {
        return std::string(text.substr(std::min(text.find_first_not_of('0'), text.size() - 1)));
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return fmt::format("{}", value);
}

/// Nothing if it is neither a number nor a quantity.
std::optional<std::string> form_of_value(std::string_view text)
{
    text = without_blanks(text);
    if (auto number = form_of_number(text)) return number;
    const auto shown = [](const auto& parsed) {
        return parsed.value ? std::optional(to_string(*parsed.value)) : std::nullopt;
    };
    if (auto form = shown(parse_duration(text))) return form;
    if (auto form = shown(parse_frequency(text))) return form;
    if (auto form = shown(parse_bytes(text))) return form;
    if (auto form = shown(parse_length(text))) return form;
    return shown(parse_cycles(text));
}

/// Of a rate, "1e-4/packet". Nothing if it is none.
std::optional<std::string> form_of_rate(std::string_view text)
{
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const std::string_view unit = text.substr(slash + 1);
    if (unit != "packet" && unit != "symbol" && unit != "s") return std::nullopt;
    const auto number = form_of_number(text.substr(0, slash));
    return number ? std::optional(fmt::format("{}/{}", *number, unit)) : std::nullopt;
}

/// Of a value with its share, "5:0.2". Nothing if it is none.
std::optional<std::string> form_of_share(std::string_view text)
{
    text = without_blanks(text);
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto value = form_of_number(text.substr(0, colon));
    const auto share = form_of_number(text.substr(colon + 1));
    return value && share ? std::optional(fmt::format("{}:{}", *value, *share)) : std::nullopt;
}

std::optional<std::string> form_of_item(std::string_view text)
{
    if (auto share = form_of_share(text)) return share;
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        const auto rate = form_of_rate(text);
        return rate ? rate : form_of_value(text);
    }
    const std::string_view rest = text.substr(dots + 2);
    const auto begin = form_of_value(text.substr(0, dots));
    if (const auto end = form_of_value(rest); begin && end) return fmt::format("{}..{}", *begin, *end);
    for (const auto& [mark, word] : {std::pair("step", "step "), std::pair("/", "step "), std::pair("x", "x")}) {
        const std::size_t at = rest.find(mark);
        if (at == std::string_view::npos) continue;
        const auto last = form_of_value(rest.substr(0, at));
        const auto step = form_of_value(rest.substr(at + std::string_view(mark).size()));
        if (begin && last && step) return fmt::format("{}..{} {}{}", *begin, *last, word, *step);
    }
    return std::nullopt;
}

}  // namespace

std::string one_form(std::string_view text)
{
    std::string form;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const auto item = form_of_item(text.substr(begin, end - begin));
        if (!item) return std::string(text);
        form += (begin == 0 ? "" : ",") + *item;
        begin = end + 1;
    }
    return form;
}

std::string period_text(const Clock& clock)
{
    if (clock.is_whole()) return to_string(1_cycles * clock);
    const double ps = clock.period_ps();
    return ps < 1e3 ? fmt::format("{:.6g} ps", ps) : fmt::format("{:.6g} ns", ps / 1e3);
}

}  // namespace ringmesh
