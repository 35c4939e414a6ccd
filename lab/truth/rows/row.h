// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/truth/rows/published.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {

/// What a comparison is worth. The program derives it from provenance, published.csv and variants.
enum class Role : std::uint8_t {
    kCalibration,  ///< the provenance of a parameter or an option names the row
    kSeen,         ///< something else was chosen with the published number in sight
    kPrediction,   ///< published, and none of the above
    kFormula,      ///< nothing published or nothing simulated: the formula judges, or is judged
    kAlternative,  ///< of a variant other than the base; never judged
    kUnpublished,  ///< simulated alone; shown only
};

inline constexpr NameTable<Role, 6> kRoleNames{{{{"calibration", Role::kCalibration},
                                                 {"seen", Role::kSeen},
                                                 {"prediction", Role::kPrediction},
                                                 {"formula", Role::kFormula},
                                                 {"alternative", Role::kAlternative},
                                                 {"unpublished", Role::kUnpublished}}}};

/// Of whose numbers a row is one, where the accuracy of a study is counted.
enum class Counted : std::uint8_t {
    kOwn,            ///< of the machine's own papers
    kContradiction,  ///< likewise, but the paper contradicts it elsewhere
    kOtherSource,    ///< of another program or other authors
};
inline constexpr NameTable<Counted, 3> kCountedNames{
    {{{"own", Counted::kOwn}, {"contradiction", Counted::kContradiction}, {"other source", Counted::kOtherSource}}}};

/// How far a simulated number is known: what it becomes when what it hangs on takes other values, each within its
/// range. In the row's unit; u_ are standard uncertainties as in ASME V&V 20.
struct Bar {
    struct Share {
        std::string input;
        double part = 0;  ///< of the variance
        bool calibrated = false;
    };

    double simulated = 0;  ///< when the bar was made; if the row has another number now, the model has moved since
    double u_num = 0;      ///< of seeds, repetitions and other choices of the measurement
    double u_input = 0;    ///< of parameters that were assumed, calibrated or derived
    double low = 0;        ///< between them lie 95 % of what the inputs give
    double high = 0;
    std::vector<Share> hangs_on = {};  ///< the largest first
    std::size_t samples = 0;           ///< simulated draws behind it; 0: draws along straight lines
    bool moved = false;                ///< by any input
    bool entered = false;              ///< a calibrated input moves it, and no other one does
};

/// "lc2.bypass* 60 %; pci.clock 12 %": what a bar hangs on most; an asterisk marks what was calibrated.
/// @param most inputs @param least part of the variance
std::string shares_text(const Bar& bar, std::size_t most, double least);

/// A number as it was when it was frozen: a row of frozen.csv.
struct FrozenNumber {
    std::string id;
    std::string machine = {};
    std::string command = {};   ///< of a prediction: what gives the number, as a shell takes it
    std::string quantity = {};  ///< of a prediction alone: a row of the ledger has it from published.csv
    std::string unit = {};
    double value = 0;
    std::optional<double> low = {};  ///< of the error bar; of a row of the ledger, of the band in which it is as frozen
    std::optional<double> high = {};
    std::optional<double> published = {};  ///< of a row of the ledger: what the number was compared with
    std::string role = {};                 ///< likewise: what the comparison was worth
    std::string seen = {};   ///< of a prediction: where a number for it had been read before; empty: nowhere
    std::string model = {};  ///< version of the model that gave it
    std::string date = {};   ///< "2026-11-23"
};

/// A bar multiplied by what the published numbers of other tables need to lie inside.
struct ConformalBar {
    double low = 0;  ///< about the present number
    double high = 0;
    double factor = 1;
    double usual = 0;  ///< error of the rows that made it, as a part of the number
};

/// What a row is when the calibrated inputs are set without its table.
struct LeftOut {
    double simulated = 0;              ///< as it was when this was found
    std::optional<double> value = {};  ///< none: it hangs on a choice that no other table tells
    std::string constants = {};        ///< "host.crossing = 170 ns; pci.write_wait = 1 cycle"
    std::string unset = {};            ///< those of them that no other table sets
    std::string model = {};            ///< version with which it was found
};

/// One quantity of a validation report: its published, analytic and simulated values.
struct Row : PublishedWords {
    std::string id;  ///< that of the published number if there is one; never changes once released
    std::string machine;
    std::string quantity;
    std::string unit;
    std::optional<double> published;
    std::optional<double> analytic;
    std::optional<double> simulated;
    Role role = Role::kUnpublished;
    std::string because;        ///< why it has this role: "sets host.crossing"
    std::optional<double> low;  ///< what passes, to `high`; none: the row cannot fail
    std::optional<double> high;
    std::optional<Counted> counted = {};  ///< none: its error is not counted
    std::string counted_why = {};         ///< the contradiction, or what is different about the other source
    std::string bar_as = {};              ///< id of the row whose bar, in parts, it takes if it has none of its own
    std::optional<Bar> bar = {};
    std::optional<FrozenNumber> frozen = {};
    bool is_new = false;  ///< the study has frozen other rows, but not this one
    std::optional<ConformalBar> conformal = {};
    std::optional<LeftOut> left_out = {};
};

/// What the comparison of a row with a bar says, in words that ASME V&V 20 allows.
enum class Evidence : std::uint8_t {
    kKnownError,   ///< the model's error has a sign: it lies between the two ends
    kAgrees,       ///< within what is known, and that is narrower than the tolerance
    kHolds,        ///< of a bound: all of the bar is on its right side
    kSaysNothing,  ///< the bar holds the published number, but it is wider than the tolerance
};
inline constexpr NameTable<Evidence, 4> kEvidenceNames{{{{"error known", Evidence::kKnownError},
                                                         {"agrees", Evidence::kAgrees},
                                                         {"holds", Evidence::kHolds},
                                                         {"says nothing", Evidence::kSaysNothing}}}};

/// Standard uncertainty of the published number: its tolerance, evenly distributed; a hundredth of it without one.
/// @pre it has a published number
double data_uncertainty(const Row& row);
/// The middle of what the published number leaves open, which is not the number itself where its tolerance goes to one
/// side: "less than 400" is anywhere from 0 to 400. @pre it has a published number
double middle_of_published(const Row& row);
/// "Less than 400": the tolerance goes to one side of the published number alone.
bool is_bound(const Row& row);

/// Where the model's own error lies, simulated less published: the bar and what the source leaves open together, in
/// squares; of a bound, whose number is anywhere on its right side, one added to the other.
struct ErrorRange {
    double low = 0;
    double high = 0;
    double u_data = 0;  ///< standard uncertainty of the published number; 0 without a tolerance
    Evidence evidence = Evidence::kSaysNothing;
};
/// How far the number has moved since its bar was made. @pre it has a bar
inline double bar_shift(const Row& row) { return *row.simulated - row.bar->simulated; }
/// None for a row without bar, published or simulated number, or of a variant.
std::optional<ErrorRange> error_range(const Row& row);
/// "error -3.1 to -0.2 %", "agrees within what is known"
std::string evidence_text(const Row& row);

/// suggestion() among many ids: where none is near, those that begin most like it, or how ids begin.
std::string id_suggestion(const std::string& typed, std::vector<std::string> ids);

/// What the tested number is judged by: the published one or, for a simulated one without it, the formula's.
std::optional<double> reference(const Row& row);

/// (tested - reference) / reference in percent, of the simulated number or, where nothing is simulated, of the
/// formula's; none if one of the two is missing or the reference is zero.
std::optional<double> error_percent(const Row& row);

/// The formula against the published number, whatever was simulated: whose model errs. None if one is missing.
std::optional<double> formula_error_percent(const Row& row);

/// The room on the side of the tested number, in percent of the reference; none without tolerance or of zero.
std::optional<double> tolerance_percent(const Row& row);

/// Empty for a row without tolerance. A row with tolerance but without a tested number has failed.
std::optional<bool> pass(const Row& row);

enum class Verdict : std::uint8_t {
    kAsFrozen,  ///< as near to its reference as it was, within the band
    kBetter,
    kWorse,
    kNew,   ///< the study has frozen other rows, but not this one
    kPass,  ///< of a study that has frozen none: within the tolerance
    kMiss,  ///< likewise: out of tolerance, as stated, with the reason
    kFail,  ///< likewise: out of tolerance, or within it although a miss is stated
};
inline constexpr NameTable<Verdict, 7> kVerdicts{{{{"as frozen", Verdict::kAsFrozen},
                                                   {"better", Verdict::kBetter},
                                                   {"worse", Verdict::kWorse},
                                                   {"new", Verdict::kNew},
                                                   {"pass", Verdict::kPass},
                                                   {"miss", Verdict::kMiss},
                                                   {"fail", Verdict::kFail}}}};
/// None for a row that is not judged, because it has no tolerance.
std::optional<Verdict> verdict(const Row& row);
/// What of the row is tested: the simulated number, or where nothing is simulated the formula's.
std::optional<double> tested(const Row& row);
/// By how much a row's number may change and still be as frozen: two standard uncertainties of seeds and choices of the
/// measurement, if it has a bar; a tenth of its tolerance, which no reader of the source could tell; a thousandth of
/// the number, to which errors are printed. The largest of these.
double frozen_band(const Row& row);
/// From this error on, in percent, a report gives the reason of a row that is out of its tolerance.
inline constexpr double kFarPercent = 5;

/// Whether a published number is compared with a simulated one of the study's own variant.
inline bool is_compared(const Row& row) { return row.published && row.simulated && row.role != Role::kAlternative; }

/// Whether there is a number of the model that did not see the row's table: a left-out one or, of a table that set
/// nothing, the simulated one.
inline bool is_known_unseen(const Row& row)
{
    return row.left_out ? row.left_out->value.has_value() : row.role != Role::kCalibration;
}

/// Tables that have only some of the columns; beside those of Shown.
inline constexpr unsigned kBesideWords = 16;  ///< the numbers below the words of a row
inline constexpr unsigned kInBars = 32;       ///< how surely the rows say what they say
inline constexpr unsigned kFirstOnPage = 64;  ///< columns of the page's ledger; the table below it has all
inline constexpr unsigned kOnDemand = 128;    ///< words that a row of the page's ledger unfolds

/// The columns of a ledger. Text, Markdown, CSV, JSON, SQL and the page are made of these alone: a new column is an
/// entry of columns.cpp and a line in docs/reference/results/formats.md.
const Listing<Row>& ledger_columns();
/// The published and the simulated number, and the error: "1.90, 2.40 us, +26.32 %"
std::string numbers_text(const Row& row);

}  // namespace ringmesh::lab
