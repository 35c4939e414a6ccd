// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller/send_queue.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "tests/hw/printing.h"
#include "tests/hw/sci/packets.h"
#include "tests/support/cases.h"
#include "tlm/error.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::SendQueue;
using sci::EchoStatus;
using sci::Phase;

const auto kSlots = data::make({1, 2, 8});

/// A queue and packets to fill it with.
struct Filled {
    explicit Filled(int slots, Duration eligible = 1_us)
        : queue(slots, Phase::kDoTry), packets(static_cast<std::size_t>(slots))
    {
        for (sci::Packet& packet : packets) {
            BOOST_TEST_REQUIRE(queue.reserve());
            queue.enter(packet, eligible);
        }
    }
    SendQueue queue;
    std::vector<sci::Packet> packets;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(send_queue)

BOOST_DATA_TEST_CASE(a_packet_enters_for_its_first_try, data::make({Phase::kNoTry, Phase::kDoTry}), first)
{
    SendQueue queue(1, first);
    sci::Packet packet;
    packet.phase = Phase::kRetryB;  // from the ring that it left
    packet.again = true;
    BOOST_TEST_REQUIRE(queue.reserve());
    queue.enter(packet, 1_ns);
    BOOST_TEST(queue.send({}).phase == first);
    BOOST_TEST(!packet.again);
}

const std::vector<std::pair<EchoStatus, Phase>> kNextPhases{
    {EchoStatus::kBusyD, Phase::kDoTry}, {EchoStatus::kBusyA, Phase::kRetryA}, {EchoStatus::kBusyB, Phase::kRetryB}};

BOOST_AUTO_TEST_CASE(a_busy_echo_sets_the_phase_and_the_time_of_the_next_try)
{
    for (const auto& [status, phase] : kNextPhases) {
        Filled filled(1);
        const sci::Packet& packet = filled.queue.send({});
        BOOST_TEST(filled.queue.flying() == 1u);
        filled.queue.busy(packet.slot, status, 7_us);
        BOOST_TEST(filled.queue.flying() == 0u);
        BOOST_TEST(filled.queue.next_eligible() == 7_us);
        BOOST_TEST(&filled.queue.send({}) == &packet);
        BOOST_TEST(packet.phase == phase);
        BOOST_TEST(packet.again);
    }
}

BOOST_AUTO_TEST_CASE(an_echo_without_an_outstanding_packet_is_an_error)
{
    Filled filled(2);
    BOOST_CHECK_THROW(filled.queue.done(0), ModelError);
    BOOST_CHECK_THROW(filled.queue.busy(0, EchoStatus::kBusyD, 1_ns), ModelError);
    BOOST_CHECK_THROW(filled.queue.done(2), std::out_of_range);
    const auto slot = filled.queue.send({}).slot;
    filled.queue.done(slot);
    BOOST_CHECK_THROW(filled.queue.done(slot), ModelError);
}

BOOST_AUTO_TEST_CASE(a_packet_without_a_free_slot_is_an_error)
{
    Filled filled(2);
    sci::Packet packet;
    BOOST_CHECK_THROW(filled.queue.enter(packet, 1_ns), ModelError);
}

/// Against a linearly searched list: the slots, whose turn it is, and whose echo comes back.
BOOST_DATA_TEST_CASE(any_mixture_of_events_keeps_the_order, data::make({1, 3, 8}), slots)
{
    struct Known {
        const sci::Packet* packet;
        Duration eligible;
        int order;
    };
    const auto earlier = [](const Known& a, const Known& b) {
        return std::pair(a.eligible, a.order) < std::pair(b.eligible, b.order);
    };
    Random random(11);
    SendQueue queue(slots, Phase::kDoTry);
    std::vector<sci::Packet> packets(2000);
    std::vector<Known> waiting;
    std::vector<const sci::Packet*> flying;
    std::size_t used = 0;
    for (int order = 0; used < packets.size(); ++order) {
        const auto eligible = Duration::picoseconds(static_cast<std::int64_t>(random.below(5)));
        const auto choice = random.below(4);
        if (choice == 0) {
            const bool room = waiting.size() + flying.size() < static_cast<std::size_t>(slots);
            BOOST_TEST_REQUIRE(queue.reserve() == room);
            if (!room) continue;
            sci::Packet& packet = packets[used++];
            queue.enter(packet, eligible);
            waiting.push_back({&packet, eligible, order});
        } else if (choice == 1 && !waiting.empty()) {
            const auto next = std::min_element(waiting.begin(), waiting.end(), earlier);
            BOOST_TEST_REQUIRE(queue.next_eligible() == next->eligible);
            BOOST_TEST_REQUIRE(&queue.send({}) == next->packet);
            flying.push_back(next->packet);
            waiting.erase(next);
        } else if (choice >= 2 && !flying.empty()) {
            const auto which = flying.begin() + static_cast<std::ptrdiff_t>(random.below(flying.size()));
            if (choice == 2) {
                BOOST_TEST_REQUIRE(&queue.done((*which)->slot) == *which);
            } else {
                queue.busy((*which)->slot, EchoStatus::kBusyA, eligible);
                waiting.push_back({*which, eligible, order});
            }
            flying.erase(which);
        }
        if (waiting.empty()) BOOST_TEST_REQUIRE(queue.next_eligible() == Duration::never());
        BOOST_TEST_REQUIRE(queue.fill() == waiting.size() + flying.size());
        BOOST_TEST_REQUIRE(queue.flying() == flying.size());
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
