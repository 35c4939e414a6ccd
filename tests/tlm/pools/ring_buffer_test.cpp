// SPDX-License-Identifier: Apache-2.0
#include "tlm/pools/ring_buffer.h"

#include <deque>
#include <memory>

#include "tests/support/cases.h"
#include "tlm/simulation/random.h"

namespace {

using ringmesh::RingBuffer;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(ring_buffer)

// `pushes` out of ten operations add an element: the queue stays short, varies, or grows.
BOOST_DATA_TEST_CASE(it_behaves_like_a_deque, data::make({3, 5, 7}) * data::xrange(20), pushes, seed)
{
    ringmesh::Random random(static_cast<std::uint64_t>(seed));
    RingBuffer<int> buffer;
    std::deque<int> model;
    for (int i = 0; i < 2000; ++i) {
        if (model.empty() || random.below(10) < static_cast<std::uint64_t>(pushes)) {
            buffer.push_back(i);
            model.push_back(i);
        } else {
            BOOST_REQUIRE(buffer.pop_front() == model.front());
            model.pop_front();
        }
        BOOST_REQUIRE(buffer.size() == model.size());
        BOOST_REQUIRE(buffer.empty() == model.empty());
        if (!model.empty()) BOOST_REQUIRE(buffer.front() == model.front());
        for (std::size_t k = 0; k < model.size(); k += 7) BOOST_REQUIRE(buffer[k] == model[k]);
    }
}

// It grows while its first element lies in the middle of the memory.
BOOST_DATA_TEST_CASE(growing_keeps_the_order_wherever_the_front_lies, data::xrange(8), shift)
{
    RingBuffer<int> buffer;
    for (int i = 0; i < 8; ++i) buffer.push_back(-1);
    for (int i = 0; i < 8; ++i) buffer.pop_front();
    for (int i = 0; i < shift; ++i) {
        buffer.push_back(-1);
        buffer.pop_front();
    }
    for (int i = 0; i < 100; ++i) buffer.push_back(i);
    for (int i = 0; i < 100; ++i) BOOST_TEST(buffer.pop_front() == i);
    BOOST_TEST(buffer.empty());
}

BOOST_AUTO_TEST_CASE(elements_need_not_be_copyable_and_elements_can_be_changed_in_place)
{
    RingBuffer<std::unique_ptr<int>> buffer;
    for (int i = 0; i < 10; ++i) buffer.push_back(std::make_unique<int>(i));
    *buffer.front() = 100;
    *buffer[1] = 101;
    BOOST_TEST(*buffer.pop_front() == 100);
    BOOST_TEST(*buffer.pop_front() == 101);
    BOOST_TEST(*buffer.pop_front() == 2);
}

BOOST_AUTO_TEST_CASE(a_steady_state_keeps_its_memory)
{
    RingBuffer<int> buffer;
    for (int i = 0; i < 4; ++i) buffer.push_back(i);
    const int* place = &buffer.front();
    for (int i = 4; i < 400; ++i) {
        buffer.pop_front();
        buffer.push_back(i);
    }
    BOOST_TEST(&buffer.front() == place);
    BOOST_TEST(buffer.front() == 396);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
