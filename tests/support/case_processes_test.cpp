// SPDX-License-Identifier: Apache-2.0
/// The test program, on cases that are there to fail: disabled, so they run only when they are named.
#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <systemc>
#include <thread>

namespace {

struct Output {
    int status = 0;
    std::string text;
};

/// What this program prints of the cases below, with a time limit of 1 s.
Output run(const std::string& cases)
{
    const std::string program = std::filesystem::read_symlink("/proc/self/exe");
    const std::string command = program + " --time-limit=1 --catch_system_errors=no --run_test=" + cases + " 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    BOOST_TEST_REQUIRE(pipe != nullptr);
    Output output;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output.text += static_cast<char>(c);
    output.status = WEXITSTATUS(::pclose(pipe));
    return output;
}

bool says(const Output& output, const std::string& text) { return output.text.find(text) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(failing_on_purpose, *boost::unit_test::disabled())

BOOST_AUTO_TEST_CASE(passes_first) {}
BOOST_AUTO_TEST_CASE(compares) { BOOST_TEST(1 + 1 == 3); }
BOOST_AUTO_TEST_CASE(is_killed) { std::raise(SIGKILL); }
BOOST_AUTO_TEST_CASE(hangs)
{
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}
BOOST_AUTO_TEST_CASE(exits) { std::_Exit(7); }
BOOST_AUTO_TEST_CASE(throws) { throw std::runtime_error("on purpose"); }
BOOST_AUTO_TEST_CASE(hides_a_warning)
{
    sc_core::sc_report_handler::set_handler([](const sc_core::sc_report&, const sc_core::sc_actions&) {});
    SC_REPORT_WARNING("/ringmesh/test", "on purpose");
}
BOOST_AUTO_TEST_CASE(fails_at_the_end_of_the_process)
{
    std::atexit([] { std::_Exit(8); });  // as the search for leaks does
}
BOOST_AUTO_TEST_CASE(passes_last) {}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(test_program)

BOOST_AUTO_TEST_CASE(each_failure_has_its_case_and_cause_and_the_others_still_run)
{
    const Output output = run("unit/failing_on_purpose");
    const std::string failed = "FAILED unit/failing_on_purpose/";
    BOOST_TEST_CONTEXT(output.text)
    {
        BOOST_TEST(output.status == EXIT_FAILURE);
        BOOST_TEST(says(output, failed + "compares\n"));
        BOOST_TEST(says(output, "check 1 + 1 == 3 has failed [1 + 1 != 3]"));
        BOOST_TEST(says(output, "case_processes_test.cpp("));
        BOOST_TEST(says(output, failed + "is_killed: crashed: Killed\n"));
        BOOST_TEST(says(output, failed + "hangs: took longer than 1 s\n"));
        BOOST_TEST(says(output, failed + "exits: the process ended with exit status 7\n"));
        BOOST_TEST(says(output, failed + "throws\n"));
        BOOST_TEST(says(output, "std::runtime_error: on purpose"));
        BOOST_TEST(says(output, failed + "hides_a_warning\n"));
        BOOST_TEST(says(output, "1 warning(s) of the SystemC kernel did not reach the test"));
        BOOST_TEST(
            says(output, failed + "fails_at_the_end_of_the_process: the process ended with exit status 8 after it\n"));
        BOOST_TEST(!says(output, failed + "passes_last"));
        BOOST_TEST(says(output, "test cases: 2 passed, 7 failed in "));
    }
}

BOOST_AUTO_TEST_CASE(cases_that_pass_are_counted)
{
    const Output output = run("unit/failing_on_purpose/passes_*");
    BOOST_TEST(output.status == EXIT_SUCCESS);
    BOOST_TEST(output.text.starts_with("test cases: 2 passed in "), output.text);
}

BOOST_AUTO_TEST_CASE(a_name_that_no_case_has_is_an_error)
{
    BOOST_TEST(run("unit/no_such_suite").status == EXIT_FAILURE);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
