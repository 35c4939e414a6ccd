// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/uncertainty/bar_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lab/study/catalog.h"
#include "lab/table/csv.h"
#include "lab/table/text_table.h"
#include "lab/truth/calibration/least_squares.h"
#include "tlm/atomic_file.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kBars = "bars.csv";
constexpr const char* kSettingsFile = "settings.csv";
/// Of the inputs that a row hangs on, bars.csv names the first.
constexpr std::size_t kNamed = 3;
constexpr double kLeastNamed = 0.01;

std::string line_of(const std::vector<std::string>& cells)
{
    std::vector<std::string> quoted;
    quoted.reserve(cells.size());
    for (const std::string& cell : cells) quoted.push_back(csv_cell(cell));
    return fmt::format("{}\n", fmt::join(quoted, ","));
}

std::optional<double> change_percent(const RowEffects& row, const std::optional<double>& result)
{
    if (!result || row.simulated == 0) return std::nullopt;
    return 100 * (*result - row.simulated) / std::abs(row.simulated);
}

/// "12 cycles (derived, 10 cycles to 13 cycles)"
std::string state_of(std::string_view from, const std::string& value, const std::string& range)
{
    return fmt::format("{} ({}, {})", value, from, range);
}

/// Over the ranges, in parts of each row: rows that differ in scale alone are one number, and rows that move by less
/// than they are known tell nothing of the inputs.
/// @param known of judged rows by id, what the published number leaves open, in percent of the simulated one
std::size_t independent_numbers(const KeptBars& kept, const std::map<std::string, double>& known)
{
    std::map<std::string, std::size_t> columns;
    for (const auto& [id, changes] : kept.changes) {
        for (const auto& [trial, change] : changes) columns.emplace(trial, columns.size());
    }
    std::vector<std::vector<double>> rows;
    for (const auto& [id, changes] : kept.changes) {
        const auto of_row = known.find(id);
        if (of_row == known.end()) continue;
        double most = 0;
        for (const auto& [trial, change] : changes) most = std::max(most, std::abs(change));
        if (most <= std::max(of_row->second, 100 * kMovesRowMuch)) continue;
        auto& row = rows.emplace_back(columns.size(), 0.0);
        for (const auto& [trial, change] : changes) row[columns.at(trial)] = change / most;
    }
    return rank_of(rows, kIndependent);
}

/// A number's own bar; or that of another one, in parts of it.
std::optional<Bar> bar_for(const KeptBars& kept, const std::string& id, const std::string& bar_as, double simulated)
{
    const auto own = kept.bars.find(id);
    if (own != kept.bars.end()) return own->second;
    const auto other = kept.bars.find(bar_as);
    if (other == kept.bars.end() || other->second.simulated == 0) return std::nullopt;
    const double scale = simulated / other->second.simulated;
    Bar bar = other->second;
    for (double* each : {&bar.simulated, &bar.low, &bar.high}) *each *= scale;
    for (double* each : {&bar.u_num, &bar.u_input}) *each *= std::abs(scale);
    if (scale < 0) std::swap(bar.low, bar.high);
    return bar;
}

/// A row of a file by the names of its columns.
class Cells {
public:
    Cells(const CsvTable& table, const CsvTable::Row& row) : table_(&table), row_(&row) {}

    const std::string& text(std::string_view column) const { return row_->cells[table_->column(column)]; }
    double number(std::string_view column) const
    {
        const std::string& cell = text(column);
        double value = 0;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error == std::errc{} && end == cell.data() + cell.size() && std::isfinite(value)) return value;
        throw wrong(column, "not a number");
    }
    /// Of what cannot be less than nothing.
    double uncertainty(std::string_view column) const
    {
        const double value = number(column);
        if (value < 0) throw wrong(column, "below zero");
        return value;
    }
    std::size_t count(std::string_view column) const
    {
        const double value = uncertainty(column);
        if (value != std::floor(value)) throw wrong(column, "not a whole number");
        return static_cast<std::size_t>(value);
    }
    /// "lc2.bypass* 60 %; pci.clock 12 %"
    std::vector<Bar::Share> shares(std::string_view column) const
    {
        constexpr std::string_view kUnit = " %";
        const std::string& cell = text(column);
        std::vector<Bar::Share> shares;
        for (std::size_t begin = 0; begin < cell.size();) {
            const std::size_t end = std::min(cell.find("; ", begin), cell.size());
            const std::string one = cell.substr(begin, end - begin);
            begin = end + 2;
            const std::size_t blank = one.ends_with(kUnit) ? one.rfind(' ', one.size() - 3) : std::string::npos;
            int percent = 0;
            if (blank == std::string::npos || blank == 0 ||
                std::from_chars(one.data() + blank + 1, one.data() + one.size(), percent).ptr !=
                    one.data() + one.size() - kUnit.size()) {
                throw wrong(column, "not inputs with their parts, as in 'lc2.bypass 60 %; pci.clock 12 %'");
            }
            Bar::Share share{.input = one.substr(0, blank), .part = percent / 100.0};
            share.calibrated = share.input.ends_with('*');
            if (share.calibrated) share.input.pop_back();
            shares.push_back(std::move(share));
        }
        return shares;
    }
    bool flag(std::string_view column) const
    {
        const std::string& cell = text(column);
        if (cell != "yes" && !cell.empty()) throw wrong(column, "neither yes nor empty");
        return !cell.empty();
    }
    UserError wrong(std::string_view column, std::string_view what) const
    {
        return UserError(fmt::format("{}: {} = {}: {}; make the file again with validate --uncertainty --keep",
                                     table_->where(*row_), column, text(column), what));
    }

private:
    const CsvTable* table_;
    const CsvTable::Row* row_;
};

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
Input kept_input(const Cells& cells)
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
            const Cells cells(inputs, row);
            if (!kInputOwners.find(cells.text("of"))) throw cells.wrong("of", "neither machine, program nor library");
            numbers.emplace(cells.text("input"), kept.inputs.size());
            kept.inputs.push_back(kept_input(cells));
        }
        const CsvTable settings = read_csv(folder / kSettingsFile);
        std::map<std::string, SettingRow> met;
        for (const CsvTable::Row& row : settings.rows) {
            const Cells cells(settings, row);
            met.emplace(cells.text("id"), SettingRow{cells.number("error"), cells.uncertainty("sigma")});
        }
        const CsvTable matrix = read_csv(folder / kSensitivityFile);
        for (const CsvTable::Row& row : matrix.rows) {
            const Cells cells(matrix, row);
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
            const std::string& result = cells.text("result");
            effects.effects.back().results.push_back(result.empty() ? std::nullopt
                                                                    : std::optional(cells.number("result")));
        }
    }
    return all;
}

std::filesystem::path bars_folder(const std::filesystem::path& study) { return study / "uncertainty"; }

void KeptBars::add_change(const std::string& id, const std::string& input, const std::string& choice, double percent)
{
    if (!choice.empty()) {
        changes[id][fmt::format("{} = {}", input, choice)] = percent;
    } else if (const auto [place, is_new] = changes[id].emplace(input, percent); !is_new) {
        place->second = percent - place->second;  // the low end came first
    }
}

KeptBars kept_bars(const Analysis& analysis, const std::set<std::string>& judged)
{
    KeptBars kept;
    for (const RowEffects& row : analysis.rows) kept.bars.emplace(row.id, bar_of(row, analysis));
    for (const RowEffects& row : analysis.rows) {
        for (const Effect& effect : row.effects) {
            if (!moves(row, effect)) continue;
            const Input& input = analysis.inputs[effect.input];
            const auto others = input.others();
            for (std::size_t i = 0; i < others.size(); ++i) {
                const auto change = change_percent(row, effect.results[i]);
                if (change) kept.add_change(row.id, input.name, input.is_choice() ? others[i] : "", *change);
            }
        }
    }
    for (const InputSummary& summary : summaries_of(analysis, judged)) {
        ++kept.inputs.all;
        const bool calibrated = summary.input->from == Provenance::kCalibrated;
        if (calibrated) kept.inputs.calibrated.push_back(summary.input->name);
        if (summary.judged == 0) kept.inputs.free.push_back(summary.input->name);
    }
    return kept;
}

std::optional<KeptBars> read_bars(const std::filesystem::path& study)
{
    const auto folder = bars_folder(study);
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) return std::nullopt;
    for (const char* name : {kBars, kInputsFile, kSensitivityFile}) {
        if (std::filesystem::exists(folder / name, error)) continue;
        throw UserError(
            fmt::format("{}: is missing beside the others; make all again with validate --uncertainty --keep, "
                        "or remove the folder",
                        (folder / name).string()));
    }
    KeptBars kept;
    const CsvTable bars = read_csv(folder / kBars);
    for (const CsvTable::Row& row : bars.rows) {
        const Cells cells(bars, row);
        if (cells.number("low") > cells.number("high")) throw cells.wrong("low", "above high");
        const bool is_new = kept.bars
                                .emplace(cells.text("id"), Bar{.simulated = cells.number("simulated"),
                                                               .u_num = cells.uncertainty("u_num"),
                                                               .u_input = cells.uncertainty("u_input"),
                                                               .low = cells.number("low"),
                                                               .high = cells.number("high"),
                                                               .hangs_on = cells.shares("hangs_on"),
                                                               .samples = cells.count("samples"),
                                                               .moved = cells.flag("moved"),
                                                               .entered = cells.flag("entered")})
                                .second;
        if (!is_new) throw cells.wrong("id", "is there twice");
    }
    const CsvTable inputs = read_csv(folder / kInputsFile);
    std::map<std::string, bool> is_choice;
    for (const CsvTable::Row& row : inputs.rows) {
        const Cells cells(inputs, row);
        const std::string& input = cells.text("input");
        if (!kProvenanceNames.find(cells.text("from"))) throw cells.wrong("from", "no provenance");
        if (!is_choice.emplace(input, cells.text("low").empty()).second) throw cells.wrong("input", "is there twice");
        ++kept.inputs.all;
        const auto range = is_choice.at(input) ? cells.text("alternatives")
                                               : fmt::format("{} to {}", cells.text("low"), cells.text("high"));
        kept.states.emplace(input, state_of(cells.text("from"), cells.text("value"), range));
        if (cells.text("from") == "calibrated") kept.inputs.calibrated.push_back(input);
        if (cells.number("judged_moved") == 0) kept.inputs.free.push_back(input);
    }
    const CsvTable matrix = read_csv(folder / kSensitivityFile);
    for (const CsvTable::Row& row : matrix.rows) {
        const Cells cells(matrix, row);
        if (!kept.bars.contains(cells.text("id"))) throw cells.wrong("id", "has no line in bars.csv");
        const auto input = is_choice.find(cells.text("input"));
        if (input == is_choice.end()) throw cells.wrong("input", "has no line in inputs.csv");
        if (cells.text("change_percent").empty()) continue;
        kept.add_change(cells.text("id"), input->first, input->second ? cells.text("tried") : "",
                        cells.number("change_percent"));
    }
    return kept;
}

std::vector<std::string> changed_inputs(const KeptBars& kept, const std::vector<Input>& inputs)
{
    std::vector<std::string> changed;
    std::set<std::string> names;
    for (const Input& input : inputs) {
        names.insert(input.name);
        const auto range =
            input.is_choice() ? fmt::format("{}", fmt::join(input.alternatives, "; ")) : input.range_text();
        const std::string state = state_of(kProvenanceNames.name(input.from), input.value, range);
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
    std::map<std::string, std::string> files;
    std::string& bars = files[kBars];
    bars = "id,simulated,u_num,u_input,low,high,hangs_on,samples,moved,entered\n";
    const auto yes = [](bool flag) { return flag ? "yes" : ""; };
    for (const RowEffects& row : analysis.rows) {
        const Bar bar = bar_of(row, analysis);
        bars += line_of({row.id, six_digits(bar.simulated), six_digits(bar.u_num), six_digits(bar.u_input),
                         six_digits(bar.low), six_digits(bar.high), shares_text(bar, kNamed, kLeastNamed),
                         std::to_string(bar.samples), yes(bar.moved), yes(bar.entered)});
    }
    std::string& inputs = files[kInputsFile];
    inputs = "input,of,from,value,low,high,alternatives,rows_moved,judged_moved,largest_percent,largest_row,reason\n";
    for (const InputSummary& summary : summaries_of(analysis, judged)) {
        const Input& input = *summary.input;
        inputs += line_of({input.name, std::string(kInputOwners.name(input.of)),
                           std::string(kProvenanceNames.name(input.from)), input.value, input.low, input.high,
                           fmt::format("{}", fmt::join(input.alternatives, "; ")), std::to_string(summary.rows),
                           std::to_string(summary.judged), six_digits(summary.largest * 100), summary.largest_row,
                           input.reason});
    }
    std::string& matrix = files[kSensitivityFile];
    matrix = "id,input,simulated,value,tried,result,change_percent,elasticity\n";
    for (const RowEffects& row : analysis.rows) {
        for (const Effect& effect : row.effects) {
            if (!moves(row, effect)) continue;
            const Input& input = analysis.inputs[effect.input];
            const auto others = input.others();
            for (std::size_t i = 0; i < others.size(); ++i) {
                const auto& result = effect.results[i];
                const auto change = change_percent(row, result);
                matrix += line_of({row.id, input.name, six_digits(row.simulated), input.value, others[i],
                                   six_digits(result), six_digits(change), six_digits(elasticity(row, effect, input))});
            }
        }
    }
    std::string& settings = files[kSettingsFile];
    settings = "id,error,sigma,sets,samples,unmet\n";
    for (const SettingResult& row : analysis.settings) {
        settings += line_of({row.id, six_digits(row.met.error), six_digits(row.met.sigma),
                             fmt::format("{}", fmt::join(row.inputs, "; ")), std::to_string(row.samples),
                             std::to_string(row.unmet)});
    }
    return files;
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

void add_bars(Report& report, const KeptBars& kept)
{
    for (Row& row : report.rows) {
        if (row.simulated) row.bar = bar_for(kept, row.id, row.bar_as, *row.simulated);
    }
    for (Prediction& prediction : report.predictions) {
        if (prediction.state == PredictionState::kGone) continue;
        const auto bar = bar_for(kept, prediction.now.id, prediction.bar_as, prediction.now.value);
        if (!bar) continue;
        const double shift = prediction.now.value - bar->simulated;
        prediction.now.low = bar->low + shift;
        prediction.now.high = bar->high + shift;
    }
    report.inputs = kept.inputs;
    std::map<std::string, double> known;
    for (const std::string& id : judged_rows(report)) {
        const Row& row =
            *std::find_if(report.rows.begin(), report.rows.end(), [&id](const Row& each) { return each.id == id; });
        const double simulated = std::abs(*row.simulated);
        known.emplace(id, simulated == 0 ? 0 : 100 * data_uncertainty(row) / simulated);
    }
    report.inputs->independent = independent_numbers(kept, known);
}

SettingRows published_rows(const Report& report)
{
    SettingRows all;
    for (const Row& row : report.rows) {
        if (!row.published || !row.simulated || row.role == Role::kAlternative) continue;
        const double error = *row.simulated - middle_of_published(row);
        all.emplace(row.id, SettingRow{.error = error, .sigma = std::hypot(data_uncertainty(row), error)});
    }
    return all;
}

std::set<std::string> judged_rows(const Report& report)
{
    std::set<std::string> ids;
    for (const Row& row : report.rows) {
        if (row.published && row.simulated && row.role != Role::kAlternative) ids.insert(row.id);
    }
    return ids;
}

}  // namespace ringmesh::lab
