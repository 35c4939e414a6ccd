// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "platforms/configuration.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/libraries/rcce/printing.h"
#include "tlm/error.h"
#include "tlm/parameters/parameter_list.h"
#include "workloads/libraries/rcce/options.h"
#include "workloads/libraries/rcce/transfer.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads::rcce;
using ringmesh::workloads::rcce::Layout;  // of a message-passing buffer, not of a network

constexpr std::uint32_t kLine = SccProcessor::kLine;
constexpr std::uint32_t kBuffer = SccProcessor::kMessageBuffer;

/// The state after init: the barrier of all cores takes two flags.
Layout with_world(Version version, std::uint32_t cores)
{
    Layout layout(version, cores);
    layout.add_flag();
    layout.add_flag();
    return layout;
}

/// The options as --library sets them.
LibraryOptions set(const std::vector<std::string>& assignments)
{
    LibraryOptions options;
    platforms::read_assignments(assignments, "--library rcce",
                                [&](ParameterVisitor& visitor) { options.visit(visitor); });
    return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(rcce_layout)

BOOST_AUTO_TEST_CASE(on_48_cores_the_versions_leave_8032_and_5024_bytes)  // [RCCE]
{
    BOOST_TEST(with_world(Version::k1_1, 48).payload() == 8032u);
    BOOST_TEST(with_world(Version::k1_0_13, 48).payload() == 5024u);
}

BOOST_DATA_TEST_CASE(payload_is_what_the_dummy_line_and_two_flags_a_core_and_two_for_the_barrier_leave,
                     data::xrange(1u, 127u), cores)
{
    const std::uint32_t flags = 2 * cores + 2;
    BOOST_TEST(with_world(Version::k1_1, cores).payload() == kBuffer - kLine - (flags + kLine - 1) / kLine * kLine);
    BOOST_TEST(with_world(Version::k1_0_13, cores).payload() == kBuffer - kLine - flags * kLine);
}

BOOST_DATA_TEST_CASE(no_two_flags_share_a_byte_nor_one_with_the_dummy_line_or_the_payload,
                     data::make({Version::k1_1, Version::k1_0_13}), version)
{
    const Layout layout = with_world(version, 48);
    std::set<std::uint32_t> places;
    for (unsigned core = 0; core < 48; ++core) {
        places.insert(layout.offset(layout.sent(core)));
        places.insert(layout.offset(layout.ready(core)));
    }
    places.insert(layout.offset(layout.flags() - 2));
    places.insert(layout.offset(layout.flags() - 1));
    BOOST_TEST(places.size() == 2u * 48 + 2);
    BOOST_TEST(*places.begin() >= kLine);
    BOOST_TEST(*places.rbegin() < layout.payload_offset());
    BOOST_TEST(layout.payload_offset() + layout.payload() == kBuffer);
}

BOOST_AUTO_TEST_CASE(flags_of_1_0_13_have_a_line_each)
{
    const Layout layout = with_world(Version::k1_0_13, 48);
    std::set<std::uint32_t> lines;
    for (Flag flag = 0; flag < layout.flags(); ++flag) lines.insert(layout.offset(flag) / kLine);
    BOOST_TEST(lines.size() == layout.flags());
}

BOOST_AUTO_TEST_CASE(one_more_flag_takes_a_line_only_if_the_last_one_is_full)
{
    Layout layout(Version::k1_1, 15);  // 30 flags
    const std::uint32_t before = layout.payload();
    layout.add_flag();
    layout.add_flag();
    BOOST_TEST(layout.payload() == before);
    layout.add_flag();
    BOOST_TEST(layout.payload() == before - kLine);
}

BOOST_AUTO_TEST_CASE(flags_that_leave_no_payload_are_an_error)
{
    BOOST_CHECK_NO_THROW(Layout(Version::k1_0_13, 127));
    BOOST_TEST(test::error_of([&] { Layout(Version::k1_0_13, 128); }) ==
               "RCCE 1.0.13: the flags of 128 cores, 256 in all, leave no line of the message-passing buffer for "
               "payload; let fewer cores run the program, or choose version = 1.1, which has 32 flags "
               "to a line");
}

BOOST_DATA_TEST_CASE(a_message_goes_in_full_payloads_then_whole_lines_then_a_padded_line,
                     data::make({32u, 5024u, 8032u}) * data::make({0u, 1u, 3u}) * data::make({0u, 1u, 31u}), payload,
                     full, tail)
{
    for (const std::uint32_t lines : {0u, 1u, payload / kLine - 1}) {
        const std::uint32_t size = full * payload + lines * kLine + tail;
        Transfer transfer{.size = size};
        std::uint32_t pieces = 0;
        while (!transfer.finished()) {
            const std::uint32_t piece = transfer.next(payload);
            const bool in_full = transfer.done < size / payload * payload;
            BOOST_TEST(piece == (in_full ? payload : transfer.left() >= kLine ? size % payload / kLine * kLine : tail));
            transfer.done += piece;
            ++pieces;
        }
        BOOST_TEST(pieces == handshakes(size, payload));
    }
}

BOOST_DATA_TEST_CASE(a_preset_sets_version_and_copies,
                     data::make({"rcce-1.1", "rcce-1.0.13", "ircce", "pichler-2012"}) ^
                         data::make({Version::k1_1, Version::k1_0_13, Version::k1_1, Version::k1_1}) ^
                         data::make({Copies::kPrefetching, Copies::kPlain, Copies::kPipelined, Copies::kPlain}) ^
                         data::make({4, 4, 4, 1}),
                     preset, version, copies, width)
{
    const LibraryOptions options = set({std::string("preset=") + preset});
    BOOST_TEST(options.version == version);
    BOOST_TEST(options.copies == copies);
    BOOST_TEST(options.copy_width == width);
    const LibraryOptions made = LibraryOptions::of(options.preset);
    BOOST_TEST(made.version == version);
    BOOST_TEST(made.copies == copies);
    BOOST_TEST(made.copy_width == width);
}

BOOST_AUTO_TEST_CASE(without_a_preset_it_is_rcce_1_1)
{
    const LibraryOptions bare = set({});
    const LibraryOptions preset = LibraryOptions::of(Preset::kRcce1_1);
    BOOST_TEST(bare.version == preset.version);
    BOOST_TEST(bare.copies == preset.copies);
    BOOST_TEST(bare.copy_width == preset.copy_width);
}

BOOST_AUTO_TEST_CASE(an_option_beside_a_preset_wins_in_any_order_and_however_often_options_are_listed)
{
    LibraryOptions options = set({"copy_width=2", "preset=pichler-2012"});
    for (int i = 0; i < 2; ++i) {
        const auto rows = list_parameters_of([&](ParameterVisitor& visitor) { options.visit(visitor); });
        const auto row =
            std::find_if(rows.begin(), rows.end(), [](const auto& each) { return each.key == "copy_width"; });
        BOOST_TEST_REQUIRE((row != rows.end()));
        BOOST_TEST(row->value == "2");
    }
    BOOST_TEST(options.copies == Copies::kPlain);
    BOOST_TEST(options.version == Version::k1_1);
}

// What only the times of one thesis tell of its library is an input of error bars; what was shipped is none.
BOOST_DATA_TEST_CASE(copies_are_uncertain_in_the_preset_that_was_inferred,
                     data::make({Preset::kRcce1_1, Preset::kPichler2012}) ^ data::make({false, true}), preset,
                     is_uncertain)
{
    LibraryOptions options = LibraryOptions::of(preset);
    const auto rows = list_parameters_of([&](ParameterVisitor& visitor) { options.visit(visitor); });
    const auto row = std::find_if(rows.begin(), rows.end(), [](const auto& each) { return each.key == "copies"; });
    BOOST_TEST_REQUIRE((row != rows.end()));
    BOOST_TEST((row->origin.from == Provenance::kSpec) != is_uncertain);
    BOOST_TEST(row->origin.alternatives.empty() != is_uncertain);
}

BOOST_AUTO_TEST_CASE(a_copy_width_that_no_instruction_has_is_an_error)
{
    for (const int width : {1, 2, 4}) {
        BOOST_CHECK_NO_THROW((LibraryOptions{.copy_width = width, .ircce_copy_width = width}.require_sound()));
    }
    BOOST_CHECK_THROW((LibraryOptions{.copy_width = 3}.require_sound()), UserError);
    BOOST_CHECK_THROW((LibraryOptions{.ircce_copy_width = 3}.require_sound()), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
