// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platforms/builder.h"
#include "tlm/machine/machine.h"
#include "tlm/parameters/parameter_list.h"
#include "tlm/statistics/use.h"
#include "workloads/libraries/library.h"
#include "workloads/traffic/background.h"

namespace ringmesh::lab {

/// The inputs of a run, as on the command line.
struct ExperimentRequest {
    std::string platform;               ///< a name of the catalog, or a file
    std::vector<std::string> overlays;  ///< likewise
    std::vector<std::string> settings;  ///< "key=value"
    std::string workload;  ///< "NAME[:key=value,...]"; of `run` alone; with background.KEY=VALUE: beside it
    std::uint64_t seed = 1;
    std::string library = {};  ///< likewise; empty: the first that will do, or the workload runs over none
    std::string folder = {};   ///< from which the workload's options name files; empty: the current one
};

/// The same over a library, "NAME[:key=value,...]".
ExperimentRequest over(std::string library, ExperimentRequest request);

/// "wulfkit-ring, link-4.0Gbps, topology.dimensions=4": a title with the overlays and settings behind it.
std::string with_changes(std::string title, const ExperimentRequest& request);

/// The platform with its overlays and settings. @throws UserError for mistakes in them
platforms::Configuration configuration_of(const ExperimentRequest& request);

/// All parameters of the machine, with what files say about them.
/// @throws UserError for mistakes
std::vector<ParameterRow> checked_parameters(const platforms::Configuration& configuration, const NodeUse& nodes = {});

/// Before a machine is built. @param platform for the message @throws UserError if it takes more than the memory limit
void require_room(const platforms::MachineKind& kind, const platforms::Configuration& configuration, NodeKind nodes,
                  const std::string& platform);

/// One machine running one workload once. The steps are separate so that bad input and unwritable files are reported
/// before the run, and a waveform can be attached to the machine before it runs:
///
///     Experiment experiment(request);   // reads and checks; no SystemC yet
///     experiment.prepare_simulation();  // the kernel's objects begin here
///     experiment.build();               // the machine, its programs started
///     experiment.run();                 // until no event is pending; checks that nothing was lost
///     experiment.results();
///
/// One per process: SystemC cannot elaborate twice.
class Experiment {
public:
    /// @throws UserError for anything wrong in the request
    explicit Experiment(ExperimentRequest request);

    /// In one form, however it was written: options and settings in the order of declaration, without those that change
    /// nothing.
    const ExperimentRequest& request() const { return request_; }
    /// "wulfkit": what the platform is an instance of.
    const std::string& machine_kind() const { return configuration_.machine(); }
    const std::string& workload_name() const { return workload_info_->name; }
    /// The effective configuration: every parameter of the machine, and every option of the workload; after build()
    /// with "auto" resolved.
    const std::vector<ParameterRow>& parameters() const { return parameters_; }
    const std::vector<ParameterRow>& workload_options() const { return workload_options_; }
    /// Files whose content decides what the workload does.
    std::vector<std::string> files() const;
    /// Empty if the workload runs over no library.
    std::string library_name() const { return std::string(library_ == nullptr ? "" : library_->name); }
    const std::vector<ParameterRow>& library_options() const { return library_options_; }

    /// @throws UserError if the workload does not run on such a machine
    void prepare_simulation();
    /// @throws UserError naming workload, option and value
    void build();
    void run();
    /// Why one process runs it, as a sentence without its end; empty: it can run in several.
    /// @param watched the use of its places is measured, or a waveform recorded
    std::string undivided(bool watched) const;
    /// It runs in these. @pre not yet prepared; undivided() is empty @param processes outlive this
    void divide(Processes& processes) { processes_ = &processes; }
    /// The use of all places is to be measured. @param every interval of sampling; zero: none. @pre not yet built
    void measure_use(Duration every = Duration::zero()) { use_ = std::make_unique<UseMeter>(every); }
    /// Null if it is not measured. @pre run
    const UseMeter* use() const { return use_.get(); }

    /// Its places run in another order (Calendar). @pre prepared, not yet run
    void shuffle_places(std::uint64_t order) { simulation_->calendar().shuffle_places(order); }

    /// @pre prepared
    Simulation& simulation() { return *simulation_; }
    /// @pre built
    Machine& machine() { return *machine_; }
    workloads::Workload& workload() { return *workload_; }
    bool has_run() const { return has_run_; }
    /// With the doubts of the blocks as notes. @pre run
    workloads::Results results() const;
    Duration simulated_time() const { return simulated_time_; }

private:
    void read_programs();
    void build_and_start();
    void check_workload();
    void list_workload_options();
    NodeUse nodes() const;
    void settle_overlays();
    void settle_settings();
    bool try_instead(ExperimentRequest request);

    ExperimentRequest request_;
    platforms::Configuration configuration_;
    const platforms::MachineKind* kind_;
    const workloads::WorkloadInfo* workload_info_;
    const workloads::LibraryInfo* library_ = nullptr;
    std::vector<ParameterRow> parameters_;
    std::vector<ParameterRow> workload_options_;
    std::vector<ParameterRow> library_options_;
    // In this order, because each outlives those below it: the machine holds the workload's programs
    std::unique_ptr<workloads::Workload> workload_;
    std::vector<std::unique_ptr<workloads::Background>> backgrounds_;
    std::unique_ptr<UseMeter> use_;
    std::unique_ptr<Simulation> simulation_;
    std::unique_ptr<Machine> machine_;
    Processes* processes_ = nullptr;
    Duration simulated_time_;
    bool has_run_ = false;
};

}  // namespace ringmesh::lab
