// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/compare/comparison.h"
#include "lab/study/points/point_table.h"
#include "lab/table/results.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// Rows of a table of points, and which columns name them.
class PointRows {
public:
    /// @param table of the test, as whole_points() has it; both outlive this
    PointRows(const StudyTest& test, const workloads::Results& table) : PointRows(test, table, layout_of(test)) {}
    /// A table of another layout.
    PointRows(const StudyTest& test, const workloads::Results& table, const PointLayout& layout);

    /// Of the program.
    std::span<const workloads::Column> columns() const { return std::span(table_.columns).subspan(layout_.program); }
    const workloads::Cell& cell(std::size_t row, std::size_t column) const
    {
        return table_.rows[row][layout_.program + column];
    }
    /// First row of each run, and behind the last.
    const std::vector<std::pair<std::size_t, std::size_t>>& runs() const { return runs_; }
    /// Whether a column of the program has numbers alone, and places where nothing was measured.
    bool holds_numbers(std::size_t column) const;
    /// Names of these.
    std::vector<std::string> numeric() const;

    /// The first column of times or rates that were not put in.
    std::optional<std::size_t> first_measured() const;
    /// The column that is asked for; the first measured one if `by` is empty. @throws UserError that begins with `who`
    std::size_t asked(const std::string& by, std::string_view who) const;
    /// How many leading columns tell the rows of a run apart: names, so they end before numbers with fractions.
    /// @return with whether they do
    std::pair<std::size_t, bool> keys(std::size_t by) const;

    const std::string& variant(std::size_t row) const;
    const std::string& point(std::size_t row) const;
    /// Why its means are no lasting ones; nothing if they are.
    const workloads::Cell& doubt(std::size_t row) const;
    const workloads::Cell& axis(std::size_t row, std::size_t axis) const;

private:
    bool same_run(const std::vector<workloads::Cell>& a, const std::vector<workloads::Cell>& b) const;
    bool is_name(std::size_t column) const;
    bool tells_apart(std::size_t count) const;

    const StudyTest& test_;
    const workloads::Results& table_;
    PointLayout layout_;
    std::vector<std::pair<std::size_t, std::size_t>> runs_;
};

/// Whether `doubt`, of Results, is one about this column: what a saturated network accepts lasts, its latencies do not.
bool is_doubted(const workloads::Column& column, std::string_view doubt);

}  // namespace ringmesh::lab
