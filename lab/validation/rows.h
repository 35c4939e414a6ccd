// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lab/validation/row.h"

/// Construction of rows.
namespace ringmesh::lab {

/// A row without a published number. @param id begins with the machine: "deck.protocol1.62B"
Row plain_row(std::string id, std::string quantity, std::string unit);
/// The published number with its conditions, source and note. @throws std::out_of_range if there is none
Row published_as_row(std::string_view id);
/// The value of that number.
double published(std::string_view id);

Row judged(Row row, Role role, double tolerance_percent, double simulated);
/// A published number with asymmetric bounds: the simulated one must lie from `low` to `high`. The tolerance is the one
/// of its side. @pre the published number lies between them
Row judged_between(Row row, Role role, double low, double high, double simulated);
/// A statement without a number, as the number of cases in which it holds; the row passes if it holds in all.
Row statement(std::string id, std::string quantity, std::size_t holds, std::size_t cases);

/// `amount` as a percentage of `whole`: a tolerance given in units of the quantity.
inline double percent_of(double whole, double amount) { return 100 * amount / whole; }

/// Collects rows under headings.
class Rows {
public:
    void section(std::string heading) { section_ = std::move(heading); }
    void add(Row row);
    std::vector<Row> take() { return std::move(rows_); }

private:
    std::string section_;
    std::vector<Row> rows_;
};

}  // namespace ringmesh::lab
