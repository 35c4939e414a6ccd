// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/dma_engine.h"

#include <algorithm>
#include <deque>
#include <vector>

#include "tests/hw/pattern.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::DmaCopy;
using hw::DmaEngine;

constexpr std::uint64_t kFrom = 0x1004;
constexpr std::uint64_t kTo = 0x80000;

hw::PsbParams with(std::int64_t burst, std::int64_t buffers)
{
    hw::PsbParams params;
    params.dma_burst = Bytes(burst);
    params.dma_buffers = buffers;
    return params;
}

DmaCopy order(std::uint32_t size, std::uint64_t from = kFrom, std::uint64_t to = kTo)
{
    return {.from = from, .to = to, .status_address = 0x40, .size = size, .status = 5};
}

/// Reads one block from `memory`, which begins at kFrom.
void fill_block(DmaEngine& engine, const std::vector<std::byte>& memory)
{
    for (std::size_t count = 0; count < sci::kBlockBytes;) {
        const auto read = engine.next_read();
        BOOST_TEST_REQUIRE(read.has_value());
        engine.filled(std::span(memory).subspan(read->address - kFrom, read->size));
        count += read->size;
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(dma_engine)

/// Its reads cover the source in order, its transactions the target; responses may come in any order.
BOOST_DATA_TEST_CASE(every_byte_is_copied_to_its_place_once,
                     data::make({4, 12, 16, 48, 64}) * data::make({1u, 2u, 8u}) * data::make({64u, 192u, 1024u}) *
                         data::make({false, true}),
                     burst, buffers, size, newest_first)
{
    DmaEngine engine(with(burst, buffers));
    const auto memory = pattern(size);
    std::vector<std::byte> copy(size);
    std::deque<std::uint16_t> outstanding;
    std::size_t read_bytes = 0, sent = 0;
    engine.start(order(size));
    while (!engine.wants_status()) {
        if (const auto read = engine.next_read()) {
            BOOST_TEST_REQUIRE(read->address == kFrom + read_bytes);
            BOOST_TEST(read->size <= static_cast<std::size_t>(burst));
            engine.filled(std::span(memory).subspan(read_bytes, read->size));
            read_bytes += read->size;
        } else {
            BOOST_TEST_REQUIRE(!outstanding.empty());  // or it would stand still
            BOOST_TEST((outstanding.size() == buffers || read_bytes == size));
            const std::uint16_t answered = newest_first ? outstanding.back() : outstanding.front();
            newest_first ? outstanding.pop_back() : outstanding.pop_front();
            engine.respond(answered);
        }
        while (const auto transaction = engine.next_transaction()) {
            BOOST_TEST(transaction->address == kTo + sent);
            std::copy_n(transaction->data, sci::kBlockBytes, copy.begin() + static_cast<std::ptrdiff_t>(sent));
            sent += sci::kBlockBytes;
            outstanding.push_back(transaction->buffer);
            BOOST_TEST(outstanding.size() <= buffers);
        }
    }
    BOOST_TEST(outstanding.empty());
    BOOST_TEST((copy == memory));
}

BOOST_AUTO_TEST_CASE(the_status_comes_after_the_last_response_and_the_next_order_after_the_status)
{
    DmaEngine engine(with(64, 2));
    const auto memory = pattern(128);
    BOOST_TEST(engine.idle());
    for (int round = 0; round < 2; ++round) {
        engine.start(order(128));
        fill_block(engine, memory);
        const auto first = engine.next_transaction();
        fill_block(engine, memory);
        const auto second = engine.next_transaction();
        BOOST_TEST_REQUIRE((first && second));
        BOOST_TEST(first->buffer != second->buffer);
        BOOST_TEST(!engine.next_read().has_value());
        engine.respond(second->buffer);
        BOOST_TEST(!engine.wants_status());
        BOOST_CHECK_THROW(engine.start(order(64)), ModelError);
        engine.respond(first->buffer);
        BOOST_TEST(engine.wants_status());
        BOOST_TEST(engine.order().status == 5u);
        BOOST_CHECK_THROW(engine.start(order(64)), ModelError);
        engine.finish();
        BOOST_TEST(engine.idle());
    }
}

BOOST_AUTO_TEST_CASE(invalid_orders_are_errors)
{
    DmaEngine engine(with(64, 8));
    BOOST_CHECK_THROW(engine.start(order(0)), ModelError);
    BOOST_CHECK_THROW(engine.start(order(100)), ModelError);
    BOOST_CHECK_THROW(engine.start(order(64, kFrom + 2)), ModelError);
    BOOST_CHECK_THROW(engine.start(order(64, kFrom, kTo + 32)), ModelError);
    BOOST_TEST(engine.idle());
}

BOOST_AUTO_TEST_CASE(responses_belong_to_buffers_that_were_sent)
{
    DmaEngine engine(with(64, 2));
    engine.start(order(64));
    BOOST_CHECK_THROW(engine.respond(0), ModelError);
    BOOST_CHECK_THROW(engine.respond(7), std::exception);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
