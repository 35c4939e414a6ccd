// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lab/table/writers/csv.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/ledger/kept_bars.h"
#include "tlm/files/input_file.h"

namespace ringmesh::lab {
namespace {

/// The file has six digits.
constexpr double kSameNumber = 1e-5;

std::string percent_text(double percent) { return fmt::format("{:+.2f} %", percent); }

std::string beside_published(const LeftOutRow& row, double number)
{
    const double numbers[] = {number, row.published};
    return with_thousands(number, decimals_for(numbers));
}

}  // namespace

double LeftOutRow::error_percent(double number) const
{
    return published == 0 ? 0 : 100 * (number - published) / std::abs(published);
}

const Listing<LeftOutRow>& left_out_columns()
{
    using Each = LeftOutRow;
    static const Listing<Each> columns({
        listed<Each>("id", &Each::id),
        listed<Each>("table", &Each::table).in(kInFiles),
        listed<Each>("published", &Each::published).in(kOnTerminal).printed([](const Each& each) {
            return beside_published(each, each.published);
        }),
        listed<Each>("simulated", [](const Each& each) { return each.found.simulated; }).printed([](const Each& each) {
            return beside_published(each, each.found.simulated);
        }),
        listed<Each>("left_out", [](const Each& each) { return each.found.value; })
            .titled("left out")
            .printed(
                [](const Each& each) { return each.found.value ? beside_published(each, *each.found.value) : "-"; }),
        listed<Each>("error", [](const Each& each) { return each.error_percent(each.found.simulated); })
            .in(kOnTerminal)
            .printed([](const Each& each) { return percent_text(each.error_percent(each.found.simulated)); }),
        listed<Each>("left_out_error", [](const Each& each) { return each.found.value; })
            .titled("left out")
            .in(kOnTerminal)
            .printed([](const Each& each) {
                return each.found.value ? percent_text(each.error_percent(*each.found.value)) : "-";
            }),
        listed<Each>("constants", [](const Each& each) { return each.found.constants; }).in(kInFiles),
        listed<Each>("unset", [](const Each& each) { return each.found.unset; }).in(kInFiles),
        listed<Each>("model", [](const Each& each) { return each.found.model; }).in(kInFiles),
    });
    return columns;
}

void read_left_out(Report& report, const std::filesystem::path& study)
{
    const auto path = bars_folder(study) / kLeftOutFile;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return;
    const CsvTable table = csv_from_text(read_own(path), path);
    std::set<std::string> ids;
    for (const CsvTable::Row& line : table.rows) {
        const CsvCells cells(table, line, "make the file again with calibrate --cross-validate --keep");
        const std::string& id = cells.text("id");
        if (!ids.insert(id).second) throw cells.wrong("id", "is there twice");
        LeftOut found{.simulated = cells.number("simulated"),
                      .value = cells.number_if_any("left_out"),
                      .constants = cells.text("constants"),
                      .unset = cells.text("unset"),
                      .model = cells.text("model")};
        const auto row = std::ranges::find(report.rows, id, &Row::id);
        if (row != report.rows.end()) row->left_out = std::move(found);
    }
}

LeftOutState left_out_state(const Report& report)
{
    LeftOutState state;
    for (const Row& row : report.rows) {
        if (!row.counted || *row.counted == Counted::kOtherSource || !is_compared(row)) continue;
        if (!row.left_out) {
            state.without += row.role == Role::kCalibration ? 1 : 0;
            continue;
        }
        state.model = row.left_out->model;
        if (!row.left_out->value) {
            ++state.hang_on_choices;
            continue;
        }
        ++state.rows;
        const double was = row.left_out->simulated;
        if (std::abs(*row.simulated - was) > kSameNumber * std::max(std::abs(was), std::abs(*row.simulated))) {
            ++state.moved;
        }
    }
    return state;
}

std::string left_out_text_of(const Report& report)
{
    const LeftOutState state = left_out_state(report);
    if (state.model.empty()) return "";
    std::string text =
        fmt::format("{}: {} simulated with constants that were calibrated without their tables, by model {}",
                    report.machine, counted(state.rows, "row"), state.model.substr(0, 12));
    const bool is_old = state.moved + state.without > 0;
    if (state.moved > 0) text += fmt::format("; {} of them have another number now", state.moved);
    if (state.hang_on_choices > 0) {
        text += fmt::format("; {} not judged: they depend on choices that no other table decides",
                            counted(state.hang_on_choices, "row"));
    }
    if (state.without > 0) text += fmt::format("; {} that calibrate have none", counted(state.without, "row"));
    return text +
           (is_old ? fmt::format("; calibrate {} --cross-validate --keep makes them again", report.machine) : "");
}

}  // namespace ringmesh::lab
