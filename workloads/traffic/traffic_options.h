// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tlm/parameters.h"
#include "workloads/traffic/arrivals.h"
#include "workloads/traffic/pattern.h"

namespace ringmesh::workloads {

/// Where sources stand.
enum class Inject : std::uint8_t {
    kAuto,   ///< as near to the links as can be
    kLink,   ///< on the link controller
    kBLink,  ///< on the B-Link, in the place of the host's bridge
};

enum class Show : std::uint8_t {
    kSummary,   ///< one row
    kMessages,  ///< closed loops: a row for each message
};

struct TrafficOptions {
    static constexpr std::string_view kAuto = "auto";
    static constexpr Duration kLongestDuration = 1_s;
    static constexpr double kDefaultLoad = 0.3;

    std::string pattern = "uniform";
    sci::Command command = sci::Command::kWrite64;
    Inject inject = Inject::kAuto;
    std::string load{kAuto};
    std::string rate{kAuto};
    Arrivals arrivals = Arrivals::kPoisson;
    std::string warm_up{kAuto};
    Duration duration = 200_us;
    std::int64_t packets = 0;
    PatternOptions places;
    std::int64_t window = 1;
    Show show = Show::kSummary;

    void visit(ParameterVisitor& visitor);

    /// What the texts say; none for "auto". @throws UserError naming the option
    std::optional<double> load_value() const;
    std::optional<double> rate_value() const;
    std::optional<Duration> warm_up_value() const;
    /// @throws UserError if an option is given that this sort of pattern does not look at, or load and rate both
    void require_fit(Loop loop) const;
};

}  // namespace ringmesh::workloads
