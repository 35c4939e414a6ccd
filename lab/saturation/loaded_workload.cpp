// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/loaded_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lab/suitable_platforms.h"
#include "lab/workload_spec.h"
#include "tlm/error.h"
#include "tlm/mesh/mesh_machine.h"
#include "tlm/quantity.h"
#include "tlm/sci/sci_machine.h"
#include "workloads/mesh/mesh_traffic_options.h"
#include "workloads/traffic/pattern.h"
#include "workloads/traffic/traffic_options.h"

namespace ringmesh::lab {
namespace {

const std::array<LoadedWorkload, 2>& loaded_workloads()
{
    static const std::array<LoadedWorkload, 2> all{
        LoadedWorkload{.name = "traffic",
                       .machines = {"wulfkit"},
                       .load_unit = "",
                       .full_load = "the whole link rate",
                       .offered_column = "offered_total_mb_per_s",
                       .accepted_column = "accepted_total_mb_per_s",
                       .unit = "MB/s",
                       .meaning = "MB/s are payload of all senders together",
                       .longest_duration = to_string(workloads::TrafficOptions::kLongestDuration),
                       .sources = "make their B-Links faster",
                       .has_blinks = true},
        LoadedWorkload{.name = "mesh-traffic",
                       .machines = {"mesh", "scc"},
                       .load_unit = "flits/cycle",
                       .full_load = "a flit per node and cycle",
                       .offered_column = "",
                       .accepted_column = "accepted_load",
                       .unit = "flits/cycle",
                       .decimals = 3,
                       .meaning = "loads are flits per sending node and cycle",
                       .longest_duration = to_string(Cycles(workloads::MeshTrafficOptions::kLongestCycles)),
                       .sources = "raise the duration"},
    };
    return all;
}

std::string longer(const std::string& duration, int times, const std::string& longest)
{
    if (const auto cycles = parse_cycles(duration).value) {
        const auto most = parse_cycles(longest).value;
        const Cycles many(cycles->count() * times);
        return to_string(most ? std::min(many, *most) : many);
    }
    const auto time = parse_duration(duration).value;
    if (!time) return duration;  // the run says what is wrong with it
    const auto most = parse_duration(longest).value;
    return to_string(most ? std::min(*time * times, *most) : *time * times);
}

}  // namespace

std::string LoadedWorkload::amount(double number) const { return fmt::format("{:.{}f} {}", number, decimals, unit); }

const LoadedWorkload& loaded_workload(const ExperimentRequest& request)
{
    std::vector<std::string> names;
    if (request.workload.empty()) {
        const auto configuration = configuration_of(request);
        require_offered("saturate", {SciMachine::kIs, MeshMachine::kIs}, request.platform,
                        platforms::machine_kind(configuration));
        for (const LoadedWorkload& one : loaded_workloads()) {
            const auto& machines = one.machines;
            if (std::find(machines.begin(), machines.end(), configuration.machine()) != machines.end()) return one;
        }
    }
    const WorkloadSpec spec = parse_workload_spec("--workload", request.workload);
    for (const LoadedWorkload& one : loaded_workloads()) {
        if (one.name == spec.name) return one;
        names.push_back("--workload " + one.name + ":pattern=...");
    }
    throw UserError(
        fmt::format("saturate: --workload {}: has no load to raise; write {}", spec.name, fmt::join(names, " or ")));
}

void require_searchable(const ExperimentRequest& request)
{
    for (const std::string& option : parse_workload_spec("--workload", request.workload).options) {
        const std::size_t equals = option.find('=');
        const std::string key = option.substr(0, equals);
        const std::string value = option.substr(equals + 1);
        if ((key == "load" || key == "rate") && value != "auto") {
            throw UserError(fmt::format("saturate: {} = {}: is what is looked for; leave it out", key, value));
        }
    }
    const Experiment as_asked(request);
    for (const ParameterRow& option : as_asked.workload_options()) {
        if (option.key == "packets" && option.value != "0") {
            throw UserError(
                fmt::format("saturate: packets = {}: the first source that has sent them ends the measurement, so what "
                            "is accepted says nothing; write duration instead",
                            option.value));
        }
        if (option.key == "pattern" && workloads::find_pattern(option.value).loop == workloads::Loop::kClosed) {
            throw UserError(
                fmt::format("saturate: pattern = {}: is an operation, which has no load to raise; choose one "
                            "of: {}",
                            option.value, fmt::join(workloads::pattern_names(workloads::Loop::kOpen), ", ")));
        }
    }
}

ExperimentRequest at_load(ExperimentRequest request, const LoadedWorkload& workload, double load,
                          int times_the_duration)
{
    const WorkloadSpec spec = parse_workload_spec("--workload", request.workload);
    std::string duration;
    const Experiment as_asked(request);
    for (const ParameterRow& option : as_asked.workload_options()) {
        if (option.key == "duration") duration = longer(option.value, times_the_duration, workload.longest_duration);
    }
    request.workload = fmt::format("{}:load={},duration={}", spec.name, load, duration);
    for (const std::string& option : spec.options) {
        if (!option.starts_with("duration=") && !option.starts_with("load=")) request.workload += "," + option;
    }
    return request;
}

}  // namespace ringmesh::lab
