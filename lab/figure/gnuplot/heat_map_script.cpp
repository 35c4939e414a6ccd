// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/figure/chart_choice.h"
#include "lab/figure/gnuplot/gnuplot_words.h"
#include "lab/table/results.h"
#include "lab/table/writers/cells.h"
#include "lab/table/writers/text_table.h"

/// Heat maps: a cell for each pair of values of two axes.
namespace ringmesh::lab {
namespace {

using workloads::Results;

constexpr double kHalfCell = 0.48;  // of a cell that is 1 wide, so that neighbours part

/// A value's place among those of its axis.
template <class Value>
double place_in(const std::vector<Value>& values, const Value& value)
{
    return static_cast<double>(std::find(values.begin(), values.end(), value) - values.begin());
}

/// Ticks with words, each or each second, third, ..., as many as have room.
/// @param words_with_room how many words of an axis have room
std::string ticks_of(const std::vector<std::string>& words, double words_with_room)
{
    const double count = static_cast<double>(words.size());
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(count / std::max(words_with_room, 1.0))));
    std::vector<std::string> ticks;
    for (std::size_t i = 0; i < words.size(); i += step) ticks.push_back(fmt::format("{} {}", in_quotes(words[i]), i));
    return fmt::format("({})", fmt::join(ticks, ", "));
}

/// "0.123", "3,530"
std::string three_digits(double value)
{
    if (value == 0) return "0";
    const auto magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    constexpr int kLongest = 6;
    if (magnitude >= kLongest || magnitude < -4) return fmt::format("{:.3g}", value);
    const double unit = std::pow(10, magnitude - 2);
    return with_thousands(std::round(value / unit) * unit, std::max(2 - magnitude, 0));
}

std::size_t longest(const std::vector<std::string>& words)
{
    std::size_t most = 1;
    for (const std::string& word : words) most = std::max(most, word.size());
    return most;
}

class HeatMapScript {
public:
    HeatMapScript(const Chart& chart, const Results& table, const PictureFormat& format)
        : chart_(chart), table_(table), format_(format), panels_(panels_of(chart, table, chart.y.front()))
    {
        if (panels_.size() > kMostPanels) panels_.resize(kMostPanels);
        bool positive = true;
        for (const Panel& panel : panels_) {
            for (const Curve& curve : panel.curves) {
                if (std::find(rows_.begin(), rows_.end(), curve.name) == rows_.end()) rows_.push_back(curve.name);
                for (const PanelPoint& point : curve.points) {
                    columns_.push_back(point.x);
                    (point.doubted ? doubted_ : values_).add(point.y);
                    positive = positive && point.y > 0;
                }
            }
        }
        std::sort(columns_.begin(), columns_.end());
        columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
        const auto number = [](const std::string& word) { return number_from<double>(word); };
        if (std::all_of(rows_.begin(), rows_.end(), number)) {
            std::sort(rows_.begin(), rows_.end(), [&number](const std::string& a, const std::string& b) {
                return number(a).value_or(0) < number(b).value_or(0);
            });
        }
        column_words_ = category_texts(table, chart.x);
        if (column_words_.empty()) {
            for (const double column : columns_) column_words_.push_back(tick_text(column));
        }
        any_doubted_ = !doubted_.is_empty();
        if (values_.is_empty()) values_ = doubted_;
        logarithmic_ = chart.y_scale == Scale::kLog && positive && values_.high > values_.low;
    }

    std::string text()
    {
        const double height = panel_cm() * static_cast<double>(panels_.size()) + (any_doubted_ ? kKeyRow : 0);
        put(terminal_text(format_, height));
        put(fmt::format(
            "set encoding utf8\nset border 3 linewidth 0.6 linecolor '{0}'\nset tics nomirror out scale 0.4 "
            "textcolor '{0}'",
            kInk));
        std::vector<std::string> colours;
        for (std::size_t i = 0; i < kHeatColours.size(); ++i)
            colours.push_back(fmt::format("{} '{}'", i, kHeatColours[i]));
        put(fmt::format("set palette defined ({})", fmt::join(colours, ", ")));
        if (logarithmic_) put("set logscale cb\nset cbtics " + logarithmic_ticks());
        put(fmt::format(
            "set cbrange [{}:{}]\nset format cb '%.6g'", values_.low,
            values_.high > values_.low ? values_.high : values_.low + std::max(std::abs(values_.low), 1.0)));
        const auto title = [this](const std::string& name) {
            const workloads::Column& column = column_named(table_, name);
            return std::pair(column_title(column), column.unit);
        };
        const auto [quantity, unit] = title(chart_.y.front().column);
        put("set cblabel " +
            in_lines(axis_title(chart_.y_title.empty() ? quantity : chart_.y_title, chart_.y_unit),
                     letters_of(panel_cm())) +
            " offset 0.5");
        auto [row_title, row_unit] = title(chart_.series.front());
        if (!chart_.series_title.empty()) row_title = chart_.series_title;
        put("set ylabel " + in_lines(axis_title(row_title, row_unit), letters_of(panel_cm())));
        put("set xlabel " + in_lines(axis_title(chart_.x_title, chart_.x_unit), letters_of(axes_cm())));
        put(fmt::format("set xrange [-0.5:{}]\nset yrange [-0.5:{}]", static_cast<double>(columns_.size()) - 0.5,
                        static_cast<double>(rows_.size()) - 0.5));
        put("set xtics " +
            ticks_of(column_words_, letters_of(axes_cm()) / (static_cast<double>(longest(column_words_)) + 0.5)));
        put("set ytics " + ticks_of(rows_, (panel_cm() - kAround) / kLine));
        put(fmt::format("set rmargin at screen {:.4f}", 1 - kScale / format_.width_cm));
        put("set key outside top center horizontal reverse Left samplen 1 width 1");
        const bool several = panels_.size() > 1;
        if (several) put(fmt::format("set multiplot layout {},1", panels_.size()));
        for (std::size_t i = 0; i < panels_.size(); ++i) {
            if (i == 1) put("unset key");
            put_panel(panels_[i], i);
        }
        if (several) put("unset multiplot");
        return std::move(script_);
    }

private:
    static constexpr double kKeyRow = 0.42;  // cm, as are the following
    static constexpr double kLine = 0.36;
    static constexpr double kAround = 1.5;
    static constexpr double kScale = 2;   // the colours with their numbers and title
    static constexpr double kBeside = 3;  // that and the words of the rows

    double panel_cm() const
    {
        const double rows = kAround + 0.7 * static_cast<double>(rows_.size());
        return std::clamp(rows, 0.5 * format_.width_cm, 0.75 * format_.width_cm);
    }
    double axes_cm() const { return std::max(format_.width_cm - kBeside, 1.0); }

    /// Over less than two decades gnuplot's own would be a number or none.
    std::string logarithmic_ticks() const
    {
        constexpr double kMostTicks = 6;
        std::vector<double> ticks;
        if (values_.high < 4 * values_.low) {
            const double step = tick_step(values_, kMostTicks);
            for (double tick = std::ceil(values_.low / step) * step; tick <= values_.high; tick += step) {
                ticks.push_back(tick);
            }
        } else {
            for (double power = std::floor(std::log10(values_.low)); power <= std::log10(values_.high); ++power) {
                for (const double digit : {1, 2, 5}) ticks.push_back(digit * std::pow(10, power));
            }
            const auto beyond = [this](double tick) { return tick < values_.low || tick > values_.high; };
            std::erase_if(ticks, beyond);
            const auto is_one = [](double tick) { return std::abs(std::remainder(std::log10(tick), 1)) < 1e-9; };
            if (static_cast<double>(ticks.size()) > kMostTicks) std::erase_if(ticks, std::not_fn(is_one));
        }
        std::vector<std::string> texts;
        for (const double tick : ticks) texts.push_back(fmt::format("{} {}", in_quotes(tick_text(tick)), tick));
        return fmt::format("({})", fmt::join(texts, ", "));
    }

    /// 0 for the lightest colour, 1 for the darkest.
    double part(double value) const
    {
        if (values_.high <= values_.low) return 0;
        return logarithmic_ ? std::log(value / values_.low) / std::log(values_.high / values_.low)
                            : (value - values_.low) / (values_.high - values_.low);
    }

    void put(const std::string& line) { script_ += line + '\n'; }

    void put_panel(const Panel& panel, std::size_t number)
    {
        std::string cells;
        std::string crossed;
        std::string dark;  // words on light cells, and light ones on dark cells
        std::string light;
        std::size_t widest = 1;
        for (const Curve& curve : panel.curves) {
            const double row = place_in(rows_, curve.name);
            for (const PanelPoint& point : curve.points) {
                const double column = place_in(columns_, point.x);
                if (point.doubted) {
                    crossed += fmt::format("{} {}\n", column, row);
                    continue;
                }
                cells += fmt::format("{} {} {}\n", column, row, point.y);
                const std::string word = three_digits(point.y);
                widest = std::max(widest, word.size());
                (part(point.y) > kDarkFrom ? light : dark) += fmt::format("{} {} {}\n", column, row, word);
            }
        }
        const auto block = [&](const char* name, const std::string& data) {
            put(fmt::format("${}{} << EOD\n{}EOD", name, number, data));
            return fmt::format("${}{}", name, number);
        };
        std::vector<std::string> plots;
        if (!cells.empty()) {
            plots.push_back(
                fmt::format("{} using 1:2:($1-{h}):($1+{h}):($2-{h}):($2+{h}):3 with boxxyerror fillstyle solid "
                            "1 noborder linecolor palette notitle",
                            block("cells", cells), fmt::arg("h", kHalfCell)));
        }
        constexpr double kSmall = 6.0 / kFontPoints;
        const double letters = letters_of(axes_cm()) / kSmall / static_cast<double>(columns_.size());
        const bool has_room = letters > static_cast<double>(widest) + 0.5 &&
                              (panel_cm() - kAround) / static_cast<double>(rows_.size()) > kSmall * kLine;
        for (const auto& [name, data, colour] :
             {std::tuple("dark", &dark, kInk), std::tuple("light", &light, "white")}) {
            if (!has_room || data->empty()) continue;
            plots.push_back(
                fmt::format("{} using 1:2:3 with labels font ',6' textcolor '{}' notitle", block(name, *data), colour));
        }
        if (!crossed.empty()) {
            const std::string crosses = block("crossed", crossed);
            plots.push_back(
                fmt::format("{} using 1:2:($1-{h}):($1+{h}):($2-{h}):($2+{h}) with boxxyerror fillstyle solid 1 "
                            "noborder linecolor '{}' notitle",
                            crosses, kDoubted, fmt::arg("h", kHalfCell)));
            plots.push_back(
                fmt::format("{} using 1:2 with points pointtype 2 pointsize 0.6 linewidth 1.2 linecolor '{}' notitle",
                            crosses, kInk));
        }
        if (number == 0 && any_doubted_) {
            plots.push_back(fmt::format(
                "NaN with points pointtype 2 pointsize 0.6 linewidth 1.2 linecolor '{}' title 'in doubt'", kInk));
        }
        put(panel.name.empty() ? "unset title" : "set title " + in_quotes(panel.name));
        put(fmt::format("plot {}", fmt::join(plots, ", \\\n  ")));
    }

    static constexpr double kDarkFrom = 0.55;
    static constexpr const char* kDoubted = "#dddddd";

    const Chart& chart_;
    const Results& table_;
    const PictureFormat& format_;
    std::vector<Panel> panels_;
    std::vector<double> columns_;
    std::vector<std::string> column_words_;
    std::vector<std::string> rows_;
    Reach values_;  // of the colours; doubted cells are grey
    Reach doubted_;
    bool logarithmic_ = false;
    bool any_doubted_ = false;
    std::string script_;
};

}  // namespace

std::string heat_map_script(const Chart& chart, const Results& table, const PictureFormat& format)
{
    return HeatMapScript(chart, table, format).text();
}

}  // namespace ringmesh::lab
