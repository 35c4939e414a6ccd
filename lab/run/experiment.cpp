// SPDX-License-Identifier: Apache-2.0
#include "lab/run/experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "lab/process/memory_limit.h"
#include "lab/run/suitable_platforms.h"
#include "lab/run/workload_spec.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/simulation/fault.h"
#include "tlm/simulation/log.h"
#include "tlm/time/kernel_time.h"
#include "tlm/units/quantity.h"
#include "workloads/programs/library_choice.h"

namespace ringmesh::lab {

namespace {

using Values = std::map<std::string, std::string, std::less<>>;

Values values_of(const std::vector<ParameterRow>& rows)
{
    Values values;
    for (const ParameterRow& row : rows) values.emplace(row.key, row.value);
    return values;
}

/// A platform with its overlays as it was read, and the files that it was read from.
struct LoadedPlatform {
    platforms::Configuration configuration;
    std::vector<std::pair<std::filesystem::path, std::string>> files = {};  ///< with their texts
    std::vector<std::pair<NodeUse, Values>> values = {};  ///< of its parameters, as they are asked for

    bool is_current() const
    {
        return std::all_of(files.begin(), files.end(), [](const auto& file) {
            return std::filesystem::is_regular_file(file.first) && platforms::read_text(file.first) == file.second;
        });
    }
};

LoadedPlatform load_platform(const ExperimentRequest& request)
{
    const std::filesystem::path platform = platforms::find_platform(request.platform);
    LoadedPlatform loaded{.configuration = platforms::Configuration::load(platform)};
    const auto add_file = [&loaded](const std::filesystem::path& path) {
        loaded.files.emplace_back(path, platforms::read_text(path));
    };
    add_file(platform);
    if (const std::string& base = loaded.configuration.based_on(); !base.empty()) {
        const std::filesystem::path beside = platform.parent_path() / base;
        add_file(std::filesystem::is_regular_file(beside) ? beside : platforms::find_platform(base));
    }
    for (const std::string& name : request.overlays) {
        const std::filesystem::path overlay = platforms::find_overlay(name);
        loaded.configuration.overlay(overlay);
        add_file(overlay);
    }
    return loaded;
}

}  // namespace

namespace {

LoadedPlatform& loaded_platform(const ExperimentRequest& request)
{
    // A study asks for thousands of points of a few platforms: parsing TOML takes fifty times as long as the rest
    static std::map<std::vector<std::string>, LoadedPlatform> all_loaded;
    std::vector<std::string> names{request.platform};
    names.insert(names.end(), request.overlays.begin(), request.overlays.end());
    auto loaded = all_loaded.find(names);
    if (loaded == all_loaded.end() || !loaded->second.is_current()) {
        loaded = all_loaded.insert_or_assign(std::move(names), load_platform(request)).first;
    }
    return loaded->second;
}

/// Of the platform with its overlays, without settings; none if it cannot do without them.
const Values& values_without_settings(const ExperimentRequest& request, const NodeUse& nodes)
{
    LoadedPlatform& loaded = loaded_platform(request);
    const auto known = std::find_if(loaded.values.begin(), loaded.values.end(),
                                    [&nodes](const auto& each) { return each.first == nodes; });
    if (known != loaded.values.end()) return known->second;
    Values& values = loaded.values.emplace_back(nodes, Values()).second;
    try {
        values = values_of(checked_parameters(loaded.configuration, nodes));
    } catch (const UserError&) {
    }
    return values;
}

/// "link.symbol_time=4ns", "topology.dimensions=2x4": as people write it.
std::string assignment_of(const ParameterRow& row)
{
    std::string value = row.value;
    if (row.kind == "integers") {
        std::erase_if(value, [](char c) { return c == '[' || c == ']' || c == ' '; });
        std::replace(value.begin(), value.end(), ',', 'x');
    } else if (row.quoted && row.kind != "text" && row.kind != "choice") {
        std::erase(value, ' ');
    }
    return row.key + '=' + value;
}

using ReadOptions = std::function<std::vector<ParameterRow>(const std::vector<std::string>&)>;

/// "NAME:key=value,...": the options in the order of declaration, without those that change nothing.
/// @param rows of these options @param read gives the rows of others
std::string in_one_form(const WorkloadSpec& spec, const std::vector<ParameterRow>& rows, const ReadOptions& read)
{
    std::vector<std::string> needed;
    for (const ParameterRow& row : rows) {
        const auto given = [&row](const std::string& option) { return option.starts_with(row.key + '='); };
        if (std::any_of(spec.options.begin(), spec.options.end(), given)) needed.push_back(assignment_of(row));
    }
    const Values wanted = values_of(rows);
    for (std::size_t i = 0; i < needed.size();) {
        std::vector<std::string> others = needed;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        try {
            if (values_of(read(others)) == wanted) {
                needed = std::move(others);
                continue;
            }
        } catch (const UserError&) {
        }
        ++i;
    }
    return fmt::format("{}{}{}", spec.name, needed.empty() ? "" : ":", fmt::join(needed, ","));
}

/// Empty if it has no such key.
std::string_view value_in(const Values& values, std::string_view key)
{
    const auto found = values.find(key);
    return found == values.end() ? std::string_view() : found->second;
}

/// Of a key of one node, the value that all nodes have; of any other, empty.
std::string_view of_all_nodes(const Values& values, std::string_view key)
{
    if (!number_of_group(key, kOneNode)) return {};
    return value_in(values, key.substr(key.find('.') + 1));
}

/// The same nodes with the same values, whether or not they are written for one alone.
bool mean_the_same(const std::vector<ParameterRow>& rows, const std::vector<ParameterRow>& others)
{
    const Values values = values_of(rows);
    const Values of_others = values_of(others);
    const auto covers = [](const Values& all, const Values& some) {
        return std::all_of(some.begin(), some.end(), [&all](const auto& each) {
            const auto& [key, value] = each;
            return (all.contains(key) ? value_in(all, key) : of_all_nodes(all, key)) == value;
        });
    };
    return covers(values, of_others) && covers(of_others, values);
}

}  // namespace

platforms::Configuration configuration_of(const ExperimentRequest& request)
{
    platforms::Configuration configuration = loaded_platform(request).configuration;
    // Faults strike in the order of their names, whichever was set first
    std::vector<std::string> settings = request.settings;
    const auto faults = std::stable_partition(
        settings.begin(), settings.end(), [](const std::string& setting) { return !setting.starts_with("fault."); });
    std::stable_sort(faults, settings.end(), [](const std::string& a, const std::string& b) {
        const auto name = [](const std::string& setting) {
            return setting.substr(0, setting.find_first_of(".=", std::string_view("fault.").size()));
        };
        return name(a) < name(b);
    });
    for (const std::string& setting : settings) configuration.set(setting);
    return configuration;
}

std::vector<ParameterRow> checked_parameters(const platforms::Configuration& configuration, const NodeUse& nodes)
{
    return platforms::machine_kind(configuration).effective_parameters(configuration, nodes);
}

void require_room(const platforms::MachineKind& kind, const platforms::Configuration& configuration, NodeKind nodes,
                  const std::string& platform)
{
    const Bytes needed = kind.memory(configuration, nodes);
    if (needed <= memory_limit()) return;
    throw UserError(
        fmt::format("{}: {} of this size takes about {}, and a run may take {}; give more by --memory, or "
                    "take fewer nodes",
                    platform, kind.name(), to_string(needed), to_string(memory_limit())));
}

namespace {

constexpr std::string_view kBackground = "background";

/// A workload, and what runs beside it.
struct ProgramsOfRun {
    std::unique_ptr<workloads::Workload> workload;
    std::vector<std::unique_ptr<workloads::Background>> backgrounds = {};
};

void visit(ParameterVisitor& visitor, workloads::Workload& workload,
           const std::vector<std::unique_ptr<workloads::Background>>& backgrounds)
{
    workload.visit(visitor);
    for (const auto& each : backgrounds) visitor.group(each->name(), "Traffic beside it", *each);
}

/// "background", "background2": what these options name. @throws UserError if a number is left out
std::vector<std::unique_ptr<workloads::Background>> backgrounds_in(const std::vector<std::string>& options)
{
    std::set<std::string> names;
    for (const std::string& option : options) {
        const std::size_t dot = option.substr(0, option.find('=')).find('.');
        if (dot == std::string::npos || !option.starts_with(kBackground)) continue;
        names.insert(option.substr(0, dot));
    }
    std::vector<std::unique_ptr<workloads::Background>> all;
    for (std::size_t number = 1; all.size() < names.size(); ++number) {
        std::string name = number == 1 ? std::string(kBackground) : fmt::format("{}{}", kBackground, number);
        if (!names.contains(name)) {
            throw UserError(
                fmt::format("--workload: {}.KEY without {}.KEY; number the backgrounds background, "
                            "background2, background3",
                            *names.rbegin(), name));
        }
        all.push_back(std::make_unique<workloads::Background>(std::move(name)));
    }
    return all;
}

}  // namespace

ExperimentRequest over(std::string library, ExperimentRequest request)
{
    request.library = std::move(library);
    return request;
}

std::string with_changes(std::string title, const ExperimentRequest& request)
{
    for (const auto* changes : {&request.overlays, &request.settings}) {
        for (const std::string& change : *changes) title += ", " + change;
    }
    return title;
}

Experiment::Experiment(ExperimentRequest request)
    : request_(std::move(request)),
      configuration_(configuration_of(request_)),
      kind_(&platforms::machine_kind(configuration_)),
      workload_info_(nullptr)
{
    try {
        read_programs();
        parameters_ = checked_parameters(configuration_, nodes());
        settle_overlays();
        settle_settings();
    } catch (const UserError&) {
        checked_parameters(configuration_);  // what is wrong there is told before what is wrong in the workload
        throw;
    }
}

void Experiment::read_programs()
{
    const WorkloadSpec spec = parse_workload_spec("--workload", request_.workload);
    workload_info_ = &workloads::find_workload(spec.name, spec.options);
    WorkloadSpec library;
    if (!request_.library.empty()) library = parse_workload_spec("--library", request_.library);
    library_ = choose_library(*workload_info_, library.name, request_.platform, *kind_);
    const std::string for_workload = "--workload " + spec.name;
    const auto walk = [](ProgramsOfRun& programs) {
        return [&programs](ParameterVisitor& visitor) { visit(visitor, *programs.workload, programs.backgrounds); };
    };
    const auto programs_with = [&](const std::vector<std::string>& options) {
        ProgramsOfRun programs{workload_info_->make(library_), backgrounds_in(options)};
        programs.workload->name_files_from(request_.folder);
        for (const auto& each : programs.backgrounds) each->name_files_from(request_.folder);
        platforms::read_assignments(options, for_workload, walk(programs));
        programs.workload->choose_among(kind_->offers());
        programs.workload->write_out_auto(kind_->usual_traffic());
        for (const auto& each : programs.backgrounds) each->write_out_auto(kind_->usual_traffic());
        return programs;
    };
    ProgramsOfRun programs = programs_with(spec.options);
    if (const auto* const choice = dynamic_cast<const workloads::LibraryChoice*>(programs.workload.get())) {
        const auto refusal = [choice](const workloads::LibraryInfo* info) { return choice->refusal(*info->make()); };
        std::vector<const workloads::LibraryInfo*> able;
        if (!refusal(library_).empty()) {
            able = libraries_for(*workload_info_, *kind_);
            std::erase_if(able, [&](const auto* info) { return !refusal(info).empty(); });
        }
        if (!able.empty() && !library.name.empty() && library.options.empty()) {
            std::vector<std::string_view> names;
            for (const auto* info : able) names.push_back(info->name);
            throw UserError(
                fmt::format("{}; of these libraries one can run it: {}", refusal(library_), fmt::join(names, ", ")));
        }
        if (!able.empty() && library.name.empty()) {
            library_ = able.front();
            programs = programs_with(spec.options);
        }
    }
    platforms::require_effects(spec.options, for_workload, walk(programs));
    workload_ = std::move(programs.workload);
    backgrounds_ = std::move(programs.backgrounds);
    list_workload_options();
    request_.workload = in_one_form(spec, workload_options_, [&](const std::vector<std::string>& options) {
        ProgramsOfRun others = programs_with(options);
        return list_parameters_of(walk(others));
    });
    if (library_ == nullptr) return;
    const std::string for_library = "--library " + library.name;
    const auto walk_library = [](workloads::Workload& workload) {
        return [&workload](ParameterVisitor& visitor) { workload.library()->visit(visitor); };
    };
    platforms::read_assignments(library.options, for_library, walk_library(*workload_));
    platforms::require_effects(library.options, for_library, walk_library(*workload_));
    library_options_ = list_parameters_of(walk_library(*workload_));
    if (library.name.empty()) return;
    request_.library = in_one_form(library, library_options_, [&](const std::vector<std::string>& options) {
        const auto workload = workload_info_->make(library_);
        platforms::read_assignments(options, for_library, walk_library(*workload));
        return list_parameters_of(walk_library(*workload));
    });
}

/// Their order is that of the alphabet where it makes no difference.
void Experiment::settle_overlays()
{
    if (std::is_sorted(request_.overlays.begin(), request_.overlays.end())) return;
    ExperimentRequest settled = request_;
    std::sort(settled.overlays.begin(), settled.overlays.end());
    try_instead(std::move(settled));
}

/// Takes the request if it means the same.
bool Experiment::try_instead(ExperimentRequest request)
{
    try {
        platforms::Configuration configuration = configuration_of(request);
        auto parameters = checked_parameters(configuration, nodes());
        if (!mean_the_same(parameters, parameters_)) return false;
        request_ = std::move(request);
        configuration_ = std::move(configuration);
        parameters_ = std::move(parameters);
        return true;
    } catch (const UserError&) {
        return false;
    }
}

/// Each key once, in the order of the parameters, without those that change nothing: so that neither output nor key
/// depend on how the settings are written. What does not come out the same stays as it was written.
void Experiment::settle_settings()
{
    if (request_.settings.empty()) return;
    const NodeUse nodes = this->nodes();
    const auto assigned = configuration_.assigned_keys();
    const Values values = values_of(parameters_);
    const Values& before = values_without_settings(request_, nodes);
    std::vector<std::string> all;
    std::vector<std::string> needed;
    for (const ParameterRow& row : parameters_) {
        if (!assigned.contains(row.key)) continue;
        all.push_back(assignment_of(row));
        const bool as_before = value_in(before, row.key) == row.value;
        const bool as_all_nodes = value_in(before, row.key).empty() && of_all_nodes(values, row.key) == row.value;
        if (!as_before && !as_all_nodes) needed.push_back(all.back());
    }
    for (auto* settings : {&needed, &all}) {
        if (*settings == request_.settings) return;
        ExperimentRequest settled = request_;
        settled.settings = std::move(*settings);
        if (try_instead(std::move(settled))) return;
    }
}

void Experiment::list_workload_options()
{
    workload_options_ =
        list_parameters_of([this](ParameterVisitor& visitor) { visit(visitor, *workload_, backgrounds_); });
}

std::vector<std::string> Experiment::files() const
{
    std::vector<std::string> all = workload_->files();
    for (const auto& each : backgrounds_) {
        for (std::string& file : each->files()) all.push_back(std::move(file));
    }
    return all;
}

NodeUse Experiment::nodes() const
{
    const NodeKind kind = workload_->needs();
    return {kind, workload_->uses(), kind == NodeKind::kProcessor && !backgrounds_.empty()};
}

void Experiment::prepare_simulation()
{
    if (library_ == nullptr) {
        require_offered(workload_info_->name, {workload_info_->runs_on}, request_.platform, *kind_);
    }
    route_kernel_reports_to_log();
    simulation_ = std::make_unique<Simulation>(request_.seed);
    if (processes_ != nullptr) {
        simulation_->divide(*processes_);
        divide_log(*simulation_->division());
    }
    if (use_) simulation_->build_all();
}

void Experiment::build()
{
    if (Division* const division = simulation_->division(); division != nullptr) {
        division->together([this] { build_and_start(); });
    } else {
        build_and_start();
    }
}

void Experiment::build_and_start()
{
    require_room(*kind_, configuration_, workload_->needs(), request_.platform);
    simulation_->begin_part(0);
    machine_ = kind_->build(configuration_, nodes(), *simulation_);
    simulation_->end_parts();
    try {
        workload_->start(*machine_);
        for (const auto& each : backgrounds_) each->start(*machine_, *workload_);
    } catch (const UserError& error) {
        // Shared code reports "cores = 50: ..." without the workload's name
        const std::string_view text = error.what();
        const auto begins_with = [text](const ParameterRow& row) { return text.starts_with(row.key + " = "); };
        const auto has_it = [&begins_with](const std::vector<ParameterRow>& options) {
            return std::any_of(options.begin(), options.end(), begins_with);
        };
        if (has_it(workload_options_)) throw UserError(workload_name() + ": " + error.what());
        if (has_it(library_options_)) throw UserError(library_name() + ": " + error.what());
        throw;
    }
    list_workload_options();
    if (use_) use_->attach(simulation_->components());
}

void Experiment::run()
{
    try {
        simulation_->run();
        simulated_time_ = simulation_->end();
        if (use_) use_->finish(simulated_time_);
        const auto require_drained = [this] { simulation_->require_drained(); };
        if (Division* const division = simulation_->division(); division != nullptr) {
            division->together(require_drained);
            if (use_) use_->sample_at_least(division->longest(use_->every()));
            division->add_up([this](Totals& totals) {
                simulation_->add_up(totals);
                workload_->add_up(totals);
                if (use_) use_->add_up(totals);
            });
            division->together([&] {
                if (division->gives_results()) check_workload();
            });
            has_run_ = true;
            return;
        }
        require_drained();
    } catch (const LivelockError&) {
        throw;  // the machine is stuck, not the workload
    } catch (const StuckError&) {
        workload_->check_stuck();
        throw;
    }
    check_workload();
    has_run_ = true;
}

void Experiment::check_workload()
{
    try {
        workload_->check();
        for (const auto& each : backgrounds_) each->check();
    } catch (const ModelError& error) {  // packets or bytes are missing: of course, if a fault took them
        if (!simulation_->faults().took()) throw;
        throw simulation_->by_fault(error.what());
    }
}

std::string Experiment::undivided(bool watched) const
{
    if (std::string why = workload_->undivided(); !why.empty()) return why;
    if (!backgrounds_.empty()) return "background traffic stops when the workload ends, which no single process knows";
    return kind_->undivided(configuration_, workload_->needs(), watched);
}

workloads::Results Experiment::results() const
{
    workloads::Results results = workload_->results();
    for (std::string& note : workload_->notes()) results.notes.push_back(std::move(note));
    for (const auto& each : backgrounds_) each->add_to(results);
    for (const Component* component : simulation_->components()) {
        for (std::string& doubt : component->doubts()) results.notes.push_back(std::move(doubt));
    }
    if (!simulation_->faults().empty()) results.notes.push_back("faults: " + simulation_->faults().counts());
    return results;
}

}  // namespace ringmesh::lab
