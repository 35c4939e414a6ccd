// SPDX-License-Identifier: Apache-2.0
#include "workloads/ranks/message.h"

#include <cstring>
#include <set>
#include <vector>

#include "tests/support/cases.h"

namespace {

using namespace ringmesh::workloads;
using ringmesh::StoreKind;

std::vector<std::byte> bytes_of(const Message& message)
{
    std::vector<std::byte> bytes(message.size);
    write_message(message, bytes);
    return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(message)

BOOST_AUTO_TEST_CASE(an_aligned_message_ends_on_a_64_byte_boundary_and_begins_in_the_first_65_bytes)
{
    for (std::uint32_t size = 1; size <= 4096; ++size) {
        const auto begin = message_offset(size, true);
        BOOST_REQUIRE((begin + size) % 64 == 0);
        BOOST_REQUIRE(begin >= 1);
        BOOST_REQUIRE(begin <= 64);
        BOOST_REQUIRE(begin + size <= area_bytes(size));
    }
}

BOOST_AUTO_TEST_CASE(any_other_message_begins_on_the_boundary)
{
    for (std::uint32_t size = 1; size <= 4096; ++size) BOOST_REQUIRE(message_offset(size, false) == 0);
}

BOOST_AUTO_TEST_CASE(an_area_for_the_largest_message_has_room_for_all_smaller_ones)
{
    for (std::uint32_t largest = 1; largest < 200; ++largest) {
        for (std::uint32_t size = 1; size <= largest; ++size) {
            BOOST_REQUIRE(message_offset(size, true) + size <= area_bytes(largest));
        }
    }
}

BOOST_DATA_TEST_CASE(the_polled_word_is_the_whole_message_or_its_last_4_bytes_or_its_last_byte,
                     data::make({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 63, 64, 4096}) ^
                         data::make({1, 2, 1, 4, 1, 1, 1, 8, 1, 1, 4, 4, 1, 4, 4}),
                     size, polled)
{
    BOOST_TEST(polled_bytes(static_cast<std::uint32_t>(size)) == static_cast<std::uint32_t>(polled));
}

BOOST_DATA_TEST_CASE(the_polled_word_stands_at_the_end_in_little_endian,
                     data::make({1, 2, 3, 4, 8, 12, 64, 65, 66}) * data::make({false, true}), size, awaited)
{
    const Message message{.size = static_cast<std::uint32_t>(size), .sequence = 0x0123'4567'89ab, .awaited = awaited};
    const auto bytes = bytes_of(message);
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + message.size - polled_bytes(message.size), polled_bytes(message.size));
    BOOST_TEST(word == polled_value(message));
}

BOOST_DATA_TEST_CASE(words_less_than_128_messages_apart_differ_and_are_never_zero, data::make({1, 2, 4, 8, 64}), size)
{
    const auto bytes = static_cast<std::uint32_t>(size);
    for (std::uint64_t first = 0; first < 1000; ++first) {
        std::set<std::uint64_t> words;
        for (std::uint64_t n = first; n < first + 128; ++n) words.insert(polled_value({.size = bytes, .sequence = n}));
        BOOST_REQUIRE(words.size() == 128u);
        BOOST_REQUIRE(words.count(0) == 0u);
    }
}

BOOST_DATA_TEST_CASE(no_awaited_word_equals_one_that_is_not_awaited, data::make({1, 2, 3, 64}), size)
{
    const auto bytes = static_cast<std::uint32_t>(size);
    std::set<std::uint64_t> passing;
    for (std::uint64_t n = 0; n < 1000; ++n) {
        passing.insert(polled_value({.size = bytes, .sequence = n, .awaited = false}));
    }
    for (std::uint64_t n = 0; n < 1000; ++n) {
        BOOST_REQUIRE(passing.count(polled_value({.size = bytes, .sequence = n})) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(the_patterns_of_messages_less_than_256_apart_differ_in_every_byte)
{
    for (const std::uint64_t index : {0u, 1u, 255u, 256u, 65'536u, 1'048'575u}) {
        std::set<std::byte> seen;
        for (std::uint64_t sequence = 77; sequence < 77 + 256; ++sequence) {
            seen.insert(pattern_byte(sequence, index));
        }
        BOOST_TEST(seen.size() == 256u);
    }
}

// A block that landed in the place of another one, or twice.
BOOST_DATA_TEST_CASE(the_pattern_tells_blocks_apart, data::make({4, 8, 16, 32, 64, 128, 256, 1024, 4096, 65536}), shift)
{
    const auto moved = static_cast<std::uint64_t>(shift);
    for (std::uint64_t index = 0; index < 512; ++index) {
        BOOST_REQUIRE(pattern_byte(5, index) != pattern_byte(5, index + moved));
    }
}

BOOST_DATA_TEST_CASE(every_changed_byte_is_found_and_named, data::make({1, 3, 8, 12, 65}), size)
{
    const Message message{.size = static_cast<std::uint32_t>(size), .sequence = 9};
    auto bytes = bytes_of(message);
    BOOST_TEST(!first_wrong_byte(message, bytes).has_value());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::byte right = bytes[i];
        bytes[i] = ~right;
        const auto wrong = first_wrong_byte(message, bytes);
        BOOST_REQUIRE(wrong.has_value());
        BOOST_TEST(wrong->index == i);
        BOOST_TEST((wrong->found == ~right && wrong->expected == right));
        bytes[i] = right;
    }
}

BOOST_AUTO_TEST_CASE(the_first_of_two_wrong_bytes_is_named)
{
    const Message message{.size = 64, .sequence = 3};
    auto bytes = bytes_of(message);
    bytes[17] ^= std::byte{1};
    bytes[40] ^= std::byte{1};
    BOOST_TEST(first_wrong_byte(message, bytes).value().index == 17u);
}

BOOST_AUTO_TEST_CASE(auto_makes_one_assignment_of_1_2_4_and_8_bytes_and_copies_the_rest)
{
    for (const std::uint32_t size : {1u, 2u, 4u, 8u}) {
        BOOST_TEST((store_kind(Stores::kAuto, size) == StoreKind::kSingle));
    }
    for (const std::uint32_t size : {3u, 5u, 6u, 7u, 9u, 16u, 64u}) {
        BOOST_TEST((store_kind(Stores::kAuto, size) == StoreKind::kMemcpy));
    }
    for (const std::uint32_t size : {1u, 8u, 64u}) {
        BOOST_TEST((store_kind(Stores::kSingle, size) == StoreKind::kSingle));
        BOOST_TEST((store_kind(Stores::kMemcpy, size) == StoreKind::kMemcpy));
        BOOST_TEST((store_kind(Stores::kMmx, size) == StoreKind::kMmx));
    }
}

BOOST_AUTO_TEST_CASE(assignments_are_the_largest_that_fit_and_lie_at_a_multiple_of_their_size)
{
    for (std::uint64_t address = 0; address < 64; ++address) {
        for (std::uint32_t left = 1; left < 40; ++left) {
            std::uint32_t largest = 1;
            for (const std::uint32_t bytes : {2u, 4u, 8u}) {
                if (bytes <= left && address % bytes == 0) largest = bytes;
            }
            BOOST_REQUIRE(assignment_bytes(address, left) == largest);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_schedule_warms_each_size_up_once_and_repeats_it_in_every_series)
{
    const Schedule schedule({64, 8}, {.series = 3, .repetitions = 5, .answer_every = 1});
    BOOST_REQUIRE(schedule.messages() == 2u * (1 + 3 * 5));
    for (std::uint64_t n = 0; n < schedule.messages(); ++n) {
        const Message message = schedule.message(n);
        BOOST_TEST(message.sequence == n);
        BOOST_TEST(message.size == (n < 16 ? 64u : 8u));
        BOOST_TEST(message.repetition == n % 16);
        BOOST_TEST(message.awaited);
    }
}

BOOST_AUTO_TEST_CASE(a_stream_awaits_the_warm_up_and_the_last_message_of_each_series)
{
    const Schedule schedule({64, 8}, {.series = 2, .repetitions = 3, .answer_every = 3});
    std::vector<std::uint64_t> awaited;
    for (auto next = schedule.awaited_from(0); next; next = schedule.awaited_from(next->sequence + 1)) {
        awaited.push_back(next->sequence);
    }
    const std::vector<std::uint64_t> expected{0, 3, 6, 7, 10, 13};
    BOOST_TEST(awaited == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
