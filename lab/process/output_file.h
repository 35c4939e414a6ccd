// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "tlm/files/atomic_file.h"

namespace ringmesh::lab {

/// The output of an option such as --json: nowhere, standard output ("-") or a file, which is opened at once, so that a
/// path that cannot be written is reported before the run, and which appears complete or not at all.
class OutputFile {
public:
    /// @param mark if not empty, a file that is there without it is refused, as by AtomicFile @throws UserError
    explicit OutputFile(std::string path, std::string_view mark = {});

    const std::string& path() const { return path_; }
    bool wanted() const { return !path_.empty(); }
    bool is_standard_output() const { return path_ == "-"; }
    /// Writes the whole text. @throws UserError, ReaderGone
    void write(std::string_view text);

private:
    std::string path_;
    std::unique_ptr<AtomicFile> file_;
};

/// Writes a file at once, and whole. @param mark as of an OutputFile @throws UserError
void write_whole(const std::filesystem::path& file, std::string_view text, std::string_view mark = {});

}  // namespace ringmesh::lab
