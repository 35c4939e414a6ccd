// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lab/figure/chart_choice.h"
#include "lab/figure/gnuplot/gnuplot_words.h"
#include "lab/figure/means.h"
#include "lab/table/results.h"
#include "lab/table/writers/cells.h"

/// Charts.
namespace ringmesh::lab {
namespace {

using workloads::Results;

constexpr const char* kSaturated = "#d08000";
constexpr const char* kPaleInk = "#e0e0e0";
constexpr double kKeyRowCm = 0.42;
constexpr double kTextRows = 20;  // of a plot in the terminal

struct PictureAxis {
    bool logarithmic = false;
    Reach ends;

    /// 0 at the low end, 1 at the high one.
    double part(double value) const
    {
        return logarithmic ? std::log(value / ends.low) / std::log(ends.high / ends.low)
                           : (value - ends.low) / (ends.high - ends.low);
    }
};

/// From zero unless that would flatten the curves.
Reach linear_ends(const Reach& reach)
{
    if (reach.is_empty()) return {0, 1};
    if (reach.low >= 0 && reach.low < 0.6 * reach.high) return {0, reach.high * 1.06};
    const double span = reach.high - reach.low;
    const double room = (span > 0 ? span : std::max(std::abs(reach.high), 1.0)) * 0.08;
    return {reach.low - room, reach.high + room};
}
Reach logarithmic_ends(const Reach& reach) { return {reach.low / 1.2, reach.high * 1.2}; }

/// 1, 2, 5, 10, ... or, over many decades, powers of ten.
std::vector<double> logarithmic_ticks(const Reach& ends)
{
    const double decades = std::log10(ends.high / ends.low);
    std::vector<double> steps{1, 1.5, 2, 3, 4, 5, 6, 8};
    if (decades > 0.7) steps = {1, 2, 3, 5};
    if (decades > 1.2) steps = {1, 2, 5};
    if (decades > 2.2) steps = {1};
    std::vector<double> ticks;
    for (double power = std::floor(std::log10(ends.low)); power <= std::log10(ends.high); ++power) {
        for (const double step : steps) {
            const double tick = step * std::pow(10, power);
            if (tick >= ends.low && tick <= ends.high) ticks.push_back(tick);
        }
    }
    return ticks;
}

/// Whether a value may stand at an axis in its own right.
bool is_round(double value)
{
    return value == std::round(value) || std::abs(value * 100 - std::round(value * 100)) < 1e-9;
}

/// Each tick, each second or each third, ..., so that their words have room.
std::string ticks_text(const PictureAxis& axis, const std::vector<double>& ticks, double characters, bool named = true)
{
    std::vector<std::string> texts;
    for (std::size_t step = 1; step <= ticks.size(); ++step) {
        texts.clear();
        double end = -1;
        bool fits = true;
        for (std::size_t i = 0; i < ticks.size(); i += step) {
            const std::string word = tick_text(ticks[i]);
            const double half = (static_cast<double>(word.size()) + 1) / 2 / characters;
            const double at = axis.part(ticks[i]);
            fits = fits && at - half >= end;
            end = at + half;
            texts.push_back(fmt::format("{} {}", in_quotes(named ? word : ""), ticks[i]));
        }
        if (fits) break;
    }
    return fmt::format("({})", fmt::join(texts, ", "));
}

bool is_named(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// A panel of a picture.
struct DrawnPanel {
    const Panel* panel;
    bool beneath = false;

    double height() const { return beneath ? 0.35 : 1; }
};

class ChartScript {
public:
    ChartScript(const Chart& chart, const Results& table, const PictureFormat& format)
        : chart_(chart), table_(table), format_(format), words_(category_texts(table, chart.x))
    {
        panels_ = panels_of(chart, table, chart.y.front());
        if (chart.beneath) beneath_ = panels_of(chart, table, *chart.beneath);
        for (const auto* panels : {&panels_, &beneath_}) {
            for (const Panel& panel : *panels) {
                for (const Curve& curve : panel.curves) {
                    if (!is_named(names_, curve.name)) names_.push_back(curve.name);
                }
            }
        }
        for (const Panel& panel : panels_) {
            if (drawn_.size() == kMostPanels) break;
            drawn_.push_back({&panel});
            for (const Panel& lower : beneath_) {
                if (lower.name == panel.name) drawn_.push_back({&lower, true});
            }
        }
        x_ = axis_of_x();
        names_at_ends_ = names_fit_at_ends();
    }

    std::string text();

private:
    bool is_text() const { return format_.form == PictureForm::kText; }
    /// Of 8 points, in a panel's width.
    double characters() const
    {
        return is_text() ? static_cast<double>(format_.columns) - 12 : letters_of(0.78 * format_.width_cm);
    }
    PictureAxis axis_of_x();
    PictureAxis axis_of_y(bool beneath) const;
    /// The title of the x axis, as gnuplot takes it.
    std::string x_title() const { return in_lines(axis_title(chart_.x_title, chart_.x_unit), characters()); }
    const Chart::Quantity& quantity_of(const DrawnPanel& drawn) const
    {
        return drawn.beneath ? *chart_.beneath : chart_.y.front();
    }
    std::size_t place_of(const std::string& curve) const
    {
        return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), curve) - names_.begin());
    }
    /// Of the whole picture; known when its panels are.
    std::size_t key_columns() const;
    double key_rows() const;
    double panel_heights() const;
    double height_cm() const;
    /// Of a panel, without its title and what stands beneath the last one.
    double panel_cm() const { return std::min(0.62 * format_.width_cm, 9.0); }
    /// Whether names stand at the ends of the curves: of one panel whose curves end at the same x, far enough from each
    /// other. Else they are in the key, as are names that need its title.
    bool names_fit_at_ends() const;
    double name_cm() const;  ///< of the longest
    void put_names(const Panel& panel);
    void put(const std::string& line) { script_ += line + '\n'; }
    void put_terminal();
    void put_panel(const DrawnPanel& drawn, std::size_t number, bool last);
    void put_x_ticks(bool named);
    void put_marks(const DrawnPanel& drawn);
    void put_curves(const DrawnPanel& drawn, std::size_t number);
    void put_key();
    std::string key_title() const;
    /// An entry of the key, which all panels share.
    void add_key(const std::string& look, const std::string& title);
    std::string look_of(const std::string& curve, bool beneath, double size) const;

    const Chart& chart_;
    const Results& table_;
    const PictureFormat& format_;
    std::vector<std::string> words_;
    std::vector<Panel> panels_;
    std::vector<Panel> beneath_;
    std::vector<std::string> names_;
    std::vector<DrawnPanel> drawn_;
    PictureAxis x_;
    std::set<double> x_values_;
    bool names_at_ends_ = false;
    std::string script_;
    std::vector<std::string> plots_;  ///< of the panel
    std::vector<std::string> keys_;   ///< plots of the key alone, and their titles
    std::vector<std::string> key_titles_;
};

PictureAxis ChartScript::axis_of_x()
{
    PictureAxis axis;
    Reach reach;
    bool positive = words_.empty();
    const auto add = [&](double value) {
        reach.add(value);
        x_values_.insert(value);
        positive = positive && value > 0;
    };
    for (const auto* panels : {&panels_, &beneath_}) {
        for (const Panel& panel : *panels) {
            for (const Curve& curve : panel.curves) {
                for (const PanelPoint& point : curve.points) add(point.x);
            }
        }
    }
    if (!words_.empty()) {
        axis.ends = {-0.6, static_cast<double>(words_.size()) - 0.4};
        return axis;
    }
    for (const PublishedMark& mark : chart_.published) {
        if (!mark.x) continue;
        reach.add(*mark.x);
        positive = positive && *mark.x > 0;
    }
    axis.logarithmic = chart_.x_scale == Scale::kLog && positive;
    const double room = (reach.high - reach.low) * 0.04;
    axis.ends = axis.logarithmic ? logarithmic_ends(reach)
                                 : Reach{reach.low - (room > 0 ? room : 0.5), reach.high + (room > 0 ? room : 0.5)};
    return axis;
}

PictureAxis ChartScript::axis_of_y(bool beneath) const
{
    PictureAxis axis;
    Reach reach;
    Reach intervals;
    bool positive = true;
    const auto add = [&](double value, const std::optional<double>& low, const std::optional<double>& high) {
        reach.add(value);
        intervals.add(low);
        intervals.add(high);
        positive = positive && value > 0;
    };
    for (const Panel& panel : beneath ? beneath_ : panels_) {
        for (const Curve& curve : panel.curves) {
            for (const PanelPoint& point : curve.points) add(point.y, point.low, point.high);
        }
    }
    if (beneath) {
        reach.add(0.0);
    } else {
        for (const PublishedMark& mark : chart_.published) {
            if (mark.y) add(*mark.y, mark.low, mark.high);
        }
    }
    axis.logarithmic = !beneath && chart_.y_scale == Scale::kLog && chart_.form != ChartForm::kBars && positive;
    if (!intervals.is_empty()) {
        reach.add(intervals.high);
        if (!axis.logarithmic || intervals.low > 0.1 * reach.low) reach.add(intervals.low);
    }
    if (chart_.form == ChartForm::kBars && !beneath) reach.add(0.0);
    axis.ends = axis.logarithmic ? logarithmic_ends(reach) : linear_ends(reach);
    return axis;
}

void ChartScript::add_key(const std::string& look, const std::string& title)
{
    if (is_named(key_titles_, title)) return;
    key_titles_.push_back(title);
    keys_.push_back(fmt::format("NaN with {} title {}", look, in_quotes(title)));
}

std::size_t ChartScript::key_columns() const
{
    std::size_t longest = 0;
    for (const std::string& title : key_titles_) longest = std::max(longest, title.size());
    // gnuplot gives it the width of the axes; its letters are seldom as wide as those of numbers
    constexpr double kMeanLetter = 0.56;
    constexpr double kSample = 6;  // letters, and the room between columns
    const double cm = 0.78 * format_.width_cm - (names_at_ends_ ? name_cm() : 0);
    const double letters = is_text() ? characters() : cm * kPointsOfCm / (kMeanLetter * kFontPoints);
    return std::max<std::size_t>(1, static_cast<std::size_t>(letters / (static_cast<double>(longest) + kSample)));
}

double ChartScript::key_rows() const
{
    const double entries = std::ceil(static_cast<double>(keys_.size()) / static_cast<double>(key_columns()));
    return entries + (key_title().empty() ? 0 : 1);
}

double ChartScript::panel_heights() const
{
    double heights = 0;
    for (const DrawnPanel& each : drawn_) heights += each.height();
    return heights;
}

double ChartScript::height_cm() const { return panel_cm() * panel_heights() + kKeyRowCm * key_rows(); }

double ChartScript::name_cm() const
{
    std::size_t longest = 0;
    for (const std::string& name : names_) longest = std::max(longest, name.size());
    return static_cast<double>(longest) * kLetterWidth * kFontPoints / kPointsOfCm;
}

bool ChartScript::names_fit_at_ends() const
{
    constexpr double kMostOfWidth = 0.3;
    constexpr double kAround = 1.5;  // cm above and below the axes
    constexpr double kLine = 0.36;   // cm
    if (chart_.form != ChartForm::kLines || is_text() || names_.size() < 2 || !key_title().empty()) return false;
    if (panels_.size() != 1 || name_cm() > kMostOfWidth * format_.width_cm) return false;
    const std::vector<Curve>& curves = panels_.front().curves;
    if (curves.size() != names_.size()) return false;
    const PictureAxis y = axis_of_y(false);
    std::vector<double> ends;
    for (const Curve& curve : curves) {
        if (curve.points.empty() || curve.points.back().x != curves.front().points.back().x) return false;
        ends.push_back(y.part(curve.points.back().y) * (panel_cm() - kAround));
    }
    std::sort(ends.begin(), ends.end());
    const auto close = [](double low, double high) { return high - low < kLine; };
    return std::adjacent_find(ends.begin(), ends.end(), close) == ends.end();
}

void ChartScript::put_names(const Panel& panel)
{
    for (const Curve& curve : panel.curves) {
        const PanelPoint& last = curve.points.back();
        put(fmt::format("set label {} at first {}, first {} left offset 0.8,0 textcolor '{}'", in_quotes(curve.name),
                        last.x, last.y, style_at(place_of(curve.name)).colour));
    }
}

std::string ChartScript::text()
{
    std::vector<std::pair<std::string, std::vector<std::string>>> panels;  // and what they plot
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
        put_panel(drawn_[i], i, i + 1 == drawn_.size());
        panels.emplace_back(std::exchange(script_, {}), std::exchange(plots_, {}));
    }
    put_terminal();
    put_key();
    const bool several = drawn_.size() > 1;
    const double whole = height_cm();
    if (several) put("set multiplot");
    const double top_room = kKeyRowCm * (key_rows() + 0.4);
    constexpr double kTitleRow = 0.36;
    const auto further = static_cast<double>(std::ranges::count(x_title(), '\\'));
    const double bottom_room = is_text() ? 0.14 : (1.3 + kTitleRow * further) / whole;
    double top = 1 - top_room / whole;
    const double for_panels = top - bottom_room;
    constexpr double kLeftRoom = 1.9;  // of the words at y, alike for all panels
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
        if (several) {
            const double share = drawn_[i].height() / panel_heights() * for_panels;
            const bool begins = !drawn_[i].beneath && !drawn_[i].panel->name.empty();
            const double gap = (i == 0 ? 0 : 0.2 / whole) + (begins ? kKeyRowCm / whole : 0);
            put(fmt::format("set tmargin at screen {:.4f}", top - gap));
            put(fmt::format("set bmargin at screen {:.4f}", top - share));
            put(is_text() ? "set lmargin 9"
                          : fmt::format("set lmargin at screen {:.4f}", kLeftRoom / format_.width_cm));
            top -= share;
        }
        auto& [panel, plots] = panels[i];
        if (i == 0) plots.insert(plots.end(), keys_.begin(), keys_.end());
        if (i == 1) put("unset key");
        put(panel + fmt::format("plot {}", fmt::join(plots, ", \\\n  ")));
    }
    if (several) put("unset multiplot");
    return std::move(script_);
}

void ChartScript::put_terminal()
{
    put(terminal_text(format_, height_cm()));
    put("set encoding utf8");
    put(fmt::format("set border 3 linewidth 0.6 linecolor '{}'", kInk));
    put(fmt::format("set tics nomirror out scale 0.6 textcolor '{}'", kInk));
    if (!is_text()) put("set grid linetype 1 linewidth 0.4 linecolor '#dddddd'");
    put("set errorbars 0.6");
    put("set pointintervalbox 0.001");  // no white rings; 0 is the default, which has them
    constexpr double kGap = 0.2;
    put(names_at_ends_ ? fmt::format("set rmargin at screen {:.4f}", 1 - (name_cm() + kGap) / format_.width_cm)
                       : std::string("set rmargin 2"));
}

void ChartScript::put_x_ticks(bool named)
{
    put(named ? "set format x '%g'" : "set format x ''");
    if (!words_.empty()) {
        std::vector<std::string> texts;
        std::size_t letters = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            texts.push_back(fmt::format("{} {}", in_quotes(named ? words_[i] : ""), i));
            letters += words_[i].size() + 1;
        }
        const bool tilted = named && static_cast<double>(letters) > characters() && !is_text();
        put(fmt::format("set xtics {} ({})", tilted ? "rotate by -35" : "norotate", fmt::join(texts, ", ")));
        return;
    }
    constexpr std::size_t kFew = 12;
    const std::vector<double> values(x_values_.begin(), x_values_.end());
    if (values.size() <= kFew && std::all_of(values.begin(), values.end(), is_round)) {
        put("set xtics norotate " + ticks_text(x_, values, characters(), named));
    } else if (x_.logarithmic) {
        put("set xtics norotate " + ticks_text(x_, logarithmic_ticks(x_.ends), characters(), named));
    } else {
        constexpr double kTickWords = 6;  // and their room
        put(fmt::format("set xtics norotate {}", tick_step(x_.ends, std::min(8.0, characters() / kTickWords))));
    }
}

void ChartScript::put_panel(const DrawnPanel& drawn, std::size_t number, bool last)
{
    const PictureAxis y = axis_of_y(drawn.beneath);
    const std::string& name = drawn.panel->name;
    put("unset label");
    put("unset arrow");
    put("unset object");
    put(x_.logarithmic ? "set logscale x" : "unset logscale x");
    put(y.logarithmic ? "set logscale y" : "unset logscale y");
    put(fmt::format("set xrange [{}:{}]", x_.ends.low, x_.ends.high));
    put(fmt::format("set yrange [{}:{}]", y.ends.low, y.ends.high));
    put_x_ticks(last);
    if (y.logarithmic) {
        constexpr double kRows = 60;
        put("set ytics " + ticks_text(y, logarithmic_ticks(y.ends), kRows));
    } else {
        put(drawn.beneath ? fmt::format("set ytics {}", tick_step(y.ends, 5)) : std::string("set ytics autofreq"));
    }
    const auto title_of = [this](const std::string& column) { return column_title(column_named(table_, column)); };
    put(last ? "set xlabel " + x_title() : std::string("unset xlabel"));
    const bool own_title = !drawn.beneath && !chart_.y_title.empty();
    const std::string y_title = axis_title(own_title ? chart_.y_title : title_of(quantity_of(drawn).column),
                                           drawn.beneath ? chart_.beneath_unit : chart_.y_unit);
    put("set ylabel " + in_lines(y_title, is_text() ? kTextRows : letters_of(panel_cm() * drawn.height())));
    if (!name.empty() && !drawn.beneath) {
        std::vector<std::string> titles;
        for (const std::string& facet : chart_.facets) titles.push_back(title_of(facet));
        put(fmt::format("set label {} at graph 0, graph 1.05 left",
                        in_quotes(fmt::format("{}: {}", fmt::join(titles, ", "), name))));
    }
    if (names_at_ends_ && !drawn.beneath) put_names(*drawn.panel);
    put_curves(drawn, number);
    put_marks(drawn);
}

std::string ChartScript::key_title() const
{
    const auto is_value = [](const std::string& name) { return name.find_first_of("0123456789") == 0; };
    // "4", of which others need a title
    if (names_.size() < 2 || std::none_of(names_.begin(), names_.end(), is_value)) return {};
    std::vector<std::string> titles;
    for (const std::string& name : chart_.series) {
        const auto& column = column_named(table_, name);
        titles.push_back(axis_title(column_title(column), column.unit));
    }
    return fmt::format("{}", fmt::join(titles, ", "));
}

void ChartScript::put_key()
{
    const char* place = drawn_.size() > 1 ? "at screen 0.5, screen 0.99 center top" : "outside top center";
    put(fmt::format("set key {} horizontal maxcols {} reverse Left samplen 2 width 1 spacing 1.05", place,
                    key_columns()));
    if (const std::string title = key_title(); !title.empty()) put("set key title " + in_quotes(title));
}

void ChartScript::put_marks(const DrawnPanel& drawn)
{
    if (drawn.beneath) {
        plots_.push_back(fmt::format("0 with lines linewidth 0.6 dashtype 1 linecolor '{}' notitle", kInk));
        return;
    }
    const auto here = [&](const std::string& facet) { return facet.empty() || facet == drawn.panel->name; };
    const auto in_ink = [](int dash, double width) {
        return fmt::format("dashtype {} linewidth {} linecolor '{}'", dash, width, kInk);
    };
    const auto upright = [this](double at, const std::string& look) {
        put(fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead {1}", at, look));
    };
    for (const BandMark& band : chart_.bands) {
        if (!here(band.facet)) continue;
        if (!band.series.empty()) {
            upright(band.low,
                    fmt::format("dashtype 3 linewidth 1.2 linecolor '{}'", style_at(place_of(band.series)).colour));
            add_key("lines " + in_ink(3, 1.2), "saturation");
            continue;
        }
        put(
            fmt::format("set object rectangle from first {}, graph 0 to first {}, graph 1 behind fillcolor '{}' "
                        "fillstyle solid 0.3 border linecolor '{}'",
                        band.low, band.high, kSaturated, kSaturated));
        if (band.low == band.high) upright(band.low, fmt::format("linewidth 1.2 linecolor '{}'", kSaturated));
        add_key(fmt::format("lines linewidth 3 linecolor '{}'", kSaturated), band.label);
    }
    std::map<double, CrossingMark> crossings;  // by the number as it is written: those of one place write it once
    for (const CrossingMark& mark : chart_.crossings) {
        if (!here(mark.facet) || mark.y_column != quantity_of(drawn).column) continue;
        if (mark.low && mark.high) {
            put(
                fmt::format("set object rectangle from first {}, graph 0 to first {}, graph 1 behind fillcolor '{}' "
                            "fillstyle solid 0.12 noborder",
                            std::max(*mark.low, x_.ends.low), std::min(*mark.high, x_.ends.high), kInk));
            add_key(fmt::format("lines linewidth 6 linecolor '{}'", kPaleInk), "95 % of it, by all inputs");
        }
        upright(mark.x, in_ink(2, 0.8));
        constexpr double kThousand = 1000;
        const std::string at = mark.x < kThousand ? fmt::format("{:.3g}", mark.x) : fmt::format("{:.0f}", mark.x);
        CrossingMark& written = crossings.try_emplace(number_from<double>(at).value_or(mark.x), mark).first->second;
        written.within_noise = written.within_noise && mark.within_noise;
        add_key("lines " + in_ink(2, 0.8), "curves cross");
    }
    std::size_t crossing = 0;
    for (const auto& [at, mark] : crossings) {
        const bool at_right = x_.part(mark.x) > 0.85;
        put(fmt::format("set label {} at first {}, graph {:.2f} offset {}",
                        in_quotes(fmt::format("{}{}", mark.within_noise ? "~" : "", at)), mark.x,
                        0.98 - 0.09 * static_cast<double>(crossing++ % 3),  // beside others, lower
                        at_right ? "-0.4,-0.2 right" : "0.4,-0.2 left"));
        if (mark.within_noise) add_key("points pointtype 0 linecolor 'white'", "~ maybe noise");
    }
    std::string points;
    for (const PublishedMark& mark : chart_.published) {
        if (!here(mark.facet)) continue;
        if (mark.x && mark.y) {
            points +=
                fmt::format("{} {} {} {}\n", *mark.x, *mark.y, mark.low.value_or(*mark.y), mark.high.value_or(*mark.y));
        } else if (mark.x) {
            upright(*mark.x, in_ink(4, 1));
            add_key("lines " + in_ink(4, 1), "published place");
        } else if (mark.y) {
            put(fmt::format("set arrow from graph 0, first {0} to graph 1, first {0} nohead {1}", *mark.y,
                            in_ink(4, 1)));
            add_key("lines " + in_ink(4, 1), "published level");
        }
    }
    if (points.empty()) return;
    put("$published << EOD\n" + points + "EOD");
    const std::string look = fmt::format("pointtype 12 pointsize 0.9 linewidth 1 linecolor '{}'", kInk);
    plots_.push_back(fmt::format("$published using 1:2:3:4 with yerrorbars {} notitle", look));
    add_key("points " + look, "published");
}

std::string ChartScript::look_of(const std::string& curve, bool beneath, double size) const
{
    const CurveStyle style = style_at(place_of(curve));
    const std::string colour = fmt::format("linecolor '{}'", style.colour);
    if (chart_.form == ChartForm::kBars && !beneath) return "boxes " + colour;
    const bool line = is_named(chart_.lines, curve);
    const std::string symbol = fmt::format("pointtype {} pointsize {} {}", style.symbol, size, colour);
    const std::string dash = fmt::format("linewidth 1.3 dashtype {}", line ? 1 : style.dash);
    if (line) return fmt::format("lines {} {}", dash, colour);
    if (chart_.form != ChartForm::kLines || is_named(chart_.points, curve)) return "points " + symbol;
    return fmt::format("linespoints {} {}", dash, symbol);
}

void ChartScript::put_curves(const DrawnPanel& drawn, std::size_t number)
{
    const bool bars = chart_.form == ChartForm::kBars && !drawn.beneath;
    const double width = words_.empty() ? 0.8 : 0.8 / static_cast<double>(names_.size());
    if (bars) put(fmt::format("set boxwidth {} absolute\nset style fill solid 0.85 noborder", width * 0.95));
    std::size_t points = 0;
    for (const Curve& curve : drawn.panel->curves) points += curve.points.size();
    constexpr std::size_t kMany = 150;
    const double size = points > kMany ? 0.3 : 0.55;
    if (names_ != std::vector<std::string>{""} && !names_at_ends_) {
        for (const std::string& name : names_) add_key(look_of(name, false, size), name);
    }
    std::vector<std::size_t> order;  // marks alone on top of the others
    for (const bool on_top : {false, true}) {
        for (std::size_t i = 0; i < drawn.panel->curves.size(); ++i) {
            if (is_named(chart_.points, drawn.panel->curves[i].name) == on_top) order.push_back(i);
        }
    }
    for (const std::size_t i : order) {
        const Curve& curve = drawn.panel->curves[i];
        const std::size_t place = place_of(curve.name);
        const CurveStyle style = style_at(place);
        const double aside = bars && !words_.empty()
                                 ? (static_cast<double>(place) - static_cast<double>(names_.size() - 1) / 2) * width
                                 : 0;
        bool any_interval = false;
        std::string data;
        std::string doubted;
        std::set<std::string> doubts;  // "saturated", "not settled"
        for (const PanelPoint& point : curve.points) {
            any_interval = any_interval || (point.low && point.high);
            data += fmt::format("{} {} {} {}\n", point.x + aside, point.y, point.low.value_or(point.y),
                                point.high.value_or(point.y));
            if (!point.doubted) continue;
            doubted += fmt::format("{} {}\n", point.x, point.y);
            doubts.insert(NamedCells(table_, table_.rows[point.row]).text(kDoubt).value_or(""));
        }
        const std::string block = fmt::format("$panel{}curve{}", number, i);
        put(fmt::format("{} << EOD\n{}EOD", block, data));
        const std::string look = look_of(curve.name, drawn.beneath, size);
        plots_.push_back(fmt::format("{} using 1:2 with {} notitle", block, look));
        if (any_interval) {
            plots_.insert(plots_.end() - (bars ? 0 : 1),  // in front of a bar, behind a symbol
                          fmt::format("{} using 1:2:3:4 with yerrorbars pointtype 0 linewidth 0.9 dashtype 1 "
                                      "linecolor '{}' notitle",
                                      block, bars ? kInk : style.colour));
        }
        if (doubted.empty() || bars || is_text() || is_named(chart_.lines, curve.name)) continue;
        put(fmt::format("{}doubted << EOD\n{}EOD", block, doubted));
        plots_.push_back(
            fmt::format("{}doubted using 1:2 with points pointtype {} pointsize {} linecolor 'white' notitle", block,
                        style.symbol, 0.55 * size));
        for (const std::string& doubt : doubts) {
            add_key(fmt::format("points pointtype 6 pointsize {} linecolor '{}'", size, kInk), doubt);
        }
    }
}

}  // namespace

std::string gnuplot_script(const Chart& chart, const Results& table, const PictureFormat& format)
{
    if (chart.form != ChartForm::kHeatMap) return ChartScript(chart, table, format).text();
    if (format.form != PictureForm::kText) return heat_map_script(chart, table, format);
    Chart curves = chart;
    curves.form = ChartForm::kLines;
    return ChartScript(curves, table, format).text();
}

}  // namespace ringmesh::lab
