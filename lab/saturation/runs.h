// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/saturation/search.h"
#include "lab/store/executor.h"
#include "tlm/units/units.h"

namespace ringmesh::lab {

/// The unit of the network's load.
struct LoadTerms {
    std::string unit;     ///< "flits/cycle"; empty: a part of something
    std::string meaning;  ///< "load: flits per sending node and cycle"
    bool has_blinks = false;
};

/// The runs of a search: each is a point of the store, the workload with this load, duration and seed.
class SaturationRuns {
public:
    /// @pre the workload is `traffic` without load and rate
    SaturationRuns(Store& store, const ExperimentRequest& request, const ExecutionRules& rules);

    /// Runs the lowest load as asked, which resolves the duration. @throws UserError if the machine cannot run it
    void probe();
    /// See SaturationSearch::Measure. @throws ModelError if an invariant was violated
    std::vector<std::optional<LoadPoint>> measure(std::span<const Trial> trials,
                                                  const std::function<void(const Execution&)>& progress);

    /// Given or the network's own; none if the first run got stuck.
    const std::optional<Duration>& duration() const { return duration_; }
    std::string duration_text(int times) const;
    std::uint64_t seed_of(const Trial& trial) const { return request_.seed + trial.seed; }
    /// In the store. @pre measured
    const std::string& key_of(const Trial& trial) const { return keys_.at(trial); }
    const LoadTerms& terms() const { return terms_; }
    /// Options of the workload with "auto" resolved, without the load.
    const std::vector<ParameterRow>& options() const { return options_; }
    /// Why the sources could not offer a load; empty if they could offer all.
    const std::string& refusal() const { return refusal_; }
    const Execution& counts() const { return counts_; }

private:
    Wish wish_of(double load, const std::optional<std::string>& duration, std::uint64_t seed) const;
    LoadPoint point_of(const Granted& granted);

    Store& store_;
    ExperimentRequest request_;
    ExecutionRules rules_;
    std::optional<Duration> duration_;
    std::vector<ParameterRow> options_;
    LoadTerms terms_;
    std::map<Trial, std::string> keys_;
    std::string refusal_;
    Execution counts_;
};

}  // namespace ringmesh::lab
