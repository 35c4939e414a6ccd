// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace ringmesh::lab {

/// How a program of the system ended.
struct OutsideEnd {
    bool started = false;  ///< false: there is no such program
    int status = 0;        ///< 128 + signal if that ended it
    std::string output;    ///< standard output and error
};

/// In quotation marks, as a shell takes it for one word.
std::string shell_quoted(const std::string& text);
/// A line of these words, in quotation marks where a shell would take one apart.
std::string shell_line(std::span<const std::string> words);

/// Runs a program of $PATH to its end and keeps what it writes. @pre at least one argument, the program's name
OutsideEnd run_outside(const std::vector<std::string>& arguments);

}  // namespace ringmesh::lab
