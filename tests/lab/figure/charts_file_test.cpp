// SPDX-License-Identifier: Apache-2.0
#include "lab/figure/charts_file.h"

#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace ringmesh::lab::charts_file_test {
namespace {

using ringmesh::test::contains;
using ringmesh::test::error_of;

/// A study's folder with a charts.toml, and a table that its charts are about.
class Bench {
public:
    explicit Bench(const std::string& text)
    {
        folder_.write("charts.toml", text);
        folder_.write("published.csv",
                      "id,quantity,unit,value,tolerance\nm.at_64B,latency at 64 B,ns,20,2 ns\n"
                      "m.at_128B,latency at 128 B,ns,30,10 %\nm.rate,rate,MB/s,5,\nm.words,words,,,\n");
        workloads::Results table;
        table.columns = {{"bytes", "B"}, {"name", ""}, {"ns", "ns"}, {"half", "ns"}};
        for (const auto& [bytes, ns] : {std::pair(0, 10.0), std::pair(64, 21.0), std::pair(128, 31.0)}) {
            table.rows.push_back({std::int64_t{bytes}, std::string("a"), ns, 0.5});
        }
        means_.table = table;
    }

    ChartsFile file() const { return read_charts(folder_.path()).value(); }
    Chart chart() const
    {
        return chart_as_asked(file().charts.at(0), means_, "id", Published(folder_.path() / "published.csv"));
    }
    std::string mistake() const
    {
        return error_of([this] { chart(); });
    }

private:
    test::TemporaryFolder folder_;
    Means means_;
};

const std::string kChart = "[chart.c]\ntable = \"t\"\nx = \"bytes\"\ny = \"ns\"\n";

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(charts_file)

BOOST_AUTO_TEST_CASE(a_study_without_the_file_has_no_charts_of_its_own)
{
    const test::TemporaryFolder folder;
    BOOST_TEST(!read_charts(folder.path()).has_value());
}

BOOST_AUTO_TEST_CASE(charts_stand_in_the_order_of_the_file)
{
    const Bench bench(
        "derived = true\n[chart.b]\ntable = \"t\"\nx = \"bytes\"\ny = \"ns\"\n[chart.a]\ntable = \"t\"\n"
        "x = \"bytes\"\ny = \"ns\"\n");
    const ChartsFile file = bench.file();
    BOOST_TEST(file.derived);
    BOOST_TEST(file.charts.at(0).name == "b");
    BOOST_TEST(file.charts.at(1).name == "a");
}

BOOST_AUTO_TEST_CASE(what_is_asked_is_in_the_chart)
{
    const Chart chart = Bench(kChart +
                              "title = \"T\"\nseries = \"name\"\ninterval = \"half\"\ny_scale = \"log\"\n"
                              "notes = [\"n\"]\n")
                            .chart();
    BOOST_TEST(chart.title == "T");
    BOOST_TEST(chart.x_unit == "B");
    BOOST_TEST(chart.y_unit == "ns");
    BOOST_TEST(chart.y[0].half == "half");
    BOOST_TEST((chart.y_scale == Scale::kLog));
    BOOST_TEST(chart.notes.size() == 1u);
}

BOOST_AUTO_TEST_CASE(published_numbers_have_their_place_and_uncertainty)
{
    const Chart chart = Bench(kChart + "[chart.c.published]\n\"m.at_*B\" = \"*\"\n").chart();
    BOOST_REQUIRE_EQUAL(chart.published.size(), 2u);
    BOOST_TEST(chart.published[0].x.value() == 64);
    BOOST_TEST(chart.published[0].y.value() == 20);
    BOOST_TEST(chart.published[0].low.value() == 18);
    BOOST_TEST(chart.published[1].high.value() == 33);
    const Chart level = Bench(kChart + "[chart.c.published]\n\"m.at_64B\" = [\"level\", \"a\"]\n").chart();
    BOOST_TEST(!level.published[0].x.has_value());
    BOOST_TEST(level.published[0].series == "a");
}

/// The mistake and what its message names: the line and key.
struct Mistake {
    std::string text;
    std::vector<std::string> names;
};

BOOST_AUTO_TEST_CASE(mistakes_are_told_with_line_key_and_cure)
{
    const std::vector<Mistake> mistakes{
        {"[chart.c]\ntabel = \"t\"\n", {"charts.toml:2", "tabel", "table"}},
        {"titel = 1\n", {"charts.toml:1", "titel"}},
        {"[chart.c]\nx = \"bytes\"\ny = \"ns\"\n", {"charts.toml:2", "chart.c", "table"}},
        {kChart + "x_scale = \"lin\"\n", {"charts.toml:5", "x_scale", "linear, log"}},
        {kChart + "log = \"y\"\n", {"charts.toml:5", "'log'", "y_scale = \"log\""}},
        {kChart + "form = 3\n", {"charts.toml:5", "form", "lines"}},
        {kChart + "crossings = \"yes\"\n", {"charts.toml:5", "crossings", "true"}},
        {kChart + "form = \"heat-map\"\n", {"chart.c.series", "COLUMN"}},
        {kChart + "series = \"name\"\nform = \"heat-map\"\nlines = \"a\"\n", {"chart.c.lines", "curves"}},
        {kChart + "series = \"name\"\nform = \"heat-map\"\nx_scale = \"linear\"\n", {"chart.c.x_scale", "leave"}},
        {kChart + "low = \"half\"\n", {"charts.toml:5", "high"}},
        {kChart + "low = \"half\"\nhigh = \"half\"\ninterval = \"half\"\n", {"charts.toml:7", "interval"}},
        {kChart + "series = 5\n", {"charts.toml:5", "series"}},
        {kChart + "series = \"nam\"\n", {"charts.toml:5", "chart.c.series", "nam", "name"}},
        {"[chart.c]\ntable = \"t\"\nx = \"bytes\"\ny = \"name\"\n", {"charts.toml:4", "chart.c.y", "numbers"}},
        {kChart + "x_scale = \"log\"\n", {"chart.c.x_scale", "bytes", "zero"}},
        {kChart + "[chart.c.published]\n\"m.at_65B\" = 65\n", {"charts.toml:6", "m.at_65B", "m.at_64B"}},
        {kChart + "[chart.c.published]\n\"m.words\" = 65\n", {"charts.toml:6", "m.words"}},
        {kChart + "[chart.c.published]\n\"m.rate\" = 64\n", {"charts.toml:6", "m.rate", "MB/s", "ns"}},
        {kChart + "[chart.c.published]\n\"m.at_64B\" = \"*\"\n", {"charts.toml:6", "level"}},
        {kChart + "[chart.c.published]\n\"m.at_*\" = \"*\"\n", {"charts.toml:6", "64B"}},
    };
    for (const Mistake& mistake : mistakes) {
        const std::string told = Bench(mistake.text).mistake();
        for (const std::string& name : mistake.names) {
            BOOST_TEST(contains(told, name), mistake.text << "said: " << told << "\nwithout: " << name);
        }
    }
}

BOOST_AUTO_TEST_CASE(all_mistakes_of_the_file_are_told_at_once)
{
    const std::string told = Bench("a = 1\n[chart.c]\nb = 2\n").mistake();
    BOOST_TEST(contains(told, "charts.toml:1"));
    BOOST_TEST(contains(told, "charts.toml:3"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::lab::charts_file_test
