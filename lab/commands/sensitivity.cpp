// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "lab/commands/command.h"
#include "lab/process/output_file.h"
#include "lab/process/standard_streams.h"
#include "lab/study/catalog.h"
#include "lab/study/execution.h"
#include "lab/table/json.h"
#include "lab/table/text_table.h"
#include "lab/truth/findings.h"
#include "lab/truth/uncertainty/bar_file.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kSensitivity{
    .name = "sensitivity",
    .meaning = "Show which parameters each result of a study hangs on, over their ranges",
    .arguments = "sensitivity STUDY [OPTIONS]",
    .examples = R"(Examples:
  ringmesh sensitivity wulfkit                                   the inputs, and what each row hangs on
  ringmesh sensitivity wulfkit --row wulfkit.component.switching one row, input by input: a tornado
  ringmesh sensitivity my-study/ --csv matrix.csv                a line for each row and input

Inputs are the parameters of machines, and the options of programs and libraries, that were assumed, calibrated or
derived; their ranges stand beside their values (ringmesh list parameters PLATFORM). Every run is cached.
)"};

class SensitivityCommand final : public Command {
public:
    const CommandHelp& help() const override { return kSensitivity; }
    void describe(OptionList& list) override;
    int execute() override;

private:
    std::string study;  ///< a name or a folder
    std::string part;   ///< of its scripts; empty for all
    std::string row;    ///< id, or what it begins with; empty: all rows
    bool full = false;
    std::optional<Shard> shard;
    StoreOptions store;
    std::string json;
    std::string csv;
};

void SensitivityCommand::describe(OptionList& list)
{
    list.argument("STUDY", study, "A name or a folder");
    list.text("--row", row, "Only this row, or those that begin so, input by input", "ID");
    list.text("--part", part, "Only the rows of one script", "PART");
    list.flag("--full", full, "Also the rows that take minutes");
    add_shard(list, shard, "Only this share of the runs");
    list.text("--json", json, "Write inputs, rows and effects; '-' for standard output", "FILE");
    list.text("--csv", csv, "Write the matrix, a line for each row and input; '-' for standard output", "FILE");
    add_store(list, store);
}

std::string percent(double part) { return fmt::format("{:+.2f} %", part * 100); }

std::optional<double> change(const RowEffects& row, const std::optional<double>& result)
{
    if (!result || row.simulated == 0) return std::nullopt;
    return (*result - row.simulated) / std::abs(row.simulated);
}

/// What each input moves, those that move no judged row last.
TextTable inputs_table(const Analysis& analysis, const std::set<std::string>& judged)
{
    TextTable table({{"input"},
                     {"from"},
                     {"value", Align::kRight},
                     {"range"},
                     {"rows", Align::kRight},
                     {"judged", Align::kRight},
                     {"most", Align::kRight},
                     {"of row"}});
    auto summaries = summaries_of(analysis, judged);
    std::stable_sort(summaries.begin(), summaries.end(), [](const InputSummary& a, const InputSummary& b) {
        return a.judged != b.judged ? a.judged > b.judged : a.rows > b.rows;
    });
    for (const InputSummary& summary : summaries) {
        const Input& input = *summary.input;
        table.row({input.name, std::string(kProvenanceNames.name(input.from)), input.value, input.range_text(),
                   std::to_string(summary.rows), std::to_string(summary.judged),
                   summary.rows == 0 ? "-" : fmt::format("{:.2f} %", summary.largest * 100),
                   summary.largest_row.empty() ? "-" : summary.largest_row});
    }
    return table;
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
    double most = 0;
    for (const Effect& effect : row.effects) {
        for (const auto& result : effect.results) {
            if (result) most = std::max(most, std::abs(*result - row.simulated));
        }
    }
    TextTable table({{"input"},
                     {"tried"},
                     {"result", Align::kRight},
                     {"change", Align::kRight},
                     {"elasticity", Align::kRight},
                     {std::string(kWidth, '-') + "0" + std::string(kWidth, '-')}});
    const double numbers[] = {row.simulated};
    const int decimals = decimals_for(numbers);
    for (const Effect& effect : row.effects) {
        const Input& input = inputs[effect.input];
        const auto others = input.others();
        const auto slope = elasticity(row, effect, input);
        for (std::size_t i = 0; i < others.size(); ++i) {
            const auto& result = effect.results[i];
            const auto part = change(row, result);
            std::string picture;
            if (result && most > 0) {
                const int length = static_cast<int>(std::lround((*result - row.simulated) / most * kWidth));
                picture = std::string(static_cast<std::size_t>(kWidth + std::min(length, 0)), ' ');
                for (int bar = 0; bar < std::abs(length); ++bar) picture += "█";
                if (length > 0) picture.insert(static_cast<std::size_t>(kWidth), "|");
                if (length <= 0) picture += "|";
            }
            table.row({i == 0 ? input.name : "", others[i], result ? with_thousands(*result, decimals) : "none",
                       part ? percent(*part) : "-", i == 0 && slope ? fmt::format("{:+.3f}", *slope) : "", picture});
        }
    }
    const std::string head = fmt::format("{}: {}", row.id, with_thousands(row.simulated, decimals));
    if (table.empty()) return head + "; no input moves it\n";
    return fmt::format("{}\n\n{}", head, table.text(0, room.for_results()));
}

/// What a reader must know first: what the comparison cannot tell.
std::vector<std::string> counts_of(const Analysis& analysis, const std::set<std::string>& judged)
{
    std::vector<std::string> unmoved;
    std::vector<std::string> entered;
    for (const RowEffects& row : analysis.rows) {
        if (!judged.contains(row.id)) continue;
        const Bar bar = bar_of(row, analysis);
        if (!bar.moved) unmoved.push_back(row.id);
        if (bar.entered) entered.push_back(fmt::format("{} ({})", row.id, bar.hangs_on.front().input));
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
    const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
    Json inputs = Json::array();
    for (const InputSummary& summary : summaries_of(analysis, judged)) {
        const Input& input = *summary.input;
        inputs.push_back({{"input", input.name},
                          {"of", kInputOwners.name(input.of)},
                          {"from", kProvenanceNames.name(input.from)},
                          {"value", input.value},
                          {"low", input.low},
                          {"high", input.high},
                          {"alternatives", input.alternatives},
                          {"reason", input.reason},
                          {"rows", summary.rows},
                          {"judged", summary.judged},
                          {"free", summary.judged == 0}});
    }
    Json rows = Json::array();
    for (const RowEffects& row : analysis.rows) {
        const Bar bar = bar_of(row, analysis);
        Json effects = Json::array();
        for (const Effect& effect : row.effects) {
            const Input& input = analysis.inputs[effect.input];
            Json results = Json::array();
            for (const auto& result : effect.results) results.push_back(number(result));
            effects.push_back({{"input", input.name},
                               {"tried", input.others()},
                               {"results", std::move(results)},
                               {"elasticity", number(elasticity(row, effect, input))}});
        }
        rows.push_back({{"id", row.id},
                        {"simulated", row.simulated},
                        {"judged", judged.contains(row.id)},
                        {"moved", bar.moved},
                        {"entered", bar.entered},
                        {"effects", std::move(effects)}});
    }
    return {{"ringmesh", program_json()},
            {"inputs", std::move(inputs)},
            {"rows", std::move(rows)},
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
    if (study.empty()) {
        throw UserError("sensitivity: of what; write the name or folder of a study" + see_help("sensitivity"));
    }
    require_one_standard_output(json, csv);
    VariedFindingsOfStudy varied(study, part, full);
    ResultOutputs outputs{OutputFile(json), OutputFile(csv)};
    Store points = Store::at(store.folder);
    std::set<std::string> named;
    if (!row.empty()) {
        auto simulated = varied.find({{.name = "as it is"}}, {.store = store}, points)->front().simulated;
        for (const std::string& id : varied.without_own_bar()) simulated.erase(id);
        named = named_rows(row, simulated);
    }
    auto analysis = analyse(
        varied, {.numerical = false, .samples = 0, .variations = {.store = store, .shard = shard.value_or(Shard{})}},
        points);
    if (!analysis) {
        say("this share is done, others are not; the same command without --shard shows the result");
        return 0;
    }
    for (const std::string& problem : analysis->problems) say(problem);
    Findings findings(varied.study(), part);
    const AskedPoints asked{&varied.study(), varied.points(), varied.granted()};
    findings.find(asked.points, asked.granted, points);
    const auto judged = judged_rows(findings.report(asked.points, full));
    if (!row.empty()) {
        std::erase_if(analysis->rows, [&named](const RowEffects& each) { return !named.contains(each.id); });
    }
    const Room room = output_room();
    outputs.write([&] { return json_text(json_of(*analysis, judged)); },
                  [&] { return bar_files(*analysis, judged).at("sensitivity.csv"); },
                  [&] {
                      std::string text;
                      if (!row.empty()) {
                          for (const RowEffects& each : analysis->rows) {
                              text += (text.empty() ? "" : "\n") + tornado(each, analysis->inputs, room);
                          }
                          return text;
                      }
                      for (const std::string& line : counts_of(*analysis, judged)) {
                          text += wrapped(line, 2, room.prose()) + '\n';
                      }
                      return text + '\n' + inputs_table(*analysis, judged).text(0, room.for_results()) + '\n' +
                             rows_table(*analysis, judged).text(0, room.for_results());
                  });
    return 0;
}

std::unique_ptr<Command> make_sensitivity() { return std::make_unique<SensitivityCommand>(); }

}  // namespace ringmesh::lab
