// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "lab/figure/chart.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace ringmesh::test::picture_files_test {
namespace {

Ended start(const std::string& arguments) { return ringmesh(words(arguments)); }

const std::string kSweep =
    "sweep mesh-8x8 --workload traffic:duration=200cycles,warm_up=100cycles --axis options.load=0.05,0.1,0.2 "
    "--set mesh.columns=3 --set mesh.rows=3 --variant slow=mesh.pipeline=4cycles --repeat 2 --store s ";
const std::string kRun = "run wulfkit-ring --workload ping-pong:sizes=16..1024x2,repetitions=1,series=1 ";

/// All texts of an SVG, in their order.
std::vector<std::string> texts_of(const std::string& svg)
{
    std::vector<std::string> texts;
    const std::regex text("<tspan[^>]*>([^<]*)</tspan>|<text>([^<]*)</text>");
    for (std::sregex_iterator each(svg.begin(), svg.end(), text), end; each != end; ++each) {
        texts.push_back((*each)[1].matched ? (*each)[1] : (*each)[2]);
        while (texts.back().starts_with(' ')) texts.back().erase(0, 1);
        while (texts.back().ends_with(' ')) texts.back().pop_back();
    }
    return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& text)
{
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t number = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
    return number;
}

std::string svg_of(const std::string& arguments)
{
    const Ended ended = start(arguments + " --svg f.svg");
    BOOST_REQUIRE_MESSAGE(ended.status == 0, ended.err);
    return read_file("f.svg");
}

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(picture_files)

BOOST_AUTO_TEST_CASE(a_picture_has_the_curves_axes_units_and_intervals_of_the_report)
{
    const TemporaryFolder folder;
    const std::string svg = svg_of(kSweep);
    const auto texts = texts_of(svg);
    for (const char* text : {"base", "slow", "options.load", "latency mean (ns)", "0.05", "0.1", "0.2"}) {
        BOOST_TEST(has(texts, text), text);
    }
    BOOST_TEST(count(svg, "<g id=\"gnuplot_plot_") >= 4u);  // two curves, and the intervals of each
    for (const char* colour : {"rgb(  0, 114, 178)", "rgb(200,  80,  10)"}) BOOST_TEST(count(svg, colour) > 1u, colour);
    BOOST_TEST(count(svg, "width=\"302\"") > 0u);  // 8 cm
}

/// In the colours of the curves, where those end far enough from each other; the key alone has no curve's colour.
BOOST_AUTO_TEST_CASE(curves_are_named_at_their_ends_if_there_is_room)
{
    const TemporaryFolder folder;
    const std::string sweep = kSweep.substr(0, kSweep.find("--variant")) + "--store s --variant slow=mesh.pipeline=";
    const std::string apart = svg_of(sweep + "9cycles");
    const std::string equal = svg_of(sweep + "4cycles");
    const auto named = [](const std::string& svg, const std::string& colour, const std::string& name) {
        return std::regex_search(svg, std::regex("fill=\"rgb\\(" + colour + "\\)\"[^>]*>\\s*<text>" + name));
    };
    BOOST_TEST(named(apart, "0,114,178", "base"));
    BOOST_TEST(named(apart, "200,80,10", "slow"));
    BOOST_TEST(!named(equal, "0,114,178", "base"));
    BOOST_TEST(has(texts_of(equal), "slow"));
}

BOOST_AUTO_TEST_CASE(a_heat_map_has_a_cell_for_each_pair_with_its_number_or_a_cross)
{
    const TemporaryFolder folder;
    const std::string sweep =
        "sweep mesh-8x8 --workload traffic:duration=2us --set mesh.columns=3 --set mesh.rows=3 --figure sweep-map "
        "--store s --axis options.load=0.1,0.2,1 --axis mesh.buffer_flits=2,4,8 ";
    const std::string svg = svg_of(sweep);
    const auto texts = texts_of(svg);
    for (const char* text : {"options.load", "mesh.buffer_flits", "latency mean (ns)", "in doubt"}) {
        BOOST_TEST(has(texts, text), text);
    }
    // The three at load 1 are crossed out
    const auto swept = nlohmann::json::parse(start(sweep + "--svg g.svg --json -").out);
    std::set<std::string> seen;  // in cells
    for (const auto& point : swept["rows"]) {
        const std::string number = fmt::format("{:.3g}", point["latency_mean_ns"].get<double>());
        BOOST_TEST(has(texts, number.c_str()) == (point["options_load"] != 1.0), number);
        seen.insert(number);
    }
    BOOST_TEST(seen.size() >= 4u);
    std::filesystem::remove("g.svg");
    const auto row = [&texts](const char* word) { return std::find(texts.begin(), texts.end(), word) - texts.begin(); };
    BOOST_TEST(row("2") < row("4"));
    BOOST_TEST(row("4") < row("8"));
    BOOST_TEST(start(sweep + "--svg g.svg --log-axes x").status == 2);
    const std::string rates = "--y offered_total_mb_per_s ";  // over a decade, as latencies are not
    BOOST_TEST(svg_of(sweep + rates + "--log-axes none") != svg_of(sweep + rates + "--log-axes y"));
}

BOOST_AUTO_TEST_CASE(a_saturated_point_is_hollow)
{
    const TemporaryFolder folder;
    const std::string sweep = "sweep mesh-8x8 --workload traffic:duration=2us --set mesh.columns=3 --set mesh.rows=3 ";
    const std::string saturated = svg_of(sweep + "--axis options.load=0.1,0.2,1 --store s");
    BOOST_TEST(has(texts_of(saturated), "saturated"));
    BOOST_TEST(!has(texts_of(svg_of(sweep + "--axis options.load=0.1,0.2 --store s")), "saturated"));
}

BOOST_AUTO_TEST_CASE(width_axes_and_scales_may_be_chosen)
{
    const TemporaryFolder folder;
    const std::string svg = svg_of(kSweep + "--width 16cm --x accepted_load --y latency_p99_ns --log-axes x");
    const auto texts = texts_of(svg);
    BOOST_TEST(count(svg, "width=\"605\"") > 0u);
    BOOST_TEST(has(texts, "latency p99 (ns)"));
    BOOST_TEST(!has(texts, "options.load"));
    const auto titled = start(kSweep + "--svg t.svg --x-title load --y-title waiting");
    BOOST_TEST(titled.status == 0, titled.err);
    BOOST_TEST(has(texts_of(read_file("t.svg")), "load"));
    BOOST_TEST(has(texts_of(read_file("t.svg")), "waiting (ns)"));
    BOOST_TEST(start(kSweep + "--x-title load").status == 2);  // of no figure
    const auto swapped = texts_of(svg_of(kSweep + "--x variant"));
    BOOST_TEST(has(swapped, "0.05"));  // the loads are the curves now
    BOOST_TEST(has(swapped, "slow"));
    const Ended unknown = start(kSweep + "--svg g.svg --x lode");
    BOOST_TEST(unknown.status == 2);
    BOOST_TEST(contains(unknown.err, "options_load"));
    BOOST_TEST(start(kSweep + "--svg g.svg --log-axes up").status == 2);
    BOOST_TEST(start(kSweep + "--svg g.svg --width 1km").status == 2);
    BOOST_TEST(start(kSweep + "--log-axes x").status == 2);  // of no figure
    BOOST_TEST(!std::filesystem::exists("g.svg"));
}

BOOST_AUTO_TEST_CASE(files_are_of_the_asked_kind_and_size)
{
    const TemporaryFolder folder;
    BOOST_REQUIRE_EQUAL(start(kRun + "--png f.png --pdf f.pdf --log-axes x,y").status, 0);
    const std::string png = read_file("f.png");
    BOOST_REQUIRE(png.size() > 24u);
    const auto byte = [&png](std::size_t at) { return static_cast<unsigned>(static_cast<unsigned char>(png[at])); };
    BOOST_TEST(byte(18) * 256 + byte(19) == 945u);  // 8 cm of 300 dots an inch
    std::smatch box;
    const std::string pdf = read_file("f.pdf");
    BOOST_REQUIRE(std::regex_search(pdf, box, std::regex("MediaBox \\[ 0 0 ([0-9.]+) ")));
    BOOST_TEST(std::stod(box[1]) > 225.0);
    BOOST_TEST(std::stod(box[1]) < 228.0);
}

BOOST_AUTO_TEST_CASE(a_machine_is_drawn_with_the_colours_of_its_use)
{
    const TemporaryFolder folder;
    const std::string run = "run mesh-8x8 --set mesh.columns=3 --set mesh.rows=2 --workload traffic:duration=2us,load=";
    const std::string idle = svg_of(run + "0.01 --figure machine");
    const std::string busy = svg_of(run + "0.6 --figure machine");
    for (const char* text : {"0", "5", "busy (%)", "nodes: their busiest ejection link"}) {
        BOOST_TEST(has(texts_of(busy), text), text);
    }
    BOOST_TEST(!contains(busy, "rgb(153, 153, 153)"));  // each link has the colour of its use
    const auto says = texts_of(busy);
    const bool marked = std::any_of(says.begin(), says.end(), [](const std::string& text) {
        return std::regex_match(text, std::regex("heavy line: the bottleneck, mesh\\.r[0-9]_[0-9]\\.[a-z.]+"));
    });
    BOOST_TEST(marked);
    BOOST_TEST(count(busy, "<polygon") > 6u);  // nodes, and the heads of arrows
    const auto colours = [](const std::string& svg) {
        std::set<std::string> all;
        const std::regex stroke("stroke='(rgb\\([^)]*\\))'|stroke=\"(rgb\\([^)]*\\))\"");
        for (std::sregex_iterator each(svg.begin(), svg.end(), stroke), end; each != end; ++each)
            all.insert(each->str());
        return all;
    };
    BOOST_TEST((colours(idle) != colours(busy)));
    const auto chip = texts_of(svg_of("run scc --workload traffic:duration=1us,load=0.1 --figure machine"));
    BOOST_TEST(std::count(chip.begin(), chip.end(), "memory") == 4);  // of two lines, the number beneath
    BOOST_TEST(!contains(svg_of("whatif wulfkit-ring --workload ping-pong:repetitions=1,series=1 --variant "
                                "slow=host.clock=100MHz --figure machine-2"),
                         "busy (%)"));  // in grey: of two runs no use is recorded
    for (const char* wrong : {" --log-axes x", " --plot", " --x bytes"}) {
        const Ended ended = start(run + "0.1 --figure machine --svg g.svg" + wrong);
        BOOST_TEST(ended.status == 2, wrong);
    }
    BOOST_TEST(!std::filesystem::exists("g.svg"));
}

/// By the first point, which then does not count as one that the store had.
BOOST_AUTO_TEST_CASE(columns_that_a_sweep_cannot_draw_are_refused_before_it_runs)
{
    const TemporaryFolder folder;
    const std::string sweep =
        "sweep wulfkit-ring --workload ping-pong:sizes=64,repetitions=1,series=1 --axis link.symbol_time=5ns,4ns "
        "--svg f.svg --store ";
    for (const std::string option : {"--x", "--y"}) {
        const Ended refused = start(sweep + "s " + option + " latency");
        BOOST_TEST(refused.status == 2, option);
        BOOST_TEST(contains(refused.err, option + " latency"), refused.err);
        BOOST_TEST(!contains(refused.err, "2 points"), refused.err);
    }
    BOOST_TEST(contains(start("store status --store s --json -").out, R"("points": 1)"));
    const Ended drawn = start(sweep + "s --y latency_avg_ns --fresh");
    BOOST_TEST(drawn.status == 0, drawn.err);
    BOOST_TEST(contains(drawn.err, "0 from the store"), drawn.err);
    BOOST_TEST(contains(start(sweep + "t --y latency_min_ns").err, "2 run"));
}

/// "message", in messages and by --figure.
BOOST_AUTO_TEST_CASE(the_figure_of_a_message_has_a_name)
{
    const TemporaryFolder folder;
    const std::string explain = "explain wulfkit-ring --from 0 --to 2 ";
    BOOST_TEST(svg_of(explain + "--figure message") == svg_of(explain));
    BOOST_TEST(svg_of(explain + "--figure machine") != svg_of(explain));
    const Ended refused = start(explain + "--svg f.svg --figure way");
    BOOST_TEST(refused.status == 2);
    BOOST_TEST(contains(refused.err, "message"), refused.err);
}

BOOST_AUTO_TEST_CASE(error_bars_of_a_crossover_are_drawn_and_said)
{
    const TemporaryFolder folder;
    const std::string asked =
        "whatif wulfkit-torus-2d --workload ping-pong:sizes=64,repetitions=1,series=1 --axis topology.dimensions=3x3,9 "
        "--axis options.to=1,2,4 --store s ";
    BOOST_TEST(!has(texts_of(svg_of(asked)), "95 % of it, by all inputs"));
    BOOST_TEST(has(texts_of(svg_of(asked + "--uncertainty --samples 2")), "95 % of it, by all inputs"));
    const auto json = nlohmann::json::parse(start(asked + "--uncertainty --samples 2 --json -").out);
    const auto& bar = json["error_bars"][0];
    const std::string said =
        fmt::format("between {:.3g} and {:.3g} (95 %)", bar["low"].get<double>(), bar["high"].get<double>());
    BOOST_TEST(contains(json["answer"][1].get<std::string>(), said), json["answer"].dump());
    BOOST_REQUIRE_EQUAL(start("whatif wulfkit-ring --workload ping-pong:sizes=64,repetitions=1,series=1 --variant "
                              "fast=blink.clock=100MHz --uncertainty --samples 2 --store s --report r.html")
                            .status,
                        0);
    BOOST_TEST(contains(read_file("r.html"), "change_from_percent"));
}

BOOST_AUTO_TEST_CASE(a_message_is_drawn_part_by_part)
{
    const TemporaryFolder folder;
    const auto texts = texts_of(svg_of("explain wulfkit-ring --from 0 --to 2"));
    BOOST_TEST(has(texts, "time (ns)"));
    BOOST_TEST(has(texts, "node0.psb"));
    BOOST_TEST(has(texts, "waiting"));
    BOOST_TEST(!has(texts, "sum"));  // of two packets: the response travels beside
    const auto on_chip = texts_of(svg_of("explain scc --from 0 --to 47 --bytes 32 --library rcce"));
    BOOST_TEST(has(on_chip, "sum"));
    BOOST_TEST(has(on_chip, "15 of mesh.r*_*"));
    BOOST_TEST(!has(on_chip, "mesh.r4_3"));  // a short one of them
    BOOST_TEST(has(on_chip, "mesh.r5_3"));   // by which all pass again and again
}

BOOST_AUTO_TEST_CASE(an_own_study_shows_measured_formula_and_simulated_with_the_errors_beneath)
{
    const TemporaryFolder folder;
    BOOST_REQUIRE_EQUAL(start("new study mine").status, 0);
    const auto texts = texts_of(svg_of("validate mine --store s"));
    for (const char* text : {"measured", "formula", "simulated", "latency (ns)", "error (%)", "hops"}) {
        BOOST_TEST(has(texts, text), text);
    }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_drawn_leaves_no_file)
{
    const TemporaryFolder folder;
    const Ended one = start("run wulfkit-ring --workload ping-pong:sizes=64,repetitions=1,series=1 --svg f.svg");
    BOOST_TEST(one.status == 2);
    BOOST_TEST(contains(one.err, "nothing to draw"));
    BOOST_TEST(!std::filesystem::exists("f.svg"));
    std::ofstream("notes.svg") << "somebody's notes\n";
    BOOST_TEST(start(kRun + "--svg notes.svg").status == 2);
    BOOST_TEST(read_file("notes.svg") == "somebody's notes\n");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_drawn_takes_no_other_output_along)
{
    const TemporaryFolder folder;
    const Ended one = start(
        "run wulfkit-ring --workload ping-pong:sizes=64,repetitions=1,series=1 --png f.png --report r.html --json "
        "j.json "
        "--vcd w.vcd --no-wall-time");
    BOOST_TEST(one.status == 2);
    for (const char* file : {"r.html", "j.json", "w.vcd"}) BOOST_TEST(std::filesystem::exists(file), file);
    BOOST_TEST(!std::filesystem::exists("f.png"));
}

BOOST_AUTO_TEST_CASE(without_gnuplot_nothing_runs_and_the_package_is_named)
{
    const TemporaryFolder folder;
    ::setenv("PATH", "/nonexistent", 1);
    const Ended ended = start(kRun + "--store s --pdf f.pdf");
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "gnuplot-nox"));
    BOOST_TEST(ended.out.empty());
    BOOST_TEST(!std::filesystem::exists("f.pdf"));
}

BOOST_AUTO_TEST_CASE(the_page_has_the_colours_of_the_pictures)
{
    const std::string css = read_file(RINGMESH_SOURCE_DIR "/lab/report/web/src/report.css");
    for (std::size_t i = 0; i < lab::kCurveColours.size(); ++i) {
        BOOST_TEST(contains(css, "--series-" + std::to_string(i + 1) + ": " + lab::kCurveColours[i] + ";"), i);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::test::picture_files_test
