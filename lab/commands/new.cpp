// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lab/commands/line/command.h"
#include "lab/process/standard_streams.h"
#include "lab/table/writers/plain_text.h"
#include "platforms/files/data_folder.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kNew{.name = "new",
                           .meaning = "Write a working skeleton of a program, study, pattern, ... of your own",
                           .arguments = "new KIND NAME",
                           .examples = R"(Examples:
  ringmesh new program token-ring       software over any message passing library: a CMake project with its test
  ringmesh new mpi-program hello        an MPI program: a CMake project with its test
  ringmesh new pattern half-way         destinations of packets, for the workload traffic
  ringmesh new arbiter youngest-first   the choice of the packet that a router of a mesh serves next
  ringmesh new card memory-channel      a network card for PCs, and a machine of such PCs
  ringmesh new block repeater           a hardware block in the cables of SCI machines, with a bench and waveforms
  ringmesh new machine slower-ring      a platform file of your own, and a study of it
  ringmesh new study ring-latency       a study: runs, tables and published numbers to compare with; no code

The command makes a folder NAME with a README. Code in it builds against an installed Ringmesh (docs/reference/api.md).
)"};

class NewCommand final : public Command {
public:
    const CommandHelp& help() const override { return kNew; }
    void describe(OptionList& list) override
    {
        list.argument("KIND", kind_, "program, mpi-program, pattern, arbiter, card, block, machine or study");
        list.need("no kind; write new program token-ring");
        list.argument("NAME", name_, "Name of the new folder: small letters, digits, single hyphens");
        list.need("no name for the new folder; write new KIND NAME, such as new program token-ring");
    }
    int execute() override;

private:
    std::string kind_;  ///< a folder of skeletons/
    std::string name_;  ///< of the folder that is made
};

namespace files = std::filesystem;

/// Behind the name of a file that is none of its kind before names are filled in.
constexpr std::string_view kSkeleton = ".in";

/// Names of folders in skeletons/, sorted.
std::vector<std::string> kinds_in(const files::path& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (files::directory_iterator entry(folder, error); !error && entry != files::directory_iterator();
         entry.increment(error)) {
        if (entry->is_directory(error)) names.push_back(entry->path().filename().string());
    }
    if (error) {
        throw UserError(fmt::format("new: {}: {}; set RINGMESH_DATA to the folder that has skeletons/", folder.string(),
                                    error.message()));
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Words of small letters and digits between hyphens: "token-ring".
bool is_name(const std::string& name)
{
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto is_allowed = [&](char c) { return is_letter(c) || c == '-' || (c >= '0' && c <= '9'); };
    return !name.empty() && is_letter(name.front()) && name.back() != '-' && name.find("--") == std::string::npos &&
           std::all_of(name.begin(), name.end(), is_allowed);
}

/// What neither C++ nor CMake lets anyone name so, and what has that name already.
bool is_taken(const std::string& name)
{
    constexpr std::string_view kTaken[] = {
        // C++, of words that a name may be
        "alignas", "alignof", "and", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
        "class", "compl", "concept", "const", "consteval", "constexpr", "constinit", "continue", "decltype", "default",
        "delete", "do", "double", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend",
        "goto", "if", "inline", "int", "long", "main", "mutable", "namespace", "new", "noexcept", "not", "nullptr",
        "operator", "or", "private", "protected", "public", "register", "requires", "return", "short", "signed",
        "sizeof", "static", "std", "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typeid",
        "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "while", "xor",
        // CMake's targets, and ours
        "all", "clean", "depend", "help", "install", "package", "ringmesh", "test"};
    return std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken);
}

/// @name@, @snake@ and @Pascal@ of a skeleton's files and their names: token-ring, token_ring, TokenRing.
std::string filled(std::string text, const std::string& name)
{
    std::string pascal;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool begins = i == 0 || name[i - 1] == '-';
        if (name[i] != '-')
            pascal += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(name[i]))) : name[i];
    }
    boost::replace_all(text, "@name@", name);
    boost::replace_all(text, "@snake@", boost::replace_all_copy(name, "-", "_"));
    boost::replace_all(text, "@Pascal@", pascal);
    return text;
}

void write_file(const files::path& path, const std::string& text)
{
    files::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw files::filesystem_error("cannot be written", path, std::make_error_code(std::errc::io_error));
}

}  // namespace

int NewCommand::execute()
{
    const files::path skeletons = platforms::data_folder() / "skeletons";
    const auto kinds = kinds_in(skeletons);
    if (std::find(kinds.begin(), kinds.end(), kind_) == kinds.end()) {
        throw UserError(fmt::format("new: there is no skeleton of a '{}'{}", kind_, suggestion(kind_, kinds)));
    }
    if (!is_name(name_)) {
        throw UserError(
            fmt::format("new: '{}': no name for files and types; write small letters, digits and single hyphens, such "
                        "as token-ring",
                        name_));
    }
    if (is_taken(name_)) {
        throw UserError(
            fmt::format("new: '{}': a word of C++, CMake or Ringmesh; write another, such as my-{}", name_, name_));
    }
    const files::path folder = name_;
    std::error_code error;
    if (files::exists(files::symlink_status(folder, error))) {
        throw UserError(fmt::format(
            "new: {}: is there already, and nothing is replaced; give another name, or remove it", folder.string()));
    }
    // All of it or nothing
    const files::path partial = fmt::format(".{}.partial-{}", name_, ::getpid());
    std::vector<std::string> written;
    try {
        const files::path from = skeletons / kind_;
        for (const auto& entry : files::recursive_directory_iterator(from)) {
            if (!entry.is_regular_file()) continue;
            std::string file = filled(files::relative(entry.path(), from).string(), name_);
            if (file.ends_with(kSkeleton)) file.resize(file.size() - kSkeleton.size());
            write_file(partial / file, filled(platforms::read_text(entry.path()), name_));
            written.push_back(file);
        }
        files::rename(partial, folder);
    } catch (const files::filesystem_error& problem) {
        files::remove_all(partial, error);
        throw UserError(
            fmt::format("new: {}: {}; make the folder writable", problem.path1().string(), problem.code().message()));
    }
    std::sort(written.begin(), written.end());
    std::string text;
    for (const std::string& file : written) text += fmt::format("{}\n", (folder / file).string());
    print(text);
    say(fmt::format("{}/README.md says how to build, run and change it", name_));
    return 0;
}

std::unique_ptr<Command> make_new() { return std::make_unique<NewCommand>(); }

}  // namespace ringmesh::lab
