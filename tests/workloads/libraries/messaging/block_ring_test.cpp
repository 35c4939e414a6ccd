// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/messaging/block_ring.h"

#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"
#include "workloads/libraries/messaging/byte_ring.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;

constexpr std::uint64_t kRing = 4096;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(block_ring)

BOOST_DATA_TEST_CASE(an_identifier_is_neither_that_of_cleared_memory_nor_the_one_before_in_its_slot,
                     data::xrange(1, static_cast<int>(RingShape::kMostSlots) + 1), slots)
{
    for (std::uint64_t n = 0; n < 2000; ++n) {
        BOOST_TEST_REQUIRE((block_identifier(n) != std::byte{0}));
        BOOST_TEST_REQUIRE((block_identifier(n) != block_identifier(n + static_cast<std::uint64_t>(slots))));
    }
}

BOOST_DATA_TEST_CASE(a_block_is_one_store_at_its_slot, data::make({1, 2, 64}) * data::make({64, 128}), slots, block)
{
    const RingShape shape{.slots = static_cast<std::uint32_t>(slots), .block = static_cast<std::uint32_t>(block)};
    BlockWriter writer(kRing, shape);
    const std::vector<std::byte> payload(shape.payload(), std::byte{7});
    for (std::uint64_t n = 0; n < 200; ++n) {
        const auto store = writer.write(payload, 3 * n, StoreKind::kMmx);
        BOOST_TEST(store.size == shape.block);
        BOOST_TEST(store.address == kRing + n % shape.slots * shape.block);
        BOOST_TEST((store.data[shape.block - 3] == std::byte{7}));
        BOOST_TEST((store.data[shape.block - 2] == block_sequence(3 * n)));
        BOOST_TEST((store.data[shape.block - 1] == block_identifier(n)));
        writer.acknowledge(n + 1);
    }
}

BOOST_DATA_TEST_CASE(a_slot_is_never_overwritten_before_it_was_read, data::make({1, 2, 64}), slots)
{
    BlockWriter writer(kRing, {.slots = static_cast<std::uint32_t>(slots)});
    for (int n = 0; n < slots; ++n) {
        BOOST_TEST(!writer.full());
        writer.write({}, 0, StoreKind::kMmx);
    }
    BOOST_TEST(writer.full());
    BOOST_CHECK_THROW(writer.write({}, 0, StoreKind::kMmx), ModelError);
    writer.acknowledge(1);
    BOOST_TEST(!writer.full());
    writer.acknowledge(0);  // older news
    BOOST_TEST(!writer.full());
    BOOST_CHECK_THROW(writer.acknowledge(static_cast<std::uint64_t>(slots) + 1), ModelError);
}

BOOST_AUTO_TEST_CASE(a_byte_ring_wraps_in_two_pieces)
{
    ByteRing ring(kRing, 256);
    ring.advance(192);
    const auto pieces = ring.pieces(192);
    BOOST_TEST(pieces[0].address == kRing + 192);
    BOOST_TEST(pieces[0].size == 64u);
    BOOST_TEST(pieces[1].address == kRing);
    BOOST_TEST(pieces[1].from == 64u);
    BOOST_TEST(pieces[1].size == 128u);
}

BOOST_AUTO_TEST_CASE(a_byte_ring_is_never_overrun)
{
    ByteRingWriter writer(ByteRing(kRing, 256));
    writer.write(192);
    BOOST_TEST(writer.has_room(64));
    BOOST_TEST(!writer.has_room(128));
    BOOST_CHECK_THROW(writer.write(128), ModelError);
    writer.acknowledge(192);
    BOOST_TEST(writer.has_room(256));
    writer.acknowledge(64);  // older news
    BOOST_TEST(writer.has_room(256));
    BOOST_CHECK_THROW(writer.acknowledge(256), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(block_ring)

BOOST_AUTO_TEST_CASE(a_reader_sees_a_block_when_number_and_identifier_are_there)
{
    Simulation simulation{1};
    test::FakeMachine machine(simulation, 2);
    auto& cpu = machine.processor(0);
    const RingShape shape{.slots = 3};
    BlockWriter writer(kRing, shape);
    BlockReader reader(kRing, shape);
    const auto write = [&](std::uint64_t message) {
        const auto store = writer.write({}, message, StoreKind::kMmx);
        cpu.poke(store.address, {store.data, store.size});
    };
    BOOST_TEST(!reader.has_come(cpu, 0));
    write(5);
    BOOST_TEST(reader.has_come(cpu, 5));
    BOOST_TEST(!reader.has_come(cpu, 4));
    BOOST_TEST(reader.address() == kRing);
}

// The sender continues on a full ring: only a block already read may be replaced.
BOOST_DATA_TEST_CASE(a_reader_tells_if_a_block_was_overwritten_before_it_was_read, data::make({1, 2, 120}), slots)
{
    Simulation simulation{1};
    test::FakeMachine machine(simulation, 2);
    auto& cpu = machine.processor(0);
    const RingShape shape{.slots = static_cast<std::uint32_t>(slots)};
    BlockWriter writer(kRing, shape);
    BlockReader reader(kRing, shape);
    std::uint64_t written = 0;
    const auto write = [&] {
        const auto store = writer.write({}, 0, StoreKind::kMmx);
        cpu.poke(store.address, {store.data, store.size});
        writer.acknowledge(++written);
    };
    for (int n = 0; n < slots; ++n) write();
    for (int turn = 0; turn < 600; ++turn) {
        BOOST_TEST_REQUIRE(reader.has_come(cpu, 0));
        reader.advance();
        BOOST_CHECK_NO_THROW(reader.awaited(cpu, 0));
        write();
    }
    write();
    BOOST_CHECK_THROW(reader.has_come(cpu, 0), ModelError);
    BOOST_CHECK_THROW(reader.awaited(cpu, 0), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
