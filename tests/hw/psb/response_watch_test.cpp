// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/response_watch.h"

#include "tests/support/cases.h"

namespace ringmesh::hw::response_watch_test {
namespace {

ResponseWatch::Request request(std::uint32_t made, sci::NodeId target, Duration sent)
{
    return {.id = made + 100U, .made = made, .tag = 1, .target = target, .sent = sent};
}

sci::Packet response(std::uint32_t made)
{
    sci::Packet packet;
    packet.command = sci::Command::kResponse0;
    packet.made = made;
    packet.tag = 1;
    return packet;
}

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(response_watch)

BOOST_AUTO_TEST_CASE(a_request_has_failed_when_its_time_is_over_and_its_response_is_then_late)
{
    Simulation simulation(1);
    ResponseWatch watch(10_us, {simulation.calendar(), {[](void*) {}, nullptr}});
    watch.sent(request(1, 7, 1_us));
    watch.sent(request(2, 7, 2_us));
    watch.sent(request(3, 5, 3_us));
    BOOST_TEST(watch.answered(response(2)));
    BOOST_TEST(!watch.answered(response(2)));
    BOOST_TEST(!watch.expired(10_us).has_value());
    BOOST_TEST(watch.failed(7) == 0u);
    BOOST_TEST(watch.expired(11_us)->id == 101u);
    BOOST_TEST(!watch.expired(12_us).has_value());
    BOOST_TEST(watch.failed(7) == 1u);
    BOOST_TEST(watch.failed(5) == 0u);  // counted by target
    BOOST_TEST(watch.failed(4000) == 0u);
    BOOST_TEST(!watch.answered(response(1)));
    BOOST_TEST(watch.late.count() == 2u);
    BOOST_TEST(watch.timeouts.count() == 1u);
}

/// Else each run would last as long as the last request's time.
BOOST_AUTO_TEST_CASE(its_wake_up_is_pending_while_something_waits)
{
    Simulation simulation(1);
    ResponseWatch watch(10_us, {simulation.calendar(), {[](void*) {}, nullptr}});
    BOOST_TEST(!watch.wakeup.armed());
    watch.sent(request(1, 7, 1_us));
    watch.sent(request(2, 7, 2_us));
    BOOST_TEST(watch.answered(response(1)));
    BOOST_TEST(watch.wakeup.armed());
    BOOST_TEST(watch.answered(response(2)));
    BOOST_TEST(!watch.wakeup.armed());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::hw::response_watch_test
