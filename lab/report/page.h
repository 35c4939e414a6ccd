// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "lab/figure/chart.h"
#include "lab/table/writers/json.h"
#include "platforms/drawing.h"
#include "workloads/workload.h"

/// What a report shows in the browser. Each number of a drawing is in one of the page's tables, never rounded; charts
/// name the columns.
namespace ringmesh::lab {

struct PageTable {
    std::string id;  ///< unique on the page
    std::string title;
    workloads::Results content;
};

/// A machine of a run.
struct PageMachine {
    std::string title;  ///< "wulfkit-torus-2d, topology.dimensions=4x4"
    std::string what;   ///< the run whose use is shown, if there is one
    platforms::Drawing drawing;
    std::string parameters;       ///< id of the table
    std::string places = {};      ///< id of the table of use by place; empty: not recorded
    std::string bottleneck = {};  ///< a place of that table; empty: none
    Json series = {};             ///< use over time, as interface `series` of a point; null: not recorded
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
    std::vector<std::pair<std::string, std::string>> columns;  ///< of it, that are shown at once: name and title
    std::vector<std::vector<std::string>> texts;               ///< of each row, of these columns
    std::vector<std::pair<std::string, std::string>> words;    ///< columns that a row unfolds
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
