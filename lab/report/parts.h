// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "lab/compare/whatif/variants_report.h"
#include "lab/explain/explanation.h"
#include "lab/explain/load_report.h"
#include "lab/report/page.h"
#include "lab/run/experiment.h"
#include "lab/run/record/run_record.h"
#include "lab/saturation/report.h"
#include "lab/store/store.h"
#include "lab/study/running/execution.h"
#include "lab/truth/findings.h"
#include "lab/truth/ledger/report.h"

/// Turns what a command has into parts of a report.
namespace ringmesh::lab {

/// A table with the charts that suit it.
void add_results(Page& page, const std::string& name, const std::string& title, const workloads::Results& results);

/// The machine of a run: its drawing, its parameters with what they rest on; the use of its places where the run has
/// it. A configuration that cannot be read any more has a note instead.
/// @param outcome of the run; null: the machine alone
void add_machine(Page& page, const ExperimentRequest& request, const Outcome* outcome);

/// A finished run: question, results, machine, what the blocks counted.
void add_run(Page& page, const RunRecord& record);

/// A search for saturation. @param record of the machine and workload as asked
void add_saturation(Page& page, const RunRecord& record, const SaturationReport& report);

/// A comparison of variants.
void add_variants(Page& page, const VariantReport& report);

/// A message from begin to end.
void add_explanation(Page& page, const Explanation& explanation);
/// The slowest packets of a run.
void add_explanation(Page& page, const LoadExplanation& explanation);

/// A study: its ledger; the charts of charts.toml if it has one, else those of its tests; the tables of its scripts.
/// @param findings that have been found @param report made of them; null: no ledger
/// @param alone on its page: what it asks, and the machines that it ran on, are there, too
/// @throws UserError for mistakes in charts.toml
void add_study(Page& page, const AskedPoints& asked, const Store& store, Findings& findings, const Report* report,
               bool alone);
/// All of a study that has been run, as far as the store has it, with a ledger if it has published numbers and nothing
/// is missing.
/// @param path of the study as given, for messages
/// @param with_long whether the points that take long are among those that are asked for
/// @throws UserError if no point has run; for mistakes in its files
Page study_page(const AskedPoints& asked, const Store& store, Findings& findings, const std::string& path,
                bool with_long);
/// Of a sweep, whose one test has no files.
Page sweep_page(const AskedPoints& asked, const Store& store);

/// "3 done, 1 stuck"
std::string counts_text(const std::map<std::string, std::size_t>& counts);

/// The points of a store.
void add_store(Page& page, const Store& store);

}  // namespace ringmesh::lab
