// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tlm/names.h"

namespace ringmesh::lab {

/// The use of a row.
enum class Role : std::uint8_t {
    kCalibration,  ///< it has set a parameter
    kPrediction,   ///< it has set none
    kInformation,  ///< not judged: an alternative, or a number without a counterpart
};

inline constexpr NameTable<Role, 3> kRoleNames{
    {{{"calibration", Role::kCalibration}, {"prediction", Role::kPrediction}, {"information", Role::kInformation}}}};

/// Which number is judged.
enum class Tested : std::uint8_t {
    kSimulation,  ///< against the published number or, without one, the formula's
    kFormula,     ///< against the published number: shows whether the papers' statements are consistent
};

/// One quantity of a validation report: its published, analytic and simulated values.
struct Row {
    std::string id;  ///< that of the published number if there is one; never changes once released
    std::string machine;
    std::string quantity;
    std::string unit;
    std::optional<double> published;
    std::optional<double> analytic;
    std::optional<double> simulated;
    Role role = Role::kInformation;
    Tested tested = Tested::kSimulation;
    std::optional<double> tolerance_percent;  ///< of the reference; none: the row cannot fail
    std::string kind;                         ///< of the published number: measured, derived, figure or claim
    std::string source;                       ///< tags of docs/sources.md
    std::string note;
    std::string miss;     ///< the known cause of a stated miss; empty if none is stated
    std::string section;  ///< heading under which reports show it
};

/// The reference of the tested number: the published number or, for a simulated one without it, the formula's.
std::optional<double> reference(const Row& row);

/// (tested - reference) / reference in percent; none if one of the two is missing or the reference is zero.
std::optional<double> error_percent(const Row& row);

/// Empty for a row without tolerance. A row with tolerance but without error has failed.
std::optional<bool> pass(const Row& row);

enum class Verdict : std::uint8_t {
    kNotJudged,
    kPass,
    kMiss,  ///< out of tolerance, as stated, with the reason
    kFail,  ///< out of tolerance, or within it although a miss is stated
};
Verdict verdict(const Row& row);

}  // namespace ringmesh::lab
