// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "tests/support/cases.h"
#include "tests/workloads/libraries/rcce/bench.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads::rcce;
using test::RcceBench;

Task<> isend_one(RcceBench& bench, SendRequest& request)
{
    co_await bench.ircce[0]->isend(bench.messages[0].source, bench.messages[0].size, 1, request);
}

Task<> fail(SccProcessor& processor, Duration after)
{
    co_await processor.compute(after);
    throw UserError("the run is given up");
}

Task<> wait_for_the_second_only(RcceBench& bench, RecvRequest& first, RecvRequest& second, bool& first_was_done)
{
    co_await bench.ircce[1]->irecv(bench.messages[0].target, bench.messages[0].size, 0, first);
    co_await bench.ircce[1]->irecv(bench.messages[1].target, bench.messages[1].size, 0, second);
    co_await bench.ircce[1]->irecv_wait(second);
    first_was_done = first.finished();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(ircce)

// All send first and receive then, more than a buffer holds.
BOOST_DATA_TEST_CASE(an_exchange_without_blocking_does_not_deadlock, data::make({2u, 5u, 12u}), cores)
{
    RcceBench bench({.cores = cores});
    for (unsigned core = 0; core < cores; ++core) bench.message(30'000, core, (core + 1) % cores);
    for (unsigned core = 0; core < cores; ++core) bench.send(core, false);
    for (unsigned core = 0; core < cores; ++core) bench.receive(core, false);
    for (unsigned core = 0; core < cores; ++core) bench.wait_all(core);
    bench.run();
    for (unsigned core = 0; core < cores; ++core) BOOST_TEST(bench.right(core));
}

BOOST_AUTO_TEST_CASE(the_same_exchange_with_blocking_sends_deadlocks)
{
    RcceBench bench({});
    bench.message(100, 0, 1);
    bench.message(200, 1, 0);
    bench.send(0, true);
    bench.send(1, true);
    bench.receive(0, true);
    bench.receive(1, true);
    const std::string message = bench.stuck();
    BOOST_TEST(message.find("core0.rcce: send of 100 bytes to core 1") != std::string::npos, message);
    BOOST_TEST(message.find("core1.rcce: send of 200 bytes to core 0") != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE(progress_is_made_inside_calls_only)
{
    RcceBench bench({});
    const std::uint32_t payload = bench.rcce[0]->layout().payload();
    const auto one_piece = bench.message(payload, 0, 1);
    const auto two_pieces = bench.message(2 * payload, 0, 1);
    bench.receive(one_piece, true);
    bench.receive(two_pieces, true);
    bench.send(one_piece, false);
    bench.compute(0, 10_ms);
    bench.wait_all(0);
    bench.send(two_pieces, false);
    bench.compute(0, 10_ms);
    bench.wait_all(0);
    bench.run();
    BOOST_TEST(bench.right(one_piece));
    BOOST_TEST(bench.right(two_pieces));
    BOOST_TEST((bench.ends[1][0] < 10_ms));  // what isend put in place is fetched meanwhile
    BOOST_TEST((bench.ends[1][1] > 20_ms));  // the second piece waits for a call
}

// The first message's receiver is late; the second one's is ready from the start.
BOOST_AUTO_TEST_CASE(only_the_head_of_the_send_queue_progresses)
{
    RcceBench bench({.cores = 3});
    const auto first = bench.message(100, 0, 1);
    const auto second = bench.message(100, 0, 2);
    bench.send(first, false);
    bench.send(second, false);
    bench.wait_all(0);
    bench.compute(1, 5_ms);
    bench.receive(first, true);
    bench.receive(second, true);
    bench.run();
    BOOST_TEST(bench.right(first));
    BOOST_TEST(bench.right(second));
    BOOST_TEST((bench.ends[2][0] > 5_ms));
}

// Receives are queued per source, so a late sender causes no head-of-line blocking.
BOOST_AUTO_TEST_CASE(a_late_source_does_not_keep_others_back)
{
    RcceBench bench({.cores = 3});
    const auto late = bench.message(100, 1, 0);
    const auto early = bench.message(20'000, 2, 0);
    bench.compute(1, 5_ms);
    bench.send(late, true);
    bench.send(early, true);
    bench.receive(late, false);
    bench.receive(early, false);
    bench.wait_all(0);
    bench.run();
    BOOST_TEST(bench.right(late));
    BOOST_TEST(bench.right(early));
    BOOST_TEST((bench.ends[2][0] < 5_ms));
    BOOST_TEST((bench.ends[0].back() > 5_ms));
}

BOOST_AUTO_TEST_CASE(a_request_destroyed_before_it_is_queued_is_no_message)
{
    RcceBench bench({});
    bench.message(100, 0, 1);
    auto request = std::make_unique<SendRequest>();
    bench.machine.processor(0).run(isend_one(bench, *request), "isend");
    const Cycles call = bench.rcce[0]->options().ircce_call;
    bench.machine.processor(1).run(fail(bench.machine.processor(1), bench.cycles(call.count() - 1)), "fail");
    BOOST_CHECK_THROW(bench.simulation.run(), UserError);
    request.reset();
    BOOST_TEST(bench.ircce[0]->pending() == "");
}

BOOST_AUTO_TEST_CASE(receives_of_one_source_finish_in_their_order)
{
    RcceBench bench({});
    bench.message(9000, 0, 1);
    bench.message(10, 0, 1);
    RecvRequest first, second;
    bool first_was_done = false;
    bench.machine.processor(1).run(wait_for_the_second_only(bench, first, second, first_was_done), "wait");
    const auto send_both = [](RcceBench& b) -> Task<> {
        co_await b.rcce[0]->send(b.messages[0].source, b.messages[0].size, 1);
        co_await b.rcce[0]->send(b.messages[1].source, b.messages[1].size, 1);
    };
    bench.machine.processor(0).run(send_both(bench), "send");
    bench.simulation.run();
    BOOST_TEST(first_was_done);
    BOOST_TEST(bench.right(0));
    BOOST_TEST(bench.right(1));
}

BOOST_AUTO_TEST_CASE(a_wait_sleeps_instead_of_spinning)
{
    RcceBench bench({.cores = 3});
    bench.receive(bench.message(100, 1, 0), false);
    bench.receive(bench.message(100, 2, 0), false);
    bench.wait_all(0);
    for (const unsigned core : {1u, 2u}) {
        bench.compute(core, 1_s);
        bench.send(core - 1, true);
    }
    bench.run();
    BOOST_TEST(bench.machine.processor(0).looks < 20u);
}

BOOST_AUTO_TEST_CASE(a_request_without_a_wait_is_reported_at_the_end)
{
    RcceBench bench({});
    bench.send(bench.message(20'000, 0, 1), false);
    const std::string message = bench.stuck();
    BOOST_TEST(message.find("core0.ircce: isend of 20000 bytes to core 1 was given up without a wait; 0 bytes are "
                            "transferred") != std::string::npos,
               message);
}

BOOST_AUTO_TEST_CASE(the_error_of_a_wait_without_a_partner_names_both_ends)
{
    RcceBench bench({.cores = 3});
    bench.send(bench.message(20'000, 0, 1), false);
    bench.receive(bench.message(10, 2, 0), false);
    bench.wait_all(0);
    const std::string message = bench.stuck();
    BOOST_TEST(message.find("core0.ircce: isend of 20000 bytes to core 1 has not seen core 1's ready flag; 0 bytes are "
                            "transferred; irecv of 10 bytes from core 2 has not seen core 2's sent flag; 0 bytes are "
                            "transferred") != std::string::npos,
               message);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
