// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/table/listing.h"

namespace ringmesh::lab {

/// What published.csv says of a row beside its numbers, and the ledger after it.
struct PublishedWords {
    std::string section;  ///< heading under which it is shown
    /// "measured": a test result; "simulated": of another program; "derived": the authors' arithmetic; "figure": read
    /// off a figure; "claim": said in the text without a test that one could repeat.
    std::string kind;
    std::string source;   ///< tags of docs/reference/evidence/sources.md
    std::string chose;    ///< what was chosen with this number in sight, beyond what provenance names
    std::string repeats;  ///< id of the row whose evidence this one is again; empty: its own
    std::string miss;     ///< why it is out of its tolerance; a row that is within it then fails
    std::string note;
};

/// What others published, or what a formula is asked: a row of published.csv. Numbers are as printed, never rounded,
/// converted or corrected.
struct PublishedRow : PublishedWords {
    std::string where;       ///< "FILE:LINE"
    std::string id;          ///< unique; begins with the machine; one * stands for a series: "ring.latency_*B"
    std::string quantity;    ///< a * in these words is what it stood for
    std::string conditions;  ///< likewise
    std::optional<double> value;
    std::string unit;
    std::string tolerance;  ///< "0.25 %", "1 ns", or from where to where: "2..13 %"; empty: cannot fail
    std::string why_not;    ///< why nothing is run for it
    bool is_long = false;   ///< comes with --full alone

    std::string machine() const { return id.substr(0, id.find('.')); }
    std::string quantity_and_conditions() const;
    /// This row for a member of its series. @pre matches(other_id)
    PublishedRow of_series(std::string_view member) const;
    bool matches(std::string_view other_id) const;
};

/// A column of texts of published.csv and the member that it fills.
struct PublishedText {
    const char* name;
    std::string PublishedRow::*member;
    bool required = false;
    bool in_findings = true;  ///< a view finding_* may say it instead
};
std::span<const PublishedText> published_texts();
const Listing<PublishedRow>& published_columns();

/// A study's published.csv.
class Published {
public:
    Published() = default;
    /// @throws UserError with every problem, one a line: FILE:LINE, column, what is wrong and a cure
    explicit Published(const std::filesystem::path& file);

    const std::vector<PublishedRow>& rows() const { return rows_; }
    std::vector<std::string> ids() const;
    /// The row of this id, or else of the series that says most of it; null if there is none.
    const PublishedRow* find(std::string_view id) const;
    /// @throws UserError if there is no such row, or none with a number
    double value(std::string_view id) const;
    const std::filesystem::path& file() const { return file_; }

private:
    std::filesystem::path file_;
    std::vector<PublishedRow> rows_;
};

/// A tolerance as text, applied to a reference.
struct Tolerance {
    double low = 0;  ///< what passes, in the row's unit
    double high = 0;
    std::string note;  ///< "from 2 to 13 % is asked"; empty for one that is alike on both sides
};
/// @param unit of the row, in which an absolute tolerance must be
/// @throws UserError saying how to write one; for a percentage of 0, and bounds that do not hold the reference
Tolerance tolerance_of(const std::string& text, double reference, const std::string& unit);

}  // namespace ringmesh::lab
