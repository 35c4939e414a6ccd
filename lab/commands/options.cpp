// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <utility>
#include <variant>

#include "lab/commands/help.h"
#include "lab/commands/option_values.h"
#include "lab/commands/study_options.h"
#include "lab/process/memory_limit.h"
#include "lab/study/shard.h"
#include "lab/study/study.h"
#include "tlm/error.h"
#include "tlm/names.h"
#include "tlm/quantity.h"

namespace ringmesh::lab {
namespace {

constexpr NameTable<Subject, 11> kSubjects{{{{"platforms", Subject::kPlatforms},
                                             {"overlays", Subject::kOverlays},
                                             {"workloads", Subject::kWorkloads},
                                             {"libraries", Subject::kLibraries},
                                             {"parameters", Subject::kParameters},
                                             {"policies", Subject::kPolicies},
                                             {"studies", Subject::kStudies},
                                             {"functions", Subject::kFunctions},
                                             {"signals", Subject::kSignals},
                                             {"routes", Subject::kRoutes},
                                             {"faults", Subject::kFaults}}}};

std::int64_t parse_rank(const char* option, const std::string& text)
{
    if (text.empty()) {
        throw UserError(
            fmt::format("explain: no {0}; write {0} and the rank of a node{1}", option, see_help("explain")));
    }
    if (const auto rank = parse_whole<std::uint32_t>(text)) return *rank;
    throw UserError(fmt::format("explain: {0} {1}: not the rank of a node; write a whole number, {0} 0", option, text));
}

std::int64_t parse_message_bytes(const std::string& text)
{
    if (const auto bytes = parse_whole<std::int64_t>(text)) return *bytes;
    throw UserError(fmt::format("explain: --bytes {}: not a whole number of bytes; write --bytes 64", text));
}

Command list_command(CommandOptions& options)
{
    const auto names = kSubjects.names();
    if (options.subject.empty()) {
        throw UserError(fmt::format("list: no subject; write one of: {}{}", fmt::join(names, ", "), see_help("list")));
    }
    const Subject* subject = kSubjects.find(options.subject);
    if (subject == nullptr) {
        throw UserError(
            fmt::format("list: unknown subject '{}'{}", options.subject, suggestion(options.subject, names)));
    }
    if (!options.list.name.empty() &&
        (*subject == Subject::kPlatforms || *subject == Subject::kOverlays || *subject == Subject::kStudies)) {
        throw UserError(fmt::format(
            "list: unexpected argument '{}'; only 'list parameters', 'list routes' and 'list signals' take a platform, "
            "'list "
            "workloads' a "
            "workload, 'list libraries' a library, 'list policies' a kind of policy, and 'list functions' the "
            "beginning of names",
            options.list.name));
    }
    const bool of_machine = *subject == Subject::kParameters || *subject == Subject::kRoutes;
    const bool changed = !options.list.overlays.empty() || !options.list.settings.empty();
    if (changed && (!of_machine || options.list.name.empty())) {
        throw UserError(
            "list: --overlay and --set: only 'list parameters PLATFORM' and 'list routes PLATFORM' take them; leave "
            "them out");
    }
    if ((*subject == Subject::kRoutes || *subject == Subject::kFaults) && options.list.name.empty()) {
        throw UserError(
            fmt::format("list: {0} of no platform; write 'list {0} PLATFORM'{1}", options.subject, see_help("list")));
    }
    if (!options.list.pattern.empty() && *subject != Subject::kSignals) {
        throw UserError(fmt::format("list: unexpected argument '{}'; only 'list signals PLATFORM' takes a pattern",
                                    options.list.pattern));
    }
    if (!options.list.library.empty() && (*subject != Subject::kWorkloads || options.list.name.empty())) {
        throw UserError("list: --library: goes with one workload; write 'list workloads NAME', or leave it out");
    }
    if (options.markdown && options.json) throw UserError("list: --markdown and --json: choose one of them");
    options.list.subject = *subject;
    options.list.format = options.json ? Format::kJson : options.markdown ? Format::kMarkdown : Format::kText;
    return std::move(options.list);
}

Duration parse_interval(const std::string& text)
{
    const auto interval = parse_duration(text);
    if (interval.value && *interval.value > Duration::zero()) return *interval.value;
    throw UserError(fmt::format("run: --sample {}: {}; write --sample 1us", text,
                                interval.value ? "not above zero" : "not a time"));
}

constexpr std::string_view kFaultForm = "write such as --fault \"where=node3.lc2*,what=lose-packet,when=1e-4/packet\"";

/// One --fault as settings of a table fault.NAME: "where=node3*,what=cut,when=5us..9us".
void add_fault(std::vector<std::string>& settings, const std::string& fault, const std::string& name)
{
    const std::vector<std::string> keys{"where", "what", "when", "lasts", "seed"};
    std::vector<std::string> given;
    std::istringstream parts(fault);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::string key = part.substr(0, part.find('='));
        if (key.size() == part.size() || std::find(keys.begin(), keys.end(), key) == keys.end()) {
            throw UserError(fmt::format("--fault {}: '{}' is none of {}; {}{}", fault, part, fmt::join(keys, "=, "),
                                        kFaultForm, suggestion(key, keys)));
        }
        if (std::find(given.begin(), given.end(), key) != given.end()) {
            throw UserError(fmt::format("--fault {}: {} is there twice; leave one out", fault, key));
        }
        given.push_back(key);
        settings.push_back(fmt::format("fault.{}.{}", name, part));
    }
    for (const char* key : {"where", "what", "when"}) {
        if (std::find(given.begin(), given.end(), key) != given.end()) continue;
        throw UserError(fmt::format("--fault {}: without {}; {}", fault.empty() ? "\"\"" : fault, key, kFaultForm));
    }
}

/// Each --fault, named fault1, fault2, ... in their order.
void add_faults(std::vector<std::string>& settings, const std::vector<std::string>& faults)
{
    for (const std::string& setting : settings) {
        if (!platforms::is_typed_fault(setting)) continue;
        throw UserError(fmt::format(
            "--set {}: --fault gives such names; write --fault \"where=...,what=...,when=...\", or another name",
            setting));
    }
    for (std::size_t i = 0; i < faults.size(); ++i) add_fault(settings, faults[i], fmt::format("fault{}", i + 1));
}

RunCommand run_command(CommandOptions& options)
{
    RunCommand run = on_machine("run", options.run);
    if (run.request.workload.empty()) {
        throw UserError("run: no workload; write --workload NAME; 'ringmesh list workloads' shows what there is" +
                        see_help("run"));
    }
    run.request.seed = parse_seed("run", options.seed);
    run.wall_time = !options.no_wall_time;
    if (!options.study.limit.empty()) {
        try {
            run.limit = time_limit(options.study.limit, "--limit 60s");
        } catch (const UserError& error) {
            throw UserError(fmt::format("run: --limit {}: {}", options.study.limit, error.what()));
        }
        if (run.limit.count() <= 0) {
            throw UserError(fmt::format("run: --limit {}: not above zero; leave it out for none", options.study.limit));
        }
    }
    if (!options.sample.empty()) run.sample = parse_interval(options.sample);
    return run;
}

ExplainCommand explain_command(CommandOptions& options)
{
    ExplainCommand explain = on_machine("explain", options.explain);
    explain.request.seed = parse_seed("explain", options.seed);
    if (!explain.request.workload.empty()) {
        for (const auto& [option, text] :
             {std::pair("--from", options.from), std::pair("--to", options.to), std::pair("--bytes", options.bytes)}) {
            if (text.empty()) continue;
            throw UserError(
                fmt::format("explain: {} {}: is of one message, and --workload sends its own packets; "
                            "leave one of the two out",
                            option, text));
        }
        if (!options.slowest.empty()) explain.slowest = parse_slowest(options.slowest);
        return explain;
    }
    if (!options.slowest.empty()) {
        throw UserError(
            fmt::format("explain: --slowest {}: one message has no slowest packets; write --workload NAME, "
                        "such as --workload traffic:load=0.3",
                        options.slowest));
    }
    explain.from = parse_rank("--from", options.from);
    explain.to = parse_rank("--to", options.to);
    if (!options.bytes.empty()) explain.bytes = parse_message_bytes(options.bytes);
    return explain;
}

double parse_width(const std::string& text)
{
    double width = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error == std::errc{} && end == text.data() + text.size() && width >= 1e-3 && width <= 1) return width;
    throw UserError(fmt::format("saturate: --width {}: not a load from 0.001 to 1; write --width 0.02", text));
}

SaturateCommand saturate_command(CommandOptions& options)
{
    SaturateCommand saturate = on_machine("saturate", options.saturate);
    saturate.request.seed = parse_seed("saturate", options.seed);
    if (!options.jobs.empty()) saturate.store.jobs = parse_count("saturate", "--jobs", options.jobs);
    if (!options.longest.empty()) {
        saturate.rule.longest = static_cast<int>(parse_count("saturate", "--longest", options.longest));
    }
    if (!options.width.empty()) saturate.rule.width = parse_width(options.width);
    return saturate;
}

CompareCommand compare_command(CommandOptions& options)
{
    CompareCommand& compare = options.compare;
    if (compare.a.empty() || compare.b.empty()) {
        throw UserError(
            "compare: not two things; write the keys of two points, the folders of two stores, or two waveforms" +
            see_help("compare"));
    }
    require_one_standard_output(compare.json, compare.csv);
    return std::move(compare);
}

constexpr NameTable<StoreAction, 3> kStoreActions{
    {{{"status", StoreAction::kStatus}, {"index", StoreAction::kIndex}, {"clean", StoreAction::kClean}}}};

ReportCommand report_command(CommandOptions& options)
{
    ReportCommand& command = options.report_of;
    if (command.subject.empty()) {
        throw UserError("report: of what; write a study, a point's key or its beginning, or the folder of a store" +
                        see_help("report"));
    }
    if (options.report.empty()) throw UserError("report: no file; write -o report.html" + see_help("report"));
    return std::move(command);
}

CheckCommand check_command(CommandOptions& options)
{
    if (options.check.request.platform.empty()) {
        throw UserError("check: which platform; write one, or a TOML file" + see_help("check"));
    }
    if (options.markdown && options.json) throw UserError("check: --markdown and --json: choose one of them");
    options.check.format = options.json ? Format::kJson : options.markdown ? Format::kMarkdown : Format::kText;
    return std::move(options.check);
}

ReproduceCommand reproduce_command(CommandOptions& options)
{
    ReproduceCommand& command = options.reproduce;
    if (command.study.empty()) {
        throw UserError("reproduce: what; write a study, or the folder of an earlier reproduction" +
                        see_help("reproduce"));
    }
    if (command.output.empty())
        throw UserError("reproduce: into which folder; write -o FOLDER" + see_help("reproduce"));
    if (!options.jobs.empty()) command.store.jobs = parse_count("reproduce", "--jobs", options.jobs);
    command.command_line = options.command_line;
    return std::move(command);
}

NewCommand new_command(CommandOptions& options)
{
    NewCommand& made = options.made;
    if (made.kind.empty() || made.name.empty()) {
        throw UserError("new: of what, and its name; write new program token-ring" + see_help("new"));
    }
    return std::move(made);
}

ValidateCommand validate_command(CommandOptions& options)
{
    ValidateCommand& validate = options.validate;
    if (!options.jobs.empty()) validate.store.jobs = parse_count("validate", "--jobs", options.jobs);
    if (!options.samples.empty()) validate.samples = parse_count("validate", "--samples", options.samples);
    if ((validate.keep || validate.freeze) && validate.samples < kHypercubeSamples) {
        throw UserError(
            fmt::format("validate: --samples {}: too few for bars of 95 % that are kept or frozen; write {} or more, "
                        "or leave out {}",
                        validate.samples, kHypercubeSamples, validate.keep ? "--keep" : "--freeze"));
    }
    if (!options.shard.empty()) validate.shard = shard_from(options.shard);
    for (const auto& [option, given] :
         {std::pair("--keep", validate.keep), std::pair("--samples", !options.samples.empty()),
          std::pair("--shard", !options.shard.empty())}) {
        if (given && !validate.uncertainty) {
            throw UserError(fmt::format("validate: {}: is of error bars; add --uncertainty, or leave it out", option));
        }
    }
    if (validate.freeze && !validate.part.empty()) {
        throw UserError("validate: --freeze: predictions of one part would replace those of all; leave --part out");
    }
    if (validate.keep && !validate.part.empty()) {
        throw UserError("validate: --keep: bars of one part would replace those of all; leave --part or --keep out");
    }
    return std::move(validate);
}

SensitivityCommand sensitivity_command(CommandOptions& options)
{
    SensitivityCommand& sensitivity = options.sensitivity;
    if (sensitivity.study.empty()) {
        throw UserError("sensitivity: of what; write the name or folder of a study" + see_help("sensitivity"));
    }
    if (!options.jobs.empty()) sensitivity.store.jobs = parse_count("sensitivity", "--jobs", options.jobs);
    if (!options.shard.empty()) sensitivity.shard = shard_from(options.shard);
    require_one_standard_output(sensitivity.json, sensitivity.csv);
    return std::move(sensitivity);
}

CalibrateCommand calibrate_command(CommandOptions& options)
{
    CalibrateCommand& calibrate = options.calibrate;
    if (calibrate.study.empty()) {
        throw UserError("calibrate: by what; write the name or folder of a study" + see_help("calibrate"));
    }
    if (calibrate.rules.free.empty()) {
        throw UserError("calibrate: nothing is free; write --free INPUT; 'ringmesh sensitivity " + calibrate.study +
                        "' lists the inputs" + see_help("calibrate"));
    }
    if (!options.jobs.empty()) calibrate.rules.store.jobs = parse_count("calibrate", "--jobs", options.jobs);
    const std::string& groups = options.leave_out;
    if (!groups.empty()) {
        const bool of_id = groups.size() == 4 && groups.starts_with("id:") && groups[3] >= '1' && groups[3] <= '9';
        if (groups != "section" && groups != "row" && groups != "machine" && !of_id) {
            throw UserError(
                fmt::format("calibrate: --leave-out {}: no such groups; write section, row, machine or "
                            "id:3",
                            groups));
        }
        calibrate.rules.leave_out = groups;
    }
    require_one_standard_output(calibrate.json, calibrate.csv);
    return std::move(calibrate);
}

Command command_of(const std::string& name, CommandOptions& options)
{
    if (!options.memory.empty()) set_memory_limit(options.memory);
    for (auto* machine : {&options.run.request, &options.explain.request, &options.saturate.request, &options.sweep,
                          &options.check.request}) {
        add_faults(machine->settings, options.faults);
    }
    if (name == "list") return list_command(options);
    if (name == "run") return run_command(options);
    if (name == "whatif") return whatif_command(options);
    if (name == "explain") return explain_command(options);
    if (name == "saturate") return saturate_command(options);
    if (name == "compare") return compare_command(options);
    if (name == "report") return report_command(options);
    if (name == "reproduce") return reproduce_command(options);
    if (name == "check") return check_command(options);
    if (name == "new") return new_command(options);
    if (name == "sweep" || name == "study") return study_command(name, options);
    if (name == "store") {
        const auto names = kStoreActions.names();
        const StoreAction* action = kStoreActions.find(options.action);
        if (action == nullptr) {
            throw UserError(
                fmt::format("store: no action; write one of: {}{}", fmt::join(names, ", "), see_help("store")));
        }
        options.store.action = *action;
        options.store.folder = options.study.store.folder;
        return std::move(options.store);
    }
    if (name == "calibrate") return calibrate_command(options);
    if (name == "sensitivity") return sensitivity_command(options);
    return validate_command(options);
}

}  // namespace

Command make_command(const std::string& name, CommandOptions& options)
{
    const ReportRequest report{options.report, options.command_line};
    Command command = command_of(name, options);
    std::visit(
        [&report](auto& each) {
            if constexpr (requires { each.report; }) each.report = report;
        },
        command);
    return command;
}

}  // namespace ringmesh::lab
