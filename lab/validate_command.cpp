// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <vector>

#include "lab/child_process.h"
#include "lab/commands.h"
#include "lab/output_file.h"
#include "lab/progress_bar.h"
#include "lab/standard_streams.h"
#include "lab/validation/validation.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

constexpr int kRowLeftItsTolerance = 1;

std::vector<Validation> chosen_validations(const std::string& machine)
{
    if (machine.empty()) return validations();
    std::vector<std::string> known;
    for (const Validation& validation : validations()) {
        if (validation.machine == machine) return {validation};
        known.push_back(validation.machine);
    }
    throw UserError(fmt::format("validate: unknown machine '{}'{}", machine, suggestion(machine, known)));
}

/// Those that have the part; all if `part` is empty.
std::vector<Validation> with_part(const std::vector<Validation>& chosen, const std::string& part)
{
    if (part.empty()) return chosen;
    std::vector<Validation> having;
    std::vector<std::string> known;
    for (const Validation& validation : chosen) {
        known.insert(known.end(), validation.parts.begin(), validation.parts.end());
        const auto& parts = validation.parts;
        if (std::find(parts.begin(), parts.end(), part) != parts.end()) having.push_back(validation);
    }
    if (!having.empty()) return having;
    throw UserError(fmt::format("validate: --part {}: no such part{}", part, suggestion(part, known)));
}

/// Those that have curves.
std::vector<Validation> with_curves(const std::vector<Validation>& chosen)
{
    std::vector<Validation> having;
    for (const Validation& validation : chosen) {
        if (validation.curves != nullptr) having.push_back(validation);
    }
    if (having.empty()) {
        throw UserError(
            "validate: --csv: this machine's papers have no curves over size; write validate deck --csv FILE");
    }
    return having;
}

std::vector<CurvePoint> all_curves(const std::vector<Validation>& curved, const Experiments& experiments)
{
    std::vector<CurvePoint> all;
    for (const Validation& validation : curved) {
        const auto points = validation.curves(experiments);
        all.insert(all.end(), points.begin(), points.end());
    }
    return all;
}

/// The output of --tables, if any.
std::string tables_of(const std::vector<Report>& reports, const std::string& machine, const std::string& part)
{
    std::string text = tables_csv(reports);
    if (!text.empty()) return text;
    const std::string rows = part.empty() ? machine : fmt::format("--part {}", part);
    throw UserError(fmt::format("validate: --tables: {} has no tables; write {}", rows,
                                part.empty() ? "validate deck --tables FILE" : "it without --part, or another part"));
}

void require_one_standard_output(std::initializer_list<const std::string*> files)
{
    const auto count = std::count_if(files.begin(), files.end(), [](const std::string* file) { return *file == "-"; });
    if (count > 1) {
        throw UserError(
            "validate: only one of --json -, --markdown -, --csv - and --tables - can go to standard output");
    }
}

}  // namespace

int ValidateCommand::execute()
{
    require_one_standard_output({&json, &markdown, &csv, &tables});
    const auto chosen = with_part(chosen_validations(machine), part);
    OutputFile json_file(json);
    OutputFile markdown_file(markdown);
    OutputFile csv_file(csv);
    OutputFile tables_file(tables);
    const auto curved = csv_file.wanted() ? with_curves(chosen) : std::vector<Validation>();

    const auto start = std::chrono::steady_clock::now();
    Store store(Store::usual_folder());
    Experiments experiments;
    std::size_t ran = 0;
    // The longest experiments start first, to balance the processors
    for (const Validation& validation : chosen) {
        if (full && validation.plan_full != nullptr) validation.plan_full(experiments, part);
    }
    for (const Validation& validation : chosen) validation.plan(experiments, part);
    for (const Validation& validation : curved) validation.plan_curves(experiments);
    {
        ProgressBar bar("validate");
        ran = experiments.run(store, available_processors(), [&](std::size_t finished) {
            bar.show(static_cast<double>(finished) / static_cast<double>(experiments.size()));
        });
    }
    std::vector<Report> reports;
    reports.reserve(chosen.size());
    for (const Validation& validation : chosen) reports.push_back(validation.evaluate(experiments, part));
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

    const std::string tables_text = tables_file.wanted() ? tables_of(reports, machine, part) : "";
    if (json_file.wanted()) json_file.write(report_json(reports));
    if (markdown_file.wanted()) markdown_file.write(report_markdown(reports));
    if (csv_file.wanted()) csv_file.write(curves_csv(all_curves(curved, experiments)));
    if (tables_file.wanted()) tables_file.write(tables_text);
    const auto outputs = {&json_file, &markdown_file, &csv_file, &tables_file};
    if (std::none_of(outputs.begin(), outputs.end(), [](const auto* file) { return file->is_standard_output(); })) {
        std::string text;
        for (const Report& report : reports) text += report_text(report);
        print(text + '\n' + summary(reports) + '\n');
    }
    say(fmt::format("{} experiments, {} of them run now, in {:.2f} s", experiments.size(), ran, passed.count()));
    return all_within(reports) ? 0 : kRowLeftItsTolerance;
}

}  // namespace ringmesh::lab
