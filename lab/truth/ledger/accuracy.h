// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "lab/table/answer.h"
#include "lab/table/writers/json.h"
#include "lab/truth/ledger/report.h"

/// How near a study comes to what was published, and whether its error bars hold what they promise.
namespace ringmesh::lab {

inline constexpr const char* kCountedFile = "counted.csv";

/// Says of each row whether the accuracy counts it. In a study with counted.csv (columns id, group, why) these are the
/// rows that the file names, whatever becomes of the others; in one without it all that compare a simulated number
/// with a published one that is not 0, but not the bounds.
/// @throws UserError "FILE:LINE: ..." for an unknown group, a group without a reason, an id twice, and, if `whole`, an
/// id that no row has and nobody left out
void mark_counted(Report& report, const std::filesystem::path& study, bool whole);

/// 0 of none.
double median(std::vector<double> values);

/// How near simulated numbers come to published ones, whatever their tolerances.
struct Accuracy {
    std::size_t compared = 0;
    std::size_t within_5 = 0;  ///< percent of the published number
    std::size_t within_10 = 0;
    std::size_t within_25 = 0;
    double median_percent = 0;  ///< of the errors without their signs
};
/// Rows whose accuracy is told apart from that of others.
struct AccuracyGroup {
    const char* name;
    bool (*holds)(const Row& row);
    bool is_part_of_all = false;
    bool without_table = false;  ///< each row as it is with its table left out of the calibrations
};
/// All of the machine's own papers; those without contradictions; those that set nothing; all, but cross-validated;
/// those that the model never saw; those of other sources.
std::span<const AccuracyGroup> accuracy_groups();

Accuracy accuracy_of(std::span<const Report> reports, const AccuracyGroup& group);
/// Counted rows that are out of their tolerance and off by more than kFarPercent, for one stated reason.
struct Miss {
    const Row* farthest;
    std::size_t others = 0;
};
/// The farthest first, at most this many of each study.
inline constexpr std::size_t kMostMisses = 6;
std::vector<Miss> largest_misses(const Report& report);

/// How many constants rows of the study have set, and how many counted rows that set nothing judge them; empty where
/// none is set or none judges.
std::string constants_text_of(const Report& report);

/// A line for each machine and group that has other rows than the line above it; then one for all machines together.
TextTable accuracy_table(std::span<const Report> reports);
/// How many published numbers are simulated within 10 and 5 %, and the median error; nothing where none is counted.
Answer answer_of(std::span<const Report> reports);
/// The table below the answer; nothing where nothing is counted.
std::string accuracy_text(std::span<const Report> reports, Room room);
/// {GROUP: {compared, within_5_percent, ...}, constants: [NAME], largest_misses: [ID]}
Json accuracy_json(const Report& report);
/// For docs/how_true.md: the table, then a line for each miss. All of these lines begin with "| " or "- ".
std::string accuracy_markdown(std::span<const Report> reports);

/// Whether error bars hold what they promise, over rows whose published number the model never saw: how many published
/// numbers lie within their interval, and how wide it is. The interval of a row is its bar and what the source leaves
/// open, in squares; of a sound one 95 % hold the number.
struct Coverage {
    std::size_t rows = 0;
    std::size_t inside = 0;
    std::size_t narrow = 0;   ///< intervals that go less than a tenth of the published number to each side
    double median_width = 0;  ///< in parts of the published number
    double score = 0;         ///< mean interval score in the same parts: width, and 40 times what a miss is outside
    std::vector<std::string> outside = {};  ///< ids of rows
    std::size_t without_bar = 0;            ///< further rows of which nobody has made one
    std::size_t without_width = 0;  ///< likewise of which nothing moves the number and the source leaves nothing
};

/// Counts rows one by one.
class CoverageCounter {
public:
    /// @param low, high of the simulated number's error: it has the published number in it if zero lies between
    /// @pre the row has a published number that is not zero
    void add(const Row& row, double low, double high);
    void add_without_bar() { ++coverage_.without_bar; }
    void add_without_width() { ++coverage_.without_width; }
    Coverage coverage() const;

private:
    Coverage coverage_;
    std::vector<double> widths_;
};

/// Of rows that calibrated nothing and were in sight of no choice. @param whole_tables only of sections in which no row
/// calibrated anything
Coverage coverage_of(const Report& report, bool whole_tables = false);
/// By its members.
Json coverage_json(const Coverage& coverage);
/// "38 of 41 lie within their interval (93 %), ..."
std::string coverage_text(const Coverage& coverage);

}  // namespace ringmesh::lab
