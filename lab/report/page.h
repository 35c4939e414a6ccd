// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/table/json.h"
#include "platforms/drawing.h"
#include "tlm/parameters/names.h"
#include "workloads/workload.h"

/// What a report shows in the browser. Each number of a drawing is in one of the page's tables, never rounded; charts
/// name the columns.
namespace ringmesh::lab {

struct PageTable {
    std::string id;  ///< unique on the page
    std::string title;
    workloads::Results content;
};

enum class Scale : std::uint8_t { kLinear, kLog };
inline constexpr NameTable<Scale, 2> kScales{{{{"linear", Scale::kLinear}, {"log", Scale::kLog}}}};

enum class ChartForm : std::uint8_t { kLines, kPoints, kBars };
inline constexpr NameTable<ChartForm, 3> kChartForms{
    {{{"lines", ChartForm::kLines}, {"points", ChartForm::kPoints}, {"bars", ChartForm::kBars}}}};

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
};

/// A part of the x axis with a meaning: where a network saturates.
struct BandMark {
    double low = 0;
    double high = 0;
    std::string label;
    std::string series = {};  ///< of this curve alone; empty: of all
    std::string facet = {};
};

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
    std::string y_title = {};  ///< empty: that of the quantity shown
    std::string y_unit;
    Scale x_scale = Scale::kLinear;
    Scale y_scale = Scale::kLinear;
    ChartForm form = ChartForm::kLines;
    std::vector<PublishedMark> published = {};
    std::vector<CrossingMark> crossings = {};
    std::vector<BandMark> bands = {};
    std::vector<std::string> notes = {};
};

/// A machine of a run.
struct PageMachine {
    std::string title;  ///< "wulfkit-torus-2d, topology.dimensions=4x4"
    std::string what;   ///< the run whose use is shown, if there is one
    platforms::Drawing drawing;
    std::string parameters;   ///< id of the table
    std::string places = {};  ///< id of the table of use by place; empty: not recorded
    Json series = {};         ///< use over time, as interface `series` of a point; null: not recorded
    std::vector<std::string> notes = {};
};

/// A message or packet from begin to end, leg by leg; rows of its table are parts.
struct PageWaterfall {
    std::string title;
    std::string table;
    std::vector<std::string> notes = {};
};

struct PageLedger {
    std::string title;
    std::string table;  ///< a row for each row, with the columns of report_json() and, where a study has them, more
    std::string summary;
    std::vector<std::string> notes = {};
};

struct Page {
    std::string title;
    std::string command;                                             ///< that makes it again
    std::vector<std::string> answer = {};                            ///< what came out, in a sentence or two
    std::vector<std::string> evidence = {};                          ///< what published numbers say of it
    std::vector<std::pair<std::string, std::string>> question = {};  ///< "program": "ping-pong", ...
    std::vector<std::string> notes;
    std::vector<PageLedger> ledgers;
    std::vector<Chart> charts;
    std::vector<PageMachine> machines;
    std::vector<PageWaterfall> waterfalls;
    std::vector<PageTable> tables;

    /// Adds a table. @return its id, made of `name` and unique
    std::string add(const std::string& name, std::string heading, workloads::Results content);
    const PageTable& table(const std::string& id) const;
    bool empty() const;
};

/// The data of the page: {ringmesh, title, command, answer, evidence, question, notes, tables, charts, machines,
/// waterfalls, ledgers}; a table {id, title, columns: [{name, title, unit}], values: [[...] of each column], notes}.
/// @throws ModelError if a number is not finite
Json page_json(const Page& page);

/// All of it as one file that a browser opens without a network; tables alone without JavaScript. Equal pages are equal
/// texts.
/// @throws ModelError as page_json()
std::string page_html(const Page& page);
/// Near its beginning.
inline constexpr std::string_view kPageMark = "<meta name=\"generator\" content=\"ringmesh ";

}  // namespace ringmesh::lab
