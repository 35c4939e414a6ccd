// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "platforms/scc/machine.h"
#include "tests/hw/journey_probe.h"
#include "tests/support/cases.h"
#include "tests/support/statistics.h"
#include "tlm/statistics/use.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::calendar_test {
namespace {

using platforms::SccChip;

constexpr unsigned kCores = 12;
/// Two to a tile, four to a controller, so that they meet in interfaces, links, buffers and controllers.
constexpr std::array<unsigned, kCores> kPlaces{0, 1, 2, 3, 10, 11, 24, 25, 26, 36, 37, 47};
constexpr std::uint32_t kPrivate = 96 * 1024;
constexpr std::uint32_t kFlags = 1024;  // the first bytes of a message-passing buffer: a dummy line, and flags

/// Mostly all; one or two have the chip for themselves.
unsigned cores_of(std::uint64_t seed) { return seed % 3 == 0 ? 2 : kCores; }

/// What a core did: everything that a program can see goes into the sum.
struct Diary {
    std::uint64_t sum = 0xcbf29ce484222325ULL;
    std::uint64_t operations = 0;

    void note(std::uint64_t number)
    {
        sum = (sum ^ number) * 0x100000001b3ULL;
        sum ^= sum >> 29U;
    }
};

/// Bytes in private memory, cached or not, or in any message-passing buffer, from a multiple of 8 on.
struct Places {
    std::uint64_t cached = 0, uncached = 0;

    std::uint64_t any(SccProcessor& core, Random& random, std::uint32_t size) const
    {
        const auto below = [&](std::uint32_t room) { return 8 * random.below((room - size) / 8 + 1); };
        switch (random.below(4)) {
            case 0: return cached + below(kPrivate);
            case 1: return uncached + below(kPrivate);
            case 2:  // few lines, so that caches hit
                return cached + below(4096);
            default: break;
        }
        const auto of = kPlaces[random.below(kCores)];
        return core.message_buffer(of) + kFlags + below(SccProcessor::kMessageBuffer - kFlags);
    }
};

Task<> raise_flag(SccProcessor& core, unsigned to, std::uint32_t place, std::uint8_t value)
{
    co_await core.invalidate_message_buffers();
    const std::array<std::byte, 1> flag{std::byte{value}};
    const StoreRequest store{
        .address = core.message_buffer(to, 32 + place), .data = flag.data(), .size = 1, .width = 1};
    co_await core.store(store);
    const StoreRequest flush{.address = core.message_buffer(core.rank()), .data = flag.data(), .size = 1, .width = 1};
    co_await core.store(flush);
}

/// Programs of up to ten operations, one after the other. Partners (0 and 1, 2 and 3, ...) meet between some of them.
Task<> random_programs(SccProcessor& core, unsigned number, std::uint64_t seed, unsigned programs, Diary& diary)
{
    Random random(seed_for(seed, fmt::format("core{}", number)));
    Random meetings(seed_for(seed, fmt::format("pair{}", number / 2)));
    const unsigned partner = kPlaces[number ^ 1U];
    std::uint8_t met = 0;
    const Places places{.cached = core.allocate(kPrivate), .uncached = core.allocate(kPrivate, PageKind::kUncached)};
    std::array<std::byte, 256> bytes{};
    for (unsigned program = 0; program < programs; ++program) {
        for (auto left = 1 + random.below(10); left > 0; --left) {
            const auto width = std::uint32_t{1} << random.below(4);
            const auto size = static_cast<std::uint32_t>(width * (1 + random.below(random.below(4) == 0 ? 32 : 4)));
            const std::uint64_t place = places.any(core, random, size);
            const auto what = random.below(16);
            if (what < 4) {
                const LoadRequest load{.address = place, .data = bytes.data(), .size = size, .width = width};
                co_await core.load(load);
            } else if (what < 9) {
                for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
                const StoreRequest store{.address = place, .data = bytes.data(), .size = size, .width = width};
                co_await core.store(store);
            } else if (what < 13) {
                const auto much = size * static_cast<std::uint32_t>(1 + random.below(4));
                const std::uint64_t from = places.any(core, random, much), to = places.any(core, random, much);
                if (from < to + much && to < from + much) continue;
                const CopyRequest copy{.kind = static_cast<CopyKind>(random.below(3)),
                                       .to = to,
                                       .from = from,
                                       .size = much,
                                       .width = width};
                co_await core.copy(copy);
            } else if (what == 13) {
                co_await core.invalidate_message_buffers();
            } else if (what == 14) {
                co_await core.compute(core.cycles(Cycles(static_cast<std::int64_t>(random.below(300)))));
            } else {
                // A lock that some of the others want, too.
                const std::uint64_t lock = core.test_and_set(kPlaces[number % 3]);
                const PollRequest taken{.address = lock, .size = 4, .value = 1};
                co_await core.poll(taken);
                const StoreRequest release{.address = lock, .data = bytes.data(), .size = 4};
                co_await core.store(release);
            }
            for (std::uint32_t i = 0; i < size; ++i) diary.note(std::to_integer<std::uint64_t>(bytes[i]));
            diary.note(static_cast<std::uint64_t>(core.time().ps()));
            ++diary.operations;
        }
        if (meetings.below(3) != 0) continue;
        const std::uint8_t before = met++;
        co_await raise_flag(core, partner, 0, met);
        const PollRequest other{
            .address = core.message_buffer(core.rank(), 32), .size = 1, .value = before, .until_other = true};
        co_await core.poll(other);
        diary.note(static_cast<std::uint64_t>(core.time().ps()));
    }
}

platforms::SccParams parameters(std::uint64_t seed)
{
    platforms::SccParams params;
    Random random(seed);
    const auto one_of = [&random](auto... values) { return std::array{values...}[random.below(sizeof...(values))]; };
    params.core.memory = 1_MiB;
    params.core.l1.size = Bytes(one_of(1024, 16 * 1024));
    params.core.l2.size = Bytes(one_of(4096, 64 * 1024));
    if (seed % 2 == 0) return params;
    params.clock.tile_dividers = {one_of(2, 3, 5)};
    if (random.below(2) == 0) params.clock.tile_dividers = {2, 3, 4, 5, 3, 3};
    params.mesh.clock = one_of(800_MHz, 1067_MHz, 333_MHz);
    params.mesh.injection_slots = one_of(1, 8);
    params.mesh.buffer_flits = one_of(1, 4);
    params.mesh.virtual_channels = 2;
    params.mesh.routing = random.below(2) == 0 ? "xy" : "west-first";
    params.tile.miu.slots = one_of(1, 2, 8);
    params.tile.mpb.bypass = random.below(2) == 0;
    params.memory.slots = one_of(1, 2, 24);
    params.memory.order = random.below(2) == 0 ? "fcfs" : "row-hit-first";
    params.memory.dram.partial_write = random.below(2) == 0 ? "masked" : "read-modify-write";
    params.memory.dram.banks = one_of(3, 8);
    return params;
}

/// Who looks at a run. For each but nobody, every arrival has a wake-up of its own.
enum class Watcher : std::uint8_t { kNobody, kUse, kJourneys, kSteps };
std::ostream& operator<<(std::ostream& out, Watcher watcher) { return out << static_cast<int>(watcher); }

/// All that a run tells: what each core saw, each block's statistics.
std::string account_of(Watcher watcher, std::uint64_t seed, unsigned programs)
{
    Simulation simulation(seed);
    SccChip chip(simulation, parameters(seed));
    UseMeter meter;
    test::JourneyProbe journeys;
    std::optional<StepWatcher> steps;  // as a waveform has it
    if (watcher == Watcher::kUse) meter.attach(simulation.components());
    if (watcher == Watcher::kJourneys) simulation.on_journey(journeys);
    if (watcher == Watcher::kSteps) steps.emplace();
    std::array<Diary, kCores> diaries;
    for (unsigned i = 0; i < cores_of(seed); ++i) {
        SccProcessor& core = chip.processor(kPlaces[i]);
        core.run(random_programs(core, i, seed, programs, diaries[i]), fmt::format("programs of core {}", kPlaces[i]));
    }
    simulation.run();
    simulation.require_drained();
    std::string account = fmt::format("{} steps\n{} ps\n", simulation.steps(), now().ps());
    for (const Diary& diary : diaries) account += fmt::format("{} operations, {:016x}\n", diary.operations, diary.sum);
    for (const Component* block : simulation.components()) {
        for (const auto& [name, value] : test::statistics_of(*block)) {
            account += fmt::format("{} {} {}\n", block->component_name(), name, value);
        }
    }
    return account;
}

/// In a process of its own, because the kernel can be used once in each.
std::string account_of_child(Watcher watcher, std::uint64_t seed, unsigned programs)
{
    std::array<int, 2> ends{};
    BOOST_TEST_REQUIRE(::pipe(ends.data()) == 0);
    const pid_t child = ::fork();
    BOOST_TEST_REQUIRE(child >= 0);
    if (child == 0) {
        ::close(ends[0]);
        std::string account;
        try {
            account = account_of(watcher, seed, programs);
        } catch (const std::exception& error) {
            account = fmt::format("failed: {}\n", error.what());
        }
        for (std::size_t done = 0; done < account.size();) {
            const auto written = ::write(ends[1], account.data() + done, account.size() - done);
            if (written <= 0) std::_Exit(1);
            done += static_cast<std::size_t>(written);
        }
        std::_Exit(0);
    }
    ::close(ends[1]);
    std::string account;
    std::array<char, 4096> piece{};
    for (ssize_t size = 0; (size = ::read(ends[0], piece.data(), piece.size())) > 0;) {
        account.append(piece.data(), static_cast<std::size_t>(size));
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    BOOST_TEST(status == 0);
    return account;
}

/// The first line in which they differ, but for the number of steps.
std::string difference(std::string one, std::string other)
{
    one.erase(0, one.find('\n'));
    other.erase(0, other.find('\n'));
    if (one == other) return {};
    const auto at = std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin();
    const std::size_t begin = one.rfind('\n', static_cast<std::size_t>(at)) + 1;
    const auto line = [begin](const std::string& text) {
        return begin < text.size() ? text.substr(begin, text.find('\n', begin) - begin) : "nothing";
    };
    return fmt::format("\"{}\" and \"{}\"", line(one), line(other));
}

/// RINGMESH_RANDOM_PROGRAMS=100000 runs so many in each case.
unsigned programs_of_a_core()
{
    const char* wanted = std::getenv("RINGMESH_RANDOM_PROGRAMS");
    return (wanted == nullptr ? 240U : static_cast<unsigned>(std::atol(wanted))) / kCores;
}

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(scc_calendar)

BOOST_DATA_TEST_CASE(random_programs_take_the_times_that_a_wakeup_for_each_arrival_gives,
                     data::xrange(1, 25) * data::make({Watcher::kUse, Watcher::kJourneys, Watcher::kSteps}), seed,
                     watcher)
{
    const auto number = static_cast<std::uint64_t>(seed);
    const unsigned programs = programs_of_a_core();
    const std::string each = account_of_child(watcher, number, programs);
    const std::string ahead = account_of_child(Watcher::kNobody, number, programs);
    BOOST_TEST_REQUIRE(each.find("failed") == std::string::npos, each);
    BOOST_TEST_REQUIRE(ahead.find("failed") == std::string::npos, ahead);
    BOOST_TEST(difference(each, ahead) == "");
    BOOST_TEST(std::stoull(ahead) < std::stoull(each));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::calendar_test
