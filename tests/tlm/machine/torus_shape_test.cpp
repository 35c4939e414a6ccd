// SPDX-License-Identifier: Apache-2.0
#include "tlm/machine/torus_shape.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;

struct Sizes {
    std::vector<std::int64_t> of;
    std::int64_t nodes() const
    {
        std::int64_t product = 1;
        for (const auto size : of) product *= size;
        return product;
    }
    friend std::ostream& operator<<(std::ostream& out, const Sizes& sizes)
    {
        for (const auto size : sizes.of) out << size << ' ';
        return out;
    }
};

const std::vector<Sizes> kShapes{{{2}},    {{5}},       {{3, 3}},       {{4, 3}},
                                 {{3, 4}}, {{4, 3, 2}}, {{2, 2, 2, 2}}, {{2, 3, 5, 4}}};

/// A wrong list of sizes, and its message.
struct Wrong {
    std::vector<std::int64_t> sizes;
    std::string message;
    friend std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.message; }
};

const std::string kDimensions = "a torus has 1 to 4 dimensions; write such as [8] for a ring, [4, 4] for a torus";
const std::string kTooMany =
    "more than 65536 nodes, which node numbers of 16 bits cannot tell apart; write smaller dimensions";
const std::vector<Wrong> kWrong{
    {{}, kDimensions},
    {{2, 2, 2, 2, 2}, kDimensions},
    {{1}, "1 nodes on a ring; write 2 to 4096 for each dimension"},
    {{0, 8}, "0 nodes on a ring; write 2 to 4096 for each dimension"},
    {{8, -8}, "-8 nodes on a ring; write 2 to 4096 for each dimension"},
    {{4097}, "4097 nodes on a ring; write 2 to 4096 for each dimension"},
    {{2, INT64_MAX}, "9223372036854775807 nodes on a ring; write 2 to 4096 for each dimension"},
    {{256, 257}, kTooMany},
    {{4096, 17}, kTooMany},
    {{16, 16, 16, 17}, kTooMany},
    {{4096, 4096, 4096, 4096}, kTooMany},
};

const auto kAllShapes = data::make(kShapes);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(torus_shape)

BOOST_DATA_TEST_CASE(a_wrong_size_is_told_with_its_cure, data::make(kWrong), wrong)
{
    BOOST_TEST(TorusShape::problem_of(wrong.sizes) == wrong.message);
    BOOST_CHECK_THROW(TorusShape{wrong.sizes}, ModelError);
}

BOOST_DATA_TEST_CASE(the_largest_and_smallest_sizes_are_allowed,
                     data::make({Sizes{{2}}, Sizes{{4096}}, Sizes{{256, 256}}, Sizes{{4096, 16}}, Sizes{{2, 8, 4096}},
                                 Sizes{{16, 16, 16, 16}}}),
                     sizes)
{
    BOOST_TEST(TorusShape::problem_of(sizes.of) == "");
    BOOST_TEST(TorusShape(sizes.of).nodes() == sizes.nodes());
}

BOOST_DATA_TEST_CASE(it_is_as_large_as_its_sizes_say, kAllShapes, sizes)
{
    const TorusShape shape(sizes.of);
    BOOST_TEST(shape.nodes() == sizes.nodes());
    BOOST_TEST_REQUIRE(shape.dimensions() == sizes.of.size());
    std::string text;
    for (unsigned d = 0; d < shape.dimensions(); ++d) {
        BOOST_TEST(shape.size(d) == sizes.of[d]);
        text += (d == 0 ? "" : "x") + std::to_string(sizes.of[d]);
    }
    BOOST_TEST(shape.text() == text);
}

BOOST_DATA_TEST_CASE(node_numbers_count_along_the_first_dimension_first, kAllShapes, sizes)
{
    const TorusShape shape(sizes.of);
    for (unsigned node = 0; node < shape.nodes(); ++node) {
        std::int64_t number = 0;
        for (std::size_t d = sizes.of.size(); d-- > 0;) {
            const unsigned coordinate = shape.coordinate(node, static_cast<unsigned>(d));
            BOOST_TEST(coordinate < sizes.of[d]);
            number = number * sizes.of[d] + coordinate;
        }
        BOOST_TEST(number == node);
    }
}

BOOST_DATA_TEST_CASE(moving_changes_one_coordinate_alone, kAllShapes, sizes)
{
    const TorusShape shape(sizes.of);
    for (unsigned node = 0; node < shape.nodes(); ++node) {
        for (unsigned d = 0; d < shape.dimensions(); ++d) {
            for (unsigned to = 0; to < shape.size(d); ++to) {
                const unsigned moved = shape.moved(node, d, to);
                BOOST_TEST_REQUIRE(moved < shape.nodes());
                for (unsigned other = 0; other < shape.dimensions(); ++other) {
                    BOOST_TEST(shape.coordinate(moved, other) == (other == d ? to : shape.coordinate(node, other)));
                }
            }
        }
    }
}

BOOST_DATA_TEST_CASE(the_next_node_is_one_link_away_and_a_round_leads_back, kAllShapes, sizes)
{
    const TorusShape shape(sizes.of);
    for (unsigned node = 0; node < shape.nodes(); ++node) {
        for (unsigned d = 0; d < shape.dimensions(); ++d) {
            BOOST_TEST(shape.distance(node, shape.next(node, d), d) == 1u);
            unsigned at = node;
            for (unsigned links = 0; links < shape.size(d); ++links) {
                BOOST_TEST(shape.distance(node, at, d) == links);
                BOOST_TEST(shape.distance(at, node, d) == (shape.size(d) - links) % shape.size(d));
                at = shape.next(at, d);
            }
            BOOST_TEST(at == node);
        }
    }
}

BOOST_DATA_TEST_CASE(two_nodes_are_on_one_ring_if_they_differ_in_its_dimension_alone, kAllShapes, sizes)
{
    const TorusShape shape(sizes.of);
    for (unsigned d = 0; d < shape.dimensions(); ++d) {
        std::map<unsigned, std::set<unsigned>> rings;
        for (unsigned node = 0; node < shape.nodes(); ++node) {
            rings[shape.ring(node, d)].insert(node);
            for (unsigned other = 0; other < shape.nodes(); ++other) {
                const bool together = shape.moved(other, d, shape.coordinate(node, d)) == node;
                BOOST_TEST((shape.ring(node, d) == shape.ring(other, d)) == together);
            }
        }
        BOOST_TEST(rings.size() == shape.nodes() / shape.size(d));
        BOOST_TEST(rings.rbegin()->first == rings.size() - 1);
        for (const auto& [ring, nodes] : rings) BOOST_TEST(nodes.size() == shape.size(d));
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
