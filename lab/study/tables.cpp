// SPDX-License-Identifier: Apache-2.0
#include "lab/study/tables.h"

#include <set>
#include <utility>

#include "lab/run/experiment.h"
#include "lab/study/description/names.h"

namespace ringmesh::lab {

std::vector<DonePoint> done_points(std::size_t test, std::span<const StudyPoint> points,
                                   std::span<const Granted> granted, const Store& store, bool statistics)
{
    std::vector<DonePoint> done;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].test != test || !granted[i].done()) continue;
        auto outcome = store.find_outcome(granted[i].key, statistics);
        if (outcome) done.push_back({points[i], granted[i], std::move(*outcome)});
    }
    return done;
}

Database tables_of(const Study& study, std::span<const StudyPoint> points, std::span<const Granted> granted,
                   const Store& store, const std::function<bool(const std::string& table)>& is_wanted)
{
    Database database;
    for (std::size_t i = 0; i < study.tests.size(); ++i) {
        const StudyTest& test = study.tests[i];
        const std::string statistics = test.name + "_statistics";
        const auto done = done_points(i, points, granted, store, is_wanted(statistics));
        database.add({test.name, whole_points(test, done)});
        database.add({statistics, statistics_of_points(test, done)});
    }
    return database;
}

workloads::Results parameters_of(const Study& study, std::span<const StudyPoint> points)
{
    workloads::Results table;
    for (const char* name : {"test", "variant", "key", "value", "number", "meaning"})
        table.columns.push_back({name, ""});
    std::set<std::pair<std::size_t, std::string>> seen;
    for (const StudyPoint& point : points) {
        if (!seen.emplace(point.test, point.variant).second) continue;
        const Experiment experiment(point.wish.request);
        for (const ParameterRow& row : experiment.parameters()) {
            workloads::Cell number = measured(row.value).cell;
            if (std::holds_alternative<std::string>(number)) number = std::monostate();
            table.rows.push_back(
                {study.tests[point.test].name, point.variant, row.key, row.value, number, row.meaning});
        }
    }
    return table;
}

workloads::Results whole_table(const Study& study, std::size_t test, std::span<const StudyPoint> points,
                               std::span<const Granted> granted, const Store& store)
{
    return whole_points(study.tests[test], done_points(test, points, granted, store));
}

workloads::Results tidy_table(const Study& study, std::size_t test, std::span<const StudyPoint> points,
                              std::span<const Granted> granted, const Store& store)
{
    return tidy_points(study.tests[test], done_points(test, points, granted, store));
}

}  // namespace ringmesh::lab
