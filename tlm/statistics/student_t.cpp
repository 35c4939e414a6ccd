// SPDX-License-Identifier: Apache-2.0
#include "tlm/statistics/student_t.h"

// Adds seconds to the compilation of a file: only this one includes it.
#include <boost/math/distributions/students_t.hpp>
#include <limits>

namespace ringmesh {

namespace {

/// In double alone: long double has no 80 bits under valgrind, where its tables overflow when the program begins.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using StudentsT = boost::math::students_t_distribution<double, InDouble>;

}  // namespace

double student_975(double degrees)
{
    if (degrees <= 0) return std::numeric_limits<double>::infinity();
    return boost::math::quantile(StudentsT(degrees), 0.975);
}

double student_chance_above(double value, double degrees)
{
    return boost::math::cdf(boost::math::complement(StudentsT(degrees), value));
}

}  // namespace ringmesh
