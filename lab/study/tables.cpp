// SPDX-License-Identifier: Apache-2.0
#include "lab/study/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lab/sql/statements.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

/// The done points of a test, in the order of the study, with what stands before the program's columns.
class TestTable {
public:
    TestTable(const Study& study, std::size_t test, std::span<const StudyPoint> points,
              std::span<const Granted> granted, const Store& store, bool statistics = false)
        : test_(&study.tests[test])
    {
        for (const Axis& axis : test_->axes) axes_.push_back(column_of(axis));
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (points[i].test != test || !granted[i].done()) continue;
            auto outcome = store.find_outcome(granted[i].key, statistics);
            if (outcome) done_.push_back({&points[i], &granted[i].key, std::move(*outcome)});
        }
        for (const Done& done : done_) {
            for (const Column& column : done.outcome.results.columns) {
                const auto same = [&column](const Column& other) { return other.name == column.name; };
                if (std::none_of(program_.begin(), program_.end(), same)) program_.push_back(column);
            }
        }
        for (AxisColumn& axis : axes_) {
            const auto taken = [&axis](const Column& column) { return lowered(column.name) == lowered(axis.name); };
            if (std::any_of(program_.begin(), program_.end(), taken)) axis.name = "axis_" + axis.name;
        }
    }

    /// All that is known before the program's columns, or what differs alone.
    Results results(bool tidy) const
    {
        const bool variants = !tidy || test_->variants.size() > 1;
        const bool repetitions = !tidy || test_->repeat > 1;
        Results all;
        if (!tidy) all.columns.push_back({"point", ""});
        for (const AxisColumn& axis : axes_) {
            if (tidy) all.columns.push_back({axis.name, ""});
        }
        if (variants) all.columns.push_back({"variant", ""});
        if (repetitions) all.columns.push_back({"repetition", ""});
        if (repetitions) all.columns.push_back({"seed", ""});
        for (const AxisColumn& axis : axes_) {
            if (!tidy) all.columns.push_back({axis.name, ""});
        }
        all.columns.insert(all.columns.end(), program_.begin(), program_.end());
        for (const Done& done : done_) {
            const Results& own = done.outcome.results;
            for (const auto& cells : own.rows) {
                auto& row = all.rows.emplace_back();
                if (!tidy) row.emplace_back(*done.key);
                if (tidy) add_axes(row, done);
                if (variants) row.emplace_back(done.study->variant);
                if (repetitions) row.emplace_back(static_cast<std::int64_t>(done.study->repetition));
                if (repetitions) row.emplace_back(static_cast<std::int64_t>(done.study->wish.request.seed));
                if (!tidy) add_axes(row, done);
                for (const Column& column : program_) row.push_back(cell(own, cells, column.name));
            }
        }
        return all;
    }

    Results statistics() const
    {
        Results all;
        for (const char* name : {"point", "variant", "repetition", "seed"}) all.columns.push_back({name, ""});
        for (const AxisColumn& axis : axes_) all.columns.push_back({axis.name, ""});
        for (const char* name : {"modules", "name", "unit", "count", "mean", "minimum", "maximum"}) {
            all.columns.push_back({name, ""});
        }
        for (const Done& done : done_) {
            for (const StatisticRow& statistic : done.outcome.statistics) {
                auto& row = all.rows.emplace_back();
                row.emplace_back(*done.key);
                row.emplace_back(done.study->variant);
                row.emplace_back(static_cast<std::int64_t>(done.study->repetition));
                row.emplace_back(static_cast<std::int64_t>(done.study->wish.request.seed));
                add_axes(row, done);
                row.emplace_back(statistic.blocks);
                row.emplace_back(statistic.name);
                row.emplace_back(statistic.unit);
                row.emplace_back(static_cast<std::int64_t>(statistic.count));
                row.emplace_back(statistic.mean);
                row.emplace_back(statistic.minimum);
                row.emplace_back(statistic.maximum);
            }
        }
        return all;
    }

private:
    struct Done {
        const StudyPoint* study;
        const std::string* key;
        Outcome outcome;
    };

    void add_axes(std::vector<Cell>& row, const Done& done) const
    {
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            const auto& values = test_->axes[i].values;
            const auto at = std::find(values.begin(), values.end(), done.study->axes[i]);
            row.push_back(axes_[i].values[static_cast<std::size_t>(at - values.begin())]);
        }
    }

    static Cell cell(const Results& own, const std::vector<Cell>& cells, const std::string& column)
    {
        for (std::size_t i = 0; i < own.columns.size(); ++i) {
            if (own.columns[i].name == column) return cells[i];
        }
        return std::monostate();
    }

    const StudyTest* test_;
    std::vector<AxisColumn> axes_;
    std::vector<Done> done_;
    std::vector<Column> program_;
};

}  // namespace

Database tables_of(const Study& study, std::span<const StudyPoint> points, std::span<const Granted> granted,
                   const Store& store, const std::function<bool(const std::string& table)>& is_wanted)
{
    Database database;
    for (std::size_t i = 0; i < study.tests.size(); ++i) {
        const std::string& name = study.tests[i].name;
        const std::string statistics = name + "_statistics";
        const TestTable table(study, i, points, granted, store, is_wanted(statistics));
        database.add({name, table.results(false)});
        database.add({statistics, table.statistics()});
    }
    return database;
}

Results whole_table(const Study& study, std::size_t test, std::span<const StudyPoint> points,
                    std::span<const Granted> granted, const Store& store)
{
    return TestTable(study, test, points, granted, store).results(false);
}

Results tidy_table(const Study& study, std::size_t test, std::span<const StudyPoint> points,
                   std::span<const Granted> granted, const Store& store)
{
    return TestTable(study, test, points, granted, store).results(true);
}

}  // namespace ringmesh::lab
