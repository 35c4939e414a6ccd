// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "lab/catalog/format.h"
#include "lab/catalog/policy_list.h"
#include "lab/catalog/signal_list.h"
#include "lab/commands/command.h"
#include "lab/process/standard_streams.h"
#include "lab/run/experiment.h"
#include "lab/run/parameter_tables.h"
#include "lab/run/suitable_platforms.h"
#include "lab/sql/functions.h"
#include "lab/study/catalog.h"
#include "lab/study/scripts.h"
#include "lab/table/json.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kList{.name = "list",
                            .meaning = "List platforms, overlays, workloads, libraries, parameters, studies, functions",
                            .arguments = "list WHAT [NAME] [OPTIONS]",
                            .examples = R"(Examples:
  ringmesh list workloads                            each workload, with the libraries and platforms it runs on
  ringmesh list workloads ping-pong                  its options
  ringmesh list libraries deck                       options of a message passing library
  ringmesh list parameters                           every parameter of every machine, with its default
  ringmesh list parameters wulfkit-ring              every parameter of this platform, with its value
  ringmesh list parameters --markdown                all parameters as a page of Markdown
  ringmesh list routes wulfkit-torus-2d              the port that packets take to each node, as an overlay
  ringmesh list faults wulfkit-ring                  the faults that --fault can cause on this platform
  ringmesh list policies                             the choices for arbitration, routing, switching, ...
  ringmesh list policies mesh-arbitration            one kind of policy in detail: defaults, files
  ringmesh list studies                              the studies that `validate` and `study` know by name
  ringmesh list functions sci_                       formulas that a study's SQL may call
  ringmesh list signals scc                          the signals in a waveform of this platform
  ringmesh list signals wulfkit-ring 'node0.*'       each signal of node 0
  ringmesh list platforms --json
)"};

enum class Subject : std::uint8_t {
    kPlatforms,
    kOverlays,
    kWorkloads,
    kLibraries,
    kParameters,
    kPolicies,
    kStudies,
    kFunctions,
    kSignals,
    kRoutes,
    kFaults
};
constexpr NameTable<Subject, 11> kSubjects{{{{"platforms", Subject::kPlatforms},
                                             {"overlays", Subject::kOverlays},
                                             {"workloads", Subject::kWorkloads},
                                             {"libraries", Subject::kLibraries},
                                             {"parameters", Subject::kParameters},
                                             {"policies", Subject::kPolicies},
                                             {"studies", Subject::kStudies},
                                             {"functions", Subject::kFunctions},
                                             {"signals", Subject::kSignals},
                                             {"routes", Subject::kRoutes},
                                             {"faults", Subject::kFaults}}}};

class ListCommand final : public Command {
public:
    const CommandHelp& help() const override { return kList; }
    void describe(OptionList& list) override;
    int execute() override;

private:
    std::string routes_of_platform() const;
    std::string faults_of_platform() const;
    std::string parameters_of_platform() const;
    Format format() const { return as_json ? Format::kJson : markdown ? Format::kMarkdown : Format::kText; }
    /// @throws UserError for options that do not go together
    Subject checked_subject() const;

    std::string what;
    std::string name;     ///< of a platform, workload, library or kind of policy to show in full, or the beginning of
                          ///< functions' names; empty: all
    std::string pattern;  ///< of the signals of a platform to show one by one; empty: all, numbered ones together
    std::string library;  ///< of a workload: with this one's defaults; empty: with the first one's
    std::vector<std::string> overlays;  ///< of a platform's parameters or routes
    std::vector<std::string> settings;
    bool markdown = false;
    bool as_json = false;
};

void ListCommand::describe(OptionList& list)
{
    list.argument("WHAT", what,
                  "What to list: platforms, overlays, workloads, ...; the examples below show all of them");
    list.argument("NAME", name,
                  "The platform, workload, library or kind of policy to show; for functions, the beginning of names");
    list.argument("PATTERN", pattern, "For signals: show only names that match, such as '*.lc2'");
    list.repeated("--overlay", overlays,
                  "For parameters and routes: change the platform by this overlay, a name or a file", "FILE");
    list.repeated("--set", settings, "For parameters and routes: change one parameter", "KEY=VALUE");
    list.text("--library", library, "For one workload: show its defaults with this library", "NAME");
    list.flag("--markdown", markdown, "Write Markdown");
    list.flag("--json", as_json, "Write JSON");
}

std::string list_text(const TextTable& table, Format format)
{
    return format == Format::kMarkdown ? table.markdown() : table.text(0, output_room());
}

/// One more column does not fit a terminal.
OriginIn origin_in(Format format) { return format == Format::kMarkdown ? OriginIn::kColumn : OriginIn::kMeaning; }

std::vector<ParameterRow> library_options(const workloads::LibraryInfo& info)
{
    const auto library = info.make();
    return list_parameters_of([&library](ParameterVisitor& visitor) { library->visit(visitor); });
}

std::vector<std::string> names_of(const std::vector<const workloads::LibraryInfo*>& libraries)
{
    std::vector<std::string> names;
    names.reserve(libraries.size());
    for (const auto* library : libraries) names.emplace_back(library->name);
    return names;
}

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// What its machine must be.
std::vector<std::string> machines_of(const workloads::WorkloadInfo& info)
{
    if (!info.uses_library()) return {info.runs_on};
    std::vector<std::string> sorts;
    for (const auto* library : libraries_for(info)) {
        const std::string sort(library->runs_on);
        if (std::find(sorts.begin(), sorts.end(), sort) == sorts.end()) sorts.push_back(sort);
    }
    return sorts;
}

void require_suitable(const workloads::WorkloadInfo& workload, const workloads::LibraryInfo& library)
{
    const auto suitable = libraries_for(workload);
    if (std::find(suitable.begin(), suitable.end(), &library) != suitable.end()) return;
    throw UserError(fmt::format("list: --library {}: {} {}", library.name, workload.name,
                                suitable.empty() ? "runs over no library; leave it out"
                                                 : "does not run over it; take one of: " + joined(names_of(suitable))));
}

std::vector<std::string> offers_of(const workloads::LibraryInfo& info)
{
    std::vector<std::string> names;
    for (const auto offer : info.make()->offers()) names.emplace_back(workloads::kOfferNames.name(offer));
    return names;
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
                                   : list_text(table, format);
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
                                   : list_text(table, format);
}

/// Options of a workload or a library, under its name.
std::string details(std::string_view name, std::string_view description, const std::string& runs,
                    const TextTable& options, Format format)
{
    const bool markdown = format == Format::kMarkdown;
    const std::string title = fmt::format("{}: {}", name, description);
    return fmt::format("{}\n{}{}\n\n", markdown ? "## " + title : wrapped(title, 2, output_room().prose()),
                       markdown ? "\n" : "  ", markdown ? runs : wrapped(runs, 2, output_room().prose())) +
           (markdown ? options.markdown() : options.text(2, output_room()));
}

/// @param name of the only one to list, with its options; empty for all
/// @param library whose defaults its options have; empty for those of the first
std::string list_workloads(const std::string& name, const std::string& library, Format format)
{
    if (!name.empty()) workloads::find_workload(name);
    const workloads::LibraryInfo* const chosen = library.empty() ? nullptr : &workloads::find_library(library);
    std::string all;  // one name may have several forms, each with its options
    TextTable table({{"workload"}, {"over libraries"}, {"on"}, {"description"}});
    Json json = Json::array();
    for (const auto& info : workloads::catalog()) {
        if (!name.empty() && info.name != name) continue;
        if (!name.empty() && chosen != nullptr && (info.uses_library() || info.chosen_by.empty())) {
            require_suitable(info, *chosen);
        }
        const auto over = names_of(libraries_for(info));
        const auto on = machines_of(info);
        table.row({info.name, over.empty() ? "-" : joined(over), joined(on), info.description});
        json.push_back({{"name", info.name},
                        {"description", info.description},
                        {"libraries", over},
                        {"runs_on", on},
                        {"options", parameters_json(options_of(info, chosen))}});
        if (name.empty() || format == Format::kJson) continue;
        const std::string runs =
            fmt::format("{}runs on {}", over.empty() ? "" : "over " + joined(over) + "; ", fmt::join(on, ", "));
        std::string heading = "default";
        if (over.size() > 1) heading += fmt::format(" ({})", chosen == nullptr ? over.front() : chosen->name);
        all += (all.empty() ? "" : "\n") +
               details(info.name, info.description, runs, option_table(options_of(info, chosen), heading), format);
    }
    if (format == Format::kJson) return json_text({{"ringmesh", program_json()}, {"workloads", json}});
    return name.empty() ? list_text(table, format) : all;
}

std::string list_libraries(const std::string& name, Format format)
{
    const workloads::LibraryInfo* const wanted = name.empty() ? nullptr : &workloads::find_library(name);
    TextTable table({{"library"}, {"on"}, {"offers"}, {"description"}});
    Json json = Json::array();
    for (const auto& info : workloads::libraries()) {
        if (wanted != nullptr && &info != wanted) continue;
        const auto offers = offers_of(info);
        table.row({std::string(info.name), std::string(info.runs_on), offers.empty() ? "-" : joined(offers),
                   std::string(info.description)});
        json.push_back({{"name", info.name},
                        {"description", info.description},
                        {"runs_on", info.runs_on},
                        {"platforms", platforms_that_offer({info.runs_on})},
                        {"offers", offers},
                        {"options", parameters_json(library_options(info))}});
    }
    if (format == Format::kJson) return json_text({{"ringmesh", program_json()}, {"libraries", json}});
    if (wanted == nullptr) return list_text(table, format);
    const auto offers = offers_of(*wanted);
    const std::string runs =
        fmt::format("runs on {} ({}); offers {}", wanted->runs_on, joined(platforms_that_offer({wanted->runs_on})),
                    offers.empty() ? "only messages that both sides expect" : joined(offers));
    return details(wanted->name, wanted->description, runs, option_table(library_options(*wanted)), format);
}

/// A platform with all its parameters.
struct Listed {
    std::string name;
    std::string kind;
    platforms::Configuration configuration;
    std::vector<ParameterRow> rows;
};

Listed parameters_of(const std::string& platform, const std::vector<std::string>& overlays = {},
                     const std::vector<std::string>& settings = {})
{
    ExperimentRequest request;
    request.platform = platform;
    request.overlays = overlays;
    request.settings = settings;
    auto configuration = configuration_of(request);
    const auto& kind = platforms::machine_kind(configuration);
    auto rows = checked_parameters(configuration);
    return {platform, kind.name(), std::move(configuration), std::move(rows)};
}

Json json_of(const Listed& listed)
{
    return {{"name", listed.name},
            {"machine", listed.kind},
            {"description", listed.configuration.description()},
            {"based_on", listed.configuration.based_on()},
            {"parameters", parameters_json(listed.rows)}};
}

std::string title_of(const Listed& listed)
{
    return fmt::format("Platform {} (machine {}): {}", listed.name, listed.kind, listed.configuration.description());
}

/// As an overlay, which gives the same routes back.
std::string ListCommand::routes_of_platform() const
{
    const Listed listed = parameters_of(name, overlays, settings);
    const auto rows = platforms::machine_kind(listed.configuration).routes(listed.configuration);
    if (format() == Format::kJson) {
        Json json = Json::array();
        for (const auto& row : rows) {
            json.push_back({{"table", row.table}, {"targets", row.targets}, {"way", row.way}});
        }
        return json_text({{"ringmesh", program_json()}, {"name", name}, {"routes", json}});
    }
    if (format() == Format::kMarkdown) {
        TextTable table({{"table"}, {"targets"}, {"way"}});
        for (const auto& row : rows) table.row({row.table, row.targets, row.way});
        return table.markdown();
    }
    std::string text = fmt::format("description = \"Routes of {}\"\napplies_to = [\"{}\"]\n",
                                   std::filesystem::path(name).stem().string(), listed.kind);
    const std::string* before = nullptr;
    for (const auto& row : rows) {
        if (before == nullptr || *before != row.table) text += fmt::format("\n[{}]\n", row.table);
        before = &row.table;
        text += fmt::format("\"{}\" = {}\n", row.targets, row.way);
    }
    return text;
}

std::string ListCommand::faults_of_platform() const
{
    const Listed listed = parameters_of(name, overlays, settings);
    const auto sorts = platforms::machine_kind(listed.configuration).faults();
    if (format() == Format::kJson) {
        Json json = Json::array();
        for (const auto& sort : sorts) {
            for (const FaultWord& each : sort.words) {
                json.push_back({{"blocks", std::string(sort.blocks)},
                                {"what", std::string(each.word)},
                                {"meaning", std::string(each.meaning)}});
            }
        }
        return json_text({{"ringmesh", program_json()}, {"name", name}, {"faults", json}});
    }
    TextTable table({{"blocks"}, {"what"}, {"meaning"}});
    for (const auto& sort : sorts) {
        for (const FaultWord& each : sort.words) {
            table.row({std::string(sort.blocks), std::string(each.word), std::string(each.meaning)});
        }
    }
    if (sorts.empty()) return fmt::format("The hardware of {} has no faults to choose from.\n", name);
    return list_text(table, format());
}

std::string ListCommand::parameters_of_platform() const
{
    const Listed listed = parameters_of(name, overlays, settings);
    if (format() == Format::kJson) {
        Json json = {{"ringmesh", program_json()}};
        const Json one = json_of(listed);
        for (const auto& [key, value] : one.members()) json[key] = value;
        return json_text(json);
    }
    const std::string title = title_of(listed);
    return (format() == Format::kMarkdown ? "# " + title : wrapped(title, 0, output_room().prose())) + "\n\n" +
           list_text(parameter_table(listed.rows, origin_in(format())), format());
}

constexpr std::string_view kParametersPage = R"(<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by `ringmesh list parameters --markdown`: change the code, not this page. -->

# Parameters

This page lists every parameter of every platform. For a platform that is based on another, it lists only what its own
file sets. An overlay or `--set KEY=VALUE` changes a value for a run. Write quantities with their unit. The last column
gives the provenance from the platform's file: one of seven words, a source (`docs/reference/sources.md` defines the
tags), the published rows that set the value, the range within which the value could physically lie, and the reason.
"Allowed" gives the bounds that the program enforces, which are wider. A parameter that is "not in use" has no effect
with the other values; the program refuses to set it.

- **seed**: a paper that the model follows
- **spec**: a specification or a study of the hardware
- **derived**: computed from parameters of these two kinds
- **calibrated**: set to meet the named published rows
- **assumed**: no source is known; a guess within the range
- **model**: a choice of how the machine is simulated; no property of it
- **what-if**: not a value of the real machine; it shows what a change would do
)";

std::string parameters_of_platforms(Format format)
{
    std::vector<Listed> all;
    for (const auto& entry : platforms::list_platforms()) all.push_back(parameters_of(entry.name));
    std::stable_partition(all.begin(), all.end(),
                          [](const Listed& listed) { return listed.configuration.based_on().empty(); });
    std::string text = format == Format::kMarkdown ? std::string(kParametersPage) : std::string();
    Json json = Json::array();
    for (Listed& listed : all) {
        json.push_back(json_of(listed));
        const platforms::Configuration& configuration = listed.configuration;
        const bool markdown = format == Format::kMarkdown;
        std::string title = title_of(listed);
        if (!configuration.based_on().empty()) {
            title += fmt::format("; as {} but for", configuration.based_on());
            std::erase_if(listed.rows,
                          [&](const ParameterRow& row) { return !configuration.set_by_platform_itself(row.key); });
        }
        text += fmt::format("{}{}\n\n", text.empty() ? "" : "\n",
                            markdown ? "## " + title : wrapped(title, 0, output_room().prose()));
        text += list_text(parameter_table(listed.rows, origin_in(format)), format);
    }
    return format == Format::kJson ? json_text({{"ringmesh", program_json()}, {"platforms", json}}) : text;
}

std::string list_studies_of_catalog(Format format)
{
    TextTable table({{"study"}, {"parts"}, {"title"}});
    Json json = Json::array();
    for (const std::string& name : list_studies()) {
        const auto folder = find_study(name);
        const Study study = read_study(folder);
        std::vector<std::string> parts;
        for (const auto& file : script_files(folder)) parts.push_back(part_name(file));
        table.row({name, joined(parts), study.title});
        json.push_back({{"name", name}, {"title", study.title}, {"parts", parts}, {"folder", folder.string()}});
    }
    return format == Format::kJson ? json_text({{"ringmesh", program_json()}, {"studies", json}})
                                   : list_text(table, format);
}

constexpr std::string_view kFunctionsPage = R"(<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by `ringmesh list functions --markdown`: change the code, not this page. -->

# Functions of SQL

A study's scripts, `study query`, `--where` and `${}` can call these functions, besides SQLite's own (`sqrt`, `ln`,
`pow` and others). A NULL argument gives NULL. Aggregates take one value from each row, skip rows with a NULL, and do
not depend on the order of rows; `FILTER (WHERE ...)` works with all of them. `published('ID')` is the number of a row
of the study's published.csv.
)";

/// @param beginning of the names to list; empty: all
std::string list_functions(const std::string& beginning, Format format)
{
    TextTable table({{"function"}, {"of"}, {"unit"}, {"meaning"}, {"source"}});
    Json json = Json::array();
    for (const SqlFunction& function : sql_functions()) {
        if (!function.name.starts_with(beginning)) continue;
        const bool aggregates = static_cast<bool>(function.aggregate);
        table.row({function.name, joined(function.arguments), function.unit,
                   (aggregates ? "aggregate: " : "") + function.meaning, function.source});
        json.push_back({{"name", function.name},
                        {"arguments", function.arguments},
                        {"unit", function.unit},
                        {"aggregate", aggregates},
                        {"meaning", function.meaning},
                        {"source", function.source}});
    }
    if (table.empty()) {
        std::vector<std::string> names;
        for (const SqlFunction& function : sql_functions()) names.push_back(function.name);
        throw UserError(
            fmt::format("list functions: none begins with '{}'{}", beginning, suggestion(beginning, names)));
    }
    if (format == Format::kJson) return json_text({{"ringmesh", program_json()}, {"functions", json}});
    if (format == Format::kMarkdown) return std::string(kFunctionsPage) + '\n' + table.markdown();
    return list_text(table, format);
}

}  // namespace

Subject ListCommand::checked_subject() const
{
    const auto names = kSubjects.names();
    if (what.empty()) {
        throw UserError(fmt::format("list: no subject; write one of: {}{}", fmt::join(names, ", "), see_help("list")));
    }
    const Subject* subject = kSubjects.find(what);
    if (subject == nullptr) {
        throw UserError(fmt::format("list: unknown subject '{}'{}", what, suggestion(what, names)));
    }
    if (!name.empty() &&
        (*subject == Subject::kPlatforms || *subject == Subject::kOverlays || *subject == Subject::kStudies)) {
        throw UserError(fmt::format(
            "list: unexpected argument '{}'; only 'list parameters', 'list routes' and 'list signals' take a platform, "
            "'list "
            "workloads' a "
            "workload, 'list libraries' a library, 'list policies' a kind of policy, and 'list functions' the "
            "beginning of names",
            name));
    }
    const bool of_machine = *subject == Subject::kParameters || *subject == Subject::kRoutes;
    const bool changed = !overlays.empty() || !settings.empty();
    if (changed && (!of_machine || name.empty())) {
        throw UserError(
            "list: --overlay and --set: only 'list parameters PLATFORM' and 'list routes PLATFORM' take them; leave "
            "them out");
    }
    if ((*subject == Subject::kRoutes || *subject == Subject::kFaults) && name.empty()) {
        throw UserError(fmt::format("list: {0} of no platform; write 'list {0} PLATFORM'{1}", what, see_help("list")));
    }
    if (!pattern.empty() && *subject != Subject::kSignals) {
        throw UserError(
            fmt::format("list: unexpected argument '{}'; only 'list signals PLATFORM' takes a pattern", pattern));
    }
    if (!library.empty() && (*subject != Subject::kWorkloads || name.empty())) {
        throw UserError("list: --library: goes with one workload; write 'list workloads NAME', or leave it out");
    }
    if (markdown && as_json) throw UserError("list: --markdown and --json: choose one of them");
    return *subject;
}

int ListCommand::execute()
{
    const Format format = this->format();
    switch (checked_subject()) {
        case Subject::kPlatforms: print(list_platforms(format)); break;
        case Subject::kOverlays: print(list_overlays(format)); break;
        case Subject::kWorkloads: print(list_workloads(name, library, format)); break;
        case Subject::kLibraries: print(list_libraries(name, format)); break;
        case Subject::kParameters:
            print(name.empty() ? parameters_of_platforms(format) : parameters_of_platform());
            break;
        case Subject::kRoutes: print(routes_of_platform()); break;
        case Subject::kFaults: print(faults_of_platform()); break;
        case Subject::kPolicies: print(list_policies(name, format)); break;
        case Subject::kStudies: print(list_studies_of_catalog(format)); break;
        case Subject::kFunctions: print(list_functions(name, format)); break;
        case Subject::kSignals:
            print(name.empty() ? list_signals_of_platforms(format) : list_signals(name, pattern, format));
            break;
    }
    return 0;
}

std::unique_ptr<Command> make_list() { return std::make_unique<ListCommand>(); }

}  // namespace ringmesh::lab
