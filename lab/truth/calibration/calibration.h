// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/store/options.h"
#include "lab/truth/ledger/report.h"
#include "lab/truth/uncertainty/variations.h"

namespace ringmesh::lab {

/// The inputs that a calibration may set, and the rows to which it fits them.
struct CalibrationRules {
    std::vector<std::string> free;      ///< names of inputs
    std::vector<std::string> rows;      ///< ids, or what they begin with and *; none: all that are judged
    std::string leave_out = "section";  ///< groups of the cross-validation: section, row, machine, or id:N
    StoreOptions store = {};
};

/// An input that was set free, and where it came to lie.
struct FreeInput {
    const Input* input;
    double start = 0;
    double value = 0;
    std::string text;  ///< of the value, with its unit
    /// About 95 % of what the rows leave open: by the covariance of the linear fit, clipped to the range.
    double low = 0;
    double high = 0;
    std::string region = {};  ///< the same as text
    bool determined = true;   ///< by the rows; otherwise they leave all of its range open
    bool at_end = false;      ///< of its range
};

/// A row that took part.
struct FittedRow {
    std::string id;
    std::string section;
    double published = 0;
    double aim = 0;     ///< the middle of what the published number leaves open
    double sigma = 0;   ///< by which its residual is divided: the standard uncertainty of the published number
    double before = 0;  ///< simulated
    double after = 0;
    /// Simulated with what the rows of the other groups give; none if they do not determine the inputs.
    std::optional<double> left_out = {};
    std::string group;
    std::string evidence;  ///< id of the row that it repeats; its own if none

    /// In standard uncertainties of the published number.
    double residual(double result) const { return (result - aim) / sigma; }
};

struct Calibration {
    std::string machine;  ///< sort of the study's first platform
    std::vector<FreeInput> inputs;
    std::vector<FittedRow> rows;
    double before = 0;  ///< root of the mean squared residual
    double after = 0;
    /// Likewise of the rows when their group took no part; none without other groups that determine the inputs.
    std::optional<double> left_out = {};
    std::size_t groups = 0;
    std::vector<std::string> needed = {};  ///< groups without which the others do not determine the inputs
    std::size_t rank = 0;                  ///< independent directions among the rows
    bool converged = true;
    std::vector<std::string> unsettled = {};  ///< groups without which the search did not come to rest
    std::size_t runs = 0;                     ///< variations of the study
};

/// What a free input can be, in the unit of number_of().
struct Allowed {
    /// @pre it has a range
    explicit Allowed(const Input& input);

    double rounded(double x) const;
    double clamped(double x) const;

    double low;
    double high;
    bool whole;
    /// The step of a value: whole cycles and numbers; of others about a thousandth of the range, a power of ten, so
    /// that what is found is short and near places are one run.
    double grain;
};

/// Id of the row that it repeats, directly or by way of others; its own if it repeats none.
std::string evidence_of(const Row& row, const Report& report);

/// Before anything runs. @throws UserError for an unknown input, one that is there twice, a choice
std::vector<FreeInput> free_inputs(const VariedStudy& study, const CalibrationRules& rules);

/// Bounded least squares over the free inputs, within their ranges, against published numbers; whole cycles and whole
/// numbers by a search among neighbours after it. Every run is a point of the store.
/// @param report of the study as it is
/// @throws UserError for more inputs than rows, an unknown input or row, an input that moves no row, a row that no
/// input moves
Calibration calibrate(VariedStudy& study, const Report& report, const CalibrationRules& rules, Store& store);

/// @name What a calibration found, as a user can take it over
/// @{

/// Each overlay begins so.
inline constexpr const char* kOverlayHead = "description = \"Calibrated by ";

/// An overlay with the values and their provenance, for the machine's parameters; empty if there are none.
std::string overlay_text(const Calibration& calibration, const std::string& study);
/// "--library rcce:call=450 cycles", for what an overlay cannot hold.
std::vector<std::string> option_texts(const Calibration& calibration);

/// @}

}  // namespace ringmesh::lab
