// SPDX-License-Identifier: Apache-2.0
/// When a stream buffer leaves, as what, and when it is free again.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <vector>

#include "tests/hw/psb/stream_bench.h"
#include "tests/policies.h"
#include "tlm/error.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::test;
using hw::StreamAssignment;
using hw::StreamBuffers;

constexpr Card kD312 = kCards[0], kD320 = kCards[1], kD330 = kCards[2];

/// A store on a card, and the sizes of its transactions in order.
struct Writing {
    Card card;
    std::uint64_t address;
    std::size_t size;
    std::vector<std::uint16_t> transactions;
    friend std::ostream& operator<<(std::ostream& out, const Writing& writing)
    {
        return out << writing.size << " bytes at " << writing.address << " on " << writing.card;
    }
};

/// 60 bytes are four and 64 bytes one [002 II.D]; the others by the same rules.
const std::vector<Writing> kWritings{
    {kD312, 0, 60, {16, 16, 16, 12}},
    {kD312, 0, 64, {64}},
    {kD312, 0, 100, {64, 16, 16, 4}},
    {kD312, 0, 128, {64, 64}},
    {kD312, 32, 64, {16, 16, 16, 16}},
    {kD312, 60, 100, {4, 64, 16, 16}},
    {kD320, 0, 60, {16, 16, 16, 12}},
    {kD320, 0, 64, {64}},
    {kD320, 64, 64, {64}},
    {kD320, 0, 100, {64, 16, 16, 4}},
    {kD320, 28, 100, {4, 16, 16, 64}},
    {kD320, 0, 128, {64, 64}},
    {kD320, 64, 128, {64, 64}},
    {kD320, 32, 128, {16, 16, 64, 16, 16}},
    {kD330, 0, 60, {16, 16, 16, 12}},
    {kD330, 0, 64, {64}},
    {kD330, 64, 64, {64}},
    {kD330, 32, 64, {16, 16, 16, 16}},
    {kD330, 0, 100, {64, 16, 16, 4}},
    {kD330, 0, 128, {128}},
    {kD330, 64, 128, {64, 64}},
    {kD330, 0, 256, {128, 128}},
};

const auto kRules = data::make(all_policies<hw::StreamAssignmentPolicy>());

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(stream_buffers)

BOOST_DATA_TEST_CASE(written_bytes_leave_as_these_transactions, data::make(kWritings), writing)
{
    StreamBuffers streams(streams_with(8, StreamAssignment("any-free"), writing.card));
    const auto sent = bytes(writing.size);
    BOOST_TEST_REQUIRE(store(streams, writing.address, sent, 4));
    streams.flush();
    std::map<std::uint64_t, std::byte> memory;
    // Of two buffers, both leave at once and the pieces of one come between those of the other.
    std::map<std::uint64_t, std::uint16_t> by_address;
    for (const auto& transaction : drain(streams, memory)) by_address[transaction.address] = transaction.size;
    BOOST_TEST_REQUIRE(by_address.size() == writing.transactions.size());
    std::size_t i = 0;
    std::uint64_t address = writing.address;
    for (const auto& [at, size] : by_address) {
        BOOST_TEST(at == address);
        BOOST_TEST(size == writing.transactions[i++]);
        address += size;
    }
}

BOOST_DATA_TEST_CASE(a_full_buffer_has_all_its_transactions_outstanding_at_once, data::make(kCards) * kRules, card,
                     rule)
{
    StreamBuffers streams(streams_with(1, rule, card));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(card.stream), 64));
    const std::size_t count = card.stream / card.transaction;
    for (std::size_t i = 0; i < count; ++i) {
        const auto transaction = streams.next_transaction();
        BOOST_TEST_REQUIRE(transaction.has_value());
        BOOST_TEST(transaction->address == i * card.transaction);
        BOOST_TEST(transaction->size == card.transaction);
    }
    BOOST_TEST(!streams.next_transaction().has_value());
    for (std::size_t left = count; left-- > 0;) {
        BOOST_TEST(!streams.idle());
        BOOST_TEST(!streams.open(1024));
        BOOST_TEST(streams.respond(0) == (left == 0));
    }
    BOOST_TEST(streams.idle());
    BOOST_TEST(streams.open(1024));
    BOOST_CHECK_THROW(streams.respond(0), ModelError);
}

/// Though its first 64 bytes are a whole block.
BOOST_DATA_TEST_CASE(a_partly_filled_buffer_has_one_transaction_outstanding, data::make({65, 80, 100, 127}), size)
{
    StreamBuffers streams(streams_with(8, StreamAssignment("any-free"), kD320));
    const auto end = static_cast<std::uint64_t>(size);
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(end), 4));
    BOOST_TEST(!streams.next_transaction().has_value());
    streams.flush();
    const std::size_t pieces = ExpectedTransactions(kD320, 0, end).all();
    for (std::size_t i = 0; i < pieces; ++i) {
        const auto transaction = streams.next_transaction();
        BOOST_TEST_REQUIRE(transaction.has_value());
        BOOST_TEST(transaction->address == (i == 0 ? 0 : 64 + (i - 1) * sci::kSubBlockBytes));
        BOOST_TEST(!streams.next_transaction().has_value());
        BOOST_TEST(streams.respond(transaction->buffer) == (i + 1 == pieces));
    }
    BOOST_TEST(streams.idle());
}

/// A store from the middle of a block to its end does not fill the buffer, but is sent at once.
BOOST_DATA_TEST_CASE(the_end_of_its_block_sends_a_buffer_and_the_middle_does_not, data::make(kCards), card)
{
    StreamBuffers streams(streams_with(8, StreamAssignment("any-free"), card));
    for (std::uint64_t address = 48; address < card.stream; address += 4) {
        BOOST_TEST(!streams.next_transaction().has_value());
        BOOST_TEST_REQUIRE(store(streams, address, bytes(4), 4));
    }
    BOOST_TEST(streams.next_transaction().has_value());
    BOOST_TEST(streams.timeout() == Duration::never());
}

BOOST_AUTO_TEST_CASE(an_empty_flush_sends_nothing)
{
    StreamBuffers streams(streams_with(8));
    streams.flush();
    BOOST_TEST(streams.idle());
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(64), 4));
    streams.flush();
    BOOST_TEST(streams.next_transaction().has_value());
    BOOST_TEST(!streams.next_transaction().has_value());
}

/// The address phase has been answered: the store belongs to what the flush has to send.
BOOST_DATA_TEST_CASE(a_flush_takes_the_store_on_the_bus_with_it, data::make({0, 4, 12}) * kRules, before, rule)
{
    StreamBuffers streams(streams_with(1, rule));
    const auto first = static_cast<std::uint64_t>(before);
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(first), 4));
    BOOST_TEST_REQUIRE(streams.open(first));
    streams.flush();
    BOOST_TEST(!streams.next_transaction().has_value());
    streams.store(first, bytes(4), 2_us);
    const auto transaction = streams.next_transaction();
    BOOST_TEST_REQUIRE(transaction.has_value());
    BOOST_TEST(transaction->size == first + 4);
    BOOST_TEST(streams.timeout() == Duration::never());
    // Once: the next store gathers.
    BOOST_TEST(streams.respond(transaction->buffer));
    BOOST_TEST_REQUIRE(store(streams, 64, bytes(4), 4));
    BOOST_TEST(!streams.next_transaction().has_value());
}

BOOST_AUTO_TEST_CASE(idle_is_when_all_responses_are_back_and_nothing_is_on_the_bus)
{
    StreamBuffers streams(streams_with(8));
    BOOST_TEST(streams.idle());
    BOOST_TEST_REQUIRE(streams.open(0));
    BOOST_TEST(!streams.idle());
    streams.store(0, bytes(20), 1_us);
    BOOST_TEST(!streams.idle());
    streams.flush();
    for (int piece = 0; piece < 2; ++piece) {
        BOOST_TEST(!streams.idle());
        const auto transaction = streams.next_transaction();
        BOOST_TEST_REQUIRE(transaction.has_value());
        BOOST_TEST(!streams.idle());
        streams.respond(transaction->buffer);
    }
    BOOST_TEST(streams.idle());
}

BOOST_DATA_TEST_CASE(only_a_store_that_does_not_follow_opens_a_buffer, data::make(kCards), card)
{
    StreamBuffers streams(streams_with(8, StreamAssignment("any-free"), card));
    for (std::uint64_t address = 0; address < 3 * card.stream; address += 4) {
        BOOST_TEST_REQUIRE(streams.open(address));
        BOOST_TEST(streams.opens_buffer() == (address % card.stream == 0));
        streams.store(address, bytes(4), 1_us);
        BOOST_TEST(!streams.opens_buffer());
    }
    BOOST_TEST_REQUIRE(store(streams, 1024, bytes(4), 4));
    BOOST_TEST_REQUIRE(streams.open(1032));
    BOOST_TEST(streams.opens_buffer());
}

BOOST_AUTO_TEST_CASE(a_retried_store_opens_no_buffer)
{
    StreamBuffers streams(streams_with(1));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(64), 64));
    BOOST_TEST_REQUIRE(!streams.open(64));
    BOOST_TEST(!streams.opens_buffer());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
