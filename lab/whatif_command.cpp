// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "lab/child_process.h"
#include "lab/commands.h"
#include "lab/output_file.h"
#include "lab/progress_bar.h"
#include "lab/standard_streams.h"
#include "lab/whatif/study.h"
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

    const auto start = std::chrono::steady_clock::now();
    Store store(Store::usual_folder());
    Experiments experiments;
    std::size_t ran = 0;
    study.plan(experiments);
    {
        ProgressBar bar("whatif");
        ran = experiments.run(store, available_processors(), [&](std::size_t finished) {
            bar.show(static_cast<double>(finished) / static_cast<double>(experiments.size()));
        });
    }
    study.evaluate(experiments);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

    const auto text = [&] {
        const auto question =
            papers_question
                ? fmt::format("the papers' question, switching in half the time, by overlay {}", kHalfSwitching)
                : changes_asked(request);
        return fmt::format("what if, on {}: {}\n\n{}", request.platform, question, whatif_text(study));
    };
    outputs.write([&] { return whatif_json(study); }, [&] { return whatif_csv(study); }, text);
    say(fmt::format("{} experiments, {} of them run now, in {:.2f} s", experiments.size(), ran, passed.count()));
    return 0;
}

}  // namespace ringmesh::lab
