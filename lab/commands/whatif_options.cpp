// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "lab/commands/help.h"
#include "lab/commands/option_values.h"
#include "lab/commands/study_options.h"
#include "lab/study/catalog.h"
#include "platforms/catalog.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

/// What says which points are to run; the papers' question takes none of it, and a study has its own.
std::string points_option(const CommandOptions& options)
{
    if (!options.sweep.library.empty()) return "--library";
    if (!options.axes.empty()) return "--axis";
    if (!options.together.empty()) return "--together";
    if (!options.variants.empty()) return "--variant";
    if (options.repeat != "1") return "--repeat";
    if (options.seed != "1") return "--seed";
    if (!options.study.save.empty()) return "--save";
    return {};
}

std::string question_option(const CommandOptions& options)
{
    if (!options.question.by.empty()) return "--by";
    if (options.smaller) return "--smaller";
    if (options.larger) return "--larger";
    if (!options.study.where.empty()) return "--where";
    if (!options.study.limit.empty()) return "--limit";
    if (options.study.dry_run) return "--dry-run";
    if (options.study.store.retry) return "--retry";
    return {};
}

/// Whether what is asked about is a study: a platform's name wins, unless a test is named.
bool is_study(const CommandOptions& options)
{
    const std::string& name = options.sweep.platform;
    if (!options.test.empty()) return true;
    std::error_code ignored;
    const std::filesystem::path path(name);
    if (path.filename() == "study.toml" || std::filesystem::exists(path / "study.toml", ignored)) {
        if (platforms::is_path(name) || name == ".") return true;
    } else if (platforms::is_path(name)) {
        return false;
    }
    std::vector<std::string> known;
    for (const platforms::CatalogEntry& platform : platforms::list_platforms()) known.push_back(platform.name);
    if (std::find(known.begin(), known.end(), name) != known.end()) return false;
    const auto studies = list_studies();
    if (std::find(studies.begin(), studies.end(), name) != studies.end()) return true;
    if (std::filesystem::exists(path / "study.toml", ignored)) return true;
    known.insert(known.end(), studies.begin(), studies.end());
    throw UserError(fmt::format("whatif: '{}' is no platform and no study{}", name, suggestion(name, known)));
}

/// The one test of the study that is to be compared.
void keep_test(Study& study, const std::string& path, const std::string& name)
{
    std::vector<std::string> names;
    std::vector<std::string> comparable;
    for (const StudyTest& test : study.tests) {
        names.push_back(test.name);
        if (test.variants.size() > 1) comparable.push_back(test.name);
    }
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
        throw UserError(fmt::format("whatif: --test {}: {} has no such test{}", name, path, suggestion(name, names)));
    }
    if (name.empty() && comparable.size() != 1) {
        throw UserError(fmt::format("whatif: {} has {} tests with two or more variants; write --test NAME: {}", path,
                                    comparable.size(), fmt::join(comparable.empty() ? names : comparable, ", ")));
    }
    const std::string& wanted = name.empty() ? comparable.front() : name;
    std::erase_if(study.tests, [&wanted](const StudyTest& test) { return test.name != wanted; });
}

/// Without variants, the changes of the platform are one. What depends on an axis holds for all.
void make_changed(StudyTest& test)
{
    if (test.variants.size() > 1) return;
    Variant changed{.name = "changed", .overlays = test.overlays, .where = test.where};
    std::vector<StudySetting> for_all;
    for (StudySetting& setting : test.set) {
        const bool depends = setting.value.find("${") != std::string::npos;
        (depends ? for_all : changed.set).push_back(std::move(setting));
    }
    test.set = std::move(for_all);
    test.overlays.clear();
    if (!changed.overlays.empty() || !changed.set.empty()) test.variants.push_back(std::move(changed));
}

/// A whatif over axes, or of a study.
StudyCommand variants_command(CommandOptions& options, bool of_study)
{
    const std::string name = "whatif";
    StudyCommand& command = options.study;
    if (!options.sizes.empty()) {
        throw UserError(
            "whatif: --sizes: numbers of nodes go without --workload and study; give the program its sizes, "
            "--workload NAME:sizes=..., or write an axis");
    }
    if (options.smaller && options.larger) throw UserError("whatif: --smaller and --larger: choose one of them");
    if (options.smaller) options.question.better = Better::kSmaller;
    if (options.larger) options.question.better = Better::kLarger;
    command.question = options.question;
    command.is_sweep = !of_study;
    if (of_study) {
        std::string taken = points_option(options);
        if (!options.sweep.workload.empty()) taken = "--workload";
        if (!options.sweep.overlays.empty()) taken = "--overlay";
        if (!options.sweep.settings.empty()) taken = "--set";
        if (!taken.empty()) {
            throw UserError(fmt::format("whatif: {}: {} is a study, whose study.toml says what runs; write it there",
                                        taken, options.sweep.platform));
        }
        command.path = options.sweep.platform;
        command.study = read_study(find_study(command.path));
        keep_test(command.study, command.path, options.test);
    } else {
        StudyTest test = test_of(name, options);
        make_changed(test);
        command.study.tests.push_back(std::move(test));
    }
    apply_limit(name, command);
    return std::move(command);
}

}  // namespace

Command whatif_command(CommandOptions& options)
{
    const std::string name = "whatif";
    if (!options.jobs.empty()) options.study.store.jobs = parse_count(name, "--jobs", options.jobs);
    if (!options.samples.empty()) {
        if (!options.study.uncertainty) {
            throw UserError("whatif: --samples: is of error bars; add --uncertainty, or leave it out");
        }
        options.study.samples = parse_count(name, "--samples", options.samples);
    }
    const bool of_study = !options.sweep.platform.empty() && is_study(options);
    if (of_study || !options.sweep.workload.empty()) return variants_command(options, of_study);
    for (const std::string& option : {points_option(options), question_option(options)}) {
        if (option.empty()) continue;
        throw UserError(
            fmt::format("whatif: {}: goes with a program; write --workload NAME, or leave it out for the "
                        "papers' question{}",
                        option, see_help(name)));
    }
    WhatIfCommand papers{.request = options.sweep,
                         .sizes = options.sizes,
                         .uncertainty = options.study.uncertainty,
                         .samples = options.study.samples,
                         .store = options.study.store,
                         .json = options.study.json,
                         .csv = options.study.csv};
    return on_machine(name, papers);
}

}  // namespace ringmesh::lab
