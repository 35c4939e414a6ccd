// SPDX-License-Identifier: Apache-2.0
#include "platforms/files/parameter_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include "tlm/parameters/names.h"
#include "tlm/units/quantity.h"

namespace ringmesh::platforms {
namespace {

constexpr std::size_t kNone = SIZE_MAX;

std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(double value) { return number_text(value); }
/// In quotes, as the user must write it.
template <class Quantity>
std::string text_of(Quantity value)
{
    return fmt::format("\"{}\"", to_string(value));
}

/// The text to read as a quantity. A bare number too, so that the message asks for its unit.
std::string quantity_text(const Value& value)
{
    const auto* text = std::get_if<std::string>(&value.data);
    return text != nullptr ? *text : value.text;
}

/// A text; on the command line quotes are optional even if it looks like another type: "--set x=64".
const std::string* text_in(const Value& value)
{
    if (const auto* text = std::get_if<std::string>(&value.data)) return text;
    return value.typed.empty() ? nullptr : &value.typed;
}

/// A list of whole numbers: [8, 8], or in short form 8, 8x8 or 8,8. Empty if it is not a list.
std::vector<std::int64_t> integers_in(const Value& value)
{
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value.data)) return *integers;
    if (const auto* integer = std::get_if<std::int64_t>(&value.data)) return {*integer};
    const auto* text = std::get_if<std::string>(&value.data);
    if (text == nullptr) return {};
    std::vector<std::int64_t> integers;
    for (const char *at = text->data(), *const end = at + text->size(); at <= end; ++at) {
        const auto [stop, error] = std::from_chars(at, end, integers.emplace_back());
        if (error != std::errc{} || (stop != end && *stop != 'x' && *stop != ',')) return {};
        at = stop;
    }
    return integers;
}

// Of each kind; the present value serves as an example of how to write one
Parsed<Duration> read(const Value& value, Duration) { return parse_duration(quantity_text(value)); }
Parsed<Frequency> read(const Value& value, Frequency) { return parse_frequency(quantity_text(value)); }
Parsed<Bytes> read(const Value& value, Bytes) { return parse_bytes(quantity_text(value)); }
Parsed<Length> read(const Value& value, Length) { return parse_length(quantity_text(value)); }
Parsed<Cycles> read(const Value& value, Cycles) { return parse_cycles(quantity_text(value)); }
Parsed<std::int64_t> read(const Value& value, std::int64_t example)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value.data)) return {*integer, ""};
    return {std::nullopt,
            fmt::format("not a whole number; write it without quotes, unit and point, such as {}", example)};
}
Parsed<double> read(const Value& value, double example)
{
    const auto* number = std::get_if<double>(&value.data);
    if (const auto* integer = std::get_if<std::int64_t>(&value.data)) return {static_cast<double>(*integer), ""};
    if (number != nullptr && std::isfinite(*number)) return {*number, ""};
    return {std::nullopt, fmt::format("not a number; write it without quotes and unit, such as {}", example)};
}

bool contains(const std::vector<std::string>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// What is wrong with an entry of a table of provenance, and its cure; empty if nothing.
struct Wrong {
    std::string_view entry = {};
    std::string what = {};
};

/// @param about the setting whose range the table gives
template <class Quantity, class Parse>
Wrong wrong_range(const ProvenanceOfSetting& table, const Setting& about, Bounds<Quantity> bounds, Parse parse)
{
    const Setting* const written[] = {table.entry("low"), table.entry("high")};
    std::vector<Quantity> ends;
    for (const Setting* end : written) {
        if (end == nullptr) return {};
        const Parsed<Quantity> parsed = parse(end->value);
        const std::string shown = end->key + " = " + end->value.text;
        if (!parsed.value) return {end->key, shown + ": " + parsed.problem};
        if (*parsed.value < bounds.low || *parsed.value > bounds.high) {
            return {end->key, fmt::format("{} is not an allowed value; write one from {} to {}", shown,
                                          text_of(bounds.low), text_of(bounds.high))};
        }
        ends.push_back(*parsed.value);
    }
    const std::string low = "low = " + written[0]->value.text;
    const std::string high = "high = " + written[1]->value.text;
    if (ends[0] > ends[1]) return {"low", fmt::format("{} is above {}; exchange them", low, high)};
    if (ends[0] >= ends[1]) {
        return {"low", fmt::format("{} and {} leave no range; widen it, or name the source that gives the one value, "
                                   "with from = \"spec\"",
                                   low, high)};
    }
    const Parsed<Quantity> value = parse(about.value);
    if (!value.value || (ends[0] <= *value.value && *value.value <= ends[1])) return {};
    const bool below = *value.value < ends[0];
    return {below ? "low" : "high",
            fmt::format("{} is {} {} = {} (line {}); write a range that contains the value", below ? low : high,
                        below ? "above" : "below", about.key, about.value.text, about.line)};
}

std::string_view group_of(std::string_view key)
{
    const std::size_t dot = key.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

}  // namespace

std::size_t ParameterReader::take(std::string_view name)
{
    const std::string& key = keys_.emplace_back(path_.key(name));
    for (std::size_t i = settings_.size(); i > 0; --i) {
        if (settings_[i - 1].key == key) return i - 1;
    }
    return kNone;
}

void ParameterReader::report(std::size_t setting, std::string_view what)
{
    const Setting& at = settings_[setting];
    problems_.push_back({setting, fmt::format("{}: {} = {}{}", at.where, at.key, at.value.text, what)});
}

template <class Check>
void ParameterReader::check_provenance(std::string_view kind, Check check)
{
    for (const ProvenanceOfSetting& table : provenance_) {
        if (table.key != keys_.back() || table.faulty) continue;
        std::vector<std::string> problems = table.problems(kind);
        if (problems.empty()) {
            const Wrong wrong = check(table, settings_[table.setting]);
            if (!wrong.what.empty()) problems.push_back(table.problem(wrong.entry, wrong.what));
        }
        for (std::string& text : problems) problems_.push_back({table.setting, std::move(text)});
    }
}

void ParameterReader::check_provenance(std::string_view kind)
{
    check_provenance(kind, [](const auto&, const auto&) { return Wrong{}; });
}

template <class Quantity>
void ParameterReader::report_outside(std::size_t setting, bool below, Bounds<Quantity> bounds)
{
    const std::string low = text_of(bounds.low);
    const std::string high = text_of(bounds.high);
    report(setting,
           fmt::format(" is {} {}, the {} allowed value; write a value from {} to {}", below ? "below" : "above",
                       below ? low : high, below ? "smallest" : "largest", low, high));
}

template <class Quantity>
void ParameterReader::read_bounded(std::string_view name, Quantity& value, Bounds<Quantity> bounds)
{
    const std::size_t setting = take(name);
    check_provenance("", [&](const auto& table, const auto& about) {
        return wrong_range(table, about, bounds, [&value](const Value& written) { return read(written, value); });
    });
    if (setting == kNone) return;
    const Value& written = settings_[setting].value;
    const Parsed<Quantity> parsed = read(written, value);
    if (!parsed.value) {
        const std::string text = quantity_text(written);
        const Value positive{.data = text.substr(text.empty() ? 0 : 1), .text = "", .typed = ""};
        const bool negative = text.starts_with('-') && read(positive, value).value;
        if (negative) return report_outside(setting, true, bounds);
        report(setting, ": " + parsed.problem);
    } else if (*parsed.value < bounds.low || *parsed.value > bounds.high) {
        report_outside(setting, *parsed.value < bounds.low, bounds);
    } else {
        value = *parsed.value;
    }
}

void ParameterReader::bounded(const ParameterInfo& info, const AnyBounded& field)
{
    std::visit([&](const auto& each) { read_bounded(info.name, each.value, each.bounds); }, field);
}

void ParameterReader::field(const ParameterInfo& info, bool& value)
{
    const std::size_t setting = take(info.name);
    check_provenance("a boolean");
    if (setting == kNone) return;
    if (const auto* boolean = std::get_if<bool>(&settings_[setting].value.data)) {
        value = *boolean;
    } else {
        report(setting, ": neither true nor false; write one of them, without quotes");
    }
}

void ParameterReader::field(const ParameterInfo& info, std::vector<std::int64_t>& value, Bounds<std::int64_t> bounds)
{
    const std::size_t setting = take(info.name);
    check_provenance("a list");
    if (setting == kNone) return;
    const auto integers = integers_in(settings_[setting].value);
    if (integers.empty()) {
        report(setting,
               fmt::format(": not a list of whole numbers; write it such as [{}], or \"4x4\"", fmt::join(value, ", ")));
        return;
    }
    for (const std::int64_t each : integers) {
        if (each >= bounds.low && each <= bounds.high) continue;
        report(setting, fmt::format(": {} is {} {}, the {} allowed value; write values from {} to {}", each,
                                    each < bounds.low ? "below" : "above", each < bounds.low ? bounds.low : bounds.high,
                                    each < bounds.low ? "smallest" : "largest", bounds.low, bounds.high));
        return;
    }
    value = integers;
}

void ParameterReader::text(const ParameterInfo& info, std::string& value)
{
    const std::size_t setting = take(info.name);
    check_provenance("a text");
    if (setting == kNone) return;
    // On the command line a list is a text as well
    if (const auto* texts = std::get_if<std::vector<std::string>>(&settings_[setting].value.data)) {
        if (std::find(texts->begin(), texts->end(), "") != texts->end()) {
            report(setting, ": an element is empty; take it out");
        }
        value = fmt::format("{}", fmt::join(*texts, " "));
    } else if (const std::string* text = text_in(settings_[setting].value)) {
        value = *text;
    } else {
        report(setting, ": not a text; write it in quotes");
    }
}

void ParameterReader::numbers(const ParameterInfo& info, std::string& value)
{
    text(info, value);
    value = one_form(value);
}

void ParameterReader::choice(const ParameterInfo& info, std::string& value, const std::vector<std::string>& names)
{
    read_choice(info, value, names, [](const std::string& text) { return text; });
}

void ParameterReader::policy(const ParameterInfo& info, std::string& name, const PolicyKind& kind)
{
    read_choice(info, name, kind.names(), [&kind](const std::string& text) { return kind.own_name(text); });
}

template <class OwnName>
void ParameterReader::read_choice(const ParameterInfo& info, std::string& value, const std::vector<std::string>& names,
                                  const OwnName& own_name)
{
    const std::size_t setting = take(info.name);
    check_provenance(ProvenanceOfSetting::kChoice, [&](const ProvenanceOfSetting& table, const Setting& about) {
        for (const std::string& written : table.origin.alternatives) {
            const std::string other = own_name(written);
            if (!contains(names, other)) {
                return Wrong{"alternatives",
                             fmt::format("alternatives: no such choice as '{}'{}", other, suggestion(other, names))};
            }
            if (const auto* chosen = text_in(about.value); chosen != nullptr && own_name(*chosen) == other) {
                return Wrong{"alternatives", fmt::format("alternatives: '{}' is the value; leave it out", other)};
            }
        }
        return Wrong{};
    });
    if (setting == kNone) return;
    const std::string* text = text_in(settings_[setting].value);
    const std::string name = text != nullptr ? own_name(*text) : std::string();
    if (contains(names, name)) {
        value = name;
    } else {
        report(setting, ": no such choice" + suggestion(name, names));
    }
}

std::vector<unsigned> ParameterReader::nodes_named(unsigned count)
{
    std::vector<unsigned> numbers;
    for (std::size_t i = 0; i < settings_.size(); ++i) {
        const auto number = number_of_group(settings_[i].key, kOneNode);
        if (!number) continue;
        if (*number < count) {
            numbers.push_back(*number);
            continue;
        }
        keys_.push_back(settings_[i].key);
        // A range that goes beyond is one mistake
        if (i > 0 && settings_[i - 1].where == settings_[i].where && contains(keys_, settings_[i - 1].key)) continue;
        report(i, fmt::format(": there are {0}0 to {0}{1}; write one of them", kOneNode, count - 1));
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

std::vector<std::string> ParameterReader::names_here(bool group_of_groups)
{
    const std::string prefix = path_.key("");
    std::vector<std::string> names;
    for (const Setting& setting : settings_) {
        if (!setting.key.starts_with(prefix)) continue;
        std::string name = setting.key.substr(prefix.size());
        if (group_of_groups) name.resize(std::min(name.size(), name.find('.')));
        if (!name.empty() && !contains(names, name)) names.push_back(std::move(name));
    }
    return names;
}

void ParameterReader::enter(std::string_view name, std::string_view)
{
    groups_.push_back(path_.key(name));
    path_.enter(name);
}

std::string ParameterReader::unknown_key(const Setting& setting) const
{
    if (contains(groups_, setting.key)) {
        std::vector<std::string> members;
        std::copy_if(keys_.begin(), keys_.end(), std::back_inserter(members),
                     [&setting](const std::string& key) { return group_of(key) == setting.key; });
        if (members.empty()) {
            return fmt::format(
                "{0}: {1} = {2}: '{1}' is a group of keys, and takes no value; write a table of it, such as "
                "[{1}.NAME], with keys",
                setting.where, setting.key, setting.value.text);
        }
        return fmt::format("{}: {} = {}: '{}' is a group of keys; set one of them: {}", setting.where, setting.key,
                           setting.value.text, setting.key, fmt::join(members, ", "));
    }
    std::vector<std::string> candidates{"provenance"};
    const std::string table = setting.key.substr(0, setting.key.find('.'));
    if (table != candidates[0] && !nearest_name(table, candidates).empty()) {
        return fmt::format("{}: unknown key '{}'{}", setting.where, setting.key, suggestion(table, candidates));
    }
    candidates = keys_;
    if (nearest_name(setting.key, candidates).empty()) {
        // No similar key: lists its siblings, or else the groups and keys at the top level
        const std::string_view group = group_of(setting.key);
        const std::string_view beside = contains(groups_, group) ? group : std::string_view();
        candidates.clear();
        for (const auto* names : {&keys_, &groups_}) {
            std::copy_if(names->begin(), names->end(), std::back_inserter(candidates),
                         [beside](const std::string& name) { return group_of(name) == beside; });
        }
    }
    return fmt::format("{}: unknown key '{}'{}", setting.where, setting.key, suggestion(setting.key, candidates));
}

std::vector<Problem> ParameterReader::problems() const
{
    std::vector<Problem> all = problems_;
    for (std::size_t i = 0; i < settings_.size(); ++i) {
        const bool empty_table = settings_[i].value.text == "{}" && contains(groups_, settings_[i].key);
        if (!contains(keys_, settings_[i].key) && !empty_table) all.push_back({i, unknown_key(settings_[i])});
    }
    std::stable_sort(all.begin(), all.end(), [](const Problem& a, const Problem& b) { return a.setting < b.setting; });
    return all;
}

}  // namespace ringmesh::platforms
