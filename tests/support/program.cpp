// SPDX-License-Identifier: Apache-2.0
#include "tests/support/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ringmesh::test {
namespace {

std::array<int, 2> make_pipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    return ends;
}

/// @return false at the end of the stream
bool read_some(int descriptor, std::string& text)
{
    std::array<char, 4096> buffer;
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    if (size > 0) text.append(buffer.data(), static_cast<std::size_t>(size));
    return size > 0 || (size < 0 && errno == EINTR);
}

}  // namespace

Program::Program(const Arguments& arguments, const std::string& standard_output)
{
    // The test framework takes a child's status other than 0 for an error of the test
    std::signal(SIGCHLD, SIG_DFL);
    const auto out = make_pipe();
    const auto err = make_pipe();
    std::vector<char*> argv{const_cast<char*>(RINGMESH_EXECUTABLE)};
    for (const std::string& argument : arguments) {
        argv.push_back(const_cast<char*>(argument.c_str()));
        // Tests of `run` are about runs, not about what an earlier build left in the tests' store
        static char fresh[] = "--fresh";
        const bool is_run = argv.size() == 2 && argument == "run";
        if (is_run && std::find(arguments.begin(), arguments.end(), "--store") == arguments.end())
            argv.push_back(fresh);
    }
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error("no child process");
    if (pid_ == 0) {
        ::setpgid(0, 0);
        const int file = standard_output.empty() ? out[1] : ::open(standard_output.c_str(), O_WRONLY);
        ::dup2(file, STDOUT_FILENO);
        ::dup2(err[1], STDERR_FILENO);
        std::signal(SIGINT, SIG_DFL);
        ::execv(argv.front(), argv.data());
        ::_exit(127);
    }
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
}

Program::~Program()
{
    stop_reading();
    if (err_ >= 0) ::close(err_);
    if (pid_ > 0) {
        ::kill(-pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
}

void Program::signal(int number) const { ::kill(pid_, number); }

void Program::signal_group(int number) const { ::kill(-pid_, number); }

void Program::stop_reading()
{
    if (out_ >= 0) ::close(std::exchange(out_, -1));
}

Ended Program::wait()
{
    Ended ended;
    std::array<pollfd, 2> pipes{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}};
    while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
        if (::poll(pipes.data(), pipes.size(), -1) < 0) continue;
        if (pipes[0].fd >= 0 && pipes[0].revents != 0 && !read_some(out_, ended.out)) pipes[0].fd = -1;
        if (pipes[1].fd >= 0 && pipes[1].revents != 0 && !read_some(err_, ended.err)) pipes[1].fd = -1;
    }
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ended;
}

Ended ringmesh(const Program::Arguments& arguments, const std::string& standard_output)
{
    return Program(arguments, standard_output).wait();
}

nlohmann::ordered_json json_of(const std::string& arguments)
{
    const Ended ended = ringmesh(words(arguments + " --no-wall-time --json -"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    return nlohmann::ordered_json::parse(ended.out);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Program::Arguments words(const std::string& text)
{
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

std::string read_file(const std::string& name)
{
    std::ifstream file(name, std::ios::binary);
    if (!file) throw std::runtime_error("no file " + name);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> files_in(const std::string& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

std::string out_of(const std::string& arguments)
{
    const Ended ended = ringmesh(words(arguments));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    BOOST_TEST(ended.err == "");
    return ended.out;
}

}  // namespace ringmesh::test
