// SPDX-License-Identifier: Apache-2.0
#include "tlm/statistics/student_t.h"

#include <cmath>

#include "tests/support/cases.h"

namespace {

using namespace ringmesh;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(student_t)

BOOST_DATA_TEST_CASE(quantiles_are_those_of_printed_tables,
                     data::make({1.0, 2.0, 3.0, 10.0, 19.0, 25.0, 30.0, 38.0, 120.0, 1e6}) ^
                         data::make({12.706, 4.3027, 3.1824, 2.2281, 2.093, 2.0595, 2.0423, 2.0244, 1.9799, 1.95996}),
                     degrees, quantile)
{
    BOOST_TEST(student_975(degrees) == quantile, boost::test_tools::tolerance(5e-5));
}

BOOST_AUTO_TEST_CASE(one_value_alone_tells_nothing_of_its_scatter)
{
    BOOST_TEST(std::isinf(student_975(0)));
    BOOST_TEST(student_975(2.5) < student_975(2));
    BOOST_TEST(student_975(2.5) > student_975(3));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
