// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/report/page.h"
#include "workloads/workload.h"

/// A chart's table cut into panels and curves, as the page draws them.
namespace ringmesh::lab {

struct PanelPoint {
    double x = 0;
    double y = 0;
    double half = 0;      ///< of the interval; 0 if there is none
    std::size_t row = 0;  ///< of the table
};

struct Curve {
    std::string name;  ///< values of the columns that tell curves apart, ", " between; empty: the only one
    std::vector<PanelPoint> points;  ///< by rising x
};

struct Panel {
    std::string name;  ///< likewise of those that tell panels apart
    std::vector<Curve> curves;
};

/// Rows without x or y are left out. @pre x is a column of numbers
std::vector<Panel> panels_of(const Chart& chart, const workloads::Results& table, const Chart::Quantity& quantity);

/// A number, or a text that is one, as SQL's printf gives it: "1,234.5", "+3.1 %".
std::optional<double> drawn_number(const workloads::Cell& cell);

/// All of a column that can be drawn.
std::vector<double> drawn_numbers(const workloads::Results& table, const std::string& column);

}  // namespace ringmesh::lab
