// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment.h"

#include <algorithm>
#include <utility>

#include "lab/suitable_platforms.h"
#include "lab/workload_spec.h"
#include "platforms/catalog.h"
#include "tlm/error.h"
#include "tlm/kernel_time.h"
#include "tlm/log.h"

namespace ringmesh::lab {

platforms::Configuration configuration_of(const ExperimentRequest& request)
{
    auto configuration = platforms::Configuration::load(platforms::find_platform(request.platform));
    for (const std::string& overlay : request.overlays) configuration.overlay(platforms::find_overlay(overlay));
    for (const std::string& setting : request.settings) configuration.set(setting);
    return configuration;
}

Experiment::Experiment(ExperimentRequest request)
    : request_(std::move(request)),
      configuration_(configuration_of(request_)),
      kind_(&platforms::machine_kind(configuration_)),
      workload_info_(nullptr)
{
    parameters_ = kind_->effective_parameters(configuration_);

    const WorkloadSpec spec = parse_workload_spec(request_.workload);
    workload_info_ = &workloads::find_workload(spec.name);
    workload_ = workload_info_->make();
    platforms::read_assignments(spec.options, "--workload " + spec.name,
                                [this](ParameterVisitor& visitor) { workload_->visit(visitor); });
    list_workload_options();
}

void Experiment::list_workload_options()
{
    workload_options_ = list_parameters_of([this](ParameterVisitor& visitor) { workload_->visit(visitor); });
}

void Experiment::prepare_simulation()
{
    require_offered(workload_info_->name, {workload_info_->runs_on}, request_.platform, *kind_);
    route_kernel_reports_to_log();
    simulation_ = std::make_unique<Simulation>(request_.seed);
}

void Experiment::build()
{
    workload_->choose_among(kind_->offers());
    machine_ = kind_->build(configuration_, workload_->needs(), *simulation_);
    try {
        workload_->start(*machine_);
    } catch (const UserError& error) {
        // What all workloads share says "cores = 50: ..." and does not know whose option that is
        const std::string_view text = error.what();
        const auto begins_with = [text](const ParameterRow& row) { return text.starts_with(row.key + " = "); };
        if (std::none_of(workload_options_.begin(), workload_options_.end(), begins_with)) throw;
        throw UserError(workload_name() + ": " + error.what());
    }
    list_workload_options();
}

void Experiment::run()
{
    simulation_->run();
    simulated_time_ = now();
    simulation_->require_drained();
    workload_->check();
}

}  // namespace ringmesh::lab
