// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

/// Where both curves have a point.
struct CommonPoints {
    std::vector<double> x, a, b;
    std::vector<const PanelPoint*> of_a, of_b;  ///< of the curves, which outlive this
};
CommonPoints common_points(const Curve& a, const Curve& b);

/// The place of a column; how many there are if it is none of them.
std::size_t column_place(const workloads::Results& table, const std::string& name);

/// A number, or a text that is one, as SQL's printf gives it: "1,234.5", "+3.1 %".
std::optional<double> drawn_number(const workloads::Cell& cell);

/// A cell as a part of a curve's or a panel's name.
std::string name_of(const workloads::Cell& cell);

}  // namespace ringmesh::lab
