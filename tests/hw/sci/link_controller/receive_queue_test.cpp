// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller/receive_queue.h"

#include <algorithm>
#include <vector>

#include "tests/hw/printing.h"
#include "tests/hw/sci/packets.h"
#include "tests/support/cases.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::ReceiveQueue;
using sci::EchoStatus;
using sci::Phase;

/// A policy with its memory.
struct Admission {
    EchoStatus decide(Phase phase, bool room) { return policy->decide(reservations, phase, room); }
    std::uint64_t waiting() const { return reservations.waiting[0] + reservations.waiting[1]; }

    hw::Admission policy = "ageing";
    hw::Reservations reservations;
};

/// One sender with one packet at a time; it asks in the phase that its last echo granted.
struct Sender {
    Phase phase = Phase::kNoTry;
    bool holds_reservation = false;
    unsigned tries = 0;
    unsigned overtaken = 0;  ///< entries of others since it got its reservation
};

void hear(Sender& sender, EchoStatus status)
{
    switch (status) {
        case EchoStatus::kDone: sender = {}; break;
        case EchoStatus::kBusyD: sender.phase = Phase::kDoTry; break;
        case EchoStatus::kBusyA: sender.phase = Phase::kRetryA; break;
        case EchoStatus::kBusyB: sender.phase = Phase::kRetryB; break;
    }
    sender.holds_reservation = sender.phase == Phase::kRetryA || sender.phase == Phase::kRetryB;
}

/// Many senders compete permanently for a queue whose free slots vary at random.
struct Contest {
    Contest(unsigned senders, std::uint64_t seed) : all(senders), entries(senders), random(seed) {}

    /// @return whether the sender entered
    bool ask(std::size_t who, bool room)
    {
        const bool held = all[who].holds_reservation;
        const EchoStatus status = admission.decide(all[who].phase, room);
        ++all[who].tries;
        hear(all[who], status);
        if (status != EchoStatus::kDone) {
            if (!held) all[who].overtaken = 0;
            return false;
        }
        ++entries[who];
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i != who && all[i].holds_reservation) worst = std::max(worst, ++all[i].overtaken);
        }
        return true;
    }
    void ask_at_random(unsigned times, double room)
    {
        for (unsigned i = 0; i < times; ++i) ask(random.below(all.size()), random.unit() < room);
    }

    std::vector<Sender> all;
    std::vector<unsigned> entries;
    unsigned worst = 0;
    Random random;
    Admission admission;
};

/// So many senders with reservations of the generation that is served, and of the other one.
struct Generations {
    Generations(unsigned older, unsigned younger)
    {
        BOOST_TEST_REQUIRE(admission.decide(Phase::kDoTry, false) == EchoStatus::kBusyA);
        // Only the first one joins the generation that is served: let the next ones wait for it as generation B, and
        // take its turn, so that B is served with `older` members.
        for (unsigned i = 0; i < older; ++i) {
            BOOST_TEST_REQUIRE(admission.decide(Phase::kDoTry, false) == EchoStatus::kBusyB);
        }
        BOOST_TEST_REQUIRE(admission.decide(Phase::kRetryA, true) == EchoStatus::kDone);
        for (unsigned i = 0; i < younger; ++i) {
            BOOST_TEST_REQUIRE(admission.decide(Phase::kDoTry, false) == EchoStatus::kBusyA);
        }
    }
    Admission admission;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(receive_queue)

BOOST_AUTO_TEST_CASE(a_first_try_enters_if_there_is_room_and_reserves_nothing_if_not)
{
    Admission admission;
    BOOST_TEST(admission.decide(Phase::kNoTry, true) == EchoStatus::kDone);
    BOOST_TEST(admission.decide(Phase::kNoTry, false) == EchoStatus::kBusyD);
    BOOST_TEST(admission.waiting() == 0u);
    BOOST_TEST(admission.decide(Phase::kNoTry, true) == EchoStatus::kDone);
}

BOOST_DATA_TEST_CASE(without_ageing_room_alone_decides_and_nothing_is_reserved,
                     data::make({Phase::kNoTry, Phase::kDoTry, Phase::kRetryA, Phase::kRetryB}), phase)
{
    Admission admission{.policy = "free-slot", .reservations = {}};
    for (const bool room : {false, true, false, true}) {
        BOOST_TEST(admission.decide(phase, room) == (room ? EchoStatus::kDone : EchoStatus::kBusyD));
        BOOST_TEST(admission.waiting() == 0u);
    }
}

BOOST_AUTO_TEST_CASE(a_second_try_enters_if_there_is_room_and_reserves_if_not)
{
    Admission admission;
    BOOST_TEST(admission.decide(Phase::kDoTry, true) == EchoStatus::kDone);
    BOOST_TEST(admission.waiting() == 0u);
    BOOST_TEST(admission.decide(Phase::kDoTry, false) == EchoStatus::kBusyA);
    BOOST_TEST(admission.waiting() == 1u);
}

BOOST_DATA_TEST_CASE(no_packet_without_a_reservation_passes_one_with_it, data::make({Phase::kNoTry, Phase::kDoTry}),
                     phase)
{
    Admission admission;
    BOOST_TEST_REQUIRE(admission.decide(Phase::kDoTry, false) == EchoStatus::kBusyA);
    BOOST_TEST(admission.decide(phase, true) != EchoStatus::kDone);
    BOOST_TEST(admission.decide(Phase::kRetryA, true) == EchoStatus::kDone);
}

BOOST_DATA_TEST_CASE(a_retry_without_room_keeps_its_generation, data::xrange(1u, 6u), members)
{
    Generations both(members, members);
    for (unsigned i = 0; i < 3; ++i) {
        BOOST_TEST(both.admission.decide(Phase::kRetryA, false) == EchoStatus::kBusyA);
        BOOST_TEST(both.admission.decide(Phase::kRetryB, false) == EchoStatus::kBusyB);
        BOOST_TEST(both.admission.waiting() == 2 * members);
    }
}

BOOST_DATA_TEST_CASE(the_older_generation_enters_whole_before_the_younger_one,
                     data::xrange(1u, 5u) * data::xrange(1u, 5u), older, younger)
{
    Generations both(older, younger);
    for (unsigned i = 0; i < older; ++i) {
        BOOST_TEST(both.admission.decide(Phase::kRetryA, true) == EchoStatus::kBusyA);
        BOOST_TEST(both.admission.decide(Phase::kRetryB, true) == EchoStatus::kDone);
    }
    for (unsigned i = 0; i < younger; ++i) {
        BOOST_TEST(both.admission.decide(Phase::kRetryA, true) == EchoStatus::kDone);
    }
    BOOST_TEST(both.admission.waiting() == 0u);
    BOOST_TEST(both.admission.decide(Phase::kNoTry, true) == EchoStatus::kDone);
}

BOOST_DATA_TEST_CASE(a_packet_that_arrives_while_a_generation_is_served_joins_the_other_one, data::xrange(1u, 5u),
                     older)
{
    Generations both(older, 0);
    for (unsigned i = 0; i < older; ++i) {
        BOOST_TEST(both.admission.decide(Phase::kDoTry, true) == EchoStatus::kBusyA);
        BOOST_TEST(both.admission.decide(Phase::kRetryB, true) == EchoStatus::kDone);
    }
    BOOST_TEST(both.admission.decide(Phase::kDoTry, false) == EchoStatus::kBusyB);
}

/// Every other sender can go first once in the older generation, and once more in one's own.
BOOST_DATA_TEST_CASE(a_reservation_is_overtaken_at_most_twice_by_each_competitor,
                     data::make({2u, 3u, 5u, 16u, 40u}) * data::make({0.05, 0.5, 1.0}), senders, room)
{
    Contest contest(senders, senders);
    contest.ask_at_random(20'000 * senders / 4, room);
    BOOST_TEST(contest.worst <= 2 * (senders - 1));
    if (room < 1) BOOST_TEST(contest.worst > 0u);  // the law was put to the test
}

BOOST_DATA_TEST_CASE(every_sender_enters_about_equally_often, data::make({2u, 5u, 16u, 40u}), senders)
{
    Contest contest(senders, 7);
    contest.ask_at_random(5'000 * senders, 0.2);
    const auto [fewest, most] = std::minmax_element(contest.entries.begin(), contest.entries.end());
    BOOST_TEST(*fewest > 0u);
    BOOST_TEST(*most <= 1.5 * *fewest);
}

/// Even a sender that retries a hundred times less often than the others.
BOOST_DATA_TEST_CASE(a_slow_sender_is_not_starved_by_fast_ones, data::make({2u, 5u, 16u}), senders)
{
    Contest contest(senders, 3);
    for (unsigned round = 0; round < 500; ++round) {
        contest.ask(0, contest.random.unit() < 0.5);
        for (unsigned i = 0; i < 100; ++i) {
            contest.ask(1 + contest.random.below(senders - 1), contest.random.unit() < 0.5);
        }
        BOOST_TEST(contest.all[0].tries <= 2 * (senders - 1) + 20);
    }
    BOOST_TEST(contest.entries[0] > 500 / (2 * senders));
}

BOOST_DATA_TEST_CASE(it_takes_as_many_packets_as_it_has_slots, data::make({1, 2, 8}), slots)
{
    ReceiveQueue queue(slots, "ageing");
    sci::Packet packet;
    for (int i = 0; i < slots; ++i) {
        BOOST_TEST_REQUIRE(queue.admit(Phase::kNoTry, 1_us) == EchoStatus::kDone);
        queue.enter(packet, 1_us);
    }
    BOOST_TEST(queue.admit(Phase::kNoTry, 1_us) == EchoStatus::kBusyD);
    BOOST_TEST(queue.fill() == static_cast<unsigned>(slots));
}

BOOST_DATA_TEST_CASE(a_slot_is_free_when_the_last_byte_has_left_and_not_before, data::make({1, 2, 8}), slots)
{
    ReceiveQueue queue(slots, "ageing");
    sci::Packet packet;
    for (int i = 0; i < slots; ++i) queue.enter(packet, 1_us);
    queue.leave(packet.id, 3_us);
    BOOST_TEST(queue.admit(Phase::kNoTry, 2_us) == EchoStatus::kBusyD);
    BOOST_TEST(queue.admit(Phase::kNoTry, 3_us - 1_ps) == EchoStatus::kBusyD);
    BOOST_TEST(queue.admit(Phase::kNoTry, 3_us) == EchoStatus::kDone);
}

BOOST_AUTO_TEST_CASE(a_full_queue_tells_its_head_and_the_one_that_is_leaving)
{
    ReceiveQueue queue(2, "ageing");
    sci::Packet first{.id = 11};
    sci::Packet second{.id = 12};
    sci::Packet third{.id = 13};
    queue.enter(first, 1_us);
    BOOST_TEST(queue.head_if_full(1_us) == 0u);
    queue.enter(second, 1_us);
    BOOST_TEST(queue.head_if_full(1_us) == 11u);
    queue.leave(11, 3_us);
    BOOST_TEST(queue.head_if_full(3_us - 1_ps) == 11u);
    BOOST_TEST(queue.head_if_full(3_us) == 0u);
    queue.enter(third, 3_us);
    BOOST_TEST(queue.head_if_full(3_us) == 12u);
}

BOOST_AUTO_TEST_CASE(packets_leave_in_the_order_in_which_they_came)
{
    ReceiveQueue queue(8, "ageing");
    std::vector<sci::Packet> packets(8);
    for (std::size_t i = 0; i < packets.size(); ++i) queue.enter(packets[i], Duration::picoseconds(100) * 8);
    for (sci::Packet& packet : packets) {
        BOOST_TEST(&queue.front() == &packet);
        queue.leave(packet.id, 1_ns);
    }
    BOOST_TEST(queue.empty());
    BOOST_TEST(queue.fill() == 0u);
}

BOOST_AUTO_TEST_CASE(it_says_when_its_first_packet_is_ready)
{
    ReceiveQueue queue(2, "ageing");
    sci::Packet packet;
    BOOST_TEST(queue.front_ready() == Duration::never());
    queue.enter(packet, 5_ns);
    queue.enter(packet, 9_ns);
    BOOST_TEST(queue.front_ready() == 5_ns);
    queue.leave(packet.id, 5_ns);
    BOOST_TEST(queue.front_ready() == 9_ns);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
