// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringmesh {

/// Half the width of a 95 % interval, in standard deviations that were estimated with so many degrees of freedom: the
/// 97.5 % quantile of Student's t distribution. Infinite for none. @param degrees may be a fraction
double student_975(double degrees);

/// The chance that a value of Student's t distribution is larger than this one. @pre degrees above zero
double student_chance_above(double value, double degrees);

}  // namespace ringmesh
