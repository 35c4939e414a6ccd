// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ringmesh::test {

/// How a program ended.
struct Ended {
    int status = 0;  ///< exit status, or 128 + signal if that ended it
    std::string out;
    std::string err;
};

/// The program under test (RINGMESH_EXECUTABLE), started with arguments of its own.
class Program {
public:
    using Arguments = std::vector<std::string>;

    /// @param standard_output a file for it, "" to catch it
    explicit Program(const Arguments& arguments, const std::string& standard_output = "");
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();

    pid_t pid() const { return pid_; }
    void signal(int number) const;
    /// Also to its children, like Ctrl-C on a terminal.
    void signal_group(int number) const;
    /// Closes the reading end of its standard output.
    void stop_reading();
    /// Reads what it writes until it ends.
    Ended wait();

private:
    pid_t pid_ = 0;
    int out_ = -1;
    int err_ = -1;
};

/// Runs it to its end.
Ended ringmesh(const Program::Arguments& arguments, const std::string& standard_output = "");

/// The output of `--no-wall-time --json -`; requires success.
nlohmann::ordered_json json_of(const std::string& arguments);

/// What the program writes for these arguments; it must end well and write nothing on standard error.
std::string out_of(const std::string& arguments);

/// The arguments of a command line: words separated by blanks.
Program::Arguments words(const std::string& text);

bool contains(const std::string& text, const std::string& part);

std::string read_file(const std::string& name);
/// Names in a folder, sorted.
std::vector<std::string> files_in(const std::string& folder);

}  // namespace ringmesh::test
