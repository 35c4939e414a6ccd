// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/stream_buffers.h"

#include <algorithm>
#include <map>
#include <vector>

#include "tests/hw/psb/stream_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"
#include "tlm/error.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::PsbParams;
using hw::StreamAssignment;
using hw::StreamBuffers;
using hw::StreamTransaction;
using sci::kBlockBytes;
using sci::kSubBlockBytes;

const auto kRules = data::make(all_policies<hw::StreamAssignmentPolicy>());
const auto kPieces = data::make({4, 8, 64});

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(stream_buffers)

BOOST_DATA_TEST_CASE(whole_blocks_leave_as_one_transaction_and_others_in_16_byte_ones,
                     kRules* kPieces* data::make(kCards), rule, piece, card)
{
    // Each size up to more than a stream, then some of several; offsets in steps of 1 to 7
    for (std::uint64_t size = 1; size <= 300; size += size < 136 ? 1 : 41) {
        for (std::uint64_t offset = 0; offset < card.stream; offset += size % 7 + 1) {
            StreamBuffers streams(streams_with(8, rule, card));
            const std::uint64_t address = 1024 + offset;
            const auto sent = bytes(size, static_cast<unsigned>(size));
            if (!store(streams, address, sent, static_cast<std::uint64_t>(piece))) BOOST_FAIL("not taken");
            streams.flush();
            std::map<std::uint64_t, std::byte> memory;
            const auto transactions = drain(streams, memory);

            const ExpectedTransactions expected(card, address, size);
            const auto large = static_cast<std::size_t>(
                std::count_if(transactions.begin(), transactions.end(),
                              [](const StreamTransaction& transaction) { return transaction.size >= kBlockBytes; }));
            for (const StreamTransaction& transaction : transactions) {
                const auto grain = std::max<std::uint64_t>(transaction.size, kSubBlockBytes);
                const auto last = transaction.address + transaction.size - 1;
                if (transaction.address / grain != last / grain) BOOST_FAIL("a transaction leaves its block");
            }
            const bool exact = memory.size() == size && memory.begin()->first == address &&
                               std::equal(memory.begin(), memory.end(), sent.begin(),
                                          [](const auto& cell, std::byte byte) { return cell.second == byte; });
            BOOST_TEST_CONTEXT(size << " bytes at " << address)
            {
                BOOST_TEST_REQUIRE(large == expected.large);
                BOOST_TEST_REQUIRE(transactions.size() - large == expected.small);
                BOOST_TEST_REQUIRE(exact);
                BOOST_TEST_REQUIRE(streams.in_use() == 0u);
            }
        }
    }
}

BOOST_DATA_TEST_CASE(a_store_that_does_not_follow_flushes_the_one_before,
                     data::make({0, 4, 7, 9, 12, 16, 63, 64, 72, 128}) * kRules, address, rule)
{
    StreamBuffers streams(streams_with(8, rule));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(8), 4));
    const bool taken = streams.open(static_cast<std::uint64_t>(address));
    // By address, a store to the same block has to wait for it.
    BOOST_TEST(taken == (rule == "any-free" || address >= static_cast<int>(kBlockBytes)));
    const auto flushed = streams.next_transaction();
    BOOST_TEST_REQUIRE(flushed.has_value());
    BOOST_TEST(flushed->address == 0u);
    BOOST_TEST(flushed->size == 8u);
}

BOOST_DATA_TEST_CASE(by_address_a_block_always_has_the_same_buffer, data::make({1, 2, 8, 16}) * data::make(kCards),
                     buffers, card)
{
    StreamBuffers streams(streams_with(buffers, StreamAssignment("by-address"), card));
    for (const std::uint64_t block : {0u, 1u, 2u, 7u, 8u, 9u, 16u, 1023u, 5u, 5u}) {
        BOOST_TEST_REQUIRE(store(streams, block * card.stream, bytes(4), 4));
        streams.flush();
        const auto transaction = streams.next_transaction();
        BOOST_TEST_REQUIRE(transaction.has_value());
        BOOST_TEST(transaction->buffer == block % static_cast<std::uint64_t>(buffers));
        BOOST_TEST(streams.respond(transaction->buffer));
    }
}

BOOST_DATA_TEST_CASE(by_address_a_store_to_a_block_on_its_way_has_to_wait, data::make({1, 2, 8}), buffers)
{
    StreamBuffers streams(streams_with(buffers, StreamAssignment("by-address")));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(64), 64));
    const auto span = static_cast<std::uint64_t>(buffers) * kBlockBytes;
    BOOST_TEST(!streams.open(0));
    BOOST_TEST(!streams.open(span));  // another block of the same buffer
    if (buffers > 1) BOOST_TEST(streams.open(kBlockBytes));
    const auto transaction = streams.next_transaction();
    BOOST_TEST_REQUIRE(transaction.has_value());
    BOOST_TEST(!streams.open(0));
    BOOST_TEST(streams.respond(transaction->buffer));
    BOOST_TEST(streams.open(0));
}

BOOST_DATA_TEST_CASE(any_free_takes_as_many_blocks_as_there_are_buffers_wherever_they_lie,
                     data::make({1, 2, 8}) * data::make({0, 1, 8}), buffers, stride)
{
    StreamBuffers streams(streams_with(buffers));
    const auto apart = static_cast<std::uint64_t>(stride) * kBlockBytes;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(buffers); ++i) {
        BOOST_TEST_REQUIRE(store(streams, i * apart, bytes(64), 64));
    }
    BOOST_TEST(streams.in_use() == static_cast<unsigned>(buffers));
    BOOST_TEST(!streams.open(1'000'000));
    const auto transaction = streams.next_transaction();
    BOOST_TEST_REQUIRE(transaction.has_value());
    streams.respond(transaction->buffer);
    BOOST_TEST(streams.open(1'000'000));
}

BOOST_AUTO_TEST_CASE(buffers_send_in_the_order_in_which_they_became_ready)
{
    StreamBuffers streams(streams_with(8));
    for (const std::uint64_t block : {5u, 1u, 3u})
        BOOST_TEST_REQUIRE(store(streams, block * kBlockBytes, bytes(64), 64));
    for (const std::uint64_t block : {5u, 1u, 3u})
        BOOST_TEST(streams.next_transaction()->address == block * kBlockBytes);
}

BOOST_DATA_TEST_CASE(the_timeout_counts_from_the_last_store, data::make({100_ns, 5_us}), timeout)
{
    auto params = streams_with(8);
    params.flush_timeout = timeout;
    StreamBuffers streams(params);
    BOOST_TEST(streams.timeout() == Duration::never());
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(4), 4, 1_us));
    BOOST_TEST(streams.timeout() == 1_us + timeout);
    BOOST_TEST_REQUIRE(store(streams, 4, bytes(4), 4, 3_us));
    BOOST_TEST(streams.timeout() == 3_us + timeout);
    streams.flush();
    BOOST_TEST(streams.timeout() == Duration::never());
}

/// Its address phase has been answered, its data are still on the bus.
BOOST_DATA_TEST_CASE(a_store_on_the_bus_suspends_the_timeout, kRules, rule)
{
    StreamBuffers streams(streams_with(1, rule));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(4), 4, 1_us));
    BOOST_TEST_REQUIRE(streams.open(4));
    BOOST_TEST(streams.timeout() == Duration::never());
    streams.store(4, bytes(4), 9_us);
    BOOST_TEST(streams.timeout() == 9_us + PsbParams().flush_timeout);
    BOOST_TEST(streams.in_use() == 1u);
}

BOOST_AUTO_TEST_CASE(a_retried_store_does_not_suspend_the_timeout)
{
    StreamBuffers streams(streams_with(2, StreamAssignment("by-address")));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(64), 64));
    BOOST_TEST_REQUIRE(!streams.open(0));
    BOOST_TEST_REQUIRE(store(streams, 64, bytes(4), 4, 1_us));
    BOOST_TEST(streams.timeout() == 1_us + PsbParams().flush_timeout);
}

BOOST_AUTO_TEST_CASE(misuse_is_an_error)
{
    StreamBuffers streams(streams_with(1));
    BOOST_CHECK_THROW(streams.store(60, bytes(8), 1_us), ModelError);  // crosses a block
    BOOST_CHECK_THROW(streams.respond(0), ModelError);
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(64), 64));
    BOOST_CHECK_THROW(streams.store(64, bytes(4), 1_us), ModelError);  // without open()
}

namespace {

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

}  // namespace

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

/// Though its first 64 bytes may be a whole block.
BOOST_DATA_TEST_CASE(a_partly_filled_buffer_has_one_transaction_outstanding,
                     data::make({17u, 32u, 48u, 60u, 63u, 65u, 80u, 100u, 127u}), end)
{
    const Card card = end < 64 ? kD312 : kD320;
    StreamBuffers streams(streams_with(8, StreamAssignment("any-free"), card));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(end), 4));
    BOOST_TEST(!streams.next_transaction().has_value());
    streams.flush();
    const std::size_t pieces = ExpectedTransactions(card, 0, end).all();
    for (std::size_t i = 0; i < pieces; ++i) {
        const auto transaction = streams.next_transaction();
        BOOST_TEST_REQUIRE(transaction.has_value());
        BOOST_TEST(transaction->address == (end < 64 || i == 0 ? i * 16 : 64 + (i - 1) * 16));
        BOOST_TEST(!streams.next_transaction().has_value());
        BOOST_TEST(streams.respond(transaction->buffer) == (i + 1 == pieces));
    }
    BOOST_TEST(streams.idle());
}

/// A store from the middle of a block to its end does not fill the buffer, but is sent at once.
BOOST_DATA_TEST_CASE(the_end_of_its_block_sends_a_buffer_and_the_middle_does_not,
                     data::make(kCards) * data::make({0u, 1u, 20u, 48u, 63u}), card, begin)
{
    StreamBuffers streams(streams_with(8, StreamAssignment("any-free"), card));
    for (std::uint64_t address = begin; address < card.stream; ++address) {
        BOOST_TEST_REQUIRE(!streams.next_transaction().has_value());
        BOOST_TEST_REQUIRE(store(streams, address, bytes(1), 1));
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
