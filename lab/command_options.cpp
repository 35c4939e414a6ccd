// SPDX-License-Identifier: Apache-2.0
#include "lab/command_options.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "lab/command_help.h"
#include "platforms/toml_document.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

constexpr NameTable<Subject, 6> kSubjects{{{{"platforms", Subject::kPlatforms},
                                            {"overlays", Subject::kOverlays},
                                            {"workloads", Subject::kWorkloads},
                                            {"libraries", Subject::kLibraries},
                                            {"parameters", Subject::kParameters},
                                            {"policies", Subject::kPolicies}}}};

template <class Integer>
std::optional<Integer> parse_whole(const std::string& text)
{
    Integer number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return number;
}

std::uint64_t parse_seed(std::string_view command, const std::string& text)
{
    if (const auto seed = parse_whole<std::uint64_t>(text)) return *seed;
    throw UserError(
        fmt::format("{}: --seed {}: not a whole number from 0 to {}; write --seed 1", command, text, UINT64_MAX));
}

std::int64_t parse_rank(const char* option, const std::string& text)
{
    if (text.empty()) {
        throw UserError(
            fmt::format("explain: no {0}; write {0} and the rank of a node{1}", option, see_help("explain")));
    }
    if (const auto rank = parse_whole<std::uint32_t>(text)) return *rank;
    throw UserError(fmt::format("explain: {0} {1}: not the rank of a node; write a whole number, {0} 0", option, text));
}

std::int64_t parse_bytes(const std::string& text)
{
    if (const auto bytes = parse_whole<std::int64_t>(text)) return *bytes;
    throw UserError(fmt::format("explain: --bytes {}: not a whole number of bytes; write --bytes 64", text));
}

/// Later overlays override earlier ones; but a key twice on the command line is a mistake.
void require_each_key_once(std::string_view command, const ExperimentRequest& request)
{
    std::set<std::string, std::less<>> keys;
    for (const std::string& setting : request.settings) {
        for (const platforms::Setting& each : platforms::read_assignment(setting, "--set")) {
            if (keys.insert(each.key).second) continue;
            throw UserError(fmt::format("{}: --set {}: {} is given twice; keep one", command, setting, each.key));
        }
    }
}

Command list_command(CommandOptions& options)
{
    const auto names = kSubjects.names();
    if (options.subject.empty()) {
        throw UserError(fmt::format("list: no subject; write one of: {}{}", fmt::join(names, ", "), see_help("list")));
    }
    const Subject* subject = kSubjects.find(options.subject);
    if (subject == nullptr) {
        throw UserError(
            fmt::format("list: unknown subject '{}'{}", options.subject, suggestion(options.subject, names)));
    }
    if (!options.list.name.empty() && (*subject == Subject::kPlatforms || *subject == Subject::kOverlays)) {
        throw UserError(
            fmt::format("list: unexpected argument '{}'; only 'list parameters' takes a platform, 'list workloads' a "
                        "workload, 'list libraries' a library, and 'list policies' a kind of policy",
                        options.list.name));
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
    require_each_key_once("run", options.run.request);
    if (options.run.request.workload.empty()) {
        throw UserError("run: no workload; write --workload NAME; 'ringmesh list workloads' shows what there is" +
                        see_help("run"));
    }
    options.run.request.seed = parse_seed("run", options.seed);
    options.run.wall_time = !options.no_wall_time;
    return std::move(options.run);
}

WhatIfCommand whatif_command(CommandOptions& options)
{
    if (options.whatif.request.platform.empty()) {
        throw UserError("whatif: no platform; 'ringmesh list platforms' shows what there is" + see_help("whatif"));
    }
    require_each_key_once("whatif", options.whatif.request);
    return std::move(options.whatif);
}

Command explain_command(CommandOptions& options)
{
    if (options.explain.request.platform.empty()) {
        throw UserError("explain: no platform; 'ringmesh list platforms' shows what there is" + see_help("explain"));
    }
    require_each_key_once("explain", options.explain.request);
    options.explain.from = parse_rank("--from", options.from);
    options.explain.to = parse_rank("--to", options.to);
    options.explain.bytes = parse_bytes(options.bytes);
    return std::move(options.explain);
}

SaturateCommand saturate_command(CommandOptions& options)
{
    if (options.saturate.request.platform.empty()) {
        throw UserError("saturate: no platform; 'ringmesh list platforms' shows what there is" + see_help("saturate"));
    }
    require_each_key_once("saturate", options.saturate.request);
    options.saturate.request.seed = parse_seed("saturate", options.seed);
    return std::move(options.saturate);
}

}  // namespace

Command make_command(const std::string& name, CommandOptions& options)
{
    if (name == "list") return list_command(options);
    if (name == "run") return run_command(options);
    if (name == "whatif") return whatif_command(options);
    if (name == "explain") return explain_command(options);
    if (name == "saturate") return saturate_command(options);
    return std::move(options.validate);
}

}  // namespace ringmesh::lab
