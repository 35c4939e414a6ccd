// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/process/child_process.h"

namespace ringmesh::lab {

/// What all commands need that take their points from the store.
struct StoreOptions {
    std::string folder;        ///< empty for the usual one
    unsigned jobs = 0;         ///< runs at a time; 0: as many as there are processors
    bool fresh = false;        ///< run all again
    bool retry = false;        ///< run again what failed
    bool check_order = false;  ///< run all again, each in several orders of the machine's places

    unsigned parallel() const { return jobs == 0 ? available_processors() : jobs; }
};

}  // namespace ringmesh::lab
