// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "lab/explain/slowest.h"
#include "lab/explain/steps.h"
#include "lab/run/experiment.h"
#include "lab/table/answer.h"
#include "lab/table/listing.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::lab {

/// The slowest packets of a run, explained.
struct LoadExplanation {
    ExperimentRequest request;
    std::string library;  ///< empty: none
    std::vector<ParameterRow> parameters;
    std::vector<ParameterRow> workload_options;
    std::size_t packets = 0;              ///< that arrived, requests and responses
    std::vector<Way> ways;                ///< slowest first; times of the run
    std::size_t beside = 0;               ///< of these, packets of a background; their ways say of which
    std::string ended_by_fault = {};      ///< why the run ended by a fault; empty: it did not
    std::vector<std::string> notes = {};  ///< which faults struck them, and packets that never arrived
};

/// Runs a workload twice, first in a child process, and explains its slowest packets.
/// @param slowest how many @param experiment the second run is left standing in it
/// @pre no SystemC object exists in this process yet
/// @throws UserError for mistakes in the request, and if no packet arrives
LoadExplanation explain_load(const ExperimentRequest& request, std::size_t slowest,
                             std::unique_ptr<Experiment>& experiment);

/// What packets waited for at a place, over all of them.
struct PlaceOfWaits {
    std::string where;
    std::string what;
    std::size_t waits = 0;
    Duration waited;
    Duration longest;
    Duration of = {};  ///< all latencies, where the text tells its part of them

    void add(const PlaceOfWaits& other);
};
/// The columns of such a place.
const Listing<PlaceOfWaits>& wait_columns();
/// Longest sum first.
std::vector<PlaceOfWaits> waits_by_place(const std::vector<Way>& ways);

/// "the slowest 5 of 1,000 packets on mesh-8x8: traffic"
std::string title_of(const LoadExplanation& explanation);

/// The slowest, the part of waiting, and where most waited.
Answer answer_of(const LoadExplanation& explanation);
/// A table of waits by place, and each packet's waterfall in short: what it waited for, and the work between in a row.
std::string load_text(const LoadExplanation& explanation, std::size_t width);
/// {ringmesh, platform, overlays, settings, workload, library, seed, parameters, workload_options, packets, slowest,
/// waits: [{where, what, waits, waited_ns, longest_ns}], legs}; legs as legs_json() says, in times of the run.
Json load_json(const LoadExplanation& explanation);
/// Every part of every packet.
std::string load_csv(const LoadExplanation& explanation);

}  // namespace ringmesh::lab
