// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tests/support/cases.h"
#include "tests/workloads/libraries/rcce/bench.h"
#include "tests/workloads/libraries/rcce/printing.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads::rcce;
using test::RcceBench;
using test::Step;

constexpr std::uint32_t kLine = SccProcessor::kLine;

/// Copies between private memory and message-passing buffers that a core made, without those of padding.
std::vector<CopyRequest> through_buffers(test::FakeSccProcessor& core)
{
    std::vector<CopyRequest> found;
    const std::uint64_t buffers = core.message_buffer(0);
    for (const CopyRequest& copy : core.copies) {
        if (copy.to >= buffers || copy.from >= buffers) found.push_back(copy);
    }
    return found;
}

/// Cycles from the start to the sender's return.
double send_cycles(RcceBench& bench) { return bench.ends[0].back() / bench.cycles(1); }

/// Reads another core's flag and payload before and after both change.
Task<> look_twice(RcceBench& bench, Flag flag, std::array<std::uint8_t, 2>& flags, std::array<std::byte, 2>& bytes)
{
    Rcce& rcce = *bench.rcce[0];
    auto& core = bench.machine.processor(0);
    const std::uint64_t here = core.allocate(kLine);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto change = std::byte{static_cast<std::uint8_t>(i + 1)};
        bench.machine.buffers[SccProcessor::kMessageBuffer + rcce.layout().payload_offset()] = change;
        co_await rcce.get(here, rcce.payload(1), kLine, CopyKind::kPlain, 4);
        core.peek(here, {&bytes[i], 1});
    }
    for (std::size_t i = 0; i < 2; ++i) {
        bench.machine.buffers[SccProcessor::kMessageBuffer + rcce.layout().offset(flag)] =
            std::byte{static_cast<std::uint8_t>(i + 1)};
        const std::uint8_t found = co_await rcce.flag_read(flag, 1);
        flags[i] = found;
    }
}

/// Writes a flag of another core twice, so that the second write begins as all later ones do.
Task<> write_twice(RcceBench& bench, Flag flag, Duration& second)
{
    co_await bench.rcce[0]->flag_write(flag, 1, 1);
    const Duration begin = bench.machine.processor(0).time();
    co_await bench.rcce[0]->flag_write(flag, 0, 1);
    second = bench.machine.processor(0).time() - begin;
}

/// How long a get of a line takes that copies plainly, and one that fetches its destination.
Task<> get_both_ways(RcceBench& bench, Duration& plain, Duration& fetching)
{
    auto& core = bench.machine.processor(0);
    const std::uint64_t here = core.allocate(2 * kLine);
    const Duration begin = core.time();
    co_await bench.rcce[0]->get(here, bench.rcce[0]->payload(1), kLine, CopyKind::kPlain, 4);
    const Duration between = core.time();
    co_await bench.rcce[0]->get(here, bench.rcce[0]->payload(1), kLine, CopyKind::kPrefetchDestination, 4);
    plain = between - begin;
    fetching = core.time() - between;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(rcce_messages)

// Sizes up to three payloads, at odd addresses too, each side blocking or not.
BOOST_DATA_TEST_CASE(every_byte_comes_and_none_around_it_changes,
                     data::make({Version::k1_1, Version::k1_0_13}) * data::make({true, false}) *
                         data::make({true, false}),
                     version, sends_blocking, receives_blocking)
{
    RcceBench bench({.cores = 48, .options = {.version = version}});
    Random random = bench.simulation.random_for("sizes");
    const std::uint32_t payload = bench.rcce[0]->layout().payload();
    std::vector<std::uint32_t> sizes{1, kLine - 1, kLine, kLine + 1, payload - 1, payload, payload + 1, 3 * payload};
    for (int i = 0; i < 12; ++i) sizes.push_back(1 + static_cast<std::uint32_t>(random.below(3 * payload)));
    for (const std::uint32_t size : sizes) {
        const auto message = bench.message(size, 3, 40, static_cast<std::uint32_t>(random.below(8)));
        bench.send(message, sends_blocking);
        bench.receive(message, receives_blocking);
    }
    bench.wait_all(3);
    bench.wait_all(40);
    bench.run();
    for (std::uint32_t message = 0; message < sizes.size(); ++message) {
        BOOST_TEST(bench.right(message), "message " << message << " of " << sizes[message] << " bytes");
    }
}

BOOST_DATA_TEST_CASE(pieces_are_full_payloads_then_lines_then_one_padded_line,
                     data::make({1u, 32u, 33u, 8031u, 8032u, 8033u, 8064u, 8065u, 3 * 8032u + 100u}), size)
{
    RcceBench bench({.cores = 48});
    const auto message = bench.message(size, 0, 1);
    bench.send(message, true);
    bench.receive(message, true);
    bench.run();
    const std::uint32_t payload = bench.rcce[0]->layout().payload();
    for (const unsigned core : {0u, 1u}) {
        const auto copies = through_buffers(bench.machine.processor(core));
        BOOST_TEST_REQUIRE(copies.size() == handshakes(size, payload));
        Transfer transfer{.size = size};
        for (const CopyRequest& copy : copies) {
            const std::uint32_t piece = transfer.next(payload);
            BOOST_TEST(copy.size == std::max(piece, kLine));
            // Local put, remote get
            BOOST_TEST((core == 0 ? copy.to : copy.from) == bench.rcce[core]->payload(0));
            transfer.done += piece;
        }
    }
}

// One line more than a payload costs what a line of its own costs, not what one line more within a payload does.
BOOST_DATA_TEST_CASE(time_steps_at_the_payload, data::make({Version::k1_1, Version::k1_0_13}), version)
{
    RcceBench bench({.cores = 48, .options = {.version = version}});
    const std::uint32_t payload = bench.rcce[0]->layout().payload();
    for (const std::uint32_t size : {payload, payload - kLine, payload, payload + kLine, kLine}) {
        const auto message = bench.message(size, 0, 1);
        bench.send(message, true);
        bench.receive(message, true);
    }
    bench.run();
    const auto took = [&](std::size_t i) { return bench.ends[0][i] - bench.ends[0][i - 1]; };
    const Duration call = bench.rcce[0]->options().call * Clock(bench.machine.costs.clock);
    BOOST_TEST((took(2) - took(1) < (took(4) - call) / 2));
    // Cost of a line of its own, whether or not the other side is ready
    const Duration look = bench.cycles(bench.machine.costs.line.count() + 4);
    BOOST_TEST((took(3) - took(2) >= took(4) - call - look));
    BOOST_TEST((took(3) - took(2) <= took(4) - call + look));
}

BOOST_DATA_TEST_CASE(copies_are_as_the_library_was_linked,
                     (data::make({Copies::kPlain, Copies::kPrefetching, Copies::kPipelined}) ^
                      data::make({CopyKind::kPlain, CopyKind::kPlain, CopyKind::kPrefetchSource}) ^
                      data::make({CopyKind::kPlain, CopyKind::kPrefetchDestination, CopyKind::kPrefetchDestination})) *
                         data::make({true, false}),
                     copies, put, get, blocking)
{
    RcceBench bench({.options = {.copies = blocking ? copies : Copies::kPlain,
                                 .copy_width = blocking ? 1 : 4,
                                 .ircce_copies = blocking ? Copies::kPlain : copies,
                                 .ircce_copy_width = blocking ? 2 : 4}});
    const auto message = bench.message(300, 0, 1);
    bench.send(message, blocking);
    bench.receive(message, blocking);
    bench.wait_all(0);
    bench.wait_all(1);
    bench.run();
    for (const CopyRequest& copy : through_buffers(bench.machine.processor(0))) {
        BOOST_TEST(copy.kind == (copy.size >= 256 ? put : CopyKind::kPlain));
        BOOST_TEST(copy.width == (blocking ? 1u : 4u));
    }
    for (const CopyRequest& copy : through_buffers(bench.machine.processor(1))) BOOST_TEST(copy.kind == get);
}

// 1.1: a byte and the dummy line, which leaves with the next store; 1.0.13: one whole line.
BOOST_DATA_TEST_CASE(a_flag_is_written_by_two_writes_or_by_one,
                     data::make({Version::k1_1, Version::k1_0_13}) ^ data::make({2, 1}), version, writes)
{
    RcceBench bench({.options = {.version = version}});
    const Flag flag = bench.rcce[0]->flag_alloc();
    Duration took;
    bench.machine.processor(0).run(write_twice(bench, flag, took), "write");
    bench.simulation.run();
    const auto& costs = bench.machine.costs;
    const double crossings = (took / bench.cycles(1) - static_cast<double>(bench.rcce[0]->options().step.count())) /
                             static_cast<double>(costs.line.count());
    BOOST_TEST(static_cast<int>(crossings) == writes);
}

// On the fake chip the reads of a copy's own lines cost nothing.
BOOST_AUTO_TEST_CASE(a_get_that_fetches_its_destination_reads_one_word_more)
{
    RcceBench bench({});
    Duration plain, fetching;
    bench.machine.processor(0).run(get_both_ways(bench, plain, fetching), "get");
    bench.simulation.run();
    BOOST_TEST((fetching - plain == bench.cycles(bench.machine.costs.instruction.count())));
}

BOOST_AUTO_TEST_CASE(messages_of_a_pair_come_in_the_order_in_which_they_were_sent)
{
    RcceBench bench({});
    for (std::uint32_t i = 0; i < 20; ++i) {
        const auto message = bench.message(40, 0, 1);  // one size, so that a wrong order would not be noticed otherwise
        bench.send(message, i % 3 == 0);
        if (i % 3 == 2) bench.wait_all(0);
        bench.receive(message, i % 2 == 0);
        if (i % 2 == 1) bench.wait_all(1);
    }
    bench.wait_all(0);
    bench.run();
    for (std::uint32_t i = 0; i < 20; ++i) BOOST_TEST(bench.right(i));
}

BOOST_DATA_TEST_CASE(many_send_to_one, data::make({true, false}), blocking)
{
    constexpr unsigned kCores = 24;
    RcceBench bench({.cores = kCores});
    for (unsigned core = 1; core < kCores; ++core) {
        const auto message = bench.message(500 + 7919 * core % 9000, core, 0);
        bench.send(message, blocking);
        bench.receive(message, blocking);
        bench.wait_all(core);
    }
    bench.wait_all(0);
    bench.run();
    for (std::uint32_t message = 0; message + 1 < kCores; ++message) BOOST_TEST(bench.right(message));
}

// Messages in the same order at all cores, each side blocking or nonblocking at random.
BOOST_DATA_TEST_CASE(any_mixture_of_blocking_and_not_delivers, data::xrange(8), seed)
{
    constexpr unsigned kCores = 8;
    RcceBench bench({.cores = kCores});
    Random random = bench.simulation.random_for("mixture " + std::to_string(seed));
    for (int i = 0; i < 60; ++i) {
        const auto from = static_cast<unsigned>(random.below(kCores));
        const auto to = static_cast<unsigned>((from + 1 + random.below(kCores - 1)) % kCores);
        const auto message = bench.message(1 + static_cast<std::uint32_t>(random.below(20'000)), from, to);
        const bool send_blocking = random.below(2) == 0;
        const bool receive_blocking = random.below(2) == 0;
        // A blocking call makes no progress with pending requests
        if (send_blocking) bench.wait_all(from);
        if (receive_blocking) bench.wait_all(to);
        bench.send(message, send_blocking);
        bench.receive(message, receive_blocking);
    }
    for (unsigned core = 0; core < kCores; ++core) bench.wait_all(core);
    bench.run();
    for (std::uint32_t message = 0; message < 60; ++message) BOOST_TEST(bench.right(message));
}

BOOST_AUTO_TEST_CASE(gets_and_flag_reads_never_see_stale_lines)
{
    RcceBench bench({});
    const Flag flag = bench.rcce[0]->flag_alloc();
    std::array<std::uint8_t, 2> flags{};
    std::array<std::byte, 2> bytes{};
    bench.machine.processor(0).run(look_twice(bench, flag, flags, bytes), "look");
    bench.simulation.run();
    for (std::size_t i = 0; i < 2; ++i) {
        BOOST_TEST(flags[i] == i + 1);
        BOOST_TEST(std::to_integer<std::size_t>(bytes[i]) == i + 1);
    }
}

BOOST_AUTO_TEST_CASE(an_empty_message_needs_no_partner)
{
    RcceBench bench({});
    bench.send(bench.message(0, 0, 1), true);
    bench.receive(0, true);
    bench.run();
    BOOST_TEST(send_cycles(bench) == static_cast<double>(bench.rcce[0]->options().call.count()));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
