// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/foreign/fortran_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <system_error>
#include <vector>

#include "lab/process/output_file.h"
#include "lab/process/outside.h"
#include "lab/store/content.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"
#include "workloads/foreign/fortran/fortran.h"

namespace ringmesh::lab {
namespace {

namespace files = std::filesystem;

files::path cache_folder()
{
    for (const auto& [variable, below] : {std::pair{"XDG_CACHE_HOME", ""}, std::pair{"HOME", ".cache"}}) {
        const char* const folder = std::getenv(variable);
        if (folder != nullptr && *folder != '\0') return files::path(folder) / below / "ringmesh";
    }
    throw UserError("no folder to keep what programs in Fortran link: HOME is not set; set XDG_CACHE_HOME to one");
}

constexpr std::uintmax_t kLargestSource = 16 * 1024 * 1024;

std::string text_of(const files::path& file) { return read_input(file, kLargestSource); }

void run_tool(const std::vector<std::string>& words)
{
    const OutsideEnd ended = run_outside(words);
    if (!ended.started) {
        throw UserError(fmt::format("{} cannot be started, which ringmesh fc needs; install gfortran, gcc and binutils",
                                    words.front()));
    }
    if (ended.status != 0) throw UserError(fmt::format("{} failed:\n{}", shell_line(words), ended.output));
}

files::path library_of(const std::string& compiler)
{
    const OutsideEnd ended = run_outside({compiler, "-print-file-name=libgfortran.a"});
    if (!ended.started) {
        throw UserError(fmt::format("{} cannot be started; install gfortran, or set RINGMESH_FC to it", compiler));
    }
    files::path library = ended.output.substr(0, ended.output.find('\n'));
    if (!library.is_absolute() || !files::exists(library)) {
        throw UserError(fmt::format("{}: no GNU Fortran with its libgfortran.a; set RINGMESH_FC to one", compiler));
    }
    return library;
}

/// The run-time library, so that it can be a part of each rank's copy: with other names for what it asks of the system
/// (fortran.c). The unit of its thread, of which a rank has none, becomes a variable of threads that is always null in
/// ranks. Its threads for input and output are left out: that is done at once then.
void make_library(const files::path& original, const files::path& folder)
{
    const std::string made = (folder / "libgfortran.a").string();
    std::vector<std::string> words{"objcopy", "--redefine-sym", "thread_unit=_ZSt15__once_callable"};
    for (const char* const name :
         {"stdin", "stdout", "stderr", "environ", "getenv", "signal", "isatty", "fstat", "lseek", "read", "write",
          "writev", "pthread_key_create", "pthread_key_delete", "pthread_getspecific", "pthread_setspecific"}) {
        words.insert(words.end(), {"--redefine-sym", fmt::format("{0}=ringmesh_{0}", name)});
    }
    words.insert(words.end(), {original.string(), made});
    run_tool(words);
    run_tool({"ar", "d", made, "async.o"});
    run_tool({"ar", "qs", made, (folder / "mpi.o").string()});
}

void compile_c(const FortranTools& tools, const std::string& name, const files::path& folder)
{
    run_tool({tools.c, "-x", "c", "-O2", "-fPIC", "-I" + tools.sources.string(), "-I" + folder.string(), tools.self,
              "-c", (tools.sources / (name + ".c")).string(), "-o", (folder / (name + ".o")).string()});
}

void make_folder(const FortranTools& tools, const files::path& library, const workloads::foreign::FortranSources& from,
                 const files::path& folder)
{
    write_whole(folder / "mpif.h", from.mpif);
    write_whole(folder / "constants.inc", from.constants);
    write_whole(folder / "interfaces.inc", from.interfaces);
    write_whole(folder / "calls.inc", from.calls);
    for (const char* const name : {"start", "fortran"}) compile_c(tools, name, folder);
    run_tool({tools.fortran, "-O2", "-fPIC", "-ffree-line-length-none", "-I" + folder.string(), "-J", folder.string(),
              "-c", (tools.sources / "mpi.F90").string(), "-o", (folder / "mpi.o").string()});
    make_library(library, folder);
}

/// A folder of the cache for what `content` decides.
template <class Make>
files::path kept_folder(const std::string& kind, const std::string& content, const Make& make)
{
    const files::path cache = cache_folder();
    files::path folder = cache / fmt::format("{}-{}", kind, hash_of(content).substr(0, 16));
    if (files::exists(folder)) return folder;

    // Complete under its name: another process may be making it, or use it at once
    const files::path making = cache / fmt::format("making-{}", ::getpid());
    std::error_code error;
    files::create_directories(making, error);
    if (error) {
        throw UserError(fmt::format("{}: no folder can be made: {}; set XDG_CACHE_HOME to one that can be written",
                                    making.string(), error.message()));
    }
    try {
        make(making);
    } catch (...) {
        files::remove_all(making, error);
        throw;
    }
    files::rename(making, folder, error);
    if (error) files::remove_all(making);
    return folder;
}

std::string sources_of(const FortranTools& tools, std::initializer_list<const char*> names)
{
    std::string all;
    for (const char* const name : names) all += text_of(tools.sources / name);
    return all;
}

}  // namespace

files::path fortran_folder(const FortranTools& tools)
{
    const files::path library = library_of(tools.fortran);
    const auto sources = workloads::foreign::fortran_sources(text_of(tools.sources / "mpi.h"));
    std::string all =
        fmt::format("{} {} {} {} {} {}\n", tools.fortran, tools.c, library.string(), files::file_size(library),
                    files::last_write_time(library).time_since_epoch().count(), tools.self);
    all += sources_of(tools, {"mpi.h", "mpi_calls.inc", "table.h", "start.c", "fortran.c", "mpi.F90"});
    all += sources.mpif + sources.interfaces + sources.calls;
    return kept_folder("fortran", all,
                       [&](const files::path& folder) { make_folder(tools, library, sources, folder); });
}

files::path start_archive(const FortranTools& tools)
{
    const std::string all =
        fmt::format("{} {}\n", tools.c, tools.self) +
        sources_of(tools, {"mpi.h", "mpi_calls.inc", "RCCE.h", "rcce_calls.inc", "table.h", "start.c"});
    const files::path folder = kept_folder("start", all, [&](const files::path& made) {
        compile_c(tools, "start", made);
        run_tool({"ar", "qcs", (made / "libringmesh-start.a").string(), (made / "start.o").string()});
    });
    return folder / "libringmesh-start.a";
}

}  // namespace ringmesh::lab
