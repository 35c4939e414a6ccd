// SPDX-License-Identifier: Apache-2.0
/// Where values come from stands beside them, in [provenance."KEY"]; and a value that is set without effect is refused.
#include <ostream>
#include <string>
#include <vector>

#include "tests/cases.h"
#include "tests/platforms/configuration_fixture.h"
#include "tests/platforms/user_error.h"

using namespace ringmesh;
using namespace ringmesh::platforms::test;
using ringmesh::platforms::Configuration;
using ringmesh::test::error_of;

namespace {

struct Mistake {
    std::string written;  ///< from line 3 of the file on
    std::string message;  ///< a part of it
    friend std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.written; }
};

const std::string kClock = "clock = \"60 MHz\"\n[provenance.clock]\n";

const std::vector<Mistake> kMistakes{
    {kClock + "from = \"assumed\"\nlow = \"61 MHz\"\nhigh = \"70 MHz\"\nnote = \"why\"",
     ":5: provenance.\"clock\": low = \"61 MHz\", high = \"70 MHz\": clock = \"60 MHz\" of line 3 lies outside; write "
     "a "
     "range that has it in"},
    {kClock + "from = \"assumed\"\nlow = \"50 MHz\"\nhigh = \"59 MHz\"\nnote = \"why\"", " of line 3 lies outside; "},
    {kClock + "from = \"assumed\"\nlow = \"50\"\nhigh = \"70 MHz\"\nnote = \"why\"",
     ": low = \"50\": a frequency needs"},
    {kClock + "from = \"assumed\"\nlow = \"50 MHz\"\nhigh = \"7 GHz\"\nnote = \"why\"",
     " = \"7 GHz\" is no allowed value; "},
    {kClock + "from = \"assumed\"\nlow = \"50 MHz\"\nhigh = \"70 MHz\"", ": a range without its reason; write note = "},
    {kClock + "from = \"assumed\"\nlow = \"50 MHz\"\nnote = \"why\"", ": half a range; write both low and high"},
    {kClock + "source = \"000 1\"", ": no from; write one of seed, spec, derived, calibrated, assumed"},
    {kClock + "from = \"guess\"", "provenance.clock.from = \"guess\": no such provenance; write one of seed, spec, "},
    {kClock + "from = \"seed\"", ": no source; write source = \"TAG place\" with a tag of docs/sources.md"},
    {kClock + "from = \"calibrated\"", ": calibrated by no row; write set_by = [\"ID\"] with the published rows that "},
    {kClock + "from = \"spec\"\nsource = \"LC2\"\nset_by = [\"a.row\"]",
     ": set_by is for calibrated values; write from = "},
    {kClock + "from = \"calibrated\"\nset_by = \"a.row\"",
     ":6: provenance.clock.set_by = \"a.row\": not a list of texts; "},
    {kClock + "form = \"seed\"", ":5: unknown key 'form' of provenance.\"clock\"; did you mean 'from'?"},
    {"provenance = 3", ":3: provenance = 3: write [provenance.\"KEY\"] with from = \"...\""},
    {"[provenance.clock]\nfrom = \"assumed\"",
     ":4: provenance.\"clock\": this file does not set clock; set it, or remove "},
    {"checks = true\n[provenance.checks]\nfrom = \"assumed\"\nlow = 0\nhigh = 1\nnote = \"why\"",
     ": a boolean has no range; "},
    {"clock = \"60 MHz\"\n[provenance.clock]\nfrom = \"assumed\"\nalternatives = [\"50 MHz\"]\nnote = \"why\"",
     ": alternatives are for choices; write low and high"},
    {"link.arbiter = \"fixed\"\n[provenance.\"link.arbiter\"]\nfrom = \"assumed\"\nalternatives = [\"fixd\"]\nnote = "
     "\"w\"",
     ": alternatives: 'fixd' is no such choice; did you mean 'fixed'?"},
};

/// A parameter that has an effect only in one mode, as machines have them.
struct ModalParams {
    std::string mode = "path";
    std::string arbiter = "fixed";
    void visit(ParameterVisitor& visitor)
    {
        visitor.when("mode", {"flit"}, [&] { visitor.choice({"arbiter", "Arbiter"}, arbiter, {"fixed", "oldest"}); });
        visitor.choice({"mode", "Mode"}, mode, {"path", "flit"});
    }
};

std::string refusal_of(const Configuration& configuration)
{
    return error_of([&] {
        ModalParams params;
        configuration.read_into(params);
    });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_FIXTURE_TEST_SUITE(provenance, ConfigurationFixture)

BOOST_DATA_TEST_CASE_F(ConfigurationFixture, a_mistake_is_told_with_file_line_key_value_and_cure, data::make(kMistakes),
                       mistake)
{
    const std::string error = error_of([&] { read(with(mistake.written + '\n')); });
    BOOST_TEST(error.find(mistake.message) != std::string::npos, error);
}

BOOST_AUTO_TEST_CASE(a_range_may_end_at_the_value)
{
    const std::string range = "from = \"assumed\"\nlow = \"60 MHz\"\nhigh = \"60 MHz\"\nnote = \"why\"\n";
    BOOST_TEST(error_of([&] { read(with(kClock + range)); }) == "no error");
}

BOOST_AUTO_TEST_CASE(the_range_of_a_file_is_checked_against_its_own_value_whatever_is_set_later)
{
    const std::string range = "from = \"assumed\"\nlow = \"55 MHz\"\nhigh = \"65 MHz\"\nnote = \"why\"\n";
    Configuration configuration = with(kClock + range);
    configuration.set("clock=90 MHz");
    BOOST_TEST(read(configuration).clock.hz() == (90_MHz).hz());
}

BOOST_AUTO_TEST_CASE(rows_tell_what_the_file_says_and_an_overlays_value_is_assumed_by_the_overlay)
{
    Configuration configuration = with("fifo = \"1 KiB\"\nlatency = \"2 cycles\"\n" + kClock +
                                       "from = \"calibrated\"\nset_by = [\"a.row\", \"b.row\"]\nlow = \"50 MHz\"\n"
                                       "high = \"70 MHz\"\nnote = \"why\"\n"
                                       "[provenance.fifo]\nfrom = \"spec\"\nsource = \"LC2 p.3\"\n");
    configuration.overlay(folder.write("o.toml", "description = \"x\"\nfifo = \"2 KiB\"\n"));
    const auto rows = configuration.rows_of(read(configuration));
    const auto origin = [&rows](const std::string& key) {
        for (const ParameterRow& row : rows) {
            if (row.key == key) return row.origin;
        }
        throw std::runtime_error("no " + key);
    };
    BOOST_TEST((origin("clock").from == Provenance::kCalibrated));
    BOOST_TEST(origin("clock").set_by == (std::vector<std::string>{"a.row", "b.row"}),
               boost::test_tools::per_element());
    BOOST_TEST(origin("clock").low == "50 MHz");
    BOOST_TEST(origin("clock").high == "70 MHz");
    BOOST_TEST(origin("clock").note == "why");
    BOOST_TEST((origin("fifo").from == Provenance::kAssumed));
    BOOST_TEST(origin("fifo").source.ends_with("o.toml:2"));
    BOOST_TEST(origin("latency").source.ends_with("wulfkit-ring.toml:4"));
    BOOST_TEST(origin("load").source == "no file sets it");
}

BOOST_AUTO_TEST_CASE(a_value_that_is_set_without_effect_is_refused_with_what_would_give_it_one)
{
    Configuration configuration = with("");
    configuration.set("arbiter=oldest");
    BOOST_TEST(refusal_of(configuration) ==
               "--set arbiter=oldest: arbiter = \"oldest\": has no effect while mode = \"path\"; set mode=flit, or "
               "leave it out");
    configuration.set("mode=flit");
    BOOST_TEST(refusal_of(configuration) == "no error");
}

BOOST_AUTO_TEST_CASE(a_value_of_a_file_without_effect_is_refused_in_an_overlay_and_stays_in_a_platform)
{
    Configuration configuration = with("mode = \"flit\"\narbiter = \"oldest\"\n");
    configuration.set("mode=path");
    BOOST_TEST(refusal_of(configuration) == "no error");
    configuration.overlay(folder.write("o.toml", "description = \"x\"\narbiter = \"oldest\"\n"));
    BOOST_TEST(
        refusal_of(configuration)
            .ends_with(
                "o.toml:2: arbiter = \"oldest\": has no effect while mode = \"path\"; set mode=flit, or leave it out"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
