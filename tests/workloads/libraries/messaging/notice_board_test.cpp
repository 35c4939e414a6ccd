// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/messaging/notice_board.h"

#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;

constexpr std::uint64_t kBoard = 4096;

struct Bench {
    Simulation simulation{1};
    test::FakeMachine machine{simulation, 2};
    PcProcessor& cpu = machine.processor(0);
    NoticeWriter writer{kBoard, NoticePlaces()};
    NoticeReader reader{kBoard, NoticePlaces()};
    std::vector<std::vector<std::byte>> under_way;
    std::vector<std::uint64_t> addresses;

    void write(std::uint64_t word)
    {
        const NoticeWords words{word};
        const auto store = writer.write(words, StoreKind::kMmx);
        BOOST_TEST(store.size == 64u);
        BOOST_TEST(store.address % 64 == 0u);
        under_way.emplace_back(store.data, store.data + store.size);
        addresses.push_back(store.address);
    }
    void land(std::size_t n) { cpu.poke(addresses[n], under_way[n]); }
    bool ends(const PollRequest& poll)
    {
        std::array<std::byte, 8> bytes{};
        cpu.peek(poll.address, bytes);
        std::uint64_t value = 0;
        for (std::size_t i = 8; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
        return value != poll.value;
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(notice_board)

BOOST_AUTO_TEST_CASE(the_newest_of_many_notices_is_taken)
{
    Bench bench;
    BOOST_TEST(!bench.reader.look(bench.cpu));
    for (std::size_t n = 0; n < 100; ++n) {
        bench.write(n + 1);
        bench.land(n);
        if (n % 5 != 4) continue;
        BOOST_TEST(bench.reader.look(bench.cpu));
        BOOST_TEST(bench.reader.words()[0] == n + 1);
        BOOST_TEST(!bench.reader.look(bench.cpu));
    }
}

// More notices than places arrive while the reader does not poll.
BOOST_AUTO_TEST_CASE(notices_that_were_overwritten_unseen_are_not_missed)
{
    Bench bench;
    for (std::size_t n = 0; n < 1000; ++n) {
        bench.write(n + 1);
        bench.land(n);
    }
    BOOST_TEST(bench.reader.look(bench.cpu));
    BOOST_TEST(bench.reader.words()[0] == 1000u);
}

BOOST_AUTO_TEST_CASE(an_older_notice_that_comes_last_does_not_hide_the_newest)
{
    Bench bench;
    for (std::uint64_t n = 0; n < 3; ++n) bench.write(n + 1);
    bench.land(2);
    BOOST_TEST(!bench.reader.look(bench.cpu));
    const auto poll = bench.reader.awaited(bench.cpu);
    BOOST_TEST(!bench.ends(poll));
    bench.land(0);
    BOOST_TEST(bench.ends(poll));
    BOOST_TEST(bench.reader.look(bench.cpu));
    BOOST_TEST(bench.reader.words()[0] == 1u);
    bench.land(1);
    BOOST_TEST(bench.reader.look(bench.cpu));
    BOOST_TEST(bench.reader.words()[0] == 3u);
}

// One that comes as late as its place allows, and one that comes after the next of its place.
BOOST_DATA_TEST_CASE(a_notice_that_replaces_a_newer_one_ends_the_run, boost::unit_test::data::make({false, true}), late)
{
    Bench bench;
    for (std::uint64_t n = 0; n <= 2 * kNoticePlaces; ++n) bench.write(n + 1);
    for (std::size_t n = 0; n < kNoticePlaces; ++n) bench.land(n);
    BOOST_TEST(bench.reader.look(bench.cpu));
    for (std::size_t n = kNoticePlaces; n < 2 * kNoticePlaces; ++n) {
        bench.land(n);
        BOOST_TEST(bench.reader.look(bench.cpu));
    }
    if (!late) return;
    bench.land(0);  // its place holds the one that is 16 newer
    BOOST_CHECK_THROW(bench.reader.look(bench.cpu), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
