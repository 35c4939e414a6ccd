// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

// CLI11 adds seconds to the compilation of a file: only this one includes it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>
#include <sstream>
#include <utility>

#include "lab/commands/line/shapes.h"
#include "lab/process/outside.h"
#include "lab/process/standard_streams.h"
#include "lab/table/writers/text_table.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

/// From words to a command.
namespace ringmesh::lab {
namespace {

using Option = OptionList::Option;
using Kind = OptionList::Kind;

constexpr std::string_view kProgramMeaning =
    "Simulates four parallel machines from the literature: SCI rings and tori of Wulfkit cards, the DECK/SCI "
    "cluster, the SCC chip, the NCUBE/seven hypercube.";
constexpr std::string_view kProgramExamples = R"(Examples:
  ringmesh list platforms
  ringmesh run wulfkit-ring --workload ping-pong
  ringmesh explain wulfkit-ring --from 0 --to 2
  ringmesh validate wulfkit
  ringmesh run scc --workload memory-probe:target=mpb
  ringmesh run --help
)";

Option flag_of_program(const char* names, const char* meaning, void (*take)() = nullptr)
{
    return {names, "", meaning, Kind::kFlag, [take](const auto&) {
                if (take != nullptr) take();
            }};
}

std::vector<Option> with_help(const OptionList& list)
{
    std::vector<Option> all{flag_of_program("-h,--help", "Show this help")};
    all.insert(all.end(), list.options().begin(), list.options().end());
    all.push_back(flag_of_program("--no-pager", "Print also what is longer than the terminal at once", &never_page));
    // Of all that simulate
    if (std::any_of(all.begin(), all.end(), [](const Option& one) {
            return one.is_called("--store") || one.is_called("--jobs") || one.is_called("--set");
        })) {
        all.push_back(flag_of_program("--verbose", "Show the whole reason of a failed run, not only 12 lines",
                                      &say_failures_whole));
    }
    return all;
}

/// "study query STUDY SQL [OPTIONS]"
std::string usage_of_action(const std::string& name, const OptionList& list)
{
    std::string usage = name;
    for (const Option& option : list.options()) {
        if (!option.is_argument()) continue;
        usage += option.kind == Kind::kArguments ? fmt::format(" [{}...]", option.names) : ' ' + option.names;
    }
    return usage + " [OPTIONS]";
}

/// A line that is wider than this, broken; a command so that a shell still reads it as one, above what is said of it.
std::string fitted(const std::string& line, std::size_t width)
{
    if (display_width(line) <= width) return line;
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const std::string words = line.substr(blanks);
    const bool is_command = words.starts_with("ringmesh ");
    if (const std::size_t gap = words.find("  "); is_command && gap != std::string::npos) {
        const std::string indent(blanks + 4, ' ');
        return fitted(line.substr(0, blanks + gap), width) + '\n' +
               fitted(indent + words.substr(words.find_first_not_of(' ', gap)), width);
    }
    std::string broken = wrapped(words, blanks + (is_command ? 4 : 0), width - (is_command ? 2 : 0));
    for (std::size_t at = 0; is_command && (at = broken.find('\n', at)) != std::string::npos; at += 3) {
        broken.insert(at, " \\");
    }
    return std::string(blanks, ' ') + broken;
}

/// In two columns, within the terminal.
void add_section(std::string& text, std::string_view heading,
                 const std::vector<std::pair<std::string, std::string>>& lines)
{
    constexpr std::size_t kIndent = 30;
    if (lines.empty()) return;
    text += fmt::format("\n{}:\n", heading);
    for (const auto& [name, meaning] : lines) {
        const std::string gap = name.size() + 2 < kIndent ? "" : '\n' + std::string(kIndent, ' ');
        text += fmt::format("  {:{}}{}{}\n", name, kIndent - 2, gap, wrapped(meaning, kIndent, output_room().prose()));
    }
}

std::string help_of(const CommandShapes& shapes, const CommandShape& shape)
{
    std::vector<std::pair<std::string, std::string>> arguments;
    std::vector<std::pair<std::string, std::string>> options;
    for (const Option& option : shape.options) {
        const bool repeats = option.kind == Kind::kRepeated || option.kind == Kind::kArguments;
        (option.is_argument() ? arguments : options)
            .emplace_back(fmt::format("{}{}{}{}", option.names, option.value.empty() ? "" : " ", option.value,
                                      repeats ? " ..." : ""),
                          option.meaning);
    }
    std::vector<std::pair<std::string, std::string>> below;
    for (const std::string& name : shapes.below(shape.name)) {
        below.emplace_back(name, shapes.find(shape.name.empty() ? name : shape.name + ' ' + name)->meaning);
    }
    const std::size_t width = output_room().prose();
    const auto add_lines = [width](std::string& text, const std::string& more) {
        std::istringstream lines(more);
        std::string paragraph;  // of lines that do not begin with a blank
        for (std::string line; std::getline(lines, line);) {
            const bool goes_on = !line.empty() && line.front() != ' ';
            if (goes_on) paragraph += (paragraph.empty() ? "" : " ") + line;
            if (goes_on && !line.ends_with(':')) continue;
            if (!paragraph.empty()) text += fitted(std::exchange(paragraph, {}), width) + '\n';
            for (std::string next; line.ends_with(" \\") && std::getline(lines, next);) {
                line.replace(line.size() - 1, 1, next.substr(next.find_first_not_of(' ')));
            }
            if (!goes_on) text += fitted(line, width) + '\n';
        }
        if (!paragraph.empty()) text += fitted(paragraph, width) + '\n';
    };
    std::string text;
    add_lines(text, shape.meaning);
    std::istringstream usages(shape.usage);
    for (std::string usage, begin = "Usage:"; std::getline(usages, usage); begin.assign(begin.size(), ' ')) {
        add_lines(text, fmt::format("{} ringmesh {}", begin, usage));
    }
    add_section(text, "Arguments", arguments);
    add_section(text, "Options", options);
    add_section(text, shape.command == nullptr ? "Commands" : "Actions", below);
    add_lines(text, '\n' + shape.examples());
    add_lines(text, '\n' + exit_statuses(shape.command));
    return text;
}

[[noreturn]] void refuse(const CommandShape& shape, const std::string& what)
{
    throw UserError(fmt::format("{}{}{}{}", shape.name, shape.name.empty() ? "" : ": ", what, see_help(shape.name)));
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

/// What CLI11 found wrong, in words of ours where its own are hard to read.
std::string message_of(const CLI::ParseError& error)
{
    std::string text = error.what();
    const std::string option = text.substr(0, text.find(':'));
    if (text.find("At Most 1 required") != std::string::npos) return option + " is given twice; keep one";
    if (text.find("1 required") != std::string::npos && text.find("missing") != std::string::npos) {
        return option + " has no value; write one behind it";
    }
    if (const auto at = text.find(" was given a disallowed flag override"); at != std::string::npos) {
        return "--" + text.substr(0, at) + " takes no value; leave it out";
    }
    return text;
}

void require_nothing_left(const CommandShape& shape, const std::vector<std::string>& rest)
{
    for (const std::string& word : rest) {
        if (word.size() < 2 || word.front() != '-' || word == "--") continue;
        std::vector<std::string> known;
        for (const Option& option : shape.options) {
            if (!option.is_argument()) known.push_back(option.long_name());
        }
        const std::string name = word.substr(0, word.find('='));  // "--sed=3" is about "--sed"
        throw UserError(fmt::format("{}: unknown option '{}'{}", shape.name, name, suggestion(name, known)));
    }
    const auto extra = std::find_if(rest.begin(), rest.end(), [](const auto& word) { return word != "--"; });
    if (extra != rest.end()) refuse(shape, fmt::format("unexpected argument '{}'", *extra));
}

/// What was typed for each option of the command. @throws UserError for what does not fit
std::vector<std::vector<std::string>> typed_options(const CommandShape& shape, std::span<const std::string> words)
{
    for (const std::string& word : words) {
        if (word == "--") break;
        // CLI11 would take the next word for the value
        if (word.size() > 2 && word.front() == '-' && word.find('=') == word.size() - 1) {
            refuse(shape, word.substr(0, word.size() - 1) + " has no value; write one behind it");
        }
    }
    const std::size_t count = shape.options.size();
    std::vector<std::vector<std::string>> typed(count);
    std::vector<std::string> one(count);
    std::vector<CLI::Option*> read(count);
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();  // they are rejected with the nearest known name
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& names = shape.options[i].names;
        switch (shape.options[i].kind) {
            case Kind::kFlag: read[i] = app.add_flag(names)->disable_flag_override(); break;
            case Kind::kText: read[i] = app.add_option(names, one[i])->check(&problem_of_value); break;
            case Kind::kRepeated:
                read[i] = app.add_option(names, typed[i])
                              ->allow_extra_args(false)
                              ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
                break;
            case Kind::kArgument: read[i] = app.add_option(names, one[i])->check(&problem_of_word); break;
            case Kind::kArguments: read[i] = app.add_option(names, typed[i]); break;
        }
    }
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ParseError& error) {
        // A wrong value explains leftover arguments; leftover arguments do not explain a wrong value
        if (dynamic_cast<const CLI::ValidationError*>(&error) == nullptr) require_nothing_left(shape, app.remaining());
        refuse(shape, message_of(error));
    }
    require_nothing_left(shape, app.remaining());
    for (std::size_t i = 0; i < count; ++i) {
        if (read[i]->count() != 0 && typed[i].empty()) typed[i] = {one[i]};
    }
    return typed;
}

/// With "--" before what the command passes on.
std::vector<std::string> with_end_of_options(const CommandShape& shape, std::span<const std::string> words)
{
    std::vector<std::string> all;
    std::size_t i = 0;
    for (; i < words.size(); ++i) {
        const std::string word = words[i] == "-np" ? "-n" : words[i];  // as mpiexec is told
        const auto option = std::find_if(shape.options.begin(), shape.options.end(), [&word](const Option& each) {
            return each.is_called(word.substr(0, word.find('=')));
        });
        if (option == shape.options.end()) break;
        all.push_back(word);
        const bool takes_next = option->kind != Kind::kFlag && word.find('=') == std::string::npos;
        if (takes_next && i + 1 < words.size()) all.push_back(words[++i]);
    }
    if (i < words.size() && words[i] == "--") ++i;
    if (i < words.size()) all.emplace_back("--");
    all.insert(all.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
    return all;
}

bool asks_for_help(const std::string& word) { return word == "-h" || word == "--help"; }

}  // namespace

std::vector<const OptionList::Option*> CommandShape::arguments() const
{
    std::vector<const Option*> found;
    for (const Option& option : options) {
        if (option.is_argument()) found.push_back(&option);
    }
    return found;
}

std::string CommandShape::examples() const
{
    if (command == nullptr) return std::string(kProgramExamples);
    if (chosen == nullptr) return command->examples();
    // Those of the action, and what stands below all of them
    const std::string_view all = command->help().examples;
    const std::string prefix = fmt::format("  ringmesh {} ", name);
    std::string text = "Examples:\n";
    for (std::string_view rest = all; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n') + 1);
        if (line.starts_with(prefix)) text += line;
        rest.remove_prefix(line.size());
    }
    return text.append(all.substr(all.find("\n\n") + 1));
}

std::string exit_statuses(const Command* command)
{
    const std::string_view no = command == nullptr
                                    ? "the answer is no (a row is out of its tolerance, a point failed, a "
                                      "circle was found), or a fault ended a run"
                                    : command->help().status_1;
    return fmt::format(
        "The exit status is 0 for success, {}2 for bad input, or if ranks of a program wait for each other, 3 if the "
        "simulated machine makes no progress (deadlock, livelock) or an invariant of the model is violated, 130 for "
        "Ctrl-C, 143 for SIGTERM.",
        no.empty() ? "" : fmt::format("1 if {}, ", no));
}

CommandShapes::CommandShapes()
{
    all.push_back({.meaning = std::string(kProgramMeaning),
                   .usage = "COMMAND [ARGUMENTS]",
                   .options = {flag_of_program("-h,--help", "Show this help")}});
    all.back().options.push_back(flag_of_program("--version", "Show the version"));
    for (const auto& command : commands) {
        const CommandHelp& help = command->help();
        const std::string name(help.name);
        OptionList list;
        command->describe(list);
        all.push_back({command.get(), name, std::string(help.meaning), std::string(help.arguments), with_help(list)});
        for (const OptionList::Action& action : list.actions()) {
            const std::string full_name = name + ' ' + action.name;
            all.push_back({command.get(), full_name, action.meaning, usage_of_action(full_name, action.list),
                           with_help(action.list), action.chosen});
        }
    }
}

const CommandShape* CommandShapes::find(std::string_view name) const
{
    const auto found = std::find_if(all.begin(), all.end(), [name](const auto& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> CommandShapes::below(std::string_view name) const
{
    const std::string before = name.empty() ? "" : std::string(name) + ' ';
    std::vector<std::string> names;
    for (const CommandShape& shape : all) {
        const std::string rest = shape.name.starts_with(before) ? shape.name.substr(before.size()) : "";
        if (!rest.empty() && rest.find(' ') == std::string::npos) names.push_back(rest);
    }
    return names;
}

std::string help_text(const std::vector<std::string>& names)
{
    const CommandShapes shapes;
    std::string name;
    for (const std::string& each : names) {
        const auto known = shapes.below(name);
        if (std::find(known.begin(), known.end(), each) == known.end()) {
            throw UserError(fmt::format("help: unknown command '{}'{}", each, suggestion(each, known)));
        }
        name += (name.empty() ? "" : " ") + each;
    }
    return help_of(shapes, *shapes.find(name));
}

std::unique_ptr<Command> parse_command_line(int argc, const char* const* argv)
{
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    // The words that a shell completes may be anything
    if (words.size() > 2 && words[0] == "completion" && words[1] == "words" && words[2] == "--") {
        print(fmt::format("{}\n", fmt::join(completions({words.begin() + 3, words.end()}), "\n")));
        return nullptr;
    }
    CommandShapes shapes;
    const std::string first = words.empty() ? "" : words[0];
    const auto names = shapes.below("");
    if (first.empty()) refuse(shapes.all[0], fmt::format("no command; write one of: {}", fmt::join(names, ", ")));
    if (asks_for_help(first) || first == "--version") {
        print(first == "--version" ? version_text() : help_of(shapes, shapes.all[0]));
        return nullptr;
    }
    const CommandShape* shape = shapes.find(first);
    if (shape == nullptr) {
        const bool option = first.front() == '-';
        throw UserError(fmt::format(
            "unknown {} '{}'{}", option ? "option" : "command", option ? first.substr(0, first.find('=')) : first,
            suggestion(first, option ? std::vector<std::string>{"--help", "--version"} : names)));
    }
    std::span<const std::string> rest(words.begin() + 1, words.end());
    const auto actions = shapes.below(first);
    if (!actions.empty() && !rest.empty() && !rest[0].empty() && rest[0].front() != '-') {
        const CommandShape* action = shapes.find(first + ' ' + rest[0]);
        if (action == nullptr) {
            refuse(*shape, fmt::format("unknown action '{}'; write one of: {}", rest[0], fmt::join(actions, ", ")));
        }
        *action->chosen = rest[0];
        shape = action;
        rest = rest.subspan(1);
    }
    std::vector<std::string> ended;
    if (shape->command->passes_words_on()) {
        ended = with_end_of_options(*shape, rest);
        rest = ended;
    }
    if (std::any_of(rest.begin(), std::find(rest.begin(), rest.end(), "--"), &asks_for_help)) {
        print(help_of(shapes, *shape));
        return nullptr;
    }
    const auto typed = typed_options(*shape, rest);
    if (!actions.empty() && shape->chosen == nullptr) {
        refuse(*shape, fmt::format("no action; write one of: {}", fmt::join(actions, ", ")));
    }
    for (const bool argument : {true, false}) {
        for (std::size_t i = 0; i < typed.size(); ++i) {
            const Option& option = shape->options[i];
            if (option.is_argument() == argument && typed[i].empty() && !option.need.empty()) {
                refuse(*shape, option.need);
            }
        }
    }
    const auto called = std::find_if(shapes.commands.begin(), shapes.commands.end(),
                                     [shape](const auto& each) { return each.get() == shape->command; });
    for (std::size_t i = 0; i < typed.size(); ++i) {
        if (typed[i].empty()) continue;
        (*called)->typed.insert(shape->options[i].long_name());
        try {
            shape->options[i].take(typed[i]);
        } catch (const UserError& error) {
            throw UserError(fmt::format("{}: {}", shape->name, error.what()));
        }
    }
    (*called)->command_line = "ringmesh " + shell_line(words);
    return std::move(*called);
}

}  // namespace ringmesh::lab
