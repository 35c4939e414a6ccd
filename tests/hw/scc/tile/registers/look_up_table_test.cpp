// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/registers/look_up_table.h"

#include <boost/test/unit_test.hpp>

#include "hw/scc/address_map.h"
#include "tlm/error.h"

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(scc_look_up_table)

namespace {

using namespace ringmesh;
using namespace ringmesh::hw;

constexpr SystemAddress kMemory{{0, 2, mesh::Port::kWest}, Space::kMemory, 0x1234'0000'0000 & 0xFF'FFFF'FFFF};

/// Whether the call throws a UserError with this text.
template <class Call>
bool refused_with(std::string_view text, Call&& call)
{
    try {
        call();
    } catch (const UserError& error) {
        BOOST_TEST(error.what() == text);
        return error.what() == text;
    }
    return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_entry_maps_its_16_mb_and_no_byte_more)
{
    LookUpTable table(7);
    table.set(3, kMemory);
    for (const std::uint32_t offset : {0U, 1U, 0xFF'FFFFU}) {
        const auto found = table.translate(0x300'0000 + offset);
        BOOST_TEST((found.where == kMemory.where));
        BOOST_TEST(found.offset == kMemory.offset + offset);
    }
    BOOST_TEST(refused_with("core 7: physical address 0x2ffffff is in LUT entry 0x2, which maps nothing; set the entry",
                            [&] { table.translate(0x2FF'FFFF); }));
    BOOST_TEST(refused_with("core 7: physical address 0x4000000 is in LUT entry 0x4, which maps nothing; set the entry",
                            [&] { table.translate(0x400'0000); }));
}

BOOST_AUTO_TEST_CASE(an_entry_may_map_less)
{
    LookUpTable table(7);
    table.set(0xC1, kMemory, 16_KiB);
    BOOST_TEST(table.translate(0xC100'3FFF).offset == kMemory.offset + 0x3FFF);
    BOOST_TEST(
        refused_with("core 7: physical address 0xc1004000 is in LUT entry 0xc1, which maps 0x4000 bytes; set the entry",
                     [&] { table.translate(0xC100'4000); }));
}

BOOST_AUTO_TEST_CASE(entries_that_do_not_exist_or_map_too_much_are_refused)
{
    LookUpTable table(7);
    BOOST_CHECK_NO_THROW(table.set(255, kMemory));
    BOOST_TEST(refused_with("core 7: there is no LUT entry 256; they are 0 to 255", [&] { table.set(256, kMemory); }));
    BOOST_TEST(refused_with("core 7: LUT entry 0x1 cannot map 16777217 bytes; 1 to 16777216 are possible",
                            [&] { table.set(1, kMemory, Bytes(16'777'217)); }));
}

BOOST_AUTO_TEST_CASE(shared_memory_is_mapped_where_private_memory_ends_before_it)
{
    constexpr SystemAddress kShared{{5, 2, mesh::Port::kEast}, Space::kMemory, 0x100};
    const std::vector<SharedMemory> shared{{kMemory, Bytes(0)}, {kShared, 8_KiB}};
    LookUpTable table(7);
    map_chip(table, {}, kMemory, 40_MiB, shared);
    BOOST_TEST(table.mapped(0x80) == 0u);
    BOOST_TEST(table.mapped(0x81) == 8192u);
    BOOST_TEST((table.translate(0x8100'0004) == SystemAddress{kShared.where, Space::kMemory, 0x104}));
    LookUpTable full(8);
    map_chip(full, {}, kMemory, Bytes(std::int64_t{3} << 30), shared);
    BOOST_TEST((full.translate(0x8100'0004).where == kMemory.where));
}

BOOST_AUTO_TEST_CASE(the_chips_map_has_private_memory_message_buffers_and_registers)
{
    LookUpTable table(7);
    const std::vector<mesh::Terminal> tiles{{0, 0}, {1, 0}, {2, 0}};
    map_chip(table, tiles, kMemory, 40_MiB);
    BOOST_TEST(table.translate((40 << 20) - 1).offset == kMemory.offset + (40 << 20) - 1);
    BOOST_CHECK_THROW(table.translate(40 << 20), UserError);
    const auto buffer = table.translate(0xC200'2000);
    BOOST_TEST((buffer == SystemAddress{{2, 0}, Space::kMessageBuffer, 0x2000}));
    BOOST_TEST((table.translate(0xE100'0200) == SystemAddress{{1, 0}, Space::kRegisters, 0x200}));
    BOOST_CHECK_THROW(table.translate(0xC300'0000), UserError);
    const std::vector<mesh::Terminal> many(address_map::kMostTiles + 1);
    BOOST_TEST(refused_with("126 tiles: a core's look-up table has entries for 125",
                            [&] { map_chip(table, many, kMemory, 16_MiB); }));
    BOOST_CHECK_THROW(map_chip(table, tiles, kMemory, Bytes(std::int64_t{0xC0} << 24 | 1)), UserError);
    BOOST_CHECK_NO_THROW(map_chip(table, tiles, kMemory, Bytes(std::int64_t{0xC0} << 24)));
}

/// Of no chip that was made.
BOOST_AUTO_TEST_CASE(more_than_32_tiles_pack_their_entries_behind_private_memory)
{
    LookUpTable table(0);
    std::vector<mesh::Terminal> tiles;
    for (std::uint16_t i = 0; i < 96; ++i)
        tiles.push_back({static_cast<std::uint16_t>(i % 12), static_cast<std::uint16_t>(i / 12)});
    const SharedMemory shared{{{0, 0, mesh::Port::kWest}, Space::kMemory, 0}, 16_MiB};
    map_chip(table, tiles, kMemory, 960_MiB, std::vector(4, shared));
    BOOST_TEST(table.translate((960U << 20) - 1).offset == kMemory.offset + (960U << 20) - 1);
    BOOST_TEST((table.translate(60U << 24) == shared.start));
    BOOST_TEST((table.translate(64U << 24) == SystemAddress{tiles[0], Space::kMessageBuffer, 0}));
    BOOST_TEST((table.translate(159U << 24) == SystemAddress{tiles[95], Space::kMessageBuffer, 0}));
    BOOST_TEST((table.translate(160U << 24) == SystemAddress{tiles[0], Space::kRegisters, 0}));
    BOOST_TEST((table.translate(255U << 24) == SystemAddress{tiles[95], Space::kRegisters, 0}));
    BOOST_CHECK_THROW(map_chip(table, tiles, kMemory, Bytes((std::int64_t{64} << 24) + 1)), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
