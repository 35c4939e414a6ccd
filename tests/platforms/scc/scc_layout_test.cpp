// SPDX-License-Identifier: Apache-2.0
#include "platforms/scc/layout.h"

#include <ostream>
#include <vector>

#include "hw/mesh/params.h"
#include "hw/route_graph.h"
#include "tests/support/cases.h"

namespace ringmesh::platforms::scc_layout_test {
namespace {

std::vector<unsigned> ranges(std::initializer_list<std::pair<unsigned, unsigned>> all)
{
    std::vector<unsigned> numbers;
    for (const auto& [first, last] : all) {
        for (unsigned i = first; i <= last; ++i) numbers.push_back(i);
    }
    return numbers;
}

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(scc_layout)

BOOST_AUTO_TEST_CASE(the_chip_has_48_cores_behind_four_controllers)
{
    const SccLayout chip(6, 4);
    BOOST_TEST(chip.cores() == 48u);
    BOOST_TEST(chip.controllers() == 4u);
    BOOST_TEST(chip.cores_of(0) == ranges({{0, 5}, {12, 17}}), boost::test_tools::per_element());    // [KIT]
    BOOST_TEST(chip.cores_of(1) == ranges({{6, 11}, {18, 23}}), boost::test_tools::per_element());   // [KIT]
    BOOST_TEST(chip.cores_of(2) == ranges({{24, 29}, {36, 41}}), boost::test_tools::per_element());  // [KIT]
    BOOST_TEST(chip.cores_of(3) == ranges({{30, 35}, {42, 47}}), boost::test_tools::per_element());  // [KIT]
    BOOST_TEST((chip.controller_terminal(0) == mesh::Terminal{0, 0, mesh::Port::kWest}));
    BOOST_TEST((chip.controller_terminal(1) == mesh::Terminal{5, 0, mesh::Port::kEast}));
    BOOST_TEST((chip.controller_terminal(2) == mesh::Terminal{0, 2, mesh::Port::kWest}));
    BOOST_TEST((chip.controller_terminal(3) == mesh::Terminal{5, 2, mesh::Port::kEast}));
    BOOST_TEST((chip.system_interface() == mesh::Terminal{3, 0, mesh::Port::kSouth}));
}

BOOST_AUTO_TEST_CASE(the_thesis_partners_stand_at_0_1_3_5_and_8_hops_from_core_0)
{
    const SccLayout chip(6, 4);
    BOOST_TEST(chip.hops(0, 1) == 0u);   // [004 3.2]
    BOOST_TEST(chip.hops(0, 2) == 1u);   // [004 3.2]
    BOOST_TEST(chip.hops(0, 37) == 3u);  // [004 3.2]
    BOOST_TEST(chip.hops(0, 10) == 5u);  // [004 3.2]
    BOOST_TEST(chip.hops(0, 47) == 8u);  // [004 3.2]
}

BOOST_DATA_TEST_CASE(each_core_has_one_controller_and_none_is_nearer_in_its_half,
                     data::make(std::vector<unsigned>{1, 2, 3, 6, 8}) * data::make(std::vector<unsigned>{1, 2, 4}),
                     columns, rows)
{
    const SccLayout chip(columns, rows);
    std::size_t served = 0;
    for (unsigned controller = 0; controller < chip.controllers(); ++controller) {
        served += chip.cores_of(controller).size();
    }
    BOOST_TEST(served == chip.cores());
    for (unsigned core = 0; core < chip.cores(); ++core) {
        const unsigned across = chip.controller_of(core) ^ 1U;  // the other one of its row
        const auto here = chip.terminal(chip.tile_of(core));
        const auto there = chip.controller_terminal(across);
        const unsigned other = static_cast<unsigned>(std::abs(here.x - there.x) + std::abs(here.y - there.y));
        BOOST_TEST(chip.hops_to_memory(core) <= other);
    }
}

BOOST_AUTO_TEST_CASE(absent_tiles_have_no_numbers)
{
    hw::MeshParams params;
    params.holes = "r1_0 r5_3";
    const SccLayout chip(params.grid(), {});
    BOOST_TEST(chip.tiles() == 22u);
    BOOST_TEST((chip.terminal(1) == mesh::Terminal{2, 0, mesh::Port::kLocal}));
    BOOST_TEST(chip.hops(0, 2) == 4u);  // round the hole
    params.holes = "r3_0";
    BOOST_TEST((SccLayout(params.grid(), {}).system_interface() == mesh::Terminal{0, 0, mesh::Port::kSouth}));
    BOOST_TEST(chip.controller_of(2) == 0u);
}

BOOST_AUTO_TEST_CASE(placed_controllers_serve_the_nearest_tiles_and_those_that_are_given)
{
    const SccPlaces places{.controllers = "r0_3.north, r5_0.south", .serves = {{"0..1", 1}}};
    const SccLayout chip(hw::MeshGrid(6, 4), places);
    BOOST_TEST(chip.controllers() == 2u);
    BOOST_TEST((chip.controller_terminal(0) == mesh::Terminal{0, 3, mesh::Port::kNorth}));
    BOOST_TEST((chip.system_interface() == mesh::Terminal{3, 0, mesh::Port::kSouth}));
    BOOST_TEST(chip.controller_of(0) == 1u);
    BOOST_TEST(chip.controller_of(3) == 1u);
    BOOST_TEST(chip.controller_of(2 * 18) == 0u);
    BOOST_TEST(chip.hops_to_memory(2 * 18) == 0u);
    for (unsigned core = 4; core < chip.cores(); ++core) {
        BOOST_TEST(chip.hops_to_memory(core) <= chip.hops_to_memory(core, 1 - chip.controller_of(core)));
    }
}

/// Written out, and in another order, where each tile goes to the nearest: the SCC has no other.
BOOST_AUTO_TEST_CASE(controllers_placed_where_the_scc_has_them_serve_the_same_tiles)
{
    const SccLayout chip(6, 4);
    const SccLayout same(hw::MeshGrid(6, 4), {.controllers = "r0_0.west, r5_0.east, r0_2.west, r5_2.east"});
    const SccLayout turned(hw::MeshGrid(6, 4), {.controllers = "r0_2.west, r5_2.east, r0_0.west, r5_0.east"});
    for (unsigned core = 0; core < chip.cores(); ++core) {
        BOOST_TEST(same.controller_of(core) == chip.controller_of(core));
        BOOST_TEST(turned.controller_of(core) == (chip.controller_of(core) + 2) % 4);
    }
    // Of an odd number of columns as well
    const SccLayout odd(5, 4);
    const SccLayout odd_again(hw::MeshGrid(5, 4), {.controllers = "r0_0.west r4_0.east r0_2.west r4_2.east"});
    for (unsigned core = 0; core < odd.cores(); ++core) {
        BOOST_TEST(odd_again.controller_of(core) == odd.controller_of(core));
    }
}

struct Misplaced {
    SccPlaces places;
    const char* key;
    friend std::ostream& operator<<(std::ostream& out, const Misplaced& wrong) { return out << wrong.key; }
};

BOOST_DATA_TEST_CASE(what_stands_where_nothing_can_is_refused,
                     data::make(std::vector<Misplaced>{
                         {{.controllers = "r0_0.east"}, "layout.controllers"},
                         {{.controllers = "r9_0.east"}, "layout.controllers"},
                         {{.controllers = "r0_0.west r0_0.west"}, "layout.controllers"},
                         {{.controllers = "r0_0.local"}, "layout.controllers"},
                         {{.controllers = ","}, "layout.controllers"},
                         {{.serves = {{"0..24", 0}}}, "layout.serves.0..24"},
                         {{.serves = {{"all", 0}}}, "layout.serves.all"},
                         {{.serves = {{"3", 4}}}, "layout.serves.3"},
                         {{.serves = {{"3", 1}, {"2..3", 1}}}, "layout.serves.2..3"},
                     }),
                     wrong)
{
    std::string key;
    try {
        const SccLayout chip(hw::MeshGrid(6, 4), wrong.places);
    } catch (const hw::GraphProblem& problem) {
        key = problem.key;
    }
    BOOST_TEST(key == wrong.key);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::platforms::scc_layout_test
