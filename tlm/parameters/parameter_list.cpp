// SPDX-License-Identifier: Apache-2.0
#include "tlm/parameters/parameter_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "tlm/error.h"
#include "tlm/units/quantity.h"

namespace ringmesh {
namespace {

std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(double value) { return number_text(value); }
template <class Quantity>
std::string text_of(Quantity value)
{
    return to_string(value);
}

class Lister final : public ParameterVisitor {
public:
    explicit Lister(const NodeUse& nodes) : ParameterVisitor(nodes) {}

    /// The rows, once all values are known, so that a condition may name a parameter that comes later.
    std::vector<ParameterRow> take_rows()
    {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            for (const Condition& condition : conditions_[i]) apply(condition, rows_[i]);
        }
        return std::move(rows_);
    }

    using ParameterVisitor::field;
    void field(const ParameterInfo& info, bool& value) override
    {
        add(info, "boolean", value ? "true" : "false").quoted = false;
    }
    void field(const ParameterInfo& info, std::vector<std::int64_t>& value, Bounds<std::int64_t> bounds) override
    {
        ParameterRow& row = add(info, "integers", fmt::format("[{}]", fmt::join(value, ", ")));
        row.quoted = false;
        row.low = text_of(bounds.low);
        row.high = text_of(bounds.high);
        for (const std::int64_t each : value) {
            if (each >= bounds.low && each <= bounds.high) continue;
            throw ModelError(fmt::format("parameter {} = {}: {} lies outside its bounds, {} to {}", row.key, row.value,
                                         each, row.low, row.high));
        }
    }
    void text(const ParameterInfo& info, std::string& value) override { add(info, "text", value); }
    using ParameterVisitor::choice;
    void choice(const ParameterInfo& info, std::string& value, const std::vector<std::string>& names) override
    {
        ParameterRow& row = add(info, "choice", value);
        row.choices = names;
        if (std::find(names.begin(), names.end(), value) == names.end()) {
            throw ModelError(fmt::format("parameter {} = '{}' is not one of its choices", row.key, value));
        }
    }
    void policy(const ParameterInfo& info, std::string& name, const PolicyKind& kind) override
    {
        ParameterVisitor::policy(info, name, kind);
        rows_.back().policy = kind;
    }

protected:
    void bounded(const ParameterInfo& info, const AnyBounded& field) override
    {
        constexpr std::array kKinds{"duration", "frequency", "size", "length", "cycles", "integer", "number"};
        std::visit(
            [&](const auto& each) {
                ParameterRow& row = add(info, kKinds.at(field.index()), text_of(each.value));
                row.quoted = field.index() < 5;
                row.low = text_of(each.bounds.low);
                row.high = text_of(each.bounds.high);
                if (each.value >= each.bounds.low && each.value <= each.bounds.high) return;
                throw ModelError(fmt::format("parameter {} = {} lies outside its bounds, {} to {}", row.key, row.value,
                                             row.low, row.high));
            },
            field);
    }
    void enter(std::string_view name, std::string_view meaning) override
    {
        path_.enter(name);
        group_meanings_.emplace_back(meaning);
    }
    void leave() override
    {
        path_.leave();
        group_meanings_.pop_back();
    }
    void depend_on(std::string_view key, std::vector<std::string> values) override
    {
        open_conditions_.push_back({.key = path_.key(key), .values = std::move(values)});
    }
    void depend_on(bool met, std::string_view why_not) override
    {
        open_conditions_.push_back({.why_not = met ? std::string() : std::string(why_not)});
    }
    void depend_no_more() override { open_conditions_.pop_back(); }

private:
    /// One on another parameter has a key; any other is met if it has no reason why not.
    struct Condition {
        std::string key = {};
        std::vector<std::string> values = {};
        std::string why_not = {};
    };

    /// The outermost condition that is not met is the reason.
    void apply(const Condition& condition, ParameterRow& row) const
    {
        if (!row.not_in_use.empty()) return;
        if (condition.key.empty()) {
            const std::size_t end = condition.why_not.find("; ");
            if (end == std::string::npos) return;
            row.not_in_use = condition.why_not.substr(0, end);
            row.cure = condition.why_not.substr(end + 2);
            return;
        }
        const auto named = [&condition](const ParameterRow& each) { return each.key == condition.key; };
        const auto other = std::find_if(rows_.begin(), rows_.end(), named);
        if (other == rows_.end()) {
            throw ModelError(fmt::format("{} depends on {}, which does not exist", row.key, condition.key));
        }
        const auto& values = condition.values;
        if (std::find(values.begin(), values.end(), other->value) != values.end()) return;
        row.not_in_use = fmt::format("{} = {}", other->key, other->quoted ? '"' + other->value + '"' : other->value);
        row.cure = fmt::format("set {}={}", other->key, fmt::join(values, " or "));
    }
    ParameterRow& add(const ParameterInfo& info, std::string_view kind, std::string value)
    {
        ParameterRow& row = rows_.emplace_back();
        conditions_.push_back(open_conditions_);
        row.key = path_.key(info.name);
        row.kind = kind;
        row.value = std::move(value);
        row.meaning = info.meaning;
        row.origin = info.origin;
        if (!group_meanings_.empty()) row.group_meaning = group_meanings_.back();
        if (!keys_.insert(row.key).second) throw ModelError("parameter " + row.key + " is declared twice");
        return row;
    }

    KeyPath path_;
    std::vector<ParameterRow> rows_;
    std::vector<std::vector<Condition>> conditions_;  // of each row, the outermost first
    std::vector<Condition> open_conditions_;
    std::vector<std::string> group_meanings_;
    std::set<std::string> keys_;
};

}  // namespace

std::string number_text(double value)
{
    if (!std::isfinite(value)) throw ModelError("a number is not finite");
    return fmt::format("{}", value);
}

void KeyPath::leave()
{
    prefix_.pop_back();
    const std::size_t dot = prefix_.rfind('.');
    prefix_.resize(dot == std::string::npos ? 0 : dot + 1);
}

std::optional<unsigned> number_of_group(std::string_view key, std::string_view group)
{
    if (!key.starts_with(group)) return std::nullopt;
    unsigned number = 0;
    const char* const end = key.data() + key.size();
    const auto [behind, error] = std::from_chars(key.data() + group.size(), end, number);
    if (error != std::errc{} || behind == end || *behind != '.') return std::nullopt;
    return number;
}

std::optional<std::pair<unsigned, unsigned>> range_of(std::string_view text)
{
    std::pair<unsigned, unsigned> range;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, range.first);
    if (first.ec != std::errc{}) return std::nullopt;
    range.second = range.first;
    if (first.ptr == end) return range;
    if (!std::string_view(first.ptr, end).starts_with("..")) return std::nullopt;
    const auto last = std::from_chars(first.ptr + 2, end, range.second);
    if (last.ec != std::errc{} || last.ptr != end || range.second < range.first) return std::nullopt;
    return range;
}

std::vector<ParameterRow> list_parameters_of(const std::function<void(ParameterVisitor&)>& walk, const NodeUse& nodes)
{
    Lister lister(nodes);
    walk(lister);
    return lister.take_rows();
}

}  // namespace ringmesh
