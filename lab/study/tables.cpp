// SPDX-License-Identifier: Apache-2.0
#include "lab/study/tables.h"

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
