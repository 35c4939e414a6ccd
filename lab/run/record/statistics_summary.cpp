// SPDX-License-Identifier: Apache-2.0
#include "lab/run/record/statistics_summary.h"

#include <algorithm>
#include <cctype>
#include <compare>
#include <cstdint>
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

/// Of a component in the whole machine: its part, then its place among those of a process.
struct Position {
    std::uint32_t part = 0;
    std::uint32_t component = 0;
    auto operator<=>(const Position&) const = default;
};

class Collector final : public StatisticsVisitor {
public:
    /// @param divided the run: also means without a sample have a row, until all is known
    explicit Collector(bool divided) : divided_(divided) {}

    void of(const Component& component, Position position)
    {
        position_ = position;
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

    void put_into(Parcel& parcel) const
    {
        parcel.put(rows_.size());
        for (const auto& [row, positions] : rows_) {
            for (const std::string* text : {&row.blocks, &row.name, &row.unit, &row.meaning}) parcel.put(*text);
            parcel.put(row.values.size());
            for (std::size_t i = 0; i < row.values.size(); ++i) {
                parcel.put(positions[i]);
                parcel.put(row.values[i].block);
                parcel.put(row.values[i].value);
                parcel.put(row.values[i].weight);
            }
        }
    }
    /// Adds what another process has collected. A block counts in one process alone, unless it lies in several; then
    /// its values are sums.
    void add(Parcel& parcel)
    {
        for (auto left = parcel.take<std::size_t>(); left > 0; --left) {
            Row there;
            for (std::string* text : {&there.row.blocks, &there.row.name, &there.row.unit, &there.row.meaning}) {
                *text = parcel.take_text();
            }
            for (auto values = parcel.take<std::size_t>(); values > 0; --values) {
                there.positions.push_back(parcel.take<Position>());
                StatisticRow::Value value;
                value.block = parcel.take_text();
                value.value = parcel.take<double>();
                value.weight = parcel.take<double>();
                there.row.values.push_back(std::move(value));
            }
            Row& here = row_of(there.row);
            here = merged(std::move(here), std::move(there));
        }
    }
    std::vector<StatisticRow> all()
    {
        if (divided_) {
            for (Row& each : rows_) each.leave_out_without_samples();
            std::erase_if(rows_, [](const Row& each) { return each.row.values.empty(); });
            // In the order in which one process would have met them
            std::stable_sort(rows_.begin(), rows_.end(),
                             [](const Row& a, const Row& b) { return a.positions.front() < b.positions.front(); });
        }
        std::vector<StatisticRow> rows;
        for (Row& each : rows_) rows.push_back(std::move(each.row));
        return rows;
    }

private:
    struct Row {
        StatisticRow row;
        std::vector<Position> positions;  // of its values, in their order

        void leave_out_without_samples()
        {
            Row left;
            for (std::size_t i = 0; i < row.values.size(); ++i) {
                if (row.values[i].weight == 0) continue;
                left.positions.push_back(positions[i]);
                left.row.values.push_back(std::move(row.values[i]));
            }
            positions = std::move(left.positions);
            row.values = std::move(left.row.values);
        }
    };

    /// One with these names; new if there was none.
    Row& row_of(const StatisticRow& names)
    {
        const auto [found, is_new] = places_.try_emplace({names.blocks, names.name}, rows_.size());
        if (is_new) {
            Row& row = rows_.emplace_back();
            row.row.blocks = names.blocks;
            row.row.name = names.name;
            row.row.unit = names.unit;
            row.row.meaning = names.meaning;
        }
        return rows_[found->second];
    }
    void add(std::string_view name, StatisticRow::Value value, std::string_view unit, std::string_view sentence)
    {
        StatisticRow names;
        names.blocks = blocks_;
        names.name = name;
        names.unit = unit;
        names.meaning = sentence;
        Row& row = row_of(names);
        row.row.values.push_back(std::move(value));
        row.positions.push_back(position_);
    }
    static Row merged(Row a, Row b)
    {
        Row all;
        all.row = a.row;
        all.row.values.clear();
        std::size_t i = 0, j = 0;
        while (i < a.positions.size() || j < b.positions.size()) {
            const bool take_a = j == b.positions.size() || (i < a.positions.size() && a.positions[i] <= b.positions[j]);
            const bool both = take_a && j < b.positions.size() && a.positions[i] == b.positions[j];
            all.positions.push_back(take_a ? a.positions[i] : b.positions[j]);
            all.row.values.push_back(std::move(take_a ? a.row.values[i] : b.row.values[j]));
            if (both) add_to(all.row.values.back(), b.row.values[j]);
            i += take_a ? 1 : 0;
            j += !take_a || both ? 1 : 0;
        }
        return all;
    }
    static void add_to(StatisticRow::Value& value, const StatisticRow::Value& other)
    {
        if (other.weight == 0) return;  // it has no sample
        if (value.weight == 0) {
            value.value = other.value;
            value.weight = other.weight;
        } else {
            value.value += other.value;
            value.weight = 1;  // no mean
        }
    }

    const bool divided_;
    Position position_;
    std::string block_;
    std::string blocks_;
    std::vector<Row> rows_;
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

std::vector<StatisticRow> summaries(std::vector<StatisticRow> rows)
{
    for (StatisticRow& row : rows) summarise(row);
    return rows;
}

}  // namespace

std::vector<StatisticRow> collect_statistics(const std::vector<Component*>& components)
{
    Collector collector(false);
    for (const Component* component : components) collector.of(*component, {});
    return summaries(collector.all());
}

std::vector<StatisticRow> collect_statistics(const Simulation& simulation, bool programs)
{
    Division* const division = simulation.division();
    if (division == nullptr) return collect_statistics(simulation.components());
    Collector collector(true);
    const auto& components = simulation.components();
    for (std::uint32_t i = 0; i < components.size(); ++i) {
        const std::uint32_t part = simulation.parts_of_components()[i];
        if (!programs || division->owns(part)) collector.of(*components[i], {part, i});
    }
    Parcel own;
    if (division->own() != 0) collector.put_into(own);
    for (Parcel& parcel : division->gather(own)) collector.add(parcel);
    return summaries(collector.all());
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
