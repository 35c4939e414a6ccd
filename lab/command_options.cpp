// SPDX-License-Identifier: Apache-2.0
#include "lab/command_options.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "lab/command_help.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

constexpr NameTable<Subject, 4> kSubjects{{{{"platforms", Subject::kPlatforms},
                                            {"overlays", Subject::kOverlays},
                                            {"workloads", Subject::kWorkloads},
                                            {"parameters", Subject::kParameters}}}};

std::uint64_t parse_seed(const std::string& text)
{
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
        throw UserError(
            fmt::format("run: --seed {}: not a whole number from 0 to {}; write --seed 1", text, UINT64_MAX));
    }
    return seed;
}

Command list_command(CommandOptions& options)
{
    const auto names = kSubjects.names();
    if (options.subject.empty()) {
        throw UserError(fmt::format("list: what? write one of: {}{}", fmt::join(names, ", "), see_help("list")));
    }
    const Subject* subject = kSubjects.find(options.subject);
    if (subject == nullptr) {
        throw UserError(
            fmt::format("list: unknown subject '{}'{}", options.subject, suggestion(options.subject, names)));
    }
    if (!options.list.platform.empty() && *subject != Subject::kParameters) {
        throw UserError(fmt::format("list: unexpected argument '{}'; only 'list parameters' takes a platform",
                                    options.list.platform));
    }
    if (options.markdown && options.json) throw UserError("list: --markdown and --json: choose one of them");
    options.list.subject = *subject;
    options.list.format = options.json ? Format::kJson : options.markdown ? Format::kMarkdown : Format::kText;
    return std::move(options.list);
}

Command run_command(CommandOptions& options)
{
    if (options.run.request.platform.empty()) {
        throw UserError("run: no platform; 'ringmesh list platforms' shows what there is" + see_help("run"));
    }
    if (options.run.request.workload.empty()) {
        throw UserError("run: no workload; write --workload NAME; 'ringmesh list workloads' shows what there is" +
                        see_help("run"));
    }
    options.run.request.seed = parse_seed(options.seed);
    options.run.wall_time = !options.no_wall_time;
    return std::move(options.run);
}

WhatIfCommand whatif_command(CommandOptions& options)
{
    if (options.whatif.request.platform.empty()) {
        throw UserError("whatif: no platform; 'ringmesh list platforms' shows what there is" + see_help("whatif"));
    }
    return std::move(options.whatif);
}

}  // namespace

Command make_command(const std::string& name, CommandOptions& options)
{
    if (name == "list") return list_command(options);
    if (name == "run") return run_command(options);
    if (name == "whatif") return whatif_command(options);
    return std::move(options.validate);
}

}  // namespace ringmesh::lab
