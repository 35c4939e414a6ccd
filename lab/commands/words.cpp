// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

// CLI11 adds seconds to the compilation of a file: only this one includes it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <map>
#include <sstream>
#include <utility>

#include "lab/commands/command.h"
#include "lab/commands/shapes.h"
#include "lab/process/standard_streams.h"
#include "lab/table/text_table.h"
#include "tlm/error.h"
#include "tlm/names.h"

/// From words to a command.
namespace ringmesh::lab {
namespace {

constexpr CommandHelp kProgram{
    .name = "",
    .meaning =
        "Simulates four parallel machines from the literature: SCI rings and tori of Wulfkit cards, the DECK/SCI\n"
        "cluster, the SCC chip, the NCUBE/seven hypercube.",
    .arguments = "COMMAND [ARGUMENTS]",
    .examples = R"(Examples:
  ringmesh list platforms
  ringmesh run wulfkit-ring --workload ping-pong
  ringmesh explain wulfkit-ring --from 0 --to 2
  ringmesh validate wulfkit
  ringmesh run scc --workload memory-probe:target=mpb
  ringmesh run --help
)"};

/// CLI11's help under our own usage lines.
class HelpFormatter final : public CLI::Formatter {
public:
    /// @param usages behind "ringmesh", by command
    explicit HelpFormatter(std::map<std::string, std::string> usages) : usages_(std::move(usages)) {}

    std::string make_usage(const CLI::App* app, std::string) const override
    {
        const CLI::App* parent = app->get_parent();
        if (parent == nullptr || parent->get_parent() == nullptr) {
            return fmt::format("Usage: ringmesh {}\n", usages_.at(app->get_name()));
        }
        std::string usage = fmt::format("Usage: ringmesh {} {}", parent->get_name(), app->get_name());
        for (const CLI::Option* option : app->get_options()) {
            if (!option->get_positional()) continue;
            const bool many = option->get_items_expected_max() > 1;
            const std::string name = option->get_name(true);
            usage += many ? fmt::format(" [{}...]", name) : " " + name;
        }
        return usage + " [OPTIONS]\n";
    }
    std::string make_option(const CLI::Option* option, bool is_positional) const override
    {
        return two_columns(make_option_name(option, is_positional) + make_option_opts(option),
                           make_option_desc(option));
    }
    std::string make_subcommand(const CLI::App* command) const override
    {
        return two_columns(command->get_name(), command->get_description());
    }

private:
    /// As CLI11 has them, but within the terminal.
    std::string two_columns(const std::string& name, const std::string& description) const
    {
        const std::size_t indent = get_column_width();
        std::string text = "  " + name;
        if (text.size() >= indent) text += '\n' + std::string(indent, ' ');
        text.resize(std::max(text.size(), indent), ' ');
        return text + wrapped(description, indent, output_room().prose()) + '\n';
    }

    std::map<std::string, std::string> usages_;
};

/// Lines that are wider than the terminal, broken; commands so that a shell still reads them as one.
std::string fitted(const std::string& help)
{
    const std::size_t width = output_room().prose();
    std::istringstream lines(help);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (display_width(line) > width) {
            const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
            const std::string words = line.substr(blanks);
            const bool is_command = words.starts_with("ringmesh ");
            std::string broken = wrapped(words, blanks + (is_command ? 4 : 0), width - (is_command ? 2 : 0));
            if (is_command) {
                for (std::size_t at = 0; (at = broken.find('\n', at)) != std::string::npos; at += 3) {
                    broken.insert(at, " \\");
                }
            }
            line = std::string(blanks, ' ') + broken;
        }
        text += line + '\n';
    }
    return text;
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

/// Of a command that has some.
void require_known_action(const CLI::App& command, const std::string& action)
{
    const auto names = command_names(command);
    const bool known = std::find(names.begin(), names.end(), action) != names.end();
    if (names.empty() || action.empty() || action.front() == '-' || known) return;
    throw UserError(fmt::format("{}: unknown action '{}'; write one of: {}{}", command.get_name(), action,
                                fmt::join(names, ", "), see_help(command.get_name())));
}

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
        if (std::find(names.begin(), names.end(), first) != names.end()) {
            require_known_action(*app.get_subcommand(first), argc > 2 ? argv[2] : "");
            return;
        }
        throw UserError(fmt::format("unknown command '{}'{}", first, suggestion(first, names)));
    }
    if (first == "-h" || std::find(flags.begin(), flags.end(), first) != flags.end()) return;
    throw UserError(fmt::format("unknown option '{}'{}", first, suggestion(first, flags)));
}

/// "study query"
std::string full_name(const CLI::App& command)
{
    const CLI::App* parent = command.get_parent();
    if (parent == nullptr || parent->get_parent() == nullptr) return command.get_name();
    return parent->get_name() + " " + command.get_name();
}

/// The command that was called, or its action.
const CLI::App& called(const CLI::App& app)
{
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    return *command;
}

void require_nothing_left(const CLI::App& command, const std::vector<std::string>& rest)
{
    for (const auto& argument : rest) {
        if (argument.size() < 2 || argument.front() != '-') continue;
        const auto typed = option_in(argument);
        throw UserError(fmt::format("{}: unknown option '{}'{}", full_name(command), typed,
                                    suggestion(typed, option_names(command))));
    }
    if (!rest.empty()) {
        throw UserError(fmt::format("{}: unexpected argument '{}'{}", full_name(command), rest.front(),
                                    see_help(full_name(command))));
    }
}
void require_nothing_left(const CLI::App& command) { require_nothing_left(command, command.remaining()); }

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

/// In quotation marks where a shell would take it apart.
std::string as_typed(int argc, const char* const* argv)
{
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%^";
    std::string line = "ringmesh";
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        line += ' ';
        if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

/// An option without its value takes the next option as the value; an unset shell variable leaves it empty.
std::string problem_of_value(const std::string& value)
{
    if (value.empty()) return "its value is empty; write one, or leave it out";
    const bool number = value.size() > 1 && value[1] >= '0' && value[1] <= '9';  // "-1" is checked by its own option
    if (value.size() > 1 && value.front() == '-' && !number) {
        return fmt::format("'{}' is not a value; write a value, ./{} for a file of that name", value, value);
    }
    return {};
}

/// An argument without an option; "-" may begin a folder's name.
std::string problem_of_word(const std::string& value)
{
    return value.empty() ? "its value is empty; write one, or leave it out" : "";
}

/// The examples of one action of a command, and what stands below all of them.
std::string examples_of(const CommandHelp& help, const std::string& action)
{
    const std::string_view all = help.examples;
    const std::string prefix = fmt::format("  ringmesh {} {} ", help.name, action);
    std::string text = "Examples:\n";
    std::string_view rest = all;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n') + 1);
        if (line.starts_with(prefix)) text += line;
        rest.remove_prefix(line.size());
    }
    return text.append(all.substr(all.find("\n\n") + 1));
}

/// All commands, as CLI11 knows them.
class CommandLine {
public:
    CommandLine() : app_(std::string(kProgram.meaning))
    {
        std::map<std::string, std::string> usages{{"ringmesh", std::string(kProgram.arguments)}};
        for (const auto& command : commands_) {
            usages.emplace(command->help().name, command->help().arguments);
        }
        app_.name("ringmesh");
        app_.require_subcommand(0, 1);  // so a folder that has the name of a command is an argument
        app_.formatter(std::make_shared<HelpFormatter>(std::move(usages)));
        app_.get_formatter()->label("SUBCOMMANDS", "Commands");
        app_.get_formatter()->label("Subcommands", "Commands");
        app_.set_help_flag("-h,--help", "Show this help");
        app_.set_version_flag("--version", std::string(RINGMESH_VERSION), "Show the version");
        for (const auto& command : commands_) add(*command);
        app_.footer(std::string(kProgram.examples));  // last: commands would inherit it
    }

    CLI::App& app() { return app_; }
    /// Gives the options that were typed to the command that was called.
    /// @pre parsed, and nothing is left over @throws UserError for a value that is none
    std::unique_ptr<Command> take()
    {
        const CLI::App& chosen = called(app_);
        for (const Typed& typed : typed_) {
            if (typed.app != &chosen || typed.option->count() == 0) continue;
            try {
                typed.described->take(typed.described->kind == OptionList::Kind::kFlag ? std::vector<std::string>{}
                                                                                       : typed.texts());
            } catch (const UserError& error) {
                throw UserError(fmt::format("{}: {}", full_name(chosen), error.what()));
            }
        }
        const std::string name = app_.get_subcommands().front()->get_name();
        if (&chosen != app_.get_subcommands().front()) *chosen_action(name, chosen.get_name()) = chosen.get_name();
        const auto found = std::find_if(commands_.begin(), commands_.end(),
                                        [&name](const auto& command) { return command->help().name == name; });
        return std::move(*found);
    }

private:
    struct Typed {
        const CLI::App* app;
        const OptionList::Option* described;
        CLI::Option* option = nullptr;
        std::string one = {};
        std::vector<std::string> many = {};
        bool flag = false;

        std::vector<std::string> texts() const { return many.empty() ? std::vector<std::string>{one} : many; }
    };

    void add(Command& command)
    {
        const CommandHelp& help = command.help();
        OptionList& list = lists_.emplace_back();
        command.describe(list);
        CLI::App& app = *app_.add_subcommand(std::string(help.name), std::string(help.meaning));
        app.footer([&command] {
            std::string text = command.examples();
            while (text.ends_with('\n')) text.pop_back();  // CLI11 adds one
            return text;
        });
        add_options(app, list);
        if (!list.actions().empty()) app.require_subcommand(0, 1);
        for (OptionList::Action& action : list.actions()) {
            // Some actions have the names of other commands, so each is a command of its own
            CLI::App& sub = *app.add_subcommand(action.name, action.meaning);
            sub.footer(examples_of(help, action.name));
            add_options(sub, action.list);
            chosen_[std::string(help.name) + ' ' + action.name] = action.chosen;
        }
    }

    void add_options(CLI::App& app, const OptionList& list)
    {
        app.allow_extras();  // they are rejected with the nearest known name
        for (const OptionList::Option& described : list.options()) {
            Typed& typed = typed_.emplace_back(Typed{.app = &app, .described = &described});
            switch (described.kind) {
                case OptionList::Kind::kFlag:
                    typed.option = app.add_flag(described.names, typed.flag, described.meaning);
                    break;
                case OptionList::Kind::kText:
                    typed.option = app.add_option(described.names, typed.one, described.meaning)
                                       ->type_name(described.value)
                                       ->check(&problem_of_value);
                    break;
                case OptionList::Kind::kRepeated:
                    typed.option = app.add_option(described.names, typed.many, described.meaning)
                                       ->type_name(described.value)
                                       ->allow_extra_args(false)
                                       ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
                    break;
                case OptionList::Kind::kArgument:
                    typed.option = app.add_option(described.names, typed.one, described.meaning)
                                       ->type_name("")
                                       ->check(&problem_of_word);
                    break;
                case OptionList::Kind::kArguments:
                    typed.option = app.add_option(described.names, typed.many, described.meaning)->type_name("");
                    break;
            }
        }
    }

    std::string* chosen_action(const std::string& command, const std::string& action)
    {
        return chosen_.at(command + ' ' + action);
    }

    std::vector<std::unique_ptr<Command>> commands_ = all_commands();
    std::deque<OptionList> lists_;
    std::deque<Typed> typed_;
    std::map<std::string, std::string*> chosen_;  ///< by command and action
    CLI::App app_;
};

/// "run PLATFORM --workload ..." of a command or an action.
std::string usage_of(const CLI::App& command)
{
    std::string usage = dynamic_cast<const HelpFormatter&>(*command.get_formatter()).make_usage(&command, "");
    const std::string_view before = "Usage: ringmesh ";
    return usage.substr(before.size(), usage.size() - before.size() - 1);
}

void add_shapes(std::vector<CommandShape>& shapes, const CLI::App& command)
{
    CommandShape shape{full_name(command), command.get_description(), usage_of(command), command.get_footer(), {}, {}};
    for (const CLI::Option* option : command.get_options()) {
        const bool is_argument = option->get_positional();
        const std::string name = is_argument ? option->get_name(true) : "--" + option->get_lnames().front();
        const bool has_value = !is_argument && option->get_items_expected_max() > 0;
        (is_argument ? shape.arguments : shape.options)
            .push_back({name, has_value ? option->get_type_name() : "", option->get_description()});
    }
    shapes.push_back(std::move(shape));
    for (const CLI::App* action : command.get_subcommands({})) add_shapes(shapes, *action);
}

}  // namespace

std::string help_text(const std::vector<std::string>& names)
{
    CommandLine line;
    CLI::App* command = &line.app();
    for (const std::string& name : names) {
        const auto known = command_names(*command);
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw UserError(fmt::format("help: unknown command '{}'{}", name, suggestion(name, known)));
        }
        command = command->get_subcommand(name);
    }
    return fitted(command->help());
}

std::vector<CommandShape> command_shapes()
{
    CommandLine line;
    std::vector<CommandShape> shapes;
    for (const CLI::App* command : std::as_const(line.app()).get_subcommands({})) add_shapes(shapes, *command);
    return shapes;
}

std::unique_ptr<Command> parse_command_line(int argc, const char* const* argv)
{
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    // The words that a shell completes may be anything
    if (arguments.size() > 2 && arguments[0] == "completion" && arguments[1] == "words" && arguments[2] == "--") {
        print(fmt::format("{}\n", fmt::join(completions({arguments.begin() + 3, arguments.end()}), "\n")));
        return nullptr;
    }
    CommandLine line;
    CLI::App& app = line.app();
    require_known_command(app, argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        print(fitted(called(app).help()));
        return nullptr;
    } catch (const CLI::CallForVersion&) {
        print(version_text());
        return nullptr;
    } catch (const CLI::ParseError& error) {
        const CLI::App& command = called(app);
        if (&command != &app) {
            // A wrong value explains leftover arguments; leftover arguments do not explain a wrong value
            if (dynamic_cast<const CLI::ValidationError*>(&error) == nullptr) require_nothing_left(command);
            throw UserError(
                fmt::format("{}: {}{}", full_name(command), message_of(error), see_help(full_name(command))));
        }
        throw UserError(fmt::format("{}{}", message_of(error), see_help("")));
    }
    const CLI::App& chosen = *app.get_subcommands().front();
    // The name of a second command ends the first, and all behind it is left to the program
    require_nothing_left(chosen, app.remaining());
    require_nothing_left(chosen);
    for (const auto* action : chosen.get_subcommands()) require_nothing_left(*action);
    std::unique_ptr<Command> command = line.take();
    command->command_line = as_typed(argc, argv);
    return command;
}

}  // namespace ringmesh::lab
