// SPDX-License-Identifier: Apache-2.0
#include "lab/process/child_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using lab::Job;
using lab::run_in_children;

/// Jobs that end in reverse order.
std::vector<Job> slow_first(std::size_t count)
{
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < count; ++i) {
        jobs.emplace_back([i, count] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30 * (count - i)));
            return "result " + std::to_string(i);
        });
    }
    return jobs;
}

template <class Error>
std::string text_of_error(const std::vector<Job>& jobs, unsigned parallel)
{
    try {
        run_in_children(jobs, parallel);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(child_process)

BOOST_DATA_TEST_CASE(results_come_in_the_order_of_the_jobs, data::make({1u, 2u, 4u, 100u}), parallel)
{
    const auto results = run_in_children(slow_first(4), parallel);
    const std::vector<std::string> expected{"result 0", "result 1", "result 2", "result 3"};
    BOOST_TEST(results == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_more_jobs_run_at_a_time_than_allowed)
{
    const int descriptor = ::open("/tmp", O_TMPFILE | O_RDWR, 0600);
    BOOST_TEST_REQUIRE(descriptor >= 0);
    const auto append = [descriptor](char c) {
        if (::write(descriptor, &c, 1) != 1) throw std::runtime_error("cannot write");
    };
    const std::vector<Job> jobs(6, [append] {
        append('+');
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        append('-');
        return std::string();
    });
    run_in_children(jobs, 2);
    int running = 0;
    int most = 0;
    ::lseek(descriptor, 0, SEEK_SET);
    for (char c = 0; ::read(descriptor, &c, 1) == 1;) {
        running += c == '+' ? 1 : -1;
        most = std::max(most, running);
    }
    ::close(descriptor);
    BOOST_TEST(running == 0);
    BOOST_TEST(most == 2);
}

BOOST_AUTO_TEST_CASE(a_result_may_be_longer_than_a_pipe_holds)
{
    const std::string text(3'000'000, 'x');
    const auto results = run_in_children(std::vector<Job>{[&text] { return text; }}, 1);
    BOOST_TEST((results.at(0) == text));
}

BOOST_AUTO_TEST_CASE(the_parents_memory_is_not_touched)
{
    int value = 1;
    run_in_children(std::vector<Job>{[&value] { return std::to_string(value = 2); }}, 1);
    BOOST_TEST(value == 1);
}

BOOST_AUTO_TEST_CASE(every_finished_job_is_reported)
{
    std::vector<std::size_t> calls;
    run_in_children(slow_first(3), 2, [&calls](std::size_t finished) { calls.push_back(finished); });
    const std::vector<std::size_t> expected{1, 2, 3};
    BOOST_TEST(calls == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_error_keeps_its_type)
{
    const std::vector<Job> users{[]() -> std::string { throw UserError("bad value"); }};
    BOOST_TEST(text_of_error<UserError>(users, 1) == "bad value");
    const std::vector<Job> models{[]() -> std::string { throw ModelError("packet lost"); }};
    BOOST_TEST(text_of_error<ModelError>(models, 1) == "packet lost");
    const std::vector<Job> others{[]() -> std::string { throw std::runtime_error("other"); }};
    BOOST_TEST(text_of_error<std::runtime_error>(others, 1) == "other");
}

BOOST_DATA_TEST_CASE(of_several_errors_the_first_in_the_order_of_the_jobs_is_thrown, data::make({1u, 2u, 3u}), parallel)
{
    const auto fail = [](int delay, const char* text) {
        return [delay, text]() -> std::string {
            std::this_thread::sleep_for(std::chrono::milliseconds(delay));
            throw UserError(text);
        };
    };
    const std::vector<Job> jobs{fail(90, "first"), fail(0, "second"), fail(30, "third")};
    BOOST_TEST(text_of_error<UserError>(jobs, parallel) == "first");
}

BOOST_AUTO_TEST_CASE(a_child_that_dies_is_a_model_error)
{
    const std::vector<Job> killed{[]() -> std::string {
        ::raise(SIGKILL);
        return "";
    }};
    BOOST_TEST(text_of_error<ModelError>(killed, 1) == "a child process ended with signal 9 (Killed)");
    const std::vector<Job> left{[]() -> std::string { ::_exit(7); }};
    BOOST_TEST(text_of_error<ModelError>(left, 1) == "a child process ended with status 7");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
