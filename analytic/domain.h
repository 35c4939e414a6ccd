// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <stdexcept>

/// How the formulas refuse arguments out of their range.
namespace ringmesh::analytic {

/// @throws std::domain_error with `rule` unless it holds. Conditions are written so that a NaN breaks them.
inline void require(bool holds, const char* rule)
{
    if (!holds) throw std::domain_error(rule);
}

inline bool is_finite_from(double value, double least) { return std::isfinite(value) && value >= least; }
inline bool is_finite_above(double value, double bound) { return std::isfinite(value) && value > bound; }

}  // namespace ringmesh::analytic
