// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/inputs/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <variant>

#include "lab/run/experiment.h"
#include "lab/run/workload_spec.h"
#include "lab/study/description/names.h"
#include "tlm/units/quantity.h"
#include "tlm/units/units.h"

namespace ringmesh::lab {
namespace {

bool is_uncertain(const Origin& origin)
{
    return origin.from == Provenance::kAssumed || origin.from == Provenance::kCalibrated ||
           origin.from == Provenance::kDerived;
}

/// "NAME:key=value" with one more option.
std::string with_option(const std::string& spec, const std::string& key, const std::string& value)
{
    return fmt::format("{}{}{}={}", spec, spec.find(':') == std::string::npos ? ':' : ',', key, value);
}

bool sets(const std::string& option, const std::string& spec, const std::string& key)
{
    if (spec.empty()) return false;
    const auto options = parse_workload_spec(option, spec).options;
    return std::ranges::any_of(options, [&key](const std::string& each) { return each.starts_with(key + "="); });
}

/// Collects the inputs of points; what differs in its value or range is another input.
class Collector {
public:
    void add(InputOf of, const std::string& owner, const ParameterRow& row, std::size_t point)
    {
        const Origin& origin = row.origin;
        if (!is_uncertain(origin) || !row.not_in_use.empty()) return;
        std::vector<std::string> alternatives = origin.alternatives;
        // Without a reason nobody has assumed it: the test sets it
        if (row.kind == "boolean" && of == InputOf::kMachine && !origin.note.empty()) {
            alternatives = {row.value == "true" ? "false" : "true"};
        }
        if (origin.low.empty() && alternatives.empty()) return;
        const auto [place, is_new] =
            places_.emplace(std::tuple(of, owner, row.key, row.value, origin.low, origin.high), inputs_.size());
        if (is_new) {
            inputs_.push_back({.name = owner.empty() ? row.key : row.key + " of " + owner,
                               .of = of,
                               .owner = owner,
                               .key = row.key,
                               .kind = row.kind,
                               .value = row.value,
                               .low = origin.low,
                               .high = origin.high,
                               .alternatives = std::move(alternatives),
                               .from = origin.from,
                               .set_by = origin.set_by,
                               .reason = origin.note,
                               .points = {}});
        }
        auto& points = inputs_[place->second].points;
        if (points.empty() || points.back() != point) points.push_back(point);
    }

    std::vector<Input> take()
    {
        tell_apart([](const Input& input) { return " = " + input.value; });
        tell_apart([](const Input& input) { return fmt::format(" ({})", input.range_text()); });
        std::ranges::stable_sort(inputs_, [](const Input& a, const Input& b) { return a.of < b.of; });
        return std::move(inputs_);
    }

private:
    /// Adds what differs to names that several have.
    void tell_apart(std::string (*what)(const Input&))
    {
        std::map<std::string, int> names;
        for (const Input& input : inputs_) ++names[input.name];
        for (Input& input : inputs_) {
            if (names[input.name] > 1) input.name += what(input);
        }
    }

    std::map<std::tuple<InputOf, std::string, std::string, std::string, std::string, std::string>, std::size_t> places_;
    std::vector<Input> inputs_;
};

}  // namespace

std::vector<std::string> Input::others() const
{
    if (is_choice()) return alternatives;
    std::vector<std::string> ends;
    for (const std::string& end : {low, high}) {
        if (number_of(end) != number_of(value)) ends.push_back(end);
    }
    return ends;
}

double RowEffects::swing(const Effect& effect) const
{
    double low = simulated;
    double high = simulated;
    for (const auto& result : effect.results) {
        if (!result) continue;
        low = std::min(low, *result);
        high = std::max(high, *result);
    }
    return high - low;
}

std::string state_of(const Input& input)
{
    const auto range = input.is_choice() ? fmt::format("{}", fmt::join(input.alternatives, "; ")) : input.range_text();
    return fmt::format("{} ({}, {})", input.value, kProvenanceNames.name(input.from), range);
}

bool is_same(const Input& a, const Input& b)
{
    return std::tie(a.of, a.owner, a.key, a.value, a.low, a.high, a.alternatives) ==
           std::tie(b.of, b.owner, b.key, b.value, b.low, b.high, b.alternatives);
}

std::string Input::at(double fraction) const
{
    const auto unless_refused = [this](const std::string& tried) {
        return std::ranges::find(refused, tried) == refused.end() ? tried : value;
    };
    if (is_choice()) {
        const std::size_t place = static_cast<std::size_t>(fraction * static_cast<double>(alternatives.size() + 1));
        return place == 0 ? value : unless_refused(alternatives[place - 1]);
    }
    if (has_steps())
        return fraction < 1.0 / 3 ? unless_refused(low) : fraction < 2.0 / 3 ? value : unless_refused(high);
    const double x = Range(*this).at(fraction);
    const std::string& end = x < *number_of(value) ? low : high;
    return unless_refused(end) == end ? quantity_text(*this, x) : value;
}

std::string Input::range_text() const
{
    if (is_choice()) return fmt::format("{}", fmt::join(alternatives, ", "));
    return low + " to " + high;
}

Range::Range(const Input& input)
    : low_(*number_of(input.low)), high_(*number_of(input.high)), whole_(input.kind == "cycles")
{}

double Range::at(double fraction) const
{
    return whole_ ? low_ + std::floor(fraction * (high_ - low_ + 1)) : low_ + fraction * (high_ - low_);
}

std::optional<double> number_of(const std::string& quantity)
{
    const Measured found = measured(quantity);
    if (const auto* whole = std::get_if<std::int64_t>(&found.cell)) return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&found.cell)) return *number;
    return std::nullopt;
}

std::string quantity_text(const Input& input, double x)
{
    if (input.kind == "duration") return to_string(*parse_duration(fmt::format("{:.0f} ps", x * 1e3)).value);
    if (input.kind == "frequency") return to_string(*parse_frequency(fmt::format("{:.0f} Hz", x * 1e6)).value);
    if (input.kind == "length") return to_string(*parse_length(fmt::format("{:.0f} um", x * 1e6)).value);
    if (input.kind == "cycles") return to_string(*parse_cycles(fmt::format("{:.0f} cycles", x)).value);
    if (input.kind == "size") return to_string(*parse_bytes(fmt::format("{:.0f} B", x)).value);
    if (input.kind == "integer") return fmt::format("{:.0f}", x);
    return number_text(x);
}

std::vector<Input> inputs_of(std::span<const StudyPoint> points)
{
    Collector all;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ExperimentRequest& request = points[i].wish.request;
        const Experiment experiment(request);
        for (const ParameterRow& row : experiment.parameters()) all.add(InputOf::kMachine, "", row, i);
        const auto add_options = [&](InputOf of, const std::string& owner, const std::vector<ParameterRow>& rows,
                                     const std::string& option, const std::string& spec) {
            for (const ParameterRow& row : rows) {
                if (!sets(option, spec, row.key)) all.add(of, owner, row, i);
            }
        };
        add_options(InputOf::kProgram, experiment.workload_name(), experiment.workload_options(), "--workload",
                    request.workload);
        add_options(InputOf::kLibrary, experiment.library_name(), experiment.library_options(), "--library",
                    request.library);
    }
    return all.take();
}

StudyPoint with_input(StudyPoint point, const Input& input, const std::string& value)
{
    ExperimentRequest& request = point.wish.request;
    switch (input.of) {
        case InputOf::kMachine: request.settings.push_back(input.key + "=" + value); break;
        case InputOf::kProgram: request.workload = with_option(request.workload, input.key, value); break;
        case InputOf::kLibrary:
            request.library = with_option(request.library.empty() ? input.owner : request.library, input.key, value);
            break;
    }
    point.wish.key.clear();
    point.wish.title += fmt::format(", {} = {}", input.name, value);
    return point;
}

void set_option(StudyPoint& point, const std::string& key, const std::string& value)
{
    std::string& workload = point.wish.request.workload;
    const WorkloadSpec spec = parse_workload_spec("--workload", workload);
    workload = spec.name;
    for (const std::string& option : spec.options) {
        if (option.starts_with(key + "=")) continue;
        const std::size_t equals = option.find('=');
        workload = with_option(workload, option.substr(0, equals), option.substr(equals + 1));
    }
    workload = with_option(workload, key, value);
    point.wish.key.clear();
    point.wish.title += fmt::format(", {} = {}", key, value);
}

}  // namespace ringmesh::lab
