// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <systemc>

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(kernel_reports)

BOOST_AUTO_TEST_CASE(a_kernel_warning_throws)
{
    BOOST_CHECK_THROW(SC_REPORT_WARNING("/ringmesh/test", "on purpose"), sc_core::sc_report);
}

BOOST_AUTO_TEST_CASE(a_kernel_error_throws)
{
    BOOST_CHECK_THROW(SC_REPORT_ERROR("/ringmesh/test", "on purpose"), sc_core::sc_report);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
