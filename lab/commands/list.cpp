// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "lab/catalog/lists.h"
#include "lab/commands/line/command.h"
#include "lab/process/mpi/processes.h"
#include "lab/process/standard_streams.h"
#include "lab/run/experiment.h"
#include "lab/run/parameter_tables.h"
#include "lab/run/suitable_platforms.h"
#include "lab/sql/functions/functions.h"
#include "lab/study/description/catalog.h"
#include "lab/study/running/scripts.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"
#include "tlm/simulation/fault_times.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kList{
    .name = "list",
    .meaning = "List what there is, or show one of it: platforms, overlays, workloads, parameters, ...",
    .arguments = "list WHAT [NAME [PATTERN]] [OPTIONS]",
    .examples = R"(Examples:
  ringmesh list workloads                            each workload, with the libraries and platforms it runs on
  ringmesh list workloads ping-pong                  its options
  ringmesh list libraries deck                       options of a message passing library
  ringmesh list parameters                           every parameter of every machine, with its default
  ringmesh list parameters wulfkit-ring              every parameter of this platform, with its value
  ringmesh list parameters --markdown                all parameters as a page of Markdown
  ringmesh list overlays half-switching              what this overlay changes
  ringmesh list cut mesh-8x8 --processes 4           which part of the machine each process would run
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

/// What is to be listed.
struct AskedList {
    std::string what;
    std::string name;     ///< the only one to show, in full; of functions how they begin; empty: all
    std::string pattern;  ///< of a platform's signals to show one by one; empty: all, numbered ones together
    std::string library;  ///< of a workload: with this one's defaults; empty: with the first one's
    std::vector<std::string> overlays;  ///< of a platform
    std::vector<std::string> settings;
    unsigned processes = 2;  ///< of a cut
    Format format = Format::kText;
};

std::vector<ParameterRow> library_options(const workloads::LibraryInfo& info)
{
    const auto library = info.make();
    return list_parameters_of([&library](ParameterVisitor& visitor) { library->visit(visitor); });
}

std::vector<std::string> names_of(const std::vector<const workloads::LibraryInfo*>& libraries)
{
    std::vector<std::string> names;
    for (const auto* library : libraries) names.emplace_back(library->name);
    return names;
}

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

std::string list_platforms(const AskedList& asked)
{
    Json all = Json::array();
    for (const auto& entry : platforms::list_platforms()) {
        all.push_back({{"name", entry.name}, {"description", entry.description}});
    }
    return list_text("platforms", all, {{"platform", "name"}, {"description", "description"}}, asked.format);
}

/// {ringmesh, name, KEY: entries} as JSON, or else a table.
std::string of_one(const AskedList& asked, const char* key, const Json& entries,
                   const std::vector<EntryColumn>& columns)
{
    if (asked.format != Format::kJson) return list_text(entry_table(columns, entries), asked.format);
    return json_text({{"ringmesh", program_json()}, {"name", asked.name}, {key, entries}});
}

/// Each parameter that an overlay changes, with what its file says of the value.
std::string list_changes(const AskedList& asked)
{
    const auto settings = platforms::read_toml_file(platforms::find_overlay(asked.name));
    const auto said_of = [&settings](const std::string& key, const char* entry) {
        const auto found = std::find_if(settings.begin(), settings.end(), [&](const platforms::Setting& each) {
            return each.key == fmt::format("provenance.{}.{}", key, entry);
        });
        const auto* const text = found == settings.end() ? nullptr : std::get_if<std::string>(&found->value.data);
        return text == nullptr ? Json() : Json(*text);
    };
    Json all = Json::array();
    for (const platforms::Setting& each : settings) {
        if (each.table.empty() || each.key.starts_with("provenance.")) continue;  // the header, and what is said
        all.push_back({{"key", each.key},
                       {"value", each.value.text},
                       {"provenance", said_of(each.key, "from")},
                       {"source", said_of(each.key, "source")},
                       {"note", said_of(each.key, "note")}});
    }
    return of_one(
        asked, "changes", all,
        {{"parameter", "key"}, {"value", "value"}, {"from", "provenance"}, {"source", "source"}, {"note", "note"}});
}

std::string list_overlays(const AskedList& asked)
{
    if (!asked.name.empty()) return list_changes(asked);
    Json all = Json::array();
    for (const auto& entry : platforms::list_overlays()) {
        all.push_back({{"name", entry.name}, {"applies_to", entry.applies_to}, {"description", entry.description}});
    }
    return list_text("overlays", all,
                     {{"overlay", "name"}, {"for machines", "applies_to", "any"}, {"description", "description"}},
                     asked.format);
}

/// Options of a workload or a library, under its name.
std::string details(std::string_view name, std::string_view description, const std::string& runs,
                    const TextTable& options, Format format)
{
    const std::string title = fmt::format("{}: {}", name, description);
    if (format == Format::kMarkdown) return fmt::format("## {}\n\n{}\n\n{}", title, runs, options.markdown());
    if (format == Format::kCsv) return headed(title, options, format);
    const Room room = output_room();
    return fmt::format("{}\n  {}\n\n{}", wrapped(title, 2, room.prose()), wrapped(runs, 2, room.prose()),
                       options.text(2, room));
}

std::string list_workloads(const AskedList& asked)
{
    if (!asked.name.empty()) workloads::find_workload(asked.name);
    const auto* const chosen = asked.library.empty() ? nullptr : &workloads::find_library(asked.library);
    std::string text;  // one name may have several forms, each with its options
    Json all = Json::array();
    for (const auto& info : workloads::catalog()) {
        if (!asked.name.empty() && info.name != asked.name) continue;
        if (chosen != nullptr && (info.uses_library() || info.chosen_by.empty())) require_suitable(info, *chosen);
        const auto over = names_of(libraries_for(info));
        const auto options = options_of(info, chosen);
        all.push_back({{"name", info.name},
                       {"description", info.description},
                       {"libraries", over},
                       {"runs_on", machines_of(info)},
                       {"options", parameters_json(options)}});
        std::string heading = "default";
        if (over.size() > 1) heading += fmt::format(" ({})", chosen == nullptr ? over.front() : chosen->name);
        text += (text.empty() ? "" : "\n") +
                details(info.name, info.description,
                        fmt::format("{}runs on {}", over.empty() ? "" : "over " + joined(over) + "; ",
                                    joined(machines_of(info))),
                        option_table(options, heading), asked.format);
    }
    if (!asked.name.empty() && asked.format != Format::kJson) return text;
    return list_text(
        "workloads", all,
        {{"workload", "name"}, {"over libraries", "libraries"}, {"on", "runs_on"}, {"description", "description"}},
        asked.format);
}

std::string list_libraries(const AskedList& asked)
{
    const auto* const wanted = asked.name.empty() ? nullptr : &workloads::find_library(asked.name);
    std::string text;
    Json all = Json::array();
    for (const auto& info : workloads::libraries()) {
        if (wanted != nullptr && &info != wanted) continue;
        std::vector<std::string> offers;
        for (const auto offer : info.make()->offers()) offers.emplace_back(workloads::kOfferNames.name(offer));
        const auto options = library_options(info);
        const auto on = platforms_that_offer({info.runs_on});
        all.push_back({{"name", info.name},
                       {"description", info.description},
                       {"runs_on", info.runs_on},
                       {"platforms", on},
                       {"offers", offers},
                       {"options", parameters_json(options)}});
        text = details(info.name, info.description,
                       fmt::format("runs on {} ({}); offers {}", info.runs_on, joined(on),
                                   offers.empty() ? "only messages that both sides expect" : joined(offers)),
                       option_table(options), asked.format);
    }
    if (wanted != nullptr && asked.format != Format::kJson) return text;
    return list_text("libraries", all,
                     {{"library", "name"}, {"on", "runs_on"}, {"offers", "offers"}, {"description", "description"}},
                     asked.format);
}

/// A platform with all its parameters.
struct Listed {
    std::string name;
    platforms::Configuration configuration;
    std::vector<ParameterRow> rows;

    const platforms::MachineKind& kind() const { return platforms::machine_kind(configuration); }
    Json json() const
    {
        return {{"name", name},
                {"machine", kind().name()},
                {"description", configuration.description()},
                {"based_on", configuration.based_on()},
                {"parameters", parameters_json(rows)}};
    }
    std::string title() const
    {
        return fmt::format("Platform {} (machine {}): {}", name, kind().name(), configuration.description());
    }
    TextTable table(Format format) const  // one more column does not fit a terminal
    {
        return parameter_table(rows, format == Format::kMarkdown ? OriginIn::kColumn : OriginIn::kMeaning);
    }
};

Listed parameters_of(const std::string& platform, const AskedList& asked)
{
    ExperimentRequest request;
    request.platform = platform;
    request.overlays = asked.overlays;
    request.settings = asked.settings;
    auto configuration = configuration_of(request);
    auto rows = checked_parameters(configuration);
    return {platform, std::move(configuration), std::move(rows)};
}

/// As text an overlay, which gives the same routes back.
std::string list_routes(const AskedList& asked)
{
    const Listed listed = parameters_of(asked.name, asked);
    Json all = Json::array();
    std::string text = fmt::format("description = \"Routes of {}\"\napplies_to = [\"{}\"]\n",
                                   std::filesystem::path(asked.name).stem().string(), listed.kind().name());
    std::string before;
    for (const auto& row : listed.kind().routes(listed.configuration)) {
        all.push_back({{"table", row.table}, {"targets", row.targets}, {"way", row.way}});
        if (std::exchange(before, row.table) != row.table) text += fmt::format("\n[{}]\n", row.table);
        text += fmt::format("\"{}\" = {}\n", row.targets, row.way);
    }
    if (asked.format == Format::kText) return text;
    return of_one(asked, "routes", all, {{"table", "table"}, {"targets", "targets"}, {"way", "way"}});
}

/// How a machine is cut for `run --processes`.
std::string list_cut(const AskedList& asked)
{
    const Listed listed = parameters_of(asked.name, asked);
    const unsigned count = asked.processes;
    if (const std::string why = listed.kind().undivided(listed.configuration, NodeKind::kPacketSource, false);
        !why.empty()) {
        throw UserError(fmt::format("list cut {}: one process runs it: {}", asked.name, why));
    }
    const PlaceGraph graph = listed.kind().place_graph(listed.configuration);
    const std::vector<unsigned> owners = cut_places(graph, count);
    struct Part {
        std::uint64_t places = 0, work = 0, links = 0;
    };
    std::vector<Part> parts(count);
    double work = 0;
    for (std::size_t place = 0; place < owners.size(); ++place) {
        if (graph.weights[place] == 0) continue;  // nothing is there
        ++parts[owners[place]].places;
        parts[owners[place]].work += static_cast<std::uint64_t>(graph.weights[place]);
        work += static_cast<double>(graph.weights[place]);
    }
    for (const PlaceGraph::Link& link : graph.links) {
        if (owners[link.from] == owners[link.to]) continue;
        ++parts[owners[link.from]].links;
        ++parts[owners[link.to]].links;
    }
    Json all = Json::array();
    for (std::size_t process = 0; process < parts.size(); ++process) {
        all.push_back({{"process", process},
                       {"places", parts[process].places},
                       {"work_percent", 100. * static_cast<double>(parts[process].work) / work},
                       {"cut_links", parts[process].links}});
    }
    const Duration window = lookahead(graph, owners);
    const bool any = window != Duration::never();
    if (asked.format == Format::kJson) {
        return json_text({{"ringmesh", program_json()},
                          {"name", asked.name},
                          {"window_ns", any ? Json(window.ns()) : Json()},
                          {"processes", all}});
    }
    std::string rows = of_one(
        asked, "processes", all,
        {{"process", "process"}, {"places", "places"}, {"% of the work", "work_percent"}, {"cut links", "cut_links"}});
    if (asked.format == Format::kCsv) return rows;
    return rows + (any ? fmt::format("\nwindow: {:.3f} ns, the least time until one part has an effect on another\n",
                                     window.ns())
                       : "\none part has no effect on another\n");
}

std::string list_faults(const AskedList& asked)
{
    Json all = Json::array();
    for (const auto& sort : parameters_of(asked.name, asked).kind().faults()) {
        for (const FaultWord& each : sort.words) {
            all.push_back({{"blocks", sort.blocks}, {"what", each.word}, {"meaning", each.meaning}});
        }
    }
    if (all.values().empty() && asked.format != Format::kJson) {
        return fmt::format("The hardware of {} has no faults to choose from.\n", asked.name);
    }
    Json times = Json::array();
    for (const FaultTimeForm& form : kFaultTimeForms) times.push_back({{"when", form.when}, {"meaning", form.meaning}});
    if (asked.format == Format::kJson) {
        return json_text({{"ringmesh", program_json()}, {"name", asked.name}, {"faults", all}, {"times", times}});
    }
    return of_one(asked, "faults", all, {{"blocks", "blocks"}, {"what", "what"}, {"meaning", "meaning"}}) + '\n' +
           list_text(entry_table({{"--fault where=BLOCKS,what=WHAT,...", "when"}, {"strikes", "meaning"}}, times),
                     asked.format);
}

std::string list_parameters(const AskedList& asked)
{
    if (!asked.name.empty()) {
        const Listed listed = parameters_of(asked.name, asked);
        if (asked.format != Format::kJson) {
            return headed(listed.title(), listed.table(asked.format), asked.format, "#");
        }
        Json json = {{"ringmesh", program_json()}};
        const Json one = listed.json();
        for (const auto& [key, value] : one.members()) json.add(key, value);
        return json_text(json);
    }
    std::vector<Listed> all;
    for (const auto& entry : platforms::list_platforms()) all.push_back(parameters_of(entry.name, asked));
    std::stable_partition(all.begin(), all.end(),
                          [](const Listed& listed) { return listed.configuration.based_on().empty(); });
    std::string text;
    Json json = Json::array();
    for (Listed& listed : all) {
        json.push_back(listed.json());
        std::string title = listed.title();
        if (!listed.configuration.based_on().empty()) {
            title += fmt::format("; as {} but for", listed.configuration.based_on());
            std::erase_if(listed.rows, [&](const ParameterRow& row) {
                return !listed.configuration.set_by_platform_itself(row.key);
            });
        }
        text += (text.empty() ? "" : "\n") + headed(title, listed.table(asked.format), asked.format);
    }
    return asked.format == Format::kJson ? json_text({{"ringmesh", program_json()}, {"platforms", json}}) : text;
}

std::string list_policies(const AskedList& asked) { return list_policies(asked.name, asked.format); }

std::string list_of_studies(const AskedList& asked)
{
    Json all = Json::array();
    for (const std::string& name : list_studies()) {
        const auto folder = find_study(name);
        std::vector<std::string> parts;
        for (const auto& file : script_files(folder)) parts.push_back(part_name(file));
        all.push_back(
            {{"name", name}, {"title", read_study(folder).title}, {"parts", parts}, {"folder", folder.string()}});
    }
    return list_text("studies", all, {{"study", "name"}, {"parts", "parts"}, {"title", "title"}}, asked.format);
}

/// As text a list: no table of such texts fits a terminal.
std::string list_functions(const AskedList& asked)
{
    TextTable table({{"function"}, {"unit"}, {"meaning"}, {"source"}});
    Json all = Json::array();
    std::string text;
    std::vector<std::string> names;
    const std::size_t width = output_room().prose();
    for (const SqlFunction& function : sql_functions()) {
        if (names.empty() || names.back() != function.name) names.push_back(function.name);
        if (!function.name.starts_with(asked.name)) continue;
        const bool aggregates = static_cast<bool>(function.aggregate);
        const std::string meaning = (aggregates ? "aggregate: " : "") + function.meaning;
        table.row({signature_of(function), function.unit, meaning, function.source});
        const std::string unit = function.unit.empty() ? "" : fmt::format(", in {}", function.unit);
        const std::string source = function.source.empty() ? "" : fmt::format("; source: {}", function.source);
        text += fmt::format("{}\n    {}\n", wrapped(signature_of(function) + unit, 4, width),
                            wrapped(meaning + source, 4, width));
        all.push_back({{"name", function.name},
                       {"arguments", function.arguments},
                       {"unit", function.unit},
                       {"aggregate", aggregates},
                       {"meaning", function.meaning},
                       {"source", function.source}});
    }
    if (table.empty()) {
        throw UserError(
            fmt::format("list functions: none begins with '{}'{}", asked.name, suggestion(asked.name, names)));
    }
    if (asked.format == Format::kJson) return json_text({{"ringmesh", program_json()}, {"functions", all}});
    return asked.format == Format::kText ? text : list_text(table, asked.format);
}

std::string list_signals(const AskedList& asked)
{
    if (asked.name.empty()) return list_signals_of_platforms(asked.format);
    return list_signals(asked.name, asked.pattern, asked.format);
}

/// What can be listed, and what its NAME may be.
struct Subject {
    using List = std::string (*)(const AskedList&);
    enum class Name : std::uint8_t { kNone, kOptional, kPlatform };

    List list;
    Name name = Name::kNone;
};
constexpr NameTable<Subject, 12> kSubjects{{{{"platforms", {&list_platforms}},
                                             {"overlays", {&list_overlays, Subject::Name::kOptional}},
                                             {"workloads", {&list_workloads, Subject::Name::kOptional}},
                                             {"libraries", {&list_libraries, Subject::Name::kOptional}},
                                             {"parameters", {&list_parameters, Subject::Name::kOptional}},
                                             {"policies", {&list_policies, Subject::Name::kOptional}},
                                             {"studies", {&list_of_studies}},
                                             {"functions", {&list_functions, Subject::Name::kOptional}},
                                             {"signals", {&list_signals, Subject::Name::kOptional}},
                                             {"routes", {&list_routes, Subject::Name::kPlatform}},
                                             {"faults", {&list_faults, Subject::Name::kPlatform}},
                                             {"cut", {&list_cut, Subject::Name::kPlatform}}}}};

/// @throws UserError for an unknown subject, and for options that do not go with it
const Subject& checked_subject(const AskedList& asked)
{
    const auto names = kSubjects.names();
    const Subject* subject = kSubjects.find(asked.what);
    if (subject == nullptr) {
        throw UserError(fmt::format("list: unknown subject '{}'{}", asked.what, suggestion(asked.what, names)));
    }
    if (!asked.name.empty() && subject->name == Subject::Name::kNone) {
        throw UserError(fmt::format("list: unexpected argument '{}'; 'list {}' takes no name", asked.name, asked.what));
    }
    if (asked.name.empty() && subject->name == Subject::Name::kPlatform) {
        throw UserError(
            fmt::format("list: {0} of no platform; write 'list {0} PLATFORM'{1}", asked.what, see_help("list")));
    }
    const bool of_machine = subject->name == Subject::Name::kPlatform || asked.what == "parameters";
    if ((!asked.overlays.empty() || !asked.settings.empty()) && (!of_machine || asked.name.empty())) {
        throw UserError(
            "list: --overlay and --set: only 'list parameters PLATFORM', 'list routes PLATFORM', 'list faults "
            "PLATFORM' and 'list cut PLATFORM' take them; leave them out");
    }
    if (!asked.pattern.empty() && asked.what != "signals") {
        throw UserError(
            fmt::format("list: unexpected argument '{}'; only 'list signals PLATFORM' takes a pattern", asked.pattern));
    }
    if (!asked.library.empty() && (asked.what != "workloads" || asked.name.empty())) {
        throw UserError("list: --library: goes with one workload; write 'list workloads NAME', or leave it out");
    }
    return *subject;
}

class ListCommand final : public Command {
public:
    const CommandHelp& help() const override { return kList; }
    void describe(OptionList& list) override
    {
        list.argument("WHAT", asked_.what, joined(kSubjects.names()), kSubjects.names());
        list.need("no subject; write one of: " + joined(kSubjects.names()));
        list.argument(
            "NAME", asked_.name,
            "The platform, overlay, workload, library or kind of policy to show; of functions, how their names begin");
        list.argument("PATTERN", asked_.pattern, "For signals: show only names that match, such as '*.lc2'");
        list.repeated("--overlay", asked_.overlays,
                      "For parameters, routes, faults and cut: change the platform by this overlay, a name or a file",
                      "FILE");
        list.repeated("--set", asked_.settings, "For parameters, routes, faults and cut: change one parameter",
                      "KEY=VALUE");
        list.count("--processes", asked_.processes, "For cut: into so many parts; 2 if not given");
        list.text("--library", asked_.library, "For one workload: show its defaults with this library", "NAME");
        add_format(list, format_);
    }
    int execute() override
    {
        asked_.format = format_.chosen("list");
        print(checked_subject(asked_).list(asked_));
        return 0;
    }

private:
    AskedList asked_;
    FormatOptions format_;
};

}  // namespace

std::unique_ptr<Command> make_list() { return std::make_unique<ListCommand>(); }

}  // namespace ringmesh::lab
