// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/uncertainty/bar_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "lab/process/output_file.h"
#include "lab/study/description/catalog.h"
#include "lab/table/results.h"
#include "lab/truth/uncertainty/bars.h"
#include "tlm/error.h"

namespace ringmesh::lab {

std::vector<KeptSettings> settings_of_others(const std::filesystem::path& study)
{
    std::vector<KeptSettings> all;
    for (const std::string& name : list_studies()) {
        const auto folder = find_study(name);
        std::error_code error;
        if (std::filesystem::equivalent(bars_folder(folder), bars_folder(study), error)) continue;
        auto kept = read_bars(folder);
        if (!kept || kept->settings.empty()) continue;
        KeptSettings& settings = all.emplace_back(KeptSettings{name, std::move(kept->inputs), {}, {}});
        for (RowEffects& row : kept->rows) {
            const auto met = kept->settings.find(row.id);
            if (met == kept->settings.end()) continue;
            settings.met.insert(*met);
            settings.rows.push_back(std::move(row));
        }
    }
    return all;
}

std::vector<std::string> changed_inputs(const VariedInputs& kept, const std::vector<Input>& inputs)
{
    std::vector<std::string> changed;
    std::set<std::string> names;
    for (const Input& input : inputs) {
        names.insert(input.name);
        const std::string state = state_of(input);
        const auto was = kept.states.find(input.name);
        if (was == kept.states.end()) {
            changed.push_back(fmt::format("{} is new", input.name));
        } else if (was->second != state) {
            changed.push_back(fmt::format("{} was {}, is {}", input.name, was->second, state));
        }
    }
    for (const auto& [name, state] : kept.states) {
        if (!names.contains(name)) changed.push_back(fmt::format("{} is gone", name));
    }
    return changed;
}

namespace {

/// An id or input that repeats the line above is left out.
std::string sensitivity_csv(const Analysis& analysis)
{
    const auto trials = trials_of(analysis);
    workloads::Results results = trial_columns().results(trials, kInKeptTrials);
    for (std::size_t i = 1; i < trials.size(); ++i) {
        if (trials[i].row == trials[i - 1].row) results.rows[i][0] = std::monostate();
        if (trials[i].effect == trials[i - 1].effect) results.rows[i][1] = std::monostate();
    }
    return six_digit_csv(std::move(results));
}

}  // namespace

std::map<std::string, std::string> bar_files(const Analysis& analysis, const std::set<std::string>& judged)
{
    return {{kBarsFile, six_digit_csv(bar_columns().results(analysed_rows(analysis, judged)))},
            {kInputsFile, six_digit_csv(input_columns().results(summaries_of(analysis, judged)))},
            {kSensitivityFile, sensitivity_csv(analysis)},
            {kSettingsFile, six_digit_csv(setting_columns().results(analysis.settings))}};
}

KeptBars kept_bars(const Analysis& analysis, const std::set<std::string>& judged)
{
    return bars_from(bar_files(analysis, judged), "the analysis");
}

void keep_bars(const std::filesystem::path& study, const std::map<std::string, std::string>& files)
{
    const auto folder = bars_folder(study);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw UserError(fmt::format("--keep: {}: {}; make it writable", folder.string(), error.message()));
    for (const auto& [name, text] : files) write_whole(folder / name, text);
}

SettingRows published_rows(const Report& report)
{
    SettingRows all;
    for (const Row& row : report.rows) {
        if (!is_compared(row)) continue;
        const double error = *row.simulated - middle_of_published(row);
        all.emplace(row.id, SettingRow{.error = error, .sigma = std::hypot(data_uncertainty(row), error)});
    }
    return all;
}

}  // namespace ringmesh::lab
