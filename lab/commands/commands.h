// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lab/catalog/format.h"
#include "lab/compare/whatif/variants.h"
#include "lab/explain/slowest.h"
#include "lab/report/report_request.h"
#include "lab/run/experiment.h"
#include "lab/run/waveform.h"
#include "lab/saturation/search.h"
#include "lab/store/options.h"
#include "lab/study/shard.h"
#include "lab/study/study.h"
#include "lab/truth/calibration/calibration.h"
#include "lab/truth/uncertainty/analysis.h"
#include "workloads/single_message.h"
#include "workloads/single_packet.h"

/// What the program can be asked to do; each command is a struct of its options and an execute().
namespace ringmesh::lab {

enum class Subject : std::uint8_t {
    kPlatforms,
    kOverlays,
    kWorkloads,
    kLibraries,
    kParameters,
    kPolicies,
    kStudies,
    kFunctions,
    kSignals,
    kRoutes,
    kFaults
};

/// `ringmesh list`
struct ListCommand {
    Subject subject = Subject::kPlatforms;
    std::string name;          ///< of a platform, workload, library or kind of policy to show in full, or the
                               ///< beginning of functions' names; empty: all
    std::string pattern = {};  ///< of the signals of a platform to show one by one; empty: all, numbered ones together
    std::string library = {};  ///< of a workload: with this one's defaults; empty: with the first one's
    std::vector<std::string> overlays = {};  ///< of a platform's parameters or routes
    std::vector<std::string> settings = {};
    Format format = Format::kText;

    int execute();
};

/// `ringmesh run`
struct RunCommand {
    ExperimentRequest request;
    std::string json;  ///< files, "-" for standard output; empty for none
    std::string csv;
    WaveformOptions waves;
    std::string log;
    std::string store;                      ///< a folder; empty for the usual one
    std::string status;                     ///< a file; empty for none
    std::chrono::duration<double> limit{};  ///< of its time; zero: none
    bool fresh = false;                     ///< run it, also if it is in the store
    bool statistics = false;
    bool every_block = false;            ///< show the use of places
    Duration sample = Duration::zero();  ///< interval at which the use of places is recorded; zero: not
    std::string packets = {};            ///< a file for the outcome of each packet; empty for none
    std::string trace_out = {};          ///< "goal=FILE" or "packets=FILE"; empty for none
    bool wall_time = true;
    ReportRequest report = {};

    int execute();
    /// Left standing after execute(): taking a big machine apart takes seconds, ending the process does it at once.
    std::unique_ptr<Experiment> experiment = nullptr;
};

class Findings;
struct Report;
class Store;
struct StudyPoint;

/// `ringmesh validate`
struct ValidateCommand {
    std::string study;                     ///< a name or a folder; empty for all that have names
    std::string part;                      ///< of its scripts; empty for all
    bool full = false;                     ///< also the points that take long
    bool details = false;                  ///< in the text, the words of each row
    bool uncertainty = false;              ///< make error bars anew; otherwise those that the study keeps are shown
    bool keep = false;                     ///< with the study
    bool freeze = false;                   ///< write predictions.csv anew
    unsigned samples = kHypercubeSamples;  ///< of the Latin hypercube
    Shard shard = {};                      ///< of the runs behind the bars
    StoreOptions store;
    std::string tables;  ///< for the tables below the rows
    std::string json;
    std::string markdown;
    std::string how_true;     ///< for the page on what all this is worth
    std::string predictions;  ///< for what all studies have frozen
    ReportRequest report = {};

    int execute();

private:
    /// @return false if other shards have not run theirs
    bool add_error_bars(const Findings& findings, const std::vector<StudyPoint>& points, Report& made,
                        Store& points_store) const;
};

/// `ringmesh sensitivity`
struct SensitivityCommand {
    std::string study;  ///< a name or a folder
    std::string part;   ///< of its scripts; empty for all
    std::string row;    ///< id, or what it begins with; empty: all rows
    bool full = false;
    Shard shard = {};
    StoreOptions store;
    std::string json;
    std::string csv;

    int execute();
};

/// `ringmesh calibrate`
struct CalibrateCommand {
    std::string study;  ///< a name or a folder
    std::string part;
    bool full = false;
    CalibrationRules rules;
    std::string overlay;  ///< file to write
    std::string json;
    std::string csv;

    int execute();
};

/// `ringmesh whatif` without a program: the papers' question
struct WhatIfCommand {
    ExperimentRequest
        request;        ///< the platform, and the overlays and settings that change it; none: the papers' question
    std::string sizes;  ///< numbers of nodes; empty for the usual ones
    bool uncertainty = false;
    unsigned samples = kHypercubeSamples;
    StoreOptions store;
    std::string json;
    std::string csv;
    ReportRequest report = {};

    int execute();
};

struct Explanation;
class JourneyRecorder;

/// `ringmesh explain`
struct ExplainCommand {
    ExperimentRequest request;  ///< without a workload one message is explained
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t bytes = 64;
    Slowest slowest;  ///< packets of the workload
    std::string json;
    std::string csv;
    ReportRequest report = {};

    int execute();
    /// Left standing after execute(), as that of a run.
    std::unique_ptr<Simulation> simulation = nullptr;
    std::unique_ptr<workloads::SingleMessage> message = nullptr;
    std::unique_ptr<workloads::SinglePacket> packet = nullptr;
    std::unique_ptr<Machine> machine = nullptr;
    std::unique_ptr<Experiment> experiment = nullptr;

private:
    void explain_message(const platforms::MachineKind& kind, const platforms::Configuration& configuration,
                         Explanation& explanation);
    void explain_packet(const platforms::MachineKind& kind, const platforms::Configuration& configuration,
                        Explanation& explanation);
    void start_simulation();
    /// @return false if a fault ended the run, which is explained then
    template <class Program>
    bool run(const Program& program, bool is_sci, JourneyRecorder& recorder, Explanation& explanation);
};

/// `ringmesh saturate`
struct SaturateCommand {
    ExperimentRequest request;
    SaturationRule rule;
    StoreOptions store;
    std::string json;
    std::string csv;
    ReportRequest report = {};

    int execute();
};

enum class StudyAction : std::uint8_t { kRun, kStatus, kList, kQuery, kExport, kClean, kMerge, kSubmit, kCompare };

struct AskedPoints;
struct ResultOutputs;
class ReportFile;

/// `ringmesh sweep`, `ringmesh study`, and `ringmesh whatif` with a program or a study
struct StudyCommand {
    Study study;
    bool is_sweep = false;                         ///< asked by options; its one table is the result
    std::optional<VariantQuestion> question = {};  ///< of whatif: what its one test is compared by
    bool uncertainty = false;                      ///< likewise: with error bars
    unsigned samples = kHypercubeSamples;          ///< likewise
    StudyAction action = StudyAction::kRun;
    std::string sql;    ///< of a query
    std::string where;  ///< expression over axes; empty for all points
    std::string limit;  ///< of each run, as given; already in the study
    std::string path;   ///< of the study, as given
    Shard shard = {};   ///< only these points
    bool dry_run = false;
    StoreOptions store;
    std::string csv;
    std::string json;
    std::string database;               ///< of an export
    std::string save;                   ///< folder for the study of a sweep
    std::vector<std::string> from;      ///< of a merge: other stores; of a comparison: the one to compare with
    std::vector<std::string> variants;  ///< of a comparison: two, or none
    std::string model;                  ///< likewise: beginning of the other model version
    bool slurm = false;                 ///< of a submission
    unsigned tasks = 1;                 ///< likewise
    std::vector<std::string> sbatch;    ///< likewise: options
    ReportRequest report = {};          ///< of a sweep, a what-if and a run

    int execute();

private:
    int submit_job(const Store& points) const;
    int merge_stores(const AskedPoints& asked, Store& into) const;
    int clean_points(const AskedPoints& asked, Store& points) const;
    int compare_points(const AskedPoints& asked, const Store& points) const;
    void show_variants(const AskedPoints& asked, Store& points, ResultOutputs outputs, ReportFile& report_file) const;
};

/// `ringmesh compare`
struct CompareCommand {
    std::string a;  ///< two folders of stores, or two keys of points, or what they begin with
    std::string b;
    std::string store;  ///< of the points; empty for the usual one
    std::string json;
    std::string csv;

    int execute();
};

enum class StoreAction : std::uint8_t { kStatus, kIndex, kClean };

/// `ringmesh store`
struct StoreCommand {
    StoreAction action = StoreAction::kStatus;
    std::string folder;                ///< empty for the usual one
    std::string database;              ///< of the index; empty for index.sqlite in the folder
    std::vector<std::string> studies;  ///< to index with the points
    bool other_models = false;         ///< clean: points of other model versions
    bool failed = false;               ///< clean: points that are not done
    std::string json;

    int execute();
};

/// `ringmesh report`
struct ReportCommand {
    std::string subject;  ///< a study, a point's key or its beginning, or the folder of a store
    bool full = false;    ///< also the points of a validated study that take long
    std::string store;    ///< of the points; empty for the usual one
    ReportRequest report = {};

    int execute();
};

/// `ringmesh reproduce`
struct ReproduceCommand {
    std::string study;         ///< a name or a folder, or the folder that an earlier one has made
    std::string output = {};   ///< the folder that is made
    bool full = false;         ///< also the points of a validated study that take long
    StoreOptions store = {};   ///< jobs
    std::string command_line;  ///< as typed, for the report

    int execute();
};

/// `ringmesh check`
struct CheckCommand {
    ExperimentRequest request = {};  ///< the machine alone
    bool sources = false;            ///< packet sources in place of processors
    Format format = Format::kText;

    /// @return 1 if packets of some network can wait for each other in a circle
    int execute();
};

/// `ringmesh new`
struct NewCommand {
    std::string kind;  ///< a folder of skeletons/
    std::string name;  ///< of the folder that is made

    int execute();
};

/// `--help` and `--version`
struct PrintCommand {
    std::string text;

    int execute();
};

using Command = std::variant<PrintCommand, ListCommand, RunCommand, ValidateCommand, SensitivityCommand,
                             CalibrateCommand, WhatIfCommand, ExplainCommand, SaturateCommand, StudyCommand,
                             StoreCommand, CompareCommand, ReportCommand, ReproduceCommand, CheckCommand, NewCommand>;

/// @throws UserError for a mistake in the arguments
Command parse_command_line(int argc, const char* const* argv);

}  // namespace ringmesh::lab
