// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/table/writers/text_table.h"
#include "workloads/workload.h"

/// Tables of typed cells (workloads::Results) as text, CSV and JSON. Tables whose rows are structs: listing.h.
namespace ringmesh::lab {

class Json;

/// The time of a rank's end, in a table of ranks.
inline constexpr std::string_view kEndOfRank = "end_ns";
/// Of a table of ranks that says how long each is idle behind its end: of each run the row of the rank that ends last,
/// one of them if several do. None of another table.
std::optional<workloads::Results> rows_of_last_ranks(const workloads::Results& table);

/// Of a least value the mean or average beside it, which says more; any other column itself.
std::size_t mean_instead(const workloads::Results& results, std::size_t column);
/// Whether a cell of the column is a number.
bool has_numbers(const workloads::Results& results, std::size_t column);

/// A row by the names of its columns.
class NamedCells {
public:
    /// Both outlive it.
    NamedCells(const workloads::Results& results, const std::vector<workloads::Cell>& cells)
        : results_(&results), cells_(&cells)
    {}

    /// Null if there is no such column.
    const workloads::Cell* cell(std::string_view column) const;
    /// None if the cell is anything but a finite number.
    std::optional<double> number(std::string_view column) const;
    /// None if it is anything but a text.
    std::optional<std::string> text(std::string_view column) const;

private:
    const workloads::Results* results_;
    const std::vector<workloads::Cell>* cells_;
};

bool is_time(const workloads::Column& column);
/// What is more the better: bandwidths and loads.
bool is_rate(const workloads::Column& column);
/// A time or a rate that was not put in, as what is offered was, nor calculated, as the latency without load.
bool is_measured(const workloads::Column& column);

/// The name of a column without its unit, for a heading: "latency min".
std::string column_title(const workloads::Column& column);
/// The cells of a column for readers: thousands grouped, as many decimals as its smallest number needs, "-" for
/// nothing.
std::vector<std::string> column_texts(const workloads::Results& results, std::size_t column);
/// A cell alone, for readers: "-" for nothing.
std::string cell_text(const workloads::Cell& cell, int decimals);
/// A cell as a value of JSON, and back.
Json cell_json(const workloads::Cell& cell);
workloads::Cell cell_from(const Json& json);

/// The results as text: units below the names, thousands grouped; ends with the notes, one per line. A table of one row
/// that is wider than the room becomes a list: a line for each column, with its name, value and unit.
std::string results_text(const workloads::Results& results, Room room);

/// The same of what SQL answers. Headings are the columns' names as the query has them, because users write them again;
/// no line is broken.
std::string answer_text(const workloads::Results& results, Room room);
/// What a study's view says: a column "published (ns)" is one of this title and unit; a first column "section" has
/// headings of rows.
TextTable view_table(const workloads::Results& results);

/// A table alone: a line of names, then the rows. @throws ModelError if a number is not finite
std::string results_csv(const workloads::Results& results);
/// The same with six digits of each number, for files that are compared and committed.
std::string six_digit_csv(workloads::Results results);
/// {columns, rows, notes, doubt, backlog}, rows as objects, so that `.rows[].latency_min_ns` finds a column by name;
/// doubt and backlog if there are. And back.
Json results_json(const workloads::Results& results);
workloads::Results results_from(const Json& json);
/// {ringmesh, columns, rows, notes}.
Json results_document(const workloads::Results& results);

}  // namespace ringmesh::lab
