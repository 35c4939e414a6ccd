// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tlm/parameters.h"
#include "tlm/traffic_machine.h"
#include "workloads/traffic/pattern.h"

namespace ringmesh::workloads {

enum class Show : std::uint8_t {
    kSummary,   ///< one row
    kMessages,  ///< closed loops: a row for each message
};

/// What "auto" stands for depends on the network.
struct TrafficOptions {
    static constexpr std::string_view kAuto = PacketOptions::kAuto;
    /// Of the network's clock: the longest warm-up and duration.
    static constexpr Cycles kLongest{1'000'000'000};

    std::string pattern = "uniform";
    PacketOptions packet;
    std::string load{kAuto};
    std::string rate{kAuto};
    std::string arrivals{kAuto};
    std::string warm_up{kAuto};
    std::string duration{kAuto};
    std::int64_t packets = 0;
    PatternOptions places;
    std::int64_t window = 1;
    Show show = Show::kSummary;

    /// Once they are resolved, those that are "auto" still are left out: this network or pattern has no use for them.
    void visit(ParameterVisitor& visitor);

    /// Puts what this network means in the place of "auto". @return the packets that are sent
    /// @throws UserError if an option is given that this sort of pattern or network has no use for, or load and rate
    /// both
    PacketForm resolve(const TrafficMachine& machine);
    bool resolved() const { return resolved_; }

    /// What the texts say; none for "auto". @throws UserError naming the option
    std::optional<double> load_value() const;
    std::optional<double> rate_value() const;
    std::optional<Duration> warm_up_value(const Clock& clock) const;
    /// @pre resolved
    Duration duration_value(const Clock& clock) const;
    Arrivals arrivals_value() const { return value_of("arrivals", arrivals, kArrivals); }

private:
    void require_fit(Loop loop) const;

    bool resolved_ = false;
};

}  // namespace ringmesh::workloads
