// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

// CLI11 costs seconds of every file that includes it: this is the only one.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <systemc>

#include "lab/commands.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

constexpr NameTable<Subject, 4> kSubjects{{{{"platforms", Subject::kPlatforms},
                                            {"overlays", Subject::kOverlays},
                                            {"workloads", Subject::kWorkloads},
                                            {"parameters", Subject::kParameters}}}};

constexpr const char* kMainExamples = R"(Examples:
  ringmesh list platforms
  ringmesh run wulfkit-ring --workload ping-pong
  ringmesh validate wulfkit
  ringmesh run --help
)";

constexpr const char* kListExamples = R"(Examples:
  ringmesh list workloads                            workloads and their options
  ringmesh list parameters                           every parameter of every machine, with its default
  ringmesh list parameters wulfkit-ring              the values that this platform gives them
  ringmesh list parameters --markdown                the page docs/parameters.md
  ringmesh list platforms --json
)";

constexpr const char* kRunExamples = R"(Examples:
  ringmesh run wulfkit-ring --workload ping-pong
  ringmesh run wulfkit-ring --workload ping-pong:sizes=64,128,repetitions=10 --set topology.dimensions=8
  ringmesh run wulfkit-ring --workload one-way --overlay link-4.0Gbps --json result.json
  ringmesh run wulfkit-ring --workload ping-pong:sizes=64 --vcd run.vcd --trace 'node0,*.lc2' --window 20us..30us
  ringmesh run wulfkit-ring --workload uniform-traffic:load=0.5 --set topology.dimensions=64 --statistics

'ringmesh list workloads' shows the workloads with their options, 'ringmesh list parameters' what --set can change.
Values carry their unit: --set cable.length=3m. The exit status is 0 if all went well, 2 for bad input, 3 if the model
broke one of its own laws, 130 for Ctrl-C.
)";

constexpr const char* kValidateExamples = R"(Examples:
  ringmesh validate
  ringmesh validate wulfkit --json validation.json
  ringmesh validate wulfkit --markdown validation.md

The exit status is 0 if every row is within its tolerance, 1 if one is not.
)";

/// CLI11's help under our own usage lines.
class HelpFormatter final : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* app, std::string) const override
    {
        const std::string& command = app->get_name();
        const char* arguments = command == "list"       ? "list WHAT [PLATFORM] [OPTIONS]"
                                : command == "run"      ? "run PLATFORM --workload NAME[:KEY=VALUE,...] [OPTIONS]"
                                : command == "validate" ? "validate [MACHINE] [OPTIONS]"
                                                        : "COMMAND [ARGUMENTS]";
        return fmt::format("Usage: ringmesh {}\n", arguments);
    }
};

/// The options as they are read; turned into a Command when all are there.
struct Read {
    std::string subject;
    std::vector<std::string> arguments;
    bool markdown = false;
    bool json = false;
    std::string seed = "1";
    bool no_wall_time = false;
    ListCommand list;
    RunCommand run;
    ValidateCommand validate;
};

/// An option that may be given again and again, one value each time.
void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& meaning,
                  const std::string& value_name)
{
    app.add_option(name, values, meaning)
        ->type_name(value_name)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// An option whose value was forgotten takes the next option for it; an unset variable of a shell leaves it empty.
std::string problem_of_value(const std::string& value)
{
    if (value.empty()) return "its value is empty; write one, or leave the option out";
    const bool number = value.size() > 1 && value[1] >= '0' && value[1] <= '9';  // -1 is judged where it is read
    if (value.size() > 1 && value.front() == '-' && !number) {
        return fmt::format("'{}' is no value for it; write a value, ./{} for a file of that name", value, value);
    }
    return {};
}

void add_text(CLI::App& app, const std::string& name, std::string& value, const std::string& meaning,
              const std::string& value_name)
{
    auto* option = app.add_option(name, value, meaning)->type_name(value_name);
    if (name.front() == '-') option->check(&problem_of_value);
}

CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& meaning, const char* examples)
{
    CLI::App& command = *app.add_subcommand(name, meaning);
    command.footer(examples);
    // What is left over is judged below, where the nearest name is known
    command.allow_extras();
    return command;
}

void add_list(CLI::App& app, Read& read)
{
    CLI::App& list =
        add_command(app, "list", "Show what there is: platforms, overlays, workloads, parameters", kListExamples);
    add_text(list, "WHAT", read.subject, "platforms, overlays, workloads or parameters", "");
    add_text(list, "PLATFORM", read.list.platform, "with parameters: the values of this platform", "");
    list.add_flag("--markdown", read.markdown, "Write Markdown");
    list.add_flag("--json", read.json, "Write JSON");
}

void add_run(CLI::App& app, Read& read)
{
    RunCommand& run = read.run;
    CLI::App& command = add_command(app, "run", "Run a workload on a platform and show what it measured", kRunExamples);
    add_text(command, "PLATFORM", run.request.platform, "Name of a platform, or a TOML file", "");
    add_text(command, "--workload", run.request.workload, "What to run, with options", "NAME[:KEY=VALUE,...]");
    add_repeated(command, "--overlay", run.request.overlays, "Change the platform by an overlay, a name or a file",
                 "FILE");
    add_repeated(command, "--set", run.request.settings, "Change one parameter", "KEY=VALUE");
    add_text(command, "--seed", read.seed, "Of the random numbers; 1 if not given", "N");
    add_text(command, "--json", run.json, "Write results, parameters and statistics; '-' for standard output", "FILE");
    add_text(command, "--csv", run.csv, "Write the results as a table; '-' for standard output", "FILE");
    add_text(command, "--vcd", run.vcd, "Record a waveform, and a view of it for GTKWave beside it", "FILE");
    add_text(command, "--trace", run.trace, "Signals or modules to record, such as 'node0,*.lc2'; all if not given",
             "PATTERN");
    add_text(command, "--window", run.window, "Part of the run to record, such as 2us..4us", "FROM..TO");
    add_text(command, "--log", run.log, "Levels of log lines, such as 'node0.*=debug'", "PATTERN=LEVEL,...");
    command.add_flag("--statistics", run.statistics,
                     "Show what the blocks counted; in JSON also for each block by itself");
    command.add_flag("--no-wall-time", read.no_wall_time,
                     "Leave wall_seconds out of the JSON, so that equal runs give equal files");
}

void add_validate(CLI::App& app, Read& read)
{
    CLI::App& command =
        add_command(app, "validate", "Compare simulated, calculated and published numbers", kValidateExamples);
    add_text(command, "MACHINE", read.validate.machine, "wulfkit; all machines if not given", "");
    add_text(command, "--json", read.validate.json, "Write the rows; '-' for standard output", "FILE");
    add_text(command, "--markdown", read.validate.markdown, "Write the report as Markdown; '-' for standard output",
             "FILE");
}

std::string see_help(const CLI::App& command)
{
    return fmt::format("; see 'ringmesh {}{}--help'", command.get_name(), command.get_name().empty() ? "" : " ");
}

std::vector<std::string> command_names(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

std::vector<std::string> option_names(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const auto* option : command.get_options()) {
        for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

/// "--sed=3" is about "--sed".
std::string option_in(const std::string& argument) { return argument.substr(0, argument.find('=')); }

/// Before CLI11 sees anything: a command that does not exist, or none at all.
void require_known_command(const CLI::App& app, int argc, const char* const* argv)
{
    const std::string first = argc > 1 ? argv[1] : "";
    const auto names = command_names(app);
    const std::vector<std::string> flags{"--help", "--version"};
    if (first.empty()) {
        throw UserError(fmt::format("no command; write one of: {}; see 'ringmesh --help'", fmt::join(names, ", ")));
    }
    if (first.front() != '-') {
        if (std::find(names.begin(), names.end(), first) != names.end()) return;
        throw UserError(fmt::format("unknown command '{}'{}", first, suggestion(first, names)));
    }
    if (first == "-h" || std::find(flags.begin(), flags.end(), first) != flags.end()) return;
    throw UserError(fmt::format("unknown option '{}'{}", first, suggestion(first, flags)));
}

void require_nothing_left(const CLI::App& command)
{
    const auto rest = command.remaining();
    for (const auto& argument : rest) {
        if (argument.size() < 2 || argument.front() != '-') continue;
        const auto typed = option_in(argument);
        throw UserError(fmt::format("{}: unknown option '{}'{}", command.get_name(), typed,
                                    suggestion(typed, option_names(command))));
    }
    if (!rest.empty()) {
        throw UserError(
            fmt::format("{}: unexpected argument '{}'{}", command.get_name(), rest.front(), see_help(command)));
    }
}

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

/// What CLI11 found wrong, in words of ours where its own are hard to read.
std::string message_of(const CLI::ParseError& error)
{
    std::string text = error.what();
    const std::string option = text.substr(0, text.find(':'));
    if (text.find("At Most 1 required") != std::string::npos) return option + " is given twice; keep one";
    if (text.find("1 required") != std::string::npos && text.find("missing") != std::string::npos) {
        return option + " has no value; write one behind it";
    }
    return text;
}

Command list_command(const CLI::App& app, Read& read)
{
    const auto names = kSubjects.names();
    if (read.subject.empty()) {
        throw UserError(fmt::format("list: what? write one of: {}{}", fmt::join(names, ", "), see_help(app)));
    }
    const Subject* subject = kSubjects.find(read.subject);
    if (subject == nullptr) {
        throw UserError(fmt::format("list: unknown subject '{}'{}", read.subject, suggestion(read.subject, names)));
    }
    if (!read.list.platform.empty() && *subject != Subject::kParameters) {
        throw UserError(
            fmt::format("list: unexpected argument '{}'; only 'list parameters' takes a platform", read.list.platform));
    }
    if (read.markdown && read.json) throw UserError("list: --markdown and --json: choose one of them");
    read.list.subject = *subject;
    read.list.format = read.json ? Format::kJson : read.markdown ? Format::kMarkdown : Format::kText;
    return std::move(read.list);
}

Command run_command(const CLI::App& app, Read& read)
{
    if (read.run.request.platform.empty()) {
        throw UserError("run: no platform; 'ringmesh list platforms' shows what there is" + see_help(app));
    }
    if (read.run.request.workload.empty()) {
        throw UserError("run: no workload; write --workload NAME; 'ringmesh list workloads' shows what there is" +
                        see_help(app));
    }
    read.run.request.seed = parse_seed(read.seed);
    read.run.wall_time = !read.no_wall_time;
    return std::move(read.run);
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv)
{
    Read read;
    CLI::App app("Simulates early interconnects: SCI rings of Wulfkit cards, from the PCI store to the echo.");
    app.name("ringmesh");
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_formatter()->label("SUBCOMMANDS", "Commands");
    app.get_formatter()->label("Subcommands", "Commands");
    app.set_help_flag("-h,--help", "Show this help");
    app.footer(kMainExamples);
    app.set_version_flag("--version", std::string(RINGMESH_VERSION), "Show the version");
    add_list(app, read);
    add_run(app, read);
    add_validate(app, read);
    require_known_command(app, argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        for (const auto* command : app.get_subcommands()) return PrintCommand{command->help()};
        return PrintCommand{app.help()};
    } catch (const CLI::CallForVersion&) {
        return PrintCommand{fmt::format("ringmesh {} (SystemC {})\n", RINGMESH_VERSION, sc_core::sc_version_string)};
    } catch (const CLI::ParseError& error) {
        for (const auto* command : app.get_subcommands()) {
            // A value that is none explains what is left over, and not the other way round
            if (dynamic_cast<const CLI::ValidationError*>(&error) == nullptr) require_nothing_left(*command);
            throw UserError(fmt::format("{}: {}{}", command->get_name(), message_of(error), see_help(*command)));
        }
        throw UserError(fmt::format("{}{}", message_of(error), see_help(app)));
    }
    const CLI::App& chosen = *app.get_subcommands().front();
    require_nothing_left(chosen);
    if (chosen.get_name() == "list") return list_command(chosen, read);
    if (chosen.get_name() == "run") return run_command(chosen, read);
    return std::move(read.validate);
}

}  // namespace ringmesh::lab
