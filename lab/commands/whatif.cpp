// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "lab/commands/commands.h"
#include "lab/compare/whatif/error_bars.h"
#include "lab/compare/whatif/families.h"
#include "lab/compare/whatif/study.h"
#include "lab/compare/whatif/variants.h"
#include "lab/compare/whatif/variants_report.h"
#include "lab/process/child_process.h"
#include "lab/process/output_file.h"
#include "lab/process/progress_bar.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/report/report_file.h"
#include "lab/study/execution.h"
#include "lab/study/tables.h"
#include "lab/table/text_table.h"
#include "tlm/error.h"
#include "workloads/sizes.h"

namespace ringmesh::lab {
namespace {

std::vector<SizedTorus> tori_of(const std::string& sizes)
{
    if (sizes.empty()) return equal_tori(usual_sizes());
    return equal_tori(workloads::parse_sizes(sizes, {.name = "whatif: --sizes",
                                                     .equals = " ",
                                                     .owner = "a machine to compare",
                                                     .unit = "nodes",
                                                     .examples = "'16,64,81', '4..64 step 4' or '4..1024 x4'",
                                                     .step = 1,
                                                     .smallest = TorusShape::kSmallestRing,
                                                     .largest = TorusShape::kLargestRing}));
}

/// "overlay blink-100MHz, lc2.decode=10ns"
std::string changes_asked(const ExperimentRequest& request)
{
    std::vector<std::string> all;
    for (const std::string& overlay : request.overlays) all.push_back("overlay " + overlay);
    all.insert(all.end(), request.settings.begin(), request.settings.end());
    return fmt::format("{}", fmt::join(all, ", "));
}

/// "on wulfkit-ring: ping-pong:sizes=64"
std::string title_of(const StudyTest& test)
{
    std::string title = fmt::format("on {}: {}", test.platform.text, test.program.text);
    bool first = true;
    for (const StudySetting& option : test.options) {
        title += fmt::format("{}{}={}", std::exchange(first, false) ? ":" : ",", option.key, option.value);
    }
    if (!test.library.empty()) title += " over " + test.library.text;
    return title;
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
    const bool papers_question = request.overlays.empty() && request.settings.empty();
    ExperimentRequest changed = request;
    if (papers_question) changed.overlays = {kHalfSwitching};
    ExperimentRequest current = request;
    current.overlays.clear();
    current.settings.clear();
    const auto tori = tori_of(sizes);
    System as_it_is(current);  // checked first: the platform itself must be suitable
    WhatIf study(std::move(as_it_is), System(changed), tori);
    require_comparable(study.systems.current, study.systems.changed);
    ResultOutputs outputs{OutputFile(json), OutputFile(csv)};
    ReportFile report_file(report);

    const auto start = std::chrono::steady_clock::now();
    Store points(store.folder.empty() ? Store::usual_folder() : std::filesystem::path(store.folder));
    Experiments experiments;
    std::size_t ran = 0;
    study.plan(experiments);
    {
        ProgressBar bar("whatif");
        const auto show = [&](std::size_t finished) {
            bar.show(static_cast<double>(finished) / static_cast<double>(experiments.size()));
        };
        ran = experiments.run(points, store.jobs == 0 ? available_processors() : store.jobs, show, store.fresh);
    }
    study.evaluate(experiments);
    std::optional<Analysis> error_bars;
    if (uncertainty) {
        VariedTopologies varied(study);
        error_bars = analyse(varied, {.samples = samples, .variations = {.store = store}}, points);
        for (const std::string& problem : error_bars->problems) say(problem);
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

    const std::string title = fmt::format(
        "what if, on {}: {}", request.platform,
        papers_question ? fmt::format("the papers' question, switching in half the time, by overlay {}", kHalfSwitching)
                        : changes_asked(request));
    outputs.write([&] { return whatif_json(study, error_bars); }, [&] { return whatif_csv(study); },
                  [&] {
                      const Room room = output_room();
                      return fmt::format("{}\n\n{}{}", title, whatif_text(study, room),
                                         error_bars ? "\n" + error_bars_text(*error_bars, room) : "");
                  });
    if (report_file.wanted()) {
        Page page{.title = title};
        add_topologies(page, study);
        report_file.write(std::move(page));
    }
    say(fmt::format("{}, {} of them run now, in {:.2f} s", counted(experiments.size(), "experiment"), ran,
                    passed.count()));
    return 0;
}

void StudyCommand::show_variants(const AskedPoints& asked, Store& points, ResultOutputs outputs,
                                 ReportFile& report_file) const
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
        throw UserError(
            "whatif: nothing to compare: one variant, and no axis whose values give curves; write --variant "
            "NAME=CHANGE, "
            "--overlay or --set, or a second axis; in a study, variants");
    }
    compared.examples = examples_of(compared.comparison, points);
    if (uncertainty) {
        VariedVariants varied(study, asked.points, *question);
        compared.error_bars = analyse(varied, {.samples = samples, .variations = {.store = store}}, points);
        for (const std::string& problem : compared.error_bars->problems) say(problem);
    }
    outputs.write([&] { return variants_json(compared); }, [&] { return variants_csv(compared); },
                  [&] { return variants_text(compared, output_room()); });
    if (!report_file.wanted()) return;
    Page page{.title = "What if, " + compared.title};
    add_variants(page, compared);
    report_file.write(std::move(page));
}

}  // namespace ringmesh::lab
