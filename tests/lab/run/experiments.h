// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/run/experiment.h"
#include "lab/run/record/run_record.h"
#include "lab/store/store.h"

namespace ringmesh::lab {

/// Experiments with names: first they are planned, then all run in child processes, then their outcomes are asked for.
class Experiments {
public:
    void plan(const std::string& name, ExperimentRequest request) { requests_.emplace_back(name, std::move(request)); }
    /// Those that are not in the store. @throws UserError or ModelError naming the experiment that failed
    void run(Store& store, unsigned parallel);
    /// @pre run
    const Outcome& outcome(const std::string& name) const { return outcomes_.at(name); }

private:
    std::vector<std::pair<std::string, ExperimentRequest>> requests_;
    std::map<std::string, Outcome> outcomes_;
};

/// The numbers of a column of the results, from top to bottom.
std::vector<double> column(const Outcome& outcome, std::string_view name);

}  // namespace ringmesh::lab
