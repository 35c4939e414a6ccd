// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/waveforms.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "tlm/units/quantity.h"

namespace ringmesh::lab {
namespace {

std::string some_of(const std::vector<std::string>& names)
{
    constexpr std::size_t kMost = 5;
    const std::vector<std::string> first(names.begin(),
                                         names.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, names.size())));
    return fmt::format("{}{}", fmt::join(first, ", "),
                       names.size() > kMost ? fmt::format(" and {} more", names.size() - kMost) : "");
}

std::string shown(const std::string& value) { return value.empty() ? "none" : value; }

}  // namespace

bool is_waveform(const std::string& path)
{
    const auto ending = std::filesystem::path(path).extension();
    return ending == ".vcd" || ending == ".fst";
}

std::string waveforms_text(const WaveformComparison& comparison, const std::string& a, const std::string& b,
                           std::size_t width)
{
    std::string text;
    const auto add = [&text, width](const std::string& line) { text += wrapped(line, 2, width) + '\n'; };
    if (comparison.first) {
        const FirstDifference& first = *comparison.first;
        add(fmt::format("first difference at {}: {} is {} in {} and {} in {}", to_string(first.time), first.signal,
                        shown(first.a), a, shown(first.b), b));
        if (first.others > 0) add(fmt::format("{} more signals differ at this time", first.others));
    } else {
        add(fmt::format("no difference in {} signals from {} to {}", comparison.signals,
                        to_string(comparison.compared.from), to_string(comparison.compared.to)));
    }
    for (const auto& [name, window] : {std::pair(&a, comparison.a), {&b, comparison.b}}) {
        if (comparison.first || window == comparison.compared) continue;
        add(fmt::format("{} goes from {} to {}", *name, to_string(window.from), to_string(window.to)));
    }
    for (const auto& [name, signals] : {std::pair(&a, &comparison.only_in_a), {&b, &comparison.only_in_b}}) {
        if (!signals->empty()) add(fmt::format("only in {}: {}", *name, some_of(*signals)));
    }
    return text;
}

std::string waveforms_json(const WaveformComparison& comparison, const std::string& a, const std::string& b)
{
    Json json = {{"ringmesh", program_json()},
                 {"a", a},
                 {"b", b},
                 {"signals", comparison.signals},
                 {"from_ps", comparison.compared.from.ps()},
                 {"to_ps", comparison.compared.to.ps()},
                 {"only_in_a", comparison.only_in_a},
                 {"only_in_b", comparison.only_in_b},
                 {"equal", !comparison.first}};
    if (comparison.first) {
        json["first_difference"] = {{"time_ps", comparison.first->time.ps()},
                                    {"signal", comparison.first->signal},
                                    {"a", comparison.first->a},
                                    {"b", comparison.first->b},
                                    {"others", comparison.first->others}};
    }
    return json_text(json);
}

std::string waveforms_csv(const WaveformComparison& comparison)
{
    std::string text = "time_ps,signal,a,b,others\n";
    if (const auto& first = comparison.first) {
        text += fmt::format("{},{},{},{},{}\n", first->time.ps(), first->signal, first->a, first->b, first->others);
    }
    return text;
}

}  // namespace ringmesh::lab
