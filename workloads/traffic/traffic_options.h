// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/machine/traffic_machine.h"
#include "tlm/parameters/parameters.h"
#include "workloads/traffic/pattern.h"
#include "workloads/traffic/sources/arrivals.h"
#include "workloads/traffic/sources/lengths.h"

namespace ringmesh::workloads {

enum class Show : std::uint8_t {
    kSummary,    ///< one row
    kMessages,   ///< closed loops: a row for each message
    kDistances,  ///< open loops: latencies, a row for each number of links
    kPairs,      ///< likewise, for each pair of nodes
    kHistogram,  ///< likewise, for each interval of latencies
};

/// "auto" is resolved by the network.
struct TrafficOptions {
    static constexpr std::string_view kAuto = PacketOptions::kAuto;
    /// Of the network's clock: the longest warm-up and duration.
    static constexpr Cycles kLongest{1'000'000'000};

    PatternChoice pattern = "uniform";
    PacketOptions packet;
    std::string load{kAuto};
    std::string rate{kAuto};
    std::string arrivals{kAuto};
    Bursts bursts;
    std::string lengths;  ///< file of a histogram; empty: as `packet` says
    std::string warm_up{kAuto};
    std::string duration{kAuto};
    std::int64_t packets = 0;
    PatternOptions places;
    std::int64_t window = 1;
    Show show = Show::kSummary;
    std::optional<Lengths> varying;  ///< lengths of packets, if they vary; set by resolve()
    bool resolved = false;           ///< likewise

    /// After resolve(), options that are still "auto" are left out: not used by this network or pattern.
    void visit(ParameterVisitor& visitor);

    /// Resolves "auto" as far as it is the same in all networks of a kind.
    void write_out_auto(const UsualTraffic& usual);
    /// Resolves "auto" for this network. @return the form of the packets
    /// @throws UserError if an option is given that this network does not use, or both load and rate
    PacketForm resolve(const NetworkMachine& machine);

    /// Values of the texts; none for "auto". @throws UserError naming the option
    std::optional<double> load_value() const;
    std::optional<double> rate_value() const;
    std::optional<Duration> warm_up_value(const Clock& clock) const;
    /// @pre resolved
    Duration duration_value(const Clock& clock) const;
    /// Files whose content decides what is done.
    std::vector<std::string> files() const;
    std::optional<std::string> length_file() const;
    Arrivals arrivals_value() const { return value_of("arrivals", arrivals, kArrivals); }
};

}  // namespace ringmesh::workloads
