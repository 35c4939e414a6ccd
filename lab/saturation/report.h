// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/run/record/run_record.h"
#include "lab/saturation/runs.h"
#include "lab/saturation/search.h"
#include "lab/table/listing.h"

namespace ringmesh::lab {

/// A run of a search, for readers.
struct SaturationRun {
    Trial trial;
    std::string duration;
    std::uint64_t seed = 0;
    std::string point;  ///< key in the store
    bool saturated = false;
    std::string state;
    LoadPoint measured;
};

/// What a search found.
struct SaturationReport {
    /// The load-latency curve, a row for each load: the mean of its longest runs. How the answer was found, as notes.
    workloads::Results curve;
    workloads::Results by_duration;  ///< a row for each duration and load: lines of equal intervals of measurement
    std::vector<SaturationRun> runs;
    Listing<SaturationRun> run_listing;
    std::optional<double> low = {};  ///< the interval; none: open on this side, or there is none
    std::optional<double> high = {};
    std::optional<double> estimate = {};
    std::optional<double> last_below = {};  ///< loads of rows of the curve
    std::optional<double> most_accepted = {};
    std::optional<double> refused = {};
    std::optional<Endurance> endurance = {};
    std::vector<std::string> answer = {};  ///< one to three sentences; empty: nothing can be said
    bool sound = false;
    std::string doubt = {};
    Json rule = {};
    Json durations = {};
};
/// @pre searched
SaturationReport report_of(const SaturationSearch& search, const SaturationRuns& runs);

/// As record_json(), with the curve as results; and {rule, saturation, durations, points}. Null if missing. Equal
/// searches give equal texts, whether they ran or found their points in the store.
/// @param record of the machine and workload as asked, the curve as its results
Json saturation_json(const SaturationReport& report, const RunRecord& record);

}  // namespace ringmesh::lab
