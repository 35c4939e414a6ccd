// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lab/commands/line/command.h"
#include "lab/process/outside.h"
#include "lab/process/standard_streams.h"
#include "platforms/files/data_folder.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kCompileC{.name = "cc",
                                .meaning = "Compile a C program that makes MPI calls for the simulator, as mpicc does",
                                .arguments = "cc [ARGUMENTS OF THE COMPILER]",
                                .examples = R"(Examples:
  ringmesh cc -O2 stencil.c -o stencil
  make CC="ringmesh cc"
  ringmesh cc -show                     what it would run
  ringmesh run wulfkit-torus-2d --library scampi --program ./stencil --ranks 16 -- 100 100
  ringmesh mpiexec -n 16 ./stencil 100 100

The program may be started by itself: it is then rank 0 of 1. An MPI call that is not there fails at link time, with its
name. RINGMESH_CC is the compiler, cc if it is not set.
)"};
constexpr CommandHelp kCompileCxx{
    .name = "c++",
    .meaning = "Compile a C++ program that makes MPI calls for the simulator, as mpicxx does",
    .arguments = "c++ [ARGUMENTS OF THE COMPILER]",
    .examples = R"(Examples:
  ringmesh c++ -O2 -std=c++17 cg.cpp -o cg
  make CXX="ringmesh c++"

As ringmesh cc, for C++. RINGMESH_CXX is the compiler, c++ if it is not set.
)"};

using Words = std::vector<std::string>;

/// Its exit status. @throws UserError if it cannot be started
int run_and_wait(Words words)
{
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    if (const int error = ::posix_spawnp(&child, pointers[0], nullptr, nullptr, pointers.data(), environ); error != 0) {
        throw UserError(
            fmt::format("{} cannot be started: {}; install a compiler (g++), or set RINGMESH_CC and "
                        "RINGMESH_CXX",
                        words.front(), std::generic_category().message(error)));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What a compiler is asked to do.
struct Asked {
    bool has_inputs = false;
    bool links = true;   ///< a program
    bool shows = false;  ///< alone
    Words words;         ///< for the compiler
};

Asked read_words(const Words& words)
{
    static const std::set<std::string_view> take_next{
        "-o",  "-I",  "-D",  "-U",       "-L", "-x", "-include", "-isystem",       "-iquote", "-idirafter",
        "-MF", "-MT", "-MQ", "-Xlinker", "-T", "-u", "-z",       "-Xpreprocessor", "-l",      "-isysroot"};
    static const std::set<std::string_view> no_link{"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-shared", "-r"};
    static const std::set<std::string_view> show{"-show",         "-showme",          "--showme",
                                                 "-compile-info", "-link-info",       "-showme:compile",
                                                 "-showme:link",  "--showme:compile", "--showme:link"};
    // A program is a shared object that can be executed
    static const std::set<std::string_view> left_out{"-pie",     "-no-pie",  "-static-pie", "-fPIE",
                                                     "-fpie",    "-fno-pic", "-fno-PIC",    "-fno-pie",
                                                     "-fno-PIE", "-lmpi",    "-lmpich"};
    Asked asked;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (show.contains(word)) {
            asked.shows = true;
            continue;
        }
        if (left_out.contains(word)) continue;
        if (no_link.contains(word)) asked.links = false;
        asked.words.push_back(word);
        if (take_next.contains(word) && i + 1 < words.size()) {
            asked.words.push_back(words[++i]);
        } else if (word.empty() || word.front() != '-' || word == "-") {
            asked.has_inputs = true;
        }
    }
    return asked;
}

class CompileCommand final : public Command {
public:
    explicit CompileCommand(bool is_cxx) : is_cxx_(is_cxx) {}
    const CommandHelp& help() const override { return is_cxx_ ? kCompileCxx : kCompileC; }
    bool passes_words_on() const override { return true; }
    void describe(OptionList& list) override
    {
        list.arguments("ARGUMENTS", words, "What the compiler gets");
        list.need("no arguments; write such as ringmesh cc -O2 program.c -o program");
    }
    int execute() override;

private:
    bool is_cxx_;
    Words words;
};

int CompileCommand::execute()
{
    namespace files = std::filesystem;
    const char* const chosen = std::getenv(is_cxx_ ? "RINGMESH_CXX" : "RINGMESH_CC");
    const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : is_cxx_ ? "c++" : "cc";
    const std::string folder = files::absolute(platforms::data_folder() / "workloads/foreign/program").string();
    const std::string start = folder + "/start.c";
    const std::string self =
        fmt::format("-DRINGMESH_EXECUTABLE=\"{}\"", files::read_symlink("/proc/self/exe").string());
    const Asked asked = read_words(words);

    Words line{compiler};
    line.insert(line.end(), asked.words.begin(), asked.words.end());
    for (const char* word : {"-fPIC", is_cxx_ ? "-fno-gnu-unique" : ""}) {
        if (*word != '\0') line.emplace_back(word);
    }
    line.push_back("-I" + folder);
    const Words link{"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-e,ringmesh_alone", "-Wl,-z,noseparate-code",
                     "-lm"};
    // Before the program's own objects: it is what needs their main(), which may be in a library
    if (asked.shows) {
        line.insert(line.begin() + 1, {self, "-x", "c", start, "-x", "none"});
        line.insert(line.end(), link.begin(), link.end());
        print(shell_line(line) + '\n');
        return 0;
    }
    if (!asked.links || !asked.has_inputs) return run_and_wait(line);
    // An object of its own, so that flags for the program's language and its macros do not concern it
    const files::path object = files::temp_directory_path() / fmt::format("ringmesh-start-{}.o", ::getpid());
    int status = run_and_wait({is_cxx_ && chosen == nullptr ? "cc" : compiler, "-x", "c", "-O2", "-fPIC", "-I" + folder,
                               self, "-c", start, "-o", object.string()});
    if (status == 0) {
        line.insert(line.begin() + 1, object.string());
        line.insert(line.end(), link.begin(), link.end());
        status = run_and_wait(line);
    }
    std::error_code error;
    files::remove(object, error);
    return status;
}

}  // namespace

std::unique_ptr<Command> make_compile_c() { return std::make_unique<CompileCommand>(false); }
std::unique_ptr<Command> make_compile_cxx() { return std::make_unique<CompileCommand>(true); }

}  // namespace ringmesh::lab
