// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "lab/child_process.h"
#include "lab/commands.h"
#include "lab/output_file.h"
#include "lab/progress_bar.h"
#include "lab/standard_streams.h"
#include "lab/whatif/report.h"
#include "tlm/error.h"
#include "workloads/sizes.h"

namespace ringmesh::lab {
namespace {

/// The papers' own question: what if switching took half the time?
constexpr const char* kPapersQuestion = "half-switching";

std::vector<SizedTorus> tori_of(const std::string& sizes)
{
    if (sizes.empty()) return equal_tori(usual_sizes());
    const auto nodes = workloads::parse_sizes(sizes);
    for (const unsigned count : nodes) {
        if (count >= TorusShape::kSmallestRing && count <= TorusShape::kLargestRing) continue;
        throw UserError(
            fmt::format("whatif: --sizes {}: {} nodes; write numbers of nodes from {} to {}, such as "
                        "4..1024 x2 or 16,64,81",
                        sizes, count, TorusShape::kSmallestRing, TorusShape::kLargestRing));
    }
    return equal_tori(nodes);
}

}  // namespace

int WhatIfCommand::execute()
{
    if (json == "-" && csv == "-") throw UserError("--json - and --csv -: only one of them can go to standard output");
    const bool papers_question = request.overlays.empty() && request.settings.empty();
    ExperimentRequest changed = request;
    if (papers_question) changed.overlays = {kPapersQuestion};
    ExperimentRequest current = request;
    current.overlays.clear();
    current.settings.clear();
    Study study(System(current), System(changed), tori_of(sizes));
    OutputFile json_file(json);
    OutputFile csv_file(csv);

    const auto start = std::chrono::steady_clock::now();
    Experiments experiments;
    study.plan(experiments);
    {
        ProgressBar bar("whatif");
        experiments.run(available_processors(), [&](std::size_t finished) {
            bar.show(static_cast<double>(finished) / static_cast<double>(experiments.size()));
        });
    }
    study.evaluate(experiments);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

    if (json_file.wanted()) json_file.write(whatif_json(study));
    if (csv_file.wanted()) csv_file.write(whatif_csv(study));
    if (!json_file.is_standard_output() && !csv_file.is_standard_output()) {
        const auto question =
            papers_question
                ? fmt::format("the papers' question, switching in half the time, by overlay {}", kPapersQuestion)
                : fmt::format("{}", fmt::join(request.overlays, ", "));
        print(fmt::format("what if, on {}: {}\n\n{}", request.platform, question, whatif_text(study)));
    }
    say(fmt::format("{} experiments in {:.2f} s", experiments.size(), passed.count()));
    return 0;
}

}  // namespace ringmesh::lab
