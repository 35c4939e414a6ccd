// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lab/commands/foreign/fortran_folder.h"
#include "lab/commands/line/command.h"
#include "lab/process/outside.h"
#include "lab/process/standard_streams.h"
#include "platforms/files/data_folder.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kCompileC{
    .name = "cc",
    .meaning = "Compile a C program that makes MPI or RCCE calls for the simulator, as mpicc does",
    .arguments = "cc [ARGUMENTS OF THE COMPILER]",
    .examples = R"(Examples:
  ringmesh cc -O2 stencil.c -o stencil
  make CC="ringmesh cc"
  ringmesh cc -show -O2 stencil.c       what it would run; -compile-info and -link-info: the parts of that
  ringmesh run wulfkit-torus-2d --library scampi --program ./stencil --ranks 16 -- 100 100
  ringmesh mpiexec -n 16 ./stencil 100 100

The program may be started by itself: it is then rank 0 of 1. An MPI call that is not there fails at link time, with its
name. RINGMESH_CC is the compiler, cc if it is not set.
)"};
constexpr CommandHelp kCompileCxx{
    .name = "c++",
    .meaning = "Compile a C++ program that makes MPI or RCCE calls for the simulator, as mpicxx does",
    .arguments = "c++ [ARGUMENTS OF THE COMPILER]",
    .examples = R"(Examples:
  ringmesh c++ -O2 -std=c++17 cg.cpp -o cg
  make CXX="ringmesh c++"

As ringmesh cc, for C++. RINGMESH_CXX is the compiler, c++ if it is not set.
)"};

constexpr CommandHelp kCompileFortran{
    .name = "fc",
    .meaning = "Compile a Fortran program that makes MPI calls for the simulator, as mpifort does",
    .arguments = "fc [ARGUMENTS OF THE COMPILER]",
    .examples = R"(Examples:
  ringmesh fc -O2 stencil.f90 -o stencil
  make MPIF77="ringmesh fc" MPIFC="ringmesh fc"

As ringmesh cc, for Fortran: mpif.h and the module mpi. Link by it whatever has parts in Fortran. RINGMESH_FC is the
compiler, gfortran if it is not set; another one must be GNU Fortran too. What is made once for each compiler is kept in
$XDG_CACHE_HOME/ringmesh, or in ~/.cache/ringmesh.
)"};

using Words = std::vector<std::string>;

struct Language {
    const CommandHelp& help;
    const char* variable;  ///< of the environment, that names the compiler
    const char* compiler;  ///< if it does not
    Words flags;           ///< of GNU's
};
const Language& language_c()
{
    static const Language all{kCompileC, "RINGMESH_CC", "cc", {}};
    return all;
}
const Language& language_cxx()
{
    static const Language all{kCompileCxx, "RINGMESH_CXX", "c++", {"-fno-gnu-unique"}};
    return all;
}
/// Old programs give one call arguments of many types, and write constants in hexadecimal in their own way.
const Language& language_fortran()
{
    static const Language all{
        kCompileFortran, "RINGMESH_FC", "gfortran", {"-fallow-argument-mismatch", "-fallow-invalid-boz"}};
    return all;
}

/// Its exit status. @throws UserError if it cannot be started
int run_and_wait(Words words)
{
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    if (const int error = ::posix_spawnp(&child, pointers[0], nullptr, nullptr, pointers.data(), environ); error != 0) {
        throw UserError(
            fmt::format("{} cannot be started: {}; install a compiler (g++, gfortran), or set RINGMESH_CC, "
                        "RINGMESH_CXX and RINGMESH_FC",
                        words.front(), std::generic_category().message(error)));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What is shown in place of a compilation: as MPICH's mpicc does the whole command, or the part of it that compiles or
/// links; as Open MPI's a part of these for other command lines, which FindMPI of CMake asks for.
enum class Shown : std::uint8_t {
    kNothing,
    kAll,
    kCompilation,
    kLink,
    kFlagsOfCompilation,
    kFlagsOfLink,
    kCompiler,
    kFoldersOfCompilation,
    kFoldersOfLink,
    kLibraries,
};
const std::map<std::string_view, Shown>& shown_names()
{
    static const std::map<std::string_view, Shown> all{
        {"-show", Shown::kAll},
        {"-showme", Shown::kAll},
        {"-compile-info", Shown::kCompilation},
        {"-compile_info", Shown::kCompilation},
        {"-link-info", Shown::kLink},
        {"-link_info", Shown::kLink},
        {"-showme:compile", Shown::kFlagsOfCompilation},
        {"-showme:link", Shown::kFlagsOfLink},
        {"-showme:command", Shown::kCompiler},
        {"-showme:incdirs", Shown::kFoldersOfCompilation},
        {"-showme:libdirs", Shown::kFoldersOfLink},
        {"-showme:libs", Shown::kLibraries},
    };
    return all;
}

/// What a compiler is asked to do.
struct Asked {
    bool links = true;     ///< a program
    bool open_mp = false;  ///< regions of several threads, of which there is one
    Shown shown = Shown::kNothing;
    Words words;  ///< for the compiler
    Words inputs = {};
    /// Objects and archives alone are linked; to compilers of other makers a flag of code is wrong there.
    bool compiles() const
    {
        static const std::set<std::string> linked{".o", ".a", ".so", ".obj", ".lo"};
        return std::ranges::any_of(
            inputs, [](const std::string& each) { return !linked.contains(std::filesystem::path(each).extension()); });
    }
};

/// As a compiler takes a file apart: quotation marks and backslashes keep blanks.
Words words_in(std::istream& stream)
{
    Words all;
    std::string word;
    bool begun = false;
    char mark = '\0';
    for (char c = '\0'; stream.get(c);) {
        if (c == '\\') {
            if (!stream.get(c)) break;
            word += c;
            begun = true;
        } else if (mark != '\0' ? c == mark : c == '"' || c == '\'') {
            mark = mark == '\0' ? c : '\0';
            begun = true;
        } else if (mark == '\0' && std::isspace(static_cast<unsigned char>(c)) != 0) {
            if (begun) all.push_back(std::exchange(word, {}));
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    if (begun) all.push_back(word);
    return all;
}

/// What files have, of which words like @FILE are the names.
Words with_files(const Words& words, int level = 0)
{
    constexpr int kDeepest = 20;
    Words all;
    for (const std::string& word : words) {
        std::ifstream stream;
        if (word.starts_with('@') && level < kDeepest) stream.open(word.substr(1));
        if (!stream.is_open()) {
            all.push_back(word);
            continue;
        }
        const Words inner = with_files(words_in(stream), level + 1);
        all.insert(all.end(), inner.begin(), inner.end());
    }
    return all;
}

Asked read_words(const Words& words)
{
    static const std::set<std::string_view> take_next{
        "-o",  "-I",  "-D",       "-U", "-L", "-x", "-include",       "-isystem", "-iquote",   "-idirafter", "-MF",
        "-MT", "-MQ", "-Xlinker", "-T", "-u", "-z", "-Xpreprocessor", "-l",       "-isysroot", "-J"};
    static const std::set<std::string_view> no_link{"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-shared", "-r"};
    // A program is a shared object that can be executed
    static const std::set<std::string_view> left_out{"-pie",     "-no-pie",   "-static-pie", "-fPIE",    "-fpie",
                                                     "-fno-pic", "-fno-PIC",  "-fno-pie",    "-fno-PIE", "-lmpi",
                                                     "-lmpich",  "-lmpifort", "-lgomp",      "-lomp",    "-liomp5"};
    // The simulator runs a rank in one thread, which needs only the directives for vectors
    static const std::set<std::string_view> open_mp{"-fopenmp", "-fopenmp=libgomp", "-fopenmp=libomp"};
    static const std::set<std::string_view> refused{"-static", "-fsanitize=address", "-fsanitize=thread"};
    Asked asked;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto shown = shown_names().find(word.starts_with("--show") ? word.substr(1) : word);
        if (shown != shown_names().end()) {
            asked.shown = shown->second;
            continue;
        }
        if (left_out.contains(word) || word.starts_with("-lRCCE") || word.starts_with("-liRCCE")) continue;
        if (refused.contains(word)) {
            throw UserError(
                fmt::format("{}: the simulator loads the program, which this does not allow; leave it out", word));
        }
        if (no_link.contains(word)) asked.links = false;
        if (open_mp.contains(word)) {
            asked.open_mp = true;
            asked.words.emplace_back("-fopenmp-simd");
            continue;
        }
        asked.words.push_back(word);
        if (take_next.contains(word) && i + 1 < words.size()) {
            asked.words.push_back(words[++i]);
        } else if (word.empty() || word.front() != '-' || word == "-") {
            asked.inputs.push_back(word);
        }
    }
    return asked;
}

bool is_fortran(const std::string& file)
{
    static const std::set<std::string_view> endings{".f",   ".for", ".ftn", ".fpp", ".f77",
                                                    ".f90", ".f95", ".f03", ".f08"};
    std::string ending = std::filesystem::path(file).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return endings.contains(ending);
}

/// What a compiler cannot say of itself.
void say_what_is_missing(const Words& inputs)
{
    static const std::regex module(R"(^\s*use\b.*\bmpi_f08\b)", std::regex::icase);
    for (const std::string& input : inputs) {
        std::ifstream stream(input);
        for (std::string line; is_fortran(input) && std::getline(stream, line);) {
            if (!std::regex_search(line.substr(0, 200), module)) continue;
            say(fmt::format("{}: there is no module mpi_f08; write use mpi, or include 'mpif.h'", input));
            return;
        }
    }
}

/// What is added to a command.
struct Added {
    Words flags;
    Words folders;  ///< to look for what is included; also among the flags
    Words first;    ///< linked before all else
    Words link;     ///< after all else
};

std::string shown_line(const Asked& asked, const std::string& compiler, const Added& added)
{
    Words line;
    const auto add = [&line](const Words& words) { line.insert(line.end(), words.begin(), words.end()); };
    const auto add_option = [&](std::string_view option) {
        for (const std::string& word : added.link) {
            if (word.starts_with(option)) line.push_back(word.substr(option.size()));
        }
    };
    switch (asked.shown) {
        case Shown::kCompiler: line = {compiler}; break;
        case Shown::kFlagsOfCompilation: line = added.flags; break;
        case Shown::kFoldersOfCompilation: line = added.folders; break;
        case Shown::kFoldersOfLink: add_option("-L"); break;
        case Shown::kLibraries: add_option("-l"); break;
        case Shown::kFlagsOfLink:
            line = added.first;
            add(added.link);
            break;
        default: {
            const bool links = asked.shown == Shown::kLink || (asked.links && asked.shown == Shown::kAll);
            line = {compiler};
            if (links) add(added.first);
            add(asked.words);
            if (asked.shown != Shown::kLink) add(added.flags);
            if (links) add(added.link);
        }
    }
    return shell_line(line);
}

class CompileCommand final : public Command {
public:
    explicit CompileCommand(const Language& language) : language_(language) {}
    const CommandHelp& help() const override { return language_.help; }
    bool passes_words_on() const override { return true; }
    void describe(OptionList& list) override
    {
        list.arguments("ARGUMENTS", words_, "What the compiler gets");
        list.need("no arguments; write such as ringmesh cc -O2 program.c -o program");
    }
    int execute() override;

private:
    bool is_fortran_command() const { return &language_ == &language_fortran(); }
    std::string chosen(const Language& language) const
    {
        const char* const name = std::getenv(language.variable);
        return name != nullptr && *name != '\0' ? name : language.compiler;
    }

    const Language& language_;
    Words words_;
};

int CompileCommand::execute()
{
    namespace files = std::filesystem;
    const std::string compiler = chosen(language_);
    const std::string folder = files::absolute(platforms::data_folder() / "workloads/foreign/program").string();
    const std::string start = folder + "/start.c";
    const std::string self =
        fmt::format("-DRINGMESH_EXECUTABLE=\"{}\"", files::read_symlink("/proc/self/exe").string());
    const Asked asked = read_words(with_files(words_));
    const bool shows = asked.shown != Shown::kNothing;
    const bool has_inputs = !asked.inputs.empty();

    if (asked.open_mp && asked.links && has_inputs && !shows) {
        say("-fopenmp: a rank has one thread, so that parallel regions run with one");
    }
    Words flags{"-fPIC"};
    // A stack that is too small must end in the room below it, and not in that of another rank
    if (shows || asked.compiles()) flags.emplace_back("-fstack-clash-protection");
    const bool is_gnu = files::path(compiler).filename().string().find("clang") == std::string::npos;
    const bool has_language =
        !is_fortran_command() || shows || std::any_of(asked.inputs.begin(), asked.inputs.end(), &is_fortran);
    if (is_gnu && has_language) {
        flags.insert(flags.end(), language_.flags.begin(), language_.flags.end());
    }
    Words folders{folder};
    Words link{"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-e,ringmesh_alone", "-Wl,-z,noseparate-code", "-lm"};
    // Before the program's own objects: it is what needs their main(), which may be in a library
    Words first;
    if (is_fortran_command() && (shows || has_inputs)) {
        const files::path made = fortran_folder({compiler, chosen(language_c()), folder, self});
        folders.push_back(made.string());
        first = {(made / "start.o").string(), (made / "fortran.o").string()};
        link.insert(link.begin(), (made / "libgfortran.a").string());
        link.insert(link.end(), {"-L" + made.string(), "-static-libgfortran", "-lstdc++"});
    } else if (asked.shown == Shown::kLink || asked.shown == Shown::kFlagsOfLink ||
               (asked.shown == Shown::kAll && asked.links)) {
        first = {start_archive({"", chosen(language_c()), folder, self}).string()};
        // FindMPI leaves the option of the compiler out
        link.insert(link.begin() + 1, "-Wl,-shared");
    }
    for (const std::string& each : folders) flags.push_back("-I" + each);
    if (shows) {
        print(shown_line(asked, compiler, {flags, folders, first, link}) + '\n');
        return 0;
    }
    Words line{compiler};
    line.insert(line.end(), asked.words.begin(), asked.words.end());
    line.insert(line.end(), flags.begin(), flags.end());
    if (is_fortran_command() && asked.links && has_inputs) {
        line.insert(line.begin() + 1, first.begin(), first.end());
        line.insert(line.end(), link.begin(), link.end());
    }
    int status = 0;
    if (is_fortran_command() || !asked.links || !has_inputs) {
        status = run_and_wait(line);
        if (status != 0) say_what_is_missing(asked.inputs);
        return status;
    }
    // An object of its own, so that flags for the program's language and its macros do not concern it
    const files::path object = files::temp_directory_path() / fmt::format("ringmesh-start-{}.o", ::getpid());
    const bool is_c = &language_ == &language_c();
    status = run_and_wait({is_c ? compiler : chosen(language_c()), "-x", "c", "-O2", "-fPIC", "-I" + folder, self, "-c",
                           start, "-o", object.string()});
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

std::unique_ptr<Command> make_compile_c() { return std::make_unique<CompileCommand>(language_c()); }
std::unique_ptr<Command> make_compile_cxx() { return std::make_unique<CompileCommand>(language_cxx()); }
std::unique_ptr<Command> make_compile_fortran() { return std::make_unique<CompileCommand>(language_fortran()); }

}  // namespace ringmesh::lab
