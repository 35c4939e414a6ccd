// SPDX-License-Identifier: Apache-2.0
#include "lab/validation/rows.h"

#include <fmt/format.h>

#include <utility>

#include "lab/published.h"
#include "lab/validation/stated_misses.h"

namespace ringmesh::lab {

Row plain_row(std::string id, std::string quantity, std::string unit)
{
    Row row;
    row.id = std::move(id);
    row.machine = row.id.substr(0, row.id.find('.'));
    row.quantity = std::move(quantity);
    row.unit = std::move(unit);
    return row;
}

Row published_as_row(std::string_view id)
{
    const PublishedRow& published = published_row(id);
    Row row = plain_row(std::string(published.id), fmt::format("{}; {}", published.quantity, published.conditions),
                        std::string(published.unit));
    row.published = published.value;
    row.kind = published.kind;
    row.source = published.source;
    row.note = published.note;
    return row;
}

double published(std::string_view id) { return published_row(id).value; }

Row judged(Row row, Role role, double tolerance_percent, double simulated)
{
    row.role = role;
    row.tolerance_percent = tolerance_percent;
    row.simulated = simulated;
    return row;
}

Row judged_between(Row row, Role role, double low, double high, double simulated)
{
    const double published = row.published.value();
    const double room = simulated < published ? published - low : high - published;
    row.note += fmt::format("{}from {:.3g} to {:.3g} is asked", row.note.empty() ? "" : "; ", low, high);
    return judged(std::move(row), role, percent_of(published, room), simulated);
}

Row statement(std::string id, std::string quantity, std::size_t holds, std::size_t cases)
{
    Row row = plain_row(std::move(id), std::move(quantity), "cases");
    row.published = static_cast<double>(cases);
    row.kind = "claim";
    return judged(std::move(row), Role::kPrediction, 0, static_cast<double>(holds));
}

void Rows::add(Row row)
{
    row.section = section_;
    row.miss = stated_miss(row.id);
    rows_.push_back(std::move(row));
}

}  // namespace ringmesh::lab
