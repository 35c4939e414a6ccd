// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/study_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lab/commands/help.h"
#include "lab/commands/option_values.h"
#include "lab/run/workload_spec.h"
#include "lab/study/axis_values.h"
#include "lab/study/catalog.h"
#include "lab/study/test_checks.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

/// "NAME=REST", the value of an option.
std::pair<std::string, std::string> name_and_rest(std::string_view command, std::string_view option,
                                                  const std::string& text, std::string_view example)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw UserError(fmt::format("{}: {} {}: not NAME=...; write {} {}", command, option, text, option, example));
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
}

/// "fast=half-switching,link.symbol_time=4ns": overlays, and with '=' settings, options of the program, another
/// platform or library.
Variant variant_of(std::string_view command, const std::string& text)
{
    const auto [name, changes] = name_and_rest(command, "--variant", text, "fast=OVERLAY or fast=KEY=VALUE");
    Variant variant{.name = name, .where = fmt::format("{}: --variant {}", command, text)};
    std::string_view rest = changes;
    std::string* value = nullptr;  // the last one, which may go on behind a comma: a list
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        const std::string part(rest.substr(0, comma));
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos) {
            if (value != nullptr) {
                *value += "," + part;
            } else {
                variant.overlays.push_back({part, variant.where});
            }
            continue;
        }
        constexpr std::string_view kOfProgram = "options.";
        const std::string key = part.substr(0, equals);
        if (key == "platform" || key == "library") {
            StudyWord& word = key == "platform" ? variant.platform : variant.library;
            word = {part.substr(equals + 1), variant.where};
            value = &word.text;
        } else {
            const bool is_option = key.starts_with(kOfProgram);
            auto& settings = is_option ? variant.options : variant.set;
            settings.push_back(
                {is_option ? key.substr(kOfProgram.size()) : key, part.substr(equals + 1), variant.where});
            value = &settings.back().value;
        }
    }
    return variant;
}

/// @throws UserError for a name that is there twice
void require_each_name_once(const StudyTest& test)
{
    std::vector<std::string> names;
    const auto add = [&names](std::string name, const std::string& where, const char* cure) {
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            throw UserError(fmt::format("{}: {} is given twice; {}", where, name, cure));
        }
        names.push_back(std::move(name));
    };
    for (const Axis& axis : test.axes) add(axis.name, axis.where, "keep one, with all of its values");
    names.clear();
    for (const Variant& variant : test.variants) {
        add(variant.name, variant.where, "give each variant a name of its own; base is what nothing is changed in");
    }
    require_one_source(test);
}

constexpr NameTable<StudyAction, 9> kStudyActions{{{{"run", StudyAction::kRun},
                                                    {"status", StudyAction::kStatus},
                                                    {"list", StudyAction::kList},
                                                    {"query", StudyAction::kQuery},
                                                    {"export", StudyAction::kExport},
                                                    {"clean", StudyAction::kClean},
                                                    {"merge", StudyAction::kMerge},
                                                    {"submit", StudyAction::kSubmit},
                                                    {"compare", StudyAction::kCompare}}}};

/// A comparison is of variants, stores or models.
void require_one_question(const StudyCommand& command)
{
    const bool variants = !command.variants.empty();
    const bool stores = !command.from.empty();
    const bool models = !command.model.empty();
    constexpr std::string_view kQuestions =
        "write study compare STUDY VARIANT VARIANT, --with DIR for another store, or --model VERSION for another model";
    if (variants + stores + models != 1) {
        throw UserError(fmt::format("study compare: {}; {}",
                                    variants || stores || models ? "more than one question" : "nothing to compare with",
                                    kQuestions));
    }
    if (variants && command.variants.size() != 2) {
        throw UserError(fmt::format("study compare: {} variant{}; {}", command.variants.size(),
                                    command.variants.size() == 1 ? "" : "s", kQuestions));
    }
}

}  // namespace

StudyTest test_of(const std::string& command, CommandOptions& options)
{
    StudyTest test;
    test.name = test.where = command;
    test.platform = {options.sweep.platform, test.where};
    require_machine(command, options.sweep);
    if (options.sweep.workload.empty()) {
        throw UserError(command +
                        ": no workload; write --workload NAME; 'ringmesh list workloads' shows what there is" +
                        see_help(command));
    }
    const auto settings_of = [](const std::vector<std::string>& assignments, const std::string& where) {
        std::vector<StudySetting> settings;
        for (const std::string& text : assignments) {
            const std::size_t equals = text.find('=');
            settings.push_back(
                {text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1), where});
        }
        return settings;
    };
    const WorkloadSpec program = parse_workload_spec("--workload", options.sweep.workload);
    test.program = {program.name, test.where};
    test.options = settings_of(program.options, "--workload " + options.sweep.workload);
    if (!options.sweep.library.empty()) {
        const WorkloadSpec library = parse_workload_spec("--library", options.sweep.library);
        test.library = {library.name, test.where};
        test.library_options = settings_of(library.options, "--library " + options.sweep.library);
    }
    for (const std::string& setting : options.sweep.settings) {
        name_and_rest(command, "--set", setting, "KEY=VALUE");
        const auto one = settings_of({setting}, "--set " + setting);
        test.set.insert(test.set.end(), one.begin(), one.end());
    }
    for (const std::string& overlay : options.sweep.overlays) test.overlays.push_back({overlay, test.where});
    for (const std::string& text : options.axes) {
        const std::string where = fmt::format("{}: --axis {}", command, text);
        const auto [name, values] = name_and_rest(command, "--axis", text, "link.symbol_time=5ns,2.5ns");
        test.axes.push_back({name, axis_values(values, where), where});
    }
    for (const std::string& text : options.together) {
        auto& names = test.together.emplace_back();
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            names.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    test.variants.push_back({.name = "base", .where = command});
    for (const std::string& text : options.variants) test.variants.push_back(variant_of(command, text));
    require_each_name_once(test);
    test.repeat = parse_count(command, "--repeat", options.repeat);
    test.seed = parse_seed(command, options.seed);
    return test;
}

void apply_limit(const std::string& name, StudyCommand& command)
{
    if (command.limit.empty()) return;
    try {
        for (StudyTest& test : command.study.tests) test.limit = time_limit(command.limit, "--limit 60s");
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}: --limit {}: {}", name, command.limit, error.what()));
    }
}

StudyCommand study_command(const std::string& name, CommandOptions& options)
{
    StudyCommand& command = options.study;
    if (!options.jobs.empty()) command.store.jobs = parse_count(name, "--jobs", options.jobs);
    command.is_sweep = name == "sweep";
    if (command.is_sweep) {
        command.study.tests.push_back(test_of(name, options));
    } else {
        const auto names = kStudyActions.names();
        const StudyAction* action = kStudyActions.find(options.action);
        if (action == nullptr) {
            throw UserError(
                fmt::format("study: no action; write one of: {}{}", fmt::join(names, ", "), see_help("study")));
        }
        command.action = *action;
        if (command.path.empty()) {
            throw UserError(fmt::format("study {}: no study; write the folder that has study.toml{}", options.action,
                                        see_help("study")));
        }
        if ((command.action == StudyAction::kQuery) == command.sql.empty()) {
            throw UserError(fmt::format("study {0}: {1}; write study query STUDY 'SELECT ...'", options.action,
                                        command.sql.empty() ? "no question" : "takes no SQL"));
        }
        if (command.action == StudyAction::kExport && command.database.empty()) {
            throw UserError("study export: no file; write --sqlite FILE");
        }
        if (command.action == StudyAction::kMerge && command.from.empty()) {
            throw UserError("study merge: no store to merge from; write --from DIR, once for each");
        }
        if (command.action == StudyAction::kSubmit && !command.slurm) {
            throw UserError("study submit: not said to what; write --slurm");
        }
        if (command.action == StudyAction::kCompare) require_one_question(command);
        if (!options.tasks.empty()) command.tasks = parse_count("study submit", "--tasks", options.tasks);
        command.study = read_study(find_study(command.path));
    }
    if (!options.shard.empty()) command.shard = shard_from(options.shard);
    apply_limit(name, command);
    return std::move(command);
}

}  // namespace ringmesh::lab
