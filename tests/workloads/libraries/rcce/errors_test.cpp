// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "tests/platforms/configuration/user_error.h"
#include "tests/workloads/libraries/rcce/bench.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads::rcce;
using test::RcceBench;
using test::Step;

/// The error of the run with this script of core 0.
std::string error_of(RcceBench& bench)
{
    try {
        bench.run();
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

Task<> bcast(RcceBench& bench, unsigned core, unsigned root, Communicator group)
{
    co_await bench.rcce[core]->bcast(0x1000, 4, root, group);
}

Task<> issue_twice(RcceBench& bench, SendRequest& request)
{
    co_await bench.ircce[0]->isend(bench.messages[0].source, 100, 1, request);
    co_await bench.ircce[0]->isend(bench.messages[0].source, 100, 1, request);
}

Task<> finalize_early(RcceBench& bench, SendRequest& request)
{
    co_await bench.ircce[0]->isend(bench.messages[0].source, 100, 1, request);
    co_await bench.rcce[0]->finalize();
}

Task<> wait_for_nothing(RcceBench& bench, RecvRequest& request) { co_await bench.ircce[0]->irecv_wait(request); }

std::string error_of(RcceBench& bench, Task<> program)
{
    bench.machine.processor(0).run(std::move(program), "program");
    try {
        bench.simulation.run();
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(rcce_errors)

BOOST_AUTO_TEST_CASE(a_communicator_of_more_cores_than_run_the_program_is_an_error)
{
    RcceBench bench({.cores = 4});
    BOOST_TEST(test::error_of([&] { bench.rcce[2]->comm_split(5); }) ==
               "core 2: comm_split: 4 cores run the program, so a communicator has 1 "
               "to 4 of them, not 5");
}

BOOST_AUTO_TEST_CASE(a_send_to_itself_is_an_error)
{
    RcceBench bench({});
    bench.send(bench.message(4, 0, 0), true);
    BOOST_TEST(error_of(bench) == "core 0: send: it is the core itself; RCCE passes no messages from a core to itself");
}

BOOST_AUTO_TEST_CASE(a_rank_that_does_not_run_the_program_is_an_error)
{
    RcceBench bench({.cores = 2, .machine = 4});
    bench.message(4, 0, 1);
    bench.add(0, {.kind = Step::Kind::kIrecv, .peer = 3});
    BOOST_TEST(error_of(bench) == "core 0: irecv: there is no core 3; cores 0 to 1 run the program");
}

BOOST_AUTO_TEST_CASE(a_broadcast_from_a_root_that_is_no_member_is_an_error)
{
    RcceBench bench({.cores = 4});
    BOOST_TEST(error_of(bench, bcast(bench, 0, 4, bench.rcce[0]->world())) ==
               "core 0: bcast: the root, core 4, is not among the 4 cores of the communicator");
}

BOOST_AUTO_TEST_CASE(a_communicator_without_the_core_is_an_error)
{
    RcceBench bench({.cores = 4});
    BOOST_TEST(error_of(bench, bcast(bench, 2, 0, bench.rcce[2]->comm_split(2))) ==
               "core 2: bcast: the communicator has 2 cores, from 0 on, and this is none of them");
}

BOOST_AUTO_TEST_CASE(a_line_of_flags_after_a_message_is_an_error)
{
    RcceBench bench({});
    const auto message = bench.message(4, 0, 1);
    bench.send(message, true);
    bench.receive(message, true);
    bench.run();
    while (!bench.rcce[0]->layout().is_full()) bench.rcce[0]->flag_alloc();
    const std::string told =
        " after a message: it takes a line of the payload, where other cores may have messages yet; make all such "
        "calls first";
    BOOST_TEST(test::error_of([&] { bench.rcce[0]->flag_alloc(); }) == "core 0: flag_alloc" + told);
    BOOST_TEST(test::error_of([&] { bench.rcce[0]->malloc(32); }) == "core 0: malloc" + told);
}

BOOST_AUTO_TEST_CASE(a_send_over_an_isend_is_an_error)
{
    RcceBench bench({});
    bench.message(100, 0, 1);
    bench.send(0, false);
    bench.send(0, true);
    BOOST_TEST(error_of(bench) ==
               "core 0: send to core 1 with an isend under way, whose bytes it would overwrite; wait for that before");
}

BOOST_AUTO_TEST_CASE(a_recv_past_an_irecv_of_the_same_core_is_an_error)
{
    RcceBench bench({});
    bench.message(100, 1, 0);
    bench.receive(0, false);
    bench.receive(0, true);
    BOOST_TEST(
        error_of(bench) ==
        "core 0: recv from core 1 with an irecv from it under way, whose bytes it would take; wait for that before");
}

BOOST_AUTO_TEST_CASE(a_request_under_way_can_not_be_issued_again)
{
    RcceBench bench({});
    bench.message(100, 0, 1);
    SendRequest request;
    BOOST_TEST(
        error_of(bench, issue_twice(bench, request)) ==
        "core 0: isend with a request that is under way, a message of 100 bytes with core 1; wait for it before, "
        "or take another");
}

BOOST_AUTO_TEST_CASE(a_wait_for_a_request_that_was_never_issued_is_an_error)
{
    RcceBench bench({});
    RecvRequest request;
    BOOST_TEST(error_of(bench, wait_for_nothing(bench, request)) ==
               "core 0: a wait for a request that was never issued");
}

BOOST_AUTO_TEST_CASE(a_program_that_ends_with_an_isend_under_way_is_an_error)
{
    RcceBench bench({});
    bench.message(100, 0, 1);
    SendRequest request;
    BOOST_TEST(error_of(bench, finalize_early(bench, request)) ==
               "core 0: finalize with an isend under way; wait for it before");
}

BOOST_AUTO_TEST_CASE(a_receive_without_a_send_names_both_ends)
{
    RcceBench bench({.cores = 4});
    bench.message(8100, 3, 1);
    bench.receive(0, true);
    const std::string message = bench.stuck();
    BOOST_TEST(
        message.find("core1.rcce: recv of 8100 bytes from core 3 waits for core 3's sent flag; 0 bytes are here") !=
            std::string::npos,
        message);
}

BOOST_AUTO_TEST_CASE(a_message_longer_than_its_receive_names_the_sender)
{
    RcceBench bench({});
    bench.message(20'000, 0, 1);
    bench.send(0, true);
    bench.messages.push_back(bench.messages[0]);
    bench.messages[1].size = 8000;
    bench.receive(1, true);
    const std::string message = bench.stuck();
    BOOST_TEST(
        message.find("core0.rcce: send of 20000 bytes to core 1 waits for core 1's ready flag") != std::string::npos,
        message);
}

BOOST_AUTO_TEST_CASE(the_error_of_an_incomplete_barrier_names_the_missing_cores)
{
    RcceBench bench({.cores = 4});
    for (const unsigned core : {0u, 1u, 3u}) bench.add(core, {.kind = Step::Kind::kBarrier});
    const std::string message = bench.stuck();
    BOOST_TEST(message.find("core0.rcce: barrier waits for 1 cores, the first of them on core 2") != std::string::npos,
               message);
    BOOST_TEST(message.find("core3.rcce: barrier waits for core 0's release flag") != std::string::npos, message);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
