// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/uncertainty/bar_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/study/catalog.h"
#include "lab/table/csv.h"
#include "lab/truth/uncertainty/columns.h"
#include "tlm/atomic_file.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// "16; 32": the reverse of a join.
std::vector<std::string> parts_of(const std::string& text)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find("; ", begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 2;
    }
    return parts;
}

/// As ParameterRow has it, as far as draws ask: inputs.csv does not say.
std::string kind_of(const Input& input)
{
    if (input.low.empty()) return "choice";
    if (input.low.find(" cycle") != std::string::npos) return "cycles";
    if (input.low.ends_with("B")) return "size";
    return input.low.find_first_not_of("0123456789") == std::string::npos ? "integer" : "quantity";
}

/// An input as inputs.csv has it.
Input kept_input(const CsvCells& cells)
{
    Input input{.name = cells.text("input"),
                .of = *kInputOwners.find(cells.text("of")),
                .value = cells.text("value"),
                .low = cells.text("low"),
                .high = cells.text("high"),
                .alternatives = parts_of(cells.text("alternatives")),
                .from = *kProvenanceNames.find(cells.text("from"))};
    input.key = input.name.substr(0, input.name.find(" = "));
    if (input.of != InputOf::kMachine) {
        constexpr std::string_view kOf = " of ";
        const std::size_t of = input.key.rfind(kOf);
        input.owner = of == std::string::npos ? "" : input.key.substr(of + kOf.size());
        input.key.resize(std::min(of, input.key.size()));
    }
    input.kind = kind_of(input);
    return input;
}

}  // namespace

std::vector<KeptSettings> settings_of_others(const std::filesystem::path& study)
{
    std::vector<KeptSettings> all;
    for (const std::string& name : list_studies()) {
        const auto folder = bars_folder(find_study(name));
        std::error_code error;
        if (std::filesystem::equivalent(folder, bars_folder(study), error)) continue;
        if (!std::filesystem::exists(folder / kSettingsFile, error) || !read_bars(find_study(name))) continue;
        KeptSettings& kept = all.emplace_back(KeptSettings{.study = name, .inputs = {}, .rows = {}, .met = {}});
        const CsvTable inputs = read_csv(folder / kInputsFile);
        std::map<std::string, std::size_t> numbers;
        for (const CsvTable::Row& row : inputs.rows) {
            const CsvCells cells(inputs, row, kBarsCure);
            if (!kInputOwners.find(cells.text("of"))) throw cells.wrong("of", "neither machine, program nor library");
            numbers.emplace(cells.text("input"), kept.inputs.size());
            kept.inputs.push_back(kept_input(cells));
        }
        const CsvTable settings = read_csv(folder / kSettingsFile);
        std::map<std::string, SettingRow> met;
        for (const CsvTable::Row& row : settings.rows) {
            const CsvCells cells(settings, row, kBarsCure);
            met.emplace(cells.text("id"), SettingRow{cells.number("error"), cells.uncertainty("sigma")});
        }
        const CsvTable matrix = read_csv(folder / kSensitivityFile);
        for (const CsvTable::Row& row : matrix.rows) {
            const CsvCells cells(matrix, row, kBarsCure);
            const auto setting = met.find(cells.text("id"));
            if (setting == met.end()) continue;
            if (kept.met.insert(*setting).second) {
                kept.rows.push_back({.id = setting->first, .simulated = cells.number("simulated")});
            }
            RowEffects& effects = *std::find_if(kept.rows.begin(), kept.rows.end(),
                                                [&](const RowEffects& each) { return each.id == setting->first; });
            const std::size_t number = numbers.at(cells.text("input"));
            if (effects.effects.empty() || effects.effects.back().input != number) {
                effects.effects.push_back({.input = number, .results = {}});
            }
            effects.effects.back().results.push_back(cells.number_if_any("result"));
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
        const auto range =
            input.is_choice() ? fmt::format("{}", fmt::join(input.alternatives, "; ")) : input.range_text();
        const std::string state = input_state(kProvenanceNames.name(input.from), input.value, range);
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

std::map<std::string, std::string> bar_files(const Analysis& analysis, const std::set<std::string>& judged)
{
    return {{kBarsFile, six_digit_csv(bar_columns().results(analysed_rows(analysis, judged)))},
            {kInputsFile, six_digit_csv(input_columns().results(summaries_of(analysis, judged)))},
            {kSensitivityFile, six_digit_csv(trial_columns().results(trials_of(analysis)))},
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
    for (const auto& [name, text] : files) {
        AtomicFile file(folder / name);
        file.append(text);
        file.commit();
    }
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
