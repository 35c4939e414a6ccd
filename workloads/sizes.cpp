// SPDX-License-Identifier: Apache-2.0
#include "workloads/sizes.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "tlm/error.h"

namespace ringmesh::workloads {
namespace {

constexpr std::size_t kMostSizes = 10'000;

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// One item of the list, read from left to right.
class Item {
public:
    Item(std::string_view text, std::string_view list, const SizeRules& rules)
        : text_(text), list_(list), rest_(text), rules_(&rules)
    {}

    const SizeRules& rules() const { return *rules_; }
    bool at_end() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }
    /// Steps over `word` and the blanks after it if it comes next.
    bool skip(std::string_view word)
    {
        if (rest_.substr(0, word.size()) != word) return false;
        rest_ = trimmed(rest_.substr(word.size()));
        return true;
    }
    std::uint64_t number()
    {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error == std::errc::invalid_argument) unreadable();
        if (error == std::errc::result_out_of_range) value = UINT64_MAX;
        rest_ = trimmed(rest_.substr(static_cast<std::size_t>(end - rest_.data())));
        return value;
    }
    /// "sizes = 0 is out of bounds", "sizes = 1,0: '0' is out of bounds": `what` describes the item.
    [[noreturn]] void wrong(std::string_view what) const
    {
        const std::string_view list = trimmed(list_);
        const std::string item = list == text_ ? "" : fmt::format(": '{}'", text_);
        throw UserError(
            fmt::format("{}{}{}{} {}", rules_->name, rules_->equals, list.empty() ? "''" : list, item, what));
    }
    [[noreturn]] void unreadable() const
    {
        if (text_.empty() && list_.find(',') != std::string_view::npos) {
            throw UserError(
                fmt::format("{}{}{}: a comma has no number on one of its sides; write one there, or leave "
                            "the comma out",
                            rules_->name, rules_->equals, trimmed(list_)));
        }
        wrong(fmt::format("cannot be read; write plain numbers of {}, for example {}", rules_->unit, rules_->examples));
    }

private:
    std::string_view text_;
    std::string_view list_;
    std::string_view rest_;
    const SizeRules* rules_;
};

std::uint32_t within_bounds(const Item& item, std::uint64_t size)
{
    const SizeRules& rules = item.rules();
    if (size < rules.smallest || size > rules.largest) {
        item.wrong(fmt::format("is out of bounds; {} has {} to {} {}", rules.owner, rules.smallest, rules.largest,
                               rules.unit));
    }
    return static_cast<std::uint32_t>(size);
}

/// The step between the sizes of a range.
struct Step {
    std::uint64_t factor;
    std::uint64_t increment;
};

/// The usual step for these sizes, or, if that exceeds the range, a power of ten.
std::uint32_t fitting_step(std::uint32_t usual, std::uint32_t span)
{
    if (usual <= span) return usual;
    std::uint32_t step = 1;
    while (20 * std::uint64_t{step} <= span) step *= 10;
    return step;
}

/// Proposals for a range without a step, as "'5..9 step 1' or '5..9 x2'"; each has more than one size.
std::string with_steps(const SizeRules& rules, std::uint32_t first, std::uint32_t last)
{
    if (first == last) return fmt::format("'{}'", first);
    std::string ways;
    if (rules.step != 0) {
        ways = fmt::format("'{}..{} step {}'", first, last, fitting_step(rules.step, last - first));
    }
    if (first != 0 && first <= last / 2) ways += fmt::format("{}'{}..{} x2'", ways.empty() ? "" : " or ", first, last);
    return ways.empty() ? fmt::format("the numbers one by one, '{},{}'", first, last) : ways;
}

Step read_step(Item& item)
{
    if (item.skip("step") || item.skip("/")) {
        const auto increment = item.number();
        if (increment == 0) item.wrong("has a step of 0; write at least 1");
        return {1, increment};
    }
    if (item.skip("x")) {
        const auto factor = item.number();
        if (factor < 2) item.wrong(fmt::format("has a factor of {}; write at least 2", factor));
        return {factor, 0};
    }
    item.unreadable();
}

void add_size(const Item& item, std::uint32_t size, std::vector<std::uint32_t>& sizes)
{
    if (sizes.size() == kMostSizes) {
        item.wrong(fmt::format("makes more than {} numbers; take a larger step", kMostSizes));
    }
    sizes.push_back(size);
}

/// @return the size after `size`, or none if that exceeds `last`
std::optional<std::uint32_t> next_size(std::uint32_t size, std::uint32_t last, Step step)
{
    if (size != 0 && step.factor > last / size) return std::nullopt;
    const std::uint64_t multiplied = size * step.factor;
    if (step.increment > last - multiplied) return std::nullopt;
    return static_cast<std::uint32_t>(multiplied + step.increment);
}

void read_item(Item item, std::vector<std::uint32_t>& sizes)
{
    const auto first_number = item.number();
    if (item.at_end()) return add_size(item, within_bounds(item, first_number), sizes);
    if (!item.skip("..")) item.unreadable();
    const auto last_number = item.number();
    const bool stepless = item.at_end();
    const std::string_view written_step = item.rest();
    const Step step = stepless ? Step{1, 1} : read_step(item);
    if (!item.at_end()) item.unreadable();
    const auto first = within_bounds(item, first_number);
    const auto last = within_bounds(item, last_number);
    if (last < first) {
        item.wrong(
            fmt::format("runs downwards; write {}", stepless ? with_steps(item.rules(), last, first)
                                                             : fmt::format("'{}..{} {}'", last, first, written_step)));
    }
    if (stepless) item.wrong(fmt::format("lacks a step; write {}", with_steps(item.rules(), first, last)));
    if (first == 0 && step.increment == 0) item.wrong("never leaves 0; begin at 1, or write a step");
    for (std::optional<std::uint32_t> size = first; size; size = next_size(*size, last, step)) {
        add_size(item, *size, sizes);
    }
}

}  // namespace

std::vector<std::uint32_t> parse_sizes(std::string_view text, const SizeRules& rules)
{
    std::vector<std::uint32_t> sizes;
    for (std::string_view rest = text;;) {
        const auto comma = rest.find(',');
        read_item(Item(trimmed(rest.substr(0, comma)), text, rules), sizes);
        if (comma == std::string_view::npos) return sizes;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace ringmesh::workloads
