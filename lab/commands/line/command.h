// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/catalog/lists.h"
#include "lab/run/experiment.h"
#include "lab/run/workload_spec.h"
#include "lab/store/options.h"
#include "lab/study/running/shard.h"

/// What each command of the program is: help, options, execution, together in one file of this folder.
namespace ringmesh::lab {

/// The options and arguments of a command, or of one of its actions, in the order of the help. Each writes into a field
/// of its command; fields must outlive the list.
class OptionList {
public:
    enum class Kind : std::uint8_t {
        kFlag,
        kText,       ///< one value
        kRepeated,   ///< may be given several times, with one value each
        kArgument,   ///< a word without an option
        kArguments,  ///< any number of them
    };
    struct Option {
        std::string names;    ///< "--json", "-o,--output"; of an argument "PLATFORM"
        std::string value;    ///< what help calls the value: "FILE"; empty for flags and arguments
        std::string meaning;  ///< one sentence without full stop
        Kind kind;
        /// Gets what was typed, if anything was: one text, or all of them. @throws UserError without command and option
        std::function<void(const std::vector<std::string>&)> take;
        std::vector<std::string> choices = {};  ///< of an argument that is one of a few words
        std::string need = {};                  ///< what is said if it is not given; empty: it may be left out

        bool is_argument() const { return kind == Kind::kArgument || kind == Kind::kArguments; }
        /// "--output" of "-o,--output"
        std::string long_name() const { return names.substr(names.find(',') + 1); }
        bool is_called(std::string_view name) const
        {
            return !is_argument() && (name == long_name() || name == names.substr(0, names.find(',')));
        }
    };
    struct Action;

    void add(Option option) { options_.push_back(std::move(option)); }
    void flag(std::string names, bool& value, std::string meaning);
    void text(std::string names, std::string& value, std::string meaning, std::string value_name);
    /// @param parse gives the value of the text. @throws UserError what is wrong with the text, and a cure
    template <class Value, class Parse>
    void parsed(std::string names, Value& value, Parse parse, std::string meaning, std::string value_name)
    {
        add_parsed(
            std::move(names), [&value, parse](const std::string& text) { value = Value(parse(text)); },
            std::move(meaning), std::move(value_name));
    }
    /// A whole number from 1 to 100,000.
    template <class Count>
    void count(const std::string& names, Count& value, std::string meaning)
    {
        parsed(
            names, value, [names](const std::string& text) { return parse_count(text, names); }, std::move(meaning),
            "N");
    }
    void repeated(std::string names, std::vector<std::string>& values, std::string meaning, std::string value_name);
    void argument(std::string name, std::string& value, std::string meaning, std::vector<std::string> choices = {});
    void arguments(std::string name, std::vector<std::string>& values, std::string meaning);
    /// The last one must be given. @param message "no platform; write ..."
    void need(std::string message) { options_.back().need = std::move(message); }
    /// "run" of `study run`, which has options of its own; its name is written to `chosen`.
    OptionList& action(std::string name, std::string meaning, std::string& chosen);

    const std::vector<Option>& options() const { return options_; }
    std::list<Action>& actions() { return actions_; }

private:
    void add_parsed(std::string names, std::function<void(const std::string&)> take, std::string meaning,
                    std::string value_name);
    static unsigned parse_count(const std::string& text, const std::string& option);

    std::vector<Option> options_;
    std::list<Action> actions_;
};

struct OptionList::Action {
    std::string name;
    std::string meaning;
    std::string* chosen;
    OptionList list = {};
};

struct CommandHelp {
    std::string_view name;
    std::string_view meaning;        ///< one line
    std::string_view arguments;      ///< behind "ringmesh" in the usage line
    std::string_view examples;       ///< below the options
    std::string_view status_1 = {};  ///< "there is a circle": when the exit status is 1; empty: never
};

/// A command of the program. A new one is a class in a file of this folder, and a row in all_commands().
class Command {
public:
    Command() = default;
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;
    virtual ~Command() = default;

    virtual const CommandHelp& help() const = 0;
    /// What stands below the options in the help; more than the examples where it must be looked up.
    virtual std::string examples() const { return std::string(help().examples); }
    virtual void describe(OptionList& list) = 0;
    /// Whether all words are arguments, and no options, from the first on that is no option of the command.
    virtual bool passes_words_on() const { return false; }
    /// Checks the options together, then does it.
    /// @return the exit status @throws UserError for options that are missing, wrong or do not go together
    virtual int execute() = 0;

    /// The first of these options that was typed; empty if none was.
    std::string first_typed(std::initializer_list<const char*> options) const;

    /// As typed, for reports and records of what was done.
    std::string command_line;
    /// Long names of the options that were typed.
    std::set<std::string> typed;
};

/// @name Of each command, one
/// @{
std::unique_ptr<Command> make_list();
std::unique_ptr<Command> make_run();
std::unique_ptr<Command> make_validate();
std::unique_ptr<Command> make_sensitivity();
std::unique_ptr<Command> make_calibrate();
std::unique_ptr<Command> make_whatif();
std::unique_ptr<Command> make_explain();
std::unique_ptr<Command> make_saturate();
std::unique_ptr<Command> make_sweep();
std::unique_ptr<Command> make_study();
std::unique_ptr<Command> make_store();
std::unique_ptr<Command> make_compare();
std::unique_ptr<Command> make_report();
std::unique_ptr<Command> make_reproduce();
std::unique_ptr<Command> make_check();
std::unique_ptr<Command> make_new();
std::unique_ptr<Command> make_compile_c();
std::unique_ptr<Command> make_compile_cxx();
std::unique_ptr<Command> make_compile_fortran();
std::unique_ptr<Command> make_mpiexec();
std::unique_ptr<Command> make_help();
std::unique_ptr<Command> make_version();
std::unique_ptr<Command> make_completion();
/// @}
/// All of them, in the order of the help.
std::vector<std::unique_ptr<Command>> all_commands();

/// "; see 'ringmesh run --help'", the end of a message about a mistake. The program's own help for an empty name.
std::string see_help(std::string_view command);

// Options that several commands have.

/// PLATFORM, --overlay, --set, --fault, --memory.
void add_machine(OptionList& list, ExperimentRequest& request,
                 std::string platform_meaning = "Name of a platform, or a TOML file");
void add_seed(OptionList& list, std::uint64_t& seed,
              std::string meaning = "Seed of the random numbers; 1 if not given");

/// What runs on the machine, asked for in one of two ways.
struct AskedWorkload {
    std::string workload;  ///< with its options
    ProgramOfRun program;
    std::string map;  ///< the workload's option of this name
    std::vector<std::string> backgrounds;

    bool is_given() const { return !workload.empty() || !program.file.empty(); }
    /// The workload with all options; empty if none is given. @param command for messages @throws UserError
    std::string text(std::string_view command) const;
    /// @throws UserError as "sweep: no workload; write ..."
    void require_given(std::string_view command) const;
};
/// --workload, --program and what it takes, --map, --background. @pre PLATFORM is on the list
void add_workload(OptionList& list, AskedWorkload& asked, std::string meaning = "Workload to run, with its options");
/// --ranks, --stack, --compute, --algorithm.
void add_program(OptionList& list, ProgramOfRun& program, std::string ranks, std::string names = "--ranks");
/// --store: where points lie.
void add_folder(OptionList& list, std::string& folder);
void add_jobs(OptionList& list, unsigned& jobs);
/// --store, --jobs, --fresh, --retry: where points lie and how they are run.
void add_store(OptionList& list, StoreOptions& store);
void add_retry(OptionList& list, StoreOptions& store);
void add_shard(OptionList& list, std::optional<Shard>& shard, std::string meaning = "Only share I of N of the points");
void add_report(OptionList& list, std::string& file, std::string names = "--report",
                std::string meaning = "Write a report that a browser shows: charts, machine, tables");

/// --markdown, --json, --csv.
struct FormatOptions {
    bool markdown = false;
    bool json = false;
    bool csv = false;
    /// @throws UserError for two
    Format chosen(std::string_view command) const;
};
void add_format(OptionList& list, FormatOptions& format);

/// @throws UserError unless it is a time above zero
std::chrono::duration<double> parse_limit(const std::string& text);

/// @param outputs options and their files @throws UserError if more than one goes to standard output
void require_one_standard_output(std::initializer_list<std::pair<const char*, const std::string&>> outputs);

}  // namespace ringmesh::lab
