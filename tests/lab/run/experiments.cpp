// SPDX-License-Identifier: Apache-2.0
#include "tests/lab/run/experiments.h"

#include <variant>

#include "lab/store/executor.h"

namespace ringmesh::lab {

void Experiments::run(Store& store, unsigned parallel)
{
    std::vector<Wish> wishes;
    for (const auto& [name, request] : requests_) wishes.push_back({.title = "experiment " + name, .request = request});
    const auto granted = grant(store, wishes, {.parallel = parallel});
    for (std::size_t i = 0; i < granted.size(); ++i) {
        if (granted[i].cached || granted[i].ran) granted[i].require_done(wishes[i].title);
    }
    for (std::size_t i = 0; i < granted.size(); ++i) {
        outcomes_[requests_[i].first] = store.find(granted[i].key).value().record.outcome;
    }
}

std::vector<double> column(const Outcome& outcome, std::string_view name)
{
    std::vector<double> numbers;
    for (std::size_t i = 0; i < outcome.results.columns.size(); ++i) {
        if (outcome.results.columns[i].name != name) continue;
        for (const auto& row : outcome.results.rows) numbers.push_back(std::get<double>(row[i]));
    }
    return numbers;
}

}  // namespace ringmesh::lab
