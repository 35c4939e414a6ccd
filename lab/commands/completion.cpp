// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "lab/commands/shapes.h"
#include "lab/run/experiment.h"
#include "lab/run/suitable_platforms.h"
#include "lab/study/catalog.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/names.h"
#include "workloads/library.h"
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

Words values_of_option(const std::string& option, const std::string& word, const std::string& platform)
{
    if (option == "--workload") return with_options(word, workload_names(), &options_of_workload);
    if (option == "--library") return with_options(word, library_names(), &options_of_library);
    if (option == "--overlay") return names_in(platforms::list_overlays(), &platforms::CatalogEntry::name);
    if (option == "--set" || option == "--axis") {
        return word.find('=') == std::string::npos ? parameter_keys(platform) : Words{};
    }
    return {};
}

Words values_of_argument(const std::string& argument, const Words& before)
{
    if (argument == "PLATFORM") return platform_names();
    if (argument == "STUDY") return list_studies();
    if (argument == "SHELL") return {"bash", "zsh", "fish"};
    if (argument == "WHAT")
        return {"platforms", "overlays",  "workloads", "libraries", "parameters", "policies",
                "studies",   "functions", "signals",   "routes",    "faults"};
    if (argument == "COMMAND") {
        Words names;
        for (const CommandShape& command : command_shapes()) {
            if (command.name.find(' ') == std::string::npos) names.push_back(command.name);
        }
        return names;
    }
    if (argument != "NAME" || before.empty()) return {};
    if (before.front() == "workloads") return workload_names();
    if (before.front() == "libraries") return library_names();
    if (before.front() == "parameters" || before.front() == "signals" || before.front() == "routes" ||
        before.front() == "faults")
        return platform_names();
    return {};
}

/// What is on the command line before the last word: its command, and the arguments of it that are no options.
struct Line {
    const CommandShape* command = nullptr;
    Words arguments;
    std::string option;  ///< whose value the last word is; empty: none
};

Line read_line(const std::vector<CommandShape>& shapes, const Words& words)
{
    Line line;
    const auto find = [&shapes](const std::string& name) -> const CommandShape* {
        const auto found =
            std::find_if(shapes.begin(), shapes.end(), [&](const auto& each) { return each.name == name; });
        return found == shapes.end() ? nullptr : &*found;
    };
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::string& word = words[i];
        if (i == 0) {
            line.command = find(word);
        } else if (line.command == nullptr) {
            break;
        } else if (const CommandShape* action = i == 1 ? find(words[0] + ' ' + word) : nullptr) {
            line.command = action;
        } else if (word.starts_with("--")) {
            const auto& options = line.command->options;
            const auto option =
                std::find_if(options.begin(), options.end(), [&](const auto& each) { return each.name == word; });
            if (option == options.end() || option->value.empty()) continue;
            if (i + 2 == words.size()) line.option = word;
            ++i;  // its value
        } else {
            line.arguments.push_back(word);
        }
    }
    return line;
}

Words candidates_for(const Words& words)
{
    const auto shapes = command_shapes();
    const Line line = read_line(shapes, words);
    const std::string& last = words.back();
    Words candidates;
    if (words.size() == 1 || (words.size() == 2 && line.command != nullptr)) {
        const std::string before = words.size() == 1 ? "" : words[0] + ' ';
        for (const CommandShape& each : shapes) {
            const std::string rest = each.name.starts_with(before) ? each.name.substr(before.size()) : "";
            if (!rest.empty() && rest.find(' ') == std::string::npos) candidates.push_back(rest);
        }
    }
    if (line.command == nullptr) return candidates;
    const std::string platform =
        !line.arguments.empty() && !line.command->arguments.empty() && line.command->arguments[0].name == "PLATFORM"
            ? line.arguments[0]
            : "";
    if (!line.option.empty()) return values_of_option(line.option, last, platform);
    if (last.starts_with('-')) return names_in(line.command->options, &OptionShape::name);
    if (line.arguments.size() < line.command->arguments.size()) {
        const auto values = values_of_argument(line.command->arguments[line.arguments.size()].name, line.arguments);
        candidates.insert(candidates.end(), values.begin(), values.end());
    }
    return candidates;
}

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

std::string completion_script(const std::string& shell)
{
    if (shell == "bash") return std::string(kBash);
    if (shell == "zsh") return std::string(kZsh);
    if (shell == "fish") return std::string(kFish);
    throw UserError(fmt::format("completion: no shell '{}'; write bash, zsh or fish", shell));
}

}  // namespace ringmesh::lab
