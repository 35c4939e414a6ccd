// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "lab/commands/line/command.h"
#include "lab/commands/line/outputs.h"
#include "lab/process/output_file.h"
#include "lab/process/standard_streams.h"
#include "lab/table/listing.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/calibration/calibration.h"
#include "lab/truth/calibration/cross_validation.h"
#include "lab/truth/findings.h"
#include "lab/truth/ledger/accuracy.h"
#include "lab/truth/uncertainty/bar_file.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kCalibrate{
    .name = "calibrate",
    .meaning = "Fit parameters to published rows: least squares within their ranges, with cross-validation",
    .arguments =
        "calibrate STUDY --free INPUT [--free INPUT...] [--row ID...] [OPTIONS]\n"
        "calibrate STUDY --cross-validate [--keep] [OPTIONS]",
    .examples = R"(Examples:
  ringmesh calibrate wulfkit --free host.library --row wulfkit.ping_pong.1_hop_64B
  ringmesh calibrate ncube --free vertex.crossing --free vertex.access --row 'ncube.U.*' --leave-out row
  ringmesh calibrate my-study/ --free bus.clock -o calibrated.toml
  ringmesh calibrate scc --cross-validate --keep        all that is calibrated, each table left out in turn

A row that took part in the fit is no prediction. The cross-validation therefore leaves out one group at a time, fits to
the others, and shows how far the fit misses that group. Every run is cached.
)",
    .status_1 = "a fault ended a run"};

std::string groups_from(const std::string& text)
{
    const bool of_id = text.size() == 4 && text.starts_with("id:") && text[3] >= '1' && text[3] <= '9';
    if (text == "section" || text == "row" || text == "machine" || of_id) return text;
    throw UserError("no such groups; write section, row, machine or id:3");
}

class CalibrateCommand final : public Command {
public:
    const CommandHelp& help() const override { return kCalibrate; }
    void describe(OptionList& list) override
    {
        list.argument("STUDY", study_, "A study, by name or by folder");
        list.need("no study; write the name or folder of one");
        list.repeated("--free", rules_.free,
                      "An input to fit within its range; `ringmesh sensitivity STUDY` lists the inputs", "INPUT");
        list.flag("--cross-validate", all_tables_,
                  "In place of --free: leave out each table in turn, set the inputs that it calibrated by the other "
                  "tables, and simulate its rows");
        list.flag("--keep", keep_, "With --cross-validate: keep what is found in the study's folder uncertainty/");
        list.repeated("--row", rules_.rows,
                      "A published row to fit to, or the beginning of several rows and *; all rows if not given", "ID");
        list.parsed(
            "--leave-out", rules_.leave_out, &groups_from,
            "What the cross-validation leaves out at a time: section, row, machine, or id:3 for rows whose ids have "
            "the same third part; section if not given",
            "GROUP");
        list.text("--part", part_, "Only the rows of one part of the study", "PART");
        list.flag("--full", full_, "Include the rows that take minutes");
        list.text("-o,--output", overlay_, "Write the values as an overlay, with their provenance", "FILE");
        add_outputs(list, files_, "inputs, rows and fit", "the rows");
        add_store(list, rules_.store);
    }
    int execute() override;

private:
    /// Options that do not go together. @throws UserError
    void check() const;
    void write(const CrossValidation& found, Outputs& outputs) const;

    std::string study_;  ///< a name or a folder
    std::string part_;
    bool full_ = false;
    bool all_tables_ = false;  ///< left out in turn
    bool keep_ = false;        ///< with the study
    CalibrationRules rules_;
    std::string overlay_;  ///< file to write
    OutputOptions files_;
};

std::string number(double value, double beside)
{
    const double numbers[] = {value, beside};
    return with_thousands(value, decimals_for(numbers));
}

std::string remark_on(const FreeInput& input)
{
    if (input.at_end) return "at the end of its range";
    const bool all = input.low <= *number_of(input.input->low) && input.high >= *number_of(input.input->high);
    return input.determined && all ? "the rows leave all of its range" : "-";
}

const Listing<FreeInput>& free_input_columns()
{
    using Each = FreeInput;
    static const Listing<Each> columns({
        listed<Each>("input", [](const Each& each) { return each.input->name; }),
        listed<Each>("was", [](const Each& each) { return each.input->value; }),
        listed<Each>("is", &Each::text),
        listed<Each>("low", &Each::low).in(kInFiles),
        listed<Each>("high", &Each::high).in(kInFiles),
        listed<Each>("region", &Each::region).titled("95 % of what the rows leave").printed([](const Each& each) {
            return each.determined ? each.region : "not determined";
        }),
        listed<Each>("determined", &Each::determined).in(kInFiles),
        listed<Each>("at_end", &Each::at_end).in(kInFiles),
        listed<Each>("range", [](const Each& each) { return each.input->range_text(); }).in(kOnTerminal),
        listed<Each>("remark", &remark_on).in(kOnTerminal),
    });
    return columns;
}

/// A number of a row, beside the published one.
template <class Value>
ListedColumn<FittedRow> result_column(const char* name, Value value)
{
    return listed<FittedRow>(name, value).printed([value](const FittedRow& each) {
        const std::optional<double> found(std::invoke(value, each));
        return found ? number(*found, each.published) : "-";
    });
}

/// How far it is from the published one.
template <class Value>
ListedColumn<FittedRow> residual_column(const char* title, Value value)
{
    return listed<FittedRow>(title, value).titled(title, "u_D").in(kOnTerminal).printed([value](const FittedRow& each) {
        const std::optional<double> found(std::invoke(value, each));
        return found ? fmt::format("{:+.1f}", each.residual(*found)) : "-";
    });
}

const Listing<FittedRow>& fitted_row_columns()
{
    using Each = FittedRow;
    static const Listing<Each> columns({
        listed<Each>("id", &Each::id).titled("row"),
        listed<Each>("group", &Each::group).in(kInFiles),
        result_column("published", &Each::published),
        result_column("before", &Each::before),
        result_column("after", &Each::after),
        result_column("left_out", &Each::left_out).titled("without its group"),
        listed<Each>("u_data", &Each::sigma).titled("u_D").printed([](const Each& each) {
            return fmt::format("{:.3g}", each.sigma);
        }),
        residual_column("after", &Each::after),
        residual_column("without", &Each::left_out),
    });
    return columns;
}

Answer answer_of(const Calibration& calibration)
{
    std::string text = "Set: ";
    for (const FreeInput& input : calibration.inputs) {
        text += fmt::format("{}{} = {} (was {})", &input == &calibration.inputs.front() ? "" : ", ", input.input->name,
                            input.text, input.input->value);
    }
    Answer answer{{text + '.'}};
    text = fmt::format("{} set by {} with {}. Root of the mean squared error: {:.3g} u_D before, {:.3g} after",
                       counted(calibration.inputs.size(), "input"), counted(calibration.rows.size(), "row"),
                       counted(calibration.rank, "independent number"), calibration.before, calibration.after);
    if (calibration.left_out) {
        text += fmt::format(", {:.3g} of rows whose group took no part ({} of {})", *calibration.left_out,
                            calibration.groups - calibration.needed.size(), counted(calibration.groups, "group"));
    }
    if (calibration.groups < 2) text += "; all rows are of one group, so none could be left out";
    if (!calibration.needed.empty()) {
        text += fmt::format("; not determined without {}, so nothing tells what these would be",
                            fmt::join(calibration.needed, ", "));
    }
    if (!calibration.converged) text += "; the search did not come to rest";
    if (!calibration.unsettled.empty()) {
        text += fmt::format("; without {} it did not", fmt::join(calibration.unsettled, ", "));
    }
    answer.sentences.push_back(text + fmt::format(". {} of the study.", counted(calibration.runs, "run")));
    return answer;
}

Json json_of(const Calibration& calibration)
{
    return {{"ringmesh", program_json()},
            {"inputs", free_input_columns().json(calibration.inputs)},
            {"rows", fitted_row_columns().json(calibration.rows)},
            {"before", calibration.before},
            {"after", calibration.after},
            {"left_out", calibration.left_out ? Json(*calibration.left_out) : Json()},
            {"needed", calibration.needed},
            {"unsettled", calibration.unsettled},
            {"groups", calibration.groups},
            {"independent", calibration.rank},
            {"converged", calibration.converged}};
}

constexpr const char* kNoConstants =
    "calibrate: --cross-validate: no rows calibrated a constant of this study, so none can be set without them";

/// Before anything runs. A choice alone is none: one table less does not tell what it would be.
void require_constants(const std::vector<Input>& inputs)
{
    const auto is_constant = [](const Input& input) {
        return input.from == Provenance::kCalibrated && !input.set_by.empty() && !input.is_choice();
    };
    if (std::ranges::none_of(inputs, is_constant)) throw UserError(kNoConstants);
}

/// What became of the constants of a table.
std::string words_of(const LeftOutTable& table)
{
    std::string text = fmt::format(
        "{}: {}", table.table,
        table.constants.empty() ? "nothing is set again"
                                : fmt::format("without it {} set {}", counted(table.fitted, "row"), table.constants));
    if (!table.unset.empty()) text += fmt::format("; no row sets {}, which is in the middle of its range", table.unset);
    if (!table.stand.empty()) text += fmt::format("; no row tells {}", fmt::join(table.stand, ", "));
    return text + '.';
}

}  // namespace

void CalibrateCommand::check() const
{
    if (!all_tables_ && rules_.free.empty()) {
        throw UserError(
            "calibrate: nothing is free; write --free INPUT; 'ringmesh sensitivity STUDY' lists the inputs");
    }
    if (all_tables_) {
        if (const auto option = first_typed({"--free", "--row", "--leave-out", "--output"}); !option.empty()) {
            throw UserError(
                fmt::format("calibrate: {}: --cross-validate frees what each table calibrated; leave it out", option));
        }
        if (keep_ && !part_.empty()) {
            throw UserError("calibrate: --keep of one part would replace the rows of all; leave --part out");
        }
    } else if (keep_) {
        throw UserError("calibrate: --keep: is of --cross-validate; add it, or write an overlay with -o");
    }
}

void CalibrateCommand::write(const CrossValidation& found, Outputs& outputs) const
{
    std::vector<LeftOutRow> rows;
    std::string text;
    const Room room = output_room();
    for (const LeftOutTable& table : found.tables) {
        rows.insert(rows.end(), table.rows.begin(), table.rows.end());
        text += wrapped(words_of(table), 0, room.prose()) + "\n\n" +
                left_out_columns().table(table.rows).text(0, room.for_results()) + '\n';
    }
    std::size_t determined = 0;
    std::vector<double> errors;
    for (const LeftOutRow& row : rows) {
        if (!row.found.value) continue;
        ++determined;
        errors.push_back(std::abs(row.error_percent(*row.found.value)));
    }
    Answer answer{
        {fmt::format("{} left out in turn: {} simulated by what the others set, {} hang on choices",
                     counted(found.tables.size(), "table"), counted(determined, "row"), rows.size() - determined)}};
    if (!errors.empty()) {
        answer.sentences.front() += fmt::format("; their median error is {} %", two_digits(median(std::move(errors))));
    }
    answer.sentences.front() += fmt::format(". {} of the study.", counted(found.runs, "run"));
    outputs.write(
        answer,
        [&]() -> Json {
            return {{"ringmesh", program_json()}, {"rows", left_out_columns().json(rows)}};
        },
        [&] { return results_csv(left_out_columns().results(rows)); }, [&] { return text; });
}

int CalibrateCommand::execute()
{
    check();
    VariedFindingsOfStudy varied(study_, part_, full_);
    if (all_tables_) {
        require_constants(varied.inputs());
    } else {
        free_inputs(varied, rules_);
    }
    Outputs outputs(files_, command_line);
    OutputFile overlay_file(overlay_, kOverlayHead);
    Store points = Store::at(rules_.store.folder);
    varied.find({{.name = "as it is"}}, {.store = rules_.store}, points);
    Findings findings(varied.study(), part_);
    findings.find(varied.points(), varied.granted(), points);
    const Report report = findings.report(varied.points(), full_);
    if (all_tables_) {
        const CrossValidation found = cross_validate(varied, report, rules_.store, points);
        for (const std::string& problem : found.problems) say(problem);
        if (found.tables.empty()) throw UserError(kNoConstants);
        if (keep_) keep_left_out(varied.study().folder, found);
        write(found, outputs);
        return 0;
    }
    const Calibration calibration = calibrate(varied, report, rules_, points);
    if (overlay_file.wanted()) {
        const std::string text = overlay_text(calibration, study_);
        if (text.empty()) {
            say("--output: options of programs and libraries do not stand in overlays; nothing is written");
        } else {
            overlay_file.write(text);
        }
    }
    outputs.write(
        answer_of(calibration), [&] { return json_of(calibration); },
        [&] { return results_csv(fitted_row_columns().results(calibration.rows)); },
        [&] {
            const Room room = output_room();
            std::string text = free_input_columns().table(calibration.inputs).text(0, room.for_results()) + '\n' +
                               fitted_row_columns().table(calibration.rows).text(0, room.for_results());
            const auto options = option_texts(calibration);
            if (!options.empty()) text += fmt::format("\n{}\n", fmt::join(options, "\n"));
            return text;
        });
    return 0;
}

std::unique_ptr<Command> make_calibrate() { return std::make_unique<CalibrateCommand>(); }

}  // namespace ringmesh::lab
