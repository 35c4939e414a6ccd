// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment.h"

namespace ringmesh::lab {

/// A workload whose load can be raised until a network saturates, and the words in which that is told.
struct LoadedWorkload {
    std::string name;
    std::vector<std::string> machines;  ///< for which it is taken if none is named
    std::string load_unit;              ///< of the option load; empty: a part of something
    std::string full_load;              ///< what a load of 1 is
    std::string offered_column;         ///< of the results; empty: it is the load
    std::string accepted_column;
    std::string unit;  ///< of these two
    int decimals = 0;  ///< with which messages show them
    std::string meaning;
    std::string longest_duration;  ///< that the workload takes
    std::string sources;           ///< what to do about sources that cannot offer the lowest load
    bool has_blinks = false;

    /// "123 MB/s"
    std::string amount(double number) const;
};

/// The one that the request names or, if it names none, the one for its machine. @throws UserError
const LoadedWorkload& loaded_workload(const ExperimentRequest& request);

/// Everything but the load is checked before the first run. @throws UserError if something makes no sense in a search
void require_searchable(const ExperimentRequest& request);

/// The same run at another load and for so many times the duration.
ExperimentRequest at_load(ExperimentRequest request, const LoadedWorkload& workload, double load,
                          int times_the_duration);

}  // namespace ringmesh::lab
