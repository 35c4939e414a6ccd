// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/loaded_program.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>

#include "workloads/foreign/calls/table.h"

namespace ringmesh::workloads {
namespace {

std::set<std::string> loaded_names()
{
    std::set<std::string> all;
    ::dl_iterate_phdr(
        [](dl_phdr_info* each, std::size_t, void* into) {
            static_cast<std::set<std::string>*>(into)->insert(each->dlpi_name);
            return 0;
        },
        &all);
    return all;
}

const link_map* map_of(void* library)
{
    link_map* map = nullptr;
    return ::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map : nullptr;
}

/// Addresses in it may be relocated already.
std::uintptr_t address_in(const link_map& map, std::uintptr_t address)
{
    return address < map.l_addr ? map.l_addr + address : address;
}

std::string path_of_loaded(const char* name)
{
    void* const library = ::dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    const link_map* const map = library == nullptr ? nullptr : map_of(library);
    std::string path = map == nullptr ? "" : map->l_name;
    if (library != nullptr) ::dlclose(library);
    return path;
}

/// A shared library that the program brings: it is loaded once, for all ranks. Empty: there is none.
std::string own_library(void* program, const std::set<std::string>& of_simulator)
{
    const link_map* const map = map_of(program);
    const char* names = nullptr;
    for (const ElfW(Dyn)* each = map->l_ld; each->d_tag != DT_NULL; ++each) {
        if (each->d_tag == DT_STRTAB) names = std::bit_cast<const char*>(address_in(*map, each->d_un.d_ptr));
    }
    for (const ElfW(Dyn)* each = map->l_ld; each->d_tag != DT_NULL; ++each) {
        if (each->d_tag != DT_NEEDED) continue;
        std::string path = path_of_loaded(names + each->d_un.d_val);
        const bool is_of_system =
            std::ranges::any_of(std::array{"/lib", "/usr/lib", "/usr/local/lib"},
                                [&](std::string_view folder) { return path.starts_with(folder); });
        if (!path.empty() && !is_of_system && !of_simulator.contains(path)) return path;
    }
    return "";
}

}  // namespace

LoadedProgram::~LoadedProgram()
{
    if (finished_) ::dlclose(library_);  // of one that was abandoned, something might still run
}

void LoadedProgram::tell_table()
{
    const auto address = reinterpret_cast<std::uintptr_t>(foreign::table());
    ::setenv("RINGMESH_TABLE", fmt::format("{}:{:x}", RINGMESH_TABLE_VERSION, address).c_str(), 1);
}

/// Each name must be new: the loader knows files by it.
std::string LoadedProgram::load(const std::string& file)
{
    namespace files = std::filesystem;
    static const std::set<std::string> of_simulator = loaded_names();
    static unsigned copies = 0;
    copy_ = files::temp_directory_path() /
            fmt::format("ringmesh-{}-{}-{}", ::getpid(), copies++, files::path(file).filename().string());
    std::error_code error;
    files::copy_file(file, copy_, error);
    if (error)
        return fmt::format("{}: no copy of it for a rank: {}; set TMPDIR to a folder with room", copy_,
                           error.message());
    library_ = ::dlopen(copy_.c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* const wrong = library_ == nullptr ? ::dlerror() : nullptr;
    files::remove(copy_, error);
    if (wrong != nullptr) return fmt::format("{}: it cannot be loaded: {}", file, wrong);
    const std::string own = own_library(library_, of_simulator);
    return own.empty() ? ""
                       : fmt::format("{}: all ranks would share the variables of {}; link it statically", file, own);
}

const void* LoadedProgram::symbol(const char* name) const { return ::dlsym(library_, name); }

/// On the rank's own stack, as calls in them may take time; when the loader unloads the copy, it finds none to run.
void LoadedProgram::finish()
{
    finished_ = true;
    find<ringmesh_program>("ringmesh_program")->finish();
    const link_map& map = *map_of(library_);
    void (**destructors)() = nullptr;
    std::size_t count = 0;
    for (ElfW(Dyn)* each = map.l_ld; each->d_tag != DT_NULL; ++each) {
        if (each->d_tag == DT_FINI_ARRAY) {
            destructors = std::bit_cast<void (**)()>(address_in(map, each->d_un.d_ptr));
        }
        if (each->d_tag != DT_FINI_ARRAYSZ) continue;
        count = each->d_un.d_val / sizeof *destructors;
        const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        const std::uintptr_t begin = std::bit_cast<std::uintptr_t>(each) / page * page;
        const auto end = std::bit_cast<std::uintptr_t>(each + 1);
        ::mprotect(std::bit_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE);  // the loader closed it
        each->d_un.d_val = 0;
    }
    while (count > 0) destructors[--count]();
}

bool LoadedProgram::holds(std::uintptr_t instruction) const
{
    Dl_info where{};
    return ::dladdr(std::bit_cast<const void*>(instruction), &where) != 0 && where.dli_fname == copy_;
}

std::vector<LoadedProgram::Frame> LoadedProgram::frames(std::uintptr_t interrupted) const
{
    std::array<void*, 64> all{};
    const int count = ::backtrace(all.data(), static_cast<int>(all.size()));
    std::vector<Frame> found;
    for (int i = 0; i < count; ++i) {
        Dl_info where{};
        void* const frame = all.at(static_cast<std::size_t>(i));
        if (::dladdr(frame, &where) == 0 || where.dli_fname != copy_) continue;
        const auto address = reinterpret_cast<std::uintptr_t>(frame);
        // Where a call returns to may be another line
        const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(where.dli_fbase);
        found.push_back(
            {address == interrupted ? offset : offset - 1, where.dli_sname == nullptr ? "" : where.dli_sname});
    }
    return found;
}

std::vector<std::string> source_lines(const std::string& file, const std::vector<LoadedProgram::Frame>& frames)
{
    std::string quoted;
    for (const char c : file) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    std::string command = fmt::format("addr2line -Cfpe '{}'", quoted);
    for (const auto& frame : frames) command += fmt::format(" {:#x}", frame.offset);
    command += " 2>/dev/null";
    std::vector<std::string> lines;
    if (const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(::popen(command.c_str(), "r"), &::pclose);
        output) {
        std::string line;
        for (int c = std::fgetc(output.get()); c != EOF; c = std::fgetc(output.get())) {
            if (c != '\n') {
                line += static_cast<char>(c);
                continue;
            }
            line.erase(std::min(line.find(" (discriminator"), line.size()));
            lines.push_back(line.find('?') == std::string::npos ? line : "");
            line.clear();
        }
    }
    lines.resize(frames.size());
    return lines;
}

}  // namespace ringmesh::workloads
