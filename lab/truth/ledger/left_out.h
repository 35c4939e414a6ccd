// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "lab/table/listing.h"
#include "lab/truth/ledger/report.h"

/// What rows are when the calibrated inputs have not seen their table: left_out.csv in a study's folder uncertainty/,
/// which `calibrate --cross-validate --keep` writes and `validate` reads.
namespace ringmesh::lab {

inline constexpr const char* kLeftOutFile = "left_out.csv";

/// A row of a table that calibrated something: a line of the file.
struct LeftOutRow {
    std::string id;
    std::string table;  ///< its section
    double published = 0;
    LeftOut found;

    /// Of the published number.
    double error_percent(double number) const;
};
const Listing<LeftOutRow>& left_out_columns();

/// Adds to the rows what the file says of them. Without a file nothing.
/// @throws UserError "FOLDER/FILE:LINE: ..."
void read_left_out(Report& report, const std::filesystem::path& study);

/// How the kept numbers stand to the present model.
struct LeftOutState {
    std::string model = {};           ///< version with which they were made; empty: none are kept
    std::size_t rows = 0;             ///< counted rows that have one
    std::size_t hang_on_choices = 0;  ///< further ones, of which nothing tells what they would be
    std::size_t moved = 0;            ///< those of them that are simulated otherwise now
    std::size_t without = 0;          ///< counted rows that calibrated something and have none
};
LeftOutState left_out_state(const Report& report);
/// "deck: cross-validated with model 0123abcd; ...", nothing if none are kept.
std::string left_out_text_of(const Report& report);

}  // namespace ringmesh::lab
