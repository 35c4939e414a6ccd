// SPDX-License-Identifier: Apache-2.0
#include "lab/run/record/statistics_summary.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace ringmesh::lab {
namespace {

/// "node12.lc2" becomes "node*.lc2". Only the trailing digits of the components above the block are replaced, the
/// numbers of nodes and ports: a block such as "lc2" keeps its name.
std::string pattern_of(const std::string& name)
{
    std::string pattern;
    std::size_t begin = 0;
    while (begin <= name.size()) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        std::string part = name.substr(begin, end - begin);
        if (end < name.size() || begin == 0) {
            const std::size_t letters = part.find_last_not_of("0123456789") + 1;
            if (letters < part.size()) part.replace(letters, std::string::npos, "*");
        }
        pattern += (begin == 0 ? "" : ".") + part;
        begin = end + 1;
    }
    return pattern;
}

class Collector final : public StatisticsVisitor {
public:
    /// @param divided rows and values are alike in all processes: also means without a sample have one
    explicit Collector(bool divided) : divided_(divided) {}

    void of(const Component& component)
    {
        block_ = component.component_name();
        blocks_ = pattern_of(block_);
        component.statistics(*this);
    }
    void value(std::string_view name, double value, std::string_view unit, std::string_view sentence) override
    {
        add(name, {block_, value}, unit, sentence);
    }
    void mean(std::string_view name, const DurationMean& samples, std::string_view sentence) override
    {
        if (samples.count() == 0 && !divided_) return;
        add(name, {block_, samples.mean_ns(), static_cast<double>(samples.count())}, "ns", sentence);
    }

    /// Adds what other processes have counted, or gives what this one has. A block counts in one process alone, unless
    /// it lies in several; then its values are sums.
    void add_up(Totals& totals)
    {
        for (StatisticRow& row : rows) {
            for (StatisticRow::Value& value : row.values) {
                const double samples = value.weight;
                totals.sum(value.weight);
                const double before = value.value;
                totals.sum(value.value);
                if (value.weight == samples) {
                    value.value = before;  // the others have no sample
                } else if (samples != 0) {
                    value.weight = 1;  // no mean
                }
            }
        }
    }
    /// Behind the last add_up().
    void leave_out_means_without_samples()
    {
        for (StatisticRow& row : rows) std::erase_if(row.values, [](const auto& value) { return value.weight == 0; });
        std::erase_if(rows, [](const StatisticRow& row) { return row.values.empty(); });
    }

    std::vector<StatisticRow> rows;

private:
    void add(std::string_view name, StatisticRow::Value value, std::string_view unit, std::string_view sentence)
    {
        const auto [found, is_new] = places_.try_emplace({blocks_, std::string(name)}, rows.size());
        if (is_new)
            rows.push_back({.blocks = blocks_,
                            .name = std::string(name),
                            .unit = std::string(unit),
                            .meaning = std::string(sentence)});
        rows[found->second].values.push_back(std::move(value));
    }

    const bool divided_;
    std::string block_;
    std::string blocks_;
    std::map<std::pair<std::string, std::string>, std::size_t> places_;
};

void summarise(StatisticRow& row)
{
    const auto smaller = [](const auto& a, const auto& b) { return a.value < b.value; };
    const auto least = std::min_element(row.values.begin(), row.values.end(), smaller);
    const auto most = std::max_element(row.values.begin(), row.values.end(), smaller);
    row.count = row.values.size();
    row.minimum = least->value;
    row.maximum = most->value;
    row.block_of_maximum = most->block;
    double sum = 0;
    double weights = 0;
    for (const StatisticRow::Value& value : row.values) {
        sum += value.weight * value.value;
        weights += value.weight;
    }
    row.mean = sum / weights;
}

}  // namespace

std::vector<StatisticRow> collect_statistics(const std::vector<Component*>& components, Division* division)
{
    Collector collector(division != nullptr);
    for (const Component* component : components) collector.of(*component);
    if (division != nullptr) {
        division->add_up([&collector](Totals& totals) { collector.add_up(totals); });
        collector.leave_out_means_without_samples();
    }
    for (StatisticRow& row : collector.rows) summarise(row);
    return std::move(collector.rows);
}

TextTable statistics_table(const std::vector<StatisticRow>& rows)
{
    TextTable table({{"statistic"},
                     {"mean", Align::kRight},
                     {"smallest", Align::kRight},
                     {"largest", Align::kRight},
                     {"unit"},
                     {"largest at"},
                     {"meaning"}});
    std::string blocks;
    for (const StatisticRow& row : rows) {
        if (row.minimum == 0 && row.maximum == 0) continue;
        if (row.blocks != blocks) table.section(row.blocks);
        blocks = row.blocks;
        const std::vector<double> numbers{row.mean, row.minimum, row.maximum};
        const int decimals = decimals_for(numbers);
        table.row({row.name, with_thousands(numbers[0], decimals), with_thousands(numbers[1], decimals),
                   with_thousands(numbers[2], decimals), row.unit,
                   row.minimum == row.maximum ? "all" : row.block_of_maximum, row.meaning});
    }
    return table;
}

}  // namespace ringmesh::lab
