// SPDX-License-Identifier: Apache-2.0
#include "lab/table/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "lab/table/results.h"
#include "lab/table/writers/cells.h"
#include "lab/table/writers/text_table.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

/// Names of a row that a sentence can hold.
constexpr std::size_t kMostNames = 3;

bool is_of_background(const Column& column) { return column.name.starts_with("background"); }

/// The first column from `from` on that was measured of the workload and is a rate, or is none.
std::optional<std::size_t> first_measured(const Results& results, std::size_t from, bool rate)
{
    for (std::size_t i = from; i < results.columns.size(); ++i) {
        const Column& column = results.columns[i];
        if (is_of_background(column)) continue;
        if (is_measured(column) && is_rate(column) == rate && has_numbers(results, i)) return mean_instead(results, i);
    }
    return std::nullopt;
}

std::string with_unit(std::string text, const std::string& unit)
{
    return unit.empty() ? text : fmt::format("{} {}", std::move(text), unit);
}

/// A time in ns as a sentence has it: "15.300 ms".
std::string time_text(const Results& results, std::size_t row, std::size_t column)
{
    const double picoseconds = 1000 * number_of(results.rows[row][column]).value_or(0);
    return rounded(Duration::picoseconds(std::llround(picoseconds)));
}

/// Sentences over the columns of one table.
class Sentences {
public:
    /// @param axes so many columns at the beginning are axes
    explicit Sentences(const Results& results, std::size_t axes = 0) : results_(results)
    {
        for (std::size_t i = 0; i < results.columns.size(); ++i) {
            const Column& column = results.columns[i];
            if (i >= axes && is_measured(column)) break;
            if (i < axes || !is_rate(column)) names_.push_back(i);
        }
        if (results.rows.size() > 1) {
            std::erase_if(names_, [&](std::size_t column) {
                return std::ranges::all_of(results.rows,
                                           [&](const auto& row) { return row[column] == results.rows[0][column]; });
            });
        }
        if (names_.size() > kMostNames) names_.resize(kMostNames);
    }

    std::string text(std::size_t column, std::size_t row) const
    {
        return with_unit(column_texts(results_, column)[row], results_.columns[column].unit);
    }

    /// "size 64 bytes, to 4"; empty if nothing names the rows.
    std::string place(std::size_t row) const
    {
        std::string all;
        for (const std::size_t column : names_) {
            const std::string value = text(column, row);
            if (value == "-") continue;
            all += fmt::format("{}{} {}", all.empty() ? "" : ", ", column_title(results_.columns[column]), value);
        }
        return all;
    }

    /// "latency avg: 4,376.9 ns (size 64 bytes) to 5,830.9 ns (size 128 bytes)"
    std::string range(std::size_t column) const
    {
        std::optional<std::size_t> low;
        std::optional<std::size_t> high;
        const auto value = [&](std::size_t row) { return *number_of(results_.rows[row][column]); };
        for (std::size_t row = 0; row < results_.rows.size(); ++row) {
            if (!number_of(results_.rows[row][column])) continue;
            if (!low || value(row) < value(*low)) low = row;
            if (!high || value(row) > value(*high)) high = row;
        }
        const std::string title = column_title(results_.columns[column]);
        const auto at = [&](std::size_t row) {
            const std::string where = place(row);
            return where.empty() ? text(column, row) : fmt::format("{} ({})", text(column, row), where);
        };
        if (results_.rows.size() > 1 && value(*low) == value(*high)) {
            return fmt::format("{}: {} throughout", title, text(column, *low));
        }
        if (low == high) return fmt::format("{}: {}", title, at(*low));
        return fmt::format("{}: {} to {}", title, at(*low), at(*high));
    }

private:
    const Results& results_;
    std::vector<std::size_t> names_;
};

std::string capitalised(std::string text)
{
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

/// One run of traffic.
void answer_of_traffic(const Results& results, std::string& bottleneck, Answer& answer)
{
    const Sentences sentences(results);
    const NamedCells row(results, results.rows.front());
    const auto text = [&](std::string_view column) { return sentences.text(*column_place(results, column), 0); };
    const auto part = row.number("accepted_part");
    std::string accepted = fmt::format("Each of {} senders gets {}", text("senders"), text("accepted_mb_per_s"));
    if (row.number("offered_mb_per_s")) accepted += fmt::format(" of the {} that it offers", text("offered_mb_per_s"));
    if (part) accepted += fmt::format("; {:.3g} % of what they sent arrived", 100 * *part);
    for (const char* latency : {"latency_mean_ns", "transaction_mean_ns"}) {
        if (!row.number(latency)) continue;
        accepted += fmt::format("; mean latency {}", text(latency));
        if (row.number("latency_p99_ns")) accepted += fmt::format(", 99 % within {}", text("latency_p99_ns"));
        break;
    }
    if (!results.doubt.empty()) accepted += fmt::format("; no lasting numbers: {}", results.doubt);
    answer.sentences.push_back(accepted + '.');
    std::pair<double, std::string> busiest;
    for (const Column& column : results.columns) {
        constexpr std::string_view kHighest = "_use_highest";
        if (!column.name.ends_with(kHighest)) continue;
        const std::string kind = column.name.substr(0, column.name.size() - kHighest.size());
        const auto use = row.number(column.name);
        if (!use || *use <= busiest.first) continue;
        busiest = {*use, fmt::format("{} {}", kind, row.text("busiest_" + kind).value_or(""))};
    }
    if (bottleneck.empty() && busiest.first > 0) {
        bottleneck =
            fmt::format("The most used is {}: {:.3g} % of the workload's window.", busiest.second, 100 * busiest.first);
    }
}

/// Of a histogram.
void answer_of_parts(const Results& results, Answer& answer)
{
    const Sentences sentences(results);
    std::vector<std::string> parts;
    for (const double part : {0.5, 0.99}) {
        std::size_t row = 0;
        while (row + 1 < results.rows.size() &&
               NamedCells(results, results.rows[row]).number("part_up_to").value_or(0) < part) {
            ++row;
        }
        parts.push_back(
            fmt::format("{:.3g} % within {}", 100 * part, sentences.text(*column_place(results, "to_ns"), row)));
    }
    answer.sentences.push_back(fmt::format("Latency: {}.", fmt::join(parts, ", ")));
}

/// Of a program that others wrote: a row for all of it, then one for each call.
void answer_of_calls(const Results& results, Answer& answer)
{
    const Sentences sentences(results);
    const std::size_t time = *column_place(results, "rank_time_ns");
    const bool is_one = number_of(results.rows[0][*column_place(results, "calls")]) == 1;
    std::string sentence =
        is_one ? "The rank ends after " + time_text(results, 0, time)
               : fmt::format("The last of {} ranks ends after {}", sentences.text(*column_place(results, "calls"), 0),
                             time_text(results, 0, time));
    const auto value = [&](std::size_t row) { return number_of(results.rows[row][time]).value_or(0); };
    std::size_t longest = 0;
    for (std::size_t row = 1; row < results.rows.size(); ++row) {
        if (longest == 0 || value(row) > value(longest)) longest = row;
    }
    if (longest > 0 && value(0) > 0) {
        sentence += fmt::format("; {:.3g} % of it in {}, in the mean of the ranks", 100 * value(longest) / value(0),
                                sentences.text(*column_place(results, "call"), longest));
    }
    answer.sentences.push_back(sentence + '.');
}

/// Of several runs of such a program: their rows for all of it.
void answer_of_programs(const Results& results, std::size_t axes, Answer& answer)
{
    const std::size_t call = *column_place(results, "call");
    const std::size_t time = *column_place(results, "rank_time_ns");
    Results whole{.columns = {results.columns.begin(), results.columns.begin() + static_cast<std::ptrdiff_t>(axes)},
                  .rows = {},
                  .notes = {}};
    whole.columns.push_back({"time_of_the_program_ns", "ns"});
    for (const auto& row : results.rows) {
        if (row[call] != Cell(std::string("all"))) continue;
        whole.rows.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(axes)).push_back(row[time]);
    }
    if (whole.rows.empty()) return;
    answer.sentences.push_back(capitalised(Sentences(whole, axes).range(axes)) + '.');
}

/// Of a program that others wrote: a row for each line with numbers.
void answer_of_numbers(const Results& results, Answer& answer)
{
    const std::size_t last = results.rows.size() - 1;
    answer.sentences.push_back(fmt::format("Lines with numbers: {}; rank {} printed the last after {}.", last + 1,
                                           Sentences(results).text(*column_place(results, "rank"), last),
                                           time_text(results, last, *column_place(results, "time_ns"))));
}

/// What the network took of the traffic beside the workload, the same in all rows of a run.
void add_backgrounds(const Results& results, Answer& answer)
{
    const Sentences sentences(results);
    const NamedCells row(results, results.rows.front());
    const auto text = [&](const std::string& column) { return sentences.text(*column_place(results, column), 0); };
    for (const Column& column : results.columns) {
        constexpr std::string_view kOffered = "_offered_load";
        if (!is_of_background(column) || !column.name.ends_with(kOffered)) continue;
        const std::string name = column.name.substr(0, column.name.size() - kOffered.size());
        if (!row.number(column.name)) continue;  // another variant has it
        std::string sentence = fmt::format("Beside it, {} offers a load of {}", name, text(column.name));
        if (row.number(name + "_accepted_load")) {
            sentence += fmt::format(", of which {} is accepted", text(name + "_accepted_load"));
        }
        if (results.doubt.starts_with(name)) sentence += fmt::format("; no lasting numbers: {}", results.doubt);
        answer.sentences.push_back(sentence + '.');
    }
}

}  // namespace

std::string answer_lines(const Answer& answer, Room room)
{
    if (answer.empty()) return {};
    std::string text = wrapped(fmt::format("{}", fmt::join(answer.sentences, " ")), 0, room.prose()) + '\n';
    for (const std::string& line : answer.evidence) text += wrapped(line, 2, room.prose()) + '\n';
    return text + '\n';
}

Json with_answer(Json object, const Answer& answer)
{
    if (answer.empty()) return object;
    object.insert(1, "answer", answer.sentences);
    if (!answer.evidence.empty()) object.insert(2, "evidence", answer.evidence);
    return object;
}

Answer answer_of(const Results& results, std::string bottleneck, std::size_t axes)
{
    Answer answer;
    if (results.rows.empty()) return answer;
    if (results.rows.size() == 1 && column_place(results, "senders") && column_place(results, "accepted_mb_per_s")) {
        answer_of_traffic(results, bottleneck, answer);
    } else if (axes == 0 && column_place(results, "part_up_to") && column_place(results, "to_ns")) {
        answer_of_parts(results, answer);
    } else if (axes == 0 && column_place(results, "call") && column_place(results, "rank_time_ns")) {
        answer_of_calls(results, answer);
    } else if (column_place(results, "call") && column_place(results, "rank_time_ns")) {
        answer_of_programs(results, axes, answer);
    } else if (axes == 0 && column_place(results, "words") && column_place(results, "time_ns")) {
        answer_of_numbers(results, answer);
    } else if (const auto last = rows_of_last_ranks(results)) {
        answer.sentences.push_back("The last rank's " + Sentences(*last, axes).range(*column_place(*last, kEndOfRank)) +
                                   '.');
    } else {
        const Sentences sentences(results, axes);
        for (const bool rate : {false, true}) {
            if (const auto column = first_measured(results, axes, rate)) {
                answer.sentences.push_back(capitalised(sentences.range(*column)) + '.');
            }
        }
    }
    if (axes == 0) add_backgrounds(results, answer);
    if (!bottleneck.empty()) answer.sentences.push_back(std::move(bottleneck));
    return answer;
}

}  // namespace ringmesh::lab
