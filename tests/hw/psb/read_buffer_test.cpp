// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/read_buffer.h"

#include <vector>

#include "tests/hw/pattern.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::ReadBuffer;

constexpr std::uint64_t kBlock = 0x12340;  ///< a multiple of 64

/// A buffer that has just got its bytes for a load.
ReadBuffer loaded(bool prefetch, std::uint64_t address, std::size_t size)
{
    ReadBuffer buffer(prefetch);
    const auto read = buffer.fetch(address, size);
    buffer.fill(pattern(read.size));
    return buffer;
}

std::vector<std::byte> take(ReadBuffer& buffer, std::uint64_t address, std::size_t size)
{
    std::vector<std::byte> bytes(size);
    buffer.take(address, bytes);
    return bytes;
}

std::vector<std::byte> part(std::size_t from, std::size_t size)
{
    const auto all = pattern(64);
    return {all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(from + size)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(read_buffer)

BOOST_DATA_TEST_CASE(without_prefetch_it_fetches_what_is_loaded_and_with_it_the_whole_block,
                     data::make({0u, 3u, 20u, 56u, 63u}) * data::make({false, true}), offset, prefetch)
{
    const std::size_t size = offset % 2 == 0 ? 4 : 1;
    ReadBuffer buffer(prefetch);
    const auto read = buffer.fetch(kBlock + offset, size);
    BOOST_TEST(read.address == (prefetch ? kBlock : kBlock + offset));
    BOOST_TEST(read.size == (prefetch ? 64u : size));
    BOOST_TEST(buffer.waiting());
    BOOST_TEST(!buffer.holds(kBlock + offset, size));
    buffer.fill(pattern(read.size));
    BOOST_TEST(!buffer.waiting());
    BOOST_TEST(buffer.holds(kBlock + offset, size));
    BOOST_TEST((take(buffer, kBlock + offset, size) == part(prefetch ? offset : 0, size)));
}

BOOST_AUTO_TEST_CASE(without_prefetch_nothing_is_kept)
{
    auto buffer = loaded(false, kBlock + 8, 8);
    BOOST_TEST(!buffer.holds(kBlock + 4, 8));
    BOOST_TEST(!buffer.holds(kBlock + 12, 8));
    take(buffer, kBlock + 8, 4);
    BOOST_TEST(!buffer.holds(kBlock + 12, 4));
}

BOOST_AUTO_TEST_CASE(with_prefetch_the_block_is_kept_until_its_last_byte_was_loaded)
{
    auto buffer = loaded(true, kBlock + 32, 4);
    for (const std::size_t from : {32u, 0u, 56u, 59u, 0u}) {
        BOOST_TEST_REQUIRE(buffer.holds(kBlock + from, 4));
        BOOST_TEST((take(buffer, kBlock + from, 4) == part(from, 4)));
    }
    BOOST_TEST(!buffer.holds(kBlock - 1, 1));
    BOOST_TEST(!buffer.holds(kBlock + 64, 1));
    BOOST_TEST(!buffer.holds(kBlock + 61, 4));
    take(buffer, kBlock + 63, 1);
    BOOST_TEST(!buffer.holds(kBlock, 1));
}

BOOST_AUTO_TEST_CASE(a_load_of_another_block_replaces_it)
{
    auto buffer = loaded(true, kBlock, 4);
    const auto read = buffer.fetch(kBlock + 100, 4);
    BOOST_TEST(read.address == kBlock + 64);
    BOOST_TEST(!buffer.holds(kBlock, 4));
    buffer.fill(pattern(64, 9));
    BOOST_TEST(!buffer.holds(kBlock, 4));
    BOOST_TEST(buffer.holds(kBlock + 64, 8));
}

BOOST_AUTO_TEST_CASE(a_drop_invalidates_kept_bytes_but_not_awaited_ones)
{
    auto buffer = loaded(true, kBlock, 4);
    buffer.drop();
    BOOST_TEST(!buffer.holds(kBlock, 4));
    buffer.fetch(kBlock, 4);
    buffer.drop();
    BOOST_TEST(buffer.waiting());
    buffer.fill(pattern(64));
    BOOST_TEST(buffer.holds(kBlock, 4));
}

/// Of what one transaction can bring.
BOOST_AUTO_TEST_CASE(a_load_does_not_cross_a_block)
{
    ReadBuffer small(false);
    BOOST_CHECK_THROW(small.fetch(kBlock + 12, 8), ModelError);
    BOOST_CHECK_NO_THROW(small.fetch(kBlock + 12, 4));
    ReadBuffer large(true);
    BOOST_CHECK_THROW(large.fetch(kBlock + 60, 8), ModelError);
    BOOST_CHECK_NO_THROW(large.fetch(kBlock + 12, 8));
}

BOOST_AUTO_TEST_CASE(one_load_waits_at_a_time_and_responses_belong_to_loads)
{
    ReadBuffer buffer(false);
    BOOST_CHECK_THROW(buffer.fill(pattern(4)), ModelError);
    buffer.fetch(kBlock, 4);
    BOOST_CHECK_THROW(buffer.fetch(kBlock, 4), ModelError);
    buffer.fill(pattern(4));
    BOOST_CHECK_THROW(buffer.fill(pattern(4)), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
