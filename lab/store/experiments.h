// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/run/experiment.h"
#include "lab/run/run_record.h"
#include "lab/store/store.h"

namespace ringmesh::lab {

/// The experiments that a validation or a what-if needs, each run in a child process. First they are planned, then all
/// run, then their outcomes are asked for by name.
class Experiments {
public:
    /// @throws ModelError if the name is taken
    void plan(const std::string& name, ExperimentRequest request);
    std::size_t size() const { return requests_.size(); }

    /// Runs those that are not in the store, or all if `fresh`, at most `parallel` at a time. The outcomes do not
    /// depend on that number.
    /// @pre no SystemC object exists in this process yet
    /// @throws UserError or ModelError naming the experiment that failed
    /// @return how many have run
    std::size_t run(Store& store, unsigned parallel, const std::function<void(std::size_t finished)>& finished = {},
                    bool fresh = false);

    /// Takes what `answer` says in place of running them, in this process: for the evaluation of what was found
    /// elsewhere.
    void answer(const std::function<Outcome(const ExperimentRequest&)>& answer);

    /// @pre run; @throws ModelError for an unknown name
    const Outcome& outcome(std::string_view name) const;
    /// Null if it was not planned. @pre run
    const Outcome* find(std::string_view name) const;

private:
    struct Planned {
        std::string name;
        ExperimentRequest request;
    };
    std::vector<Planned> requests_;
    std::map<std::string, Outcome, std::less<>> outcomes_;
};

/// The number in a column of the results, in the row whose column `key` has the value `at`.
/// @throws ModelError if there is none
double result(const Outcome& outcome, std::string_view column, std::string_view key, std::int64_t at);

/// The numbers of a column of the results, from top to bottom. @throws ModelError if there is no such column of numbers
std::vector<double> column(const Outcome& outcome, std::string_view name);

/// The largest value of a statistic over all blocks of a sort, such as "node*.psb".
/// @throws ModelError if there is none
double statistic(const Outcome& outcome, std::string_view blocks, std::string_view name);

}  // namespace ringmesh::lab
