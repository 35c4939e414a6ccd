// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/whatif/unasked.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "lab/table/results.h"
#include "lab/table/writers/text_table.h"

namespace ringmesh::lab {
namespace {

/// A run that stands for all others with the same value of an axis, or of the same variant.
struct Representative {
    std::string name;  ///< "topology.dimensions=4x4", or the variant
    bool of_axis;
    RunRecord record;
};

/// One run for each variant and each value of each axis: reading all points would take as long as running some.
std::vector<Representative> representatives(const StudyTest& test, std::span<const StudyPoint> points,
                                            std::span<const Granted> granted, const Store& store)
{
    std::vector<Representative> all;
    std::set<std::string> names;
    const auto add = [&](std::string name, std::size_t point, bool of_axis) {
        if (names.contains(name)) return;
        auto found = store.find(granted[point].key);
        if (!found) return;
        names.insert(name);
        all.push_back({std::move(name), of_axis, std::move(found->record)});
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!granted[i].done()) continue;
        if (test.variants.size() > 1) add(points[i].variant, i, false);
        for (std::size_t axis = 0; axis < test.axes.size(); ++axis) {
            add(fmt::format("{}={}", test.axes[axis].name, points[i].axes[axis]), i, true);
        }
    }
    return all;
}

/// Whether the test itself gives the option several values, or it says how long to measure, not what.
bool is_asked(const StudyTest& test, const std::string& option)
{
    if (option == "warm_up" || option == "duration") return true;
    const auto is_it = [&option](const StudySetting& setting) { return setting.key == option; };
    const auto varies = [&](const StudySetting& setting) {
        return is_it(setting) && setting.value.find("${") != std::string::npos;
    };
    return std::ranges::any_of(test.axes, [&](const Axis& axis) { return axis.name == "options." + option; }) ||
           std::ranges::any_of(test.options, varies) || std::ranges::any_of(test.variants, [&](const Variant& variant) {
               return std::ranges::any_of(variant.options, is_it);
           });
}

std::vector<std::string> chosen_options(const StudyTest& test, const std::vector<Representative>& runs)
{
    std::map<std::string, std::vector<std::pair<std::string, std::string>>> values;  // with the first run of each
    for (const Representative& run : runs) {
        for (const ParameterRow& row : run.record.workload_options) {
            if (run.of_axis && row.key == "ranks") continue;  // a larger machine is asked for its ranks
            auto& known = values[row.key];
            const auto same = [&row](const auto& each) { return each.first == row.value; };
            if (std::ranges::none_of(known, same)) known.emplace_back(row.value, run.name);
        }
    }
    std::vector<std::string> sentences;
    for (const auto& [option, known] : values) {
        if (known.size() < 2 || is_asked(test, option)) continue;
        std::vector<std::string> texts;
        for (const auto& [value, run] : known) texts.push_back(fmt::format("{} with {}", value, run));
        sentences.push_back(
            fmt::format("{0} chose option {1} by the machine: {2}; write {1}=... to compare like with like.",
                        test.program.text, option, fmt::join(texts, ", ")));
    }
    return sentences;
}

std::optional<std::string> unequal_rates(const std::vector<Representative>& runs)
{
    constexpr double kSame = 0.01;
    struct Rates {
        double least = 0;
        double most = 0;
    };
    std::map<std::pair<double, double>, Rates> all;  // by load and senders
    for (const Representative& run : runs) {
        const auto& results = run.record.outcome.results;
        if (results.rows.empty()) continue;
        const NamedCells cells(results, results.rows.front());
        const auto load = cells.number("offered_load");
        const auto senders = cells.number("senders");
        const auto rate = cells.number("offered_mb_per_s");
        if (!load || !senders || !rate) continue;
        const auto [found, added] = all.try_emplace({*load, *senders}, Rates{*rate, *rate});
        if (added) continue;
        found->second.least = std::min(found->second.least, *rate);
        found->second.most = std::max(found->second.most, *rate);
    }
    for (const auto& [key, rates] : all) {
        if (rates.most <= rates.least * (1 + kSame)) continue;
        return fmt::format(
            "A load of {} is {} to {} MB/s of each sender here, since load is in each network's own unit; write "
            "rate=... in place of load to offer the same.",
            number_text(key.first), number_text(rates.least), number_text(rates.most));
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::string> unasked_differences(const StudyTest& test, std::span<const StudyPoint> points,
                                             std::span<const Granted> granted, const Store& store)
{
    const auto runs = representatives(test, points, granted, store);
    std::vector<std::string> sentences = chosen_options(test, runs);
    if (auto rates = unequal_rates(runs)) sentences.push_back(std::move(*rates));
    return sentences;
}

}  // namespace ringmesh::lab
