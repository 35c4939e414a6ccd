// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/run/experiment.h"
#include "lab/run/record/place_use.h"
#include "lab/run/record/statistics_summary.h"
#include "lab/table/answer.h"
#include "lab/table/results.h"

namespace ringmesh::lab {

class Json;

/// The results of a run.
struct Outcome {
    workloads::Results results;
    std::vector<StatisticRow> statistics;
    Duration simulated;
    std::optional<PlaceUseTable> use = {};  ///< if it was measured
};

/// Of all blocks. In a divided run all processes call it, once. @pre run
std::vector<StatisticRow> statistics_of(Experiment& experiment);
/// @pre the experiment has run
Outcome outcome_of(Experiment& experiment);

/// A finished run: inputs and results. The effective configuration is part of every result.
struct RunRecord {
    ExperimentRequest request;
    std::string workload;
    std::vector<ParameterRow> workload_options;
    std::string library;  ///< empty: the workload runs over none
    std::vector<ParameterRow> library_options;
    std::vector<ParameterRow> parameters;
    Outcome outcome;
    std::optional<double> wall_seconds;  ///< differs between equal runs, as the only value
};

/// Without outcome, unless the experiment has run.
RunRecord record_of(Experiment& experiment);

/// "ping-pong over raw on wulfkit-ring, topology.dimensions=4, seed 1"
std::string title_of(const RunRecord& record);

/// What the results say, and the bottleneck.
Answer answer_of(const RunRecord& record);

/// Adds what a run was asked: platform, overlays, settings, workload and library with their options.
void add_request(Json& json, const RunRecord& record);

/// {ringmesh, platform, overlays, settings, workload, workload_options, library, library_options, seed, parameters,
/// provenance, simulated_ns, wall_seconds, results, statistics, places, series}; with `every_block` each statistic also
/// lists the value of each block, and places and series are there if they were measured. And back: what is read has
/// keys and values of parameters and options, no provenance, and the values of each block only where they were written.
Json record_json(const RunRecord& record, bool every_block);
RunRecord record_from(const Json& json);
/// {simulated_ns, results, statistics, places, series}, alone or of a record; back, members that are not there are left
/// empty.
Json outcome_json(const Outcome& outcome, bool every_block);
Outcome outcome_from(const Json& json);

/// Lines of comment ("# ...") in front of a table: program and title, "WORD KEY = VALUE" of each of these, notes.
std::string csv_head(
    const std::string& title,
    std::initializer_list<std::pair<std::string_view, const std::vector<ParameterRow>*>> words_and_rows,
    const std::vector<std::string>& notes);
/// The results, after lines of comment ("# ...") with the effective configuration. @throws ModelError as above
std::string run_csv(const RunRecord& record);

}  // namespace ringmesh::lab
