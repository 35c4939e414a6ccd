// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>

#include "lab/commands.h"
#include "lab/json.h"
#include "lab/json_text.h"
#include "lab/parameter_tables.h"
#include "lab/standard_streams.h"
#include "platforms/catalog.h"

namespace ringmesh::lab {
namespace {

std::string shown(const TextTable& table, Format format)
{
    return format == Format::kMarkdown ? table.markdown() : table.text(0, kTextWidth);
}

/// Two more columns do not fit a terminal.
OriginIn origin_in(Format format) { return format == Format::kMarkdown ? OriginIn::kColumns : OriginIn::kMeaning; }

std::vector<ParameterRow> options_of(const workloads::WorkloadInfo& info)
{
    const auto workload = info.make();
    return list_parameters_of([&workload](ParameterVisitor& visitor) { workload->visit(visitor); });
}

std::string list_platforms(Format format)
{
    TextTable table({{"platform"}, {"description"}});
    Json json = Json::array();
    for (const auto& entry : platforms::list_platforms()) {
        table.row({entry.name, entry.description});
        json.push_back({{"name", entry.name}, {"description", entry.description}});
    }
    return format == Format::kJson ? json_text({{"ringmesh", program_json()}, {"platforms", json}})
                                   : shown(table, format);
}

std::string list_overlays(Format format)
{
    TextTable table({{"overlay"}, {"for machines"}, {"description"}});
    Json json = Json::array();
    for (const auto& entry : platforms::list_overlays()) {
        table.row({entry.name, entry.applies_to.empty() ? "any" : fmt::format("{}", fmt::join(entry.applies_to, ", ")),
                   entry.description});
        json.push_back({{"name", entry.name}, {"applies_to", entry.applies_to}, {"description", entry.description}});
    }
    return format == Format::kJson ? json_text({{"ringmesh", program_json()}, {"overlays", json}})
                                   : shown(table, format);
}

/// @param name of the only one to list; empty for all
std::string list_workloads(const std::string& name, Format format)
{
    const workloads::WorkloadInfo* const wanted = name.empty() ? nullptr : &workloads::find_workload(name);
    std::string text;
    Json json = Json::array();
    for (const auto& info : workloads::catalog()) {
        if (wanted != nullptr && &info != wanted) continue;
        const auto options = options_of(info);
        json.push_back({{"name", info.name},
                        {"description", info.description},
                        {"runs_on", info.runs_on},
                        {"options", parameters_json(options)}});
        const bool markdown = format == Format::kMarkdown;
        const std::string title = fmt::format("{}: {}", info.name, info.description);
        text += fmt::format("{}{}\n{}runs on {}\n\n", text.empty() ? "" : "\n",
                            markdown ? "## " + title : wrapped(title, 2), markdown ? "\n" : "  ", info.runs_on);
        text += markdown ? option_table(options).markdown() : option_table(options).text(2, kTextWidth);
    }
    return format == Format::kJson ? json_text({{"ringmesh", program_json()}, {"workloads", json}}) : text;
}

std::string parameters_of_platform(const std::string& platform, Format format)
{
    const auto configuration = platforms::Configuration::load(platforms::find_platform(platform));
    const auto& kind = platforms::machine_kind(configuration);
    const auto rows = kind.effective_parameters(configuration);
    const auto defaults = kind.default_parameters();
    if (format == Format::kJson) {
        return json_text({{"ringmesh", program_json()},
                          {"platform", platform},
                          {"machine", kind.name()},
                          {"parameters", parameters_json(rows, &defaults)}});
    }
    const std::string title =
        fmt::format("Platform {} (machine {}): {}", platform, kind.name(), configuration.description());
    return (format == Format::kMarkdown ? "# " + title : wrapped(title)) + "\n\n" +
           shown(parameter_table(rows, &defaults, origin_in(format)), format);
}

constexpr std::string_view kParametersPage = R"(<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by `ringmesh list parameters --markdown`: change the code, not this page. -->

# Parameters

Every parameter of every machine, with its default. A platform file sets what differs, an overlay or
`--set KEY=VALUE` changes it for a run; `ringmesh list parameters PLATFORM` shows the values of one platform.
Quantities are written with their unit. Provenance says where a default comes from, and `docs/sources.md` what the
tags in the column source stand for:

- **seed**: a paper that the model follows
- **spec**: a specification or a study of the hardware
- **derived**: computed from those
- **calibrated**: fitted to the published row that is named
- **assumed**: no source is known; a guess within the bounds
)";

std::string parameters_of_machines(Format format)
{
    std::string text = format == Format::kMarkdown ? std::string(kParametersPage) : std::string();
    Json json = Json::array();
    for (const auto* kind : platforms::machine_kinds()) {
        const auto rows = kind->default_parameters();
        json.push_back(
            {{"name", kind->name()}, {"description", kind->description()}, {"parameters", parameters_json(rows)}});
        const bool markdown = format == Format::kMarkdown;
        text += fmt::format("{}{}Machine {}: {}\n\n", text.empty() ? "" : "\n", markdown ? "## " : "", kind->name(),
                            kind->description());
        text += shown(parameter_table(rows, nullptr, origin_in(format)), format);
    }
    return format == Format::kJson ? json_text({{"ringmesh", program_json()}, {"machines", json}}) : text;
}

}  // namespace

int ListCommand::execute()
{
    switch (subject) {
        case Subject::kPlatforms: print(list_platforms(format)); break;
        case Subject::kOverlays: print(list_overlays(format)); break;
        case Subject::kWorkloads: print(list_workloads(name, format)); break;
        case Subject::kParameters:
            print(name.empty() ? parameters_of_machines(format) : parameters_of_platform(name, format));
            break;
    }
    return 0;
}

int PrintCommand::execute()
{
    print(text);
    return 0;
}

}  // namespace ringmesh::lab
