// SPDX-License-Identifier: Apache-2.0
#include "lab/run/workload_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "platforms/configuration.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"
#include "tlm/parameters/parameter_list.h"
#include "workloads/foreign/mpi_api/algorithms.h"
#include "workloads/foreign/program_of_others.h"
#include "workloads/libraries/library.h"
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

/// What is wrong with options of the program is told of what was typed for them: "--stack 8 MiB".
/// @throws UserError
void require_valid(const std::string& typed, const std::vector<std::string>& options)
{
    const auto program = workloads::find_workload("program", {}).make(&workloads::find_library("scampi"));
    try {
        platforms::read_assignments(options, typed, [&](ParameterVisitor& visitor) { program->visit(visitor); });
    } catch (const UserError& error) {
        // "--stack 8 stack=8: stack = 8: a size needs a unit": once is enough
        std::string_view text = error.what();
        const std::size_t equals = options.back().find('=');
        const std::string value = options.back().substr(equals + 1);
        for (const std::string& said : {typed + ' ' + options.back() + ": ", options.back().substr(0, equals) + " = ",
                                        '"' + value + "\": ", value + ": "}) {
            if (text.starts_with(said)) text.remove_prefix(said.size());
        }
        throw UserError(fmt::format("{}: {}", typed, text));
    }
}

/// @throws UserError if it cannot be read, or its name would end an option
void require_file(const std::string& typed, const std::string& file)
{
    // Where a workload is written, a comma ends an option unless the next part is none
    const std::size_t comma = file.find(',');
    if (file.ends_with(',') || (comma != std::string::npos && file.find('=', comma) != std::string::npos)) {
        throw UserError(fmt::format(
            "{}: a name with a comma at its end, or with one before an equals sign, cannot be told from an option; "
            "take another name, such as that of a link",
            typed));
    }
    try {
        require_input(file);
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}: {}; write the name of a file", typed, error.what()));
    }
}

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
    const std::string typed = "--compute " + text;
    if (how == "file") require_file(typed, what);
    std::vector<std::string> options{"compute=" + how};
    if (!what.empty()) options.push_back((names_file ? "compute_file=" : "compute_factor=") + what);
    require_valid(typed, options);
    for (const std::string& option : options) append_option(workload, option);
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
    const std::string option = fmt::format("{}={}", key, value);
    require_valid(fmt::format("--{} {}", key, value), {option});
    append_option(workload, option);
}

void append_algorithm(std::string& workload, const std::string& text)
{
    std::string calls;
    for (const ParameterRow& row : list_parameters(workloads::mpi_api::Algorithms())) {
        if (text.starts_with(row.key + "=") && text.find(',') == std::string::npos) {
            require_valid("--algorithm " + text, {text});
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
    require_file(fmt::format("{} {}", program.named_by, program.file), program.file);
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
