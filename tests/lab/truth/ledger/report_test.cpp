// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lab/table/writers/json.h"
#include "lab/truth/ledger/accuracy.h"
#include "lab/truth/ledger/report.h"
#include "lab/truth/rows/frozen.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using nlohmann::ordered_json;

Row row(std::string id, std::optional<double> published, std::optional<double> analytic,
        std::optional<double> simulated, std::optional<double> tolerance)
{
    Row row;
    row.id = std::move(id);
    row.machine = "m";
    row.quantity = "latency";
    row.unit = "ns";
    row.published = published;
    row.analytic = analytic;
    row.simulated = simulated;
    row.role = tolerance ? Role::kPrediction : Role::kUnpublished;
    if (const auto judge = reference(row); tolerance && judge) {
        row.low = *judge - *tolerance / 100 * std::abs(*judge);
        row.high = *judge + *tolerance / 100 * std::abs(*judge);
    } else if (tolerance) {
        row.low = row.high = 0;
    }
    row.section = "one";
    return row;
}

Report report(std::vector<Row> rows)
{
    return {.machine = "m", .title = "Machine m", .rows = std::move(rows), .tables = {}, .notes = {}};
}

const auto kClose = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(validation_report)

BOOST_AUTO_TEST_CASE(the_published_number_judges_before_the_formula)
{
    constexpr auto kNone = std::nullopt;
    BOOST_TEST(error_percent(row("a", 100, 50, 101, 1)).value() == 1.0, kClose);
    BOOST_TEST(error_percent(row("a", kNone, 50, 49, 1)).value() == -2.0, kClose);
    BOOST_TEST(error_percent(row("a", -100, kNone, -99, 1)).value() == 1.0, kClose);
    // There is no error without both numbers, or of zero
    BOOST_TEST(!error_percent(row("a", 100, kNone, kNone, 1)));
    BOOST_TEST(!error_percent(row("a", kNone, kNone, 50, 1)));
    BOOST_TEST(!error_percent(row("a", 0, kNone, 50, 1)));
    // Where nothing is simulated, the formula is judged by the published number
    Row about = row("a", 100, 103, kNone, 5);
    BOOST_TEST(error_percent(about).value() == 3.0, kClose);
    BOOST_TEST(pass(about).value());
    about.analytic = 106;
    BOOST_TEST(!pass(about).value());
    about.published.reset();
    BOOST_TEST(!error_percent(about));
    // The formula has an error of its own beside a simulated number
    BOOST_TEST(formula_error_percent(row("a", 100, 97, 101, 5)).value() == -3.0, kClose);
    BOOST_TEST(!formula_error_percent(row("a", 100, kNone, 101, 5)));
    BOOST_TEST(!formula_error_percent(row("a", kNone, 97, 101, 5)));
}

BOOST_DATA_TEST_CASE(a_row_passes_up_to_its_tolerance_on_either_side, data::make({-1.0, 1.0}), side)
{
    BOOST_TEST(pass(row("a", 1000, std::nullopt, 1000 + side * 10, 1)).value());
    BOOST_TEST(!pass(row("a", 1000, std::nullopt, 1000 + side * 10.001, 1)).value());
}

BOOST_AUTO_TEST_CASE(a_row_without_tolerance_is_not_judged_and_one_without_error_fails)
{
    BOOST_TEST(!pass(row("a", 1, 1, 100, std::nullopt)).has_value());
    BOOST_TEST(!pass(row("a", 1, std::nullopt, std::nullopt, 10)).value());
    BOOST_TEST(!pass(row("a", 1, 1, std::numeric_limits<double>::quiet_NaN(), 10)).value());
}

BOOST_AUTO_TEST_CASE(one_row_out_of_tolerance_is_enough_to_fail)
{
    const Row good = row("a", 100, 100, 100, 1);
    const Row information = row("b", 100, 100, 500, std::nullopt);
    const Row bad = row("c", 100, 100, 102, 1);
    BOOST_TEST(all_within(std::vector{report({good, information}), report({good})}));
    BOOST_TEST(!all_within(std::vector{report({good, information}), report({good, bad})}));
    BOOST_TEST(summary(std::vector{report({good, information, bad})}) ==
               "3 rows; within their tolerance: 1 of 2 prediction rows; 0 miss it as stated, 1 fails, 1 is not judged");
}

BOOST_AUTO_TEST_CASE(a_stated_miss_fails_only_if_it_is_within_its_tolerance)
{
    const Row good = row("a", 100, 100, 100, 1);
    Row missed = row("c", 100, 100, 102, 1);
    missed.miss = "the clock is unknown";
    BOOST_TEST((verdict(missed) == Verdict::kMiss));
    BOOST_TEST(all_within(std::vector{report({good, missed})}));
    BOOST_TEST(
        summary(std::vector{report({good, missed})}) ==
        "2 rows; within their tolerance: 1 of 2 prediction rows; 1 misses it as stated, 0 fail, 0 are not judged");
    const auto result = [](const Row& one) {
        const auto json = ordered_json::parse(report_json(std::vector{report({one})}));
        return json["rows"][0]["verdict"].get<std::string>();
    };
    BOOST_TEST(result(missed) == "miss");
    BOOST_TEST(
        report_text(report({missed})).find("\nmiss c (prediction): +2.0 %, tolerance 1 %: the clock is unknown\n") !=
        std::string::npos);
    missed.simulated = 100.5;
    BOOST_TEST((verdict(missed) == Verdict::kFail));
    BOOST_TEST(result(missed) == "fail");
    BOOST_TEST(!all_within(std::vector{report({good, missed})}));
    BOOST_TEST(report_text(report({missed})).find("\nfail c (prediction): ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_frozen_row_is_worse_or_better_by_its_error_and_the_band)
{
    // Frozen 10 % above the published number, known to 1
    const auto found = [](double simulated, double low = 98, double high = 102) {
        Row one = row("m.a", 100, {}, simulated, 2);
        one.low = low;
        one.high = high;
        one.miss = "the clock is unknown";
        one.frozen = FrozenNumber{.id = "m.a", .value = 110, .low = 109, .high = 111};
        return *verdict(one);
    };
    BOOST_TEST((found(110.9) == Verdict::kAsFrozen));
    BOOST_TEST((found(111.1) == Verdict::kWorse));
    BOOST_TEST((found(108.9) == Verdict::kBetter));
    BOOST_TEST((found(90.5) == Verdict::kAsFrozen));  // on the other side
    BOOST_TEST((found(88.9) == Verdict::kWorse));
    BOOST_TEST((found(101) == Verdict::kBetter));  // though a miss is stated
    BOOST_TEST((found(std::numeric_limits<double>::quiet_NaN()) == Verdict::kWorse));
    // Of a bound: how far out of it
    BOOST_TEST((found(60, 0, 100) == Verdict::kBetter));
    BOOST_TEST((found(60, 0, 120) == Verdict::kAsFrozen));
    BOOST_TEST((found(122, 0, 120) == Verdict::kWorse));
}

BOOST_AUTO_TEST_CASE(rows_are_frozen_with_a_band_and_those_as_frozen_stay)
{
    const Row sharp = row("m.sharp", 100, {}, 104, 2);
    Row seeds = row("m.seeds", 100, {}, 105, 2);
    seeds.bar = Bar{.u_num = 1.5};
    Row exact = row("m.exact", 8, {}, 8, 0);
    const std::vector<Row> rows{sharp, seeds, exact, row("m.not_judged", 100, {}, 300, {})};
    const auto all = frozen_rows(rows, "model1", "2026-11-28");
    BOOST_TEST_REQUIRE(all.size() == 3U);
    BOOST_TEST(*all[0].low == 104 - 0.2, kClose);   // a tenth of the tolerance
    BOOST_TEST(*all[1].high == 105 + 3.0, kClose);  // two standard uncertainties of seeds
    BOOST_TEST(*all[2].high == 8.008, kClose);      // a thousandth
    FrozenNumbers frozen;
    for (const FrozenNumber& each : all) frozen.emplace(each.id, each);
    frozen.emplace("m.gone", FrozenNumber{.id = "m.gone", .value = 1, .low = 1, .high = 1});
    std::vector<Row> later = rows;
    later[0].simulated = 104.1;
    later[1].simulated = 120;
    later.push_back(row("m.new", 100, {}, 150, 2));
    const auto gone = expect(later, frozen);
    BOOST_TEST_REQUIRE(gone.size() == 1U);
    BOOST_TEST(gone[0].id == "m.gone");
    BOOST_TEST((verdict(later.back()) == Verdict::kNew));
    const auto again = frozen_rows(later, "model2", "2026-11-29");
    BOOST_TEST_REQUIRE(again.size() == 4U);
    BOOST_TEST(again[0].value == 104.0);
    BOOST_TEST(again[0].model == "model1");
    BOOST_TEST(again[1].value == 120.0);
    BOOST_TEST(again[1].model == "model2");
    // As far off as before, but to the other side
    later[0].simulated = 96;
    BOOST_TEST((verdict(later[0]) == Verdict::kAsFrozen));
    BOOST_TEST(frozen_rows(later, "model3", "2026-11-30")[0].value == 96.0);
    // A study that has frozen none is judged by tolerance
    std::vector<Row> bare = rows;
    expect(bare, {});
    BOOST_TEST((verdict(bare[0]) == Verdict::kFail));
}

BOOST_AUTO_TEST_CASE(what_is_worse_or_gone_fails_and_what_is_better_or_new_asks_to_be_frozen)
{
    const auto frozen = [](const std::string& id, double was, double is) {
        Row one = row(id, 100, {}, is, 1);
        one.miss = "a reason";
        one.frozen = FrozenNumber{.id = id, .value = was, .low = was - 1, .high = was + 1};
        return one;
    };
    Report good = report({frozen("m.same", 120, 120), frozen("m.near", 104, 104), frozen("m.better", 120, 110)});
    good.rows.push_back(row("m.new", 100, {}, 150, 1));
    good.rows.back().is_new = true;
    BOOST_TEST(all_within({&good, 1}));
    BOOST_TEST(summary({&good, 1}) ==
               "4 rows; within their tolerance: 0 of 4 prediction rows; 2 as frozen, 1 better, 0 worse, 1 new, 0 are "
               "not judged");
    const std::string text = report_text(good);
    for (const char* line : {"better, 1 row: m.better; `ringmesh validate m --freeze` keeps that\n",
                             "new, 1 row: m.new; `ringmesh validate m --freeze` freezes them\n",
                             "off, 2 rows (2 prediction): a reason; worst: m.same +20.0 %, m.better +10.0 %\n"}) {
        BOOST_TEST(text.find(line) != std::string::npos, line << text);
    }
    Report bad = report({frozen("m.worse", 102, 104)});
    BOOST_TEST(!all_within({&bad, 1}));
    BOOST_TEST(
        report_text(bad).find("\nworse m.worse (prediction): +4.0 %, frozen +2.0 %, tolerance 1 %: a reason\n") !=
        std::string::npos);
    Report gone = report({frozen("m.same", 120, 120)});
    gone.not_found = {FrozenNumber{.id = "m.gone"}};
    BOOST_TEST(!all_within({&gone, 1}));
    BOOST_TEST(report_text(gone).find("\ngone, 1 row: m.gone; ") != std::string::npos);
    gone.not_found_is_long = true;
    BOOST_TEST(all_within({&gone, 1}));
}

BOOST_AUTO_TEST_CASE(misses_of_one_reason_are_told_once_with_the_worst_rows)
{
    std::vector<Row> rows;
    for (int i = 0; i < 5; ++i) {
        rows.push_back(row("row" + std::to_string(i), 100, 100, 102 + i, 1));
        rows.back().miss = "the clock is unknown";
    }
    rows.push_back(row("alone", 100, 100, 120, 1));
    rows.back().miss = "the bus is unknown";
    rows.push_back(row("broken", 100, 100, 150, 1));
    Report made = report({});
    made.rows = rows;
    const auto told_of = [&](const std::string& what, bool details) {
        const std::string text = report_text(made, details);
        const std::string above = text.substr(0, text.find("published"));  // of the table of rows
        std::size_t times = 0;
        for (std::size_t at = 0; (at = above.find(what, at)) != std::string::npos; ++at) ++times;
        return times;
    };
    BOOST_TEST(told_of("the clock is unknown", false) == 1u);
    BOOST_TEST(told_of("row4 +6.0 %", false) == 1u);
    BOOST_TEST(told_of("row0", false) == 0u);
    BOOST_TEST(told_of("alone", false) == 1u);
    BOOST_TEST(told_of("fail broken", false) == 1u);
    BOOST_TEST(told_of("the clock is unknown", true) == 5u);
    BOOST_TEST(told_of("row0", true) == 1u);
}

BOOST_AUTO_TEST_CASE(json_rows_have_every_key_in_order_and_null_for_what_is_missing)
{
    Row full = row("a", 100, 50, 101, 1);
    full.kind = "measured";
    full.source = "[000]";
    full.note = "a note";
    full.role = Role::kSeen;
    full.because = "chose the clock";
    full.chose = "the clock";
    full.bar = Bar{.simulated = 100, .u_num = 1, .u_input = 2, .low = 98, .high = 103, .hangs_on = {{"clock", 1}}};
    const auto json = ordered_json::parse(report_json(std::vector{report({full, row("b", {}, {}, 1.5, {})})}));
    BOOST_TEST(
        json["rows"][0].dump() ==
        R"({"id":"a","machine":"m","section":"one","quantity":"latency","published":100.0,"analytic":50.0,)"
        R"("simulated":101.0,"unit":"ns","error_percent":1.0,"formula_error_percent":-50.0,"role":"seen",)"
        R"("because":"chose the clock","tolerance_percent":1.0,"within_tolerance":"yes","verdict":"pass",)"
        R"("frozen":null,"frozen_low":null,"frozen_high":null,"frozen_model":null,"frozen_date":null,"miss":null,)"
        R"("chose":"the clock","kind":"measured","source":"[000]","note":"a note","counted":null,)"
        R"("counted_why":null,"u_data":0.5773502691896258,)"
        R"("u_num":1.0,"u_input":2.0,"bar_low":99.0,"bar_high":104.0,"conformal_low":null,)"
        R"("conformal_high":null,"conformal_factor":null,"left_out":null,"left_out_constants":null,)"
        R"("error_low":-1.2360679774997898,)"
        R"("error_high":4.16227766016838,"evidence":"says nothing",)"
        R"("says":"says nothing: the bar is wider than the tolerance; nothing moves it; bar of an older model",)"
        R"("samples":0,"moved":null,"entered":null,)"
        R"("hangs_on":"clock 100 %"})");
    const auto& bare = json["rows"][1];
    BOOST_TEST(bare.size() == json["rows"][0].size());
    BOOST_TEST(bare["simulated"] == 1.5);
    BOOST_TEST(bare["role"] == "unpublished");
    for (const char* missing : {"published", "error_percent", "within_tolerance", "verdict", "frozen", "miss", "note",
                                "bar_low", "hangs_on"}) {
        BOOST_TEST(bare[missing].is_null(), missing);
    }
    BOOST_TEST(json["ringmesh"]["schema"] == kOutputSchema);
}

BOOST_AUTO_TEST_CASE(json_refuses_a_nan)
{
    const std::vector reports{report({row("a", 1, 1, std::numeric_limits<double>::infinity(), {})})};
    BOOST_CHECK_THROW(report_json(reports), ModelError);
}

BOOST_AUTO_TEST_CASE(the_table_shows_every_row_and_names_those_that_failed)
{
    Row bad = row("bad", 4177, 4177, 5000.25, 0.25);
    bad.note = "why is not known";
    const Report both = report({row("good", 67, {}, 66.58, 1.5), bad});
    const std::string text = report_text(both);
    BOOST_TEST(
        text.find("\none\n"
                  "good      67.00         -      66.58  ns     -0.63 %  prediction      1.5 %  yes     pass\n"
                  "bad     4,177.0   4,177.0    5,000.2  ns    +19.71 %  prediction     0.25 %  no      fail\n") !=
            std::string::npos,
        text);
    const std::string details = report_text(both, true);
    BOOST_TEST(details.find("\n  one\n"
                            "\ngood (prediction): latency\n"
                            "      67.00         -      66.58  ns     -0.63 %      1.5 %  pass\n"
                            "bad (prediction): latency: why is not known\n"
                            "    4,177.0   4,177.0    5,000.2  ns    +19.71 %     0.25 %  fail\n") != std::string::npos,
               details);
    Row zero = row("zero", 0, {}, 0.01, 0);
    zero.low = -0.05;
    zero.high = 0.05;
    BOOST_TEST(report_text(report({zero})).find("  0.05 ns  yes     pass\n") != std::string::npos);
    BOOST_TEST(text.find("\nfail bad (prediction): +19.7 %, tolerance 0.25 %: latency\n") < text.find("\none\n"), text);
}

BOOST_AUTO_TEST_CASE(words_that_the_row_before_has_are_not_repeated_within_a_section)
{
    Row first = row("a", 1, {}, 1, 5);
    first.quantity = "latency of a ping-pong; 64 B";
    first.source = "[000]";
    first.note = "as printed";
    Row second = first;
    second.id = "b";
    second.quantity = "latency of a ping-pong; 128 B; far";
    Row third = second;
    third.id = "c";
    third.section = "two";
    const std::string text = report_text(report({first, second, third}), true, 80);
    BOOST_TEST(text.find("\na (prediction): latency of a ping-pong; 64 B [000]: as printed\n") != std::string::npos,
               text);
    BOOST_TEST(text.find("\nb (prediction): 128 B; far\n") != std::string::npos, text);
    BOOST_TEST(
        text.find("\nc (prediction): latency of a ping-pong; 128 B; far [000]: as printed\n") != std::string::npos,
        text);
}

BOOST_AUTO_TEST_CASE(a_report_fits_a_terminal_of_80_columns)
{
    Row wide =
        row("machine.a_name_of_an_id.that_is_as_long_as_the_longest", 26'350'000.1, 12'345'678.9, 12'345'678.9, 5);
    wide.quantity = "what is measured, in more words than a line of eighty columns can hold; and under which condition";
    wide.role = Role::kCalibration;
    wide.miss = "a reason that has more words than would fit into one line of eighty columns, as reasons often do";
    Report one = report({wide});
    one.not_run = {"machine.other: " + wide.miss};
    one.notes = {wide.miss};
    BOOST_TEST(widest_line(report_text(one, true, 80)) <= 80u, report_text(one, true, 80));
}

BOOST_AUTO_TEST_CASE(the_markdown_page_has_one_table_with_headings_among_its_rows_and_ours_says_so)
{
    Report own = report({row("a", 100, 50, 101, 1)});
    own.rows.front().note = "a note";
    const std::string page = report_markdown(std::vector{own});
    BOOST_TEST(page.starts_with("# Validation\n"));
    BOOST_TEST(page.find("docs/reference/evidence/sources.md") == std::string::npos);
    BOOST_TEST(page.find("\n## Machine m\n\n| id | published |") != std::string::npos, page);
    BOOST_TEST(page.find("\n| **one** | | | | | | | | | | |\n"
                         "| a | 100.00 | 50.00 | 101.00 | ns | +1.00 % | prediction | 1 % | yes | pass | |\n") !=
                   std::string::npos,
               page);
    BOOST_TEST(page.find("a note") == std::string::npos);
    Report steady = own;
    steady.rows.front().frozen = FrozenNumber{.id = "a", .value = 101, .low = 100, .high = 102};
    BOOST_TEST(report_markdown(std::vector{steady}).find("verdict |") == std::string::npos);
    Report ours = own;
    ours.ships = true;
    BOOST_TEST(report_markdown(std::vector{ours}).starts_with("<!-- SPDX"));
    BOOST_TEST(report_markdown(std::vector{ours}).find("docs/reference/evidence/sources.md") != std::string::npos);
    BOOST_TEST(report_markdown(std::vector{ours, own}).starts_with("# Validation\n"));
}

BOOST_AUTO_TEST_CASE(accuracy_counts_rows_by_their_error_and_names_the_largest_misses)
{
    Row missed = row("m.missed", 100, {}, 130, 10);
    missed.role = Role::kCalibration;
    missed.miss = "a reason";
    Row worse = row("m.worse", 100, {}, 50, 10);
    Row elsewhere = row("m.elsewhere", 100, {}, 90, 5);
    Row digits = row("m.digits", 100, {}, 104, 1);  // near, though not as printed
    elsewhere.miss = "a reason";
    Report some = report(
        {digits, row("m.far", 100, {}, 108, 10), missed, worse, elsewhere, row("m.not_counted", 100, {}, 300, 10)});
    for (Row& each : some.rows) each.counted = Counted::kOwn;
    some.rows[3].counted = Counted::kContradiction;
    some.rows[4].counted = Counted::kOtherSource;
    some.rows[5].counted.reset();
    const auto groups = accuracy_groups();
    const auto of = [&](std::size_t group) { return accuracy_of({&some, 1}, groups[group]); };
    BOOST_TEST(of(0).compared == 4U);
    BOOST_TEST(of(0).within_5 == 1U);
    BOOST_TEST(of(0).within_10 == 2U);
    BOOST_TEST(of(0).within_25 == 2U);
    BOOST_TEST(of(0).median_percent == 19.0, kClose);
    BOOST_TEST(of(1).compared == 3U);  // without the contradiction
    BOOST_TEST(of(2).compared == 3U);  // without the row that set something
    BOOST_TEST(of(3).compared == 0U);  // nothing is cross-validated
    BOOST_TEST(of(4).compared == 3U);  // predictions
    BOOST_TEST(of(5).compared == 1U);  // of other sources
    BOOST_TEST(accuracy_markdown(std::vector{some}) ==
               "| machine | published numbers | compared | within 5 % | within 10 % | within 25 % | median error |\n"
               "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
               "| m | all | 4 | 25 % | 50 % | 50 % | 19 % |\n"
               "| m | not contradicted | 3 | 33 % | 67 % | 67 % | 8 % |\n"
               "| m | set nothing | 3 | 33 % | 67 % | 67 % | 8 % |\n"
               "| m | never seen | 3 | 33 % | 67 % | 67 % | 8 % |\n"
               "| m | other sources | 1 | 0 % | 100 % | 100 % | 10 % |\n"
               "- `m.worse`: 100.00, 50.00 ns, -50.00 %\n"
               "- `m.missed` and 1 more: 100.0, 130.0 ns, +30.00 %\n");
    // Each row as it is without its table
    some.rows[2].left_out = LeftOut{.simulated = 130, .value = 120, .model = "0123"};
    BOOST_TEST(of(3).compared == 4U);
    BOOST_TEST(of(3).median_percent == 14.0, kClose);
    BOOST_TEST(accuracy_markdown(std::vector{some}).find("| m | cross-validated | 4 | 25 % | 50 % | 75 % | 14 % |") !=
               std::string::npos);
    // A study of which no table was left out is none of the sum's
    const std::vector halves{some, report({some.rows[0]})};
    BOOST_TEST(accuracy_of(halves, groups[3]).compared == 4U);
    some.rows[2].left_out.reset();
    // How many constants rows have set, and how many judge them
    some.constants = {"bus", "call"};
    BOOST_TEST(accuracy_markdown(std::vector{some})
                   .find("- `m`: 2 constants calibrated, 3 rows judge them: 1.5 a constant\n") != std::string::npos);
    some.constants.clear();
    // Of two studies there is a sum, and text begins with the answer
    const std::vector both{some, report({some.rows[0]})};
    BOOST_TEST(accuracy_text(both, {}).starts_with("Of 5 published numbers, 60 % are simulated within 10 % and 40 %"));
    BOOST_TEST(accuracy_table(both).markdown().find("| together | all | 5 | 40 % |") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_study_counts_the_rows_that_its_file_names_or_else_all_that_are_compared)
{
    const ringmesh::test::TemporaryFolder folder;
    Row bound = row("m.bound", 400, {}, 20, {});
    bound.low = 0;
    bound.high = 400;
    Row other = row("m.other", 100, {}, 300, {});
    other.role = Role::kAlternative;
    const Report all = report({row("m.a", 100, {}, 104, 10), row("m.b", 100, {}, 108, 10), bound, other,
                               row("m.zero", 0, {}, 1, {}), row("m.formula", {}, 100, 150, {})});
    const auto counted = [&](const std::string& text, bool whole = true) {
        if (!text.empty()) folder.write("counted.csv", text);
        Report marked = all;
        mark_counted(marked, folder.path(), whole);
        std::vector<std::string> ids;
        for (const Row& each : marked.rows) {
            if (each.counted) ids.push_back(each.id + ' ' + std::string(kCountedNames.name(*each.counted)));
        }
        return ids;
    };
    using Ids = std::vector<std::string>;
    BOOST_TEST(counted("") == (Ids{"m.a own", "m.b own"}));
    BOOST_TEST(counted("id,group,why\nm.b,,\nm.bound,contradiction,because\n") ==
               (Ids{"m.b own", "m.bound contradiction"}));
    BOOST_TEST(counted("id,group,why\nm.gone,,\n", false).empty());
    for (const char* wrong : {"m.gone,,", "m.a,,\nm.a,,", "m.a,strange,x", "m.a,other source,"}) {
        BOOST_CHECK_THROW(counted(std::string("id,group,why\n") + wrong + "\n"), UserError);
    }
}

BOOST_AUTO_TEST_CASE(all_that_is_known_of_a_row_has_a_line_each)
{
    Row one = row("m.one", 100, {}, 130, 10);
    one.miss = "a reason";
    one.note = "a note of many words";
    one.bar = Bar{.simulated = 130, .low = 125, .high = 140, .hangs_on = {{"clock", 0.9, true}, {"wire", 0.05}}};
    const std::string text = ledger_columns().description(one, {});
    for (const char* line : {"id         m.one\n", "published  100.0\n", "error      +30.00 %\n", "verdict    miss\n",
                             "miss       a reason\n", "note       a note of many words\n",
                             "bar        125.0 to 140.0 ns\n", "hangs on   clock* 90 %; wire 5 %\n"}) {
        BOOST_TEST(text.find(line) != std::string::npos, line << text);
    }
    BOOST_TEST(text.find("analytic") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(rows_that_were_left_out_are_named_everywhere_and_counted)
{
    Report some = report({row("a", 100, 100, 100, 1)});
    BOOST_TEST(report_text(some).find("--full") == std::string::npos);
    BOOST_TEST(report_markdown(std::vector{some}).find("--full") == std::string::npos);
    some.left_out = {"m.long1", "m.long2"};
    const std::vector reports{some};
    const std::string said = "Left out because they take long; included by validate --full: m.long1, m.long2.\n";
    BOOST_TEST(report_text(some).find(said) != std::string::npos);
    BOOST_TEST(report_markdown(reports).find(said) != std::string::npos);
    BOOST_TEST(summary(reports) ==
               "1 row; within their tolerance: 1 of 1 prediction row; 0 miss it as stated, 0 fail, 0 are not judged; "
               "2 more with --full");
    BOOST_TEST(ordered_json::parse(report_json(reports))["left_out"].dump() == R"(["m.long1","m.long2"])");
}

BOOST_AUTO_TEST_CASE(tables_keep_their_shape_as_csv_with_units_in_the_header)
{
    TextTable first({{"part", Align::kRight, "bytes"}, {"note"}});
    first.row({"256", "slow, \"very\""});
    first.row({"512", "x"});
    TextTable second({{"only"}});
    second.row({"1"});
    Report some = report({});
    some.tables.push_back({"One", std::move(first)});
    some.tables.push_back({"Two", std::move(second)});
    BOOST_TEST(tables_csv(std::vector{some}) ==
               "# One\npart (bytes),note\n256,\"slow, \"\"very\"\"\"\n512,x\n\n# Two\nonly\n1\n");
    BOOST_TEST(tables_csv(std::vector{report({})}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
