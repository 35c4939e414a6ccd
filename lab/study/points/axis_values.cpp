// SPDX-License-Identifier: Apache-2.0
#include "lab/study/description/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "lab/table/writers/cells.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr std::int64_t kMostValues = 10'000;
constexpr std::size_t kMostDigits = 15;
constexpr std::string_view kDecimalDigits = "0123456789";

/// One of a unit, in the base units of its sort: 1000 ps; a plain number has no sort.
struct Unit {
    std::optional<QuantitySort> sort = {};
    std::int64_t factor = 1;

    bool operator==(const Unit&) const = default;
};

/// Nothing if there is no such unit.
std::optional<Unit> unit_of(std::string_view name)
{
    if (name.empty()) return Unit{};
    const auto one = base_quantity(fmt::format("1 {}", name));
    return one ? std::optional(Unit{one->sort, one->units}) : std::nullopt;
}

/// A number as it was written: "2.50 ns" is digits "250", 2 of them decimals, and ending " ns".
struct Number {
    std::string_view text;
    std::int64_t digits = 0;
    int decimals = 0;
    std::string_view ending;  ///< the unit, with the blank before it
    Unit unit;
};

/// One item with two dots.
class Range {
public:
    Range(std::string_view text, const std::string& where) : text_(text), where_(&where)
    {
        const std::size_t dots = text.find("..");
        const std::string_view rest = text.substr(dots + 2);
        const std::size_t mark = mark_in(rest);
        first_ = number(text.substr(0, dots));
        last_ = number(rest.substr(0, mark));
        if (first_.unit != last_.unit) wrong_units();
        if (mark == std::string_view::npos) {
            wrong(fmt::format("lacks a step; write {}", with_steps()));
        }
        is_factor_ = rest[mark] == 'x';
        step_ = number(rest.substr(mark + (rest[mark] == 's' ? std::string_view("step").size() : 1)));
        check_step(rest.substr(mark));
    }

    std::vector<std::string> values() const
    {
        const int decimals = std::max({first_.decimals, last_.decimals, step_.decimals});
        const std::int64_t first = scaled(first_, decimals);
        const std::int64_t last = scaled(last_, decimals);
        const std::int64_t step = is_factor_ ? step_.digits : scaled(step_, decimals);
        const bool reaches = is_factor_ ? step <= last / first : step <= last - first;
        if (!reaches && first != last) {
            wrong(fmt::format("{} goes beyond {} in the first step; write a smaller step, or {} alone", step_.text,
                              last_.text, first_.text));
        }
        if (!is_factor_ && (last - first) / step >= kMostValues) {
            wrong(fmt::format("makes more than {} values; take a larger step", kMostValues));
        }
        std::vector<std::string> values;
        for (std::int64_t value = first;; value = is_factor_ ? value * step : value + step) {
            values.push_back(written(value, decimals));
            if (is_factor_ ? step > last / value : step > last - value) return values;
        }
    }

private:
    [[noreturn]] void wrong(std::string_view what) const
    {
        throw UserError(fmt::format("{}: '{}' {}", *where_, text_, what));
    }
    [[noreturn]] void unreadable() const
    {
        wrong(
            "cannot be read; write a range as 64..512 step 64, 0.1..0.3 step 0.1, 2ns..6ns step 2ns, 1..4096 x2 or "
            "1us..100us x10");
    }

    /// Where the step begins: "step 2", "/2" or "x2".
    static std::size_t mark_in(std::string_view text)
    {
        if (const std::size_t word = text.find("step"); word != std::string_view::npos) return word;
        return text.find_first_of("/x");
    }

    Number number(std::string_view text) const
    {
        Number number;
        number.text = platforms::trimmed(text);
        const std::size_t whole = std::min(number.text.find_first_not_of(kDecimalDigits), number.text.size());
        std::size_t end = whole;
        if (end < number.text.size() && number.text[end] == '.') {
            end = std::min(number.text.find_first_not_of(kDecimalDigits, end + 1), number.text.size());
            number.decimals = static_cast<int>(end - whole - 1);
            if (number.decimals == 0) unreadable();
        }
        if (whole == 0) unreadable();
        if (end > kMostDigits) wrong(fmt::format("has more than {} digits; write fewer", kMostDigits));
        for (const char c : number.text.substr(0, end)) {
            if (c != '.') number.digits = 10 * number.digits + (c - '0');
        }
        number.ending = number.text.substr(end);
        const std::string_view name = platforms::trimmed(number.ending);
        const auto unit = unit_of(name);
        if (!unit) {
            wrong(fmt::format("cannot be read: '{}' is no unit; write one such as ns, MHz, B, m or cycles", name));
        }
        number.unit = *unit;
        return number;
    }

    [[noreturn]] void wrong_units() const
    {
        const std::string_view unit = first_.ending.empty() ? last_.ending : first_.ending;
        wrong(fmt::format("has ends in different units, {} and {}; write both in the same, as in 1{}..4{} step 1{}",
                          first_.text, last_.text, unit, unit, unit));
    }

    void check_step(std::string_view step_as_written) const
    {
        if (is_factor_ && (!step_.ending.empty() || step_.decimals > 0 || step_.digits < 2)) {
            wrong(fmt::format("has the factor {}; write a whole number from 2 on, as in x2", step_.text));
        }
        if (!is_factor_ && step_.unit.sort != first_.unit.sort) {
            wrong(
                fmt::format("has ends and a step that do not go together, {} and {}; write it in the unit of the "
                            "ends, as in step 1{}",
                            first_.text, step_.text, first_.ending));
        }
        if (step_.digits == 0) wrong(fmt::format("has a step of 0; write one above it, as in step 1{}", step_.ending));
        const int decimals = std::max(first_.decimals, last_.decimals);
        if (scaled(last_, decimals) < scaled(first_, decimals)) {
            wrong(fmt::format("runs downwards; write {}..{} {}", last_.text, first_.text, step_as_written));
        }
        if (is_factor_ && first_.digits == 0) wrong("never leaves 0; begin above it, or write a step");
    }

    /// "2ns..6ns step 1ns or 2ns..6ns x2": steps of one in the last place that was written, or ten, and so on.
    std::string with_steps() const
    {
        const int decimals = std::max(first_.decimals, last_.decimals);
        const auto [low, high] = std::minmax({scaled(first_, decimals), scaled(last_, decimals)});
        std::int64_t step = first_.unit.factor;
        while ((high - low) / step >= kMostValues) step *= 10;
        const std::string range = fmt::format("{}..{}", written(low, decimals), written(high, decimals));
        std::string ways = fmt::format("{} step {}", range, written(step, decimals));
        if (low != 0 && low <= high / 2) ways += fmt::format(" or {} x2", range);
        return ways;
    }

    std::int64_t times(std::int64_t a, std::int64_t b) const
    {
        std::int64_t product = 0;
        if (__builtin_mul_overflow(a, b, &product)) wrong("is too large; write fewer digits, or a larger unit");
        return product;
    }

    /// In finest units, each in 10^decimals parts: whole numbers, so that nothing is rounded.
    std::int64_t scaled(const Number& number, int decimals) const
    {
        std::int64_t value = times(number.digits, number.unit.factor);
        for (int i = number.decimals; i < decimals; ++i) value = times(value, 10);
        return value;
    }

    /// In the unit of the ends. Units are products of 2 and 5, so the digits end.
    std::string written(std::int64_t value, int decimals) const
    {
        std::int64_t unit = last_.unit.factor;
        for (int i = 0; i < decimals; ++i) unit = times(unit, 10);
        times(unit, 10);  // of the rest below
        std::string text = std::to_string(value / unit);
        std::int64_t rest = value % unit;
        if (rest != 0) text += '.';
        for (; rest != 0; rest = 10 * rest % unit) text += static_cast<char>('0' + 10 * rest / unit);
        return text.append(last_.ending);
    }

    std::string_view text_;
    const std::string* where_;
    Number first_;
    Number last_;
    Number step_;  ///< or factor
    bool is_factor_ = false;
};

}  // namespace

std::vector<std::string> axis_values(const std::string& text, const std::string& where)
{
    std::vector<std::string> values;
    for (std::string_view rest = text;;) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = platforms::trimmed(rest.substr(0, comma));
        if (item.empty()) {
            throw UserError(fmt::format("{}: an axis with an empty value; write at least one value", where));
        }
        if (item.find("..") == std::string_view::npos) {
            values.emplace_back(item);
        } else {
            for (std::string& value : Range(item, where).values()) values.push_back(std::move(value));
        }
        if (comma == std::string_view::npos) return values;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace ringmesh::lab
