// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/kept_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "lab/table/writers/csv.h"
#include "lab/truth/inputs/least_squares.h"
#include "lab/truth/ledger/conformal.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"
#include "tlm/parameters/parameters.h"

namespace ringmesh::lab {
namespace {

/// Rows that move by less than this part tell nothing of the inputs.
constexpr double kLeastMove = 0.01;
/// For messages on mistakes in these files.
constexpr const char* kCure = "make the file again with validate --uncertainty --keep";

/// Over the ranges, in parts of each row: rows that differ in scale alone are one number, and rows that move by less
/// than they are known tell nothing of the inputs.
/// @param known of judged rows by id, what the published number leaves open, in parts of the simulated one
std::size_t independent_numbers(const KeptBars& kept, const std::map<std::string, double>& known)
{
    std::vector<std::size_t>
        columns;  // the first of each input: one for a range, for a choice one for each of its values
    std::size_t all = 0;
    for (const Input& input : kept.inputs) {
        columns.push_back(all);
        all += std::max<std::size_t>(input.alternatives.size(), 1);
    }
    std::vector<std::vector<double>> rows;
    for (const RowEffects& row : kept.rows) {
        const auto of_row = known.find(row.id);
        if (of_row == known.end() || row.simulated == 0) continue;
        std::vector<double> moves(all, 0);
        for (const Effect& effect : row.effects) {
            double before = 0;  // of a range the low end comes first
            for (std::size_t i = 0; i < effect.results.size(); ++i) {
                if (!effect.results[i]) continue;
                const double move = (*effect.results[i] - row.simulated) / std::abs(row.simulated);
                const bool is_choice = kept.inputs[effect.input].is_choice();
                moves[columns[effect.input] + (is_choice ? i : 0)] = move - before;
                before = is_choice ? 0 : move;
            }
        }
        const double most = std::abs(*std::ranges::max_element(moves, {}, [](double move) { return std::abs(move); }));
        if (most <= std::max(of_row->second, kLeastMove)) continue;
        for (double& move : moves) move /= most;
        rows.push_back(std::move(moves));
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

/// "lc2.bypass* 60 %; pci.clock 12 %"
std::vector<Bar::Share> shares_in(const CsvCells& cells, std::string_view column)
{
    constexpr std::string_view kUnit = " %";
    std::vector<Bar::Share> shares;
    for (const std::string& one : parts_of(cells.text(column))) {
        const std::size_t blank = one.ends_with(kUnit) ? one.rfind(' ', one.size() - 3) : std::string::npos;
        int percent = 0;
        if (blank == std::string::npos || blank == 0 ||
            std::from_chars(one.data() + blank + 1, one.data() + one.size(), percent).ptr !=
                one.data() + one.size() - kUnit.size()) {
            throw cells.wrong(column, "not inputs with their parts, as in 'lc2.bypass 60 %; pci.clock 12 %'");
        }
        const bool calibrated = one[blank - 1] == '*';
        shares.push_back({one.substr(0, blank - (calibrated ? 1 : 0)), percent / 100.0, calibrated});
    }
    return shares;
}

/// As ParameterRow has it, as far as draws ask: inputs.csv does not say.
std::string kind_of(const Input& input)
{
    if (input.low.empty()) return "choice";
    if (input.low.find(" cycle") != std::string::npos) return "cycles";
    if (input.low.ends_with("B")) return "size";
    return input.low.find_first_not_of("0123456789") == std::string::npos ? "integer" : "quantity";
}

Input input_in(const CsvCells& cells)
{
    const auto* of = kInputOwners.find(cells.text("of"));
    const auto* from = kProvenanceNames.find(cells.text("from"));
    if (of == nullptr) throw cells.wrong("of", "neither machine, program nor library");
    if (from == nullptr) throw cells.wrong("from", "no provenance");
    Input input{.name = cells.text("input"),
                .of = *of,
                .value = cells.text("value"),
                .low = cells.text("low"),
                .high = cells.text("high"),
                .alternatives = parts_of(cells.text("alternatives")),
                .from = *from};
    input.key = input.name.substr(0, input.name.find(" = "));
    if (input.of != InputOf::kMachine) {
        constexpr std::string_view kOf = " of ";
        const std::size_t place = input.key.rfind(kOf);
        input.owner = place == std::string::npos ? "" : input.key.substr(place + kOf.size());
        input.key.resize(std::min(place, input.key.size()));
    }
    input.kind = kind_of(input);
    return input;
}

}  // namespace

std::filesystem::path bars_folder(const std::filesystem::path& study) { return study / "uncertainty"; }

KeptBars bars_from(const std::map<std::string, std::string>& files, const std::filesystem::path& folder)
{
    KeptBars kept;
    const auto for_each_row = [&](const char* name, const auto& read) {
        const auto file = files.find(name);
        if (file == files.end()) return;
        const CsvTable table = csv_from_text(file->second, folder / name);
        for (const CsvTable::Row& row : table.rows) read(CsvCells(table, row, kCure));
    };
    for_each_row(kBarsFile, [&](const CsvCells& cells) {
        if (cells.number("low") > cells.number("high")) throw cells.wrong("low", "above high");
        const Bar bar{.simulated = cells.number("simulated"),
                      .u_num = cells.uncertainty("u_num"),
                      .u_input = cells.uncertainty("u_input"),
                      .low = cells.number("low"),
                      .high = cells.number("high"),
                      .hangs_on = shares_in(cells, "hangs_on"),
                      .samples = cells.count("samples"),
                      .moved = cells.flag("moved"),
                      .entered = cells.flag("entered")};
        if (!kept.bars.emplace(cells.text("id"), bar).second) throw cells.wrong("id", "is there twice");
    });
    std::map<std::string, std::size_t> numbers;  // of the inputs
    for_each_row(kInputsFile, [&](const CsvCells& cells) {
        kept.inputs.push_back(input_in(cells));
        const std::string& input = kept.inputs.back().name;
        if (!numbers.emplace(input, numbers.size()).second) throw cells.wrong("input", "is there twice");
        if (cells.number("judged_moved") == 0) kept.free.push_back(input);
    });
    for_each_row(kSensitivityFile, [&](const CsvCells& cells) {
        const std::string& id = cells.text("id");
        const std::string& name = cells.text("input");
        if (kept.rows.empty() || (!id.empty() && kept.rows.back().id != id)) {
            const auto bar = kept.bars.find(id);
            if (bar == kept.bars.end()) throw cells.wrong("id", "has no line in bars.csv");
            kept.rows.push_back({.id = id, .simulated = bar->second.simulated});
        }
        auto& effects = kept.rows.back().effects;
        if (effects.empty() || !name.empty()) {
            const auto input = numbers.find(name);
            if (input == numbers.end()) throw cells.wrong("input", "has no line in inputs.csv");
            if (effects.empty() || effects.back().input != input->second) effects.push_back({input->second, {}});
        }
        Effect& effect = effects.back();
        const auto others = kept.inputs[effect.input].others();
        if (effect.results.size() >= others.size() || cells.text("tried") != others[effect.results.size()]) {
            throw cells.wrong("tried", "not the next other value of the input in inputs.csv");
        }
        effect.results.push_back(cells.number_if_any("result"));
    });
    for_each_row(kSettingsFile, [&](const CsvCells& cells) {
        kept.settings.emplace(cells.text("id"), SettingRow{cells.number("error"), cells.uncertainty("sigma")});
    });
    return kept;
}

std::optional<KeptBars> read_bars(const std::filesystem::path& study)
{
    const auto folder = bars_folder(study);
    std::error_code error;
    constexpr std::array kFiles{kBarsFile, kInputsFile, kSensitivityFile, kSettingsFile};
    const auto exists = [&](const char* name) { return std::filesystem::exists(folder / name, error); };
    if (std::ranges::none_of(kFiles, exists)) return std::nullopt;
    std::map<std::string, std::string> files;
    for (const char* name : kFiles) {
        if (exists(name)) {
            files.emplace(name, read_own(folder / name));  // --keep replaces it
        } else if (name != kSettingsFile) {
            throw UserError(
                fmt::format("{}: is missing beside the others; make all again with validate --uncertainty --keep, or "
                            "remove the folder",
                            (folder / name).string()));
        }
    }
    KeptBars kept = bars_from(files, folder);
    kept.are_kept = true;
    return kept;
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
    VariedInputs& inputs = report.inputs.emplace();
    inputs.all = kept.inputs.size();
    inputs.free = kept.free;
    inputs.are_kept = kept.are_kept;
    for (const Input& input : kept.inputs) {
        inputs.states.emplace(input.name, state_of(input));
        if (input.from == Provenance::kCalibrated) inputs.calibrated.push_back(input.name);
    }
    std::map<std::string, double> known;
    for (const Row& row : report.rows) {
        if (!is_compared(row)) continue;
        const double simulated = std::abs(*row.simulated);
        known.emplace(row.id, simulated == 0 ? 0 : data_uncertainty(row) / simulated);
    }
    inputs.independent = independent_numbers(kept, known);
    add_conformal_bars(report);
}

std::set<std::string> judged_rows(const Report& report)
{
    std::set<std::string> ids;
    for (const Row& row : report.rows) {
        if (is_compared(row)) ids.insert(row.id);
    }
    return ids;
}

}  // namespace ringmesh::lab
