// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tlm/parameters/names.h"

/// What a figure shows: of which table, which axes, curves, units, intervals and marks. The report's page and picture
/// files are both drawn from it.
namespace ringmesh::lab {

enum class Scale : std::uint8_t { kLinear, kLog };
inline constexpr NameTable<Scale, 2> kScales{{{{"linear", Scale::kLinear}, {"log", Scale::kLog}}}};

enum class ChartForm : std::uint8_t {
    kLines,
    kPoints,
    kBars,
    kHeatMap,  ///< a cell for each x and each value of the one series column, coloured by y
};
inline constexpr NameTable<ChartForm, 4> kChartForms{{{{"lines", ChartForm::kLines},
                                                       {"points", ChartForm::kPoints},
                                                       {"bars", ChartForm::kBars},
                                                       {"heat-map", ChartForm::kHeatMap}}}};

/// What others published, on a chart: a point; a level if it has no x; a place on the x axis if it has no y.
struct PublishedMark {
    std::string id;
    std::string label;
    std::string source;
    std::optional<double> x;
    std::optional<double> y;
    std::optional<double> low;  ///< its uncertainty: of y, or of x if it has no y
    std::optional<double> high;
    std::string series = {};  ///< only with this series or facet; empty: with all
    std::string facet = {};
};

/// Where two curves change places.
struct CrossingMark {
    double x = 0;
    std::string label;                     ///< "ring, torus: 9.4"
    std::vector<std::string> curves = {};  ///< by name
    std::string y_column;                  ///< of the chart's y columns
    std::string facet = {};
    bool within_noise = false;
    std::optional<double> low = {};  ///< 95 % of the places that the inputs' ranges give
    std::optional<double> high = {};
};

/// A part of the x axis with a meaning: where a network saturates.
struct BandMark {
    double low = 0;
    double high = 0;
    std::string label;
    std::string series = {};  ///< of this curve alone; empty: of all
    std::string facet = {};
};

/// Colours of curves on white, which also readers without red or green tell apart; report.css has the same.
inline constexpr std::array kCurveColours{"#0072b2", "#c8500a", "#4b7050", "#ee5a96",
                                          "#4a2800", "#12395a", "#b02ee8", "#111111"};

/// From the least to the most, darker throughout, so that they can be read without hues; drawing.js has the same.
inline constexpr std::array kHeatColours{"#c6d1db", "#fbd38d", "#f59e54", "#dd4b2f", "#8f1414", "#4a0404"};

/// Quantities of one unit over another.
struct Chart {
    struct Quantity {
        std::string column;
        std::string half = {};  ///< column of half the 95 % interval; empty: none
        std::string low = {};   ///< columns of both ends of an interval, in place of `half`
        std::string high = {};
    };

    std::string id;
    std::string title;
    std::string table;                ///< id of its table
    std::string x;                    ///< a column; texts stand beside each other
    std::vector<Quantity> y;          ///< the page shows one at a time, the first one first
    std::vector<std::string> series;  ///< columns that tell curves apart
    std::vector<std::string> facets;  ///< columns that tell panels apart
    std::string x_title;
    std::string x_unit;
    std::string y_title = {};       ///< empty: that of the quantity shown
    std::string series_title = {};  ///< of the other axis of a heat map; empty: that of its column
    std::string y_unit;
    Scale x_scale = Scale::kLinear;
    Scale y_scale = Scale::kLinear;
    ChartForm form = ChartForm::kLines;
    std::vector<std::string> lines = {};   ///< curves without marks, such as formulas
    std::vector<std::string> points = {};  ///< curves of marks alone, such as what was measured
    std::optional<Quantity> beneath = {};  ///< in a lower panel of the same x and curves, such as errors
    std::string beneath_unit = {};
    std::vector<PublishedMark> published = {};
    std::vector<CrossingMark> crossings = {};
    std::vector<BandMark> bands = {};
    std::vector<std::string> notes = {};
};

}  // namespace ringmesh::lab
