// SPDX-License-Identifier: Apache-2.0
#include "lab/figure/gnuplot/machine_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "lab/figure/gnuplot/gnuplot_words.h"
#include "lab/table/results.h"

/// Machines as picture files; lab/report/web/src/drawing.js draws the same in a browser.
namespace ringmesh::lab {
namespace {

using platforms::DrawingKind;
using platforms::DrawnLink;
using platforms::DrawnNode;

constexpr double kRadius = 0.27;  // of a node, where neighbours are 1 apart
constexpr double kBorder = 0.62;  // around the machine
constexpr double kPercent = 100;

struct Place {
    double x = 0;
    double y = 0;

    Place operator+(const Place& other) const { return {x + other.x, y + other.y}; }
    Place operator*(double factor) const { return {x * factor, y * factor}; }
};

/// The line of a link between the borders of its nodes.
std::vector<Place> line_of(const DrawnLink& link, const Place& from, const Place& to, DrawingKind kind)
{
    if (link.stub) {
        constexpr double kLength = 0.2;
        const unsigned further = std::max(link.dimension, 2U) - 2;
        const double angle = (-70 + 40.0 * further) * std::numbers::pi / 180;
        const Place along{std::cos(angle), std::sin(angle)};
        return {from + along * kRadius, from + along * (kRadius + kLength)};
    }
    const double steps = std::hypot(to.x - from.x, to.y - from.y);
    const Place along{(to.x - from.x) / std::max(steps, 1e-9), (to.y - from.y) / std::max(steps, 1e-9)};
    const Place aside{-along.y, along.x};  // to the right of its direction, so that both directions of a cable part
    constexpr double kNeighbours = 1.05;
    if ((kind == DrawingKind::kTorus || kind == DrawingKind::kHypercube) && steps > kNeighbours) {
        const double bow = kind == DrawingKind::kHypercube ? 0.1 + 0.13 * std::log2(steps) : 0.42;
        const double start = 0.6 * kRadius;
        const Place ends[] = {from + aside * start + along * start, from + aside * (1.3 * bow) + along * 0.5,
                              to + aside * (1.3 * bow) + along * -0.5, to + aside * start + along * (-1.2 * start)};
        constexpr int kPieces = 12;
        std::vector<Place> line;
        for (int i = 0; i <= kPieces; ++i) {
            const double t = static_cast<double>(i) / kPieces;  // of a cubic Bezier curve
            const double s = 1 - t;
            line.push_back(ends[0] * (s * s * s) + ends[1] * (3 * s * s * t) + ends[2] * (3 * s * t * t) +
                           ends[3] * (t * t * t));
        }
        return line;
    }
    constexpr double kAside = 0.075;
    const double reach = 1.06 * std::sqrt(kRadius * kRadius - kAside * kAside);
    return {from + along * reach + aside * kAside, to + along * -reach + aside * kAside};
}

/// The node to which a place belongs: that of the longest block that its name begins with.
std::optional<std::string> node_of(const std::map<std::string, std::string>& blocks, std::string place)
{
    while (!place.empty()) {
        if (const auto found = blocks.find(place); found != blocks.end()) return found->second;
        const std::size_t dot = place.rfind('.');
        place.resize(dot == std::string::npos ? 0 : dot);
    }
    return std::nullopt;
}

/// "8" of "node: 8"; words of a long label are lines, as gnuplot takes them.
std::string lines_of(const DrawnNode& node)
{
    constexpr std::size_t kLong = 6;
    const std::size_t colon = node.label.find(": ");
    const std::string label = colon == std::string::npos ? node.label : node.label.substr(colon + 2);
    return label.size() <= kLong ? label : boost::replace_all_copy(label, " ", "\\n");
}

std::size_t longest_line(const std::string& lines)
{
    std::size_t most = 0;
    for (std::size_t begin = 0; begin <= lines.size();) {
        const std::size_t end = std::min(lines.find("\\n", begin), lines.size());
        most = std::max(most, end - begin);
        begin = end + 2;
    }
    return most;
}

}  // namespace

MachineUse use_of(const platforms::Drawing& drawing, const workloads::Results& places, const std::string& bottleneck)
{
    std::map<std::string, std::string> blocks;
    for (const auto& block : drawing.blocks) blocks.emplace(block.place, block.node);
    MachineUse use;
    std::set<std::string> links;
    for (const DrawnLink& link : drawing.links) links.insert(link.place);
    if (!links.contains(bottleneck)) use.bottleneck_node = node_of(blocks, bottleneck).value_or("");
    if (links.contains(bottleneck) || !use.bottleneck_node.empty()) use.bottleneck = bottleneck;
    for (const auto& row : places.rows) {
        const NamedCells cells(places, row);
        const bool is_it = !use.bottleneck_node.empty() && cells.text("name") == bottleneck;
        if (is_it && cells.number("busy_percent")) use.kind = cells.text("kind").value_or("");
    }
    for (const auto& row : places.rows) {
        const NamedCells cells(places, row);
        const auto busy = cells.number("busy_percent");
        const std::string name = cells.text("name").value_or("");
        if (!busy) continue;
        if (links.contains(name)) {
            use.links.emplace(name, *busy);
            continue;
        }
        const auto node = node_of(blocks, name);
        const std::string kind = cells.text("kind").value_or("");
        if (!node || (!use.kind.empty() && use.kind != kind)) continue;
        use.kind = kind;
        double& most = use.nodes[*node];
        most = std::max(most, *busy);
    }
    return use;
}

std::string machine_script(const platforms::Drawing& drawing, const MachineUse& use, const PictureFormat& format)
{
    Reach across;
    Reach down;
    std::map<std::string, Place> at;
    for (const DrawnNode& node : drawing.nodes) {
        across.add(node.x);
        down.add(node.y);
        at[node.id] = {node.x, node.y};
    }
    const bool any_use = !use.nodes.empty() || !use.links.empty();
    std::vector<std::string> words;  // beneath
    if (!use.kind.empty()) words.push_back("nodes: their busiest " + use.kind);
    if (!use.bottleneck.empty()) words.push_back("heavy line: the bottleneck, " + use.bottleneck);
    constexpr double kScale = 2;  // cm, of the colours with their numbers and title
    constexpr double kWordLine = 0.4;
    const double below = kWordLine * static_cast<double>(words.size()) + 0.1;  // cm, of the words
    constexpr double kTallest = 40;                                            // cm
    const double columns = across.high - across.low + 2 * kBorder;
    const double rows = down.high - down.low + 2 * kBorder;
    const double unit = std::min((format.width_cm - (any_use ? kScale : 0)) / columns, kTallest / rows);

    std::map<std::string, std::string> blocks;  // of data
    const auto colour = [](const std::optional<double>& percent) {
        return percent ? fmt::format("{:.6g}", *percent) : std::string("NaN");
    };
    constexpr std::size_t kMostArrows = 700;
    for (const DrawnLink& link : drawing.links) {
        const auto found = use.links.find(link.place);
        const auto percent = found == use.links.end() ? std::nullopt : std::optional(found->second);
        const auto line = line_of(link, at.at(link.from), at.at(link.to), drawing.kind);
        std::string data;
        for (const Place& place : line) data += fmt::format("{:.5g} {:.5g} {}\n", place.x, place.y, colour(percent));
        data += "\n";
        blocks[percent ? "links" : "plain"] += data;
        if (!use.bottleneck.empty() && link.place == use.bottleneck) blocks["beneath"] += data;
        if (drawing.links.size() > kMostArrows) continue;
        const Place& tip = line.back();
        const Place& before = line[line.size() - 2];
        blocks[percent ? "heads" : "plainheads"] += fmt::format("{:.5g} {:.5g} {:.5g} {:.5g} {}\n", before.x, before.y,
                                                                tip.x - before.x, tip.y - before.y, colour(percent));
    }
    constexpr double kDark = 55;  // percent, from which words are white
    constexpr double kSmallest = 2.5;
    std::map<std::string, double> fonts;                           // by the kind of node, whose labels are alike
    std::map<std::pair<int, std::ptrdiff_t>, std::string> labels;  // by ten times the size of the font, and line ends
    for (const DrawnNode& node : drawing.nodes) {
        const auto found = use.nodes.find(node.id);
        const bool narrow = node.kind == "node" || node.kind == "tile" || node.kind == "router";
        const double half = narrow ? kRadius : 1.35 * kRadius;
        const char* const shape = node.kind == "node" ? "circles" : "boxes";
        const std::string line = fmt::format("{} {} {} {} ", node.x, node.y, half, kRadius);
        blocks[shape + std::string("edge")] += line + "\n";
        if (!use.bottleneck.empty() && node.id == use.bottleneck_node)
            blocks[shape + std::string("mark")] += line + "\n";
        if (found != use.nodes.end()) blocks[shape] += line + colour(found->second) + "\n";
        double& font = fonts.try_emplace(node.kind, kFontPoints).first->second;
        const double letters = std::max<double>(2, static_cast<double>(longest_line(lines_of(node))));
        font = std::min(font, 2 * half * unit * kPointsOfCm / (kLetterWidth * letters) * 0.9);
    }
    for (const DrawnNode& node : drawing.nodes) {
        const double font = fonts.at(node.kind);
        if (font < kSmallest) continue;
        const auto found = use.nodes.find(node.id);
        const bool dark = found != use.nodes.end() && found->second > kDark;
        const std::string lines = boost::replace_all_copy(lines_of(node), "\"", "'");
        labels[{static_cast<int>(10 * font) * (dark ? -1 : 1), std::ranges::count(lines, '\\')}] +=
            fmt::format("{} {} \"{}\"\n", node.x, node.y, lines);
    }

    std::string script = terminal_text(format, unit * rows + (any_use ? below : 0)) + '\n';
    std::vector<std::string> colours;
    for (std::size_t i = 0; i < kHeatColours.size(); ++i) colours.push_back(fmt::format("{} '{}'", i, kHeatColours[i]));
    script += fmt::format(
        "set encoding utf8\nunset border\nunset tics\nunset key\nset datafile missing 'NaN'\nset lmargin at screen 0\n"
        "set rmargin at screen {:.4f}\nset tmargin at screen 1\nset bmargin at screen {:.4f}\n"
        "set xrange [{}:{}]\nset yrange [{}:{}]\nset palette defined ({})\nset cbrange [0:{}]\n",
        unit * columns / format.width_cm, any_use ? below / (unit * rows + below) : 0, across.low - kBorder,
        across.high + kBorder, down.high + kBorder, down.low - kBorder, fmt::join(colours, ", "), kPercent);
    if (any_use) {
        const double right = unit * columns / format.width_cm;
        script += fmt::format(
            "set cbtics scale 0.4 textcolor '{0}'\nset cblabel 'busy (%)' textcolor '{0}'\nset colorbox user origin "
            "screen {1:.4f}, screen 0.12 size screen {2:.4f}, screen 0.8 noborder\n",
            kInk, right + 0.1 / format.width_cm, 0.25 / format.width_cm);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const double from_below = below - kWordLine * (static_cast<double>(i) + 0.6);
            script += fmt::format("set label {} at screen 0.02, screen {:.4f} textcolor '{}'\n", in_quotes(words[i]),
                                  from_below / (unit * rows + below), kInk);
        }
    }
    const double width = std::clamp(unit * 0.9, 0.5, 2.2);  // of a line
    const double head = std::clamp(unit * 0.06, 0.03, 0.12);
    const std::string vector =
        fmt::format("using 1:2:3:4{{}} with vectors head filled size graph {:.4f},20 fixed linewidth {:.2f} ",
                    head * unit / format.width_cm / 2 + 0.006, width);
    const std::tuple<const char*, std::string> plots[] = {
        {"plain", fmt::format("using 1:2 with lines linewidth {:.2f} linecolor '#999999'", width * 0.6)},
        {"plainheads", fmt::format(fmt::runtime(vector), "") + "linecolor '#999999'"},
        {"beneath", fmt::format("using 1:2 with lines linewidth {:.2f} linecolor '{}'", width + 3, kInk)},
        {"links", fmt::format("using 1:2:3 with lines linewidth {:.2f} linecolor palette", width)},
        {"heads", fmt::format(fmt::runtime(vector), ":5") + "linecolor palette"},
        {"circles", "using 1:2:3:5 with circles fillstyle solid 1 noborder linecolor palette"},
        {"circlesedge",
         fmt::format("using 1:2:3 with circles fillstyle empty border linecolor '{}' linewidth 0.6", kInk)},
        {"boxes",
         "using 1:2:($1-$3):($1+$3):($2-$4):($2+$4):5 with boxxyerror fillstyle solid 1 noborder linecolor palette"},
        {"boxesedge", fmt::format("using 1:2:($1-$3):($1+$3):($2-$4):($2+$4) with boxxyerror fillstyle empty border "
                                  "linecolor '{0}' linecolor '{0}' linewidth 0.6",
                                  kInk)},
        {"circlesmark",
         fmt::format("using 1:2:3 with circles fillstyle empty border linecolor '{}' linewidth 3", kInk)},
        {"boxesmark", fmt::format("using 1:2:($1-$3):($1+$3):($2-$4):($2+$4) with boxxyerror fillstyle empty border "
                                  "linecolor '{0}' linecolor '{0}' linewidth 3",
                                  kInk)},
    };
    std::vector<std::string> drawn;
    for (const auto& [name, how] : plots) {
        const auto data = blocks.find(name);
        if (data == blocks.end()) continue;
        script += fmt::format("${} << EOD\n{}EOD\n", name, data->second);
        drawn.push_back(fmt::format("${} {} notitle", name, how));
    }
    for (const auto& [look, data] : labels) {
        const auto& [size, ends] = look;
        const double points = std::abs(size) / 10.0;
        const std::string name = fmt::format("labels{}", drawn.size());
        script += fmt::format("${} << EOD\n{}EOD\n", name, data);
        // gnuplot puts the first line in the middle
        drawn.push_back(fmt::format("${} using 1:2:3 with labels font ',{}' offset 0,{:.2f} textcolor '{}' notitle",
                                    name, points, 0.5 * static_cast<double>(ends) * points / kFontPoints,
                                    size < 0 ? "white" : kInk));
    }
    return script + fmt::format("plot {}\n", fmt::join(drawn, ", \\\n  "));
}

}  // namespace ringmesh::lab
