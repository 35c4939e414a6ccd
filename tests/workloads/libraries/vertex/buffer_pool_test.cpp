// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/vertex/buffer_pool.h"

#include <boost/test/unit_test.hpp>
#include <vector>

#include "tlm/error.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using workloads::vertex::BufferPool;

constexpr std::uint64_t kBase = 0x8000;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(vertex_buffer_pool)

BOOST_AUTO_TEST_CASE(allocation_stops_at_the_capacity)
{
    BufferPool pool(kBase, 1024);
    BOOST_TEST(pool.allocate(1000).value() == kBase);
    BOOST_TEST(!pool.allocate(25).has_value());
    BOOST_TEST(pool.allocate(24).value() == kBase + 1000);
    BOOST_TEST(pool.used() == 1024u);
    BOOST_TEST(!pool.allocate(1).has_value());
}

BOOST_AUTO_TEST_CASE(buffers_never_overlap_and_all_memory_is_returned)
{
    struct Held {
        std::uint64_t address;
        std::uint32_t size;
    };
    BufferPool pool(kBase, 4096);
    Random random(1);
    std::vector<Held> held;
    for (int i = 0; i < 5000; ++i) {
        if (random.below(2) == 0 && !held.empty()) {
            const auto which = random.below(held.size());
            pool.release(held[which].address, held[which].size);
            held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
            continue;
        }
        const auto size = static_cast<std::uint32_t>(random.below(500));
        const auto address = pool.allocate(size);
        if (!address) continue;
        BOOST_TEST_REQUIRE(*address >= kBase);
        BOOST_TEST_REQUIRE(*address + size <= kBase + 4096);
        for (const Held& other : held) {
            BOOST_TEST_REQUIRE((*address + BufferPool::rounded(size) <= other.address ||
                                other.address + BufferPool::rounded(other.size) <= *address));
        }
        held.push_back({*address, size});
    }
    for (const Held& each : held) pool.release(each.address, each.size);
    BOOST_TEST(pool.used() == 0u);
    BOOST_TEST(pool.allocate(4096).value() == kBase);
}

BOOST_AUTO_TEST_CASE(a_buffer_is_not_released_twice)
{
    BufferPool pool(kBase, 1024);
    const auto address = pool.allocate(100).value();
    pool.release(address, 100);
    BOOST_CHECK_THROW(pool.release(address, 100), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
