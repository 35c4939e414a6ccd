// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/commands/keep/study.h"
#include "lab/compare/whatif/error_bars.h"
#include "lab/compare/whatif/topologies.h"
#include "lab/compare/whatif/variants.h"
#include "lab/compare/whatif/variants_report.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/study/description/catalog.h"
#include "lab/study/running/execution.h"
#include "lab/study/tables.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/evidence.h"
#include "lab/truth/findings.h"
#include "lab/truth/uncertainty/variations.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"
#include "tlm/machine/torus_shape.h"
#include "tlm/parameters/names.h"
#include "workloads/sizes.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kWhatIf{.name = "whatif",
                              .meaning = "Compare variants of a machine, and see where their curves cross",
                              .arguments = "whatif PLATFORM|STUDY [OPTIONS]",
                              .examples = R"(Examples:
  ringmesh whatif wulfkit-torus-2d                            the papers' question: switching in half the time
  ringmesh whatif wulfkit-torus-2d --overlay blink-100MHz
  ringmesh whatif wulfkit-torus-2d --set lc2.in_fifo_to_blink=50ns --sizes 16,64,81,256
  ringmesh whatif scc --workload ping-pong:sizes=256 --axis 'options.to=1..11 step 2' \
           --variant fast=thesis-mesh-1600 --variant slow=clock.tile_dividers=4 --by latency_avg_ns
  ringmesh whatif mesh-8x8 --workload traffic --axis options.load=0.1,0.2,0.3 --set mesh.pipeline=2cycles --repeat 5
  ringmesh whatif my-study --test rings --by latency_min_ns

Without --workload, the command compares the platform with the changed platform on tori of 1 to 4 equal dimensions, by
the papers' equations and by simulation. It chooses topology.dimensions itself. 'ringmesh list overlays' shows
ready-made changes.

With --workload, it compares variants of any machine along any axes, by one result of the workload. It shows means,
differences from the base in percent, with --repeat their 95 % intervals, and where curves cross along an axis of
numbers. Without --variant, the options --overlay and --set describe the variant 'changed', beside 'base'; --set-both
holds for both. With --variant all of them hold for all variants, as settings with ${axis} always do. For a study, the
command compares the variants of one test. If a platform and a study have the same name, the platform is meant unless
--test is given; a path such as studies/scc always means a study. docs/whatif.md has more.
)",
                              .status_1 = "a point failed"};

class WhatIfCommand final : public Command {
public:
    const CommandHelp& help() const override { return kWhatIf; }
    void describe(OptionList& list) override
    {
        add_axes(list, axes_, asked_, "Name or TOML file of a platform; or name or folder of a study");
        list.repeated("--set-both", both_,
                      "Change one parameter of base and changed machine alike, where --set changes the latter alone",
                      "KEY=VALUE");
        list.text("--by", question_.by, "Result to compare; the first time or rate if not given", "COLUMN");
        list.flag("--smaller", smaller_, "A smaller result is better");
        list.flag("--larger", larger_, "A larger result is better");
        list.text("--test", test_, "For a study: the test whose variants to compare", "NAME");
        list.text("--sizes", sizes_, "Without --workload: numbers of nodes to simulate; up to 1024 if not given",
                  "N,N..N,N..N step N,N..N xN");
        list.flag("--uncertainty", asked_.uncertainty,
                  "Say how sure the answers are, if assumed parameters may have any value of their ranges");
        list.count(
            "--samples", asked_.samples,
            fmt::format("Number of random samples (Latin hypercube) for answers that are not linear; {} if not given",
                        kHypercubeSamples));
    }
    int execute() override;

private:
    int compare_variants(bool of_study);
    int ask_papers_question();

    Axes axes_;
    std::vector<std::string> both_;  ///< settings of all variants
    AskedStudy asked_;
    VariantQuestion question_;
    bool smaller_ = false;
    bool larger_ = false;
    std::string test_;   ///< of a study
    std::string sizes_;  ///< numbers of nodes; empty for the usual ones
};

/// Whether what is asked about is a study: a platform's name wins, unless a test is named.
bool is_study(const std::string& name, const std::string& test)
{
    if (!test.empty()) return true;
    const std::filesystem::path path(name);
    const bool holds_study = path.filename() == "study.toml" || is_there(path / "study.toml");
    if (platforms::is_path(name) || name == ".") return holds_study;
    std::vector<std::string> known;
    for (const platforms::CatalogEntry& platform : platforms::list_platforms()) known.push_back(platform.name);
    if (std::find(known.begin(), known.end(), name) != known.end()) return false;
    const auto studies = list_studies();
    known.insert(known.end(), studies.begin(), studies.end());
    if (holds_study || std::find(studies.begin(), studies.end(), name) != studies.end()) return true;
    throw UserError(fmt::format("whatif: '{}' is no platform and no study{}", name, suggestion(name, known)));
}

/// The one test of the study that is to be compared.
void keep_test(Study& study, const std::string& path, const std::string& name)
{
    std::vector<std::string> names;
    std::vector<std::string> comparable;
    for (const StudyTest& test : study.tests) {
        names.push_back(test.name);
        if (test.variants.size() > 1) comparable.push_back(test.name);
    }
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
        throw UserError(fmt::format("whatif: --test {}: {} has no such test{}", name, path, suggestion(name, names)));
    }
    if (name.empty() && comparable.size() != 1) {
        throw UserError(fmt::format("whatif: {} has {} tests with two or more variants; write --test NAME: {}", path,
                                    comparable.size(), fmt::join(comparable.empty() ? names : comparable, ", ")));
    }
    const std::string& wanted = name.empty() ? comparable.front() : name;
    std::erase_if(study.tests, [&wanted](const StudyTest& test) { return test.name != wanted; });
}

/// Without variants, the changes of the platform are one. What depends on an axis holds for all.
void make_changed(StudyTest& test)
{
    if (test.variants.size() > 1) return;
    Variant changed{.name = "changed", .overlays = test.overlays, .where = test.where};
    std::vector<StudySetting> for_all;
    for (StudySetting& setting : test.set) {
        const bool depends = setting.value.find("${") != std::string::npos;
        (depends ? for_all : changed.set).push_back(std::move(setting));
    }
    test.set = std::move(for_all);
    test.overlays.clear();
    if (!changed.overlays.empty() || !changed.set.empty()) test.variants.push_back(std::move(changed));
}

/// Settings of all variants.
void set_both(StudyTest& test, const std::vector<std::string>& both)
{
    for (const std::string& text : both) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw UserError(fmt::format("whatif: --set-both {}: write --set-both KEY=VALUE", text));
        }
        test.set.push_back({text.substr(0, equals), text.substr(equals + 1), "whatif: --set-both " + text});
    }
}

/// None for none.
std::vector<std::string> tori_of(const std::string& sizes)
{
    if (sizes.empty()) return {};
    return equal_tori(workloads::parse_sizes(sizes, {.name = "whatif: --sizes",
                                                     .equals = " ",
                                                     .owner = "a machine to compare",
                                                     .unit = "nodes",
                                                     .examples = "'16,64,81', '4..64 step 4' or '4..1024 x4'",
                                                     .step = 1,
                                                     .smallest = TorusShape::kSmallestRing,
                                                     .largest = TorusShape::kLargestRing}));
}

constexpr const char* kNothingToCompare =
    "whatif: nothing to compare: one variant, and no axis whose values give curves; write --variant NAME=CHANGE, "
    "--overlay or --set, or a second axis; in a study, variants; sweep prints one variant";

/// A run of a program of others has times of its calls, which are no curves.
bool is_one_table_of_calls(const StudyTest& test)
{
    return test.program.text == "program" && test.variants.size() < 2 &&
           std::ranges::none_of(test.axes, [](const auto& axis) { return axis.values.size() > 1; }) &&
           std::ranges::none_of(test.options, [](const auto& option) { return option.key == "rows"; });
}

/// "overlay blink-100MHz, lc2.decode=10ns"
std::string changes_asked(const ExperimentRequest& request)
{
    std::vector<std::string> all;
    for (const std::string& overlay : request.overlays) all.push_back("overlay " + overlay);
    all.insert(all.end(), request.settings.begin(), request.settings.end());
    return fmt::format("{}", fmt::join(all, ", "));
}

/// Of each variant its point at the first place where all are measured, or else where it is; nothing if it is nowhere.
std::vector<Point> examples_of(const VariantComparison& comparison, const Store& points)
{
    const auto all_measured = [](const VariantPlace& place) {
        return std::all_of(place.variants.begin(), place.variants.end(),
                           [](const Contender& each) { return each.measured(); });
    };
    const auto common = std::find_if(comparison.places.begin(), comparison.places.end(), all_measured);
    std::vector<Point> examples;
    for (std::size_t variant = 0; variant < comparison.variants.size(); ++variant) {
        const auto measured = [variant](const VariantPlace& place) { return place.variants[variant].measured(); };
        const auto place = common != comparison.places.end()
                               ? common
                               : std::find_if(comparison.places.begin(), comparison.places.end(), measured);
        Point& example = examples.emplace_back();
        if (place == comparison.places.end()) continue;
        if (auto found = points.find(place->variants[variant].points.front())) example = std::move(*found);
    }
    return examples;
}

}  // namespace

int WhatIfCommand::execute()
{
    asked_.command_line = command_line;
    if (!first_typed({"--samples"}).empty() && !asked_.uncertainty) {
        throw UserError("whatif: --samples: is of error bars; add --uncertainty, or leave it out");
    }
    const std::string& platform = axes_.request.platform;
    const bool of_study = !platform.empty() && is_study(platform, test_);
    if (!axes_.workload.is_given()) axes_.workload.text("whatif");  // throws for what goes with one
    if (of_study || axes_.workload.is_given()) return compare_variants(of_study);
    const std::string option =
        first_typed({"--library", "--map", "--background", "--axis", "--together", "--variant", "--repeat", "--seed",
                     "--save", "--by", "--smaller", "--larger", "--where", "--limit", "--dry-run", "--retry"});
    if (option.empty()) return ask_papers_question();
    throw UserError(fmt::format(
        "whatif: {}: goes with a program; write --workload NAME, or leave it out for the papers' question{}", option,
        see_help("whatif")));
}

/// Over axes, or of a study.
int WhatIfCommand::compare_variants(bool of_study)
{
    if (!sizes_.empty()) {
        throw UserError(
            "whatif: --sizes: numbers of nodes go without --workload and study; give the program its sizes, "
            "--workload NAME:sizes=..., or write an axis");
    }
    if (smaller_ && larger_) throw UserError("whatif: --smaller and --larger: choose one of them");
    if (smaller_) question_.better = Better::kSmaller;
    if (larger_) question_.better = Better::kLarger;
    asked_.question = question_;
    asked_.is_sweep = !of_study;
    if (of_study) {
        const std::string taken =
            first_typed({"--workload", "--program", "--library", "--map", "--background", "--overlay", "--set",
                         "--set-both", "--fault", "--axis", "--together", "--variant", "--repeat", "--seed", "--save"});
        if (!taken.empty()) {
            throw UserError(fmt::format("whatif: {}: {} is a study, whose study.toml says what runs; write it there",
                                        taken, axes_.request.platform));
        }
        asked_.path = axes_.request.platform;
        asked_.study = read_study(find_study(asked_.path));
        keep_test(asked_.study, asked_.path, test_);
    } else {
        StudyTest test = axes_.test_of("whatif");
        make_changed(test);
        set_both(test, both_);
        if (is_one_table_of_calls(test)) throw UserError(kNothingToCompare);
        asked_.study.tests.push_back(std::move(test));
    }
    return asked_.execute();
}

int WhatIfCommand::ask_papers_question()
{
    const ExperimentRequest& request = axes_.request;
    const bool papers_question = request.overlays.empty() && request.settings.empty();
    const std::string title = fmt::format(
        "what if, on {}: {}", request.platform,
        papers_question ? fmt::format("the papers' question, switching in half the time, by overlay {}", kPapersChange)
                        : changes_asked(request));
    Study study = topologies_study(request, both_, tori_of(sizes_));
    for (StudyTest& test : study.tests) set_both(test, both_);
    study.title = title;
    Findings findings(study, "");
    AskedPoints asked{&study, points_of(study), {}};
    Outputs outputs(asked_.files, command_line);
    Store points = Store::at(asked_.store.folder);
    asked.granted = run_all(asked, asked_.store, points);
    for (std::size_t i = 0; i < asked.points.size(); ++i) asked.granted[i].require_done(asked.points[i].wish.title);
    findings.find(asked.points, asked.granted, points);
    std::optional<Analysis> error_bars;
    if (asked_.uncertainty) {
        VariedFindingsOfStudy varied(study, "", true);
        error_bars = analyse(varied, {.samples = asked_.samples, .variations = {.store = asked_.store}}, points);
        for (const std::string& problem : error_bars->problems) say(problem);
    }
    const Answer answer = with_evidence(findings.answer(), [&] {
        return evidence_lines({request.platform, "topologies", ""}, {}, true);
    });
    outputs.write(
        answer, [&] { return topologies_json(request, asked, findings, error_bars); },
        [&] { return topologies_csv(request, asked, findings); },
        [&] {
            const Room room = output_room();
            std::string text = wrapped(title, 2, room.prose()) + '\n';
            for (const Report::Table& table : findings.tables()) {
                if (!table.table.empty()) text += '\n' + table_text(table, room);
            }
            return text + (error_bars ? "\n" + error_bars_text(*error_bars, room) : "");
        });
    outputs.report([&] { return study_page(asked, points, findings, "whatif", true); });
    return 0;
}

void AskedStudy::show_variants(const AskedPoints& asked, Store& points, Outputs& outputs) const
{
    const StudyTest& test = study.tests.front();
    VariantReport compared{
        .title = title_of(test),
        .comparison = compare_variants(test, whole_table(study, 0, asked.points, asked.granted, points), *question),
        .families = {},
        .examples = {}};
    if (!is_sweep) {
        compared.title =
            fmt::format("on {}: {}, test {} of {}", test.platform.text, test.program.text, test.name, path);
    }
    compared.families = curve_families(compared.comparison);
    if (compared.comparison.variants.size() < 2 && compared.families.empty()) {
        throw UserError(kNothingToCompare);
    }
    compared.examples = examples_of(compared.comparison, points);
    if (uncertainty) {
        VariedVariants varied(study, asked.points, *question);
        compared.error_bars = analyse(varied, {.samples = samples, .variations = {.store = store}}, points);
        for (const std::string& problem : compared.error_bars->problems) say(problem);
    }
    Answer said = answer_of(compared);
    add_unasked(asked, points, said);
    const Answer answer = with_evidence(std::move(said), [&] {
        const RunRecord& base = compared.examples.front().record;
        return evidence_lines(base, base.outcome.results, compared.comparison.variants.size() > 1);
    });
    outputs.write(
        answer, [&] { return variants_json(compared); }, [&] { return variants_csv(compared); },
        [&] { return variants_text(compared, output_room()); });
    outputs.report([&] {
        Page page{.title = "What if, " + compared.title};
        add_variants(page, compared);
        return page;
    });
}

std::unique_ptr<Command> make_whatif() { return std::make_unique<WhatIfCommand>(); }

}  // namespace ringmesh::lab
