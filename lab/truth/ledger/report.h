// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/table/writers/text_table.h"
#include "lab/truth/rows/frozen.h"
#include "lab/truth/rows/row.h"

namespace ringmesh::lab {

/// Of a machine whose rows predict something, each calibrated input has this many independent numbers that judge it.
inline constexpr std::size_t kNumbersPerCalibrated = 5;

/// What was varied for the error bars of a study.
struct VariedInputs {
    std::size_t all = 0;
    std::vector<std::string> calibrated = {};
    std::size_t independent = 0;         ///< rank of the matrix of published rows by inputs
    std::vector<std::string> free = {};  ///< that move no row with a published number: the comparison is silent on them
    std::vector<std::string> changed = {};           ///< since the bars were kept, with what each was and is
    std::map<std::string, std::string> states = {};  ///< of each input when they were made, as state_of()
    bool are_kept = false;                           ///< in the study's folder
};

/// The validation of one study.
struct Report {
    struct Table {
        std::string title;
        TextTable table;
        std::vector<std::string> notes = {};
    };
    std::string machine;
    std::string title;
    std::vector<Row> rows;      ///< those of one section in a row
    std::vector<Table> tables;  ///< shown below the rows
    std::vector<std::string> notes;
    std::vector<std::string> constants = {};  ///< names of what rows of this study have set; what others set is theirs
    /// Ids of rows that take long to simulate and were not requested.
    std::vector<std::string> left_out = {};
    /// "ID: why" of published rows for which nothing is run.
    std::vector<std::string> not_run = {};
    std::optional<VariedInputs> inputs = {};  ///< if rows have bars
    std::vector<Prediction> predictions = {};
    /// What was frozen of rows that were not found: they are gone or, if so, left out because they take long.
    std::vector<FrozenNumber> not_found = {};
    bool not_found_is_long = false;
    /// The study comes with Ringmesh: its page is one of docs/reference/evidence/validation/.
    bool ships = false;

    /// The row of this id; null if there is none.
    const Row* find(std::string_view id) const;
};

/// Whether no row is worse than frozen, nothing that was frozen is gone and no frozen prediction has moved. In a study
/// that has frozen no row: whether each is within its tolerance or is a stated miss.
bool all_within(std::span<const Report> reports);

/// How many rows of each role are within their tolerance, how many have each verdict, how many were left out: a
/// sentence.
std::string summary(std::span<const Report> reports);

/// How many rows with a bar have a known error, agree, say nothing, were entered, are moved by nothing, and how many
/// inputs are free: sentences. @pre it has bars
std::string bar_counts(const Report& report);

/// A table below its title, with its notes.
std::string table_text(const Report::Table& table, Room room = {});

/// The report as text for this room; begins with counts by role, then what is not as frozen and the
/// largest errors, by reason.
/// @param details each of these rows, and with the words of each row: what it is, why it has its role, notes
std::string report_text(const Report& report, bool details = false, Room room = {});

/// As a page: counts, and a line for each row. Depends on the reports only.
std::string report_markdown(std::span<const Report> reports);
/// In its first lines.
inline constexpr std::string_view kMarkdownMark = "`ringmesh validate --why ID` shows everything about one row.";

/// {ringmesh, rows, tables, predictions, accuracy, coverage, inputs, left_out}: rows and predictions by their columns;
/// each table {machine, title, columns, rows, notes}, its cells as texts; accuracy, coverage and inputs by study;
/// left_out lists ids.
/// @throws ModelError if a number is not finite
std::string report_json(std::span<const Report> reports);

/// Only the tables, each with its own columns: its title behind "# ", a line of columns with their units in brackets, a
/// line for each row; an empty line between two.
std::string tables_csv(std::span<const Report> reports);

}  // namespace ringmesh::lab
