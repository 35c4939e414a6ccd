// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/kept_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lab/table/csv.h"
#include "lab/truth/least_squares.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/parameters.h"

namespace ringmesh::lab {
namespace {

/// Rows that move by less than this part tell nothing of the inputs.
constexpr double kLeastMove = 0.01;

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
        if (most <= std::max(of_row->second, 100 * kLeastMove)) continue;
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

/// "lc2.bypass* 60 %; pci.clock 12 %"
std::vector<Bar::Share> shares_in(const CsvCells& cells, std::string_view column)
{
    constexpr std::string_view kUnit = " %";
    const std::string& cell = cells.text(column);
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
            throw cells.wrong(column, "not inputs with their parts, as in 'lc2.bypass 60 %; pci.clock 12 %'");
        }
        Bar::Share share{.input = one.substr(0, blank), .part = percent / 100.0};
        share.calibrated = share.input.ends_with('*');
        if (share.calibrated) share.input.pop_back();
        shares.push_back(std::move(share));
    }
    return shares;
}

/// @param choice empty for an end of a range, the low one first
void add_change(KeptBars& kept, const std::string& id, const std::string& input, const std::string& choice,
                double percent)
{
    if (!choice.empty()) {
        kept.changes[id][fmt::format("{} = {}", input, choice)] = percent;
    } else if (const auto [place, is_new] = kept.changes[id].emplace(input, percent); !is_new) {
        place->second = percent - place->second;  // the low end came first
    }
}

}  // namespace

std::filesystem::path bars_folder(const std::filesystem::path& study) { return study / "uncertainty"; }

std::string input_state(std::string_view from, const std::string& value, const std::string& range)
{
    return fmt::format("{} ({}, {})", value, from, range);
}

KeptBars bars_from(const std::map<std::string, std::string>& files, const std::filesystem::path& folder)
{
    KeptBars kept;
    const CsvTable bars = csv_from_text(files.at(kBarsFile), folder / kBarsFile);
    for (const CsvTable::Row& row : bars.rows) {
        const CsvCells cells(bars, row, kBarsCure);
        if (cells.number("low") > cells.number("high")) throw cells.wrong("low", "above high");
        const bool is_new = kept.bars
                                .emplace(cells.text("id"), Bar{.simulated = cells.number("simulated"),
                                                               .u_num = cells.uncertainty("u_num"),
                                                               .u_input = cells.uncertainty("u_input"),
                                                               .low = cells.number("low"),
                                                               .high = cells.number("high"),
                                                               .hangs_on = shares_in(cells, "hangs_on"),
                                                               .samples = cells.count("samples"),
                                                               .moved = cells.flag("moved"),
                                                               .entered = cells.flag("entered")})
                                .second;
        if (!is_new) throw cells.wrong("id", "is there twice");
    }
    const CsvTable inputs = csv_from_text(files.at(kInputsFile), folder / kInputsFile);
    std::map<std::string, bool> is_choice;
    for (const CsvTable::Row& row : inputs.rows) {
        const CsvCells cells(inputs, row, kBarsCure);
        const std::string& input = cells.text("input");
        if (!kProvenanceNames.find(cells.text("from"))) throw cells.wrong("from", "no provenance");
        if (!is_choice.emplace(input, cells.text("low").empty()).second) throw cells.wrong("input", "is there twice");
        ++kept.inputs.all;
        const auto range = is_choice.at(input) ? cells.text("alternatives")
                                               : fmt::format("{} to {}", cells.text("low"), cells.text("high"));
        kept.inputs.states.emplace(input, input_state(cells.text("from"), cells.text("value"), range));
        if (cells.text("from") == "calibrated") kept.inputs.calibrated.push_back(input);
        if (cells.number("judged_moved") == 0) kept.inputs.free.push_back(input);
    }
    const CsvTable matrix = csv_from_text(files.at(kSensitivityFile), folder / kSensitivityFile);
    for (const CsvTable::Row& row : matrix.rows) {
        const CsvCells cells(matrix, row, kBarsCure);
        if (!kept.bars.contains(cells.text("id"))) throw cells.wrong("id", "has no line in bars.csv");
        const auto input = is_choice.find(cells.text("input"));
        if (input == is_choice.end()) throw cells.wrong("input", "has no line in inputs.csv");
        if (cells.text("change_percent").empty()) continue;
        add_change(kept, cells.text("id"), input->first, input->second ? cells.text("tried") : "",
                   cells.number("change_percent"));
    }
    return kept;
}

std::optional<KeptBars> read_bars(const std::filesystem::path& study)
{
    const auto folder = bars_folder(study);
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) return std::nullopt;
    std::map<std::string, std::string> files;
    for (const char* name : {kBarsFile, kInputsFile, kSensitivityFile}) {
        if (std::filesystem::exists(folder / name, error)) {
            files.emplace(name, platforms::read_text(folder / name));
            continue;
        }
        throw UserError(
            fmt::format("{}: is missing beside the others; make all again with validate --uncertainty --keep, "
                        "or remove the folder",
                        (folder / name).string()));
    }
    return bars_from(files, folder);
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
    for (const Row& row : report.rows) {
        if (!is_compared(row)) continue;
        const double simulated = std::abs(*row.simulated);
        known.emplace(row.id, simulated == 0 ? 0 : 100 * data_uncertainty(row) / simulated);
    }
    report.inputs->independent = independent_numbers(kept, known);
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
