// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tlm/parameters.h"
#include "workloads/traffic/arrivals.h"
#include "workloads/traffic/pattern.h"

namespace ringmesh::workloads {

/// Which message class packets belong to.
enum class MeshClasses : std::uint8_t {
    kRequest,
    kResponse,
    kMixed,  ///< each packet is one or the other, with the same probability
};

struct MeshTrafficOptions {
    static constexpr std::string_view kAuto = "auto";
    static constexpr std::int64_t kLongestCycles = 1'000'000'000;

    std::string pattern = "uniform";
    std::int64_t flits = 1;
    double load = 0.1;
    Arrivals arrivals = Arrivals::kBernoulli;
    MeshClasses kind = MeshClasses::kRequest;
    std::string warm_up{kAuto};
    std::string duration = "20000 cycles";
    PatternOptions places;

    void visit(ParameterVisitor& visitor);

    /// Either may be written in cycles or as a time. `automatic` is what warm_up is by itself.
    /// @throws UserError naming the option
    Duration warm_up_time(Clock clock, Cycles automatic) const;
    Duration duration_time(Clock clock) const;
};

}  // namespace ringmesh::workloads
