// SPDX-License-Identifier: Apache-2.0
/// Entry of the test program. The cases run inside sc_main, one process each (a simulation cannot be elaborated twice).
/// A warning of the SystemC kernel throws, and so fails the case; one that is reported where nothing may throw, or
/// through a handler of the code under test, makes the process fail at its end.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <iostream>
#include <systemc>

namespace {

int thrown_warnings = 0;

void throw_from_warnings_on(const sc_core::sc_report& report, const sc_core::sc_actions& actions)
{
    if (report.get_severity() == sc_core::SC_WARNING) {
        ++thrown_warnings;
        throw report;
    }
    // Infos would otherwise go to stdout between the results
    if (report.get_severity() == sc_core::SC_INFO) return;
    sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

int sc_main(int argc, char** argv)
{
    sc_core::sc_report_handler::set_handler(throw_from_warnings_on);
    const int status = boost::unit_test::unit_test_main([] { return true; }, argc, argv);
    const int warnings = sc_core::sc_report_handler::get_count(sc_core::SC_WARNING) - thrown_warnings;
    if (warnings > 0) {
        std::cerr << "failed: " << warnings << " warning(s) of the SystemC kernel did not reach the test\n";
        return EXIT_FAILURE;
    }
    return status;
}

int main(int argc, char** argv)
{
    ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}
