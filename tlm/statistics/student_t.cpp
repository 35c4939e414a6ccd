// SPDX-License-Identifier: Apache-2.0
#include "tlm/statistics/student_t.h"

// Adds seconds to the compilation of a file: only this one includes it.
#include <boost/math/distributions/students_t.hpp>
#include <limits>

namespace ringmesh {

double student_975(double degrees)
{
    if (degrees <= 0) return std::numeric_limits<double>::infinity();
    return boost::math::quantile(boost::math::students_t(degrees), 0.975);
}

double student_chance_above(double value, double degrees)
{
    return boost::math::cdf(boost::math::complement(boost::math::students_t(degrees), value));
}

}  // namespace ringmesh
