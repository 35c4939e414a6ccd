// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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

/// Those that have the part; all for none.
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
    throw UserError(fmt::format("validate: --part {}: there is no such part{}", part, suggestion(part, known)));
}

}  // namespace

int ValidateCommand::execute()
{
    if (json == "-" && markdown == "-") {
        throw UserError("validate: --json - and --markdown -: only one of them can go to standard output");
    }
    const auto chosen = with_part(chosen_validations(machine), part);
    OutputFile json_file(json);
    OutputFile markdown_file(markdown);

    const auto start = std::chrono::steady_clock::now();
    Experiments experiments;
    for (const Validation& validation : chosen) validation.plan(experiments, part);
    {
        ProgressBar bar("validate");
        experiments.run(available_processors(), [&](std::size_t finished) {
            bar.show(static_cast<double>(finished) / static_cast<double>(experiments.size()));
        });
    }
    std::vector<Report> reports;
    reports.reserve(chosen.size());
    for (const Validation& validation : chosen) reports.push_back(validation.evaluate(experiments, part));
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

    if (json_file.wanted()) json_file.write(report_json(reports));
    if (markdown_file.wanted()) markdown_file.write(report_markdown(reports));
    if (!json_file.is_standard_output() && !markdown_file.is_standard_output()) {
        std::string text;
        for (const Report& report : reports) text += report_text(report);
        print(text + '\n' + summary(reports) + '\n');
    }
    say(fmt::format("{} experiments in {:.2f} s", experiments.size(), passed.count()));
    return all_within(reports) ? 0 : kRowLeftItsTolerance;
}

}  // namespace ringmesh::lab
