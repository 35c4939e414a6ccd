// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/commands/line/outputs.h"
#include "lab/compare/whatif/variants.h"
#include "lab/study/running/execution.h"
#include "lab/truth/findings.h"
#include "lab/truth/uncertainty/analysis.h"

/// The common part of the commands that run points over axes: sweep, study, whatif.
namespace ringmesh::lab {

enum class StudyAction : std::uint8_t { kRun, kStatus, kList, kQuery, kExport, kClean, kMerge, kSubmit, kCompare };

/// A study, from files or from options, and what is to be done with its points.
struct AskedStudy {
    Study study;
    bool is_sweep = false;                         ///< asked by options; its one table is the result
    std::optional<VariantQuestion> question = {};  ///< of whatif: what its one test is compared by
    bool uncertainty = false;                      ///< likewise: with error bars
    unsigned samples = kHypercubeSamples;          ///< likewise
    StudyAction action = StudyAction::kRun;
    std::string sql;             ///< of a query
    std::string where;           ///< expression over axes; empty for all points
    std::string limit;           ///< of each run, as given
    std::string path;            ///< of the study, as given
    std::optional<Shard> shard;  ///< only these points
    bool dry_run = false;
    StoreOptions store;
    OutputOptions files;                ///< a report of a sweep, a what-if and a run
    std::string command_line;           ///< for the report
    std::string database;               ///< of an export
    std::string save;                   ///< folder for the study of a sweep
    std::vector<std::string> from;      ///< of a merge: other stores; of a comparison: the one to compare with
    std::vector<std::string> variants;  ///< of a comparison: two, or none
    std::string model;                  ///< likewise: beginning of the other model version
    bool slurm = false;                 ///< of a submission
    unsigned tasks = 1;                 ///< likewise
    std::vector<std::string> sbatch;    ///< likewise: options

    int execute();

private:
    /// The first point tells which results there are. @throws UserError if the one to compare or to draw is none of
    /// them
    /// @return points that it ran
    std::size_t require_results(const AskedPoints& asked, Store& points) const;
    int submit_job(const Store& points) const;
    int merge_stores(const AskedPoints& asked, Store& into) const;
    int clean_points(const AskedPoints& asked, Store& points) const;
    int compare_points(const AskedPoints& asked, const Store& points) const;
    /// What the study's own view `answer` says, or else the results of its first test.
    Answer answer_to(const AskedPoints& asked, const Findings& findings, const Store& points) const;
    void show_variants(const AskedPoints& asked, Store& points, Outputs& outputs) const;
    /// Says in which else the runs differ than was asked.
    void add_unasked(const AskedPoints& asked, const Store& points, Answer& answer) const;
};

/// "on wulfkit-ring: ping-pong:sizes=64"
std::string title_of(const StudyTest& test);

/// --where, of all actions.
void add_where(OptionList& list, AskedStudy& asked);
void add_limit(OptionList& list, AskedStudy& asked);
/// --csv, --json.
void add_table(OptionList& list, AskedStudy& asked);
/// How points are run, where they lie, and what is written.
void add_points(OptionList& list, AskedStudy& asked);

/// What is swept, by options.
struct Axes {
    ExperimentRequest request;  ///< without its axes and its workload
    std::vector<std::string> axes;
    std::vector<std::string> together;
    std::vector<std::string> variants;
    AskedWorkload workload;
    unsigned repeat = 1;

    /// The one test that the options say. @param command for messages, and the name of the test @throws UserError
    StudyTest test_of(const std::string& command) const;
};
void add_axes(OptionList& list, Axes& axes, AskedStudy& asked, std::string platform_meaning);

}  // namespace ringmesh::lab
