// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/truth/rows/frozen.h"
#include "lab/truth/rows/row.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using LedgerColumn = ListedColumn<Row>;

constexpr unsigned kNotForReaders = kInFiles | kInSql;
constexpr unsigned kInRows = kEverywhere | kBesideWords;

/// All numbers of a row have the same number of decimals: enough for four digits of the smallest.
int decimals_of(const Row& row)
{
    double smallest = std::numeric_limits<double>::infinity();
    for (const auto& number : {row.published, row.analytic, row.simulated}) {
        if (number) smallest = std::min(smallest, std::abs(*number));
    }
    return smallest >= 100 ? 1 : smallest >= 10 ? 2 : 3;
}

LedgerColumn number_column(const char* name, std::optional<double> Row::*number)
{
    return listed<Row>(name, number).in(kInRows | kFirstOnPage).printed([number](const Row& row) {
        return cell_text(cell_of(row.*number), decimals_of(row));
    });
}

/// In percent; of zero, of which nothing is a part, the amount.
std::string error_text(const Row& row)
{
    if (const auto percent = error_percent(row)) return fmt::format("{:+.2f} %", *percent);
    const auto expected = reference(row);
    const auto number = tested(row);
    return expected && number ? fmt::format("{:+.3g} {}", *number - *expected, row.unit) : "-";
}
std::string tolerance_text(const Row& row)
{
    if (const auto percent = tolerance_percent(row)) return fmt::format("{:.3g} %", *percent);
    return row.high && reference(row) ? fmt::format("{:.3g} {}", *row.high, row.unit) : "-";
}

/// Of rows with a bar.
template <class Value>
LedgerColumn bar_column(const char* name, Value value)
{
    return listed<Row>(
               name,
               [value](const Row& row) { return row.bar ? cell_of(value(row, *row.bar)) : Cell(std::monostate()); })
        .in(kNotForReaders);
}

/// Of rows with a conformal bar.
LedgerColumn conformal_column(const char* name, double ConformalBar::*number)
{
    return listed<Row>(name,
                       [number](const Row& row) {
                           return row.conformal ? std::optional(*row.conformal.*number) : std::nullopt;
                       })
        .in(kNotForReaders);
}

/// Of rows with a bar and a published number.
LedgerColumn range_column(const char* name, double ErrorRange::*number)
{
    return bar_column(name, [number](const Row& row, const Bar&) {
        const auto range = error_range(row);
        return range ? std::optional((*range).*number) : std::nullopt;
    });
}

/// A standard uncertainty, shown in percent of the published number, or as it is if that is 0.
LedgerColumn uncertainty(LedgerColumn column, const char* title)
{
    return LedgerColumn(column)
        .titled(title)
        .in(kNotForReaders | kInBars)
        .printed([value = column.value](const Row& row) {
            const Cell cell = value(row);
            if (!std::holds_alternative<double>(cell)) return std::string("-");
            const bool percent = row.published.value_or(0) != 0;
            const double scale = percent ? 100 / std::abs(*row.published) : 1;
            return fmt::format("{} {}", two_digits(std::get<double>(cell) * scale), percent ? "%" : row.unit);
        });
}

std::string_view verdict_name(const Row& row)
{
    const auto found = verdict(row);
    return found ? kVerdicts.name(*found) : "";
}

std::string_view within_text(const Row& row)
{
    const auto passed = pass(row);
    return !passed ? "" : *passed ? "yes" : "no";
}

/// Of rows that were frozen.
template <class Value>
LedgerColumn frozen_column(const char* name, Value FrozenNumber::*value)
{
    return listed<Row>(
               name,
               [value](const Row& row) { return row.frozen ? cell_of((*row.frozen).*value) : Cell(std::monostate()); })
        .in(kNotForReaders)
        .printed([value](const Row& row) { return cell_text(cell_of((*row.frozen).*value), decimals_of(row)); });
}

std::string_view evidence_name(const Row& row, const Bar&)
{
    const auto range = error_range(row);
    return range ? kEvidenceNames.name(range->evidence) : "";
}

std::string range_text(const Row& row)
{
    const int decimals = decimals_of(row);
    return fmt::format("{} to {} {}", with_thousands(row.bar->low + bar_shift(row), decimals),
                       with_thousands(row.bar->high + bar_shift(row), decimals), row.unit);
}

std::string conformal_range_text(const Row& row)
{
    if (!row.conformal) return "-";
    const int decimals = decimals_of(row);
    return fmt::format("{} to {} {}", with_thousands(row.conformal->low, decimals),
                       with_thousands(row.conformal->high, decimals), row.unit);
}

/// What a reader must know beside what the comparison says.
std::string says_text(const Row& row)
{
    std::string text = evidence_text(row);
    if (text.empty()) return text;
    if (row.bar->entered) text += "; entered";
    if (!row.bar->moved) text += "; nothing moves it";
    if (std::abs(bar_shift(row)) > 1e-5 * std::abs(*row.simulated)) text += "; bar of an older model";
    return text;
}

const FrozenNumber& bar_of(const Prediction& prediction)
{
    return prediction.frozen ? *prediction.frozen : prediction.now;
}

template <class Value>
ListedColumn<Prediction> prediction_number(const char* name, Value value)
{
    return listed<Prediction>(name, value).printed([value](const Prediction& each) {
        const double numbers[] = {each.now.value};
        return cell_text(cell_of(std::invoke(value, each)), decimals_for(numbers));
    });
}

ListedColumn<Prediction> prediction_words(const char* name, std::string FrozenNumber::*text)
{
    return listed<Prediction>(name, [text](const Prediction& each) { return each.now.*text; });
}

ListedColumn<Prediction> frozen_words(const char* name, std::string FrozenNumber::*text)
{
    return listed<Prediction>(name, [text](const Prediction& each) { return each.frozen ? (*each.frozen).*text : ""; });
}

}  // namespace

const Listing<Row>& ledger_columns()
{
    constexpr std::size_t kMostNamed = 2;
    constexpr double kLeastNamed = 0.1;
    static const Listing<Row> columns({
        listed<Row>("id", &Row::id).in(kEverywhere | kInBars | kFirstOnPage),
        listed<Row>("machine", &Row::machine).titled("").in(kInFiles),
        listed<Row>("section", &Row::section).in(kNotForReaders | kOnDemand),
        listed<Row>("quantity", &Row::quantity).in(kNotForReaders),
        number_column("published", &Row::published),
        number_column("analytic", &Row::analytic),
        number_column("simulated", &Row::simulated),
        ListedColumn<Row>{.name = "unit",
                          .title = "unit",
                          .value = [](const Row& row) { return Cell(row.unit); },
                          .shown = kInRows | kFirstOnPage,
                          .align = Align::kLeft},
        listed<Row>("error_percent", &error_percent)
            .titled("error")
            .in(kInRows | kInBars | kFirstOnPage)
            .printed(&error_text),
        listed<Row>("formula_error_percent", &formula_error_percent)
            .titled("of the formula")
            .in(kNotForReaders)
            .printed([](const Row& row) { return fmt::format("{:+.2f} %", *formula_error_percent(row)); }),
        listed<Row>("role", [](const Row& row) { return kRoleNames.name(row.role); }).in(kEverywhere | kFirstOnPage),
        listed<Row>("because", &Row::because).in(kNotForReaders | kOnDemand),
        listed<Row>("tolerance_percent", &tolerance_percent)
            .titled("tolerance")
            .in(kInRows | kFirstOnPage)
            .printed(&tolerance_text),
        listed<Row>("within_tolerance", &within_text).titled("within").in(kEverywhere | kFirstOnPage),
        listed<Row>("verdict", &verdict_name).in(kInRows | kFirstOnPage),
        frozen_column("frozen", &FrozenNumber::value),
        frozen_column("frozen_low", &FrozenNumber::low).titled(""),
        frozen_column("frozen_high", &FrozenNumber::high).titled(""),
        frozen_column("frozen_model", &FrozenNumber::model).titled(""),
        frozen_column("frozen_date", &FrozenNumber::date).titled("frozen on"),
        listed<Row>("miss", &Row::miss).in(kNotForReaders),
        listed<Row>("chose", &Row::chose).in(kNotForReaders),
        listed<Row>("kind", &Row::kind).in(kNotForReaders),
        listed<Row>("source", &Row::source).in(kEverywhere | kOnDemand).printed([](const Row& row) {
            return row.source;
        }),
        listed<Row>("note", &Row::note).in(kNotForReaders | kOnDemand),
        listed<Row>("counted", [](const Row& row) { return row.counted ? kCountedNames.name(*row.counted) : ""; })
            .in(kNotForReaders),
        listed<Row>("counted_why", &Row::counted_why).titled("counted so").in(kNotForReaders),
        uncertainty(range_column("u_data", &ErrorRange::u_data), "u_D"),
        uncertainty(bar_column("u_num", [](const Row&, const Bar& bar) { return bar.u_num; }), "u_num"),
        uncertainty(bar_column("u_input", [](const Row&, const Bar& bar) { return bar.u_input; }), "u_input"),
        bar_column("bar_low", [](const Row& row, const Bar& bar) { return bar.low + bar_shift(row); })
            .titled("bar")
            .in(kNotForReaders | kInBars)
            .printed(&range_text),
        bar_column("bar_high", [](const Row& row, const Bar& bar) { return bar.high + bar_shift(row); }).titled(""),
        conformal_column("conformal_low", &ConformalBar::low)
            .titled("conformal bar")
            .in(kNotForReaders | kInBars)
            .printed(&conformal_range_text),
        conformal_column("conformal_high", &ConformalBar::high).titled(""),
        conformal_column("conformal_factor", &ConformalBar::factor).titled(""),
        listed<Row>("left_out", [](const Row& row) { return row.left_out ? row.left_out->value : std::nullopt; })
            .titled("with its table left out")
            .in(kNotForReaders),
        listed<Row>("left_out_constants", [](const Row& row) { return row.left_out ? row.left_out->constants : ""; })
            .titled("then constants are")
            .in(kNotForReaders),
        range_column("error_low", &ErrorRange::low).titled(""),
        range_column("error_high", &ErrorRange::high).titled(""),
        bar_column("evidence", &evidence_name).titled(""),
        listed<Row>("says", &says_text).in(kNotForReaders | kInBars),
        bar_column("samples", [](const Row&, const Bar& bar) { return bar.samples; }).titled(""),
        bar_column("moved", [](const Row&, const Bar& bar) { return bar.moved; }).titled(""),
        bar_column("entered", [](const Row&, const Bar& bar) { return bar.entered; }),
        listed<Row>("hangs_on",
                    [](const Row& row) { return row.bar ? shares_text(*row.bar, row.bar->hangs_on.size(), 0) : ""; })
            .titled("hangs on")
            .in(kNotForReaders | kInBars | kOnDemand)
            .printed([](const Row& row) { return shares_text(*row.bar, kMostNamed, kLeastNamed); }),
    });
    return columns;
}

const Listing<Prediction>& prediction_columns()
{
    using Each = Prediction;
    static const Listing<Each> columns({
        prediction_words("id", &FrozenNumber::id).titled("prediction"),
        listed<Each>("study", &Each::study).in(kNotForReaders),
        prediction_words("command", &FrozenNumber::command).in(kNotForReaders),
        prediction_words("quantity", &FrozenNumber::quantity),
        prediction_number(
            "frozen", [](const Each& each) { return each.frozen ? std::optional(each.frozen->value) : std::nullopt; }),
        prediction_number("low", [](const Each& each) { return bar_of(each).low; }),
        prediction_number("high", [](const Each& each) { return bar_of(each).high; }),
        listed<Each>(
            "conformal_low",
            [](const Each& each) { return each.conformal ? std::optional(each.conformal->low) : std::nullopt; })
            .in(kNotForReaders),
        listed<Each>(
            "conformal_high",
            [](const Each& each) { return each.conformal ? std::optional(each.conformal->high) : std::nullopt; })
            .in(kNotForReaders),
        prediction_words("unit", &FrozenNumber::unit),
        prediction_number("now",
                          [](const Each& each) {
                              return each.state == PredictionState::kGone ? std::nullopt
                                                                          : std::optional(each.now.value);
                          }),
        listed<Each>("state", [](const Each& each) { return kPredictionStates.name(each.state); }),
        prediction_words("seen", &FrozenNumber::seen),
        frozen_words("model", &FrozenNumber::model).in(kNotForReaders),
        frozen_words("date", &FrozenNumber::date).titled("on"),
    });
    return columns;
}

std::string numbers_text(const Row& row)
{
    const int decimals = decimals_of(row);
    return fmt::format("{}, {}{}{}, {}", cell_text(cell_of(row.published), decimals),
                       cell_text(cell_of(row.simulated), decimals), row.unit.empty() ? "" : " ", row.unit,
                       error_text(row));
}

}  // namespace ringmesh::lab
