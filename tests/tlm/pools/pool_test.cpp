// SPDX-License-Identifier: Apache-2.0
#include "tlm/pools/pool.h"

#include <boost/test/unit_test.hpp>

#include <set>
#include <vector>

namespace {

using ringmesh::Pool;

struct Thing {
    int value = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(pool)

BOOST_AUTO_TEST_CASE(objects_in_use_are_all_different_and_keep_their_contents)
{
    Pool<Thing> pool;
    std::vector<Thing*> things;
    for (int i = 0; i < 1000; ++i) {
        things.push_back(&pool.acquire());
        things.back()->value = i;
    }
    BOOST_TEST(std::set<Thing*>(things.begin(), things.end()).size() == 1000u);
    for (int i = 0; i < 1000; ++i) BOOST_TEST(things[static_cast<std::size_t>(i)]->value == i);
    for (Thing* thing : things) pool.release(*thing);
}

BOOST_AUTO_TEST_CASE(nothing_is_left_of_an_objects_last_life)
{
    Pool<Thing> pool;
    Thing& first = pool.acquire();
    first.value = 7;
    pool.release(first);
    Thing& second = pool.acquire();
    BOOST_TEST(second.value == 0);
    pool.release(second);
}

#if !defined(NDEBUG) && !defined(RINGMESH_SANITIZED)
BOOST_AUTO_TEST_CASE(a_released_object_is_overwritten_in_debug_builds)
{
    Pool<Thing> pool;
    Thing& released = pool.acquire();
    released.value = 7;
    pool.release(released);
    BOOST_TEST(released.value != 7);
    BOOST_TEST(released.value != 0);
}
#endif

BOOST_AUTO_TEST_CASE(it_knows_how_many_objects_are_in_use)
{
    Pool<Thing> pool;
    BOOST_TEST(pool.in_use() == 0u);
    Thing& first = pool.acquire();
    Thing& second = pool.acquire();
    BOOST_TEST(pool.in_use() == 2u);
    pool.release(first);
    BOOST_TEST(pool.in_use() == 1u);
    pool.release(second);
    BOOST_TEST(pool.in_use() == 0u);
}

#ifndef RINGMESH_SANITIZED

BOOST_AUTO_TEST_CASE(a_steady_state_uses_the_same_objects_again)
{
    Pool<Thing> pool;
    std::set<Thing*> seen;
    for (int round = 0; round < 100; ++round) {
        std::vector<Thing*> things;
        for (int i = 0; i < 64; ++i) things.push_back(&pool.acquire());
        seen.insert(things.begin(), things.end());
        for (Thing* thing : things) pool.release(*thing);
    }
    BOOST_TEST(seen.size() == 64u);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
