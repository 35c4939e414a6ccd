// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ringmesh::workloads {

/// A copy of a program's file, with variables of its own. It stays loaded unless it has finished.
class LoadedProgram {
public:
    LoadedProgram() = default;
    LoadedProgram(const LoadedProgram&) = delete;
    LoadedProgram& operator=(const LoadedProgram&) = delete;
    ~LoadedProgram();

    /// Once for all: what runs before main() needs the table too, and finds it by the environment.
    static void tell_table();
    /// Runs what stands before main(). @return what is wrong, if anything is
    std::string load(const std::string& file);
    /// Null: there is no such object.
    template <class Object>
    const Object* find(const char* name) const
    {
        return static_cast<const Object*>(symbol(name));
    }
    /// Runs what was registered by atexit, and destructors.
    void finish();

    struct Frame {
        std::uintptr_t offset = 0;  ///< in the file
        std::string function;       ///< if it is known without debug information
    };
    /// Those of the program on the stack of the caller, the innermost first.
    /// @param interrupted the instruction before which a signal came
    std::vector<Frame> frames(std::uintptr_t interrupted = 0) const;
    /// Whether the instruction is in its file, and not in a library.
    bool holds(std::uintptr_t instruction) const;

private:
    const void* symbol(const char* name) const;

    std::string copy_;  // the name of its file while it was loaded
    void* library_ = nullptr;
    bool finished_ = false;
};

/// "exchange at ring.c:42" for each frame; empty where the file has no debug information, or there is no addr2line.
std::vector<std::string> source_lines(const std::string& file, const std::vector<LoadedProgram::Frame>& frames);

}  // namespace ringmesh::workloads
