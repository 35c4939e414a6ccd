// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "lab/commands/line/shapes.h"
#include "lab/process/standard_streams.h"
#include "lab/run/experiment.h"
#include "lab/run/suitable_platforms.h"
#include "lab/study/description/catalog.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"
#include "workloads/libraries/library.h"
#include "workloads/workload.h"

namespace ringmesh::lab {
namespace {

using Words = std::vector<std::string>;

template <class Entries, class Name>
Words names_in(const Entries& entries, const Name& name)
{
    Words names;
    for (const auto& entry : entries) names.emplace_back(std::invoke(name, entry));
    return names;
}

Words platform_names() { return names_in(platforms::list_platforms(), &platforms::CatalogEntry::name); }
Words workload_names() { return names_in(workloads::catalog(), &workloads::WorkloadInfo::name); }
Words library_names() { return names_in(workloads::libraries(), &workloads::LibraryInfo::name); }

/// Keys of the parameters of a platform; without one, of all shipped ones.
Words parameter_keys(const std::string& platform)
{
    Words keys;
    for (const std::string& name : platform.empty() ? platform_names() : Words{platform}) {
        ExperimentRequest request;
        request.platform = name;
        for (const ParameterRow& row : checked_parameters(configuration_of(request))) keys.push_back(row.key + '=');
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

/// "ping-pong:sizes=": behind a name and ':' the options that are not given yet.
Words with_options(const std::string& word, const Words& names, const std::function<Words(const std::string&)>& options)
{
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos) return names;
    const std::size_t begin = word.find_last_of(":,") + 1;
    if (word.find('=', begin) != std::string::npos) return {};
    Words candidates;
    for (const std::string& option : options(word.substr(0, colon))) {
        const std::string given = option + '=';
        if (word.find(':' + given) == std::string::npos && word.find(',' + given) == std::string::npos) {
            candidates.push_back(word.substr(0, begin) + given);
        }
    }
    return candidates;
}

Words options_of_workload(const std::string& name)
{
    Words options;
    for (const workloads::WorkloadInfo& info : workloads::catalog()) {
        if (info.name != name) continue;
        const auto workload = info.make(info.uses_library() ? libraries_for(info).front() : nullptr);
        const auto keys = names_in(list_parameters_of([&](ParameterVisitor& visitor) { workload->visit(visitor); }),
                                   &ParameterRow::key);
        options.insert(options.end(), keys.begin(), keys.end());
    }
    return options;
}

Words options_of_library(const std::string& name)
{
    const auto library = workloads::find_library(name).make();
    return names_in(list_parameters_of([&](ParameterVisitor& visitor) { library->visit(visitor); }),
                    &ParameterRow::key);
}

Words overlay_names() { return names_in(platforms::list_overlays(), &platforms::CatalogEntry::name); }

Words values_of_option(const std::string& option, const std::string& word, const std::string& platform)
{
    if (option == "--workload") return with_options(word, workload_names(), &options_of_workload);
    if (option == "--background") return with_options(word, {"traffic"}, &options_of_workload);
    if (option == "--library") return with_options(word, library_names(), &options_of_library);
    if (option == "--overlay") return overlay_names();
    if (option == "--set" || option == "--axis") {
        return word.find('=') == std::string::npos ? parameter_keys(platform) : Words{};
    }
    return {};
}

Words values_of_argument(const OptionList::Option& argument, const Words& before)
{
    if (!argument.choices.empty()) return argument.choices;
    if (argument.names == "PLATFORM") return platform_names();
    if (argument.names == "STUDY") return list_studies();
    if (argument.names == "COMMAND") return CommandShapes().below("");
    if (argument.names != "NAME" || before.empty()) return {};
    if (before.front() == "workloads") return workload_names();
    if (before.front() == "libraries") return library_names();
    if (before.front() == "overlays") return overlay_names();
    const bool of_platform = before.front() == "parameters" || before.front() == "signals" ||
                             before.front() == "routes" || before.front() == "faults";
    return of_platform ? platform_names() : Words{};
}

Words candidates_for(const Words& words)
{
    const CommandShapes shapes;
    const std::string& last = words.back();
    if (words.size() == 1) return shapes.below("");
    const CommandShape* command = shapes.find(words[0]);
    if (command == nullptr) return {};
    Words candidates = words.size() == 2 ? shapes.below(words[0]) : Words{};
    Words given;                                  // arguments
    const OptionList::Option* of_last = nullptr;  // the option whose value the last word is
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
        const CommandShape* action = i == 1 ? shapes.find(words[0] + ' ' + words[1]) : nullptr;
        if (action != nullptr) {
            command = action;
            continue;
        }
        if (!words[i].starts_with('-')) {
            given.push_back(words[i]);
            continue;
        }
        const auto option = std::find_if(command->options.begin(), command->options.end(),
                                         [&](const auto& each) { return each.is_called(words[i]); });
        if (option == command->options.end() || option->kind == OptionList::Kind::kFlag) continue;
        if (++i + 1 == words.size()) of_last = &*option;
    }
    const auto arguments = command->arguments();
    if (of_last != nullptr) {
        const bool has_platform = !given.empty() && !arguments.empty() && arguments[0]->names == "PLATFORM";
        return values_of_option(of_last->long_name(), last, has_platform ? given[0] : "");
    }
    if (last.starts_with('-')) {
        for (const auto& option : command->options) {
            if (!option.is_argument()) candidates.push_back(option.long_name());
        }
    } else if (given.size() < arguments.size()) {
        const auto values = values_of_argument(*arguments[given.size()], given);
        candidates.insert(candidates.end(), values.begin(), values.end());
    }
    return candidates;
}

constexpr CommandHelp kCompletion{.name = "completion",
                                  .meaning = "Write what a shell needs to complete commands, options and names by Tab",
                                  .arguments = "completion bash|zsh|fish",
                                  .examples = R"(Examples:
  source <(ringmesh completion bash)      in ~/.bashrc
  source <(ringmesh completion zsh)       in ~/.zshrc, after compinit
  ringmesh completion fish | source       in ~/.config/fish/config.fish
)"};

constexpr std::string_view kBash = R"(# Completion of ringmesh in bash:  source <(ringmesh completion bash)
_ringmesh() {
    local line=${COMP_LINE:0:COMP_POINT} words current
    read -ra words <<<"$line"
    [[ $line == *' ' ]] && words+=("")
    current=${words[-1]}
    mapfile -t COMPREPLY < <("${words[0]}" completion words -- "${words[@]:1}" 2>/dev/null)
    # What stands before the last ':' or '=' is a word of its own to readline
    COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*[:=]}"}"}")
    [[ ${COMPREPLY-} == *[:=,] ]] && compopt -o nospace
    return 0
}
complete -o default -F _ringmesh ringmesh
)";

constexpr std::string_view kZsh = R"(#compdef ringmesh
# Completion of ringmesh in zsh:  source <(ringmesh completion zsh), after compinit; or this as the file _ringmesh
# in a folder of $fpath
_ringmesh() {
    local -a all
    all=("${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    all=(${all:#})
    (( $#all )) || { _files; return }
    compadd -S '' -- ${(M)all:#*[:=,]}
    compadd -- ${all:#*[:=,]}
}
# Loaded from $fpath, this file is the function itself, at its first call
if [[ ${funcstack[1]-} == _ringmesh ]]; then _ringmesh "$@"; else compdef _ringmesh ringmesh; fi
)";

constexpr std::string_view kFish =
    R"(# Completion of ringmesh in fish:  ringmesh completion fish | source; or this as the file ringmesh.fish in
# ~/.config/fish/completions
function __ringmesh_has_words
    set -l words (commandline -opc) (commandline -ct)
    set -g __ringmesh_words (command $words[1] completion words -- $words[2..-1] 2>/dev/null | string match -v '')
    count $__ringmesh_words >/dev/null
end
complete -c ringmesh -n __ringmesh_has_words -f -a '$__ringmesh_words'
)";

constexpr NameTable<std::string_view, 3> kScripts{{{{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}}}};

class CompletionCommand final : public Command {
public:
    const CommandHelp& help() const override { return kCompletion; }
    void describe(OptionList& list) override
    {
        list.argument("SHELL", shell_, "bash, zsh or fish", kScripts.names());
        list.need("no shell; write completion bash, completion zsh or completion fish");
    }
    int execute() override
    {
        const std::string_view* script = kScripts.find(shell_);
        if (script == nullptr) {
            throw UserError(fmt::format("completion: no shell '{}'; write bash, zsh or fish", shell_));
        }
        print(*script);
        return 0;
    }

private:
    std::string shell_;
};

}  // namespace

std::vector<std::string> completions(const std::vector<std::string>& words)
{
    if (words.empty()) return {};
    Words candidates;
    try {
        candidates = candidates_for(words);
    } catch (const UserError&) {
        return {};  // a platform, workload or library that there is not
    }
    std::erase_if(candidates, [&words](const std::string& each) { return !each.starts_with(words.back()); });
    return candidates;
}

std::unique_ptr<Command> make_completion() { return std::make_unique<CompletionCommand>(); }

}  // namespace ringmesh::lab
