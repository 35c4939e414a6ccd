// SPDX-License-Identifier: Apache-2.0
#include "hw/memory.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/hw/printing.h"
#include "tlm/error.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using hw::Memory;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(memory)

BOOST_AUTO_TEST_CASE(bytes_that_were_never_written_are_zero)
{
    const Memory memory(100'000);
    std::vector<std::byte> bytes(10'000, std::byte{0xFF});
    memory.read(5'000, bytes);
    BOOST_TEST((bytes == std::vector<std::byte>(10'000, std::byte{0})));
}

/// Against a plain array, at random places and sizes, mostly across pages.
BOOST_AUTO_TEST_CASE(every_byte_reads_as_it_was_written_last)
{
    constexpr std::uint64_t kSize = 50'000;
    Memory memory(kSize);
    std::vector<std::byte> reference(kSize);
    Random random(4);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::byte> bytes(1 + random.below(9'000));
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
        const std::uint64_t address = random.below(kSize - bytes.size() + 1);
        memory.write(address, bytes);
        std::copy(bytes.begin(), bytes.end(), reference.begin() + static_cast<std::ptrdiff_t>(address));

        std::vector<std::byte> read(1 + random.below(9'000));
        const std::uint64_t from = random.below(kSize - read.size() + 1);
        memory.read(from, read);
        BOOST_TEST_REQUIRE(std::equal(read.begin(), read.end(), reference.begin() + static_cast<std::ptrdiff_t>(from)));
    }
}

BOOST_AUTO_TEST_CASE(the_last_byte_belongs_to_it_and_the_next_one_does_not)
{
    for (const std::uint64_t size : {1u, 4095u, 4096u, 5000u}) {
        Memory memory(size);
        std::vector<std::byte> bytes(2, std::byte{7});
        BOOST_CHECK_NO_THROW(memory.write(size - 1, {bytes.data(), 1}));
        BOOST_CHECK_THROW(memory.write(size - 1, bytes), ModelError);
        BOOST_CHECK_THROW(memory.read(size, {bytes.data(), 1}), ModelError);
        BOOST_CHECK_NO_THROW(memory.read(size, {bytes.data(), 0}));
    }
}

BOOST_AUTO_TEST_CASE(an_address_near_the_end_of_64_bits_does_not_wrap)
{
    Memory memory(4096);
    std::vector<std::byte> bytes(16);
    BOOST_CHECK_THROW(memory.write(UINT64_MAX - 7, bytes), ModelError);
    BOOST_CHECK_THROW(memory.read(UINT64_MAX, bytes), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
