// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <vector>

#include "lab/child_process.h"
#include "lab/commands.h"
#include "lab/output_file.h"
#include "lab/progress_bar.h"
#include "lab/standard_streams.h"
#include "lab/study/catalog.h"
#include "lab/study/findings.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

constexpr int kRowLeftItsTolerance = 1;

/// Those that have the part; all if `part` is empty.
std::vector<Findings> findings_of(const std::string& study, const std::string& part)
{
    const std::vector<std::string> names = study.empty() ? list_studies() : std::vector{study};
    if (names.empty()) throw UserError("validate: there are no studies; write a folder that has study.toml");
    std::vector<Findings> all;
    std::vector<std::string> known;
    for (const std::string& name : names) {
        Study read = read_study(find_study(name));
        if (!part.empty()) {
            std::vector<std::string> parts;
            for (const Script& script : scripts_of(read)) parts.push_back(script.part);
            known.insert(known.end(), parts.begin(), parts.end());
            if (std::find(parts.begin(), parts.end(), part) == parts.end()) continue;
        }
        all.emplace_back(std::move(read), part);
    }
    if (all.empty()) throw UserError(fmt::format("validate: --part {}: no such part{}", part, suggestion(part, known)));
    return all;
}

/// The output of --tables, if any.
std::string tables_of(const std::vector<Report>& reports)
{
    std::string text = tables_csv(reports);
    if (!text.empty()) return text;
    throw UserError("validate: --tables: there are none; write it without --part, or another study or part");
}

void require_one_standard_output(std::initializer_list<const std::string*> files)
{
    const auto count = std::count_if(files.begin(), files.end(), [](const std::string* file) { return *file == "-"; });
    if (count > 1) {
        throw UserError("validate: only one of --json -, --markdown - and --tables - can go to standard output");
    }
}

/// The runs of all studies together, so that none waits for another's last one.
std::vector<std::vector<Granted>> grant_all(const std::vector<std::vector<StudyPoint>>& points,
                                            const StoreOptions& options, Store& store, Execution& execution)
{
    std::vector<Wish> wishes;
    for (const auto& of_study : points) {
        for (const StudyPoint& point : of_study) wishes.push_back(point.wish);
    }
    ProgressBar bar("validate");
    const ExecutionRules rules{.parallel = options.jobs == 0 ? available_processors() : options.jobs,
                               .stop_at_failure = true,
                               .fresh = options.fresh,
                               .retry = options.retry};
    const auto all = grant(store, wishes, rules, [&](const Execution& now) {
        execution = now;
        bar.show(static_cast<double>(now.ended()) / static_cast<double>(std::max<std::size_t>(now.wanted, 1)));
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].cached || all[i].ran) all[i].require_done(wishes[i].title);
    }
    std::vector<std::vector<Granted>> split;
    auto next = all.begin();
    for (const auto& of_study : points) {
        split.emplace_back(next, next + static_cast<std::ptrdiff_t>(of_study.size()));
        next += static_cast<std::ptrdiff_t>(of_study.size());
    }
    return split;
}

}  // namespace

int ValidateCommand::execute()
{
    require_one_standard_output({&json, &markdown, &tables});
    auto studies = findings_of(study, part);
    OutputFile json_file(json);
    OutputFile markdown_file(markdown);
    OutputFile tables_file(tables);

    const auto start = std::chrono::steady_clock::now();
    Store points_store(store.folder.empty() ? Store::usual_folder() : std::filesystem::path(store.folder));
    std::vector<std::vector<StudyPoint>> points;
    points.reserve(studies.size());
    for (const Findings& findings : studies) points.push_back(findings.points(full));
    Execution execution;
    const auto granted = grant_all(points, store, points_store, execution);
    std::vector<Report> reports;
    for (std::size_t i = 0; i < studies.size(); ++i) {
        studies[i].find(points[i], granted[i], points_store);
        reports.push_back(studies[i].report(points[i], full));
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

    const std::string tables_text = tables_file.wanted() ? tables_of(reports) : "";
    if (json_file.wanted()) json_file.write(report_json(reports));
    if (markdown_file.wanted()) markdown_file.write(report_markdown(reports));
    if (tables_file.wanted()) tables_file.write(tables_text);
    const auto outputs = {&json_file, &markdown_file, &tables_file};
    if (std::none_of(outputs.begin(), outputs.end(), [](const auto* file) { return file->is_standard_output(); })) {
        std::string text;
        for (const Report& report : reports) text += report_text(report) + '\n';
        print(text + wrapped(summary(reports)) + '\n');
    }
    say(fmt::format("{} points, {} of them run now, in {:.2f} s", execution.wanted, execution.done + execution.failed,
                    passed.count()));
    return all_within(reports) ? 0 : kRowLeftItsTolerance;
}

}  // namespace ringmesh::lab
