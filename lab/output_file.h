// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tlm/atomic_file.h"

namespace ringmesh::lab {

/// Where an option such as --json sends its text: nowhere, to standard output ("-") or to a file, which is opened at
/// once, so that a path that cannot be written is found before the work, and appears whole or not at all.
class OutputFile {
public:
    /// @throws UserError
    explicit OutputFile(std::string path);

    bool wanted() const { return !path_.empty(); }
    bool is_standard_output() const { return path_ == "-"; }
    /// The whole text at once. @throws UserError, ReaderGone
    void write(std::string_view text);

private:
    std::string path_;
    std::unique_ptr<AtomicFile> file_;
};

}  // namespace ringmesh::lab
