// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/option_values.h"

#include <fmt/format.h>

#include <functional>
#include <set>

#include "lab/commands/help.h"
#include "platforms/toml_document.h"

namespace ringmesh::lab {

std::uint64_t parse_seed(std::string_view command, const std::string& text)
{
    if (const auto seed = parse_whole<std::uint64_t>(text)) return *seed;
    throw UserError(
        fmt::format("{}: --seed {}: not a whole number from 0 to {}; write --seed 1", command, text, UINT64_MAX));
}

unsigned parse_count(std::string_view command, std::string_view option, const std::string& text)
{
    constexpr unsigned kMost = 100'000;
    const auto count = parse_whole<unsigned>(text);
    if (count && *count >= 1 && *count <= kMost) return *count;
    throw UserError(
        fmt::format("{}: {} {}: not a whole number from 1 to {}; write {} 2", command, option, text, kMost, option));
}

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

void require_machine(const std::string& command, const ExperimentRequest& request)
{
    if (request.platform.empty()) {
        throw UserError(fmt::format("{}: no platform; 'ringmesh list platforms' shows what there is{}", command,
                                    see_help(command)));
    }
    require_each_key_once(command, request);
}

void require_one_standard_output(const std::string& json, const std::string& csv)
{
    if (json == "-" && csv == "-") {
        throw UserError("--json - and --csv -: only one of them can go to standard output");
    }
}

}  // namespace ringmesh::lab
