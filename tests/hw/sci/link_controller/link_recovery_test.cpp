// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller/link_recovery.h"

#include "tests/hw/printing.h"
#include "tests/support/cases.h"

namespace ringmesh::hw::link_recovery_test {
namespace {

using sci::EchoStatus;

/// A target's memory of what it answered, with time-outs of 1 us and 2 tries.
struct Target {
    Simulation simulation{1};
    LinkRecovery recovery{"node0.lc2",
                          simulation,
                          {.echo_timeout = 1_us, .tries = 2},
                          true,
                          {simulation.calendar(), {[](void*) {}, nullptr}},
                          {simulation.calendar(), {[](void*) {}, nullptr}}};
};

sci::Packet packet(std::uint64_t id, sci::NodeId sender, std::uint16_t slot)
{
    sci::Packet made;
    made.id = id;
    made.made = static_cast<std::uint32_t>(id);
    made.sender = sender;
    made.slot = slot;
    return made;
}

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(link_recovery)

BOOST_AUTO_TEST_CASE(what_comes_again_has_the_answer_that_it_had)
{
    Target target;
    const auto accepted = packet(1, 3, 0);
    const auto refused = packet(2, 3, 1);
    const auto of_another = packet(3, 500, 0);
    BOOST_TEST(!target.recovery.earlier(accepted).has_value());
    target.recovery.answered(accepted, EchoStatus::kDone, 1_ns);
    target.recovery.answered(refused, EchoStatus::kBusyB, 2_ns);
    target.recovery.answered(of_another, EchoStatus::kBusyD, 3_ns);
    BOOST_TEST((target.recovery.earlier(accepted) == EchoStatus::kDone));
    BOOST_TEST((target.recovery.earlier(refused) == EchoStatus::kBusyB));
    BOOST_TEST((target.recovery.earlier(of_another) == EchoStatus::kBusyD));
    // A response of the same slot has an answer of its own
    auto response = packet(1, 3, 0);
    response.command = sci::Command::kResponse0;
    BOOST_TEST(!target.recovery.earlier(response).has_value());
    target.recovery.answered(response, EchoStatus::kBusyA, 4_ns);
    BOOST_TEST((target.recovery.earlier(accepted) == EchoStatus::kDone));
    BOOST_TEST((target.recovery.earlier(response) == EchoStatus::kBusyA));
}

/// Of senders and slots that come one after the other.
BOOST_AUTO_TEST_CASE(no_answer_is_forgotten_when_more_senders_and_slots_are_seen)
{
    Target target;
    const auto each = [](const auto& visit) {
        std::uint64_t id = 0;
        for (const int slot : {0, 1, 7, 63}) {
            for (const int sender : {3, 0, 500, 4}) {
                visit(packet(++id, static_cast<sci::NodeId>(sender), static_cast<std::uint16_t>(slot)));
            }
        }
    };
    each([&](const sci::Packet& seen) {
        BOOST_TEST(!target.recovery.earlier(seen).has_value());
        target.recovery.answered(seen, EchoStatus::kDone, 1_ns);
    });
    each([&](const sci::Packet& seen) { BOOST_TEST((target.recovery.earlier(seen) == EchoStatus::kDone)); });
}

BOOST_AUTO_TEST_CASE(the_next_packet_of_a_slot_is_another_one)
{
    Target target;
    target.recovery.answered(packet(1, 3, 0), EchoStatus::kDone, 1_ns);
    BOOST_TEST(!target.recovery.earlier(packet(2, 3, 0)).has_value());
    target.recovery.answered(packet(2, 3, 0), EchoStatus::kBusyA, 2_ns);
    BOOST_TEST(!target.recovery.earlier(packet(1, 3, 0)).has_value());
}

/// A sender that gave its packet up comes no more: others would wait behind it for ever.
BOOST_AUTO_TEST_CASE(a_promise_is_kept_for_all_tries_and_is_none_any_more_then)
{
    Target target;
    const auto waits = packet(1, 3, 0);
    target.recovery.answered(waits, EchoStatus::kBusyA, 10_us);
    BOOST_TEST(target.recovery.keeps_promise(waits));
    BOOST_TEST(!target.recovery.broken_promise(sci::Class::kRequest, 12_us).has_value());
    target.recovery.answered(waits, EchoStatus::kBusyA, 12_us);  // it came again
    BOOST_TEST(!target.recovery.broken_promise(sci::Class::kRequest, 15_us).has_value());
    BOOST_TEST(!target.recovery.broken_promise(sci::Class::kResponse, 16_us).has_value());
    BOOST_TEST((target.recovery.broken_promise(sci::Class::kRequest, 16_us) == EchoStatus::kBusyA));
    BOOST_TEST(!target.recovery.keeps_promise(waits));
    BOOST_TEST(!target.recovery.broken_promise(sci::Class::kRequest, 17_us).has_value());
}

BOOST_AUTO_TEST_CASE(who_has_entered_has_no_promise)
{
    Target target;
    target.recovery.answered(packet(1, 3, 0), EchoStatus::kBusyA, 1_us);
    target.recovery.answered(packet(1, 3, 0), EchoStatus::kDone, 2_us);
    BOOST_TEST(!target.recovery.keeps_promise(packet(1, 3, 0)));
    BOOST_TEST(!target.recovery.broken_promise(sci::Class::kRequest, 1_ms).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::hw::link_recovery_test
