// SPDX-License-Identifier: Apache-2.0
/// Where values come from stands beside them, in [provenance."KEY"]; and a value that is set without effect is refused.
#include <ostream>
#include <string>
#include <vector>

#include "tests/platforms/configuration/configuration_fixture.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"

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

const std::string kArbiter = "link.arbiter = \"fixed\"\n[provenance.\"link.arbiter\"]\nfrom = \"assumed\"\n";
const std::string kOnArbiter = ": provenance.\"link.arbiter\": ";
const std::string kRange = "low = \"50 MHz\"\nhigh = \"70 MHz\"\n";
const std::string kNote = "note = \"why\"\n";
const std::string kOnClock = ": provenance.\"clock\": ";

const std::vector<Mistake> kMistakes{
    {kClock + "from = \"assumed\"\nlow = \"61 MHz\"\nhigh = \"70 MHz\"\n" + kNote,
     ":6" + kOnClock + "low = \"61 MHz\" is above clock = \"60 MHz\" (line 3); write a range that contains the value"},
    {kClock + "from = \"assumed\"\nlow = \"50 MHz\"\nhigh = \"59 MHz\"\n" + kNote,
     ":7" + kOnClock + "high = \"59 MHz\" is below clock = \"60 MHz\" (line 3); write a range that contains the value"},
    {kClock + "from = \"assumed\"\nlow = \"70 MHz\"\nhigh = \"50 MHz\"\n" + kNote,
     ":6" + kOnClock + "low = \"70 MHz\" is above high = \"50 MHz\"; exchange them"},
    {kClock + "from = \"assumed\"\nlow = \"60 MHz\"\nhigh = \"60 MHz\"\n" + kNote,
     ":6" + kOnClock +
         "low = \"60 MHz\" and high = \"60 MHz\" leave no range; widen it, or name the source that gives the one "
         "value, "
         "with from = \"spec\""},
    {kClock + "from = \"assumed\"\nlow = \"50\"\nhigh = \"70 MHz\"\n" + kNote,
     ":6" + kOnClock + "low = \"50\": a frequency needs a unit; write \"50 MHz\""},
    {kClock + "from = \"assumed\"\nlow = \"50 MHz\"\nhigh = \"7 GHz\"\n" + kNote,
     ":7" + kOnClock + "high = \"7 GHz\" is not an allowed value; write one from \"1 MHz\" to \"999 MHz\""},
    {kClock + "from = \"assumed\"\n" + kRange, ":5" + kOnClock + "a range without a reason; write note = \"...\""},
    {kClock + "from = \"assumed\"\n" + kRange + "note = \"   \"",
     ":5" + kOnClock + "a range without a reason; write note = \"...\""},
    {kClock + "from = \"assumed\"\n" + kNote,
     ":5" + kOnClock + "assumed without a range; write low and high, between which the value could physically lie"},
    {kClock + "from = \"calibrated\"\nset_by = [\"a.row\"]\n" + kNote,
     ":5" + kOnClock + "calibrated without a range; write low and high, between which the value could physically lie"},
    {kClock + "from = \"derived\"\nsource = \"LC2\"\n" + kNote,
     ":5" + kOnClock + "derived without a range; write low and high, between which the value could physically lie"},
    {kClock + "from = \"assumed\"\nlow = \"50 MHz\"\n" + kNote,
     ":6" + kOnClock + "half a range; write both low and high"},
    {kClock + "from = \"what-if\"", ":5" + kOnClock + "what-if without a reason; write note = \"...\""},
    {kClock + "from = \"what-if\"\n" + kRange + kNote, ":6" + kOnClock + "a what-if has no range; remove low and high"},
    {kClock + "from = \"model\"\n" + kNote,
     ":5" + kOnClock + "a number is the machine's; \"model\" is for choices of how it is simulated"},
    {kClock + "source = \"000 1\"",
     ":4" + kOnClock + "no from; write one of seed, spec, derived, calibrated, assumed, model, what-if"},
    {"clock = \"60 MHz\"\n[link]\ncable = \"2 m\"\n[provenance.\"link.cable\"]\n",
     ":6: provenance.\"link.cable\": no from; write one of seed, spec, derived, calibrated, assumed, model, what-if"},
    {"[provenance]\n\"link.cable\" = \"seed\"",
     ":4: provenance.\"link.cable\" = \"seed\": write [provenance.\"KEY\"] with from = \"...\""},
    {kClock + "from = \"guess\"",
     ":5" + kOnClock +
         "from = \"guess\": no such word; write one of seed, spec, derived, calibrated, assumed, model, what-if"},
    {kClock + "from = \"seed\"",
     ":5" + kOnClock +
         "seed without a source; write source = \"TAG place\" with a tag of docs/reference/evidence/sources.md"},
    {kClock + "from = \"calibrated\"\n" + kRange + kNote,
     ":5" + kOnClock + "calibrated by no row; write set_by = [\"ID\"] with the published rows that set the value"},
    {kClock + "from = \"spec\"\nsource = \"LC2\"\nset_by = [\"a.row\"]",
     ":7" + kOnClock + "set_by is for calibrated values; write from = \"calibrated\", or remove set_by"},
    {kClock + "from = \"calibrated\"\nset_by = \"a.row\"",
     ":6" + kOnClock + "set_by = \"a.row\": not a list of texts; write it such as [\"...\"]"},
    {kClock + "form = \"seed\"", ":5" + kOnClock + "form = \"seed\": unknown entry; did you mean 'from'?"},
    {"[provenence.clock]\nfrom = \"seed\"", ":4: unknown key 'provenence.clock.from'; did you mean 'provenance'?"},
    {"provenance = 3", ":3: provenance = 3: write [provenance.\"KEY\"] with from = \"...\""},
    {"[provenance.clock]\nfrom = \"assumed\"",
     ":3" + kOnClock + "this file does not set that key; set it, or remove the table"},
    {"clock = \"60 MHz\"\n[provenance.clokc]\nfrom = \"assumed\"",
     ":4: provenance.\"clokc\": this file does not set that key; did you mean 'clock'?"},
    {"checks = true\n[provenance.checks]\nfrom = \"assumed\"\nlow = 0\nhigh = 1\n" + kNote,
     ":6: provenance.\"checks\": a boolean has no range; remove low and high"},
    {kClock + "from = \"assumed\"\nalternatives = [\"50 MHz\"]\n" + kRange + kNote,
     ":6" + kOnClock + "alternatives are for choices; write low and high"},
    {kArbiter + "alternatives = [\"fixd\"]\n" + kNote,
     ":6" + kOnArbiter + "alternatives: no such choice as 'fixd'; did you mean 'fixed'?"},
    {kArbiter + "alternatives = [\"fixed\"]\n" + kNote,
     ":6" + kOnArbiter + "alternatives: 'fixed' is the value; leave it out"},
};

const std::vector<std::string> kWithoutRange{kClock + "from = \"what-if\"\n",
                                             kClock + "from = \"spec\"\nsource = \"LC2\"\n", kArbiter,
                                             "checks = true\n[provenance.checks]\nfrom = \"assumed\"\n"};

/// A parameter that has an effect only in one mode, as machines have them.
struct ModalParams {
    std::string mode = "path";
    std::string arbiter = "fixed";
    Duration latency = 300_ns;
    void visit(ParameterVisitor& visitor)
    {
        visitor.when("mode", {"flit"}, [&] {
            visitor.choice({"arbiter", "Arbiter"}, arbiter, {"fixed", "oldest"});
            visitor.field({"latency", "Its latency"}, latency, {0_ns, 1_us});
        });
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

BOOST_DATA_TEST_CASE_F(ConfigurationFixture, a_range_may_end_at_the_value,
                       data::make({"low = \"60 MHz\"\nhigh = \"61 MHz\"\n", "low = \"59 MHz\"\nhigh = \"60 MHz\"\n"}),
                       range)
{
    BOOST_TEST(error_of([&] { read(with(kClock + "from = \"assumed\"\n" + range + kNote)); }) == "no error");
}

BOOST_DATA_TEST_CASE_F(ConfigurationFixture, what_has_no_range_needs_none, data::make(kWithoutRange), written)
{
    BOOST_TEST(error_of([&] { read(with(written + kNote)); }) == "no error");
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

/// The value without the setting: the platform file's, or the default if that has none.
BOOST_AUTO_TEST_CASE(a_value_that_is_written_out_as_it_is_without_effect_is_no_mistake)
{
    Configuration by_default = with("");
    by_default.set("arbiter=fixed");
    by_default.set("latency=300ns");
    BOOST_TEST(refusal_of(by_default) == "no error");
    Configuration of_file = with("arbiter = \"oldest\"\nlatency = \"0.40 us\"\n");
    of_file.overlay(folder.write("o.toml", "description = \"x\"\narbiter = \"oldest\"\n"));
    of_file.set("latency=400 ns");
    BOOST_TEST(refusal_of(of_file) == "no error");
    of_file.set("arbiter=fixed");
    BOOST_TEST(refusal_of(of_file).starts_with("--set arbiter=fixed: "));
    of_file.set("arbiter=oldest");
    of_file.set("latency=300ns");
    BOOST_TEST(refusal_of(of_file).starts_with("--set latency=300ns: "));
}

BOOST_AUTO_TEST_CASE(a_value_of_a_file_without_effect_is_refused_in_an_overlay_and_stays_in_a_platform)
{
    Configuration configuration = with("mode = \"flit\"\narbiter = \"oldest\"\n");
    configuration.set("mode=path");
    BOOST_TEST(refusal_of(configuration) == "no error");
    configuration.overlay(folder.write("o.toml", "description = \"x\"\narbiter = \"fixed\"\n"));
    BOOST_TEST(
        refusal_of(configuration)
            .ends_with(
                "o.toml:2: arbiter = \"fixed\": has no effect while mode = \"path\"; set mode=flit, or leave it out"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
