// SPDX-License-Identifier: Apache-2.0
/// The parts of a tile that need no kernel.
#include <set>

#include "hw/scc/chip_bytes.h"
#include "hw/scc/tile/registers/tile_clocks.h"
#include "hw/scc/tile/shared_port.h"
#include "hw/scc/tile/tile_params.h"
#include "hw/scc/transaction.h"
#include "tests/hw/printing.h"
#include "tests/support/cases.h"
#include "tlm/error.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/simulation/simulation.h"

using namespace ringmesh;
using hw::MessageBuffer;

namespace {

struct Watching final : hw::CoreSide {
    std::vector<std::uint64_t> offsets;
    std::function<void()> then = [] {};

    void answered(::tlm::tlm_generic_payload&, Duration) override {}
    void changed(const hw::SystemAddress& place, std::uint64_t) override
    {
        offsets.push_back(place.offset);
        then();
    }
};

hw::SystemAddress mpb(std::uint64_t offset) { return {{}, hw::Space::kMessageBuffer, offset}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(scc_tile_parts)

BOOST_DATA_TEST_CASE(a_tile_clock_has_whole_picoseconds, data::xrange(2, 17), divider)
{
    const hw::TileClock clock(divider);
    BOOST_TEST(clock.period() == 625_ps * divider);
    BOOST_TEST((Cycles(1'000'000'000) * clock == clock.period() * 1'000'000'000));
    for (std::int64_t edge : {0, 1, 77, 1'000'003}) {
        const Duration at = clock.period() * edge;
        BOOST_TEST(clock.edge_from(at) == at);
        BOOST_TEST(clock.edge_from(at + 1_ps) == at + clock.period());
        BOOST_TEST(clock.edge_from(at + clock.period() - 1_ps) == at + clock.period());
    }
    const hw::SccClockParams params{.tile_dividers = {divider}};
    const double exact = 1.6e9 / static_cast<double>(divider);
    BOOST_TEST(std::abs(static_cast<double>(hw::tile_frequency(params, 6, 4, 5, 3).hz()) - exact) <= 0.5);
}

/// The first core of each island's tiles, as RCCE has them: 0 2 12 14, 4 6 16 18 and so on.
BOOST_AUTO_TEST_CASE(voltage_islands_are_blocks_of_four_tiles_from_the_south_west)
{
    const unsigned masters[6][4] = {{0, 2, 12, 14},   {4, 6, 16, 18},   {8, 10, 20, 22},
                                    {24, 26, 36, 38}, {28, 30, 40, 42}, {32, 34, 44, 46}};
    BOOST_TEST(hw::voltage_islands(6, 4) == 6u);
    const hw::SccClockParams params{.tile_dividers = {2, 3, 4, 5, 6, 7}};
    for (unsigned island = 0; island < 6; ++island) {
        for (const unsigned core : masters[island]) {
            const unsigned tile = core / 2;
            BOOST_TEST(hw::voltage_island(6, tile % 6, tile / 6) == island);
            BOOST_TEST(hw::tile_divider(params, 6, 4, tile % 6, tile / 6) == 2 + island);
        }
    }
}

BOOST_AUTO_TEST_CASE(each_tile_may_have_its_own_divider)
{
    hw::SccClockParams params{.tile_dividers = {}};
    for (std::int64_t tile = 0; tile < 24; ++tile) params.tile_dividers.push_back(2 + tile % 15);
    for (unsigned tile = 0; tile < 24; ++tile) {
        BOOST_TEST(hw::tile_divider(params, 6, 4, tile % 6, tile / 6) == 2 + tile % 15);
    }
}

BOOST_DATA_TEST_CASE(lists_of_dividers_of_a_wrong_length_are_refused_with_the_right_ones,
                     data::make({0, 2, 5, 7, 23, 25}), count)
{
    const hw::SccClockParams params{.tile_dividers = std::vector<std::int64_t>(static_cast<std::size_t>(count), 3)};
    BOOST_CHECK_EXCEPTION(hw::tile_divider(params, 6, 4, 0, 0), UserError, [&](const UserError& error) {
        const std::string text = error.what();
        return text.find(std::to_string(count) + " values") != std::string::npos &&
               text.find("6 for the islands or 24 for the tiles") != std::string::npos;
    });
}

BOOST_DATA_TEST_CASE(dividers_are_2_to_16, data::make({-1, 0, 1, 17}), divider)
{
    const hw::SccClockParams params{.tile_dividers = {3, 3, 3, 3, 3, divider}};
    BOOST_CHECK_THROW(hw::tile_divider(params, 6, 4, 0, 0), UserError);
}

BOOST_AUTO_TEST_CASE(turns_at_a_port_follow_one_another)
{
    hw::SharedPort port;
    const auto first = port.take(100_ns, 30_ns);
    BOOST_TEST(first.start == 100_ns);
    BOOST_TEST(first.end == 130_ns);
    BOOST_TEST(port.take(129_ns, 5_ns).start == 130_ns);
    BOOST_TEST(port.take(135_ns, 5_ns).start == 135_ns);
    BOOST_TEST(port.take(1_us, 0_ns).end == 1_us);
}

BOOST_AUTO_TEST_CASE(runs_of_enabled_bytes_are_those_that_are_written)
{
    PayloadPool pool;
    auto& payload = pool.acquire_write(0, std::vector<std::byte>(8));
    const auto runs = [&](std::vector<unsigned char> mask) {
        payload.set_byte_enable_ptr(mask.empty() ? nullptr : mask.data());
        payload.set_byte_enable_length(static_cast<unsigned>(mask.size()));
        std::vector<std::pair<std::size_t, std::size_t>> all;
        hw::for_each_run(payload, [&](std::size_t first, std::span<const std::byte> bytes) {
            all.emplace_back(first, bytes.size());
        });
        return all;
    };
    using Runs = std::vector<std::pair<std::size_t, std::size_t>>;
    constexpr unsigned char kOn = TLM_BYTE_ENABLED, kOff = TLM_BYTE_DISABLED;
    BOOST_TEST((runs({}) == Runs{{0, 8}}));
    BOOST_TEST((runs({kOn}) == Runs{{0, 8}}));
    BOOST_TEST((runs({kOff}).empty()));
    BOOST_TEST((runs({kOff, kOn}) == Runs{{1, 1}, {3, 1}, {5, 1}, {7, 1}}));  // the mask repeats itself
    BOOST_TEST((runs({kOn, kOn, kOff, kOff, kOff, kOn, kOn, kOn}) == Runs{{0, 2}, {5, 3}}));
    payload.release();
    auto& next = pool.acquire_read(0, 8);
    BOOST_TEST(!hw::masked(next));  // what comes from the pool has no mask
    next.release();
}

BOOST_DATA_TEST_CASE(a_write_notifies_the_watchers_of_its_line, data::make({0u, 1u, 30u, 31u, 32u, 63u, 64u}), offset)
{
    MessageBuffer buffer;
    Watching core;
    buffer.watch(mpb(33), core);
    buffer.watch(mpb(100), core);
    buffer.changed(offset, 2, 7);
    const bool touches = offset + 1 >= 32 && offset < 64;
    BOOST_TEST((core.offsets == (touches ? std::vector<std::uint64_t>{33} : std::vector<std::uint64_t>{})));
}

BOOST_AUTO_TEST_CASE(a_removed_watcher_is_not_notified)
{
    MessageBuffer buffer;
    Watching one, other;
    buffer.watch(mpb(0), one);
    buffer.watch(mpb(4), one);
    buffer.watch(mpb(0), other);
    one.then = [&] {  // during the call
        buffer.unwatch(mpb(4), one);
        buffer.unwatch(mpb(0), other);
    };
    buffer.changed(0, 1, 1);
    BOOST_TEST((one.offsets == std::vector<std::uint64_t>{0}));
    BOOST_TEST(other.offsets.empty());
    buffer.unwatch(mpb(0), one);
    buffer.changed(0, 1, 2);
    BOOST_TEST(one.offsets.size() == 1u);
    BOOST_CHECK_THROW(buffer.watch(mpb(MessageBuffer::kBytes), one), ModelError);
}

BOOST_AUTO_TEST_CASE(a_clock_register_tells_the_divider_as_rcce_reads_it)
{
    const std::pair<std::int64_t, std::uint32_t> words[] = {{2, 0x70e1}, {3, 0xa8e2}, {8, 0x1c0e7}, {16, 0x380ef}};
    for (const auto& [divider, word] : words) {
        BOOST_TEST((hw::ConfigurationRegisters({}, divider).peek(0x80) >> 8) == word);
    }
}

BOOST_AUTO_TEST_CASE(a_register_is_read_whole_or_in_part_but_not_beyond)
{
    using Registers = hw::ConfigurationRegisters;
    BOOST_CHECK_NO_THROW(Registers::check(0x102, 2, false));
    BOOST_CHECK_THROW(Registers::check(0x102, 3, false), UserError);
    BOOST_CHECK_THROW(Registers::check(0x100, 4, true), UserError);
    BOOST_CHECK_NO_THROW(Registers::check(0x400, 1, true));
    for (const std::uint64_t offset : {0x0U, 0x7CU, 0x84U, 0x300U, 0x404U, 0x1000U}) {
        BOOST_CHECK_THROW(Registers::check(offset, 4, false), UserError);
    }
}

BOOST_AUTO_TEST_CASE(the_chip_finds_its_bytes_by_terminal)
{
    hw::ChipByteTable chip(2, 2);
    const mesh::Terminal tile{1, 1, mesh::Port::kLocal}, edge{1, 1, mesh::Port::kEast};
    MessageBuffer buffer;
    hw::ConfigurationRegisters registers(tile, 3);
    hw::Memory memory(4096);
    chip.add(tile, buffer, registers);
    chip.add(edge, memory);
    const std::vector<std::byte> bytes(4, std::byte{9});
    std::vector<std::byte> read(4);
    for (const auto& place :
         {hw::SystemAddress{tile, hw::Space::kMessageBuffer, 64}, hw::SystemAddress{edge, hw::Space::kMemory, 128}}) {
        chip.write(place, bytes);
        read.assign(4, std::byte{0});
        chip.read(place, read);
        BOOST_TEST((read == bytes));
    }
    buffer.read(64, read);
    BOOST_TEST((read == bytes));
    chip.read({tile, hw::Space::kRegisters, 0x200}, read);
    BOOST_TEST((read[0] == std::byte{1} && !registers.taken(0)));  // only looked at

    Watching core;
    chip.watch({tile, hw::Space::kMessageBuffer, 70}, core);
    chip.write({tile, hw::Space::kMessageBuffer, 64}, bytes);
    BOOST_TEST((core.offsets == std::vector<std::uint64_t>{70}));
    chip.unwatch({tile, hw::Space::kMessageBuffer, 70}, core);
    chip.write({tile, hw::Space::kMessageBuffer, 64}, bytes);
    BOOST_TEST(core.offsets.size() == 1u);

    BOOST_CHECK_THROW(chip.read({edge, hw::Space::kMessageBuffer, 0}, read), ModelError);
    BOOST_CHECK_THROW(chip.read({tile, hw::Space::kMemory, 0}, read), ModelError);
    BOOST_CHECK_THROW(chip.read({{0, 0, mesh::Port::kLocal}, hw::Space::kMessageBuffer, 0}, read), ModelError);
    BOOST_CHECK_THROW(chip.read({{2, 0, mesh::Port::kLocal}, hw::Space::kMessageBuffer, 0}, read), ModelError);
    BOOST_CHECK_THROW(chip.read({edge, hw::Space::kMemory, 4094}, read), ModelError);
    BOOST_CHECK_THROW(chip.watch({edge, hw::Space::kMemory, 0}, core), ModelError);
    BOOST_CHECK_THROW(chip.add(tile, memory), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
