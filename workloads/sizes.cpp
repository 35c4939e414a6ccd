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
    Item(std::string_view text, const SizeRules& rules) : text_(text), rest_(text), rules_(&rules) {}

    std::string_view text() const { return text_; }
    const SizeRules& rules() const { return *rules_; }
    bool at_end() const { return rest_.empty(); }
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
    [[noreturn]] void unreadable() const
    {
        throw UserError(fmt::format("{}: cannot read '{}'; sizes are plain numbers of {}: write for example {}",
                                    rules_->name, text_, rules_->unit, rules_->examples));
    }

private:
    std::string_view text_;
    std::string_view rest_;
    const SizeRules* rules_;
};

std::uint32_t within_bounds(const Item& item, std::uint64_t size)
{
    const SizeRules& rules = item.rules();
    if (size < rules.smallest || size > rules.largest) {
        throw UserError(fmt::format("{}: '{}' is out of bounds; {} has {} to {} {}", rules.name, item.text(),
                                    rules.owner, rules.smallest, rules.largest, rules.unit));
    }
    return static_cast<std::uint32_t>(size);
}

/// What leads from one size of a range to the next.
struct Step {
    std::uint64_t factor;
    std::uint64_t increment;
};

Step read_step(Item& item, std::uint64_t first, std::uint64_t last)
{
    if (item.at_end()) {
        const SizeRules& rules = item.rules();
        const std::string by_step = rules.step == 0 ? "" : fmt::format("'{}..{} step {}' or ", first, last, rules.step);
        throw UserError(fmt::format("{0}: '{1}' lacks a step; write {4}'{2}..{3} x2'", rules.name, item.text(), first,
                                    last, by_step));
    }
    if (item.skip("step") || item.skip("/")) {
        const auto increment = item.number();
        if (increment == 0)
            throw UserError(fmt::format("{}: the step of '{}' must be at least 1", item.rules().name, item.text()));
        return {1, increment};
    }
    if (item.skip("x")) {
        const auto factor = item.number();
        if (factor < 2)
            throw UserError(fmt::format("{}: the factor of '{}' must be at least 2", item.rules().name, item.text()));
        return {factor, 0};
    }
    item.unreadable();
}

void add_size(std::uint32_t size, const SizeRules& rules, std::vector<std::uint32_t>& sizes)
{
    if (sizes.size() == kMostSizes) {
        throw UserError(fmt::format("{}: the list has more than {} sizes; take a larger step", rules.name, kMostSizes));
    }
    sizes.push_back(size);
}

/// @return the size after `size`, or none if that is beyond `last`
std::optional<std::uint32_t> next_size(std::uint32_t size, std::uint32_t last, Step step)
{
    if (size != 0 && step.factor > last / size) return std::nullopt;
    const std::uint64_t multiplied = size * step.factor;
    if (step.increment > last - multiplied) return std::nullopt;
    return static_cast<std::uint32_t>(multiplied + step.increment);
}

void read_item(Item item, std::vector<std::uint32_t>& sizes)
{
    const auto first = item.number();
    if (item.at_end()) return add_size(within_bounds(item, first), item.rules(), sizes);
    if (!item.skip("..")) item.unreadable();
    const auto last = item.number();
    const auto step = read_step(item, first, last);
    if (!item.at_end()) item.unreadable();
    const auto end = within_bounds(item, last);
    if (last < first) {
        throw UserError(
            fmt::format("{}: '{}' runs downwards; write the smaller size first", item.rules().name, item.text()));
    }
    for (std::optional<std::uint32_t> size = within_bounds(item, first); size; size = next_size(*size, end, step)) {
        add_size(*size, item.rules(), sizes);
    }
}

}  // namespace

std::vector<std::uint32_t> parse_sizes(std::string_view text, const SizeRules& rules)
{
    std::vector<std::uint32_t> sizes;
    for (std::string_view rest = text;;) {
        const auto comma = rest.find(',');
        read_item(Item(trimmed(rest.substr(0, comma)), rules), sizes);
        if (comma == std::string_view::npos) return sizes;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace ringmesh::workloads
