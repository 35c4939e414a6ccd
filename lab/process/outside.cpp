// SPDX-License-Identifier: Apache-2.0
#include "lab/process/outside.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <string_view>

#include <array>
#include <cerrno>
#include <system_error>

namespace ringmesh::lab {

std::string shell_quoted(const std::string& text)
{
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + "'";
}

std::string shell_line(std::span<const std::string> words)
{
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%^";
    std::string line;
    for (const std::string& word : words) {
        const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
        if (!line.empty()) line += ' ';
        line += plain ? word : shell_quoted(word);
    }
    return line;
}

OutsideEnd run_outside(const std::vector<std::string>& arguments)
{
    std::vector<std::string> copies = arguments;
    std::vector<char*> words;
    words.reserve(copies.size() + 1);
    for (std::string& copy : copies) words.push_back(copy.data());
    words.push_back(nullptr);

    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "cannot start " + arguments.front());
    }
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, words.front(), &actions, nullptr, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    OutsideEnd end{.started = error == 0};
    if (end.started) {
        std::array<char, 4096> buffer;
        ssize_t size = 0;
        while ((size = ::read(ends[0], buffer.data(), buffer.size())) > 0 || (size < 0 && errno == EINTR)) {
            if (size > 0) end.output.append(buffer.data(), static_cast<std::size_t>(size));
        }
        int status = 0;
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    ::close(ends[0]);
    return end;
}

}  // namespace ringmesh::lab
