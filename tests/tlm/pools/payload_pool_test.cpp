// SPDX-License-Identifier: Apache-2.0
#include "tlm/pools/payload_pool.h"

#include <boost/test/unit_test.hpp>

#include <array>

#include "tlm/error.h"

namespace {
using namespace ringmesh;
constexpr std::array<std::byte, 3> kBytes{std::byte{1}, std::byte{2}, std::byte{3}};
}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(payload_pool)

BOOST_AUTO_TEST_CASE(a_write_carries_its_own_copy_of_the_bytes_and_its_packet)
{
    PayloadPool pool;
    auto bytes = kBytes;
    auto& payload = pool.acquire_write(0x40, bytes, 17);
    bytes.fill(std::byte{9});
    BOOST_TEST(payload.is_write());
    BOOST_TEST(payload.get_address() == 0x40u);
    BOOST_TEST_REQUIRE(payload.get_data_length() == kBytes.size());
    for (unsigned i = 0; i < kBytes.size(); ++i) BOOST_TEST(payload.get_data_ptr()[i] == i + 1);
    BOOST_TEST(packet_of(payload) == 17u);
    payload.release();
}

BOOST_AUTO_TEST_CASE(the_last_release_gives_a_payload_back)
{
    PayloadPool pool;
    auto& payload = pool.acquire_write(0, kBytes);
    payload.acquire();
    payload.release();
    BOOST_TEST(pool.in_use() == 1u);
    payload.release();
    BOOST_TEST(pool.in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(a_reused_payload_forgets_the_packet_before)
{
    PayloadPool pool;
    pool.acquire_write(0, kBytes, 17).release();
    auto& payload = pool.acquire_write(0, kBytes);
    BOOST_TEST(packet_of(payload) == 0u);
    payload.release();
}

BOOST_AUTO_TEST_CASE(a_reused_payload_forgets_who_refused_the_one_before)
{
    PayloadPool pool;
    auto& refused = pool.acquire_write(0, kBytes, 17);
    refuse(refused, {"no room", 16});
    refused.set_dmi_allowed(true);
    refused.set_response_status(::tlm::TLM_OK_RESPONSE);
    refused.release();
    auto& payload = pool.acquire_read(0, kBytes.size(), 18);
    BOOST_TEST(refusal_of(payload).why == Refusal{}.why);
    BOOST_TEST(refusal_of(payload).behind == 0u);
    BOOST_TEST(!payload.is_dmi_allowed());
    BOOST_TEST(payload.get_response_status() == ::tlm::TLM_INCOMPLETE_RESPONSE);
    payload.release();
}

BOOST_AUTO_TEST_CASE(a_reused_payload_moves_all_its_bytes)
{
    PayloadPool pool;
    std::array<unsigned char, kBytes.size()> none{};
    auto& masked = pool.acquire_write(0, kBytes);
    masked.set_byte_enable_ptr(none.data());
    masked.set_byte_enable_length(none.size());
    masked.release();
    auto& payload = pool.acquire_write(0, kBytes);
    BOOST_TEST(payload.get_byte_enable_ptr() == nullptr);
    BOOST_TEST(payload.get_byte_enable_length() == 0u);
    payload.release();
}

BOOST_AUTO_TEST_CASE(a_payload_does_not_stream_whatever_it_was_before)
{
    PayloadPool pool;
    pool.acquire_read(0, 64).release();
    for (const std::size_t size : {std::size_t{1}, std::size_t{64}, PayloadPool::kLargest}) {
        auto& payload = pool.acquire_read(0, size);
        BOOST_TEST(payload.get_streaming_width() == size);
        payload.release();
    }
}

BOOST_AUTO_TEST_CASE(more_than_it_can_hold_is_refused)
{
    PayloadPool pool;
    const std::array<std::byte, PayloadPool::kLargest + 1> bytes{};
    BOOST_CHECK_THROW(pool.acquire_write(0, bytes), ModelError);
    BOOST_TEST(pool.in_use() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
