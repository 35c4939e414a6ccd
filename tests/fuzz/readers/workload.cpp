// SPDX-License-Identifier: Apache-2.0
/// The value of --workload, and behind a newline that of --library, up to the options that they set.
#include "workloads/workload.h"
#include "lab/run/suitable_platforms.h"
#include "lab/run/workload_spec.h"
#include "platforms/configuration.h"
#include "tests/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    const std::string text(fuzz::text_of(data, size));
    const auto line = text.find('\n');
    const auto set = [](const auto& options, const auto& walk) {
        platforms::read_assignments(options, "--workload", walk);
        platforms::require_effects(options, "--workload", walk);
    };
    return fuzz::refused_or_read([&] {
        const auto spec = lab::parse_workload_spec("--workload", text.substr(0, line));
        const auto& info = workloads::find_workload(spec.name, spec.options);
        lab::WorkloadSpec library;
        if (line != std::string::npos) library = lab::parse_workload_spec("--library", text.substr(line + 1));
        const workloads::LibraryInfo* chosen = nullptr;
        if (info.uses_library()) {
            const auto fit = lab::libraries_for(info);
            chosen = fit.front();
            for (const auto* each : fit) {
                if (each->name == library.name) chosen = each;
            }
        }
        const auto workload = info.make(chosen);
        set(spec.options, [&](ParameterVisitor& visitor) { workload->visit(visitor); });
        if (chosen != nullptr) {
            set(library.options, [&](ParameterVisitor& visitor) { workload->library()->visit(visitor); });
        }
    });
}
