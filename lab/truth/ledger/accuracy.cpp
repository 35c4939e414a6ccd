// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lab/table/writers/csv.h"
#include "lab/truth/ledger/conformal.h"
#include "lab/truth/ledger/left_out.h"
#include "lab/truth/ledger/report.h"

namespace ringmesh::lab {
namespace {

/// Of 95 %: the interval score adds 2 / 0.05 times the distance from the interval to its width (Gneiting and Raftery,
/// J. Am. Stat. Assoc. 102, 2007).
constexpr double kPenalty = 40;
constexpr double kNarrow = 0.1;
constexpr std::size_t kSetNothing = 2;  // of accuracy_groups()

/// Of the published number, in percent.
double distance(const Row& row) { return std::abs(error_percent(row).value_or(0)); }

/// Likewise, with the row's table left out of the calibrations.
double distance_without_table(Row row)
{
    if (row.left_out) row.simulated = row.left_out->value;
    return distance(row);
}

double percent_of(std::size_t part, std::size_t all)
{
    return 100 * static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

double median(std::vector<double> values)
{
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

void mark_counted(Report& report, const std::filesystem::path& study, bool whole)
{
    std::error_code error;
    const auto path = study / kCountedFile;
    if (!std::filesystem::exists(path, error)) {
        for (Row& row : report.rows) {
            if (is_compared(row) && *row.published != 0 && !is_bound(row)) row.counted = Counted::kOwn;
        }
        return;
    }
    const CsvTable table = read_csv(path);
    std::set<std::string> ids;
    for (const CsvTable::Row& line : table.rows) {
        const CsvCells cells(table, line, "mend the line, or remove it");
        const std::string& id = cells.text("id");
        const std::string& group = cells.text("group");
        const Counted* const counted = kCountedNames.find(group.empty() ? "own" : group);
        if (counted == nullptr) throw cells.wrong("group", "not one of contradiction, other source, or nothing");
        if (*counted != Counted::kOwn && cells.text("why").empty()) throw cells.wrong("why", "missing");
        if (!ids.insert(id).second) throw cells.wrong("id", "is there twice");
        const auto row = std::ranges::find(report.rows, id, &Row::id);
        if (row == report.rows.end()) {
            if (whole && std::ranges::find(report.left_out, id) == report.left_out.end()) {
                throw cells.wrong("id", "no row has it");
            }
            continue;
        }
        row->counted = *counted;
        row->counted_why = cells.text("why");
    }
}

std::span<const AccuracyGroup> accuracy_groups()
{
    static constexpr auto is_own = [](const Row& row) { return row.counted && *row.counted != Counted::kOtherSource; };
    static constexpr AccuracyGroup kGroups[] = {
        {"all", is_own},
        {"not contradicted", [](const Row& row) { return row.counted == Counted::kOwn; }, true},
        {"set nothing", [](const Row& row) { return is_own(row) && row.role != Role::kCalibration; }, true},
        {"cross-validated", [](const Row& row) { return is_own(row) && is_known_unseen(row); }, false, true},
        {"never seen", [](const Row& row) { return is_own(row) && row.role == Role::kPrediction; }, true},
        {"other sources", [](const Row& row) { return row.counted == Counted::kOtherSource; }},
    };
    return kGroups;
}

Accuracy accuracy_of(std::span<const Report> reports, const AccuracyGroup& group)
{
    Accuracy accuracy;
    std::vector<double> errors;
    for (const Report& report : reports) {
        if (group.without_table &&
            std::ranges::none_of(report.rows, [](const Row& row) { return row.left_out.has_value(); })) {
            continue;  // no table of it was left out
        }
        for (const Row& row : report.rows) {
            if (!row.counted || !group.holds(row)) continue;
            errors.push_back(group.without_table ? distance_without_table(row) : distance(row));
        }
    }
    const auto within = [&errors](double percent) {
        return static_cast<std::size_t>(
            std::ranges::count_if(errors, [percent](double each) { return each <= percent; }));
    };
    accuracy.compared = errors.size();
    accuracy.within_5 = within(5);
    accuracy.within_10 = within(10);
    accuracy.within_25 = within(25);
    accuracy.median_percent = median(std::move(errors));
    return accuracy;
}

std::vector<Miss> largest_misses(const Report& report)
{
    std::vector<const Row*> rows;
    for (const Row& row : report.rows) {
        if (row.counted && !pass(row).value_or(true) && distance(row) > kFarPercent) rows.push_back(&row);
    }
    std::ranges::stable_sort(rows, [](const Row* a, const Row* b) { return distance(*a) > distance(*b); });
    std::vector<Miss> misses;
    for (const Row* row : rows) {
        const auto same = std::ranges::find_if(
            misses, [row](const Miss& miss) { return !row->miss.empty() && miss.farthest->miss == row->miss; });
        if (same != misses.end()) {
            ++same->others;
        } else {
            misses.push_back({row});
        }
    }
    if (misses.size() > kMostMisses) misses.resize(kMostMisses, Miss{nullptr});
    return misses;
}

std::string constants_text_of(const Report& report)
{
    if (report.constants.empty()) return "";
    const std::size_t judged = accuracy_of({&report, 1}, accuracy_groups()[kSetNothing]).compared;
    if (judged == 0) return "";
    const std::size_t constants = report.constants.size();
    return fmt::format("{}: {} calibrated, {} rows judge them: {:.1f} a constant", report.machine,
                       counted(constants, "constant"), judged,
                       static_cast<double>(judged) / static_cast<double>(constants));
}

TextTable accuracy_table(std::span<const Report> reports)
{
    TextTable table({{"machine"},
                     {"published numbers"},
                     {"compared", Align::kRight},
                     {"within 5 %", Align::kRight},
                     {"within 10 %", Align::kRight},
                     {"within 25 %", Align::kRight},
                     {"median error", Align::kRight}});
    std::size_t machines = 0;
    const auto add = [&table](const std::string& machine, std::span<const Report> of) {
        std::size_t all = 0;
        for (const AccuracyGroup& group : accuracy_groups()) {
            const Accuracy found = accuracy_of(of, group);
            if (found.compared == 0 || (group.is_part_of_all && found.compared == all)) continue;
            if (all == 0) all = found.compared;
            const auto share = [&found](std::size_t part) {
                return fmt::format("{:.0f} %", percent_of(part, found.compared));
            };
            table.row({machine, group.name, std::to_string(found.compared), share(found.within_5),
                       share(found.within_10), share(found.within_25), two_digits(found.median_percent) + " %"});
        }
        return all > 0;
    };
    for (const Report& report : reports) machines += add(report.machine, {&report, 1}) ? 1U : 0U;
    if (machines > 1) add("together", reports);
    return table;
}

Answer answer_of(std::span<const Report> reports)
{
    Answer answer;
    if (const Accuracy own = accuracy_of(reports, accuracy_groups().front()); own.compared > 0) {
        answer.sentences.push_back(
            fmt::format("Of {}, {:.0f} % are simulated within 10 % and {:.0f} % within 5 %; the median error is {} %.",
                        counted(own.compared, "published number"), percent_of(own.within_10, own.compared),
                        percent_of(own.within_5, own.compared), two_digits(own.median_percent)));
    }
    return answer;
}

std::string accuracy_text(std::span<const Report> reports, Room room)
{
    const TextTable table = accuracy_table(reports);
    if (table.empty()) return "";
    Answer answer = answer_of(reports);
    if (answer.empty()) answer = {{"The simulated numbers beside those of other sources:"}};
    std::string below;
    const auto add = [&below, room](const std::string& sentence) {
        if (!sentence.empty()) below += wrapped(sentence + '.', 0, room.prose()) + '\n';
    };
    for (const Report& report : reports) add(constants_text_of(report));
    for (const Report& report : reports) add(left_out_text_of(report));
    add(conformal_text(reports));
    return answer_lines(answer, room) + table.text(0, room.for_results()) + below + '\n';
}

Json accuracy_json(const Report& report)
{
    Json json = Json::object();
    for (const AccuracyGroup& group : accuracy_groups()) {
        const Accuracy found = accuracy_of({&report, 1}, group);
        std::string name = group.name;
        std::ranges::replace_if(
            name, [](char each) { return each == ' ' || each == '-'; }, '_');
        json.add(name, {{"compared", found.compared},
                        {"within_5_percent", found.within_5},
                        {"within_10_percent", found.within_10},
                        {"within_25_percent", found.within_25},
                        {"median_error_percent", found.median_percent}});
    }
    json.add("constants", report.constants);
    const LeftOutState state = left_out_state(report);
    json["cross_validated"].add("model", state.model.empty() ? Json() : Json(state.model));
    json["cross_validated"].add("hang_on_choices", state.hang_on_choices);
    json["cross_validated"].add("moved", state.moved);
    json["cross_validated"].add("without", state.without);
    Json misses = Json::array();
    for (const Miss& miss : largest_misses(report)) misses.push_back(miss.farthest->id);
    json.add("largest_misses", std::move(misses));
    return json;
}

std::string accuracy_markdown(std::span<const Report> reports)
{
    std::string text = accuracy_table(reports).markdown();
    for (const Report& report : reports) {
        for (const std::string& state : {constants_text_of(report), left_out_text_of(report)}) {
            if (!state.empty()) text += fmt::format("- `{}`{}\n", report.machine, state.substr(report.machine.size()));
        }
        for (const Miss& miss : largest_misses(report)) {
            text += fmt::format("- `{}`{}: {}\n", miss.farthest->id,
                                miss.others == 0 ? "" : fmt::format(" and {} more", miss.others),
                                numbers_text(*miss.farthest));
        }
    }
    return text;
}

Coverage coverage_of(const Report& report, bool whole_tables)
{
    std::set<std::string> set_something;
    for (const Row& row : report.rows) {
        if (whole_tables && row.role == Role::kCalibration) set_something.insert(row.section);
    }
    CoverageCounter counter;
    for (const Row& row : report.rows) {
        if (row.role != Role::kPrediction || set_something.contains(row.section)) continue;
        if (!row.published || !row.simulated || *row.published == 0) continue;
        const auto range = error_range(row);
        if (!range) {
            counter.add_without_bar();
        } else if (range->low == range->high) {
            counter.add_without_width();
        } else {
            counter.add(row, range->low, range->high);
        }
    }
    return counter.coverage();
}

void CoverageCounter::add(const Row& row, double low, double high)
{
    const double scale = 1 / std::abs(*row.published);
    const double width = (high - low) * scale;
    const double miss = std::max({0.0, low * scale, -high * scale});
    const double middle = (low + high) / 2;
    widths_.push_back(width);
    coverage_.score += width + kPenalty * miss;
    if ((high - middle) * scale < kNarrow) ++coverage_.narrow;
    if (miss > 0) coverage_.outside.push_back(row.id);
}

Coverage CoverageCounter::coverage() const
{
    Coverage coverage = coverage_;
    coverage.rows = widths_.size();
    coverage.inside = widths_.size() - coverage.outside.size();
    if (!widths_.empty()) coverage.score /= static_cast<double>(widths_.size());
    coverage.median_width = median(widths_);
    return coverage;
}

Json coverage_json(const Coverage& coverage)
{
    return {{"rows", coverage.rows},
            {"inside", coverage.inside},
            {"narrow", coverage.narrow},
            {"median_width", coverage.median_width},
            {"score", coverage.score},
            {"outside", coverage.outside},
            {"without_bar", coverage.without_bar},
            {"without_width", coverage.without_width}};
}

std::string coverage_text(const Coverage& coverage)
{
    std::string text = "there is none";
    if (coverage.rows > 0) {
        text = fmt::format(
            "{} of {} lie within their interval ({:.0f} %); {} intervals ({:.0f} %) are within 10 % to each "
            "side, the median width is "
            "{} %; mean interval score {} % of the number",
            coverage.inside, coverage.rows, percent_of(coverage.inside, coverage.rows), coverage.narrow,
            percent_of(coverage.narrow, coverage.rows), two_digits(100 * coverage.median_width),
            two_digits(100 * coverage.score));
    }
    if (coverage.without_bar > 0) text += fmt::format("; {} not counted, without a bar", coverage.without_bar);
    if (coverage.without_width > 0) {
        text += fmt::format("; {} not counted, whose interval has no width", coverage.without_width);
    }
    return text;
}

}  // namespace ringmesh::lab
