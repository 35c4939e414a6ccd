// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lab/explain/steps.h"
#include "lab/figure/gnuplot/gnuplot_words.h"
#include "lab/run/record/place_use.h"
#include "lab/table/results.h"

/// Messages and packets from begin to end.
namespace ringmesh::lab {

using workloads::Results;

namespace {

struct WaterfallPart {
    std::string leg;
    std::string where;
    std::string what;
    std::string group;
    double from;
    double to;
    bool waits;
};

/// Parts of one group, or of waiting, as gnuplot takes boxes.
struct WaterfallBlock {
    std::string name;
    std::string data = {};
    double sum = 0;

    void add(double from, double to, std::size_t line)
    {
        const auto middle = static_cast<double>(line);
        data += fmt::format("{0} {1} {0} {2} {3} {4}\n", from, line, to, middle - 0.38, middle + 0.38);
    }
};

/// The places that share a line, and its name, "14 of mesh.r*_*": at each of them a packet is for less than a hundredth
/// of the time, and there are three or more of a sort.
std::map<std::string, std::string> short_alike(const std::vector<WaterfallPart>& parts)
{
    constexpr double kShort = 0.01;
    constexpr std::size_t kFewest = 3;
    std::map<std::string, double> times;
    double all = 0;
    for (const WaterfallPart& part : parts) {
        times[part.where] += part.to - part.from;
        all += part.to - part.from;
    }
    std::map<std::string, std::vector<std::string>> sorts;
    for (const auto& [where, time] : times) {
        if (time < kShort * all) sorts[without_numbers(where)].push_back(where);
    }
    std::map<std::string, std::string> names;
    for (const auto& [sort, places] : sorts) {
        if (places.size() < kFewest) continue;
        for (const std::string& place : places) names.emplace(place, fmt::format("{} of {}", places.size(), sort));
    }
    return names;
}

}  // namespace

std::string waterfall_script(const Results& table, const PictureFormat& format)
{
    std::vector<WaterfallPart> parts;
    for (const auto& row : table.rows) {
        const NamedCells cells(table, row);
        parts.push_back({cells.text("leg").value_or(""), cells.text("where").value_or(""),
                         cells.text("what").value_or(""), cells.text("group").value_or(""),
                         cells.number("from_ns").value_or(0), cells.number("to_ns").value_or(0),
                         cells.text("waiting").value_or("") == "waiting"});
    }
    const auto short_places = short_alike(parts);
    // A line for each part, or else for each place, of as many legs as have room
    constexpr std::size_t kMostLines = 40;
    std::vector<std::string> lines;
    std::vector<std::size_t> line_of;
    const bool several = std::any_of(parts.begin(), parts.end(),
                                     [&](const WaterfallPart& part) { return part.leg != parts.front().leg; });
    for (const bool by_part : {true, false}) {
        lines.clear();
        line_of.clear();
        std::vector<std::string> keys;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const WaterfallPart& part = parts[i];
            const auto alike = by_part ? short_places.end() : short_places.find(part.where);
            const std::string& where = alike == short_places.end() ? part.where : alike->second;
            const std::string now = part.leg + '\n' + where + (by_part ? fmt::format("\n{}", i) : "");
            auto found = std::find(keys.begin(), keys.end(), now);
            if (found == keys.end()) {
                if (several && (i == 0 || parts[i - 1].leg != part.leg)) {
                    keys.emplace_back();
                    lines.push_back(part.leg + ":");
                }
                keys.push_back(now);
                lines.push_back(by_part ? fmt::format("{}: {}", part.where, part.what) : where);
                found = keys.end() - 1;
            }
            line_of.push_back(static_cast<std::size_t>(found - keys.begin()));
        }
        if (lines.size() <= kMostLines) break;
    }
    if (lines.size() > kMostLines) lines.resize(kMostLines);
    // Of one message: what each kind of work adds up to, beneath its parts
    const std::size_t lines_of_parts = lines.size();
    if (!several) lines.emplace_back("sum");
    Reach all;
    double longest = 0;
    std::vector<std::pair<std::string, Reach>> legs;
    for (const WaterfallPart& part : parts) {
        all.add(part.from);
        all.add(part.to);
        if (legs.empty() || legs.back().first != part.leg) legs.emplace_back(part.leg, Reach{});
        legs.back().second.add(part.from);
        legs.back().second.add(part.to);
        longest = std::max(longest, legs.back().second.high - legs.back().second.low);
    }
    const bool apart = all.high - all.low > 3 * longest;  // packets of a run: each from its own begin
    std::vector<std::string> groups;
    std::vector<WaterfallBlock> blocks;
    double end = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const WaterfallPart& part = parts[i];
        const bool is_drawn = line_of[i] < lines_of_parts;
        if (several && !is_drawn) continue;
        double begin = 0;
        for (const auto& [leg, reach] : legs) {
            if (apart && leg == part.leg && part.from >= reach.low && part.to <= reach.high) begin = reach.low;
        }
        end = std::max(end, part.to - begin);
        if (!part.waits && std::find(groups.begin(), groups.end(), part.group) == groups.end()) {
            groups.push_back(part.group);
        }
        const std::string name = part.waits ? "waiting" : part.group;
        auto block = std::find_if(blocks.begin(), blocks.end(), [&](const auto& each) { return each.name == name; });
        if (block == blocks.end()) block = blocks.insert(blocks.end(), {name});
        if (is_drawn) block->add(part.from - begin, part.to - begin, line_of[i]);
        block->sum += part.to - part.from;
    }
    double summed = all.low;
    for (WaterfallBlock& block : blocks) {
        if (!several) block.add(summed, summed + block.sum, lines_of_parts);
        summed += block.sum;
    }
    std::size_t widest = 0;
    for (const std::string& line : lines) widest = std::max(widest, line.size());
    constexpr double kLine = 0.36;
    std::string script = terminal_text(format, kLine * static_cast<double>(lines.size()) + 2.2) + '\n';
    script += fmt::format(
        "set encoding utf8\nset border 3 linewidth 0.6 linecolor '{0}'\nset tics nomirror out scale 0.4 textcolor "
        "'{0}'\nset grid x linetype 1 linewidth 0.4 linecolor '#dddddd'\nset rmargin 3\n",
        kInk);
    std::vector<std::string> ticks;
    for (std::size_t i = 0; i < lines.size(); ++i) ticks.push_back(fmt::format("{} {}", in_quotes(lines[i]), i));
    const Reach ends = apart ? Reach{0, end * 1.02} : Reach{all.low, all.high + (all.high - all.low) * 0.02};
    const double room =
        kLetterWidth * kFontPoints * static_cast<double>(widest + 6) / kPointsOfCm;  // of the words at the left
    constexpr double kTickRoom = 1.1;
    script += fmt::format(
        "set xtics {}\nset ytics ({})\nset xrange [{}:{}]\nset yrange [{}:-0.6]\nset xlabel '{}'\nset key outside top "
        "center "
        "horizontal reverse Left samplen 1.2 width 1 spacing 1.05\n",
        tick_step(ends, std::clamp((format.width_cm - room) / kTickRoom, 2.0, 8.0)), fmt::join(ticks, ", "), ends.low,
        ends.high, static_cast<double>(lines.size()) - 0.4, apart ? "time since its begin (ns)" : "time (ns)");
    std::vector<std::string> plots;
    std::size_t number = 0;
    for (const auto& [name, data, sum] : blocks) {
        const std::string block = fmt::format("$parts{}", number++);
        script += fmt::format("{} << EOD\n{}EOD\n", block, data);
        const auto place = static_cast<std::size_t>(std::find(groups.begin(), groups.end(), name) - groups.begin());
        const std::string fill =
            name == "waiting" ? fmt::format("fillstyle empty border linecolor '{0}' linecolor '{0}'", kInk)
                              : fmt::format("fillstyle solid 0.9 noborder linecolor '{}'", style_at(place).colour);
        plots.push_back(fmt::format("{} using 1:2:3:4:5:6 with boxxyerror {} title {}", block, fill,
                                    in_quotes(name.empty() ? "working" : title_of_group(name))));
    }
    return script + fmt::format("plot {}\n", fmt::join(plots, ", \\\n  "));
}

}  // namespace ringmesh::lab
