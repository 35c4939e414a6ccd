// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "lab/commands/line/command.h"
#include "lab/commands/line/outputs.h"
#include "lab/process/standard_streams.h"
#include "lab/study/description/catalog.h"
#include "lab/study/running/execution.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/findings.h"
#include "lab/truth/uncertainty/bar_file.h"
#include "lab/truth/uncertainty/bars.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kSensitivity{
    .name = "sensitivity",
    .meaning = "Show which parameters change each result of a study, and how much, over their ranges",
    .arguments = "sensitivity STUDY [OPTIONS]",
    .examples = R"(Examples:
  ringmesh sensitivity wulfkit                                   the inputs, and which of them change each row
  ringmesh sensitivity wulfkit --row wulfkit.component.switching one row, input by input: a tornado
  ringmesh sensitivity my-study/ --csv matrix.csv                a line for each row and input

Inputs are the parameters of machines, and the options of programs and libraries, that were assumed, calibrated or
derived; their ranges stand beside their values (ringmesh list parameters PLATFORM). Every run is cached.
)",
    .status_1 = "a fault ended a run"};

class SensitivityCommand final : public Command {
public:
    const CommandHelp& help() const override { return kSensitivity; }
    void describe(OptionList& list) override
    {
        list.argument("STUDY", study_, "A study, by name or by folder");
        list.need("no study; write the name or folder of one");
        list.text("--row", row_, "Show this row, or the rows whose ids begin so, input by input", "ID");
        list.text("--part", part_, "Only the rows of one part of the study", "PART");
        list.flag("--full", full_, "Include the rows that take minutes");
        add_shard(list, shard_, "Run only share I of N of the runs");
        add_outputs(list, files_, "inputs, rows and effects", "one line for each row and input");
        add_store(list, store_);
    }
    int execute() override;

private:
    std::string study_;  ///< a name or a folder
    std::string part_;   ///< of its scripts; empty for all
    std::string row_;    ///< id, or what it begins with; empty: all rows
    bool full_ = false;
    std::optional<Shard> shard_;
    StoreOptions store_;
    OutputOptions files_;
};

/// What each input moves, those that move no judged row last.
TextTable inputs_table(const Analysis& analysis, const std::set<std::string>& judged)
{
    auto summaries = summaries_of(analysis, judged);
    std::stable_sort(summaries.begin(), summaries.end(), [](const InputSummary& a, const InputSummary& b) {
        return a.judged != b.judged ? a.judged > b.judged : a.rows > b.rows;
    });
    return input_columns().table(summaries);
}

/// The largest effects on each row.
TextTable rows_table(const Analysis& analysis, const std::set<std::string>& judged)
{
    constexpr std::size_t kMost = 3;
    TextTable table(
        {{"row"}, {"simulated", Align::kRight}, {"judged"}, {"hangs on: change over the range (elasticity)"}});
    for (const RowEffects& row : analysis.rows) {
        std::vector<std::string> parts;
        for (const Effect& effect : row.effects) {
            const double part = row.simulated == 0 ? 0 : row.swing(effect) / std::abs(row.simulated);
            if (parts.size() == kMost || part < kMovesRow) break;
            const Input& input = analysis.inputs[effect.input];
            const auto slope = elasticity(row, effect, input);
            parts.push_back(fmt::format("{}{} {:.2g} %{}", input.name, input.from == Provenance::kCalibrated ? "*" : "",
                                        part * 100, slope ? fmt::format(" ({:+.2g})", *slope) : ""));
        }
        const double numbers[] = {row.simulated};
        table.row({row.id, with_thousands(row.simulated, decimals_for(numbers)), judged.contains(row.id) ? "yes" : "-",
                   parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "))});
    }
    return table;
}

/// The inputs of one row, the largest first, with a line for each end of a range.
std::string tornado(const RowEffects& row, const std::vector<Input>& inputs, Room room)
{
    constexpr int kWidth = 24;  // of half the picture
    const auto trials = trials_of(row, inputs);
    double most = 0;
    for (const InputTrial& trial : trials) {
        if (trial.result()) most = std::max(most, std::abs(*trial.result() - row.simulated));
    }
    const auto picture_of = [&](const InputTrial& trial) -> std::string {
        if (!trial.result() || most == 0) return "";
        const int length = static_cast<int>(std::lround((*trial.result() - row.simulated) / most * kWidth));
        std::string picture(static_cast<std::size_t>(kWidth + std::min(length, 0)), ' ');
        for (int bar = 0; bar < std::abs(length); ++bar) picture += "█";
        if (length > 0) picture.insert(static_cast<std::size_t>(kWidth), "|");
        if (length <= 0) picture += "|";
        return picture;
    };
    std::vector<TableColumn> columns = trial_columns().table().columns();
    columns.push_back({std::string(kWidth, '-') + "0" + std::string(kWidth, '-')});
    TextTable table(columns);
    for (const InputTrial& trial : trials) {
        auto cells = trial_columns().texts(trial);
        cells.push_back(picture_of(trial));
        table.row(std::move(cells));
    }
    const double numbers[] = {row.simulated};
    const std::string head = fmt::format("{}: {}", row.id, with_thousands(row.simulated, decimals_for(numbers)));
    if (table.empty()) return head + "; no input moves it\n";
    return fmt::format("{}\n\n{}", head, table.text(0, room.for_results()));
}

/// What a reader must know first: what the comparison cannot tell.
std::vector<std::string> counts_of(const Analysis& analysis, const std::set<std::string>& judged)
{
    std::vector<std::string> unmoved;
    std::vector<std::string> entered;
    for (const AnalysedRow& row : analysed_rows(analysis, judged)) {
        if (!row.judged) continue;
        if (!row.bar.moved) unmoved.push_back(row.effects->id);
        if (row.bar.entered) {
            entered.push_back(fmt::format("{} ({})", row.effects->id, row.bar.hangs_on.front().input));
        }
    }
    std::vector<std::string> free;
    std::size_t calibrated = 0;
    for (const InputSummary& summary : summaries_of(analysis, judged)) {
        if (summary.judged == 0) free.push_back(summary.input->name);
        if (summary.input->from == Provenance::kCalibrated) ++calibrated;
    }
    const auto list = [](const std::vector<std::string>& names) {
        return names.empty() ? std::string("none") : fmt::format("{}: {}", names.size(), fmt::join(names, ", "));
    };
    return {fmt::format("{}, {} of them calibrated; {} with a published and a simulated number; {} of the study",
                        counted(analysis.inputs.size(), "input"), calibrated, counted(judged.size(), "row"),
                        counted(analysis.runs, "run")),
            "entered, for one calibrated input alone moves them: " + list(entered),
            "moved by nothing: " + list(unmoved), "free, for they move nothing that was published: " + list(free)};
}

Json json_of(const Analysis& analysis, const std::set<std::string>& judged)
{
    return {{"ringmesh", program_json()},
            {"inputs", input_columns().json(summaries_of(analysis, judged))},
            {"rows", bar_columns().json(analysed_rows(analysis, judged), kInFiles | kInSql)},
            {"effects", trial_columns().json(trials_of(analysis))},
            {"problems", analysis.problems}};
}

/// The row that `--row` names, or those whose ids begin so.
std::set<std::string> named_rows(const std::string& row, const std::map<std::string, double>& simulated)
{
    if (simulated.contains(row)) return {row};
    std::set<std::string> named;
    std::vector<std::string> known;
    for (const auto& [id, value] : simulated) {
        known.push_back(id);
        if (id.starts_with(row)) named.insert(id);
    }
    if (!named.empty()) return named;
    throw UserError(
        fmt::format("sensitivity: --row {}: no such row with a simulated number{}", row, id_suggestion(row, known)));
}

}  // namespace

int SensitivityCommand::execute()
{
    VariedFindingsOfStudy varied(study_, part_, full_);
    Outputs outputs(files_, command_line);
    Store points = Store::at(store_.folder);
    std::set<std::string> named;
    if (!row_.empty()) {
        auto simulated = varied.find({{.name = "as it is"}}, {.store = store_}, points)->front().simulated;
        for (const std::string& id : varied.without_own_bar()) simulated.erase(id);
        named = named_rows(row_, simulated);
    }
    auto analysis = analyse(
        varied, {.numerical = false, .samples = 0, .variations = {.store = store_, .shard = shard_.value_or(Shard{})}},
        points);
    if (!analysis) {
        say("this share is done, others are not; the same command without --shard shows the result");
        return 0;
    }
    for (const std::string& problem : analysis->problems) say(problem);
    Findings findings(varied.study(), part_);
    const AskedPoints asked{&varied.study(), varied.points(), varied.granted()};
    findings.find(asked.points, asked.granted, points);
    const auto judged = judged_rows(findings.report(asked.points, full_));
    if (!row_.empty()) {
        std::erase_if(analysis->rows, [&named](const RowEffects& each) { return !named.contains(each.id); });
    }
    const Room room = output_room();
    Answer answer;
    if (row_.empty()) {
        for (const std::string& line : counts_of(*analysis, judged)) answer.sentences.push_back(line + '.');
    }
    outputs.write(
        answer, [&] { return json_of(*analysis, judged); },
        [&] { return six_digit_csv(trial_columns().results(trials_of(*analysis))); },
        [&] {
            std::string text;
            if (!row_.empty()) {
                for (const RowEffects& each : analysis->rows) {
                    text += (text.empty() ? "" : "\n") + tornado(each, analysis->inputs, room);
                }
                return text;
            }
            return inputs_table(*analysis, judged).text(0, room.for_results()) + '\n' +
                   rows_table(*analysis, judged).text(0, room.for_results());
        });
    return 0;
}

std::unique_ptr<Command> make_sensitivity() { return std::make_unique<SensitivityCommand>(); }

}  // namespace ringmesh::lab
