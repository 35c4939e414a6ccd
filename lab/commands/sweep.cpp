// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lab/commands/keep/study.h"
#include "lab/run/workload_spec.h"
#include "lab/study/description/study.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kSweep{.name = "sweep",
                             .meaning = "Run a workload for many values of parameters and options, and print one table",
                             .arguments = "sweep PLATFORM --workload NAME [--axis NAME=VALUES]... [OPTIONS]",
                             .examples = R"(Examples:
  ringmesh sweep wulfkit-ring --workload ping-pong:sizes=64 --axis link.symbol_time=5ns,2.5ns
  ringmesh sweep wulfkit-torus-2d --workload ping-pong:sizes=64 --axis topology.dimensions=4x4,8x8 \
           --variant fast=half-switching --csv -
  ringmesh sweep mesh-8x8 --workload traffic --axis 'options.load=0.1..0.3 step 0.1' --repeat 5
  ringmesh sweep wulfkit-ring --workload ping-pong:sizes=64 --axis 'hops=1..4 step 1' \
           --set 'topology.dimensions=${2*hops}' --save my-study

The store keeps finished points, and sweep does not run them again. Ctrl-C loses no finished point.
)",
                             .status_1 = "a point failed"};

class SweepCommand final : public Command {
public:
    const CommandHelp& help() const override { return kSweep; }
    void describe(OptionList& list) override
    {
        add_axes(list, axes_, asked_, "Name of a platform, or a TOML file");
        add_shard(list, asked_.shard);
    }
    int execute() override
    {
        asked_.is_sweep = true;
        asked_.command_line = command_line;
        asked_.study.tests.push_back(axes_.test_of("sweep"));
        return asked_.execute();
    }

private:
    Axes axes_;
    AskedStudy asked_;
};

/// "NAME=REST", the value of an option.
std::pair<std::string, std::string> name_and_rest(std::string_view command, std::string_view option,
                                                  const std::string& text, std::string_view example)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw UserError(fmt::format("{}: {} {}: not NAME=...; write {} {}", command, option, text, option, example));
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
}

/// "fast=half-switching,link.symbol_time=4ns": overlays, and with '=' settings, options of the program or
/// of the library, another platform or library.
Variant variant_of(std::string_view command, const std::string& text)
{
    const auto [name, changes] = name_and_rest(command, "--variant", text, "fast=OVERLAY or fast=KEY=VALUE");
    Variant variant{.name = name, .where = fmt::format("{}: --variant {}", command, text)};
    std::string_view rest = changes;
    std::string* value = nullptr;  // the last one, which may go on behind a comma: a list
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        const std::string part(rest.substr(0, comma));
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos) {
            if (value != nullptr) {
                *value += "," + part;
            } else {
                variant.overlays.push_back({part, variant.where});
            }
            continue;
        }
        const std::string key = part.substr(0, equals);
        if (key == "platform" || key == "library") {
            StudyWord& word = key == "platform" ? variant.platform : variant.library;
            word = {part.substr(equals + 1), variant.where};
            value = &word.text;
        } else {
            const std::string_view prefix = key.starts_with(kOptions)          ? kOptions
                                            : key.starts_with(kLibraryOptions) ? kLibraryOptions
                                                                               : "";
            auto& settings = prefix.empty()       ? variant.set
                             : prefix == kOptions ? variant.options
                                                  : variant.library_options;
            settings.push_back({key.substr(prefix.size()), part.substr(equals + 1), variant.where});
            value = &settings.back().value;
        }
    }
    return variant;
}

/// @throws UserError for a name that is there twice
void require_each_name_once(const StudyTest& test)
{
    std::vector<std::string> names;
    const auto add = [&names](std::string name, const std::string& where, const char* cure) {
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            throw UserError(fmt::format("{}: {} is given twice; {}", where, name, cure));
        }
        names.push_back(std::move(name));
    };
    for (const Axis& axis : test.axes) add(axis.name, axis.where, "keep one, with all of its values");
    names.clear();
    for (const Variant& variant : test.variants) {
        add(variant.name, variant.where, "give each variant a name of its own; base is what nothing is changed in");
    }
    require_one_source(test);
}

}  // namespace

void add_axes(OptionList& list, Axes& axes, AskedStudy& asked, std::string platform_meaning)
{
    add_machine(list, axes.request, std::move(platform_meaning));
    add_workload(list, axes.workload);
    list.text("--library", axes.request.library, "Message passing library, with its options", "NAME[:KEY=VALUE,...]");
    list.repeated("--axis", axes.axes,
                  "Run for each of these values of a parameter, of options.NAME, or of a name used as ${name}",
                  "NAME=VALUES");
    list.repeated("--together", axes.together, "Change the values of these axes in step, not in all combinations",
                  "NAME,NAME");
    list.repeated("--variant", axes.variants,
                  "Also run a changed machine: overlays, settings, options.NAME=VALUE, library_options.NAME=VALUE, "
                  "platform=NAME, library=NAME",
                  "NAME=CHANGE,...");
    list.count("--repeat", axes.repeat, "Repeat each point N times, each time with another seed");
    add_seed(list, axes.request.seed, "Seed of the first repetition; 1 if not given");
    add_points(list, asked);
    list.text("--save", asked.save, "Save the sweep as a study for `ringmesh study`", "DIR");
}

StudyTest Axes::test_of(const std::string& command) const
{
    StudyTest test;
    test.name = test.where = command;
    test.platform = {request.platform, test.where};
    workload.require_given(command);
    const auto settings_of = [](const std::vector<std::string>& assignments, const std::string& where) {
        std::vector<StudySetting> settings;
        for (const std::string& text : assignments) {
            const std::size_t equals = text.find('=');
            settings.push_back(
                {text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1), where});
        }
        return settings;
    };
    const std::string asked = workload.text(command);
    const WorkloadSpec program = parse_workload_spec("--workload", asked);
    test.program = {program.name, test.where};
    test.options = settings_of(program.options, "--workload " + asked);
    if (!request.library.empty()) {
        const WorkloadSpec library = parse_workload_spec("--library", request.library);
        test.library = {library.name, test.where};
        test.library_options = settings_of(library.options, "--library " + request.library);
    }
    for (const std::string& setting : request.settings) {
        name_and_rest(command, "--set", setting, "KEY=VALUE");
        const auto one = settings_of({setting}, "--set " + setting);
        test.set.insert(test.set.end(), one.begin(), one.end());
    }
    for (const std::string& overlay : request.overlays) test.overlays.push_back({overlay, test.where});
    for (const std::string& text : axes) {
        const std::string where = fmt::format("{}: --axis {}", command, text);
        const auto [name, values] = name_and_rest(command, "--axis", text, "link.symbol_time=5ns,2.5ns");
        test.axes.push_back({name, axis_values(values, where), where});
    }
    for (const std::string& text : together) {
        auto& names = test.together.emplace_back();
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            names.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    test.variants.push_back({.name = "base", .where = command});
    for (const std::string& text : variants) test.variants.push_back(variant_of(command, text));
    require_each_name_once(test);
    test.repeat = repeat;
    test.seed = request.seed;
    return test;
}

std::unique_ptr<Command> make_sweep() { return std::make_unique<SweepCommand>(); }

}  // namespace ringmesh::lab
