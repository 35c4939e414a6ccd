// SPDX-License-Identifier: Apache-2.0
#include "lab/run/suitable_platforms.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "platforms/files/catalog.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

using Sorts = std::vector<std::string_view>;

bool offers(const platforms::MachineKind& kind, const Sorts& wanted)
{
    const Sorts offered = kind.offers();
    return std::find_first_of(offered.begin(), offered.end(), wanted.begin(), wanted.end()) != offered.end();
}

/// "run it on scc", or "run it on one of: a, b".
std::string on_platforms_that_offer(const Sorts& wanted)
{
    const auto names = platforms_that_offer(wanted);
    if (names.empty()) return "no platform of the catalog offers it";
    return fmt::format("run it on {}{}", names.size() == 1 ? "" : "one of: ", fmt::join(names, ", "));
}

/// "take raw", or "take one of: raw, deck".
std::string take_one_of(const std::vector<const workloads::LibraryInfo*>& libraries)
{
    std::vector<std::string_view> names;
    names.reserve(libraries.size());
    for (const auto* library : libraries) names.push_back(library->name);
    return fmt::format("take {}{}", names.size() == 1 ? "" : "one of: ", fmt::join(names, ", "));
}

}  // namespace

void require_offered(std::string_view who, const Sorts& sorts, std::string_view platform,
                     const platforms::MachineKind& kind)
{
    if (offers(kind, sorts)) return;
    throw UserError(fmt::format("{} runs on {}, and {} offers {}; {}", who, fmt::join(sorts, " or "), platform,
                                fmt::join(kind.offers(), " and "), on_platforms_that_offer(sorts)));
}

std::vector<std::string> platforms_that_offer(const Sorts& wanted)
{
    std::vector<std::string> names;
    for (const auto& entry : platforms::list_platforms()) {
        const auto& kinds = platforms::machine_kinds();
        const auto makes_it = [&](const auto* kind) { return kind->name() == entry.machine && offers(*kind, wanted); };
        if (std::any_of(kinds.begin(), kinds.end(), makes_it)) names.push_back(entry.name);
    }
    return names;
}

std::vector<const workloads::LibraryInfo*> libraries_for(const workloads::WorkloadInfo& workload)
{
    std::vector<const workloads::LibraryInfo*> all;
    if (!workload.uses_library()) return all;
    for (const auto& library : workloads::libraries()) {
        if (!lacks(workload, library)) all.push_back(&library);
    }
    // Of those that a program with labels may take by itself, the ones that were made for them come first
    if (std::ranges::find(workload.needs, workloads::Offer::kLabels) != workload.needs.end()) {
        std::stable_partition(all.begin(), all.end(),
                              [](const auto* library) { return !library->make()->adds_labels(); });
    }
    return all;
}

std::vector<const workloads::LibraryInfo*> libraries_for(const workloads::WorkloadInfo& workload,
                                                         const platforms::MachineKind& kind)
{
    auto all = libraries_for(workload);
    std::erase_if(all, [&kind](const auto* library) { return !offers(kind, {library->runs_on}); });
    return all;
}

const workloads::LibraryInfo* choose_library(const workloads::WorkloadInfo& workload, const std::string& name,
                                             std::string_view platform, const platforms::MachineKind& kind)
{
    if (!workload.uses_library()) {
        if (name.empty()) return nullptr;
        throw UserError(fmt::format("--library {}: {} runs over no library; leave --library out", name, workload.name));
    }
    const workloads::LibraryInfo* const wanted = name.empty() ? nullptr : &workloads::find_library(name);
    const auto machines = fmt::format("{} offers {}", platform, fmt::join(kind.offers(), " and "));
    const auto usable = libraries_for(workload, kind);
    Sorts sorts;  // of machines that have a library for it
    for (const auto* library : libraries_for(workload)) {
        if (std::find(sorts.begin(), sorts.end(), library->runs_on) == sorts.end()) sorts.push_back(library->runs_on);
    }
    if (wanted != nullptr && !offers(kind, {wanted->runs_on})) {
        throw UserError(fmt::format("--library {}: it runs on {}, and {}; {}{}", name, wanted->runs_on, machines,
                                    usable.empty() ? "" : take_one_of(usable) + ", or ",
                                    on_platforms_that_offer({wanted->runs_on})));
    }
    const auto missing = wanted == nullptr ? std::nullopt : lacks(workload, *wanted);
    if (missing) {
        throw UserError(fmt::format("--library {}: {}; {}", name, *missing,
                                    usable.empty() ? on_platforms_that_offer(sorts) : take_one_of(usable)));
    }
    if (usable.empty()) {
        throw UserError(fmt::format("{} runs over a library for {}, and {}; {}", workload.name,
                                    fmt::join(sorts, " or "), machines, on_platforms_that_offer(sorts)));
    }
    return wanted == nullptr ? usable.front() : wanted;
}

std::vector<ParameterRow> options_of(const workloads::WorkloadInfo& info, const workloads::LibraryInfo* library)
{
    const auto over = libraries_for(info);
    const auto workload = info.make(library != nullptr || over.empty() ? library : over.front());
    return list_parameters_of([&workload](ParameterVisitor& visitor) { workload->visit(visitor); });
}

}  // namespace ringmesh::lab
