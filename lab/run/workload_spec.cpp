// SPDX-License-Identifier: Apache-2.0
#include "lab/run/workload_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/parameters/parameter_list.h"
#include "workloads/foreign/mpi_api/algorithms.h"
#include "workloads/foreign/program_of_others.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

WorkloadSpec parse_workload_spec(std::string_view option, std::string_view text)
{
    const std::size_t colon = text.find(':');
    WorkloadSpec spec{.name = std::string(text.substr(0, colon)), .options = {}};
    if (spec.name.empty()) {
        throw UserError(fmt::format("{0} {1}: no name; write {0} NAME or {0} NAME:KEY=VALUE,...", option, text));
    }
    if (colon != std::string_view::npos && colon + 1 == text.size()) {
        throw UserError(
            fmt::format("{0} {1}: nothing comes after the colon; write {0} {2}:KEY=VALUE,..., or leave the "
                        "colon out",
                        option, text, spec.name));
    }
    if (text.ends_with(',')) {
        throw UserError(fmt::format("{} {}: nothing comes after the last comma; write it there, or leave the comma out",
                                    option, text));
    }
    std::string_view rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
        if (const std::size_t equals = part.find('='); equals != std::string_view::npos) {
            const std::string_view key = part.substr(0, equals + 1);
            const auto has_key = [key](const std::string& given) { return given.starts_with(key); };
            if (std::any_of(spec.options.begin(), spec.options.end(), has_key)) {
                throw UserError(
                    fmt::format("{} {}: {} is given twice; keep one", option, text, part.substr(0, equals)));
            }
            spec.options.emplace_back(part);
        } else if (!spec.options.empty()) {
            spec.options.back().append(",").append(part);
        } else {
            throw UserError(fmt::format("{0} {1}: '{2}' is not an option; write {0} {3}:KEY=VALUE,...", option, text,
                                        part, spec.name));
        }
    }
    return spec;
}

namespace {

void append_option(std::string& workload, const std::string& option)
{
    workload += (workload.find(':') == std::string::npos ? ":" : ",") + option;
}

}  // namespace

std::vector<std::string> background_options(const std::vector<std::string>& backgrounds)
{
    std::vector<std::string> all;
    for (std::size_t i = 0; i < backgrounds.size(); ++i) {
        const WorkloadSpec spec = parse_workload_spec("--background", backgrounds[i]);
        if (spec.name != "traffic") {
            throw UserError(fmt::format("--background {}: only traffic can be one; write --background traffic:load=0.2",
                                        backgrounds[i]));
        }
        const std::string prefix = fmt::format("background{}.", i == 0 ? "" : std::to_string(i + 1));
        if (spec.options.empty()) all.push_back(prefix + "load=auto");
        for (const std::string& option : spec.options) all.push_back(prefix + option);
    }
    return all;
}

std::string with_backgrounds(std::string workload, const std::vector<std::string>& backgrounds)
{
    if (workload.empty()) return workload;
    for (const std::string& option : background_options(backgrounds)) append_option(workload, option);
    return workload;
}

namespace {

/// Of "measured:0.5" and the like.
void append_compute(std::string& workload, const std::string& text)
{
    const std::size_t colon = text.find(':');
    const std::string how = text.substr(0, colon);
    const std::string what = colon == std::string::npos ? "" : text.substr(colon + 1);
    const bool names_file = how == "record" || how == "file";
    const bool knows = names_file || how == "measured" || how == "none";
    const bool goes_on = text.find(',') != std::string::npos;  // into another option
    if (!knows || goes_on || (names_file && what.empty()) || (how == "none" && colon != std::string::npos)) {
        throw UserError(fmt::format(
            "--compute {}: no such computation; write none, measured, measured:FACTOR, record:FILE or file:FILE",
            text));
    }
    append_option(workload, "compute=" + how);
    if (!what.empty()) append_option(workload, (names_file ? "compute_file=" : "compute_factor=") + what);
}

/// A comma in it would begin another option.
void append_single(std::string& workload, std::string_view key, const std::string& value)
{
    if (value.empty()) return;
    if (value.find(',') != std::string::npos) {
        throw UserError(
            fmt::format("--{0} {1}: one value, without commas; write --{0} VALUE, or of a sweep or what-if "
                        "--axis options.{0}={1}",
                        key, value));
    }
    append_option(workload, fmt::format("{}={}", key, value));
}

void append_algorithm(std::string& workload, const std::string& text)
{
    std::string calls;
    for (const ParameterRow& row : list_parameters(workloads::mpi_api::Algorithms())) {
        if (text.starts_with(row.key + "=") && text.find(',') == std::string::npos) {
            append_option(workload, text);
            return;
        }
        calls += (calls.empty() ? "" : ", ") + row.key;
    }
    throw UserError(
        fmt::format("--algorithm {}: not the algorithm of a call; write CALL=NAME for each, of {}", text, calls));
}

}  // namespace

std::string workload_of(const ProgramOfRun& program)
{
    std::string workload = "program:file=" + program.file;
    if (!program.arguments.empty()) {
        append_option(workload, "arguments=" + workloads::arguments_text(program.arguments));
    }
    append_single(workload, "ranks", program.ranks);
    append_single(workload, "stack", program.stack);
    if (!program.compute.empty()) append_compute(workload, program.compute);
    for (const std::string& algorithm : program.algorithms) append_algorithm(workload, algorithm);
    if (program.numbers) append_option(workload, "rows=numbers");
    if (program.prefix) append_option(workload, "prefix=true");
    return workload;
}

std::string with_map(std::string workload, const std::string& map)
{
    if (map.empty() || workload.empty()) return workload;
    const WorkloadSpec spec = parse_workload_spec("--workload", workload);
    if (!workloads::find_workload(spec.name, spec.options).uses_library()) {
        throw UserError(fmt::format("--map {}: {} has no ranks to place; leave it out", map, spec.name));
    }
    append_option(workload, "map=" + map);
    return workload;
}

}  // namespace ringmesh::lab
