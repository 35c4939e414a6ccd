// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lab/run/record/run_record.h"

/// Which published numbers stand behind an answer: no run is made for it. A study's evidence.csv says which of its rows
/// are of which machine, program, library and sizes; frozen.csv has their published and simulated numbers. So have
/// studies within a study's folder.
namespace ringmesh::lab {

inline constexpr const char* kEvidenceFile = "evidence.csv";

/// What was asked, or a line of evidence.csv, whose texts hold names with blanks between, * for any part of them;
/// empty: all.
struct EvidenceScope {
    std::string platform;
    std::string program;  ///< of a line, also with an option: "traffic:pattern=transpose"
    std::string library;
    std::vector<std::string> options = {};  ///< what was asked: "pattern=transpose"
};

/// A line of evidence.csv with the errors of its rows, in percent of the published number, without signs.
struct PublishedEvidence {
    std::string study;
    std::string about;
    EvidenceScope scope;
    std::int64_t from_bytes = 0;  ///< of messages; both 0: of all sizes
    std::int64_t to_bytes = 0;
    std::string use;             ///< what the number may be used for; empty: no line of the table
    std::vector<double> errors;  ///< none: nothing was published
    std::size_t repeated = 0;    ///< of these, those that repeat what another row says
    std::size_t calibrated = 0;  ///< rows of these that set a parameter

    bool covers(std::int64_t bytes) const { return to_bytes == 0 || (from_bytes <= bytes && bytes <= to_bytes); }
    /// "0.12 %"; "-" without a number
    std::string typical_error() const;
};

/// Of one study; nothing if it has no such file. @param asked lines of other machines, programs and libraries are left
/// out; null: none is
/// @throws UserError "FILE:LINE: ..." for a range that is none, an id that no counted row has: bounds are not counted,
/// and numbers that were not frozen have no error
std::vector<PublishedEvidence> evidence_of(const std::filesystem::path& study, const EvidenceScope* asked = nullptr);

/// The lines beneath an answer: "Published numbers: 4 KB over RCCE between neighbours: 3, typical error 2 %; 48 cores
/// sending at once: none." @param bytes sizes of messages that were asked for; empty: not known
/// @param changed whether the machine is another one than the published one
std::vector<std::string> evidence_lines(const EvidenceScope& asked, const std::vector<std::int64_t>& bytes,
                                        bool changed);

/// Of a run, or of points like it. @param table whose column size_bytes has the sizes, and options_pattern the
/// patterns if they differ
std::vector<std::string> evidence_lines(const RunRecord& record, const workloads::Results& table, bool changed);

/// For docs/how_true.md: what one wants to know, typical error, evidence, whether to use it: the lines that say so, of
/// these studies. All begin with "| ".
std::string evidence_markdown(const std::vector<std::filesystem::path>& studies);

}  // namespace ringmesh::lab
