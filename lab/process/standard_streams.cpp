// SPDX-License-Identifier: Apache-2.0
#include "lab/process/standard_streams.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// @return 0 or the error number
int write_all(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) return errno;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

winsize size_of(int descriptor)
{
    winsize size{};
    return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

std::size_t width_of(int descriptor)
{
    const winsize size = size_of(descriptor);
    return size.ws_col > 0 ? size.ws_col : kTextWidth;
}

bool may_page = true;
std::FILE* pager = nullptr;  // that takes what is printed

bool wants_pager(std::string_view text)
{
    if (!may_page || ::isatty(STDOUT_FILENO) != 1) return false;
    const auto is_set_to = [](const char* name, std::initializer_list<std::string_view> values) {
        const char* value = std::getenv(name);
        return value != nullptr && std::find(values.begin(), values.end(), value) != values.end();
    };
    if (is_set_to("PAGER", {"", "cat"}) || is_set_to("TERM", {"", "dumb"})) return false;
    const winsize size = size_of(STDOUT_FILENO);
    return size.ws_row > 0 && std::count(text.begin(), text.end(), '\n') > size.ws_row;
}

[[noreturn]] void fail(int error)
{
    if (error == EPIPE) throw ReaderGone{};
    throw UserError(fmt::format("cannot write to standard output: {}", std::generic_category().message(error)));
}

}  // namespace

std::string visible(std::string_view text)
{
    constexpr std::string_view kKept = "\n\t";
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7F) || kKept.find(c) != std::string_view::npos) {
            result += c;
        } else {
            result += fmt::format("\\x{:02x}", byte);
        }
    }
    return result;
}

void print(std::string_view text)
{
    // 127: there is no such program
    constexpr const char* kPager = "LESS=\"${LESS-SRFX}\" ${PAGER-less}; [ $? -ne 127 ] || cat";
    if (pager == nullptr && wants_pager(text)) pager = ::popen(kPager, "we");
    const int error = write_all(pager != nullptr ? ::fileno(pager) : STDOUT_FILENO, visible(text));
    if (pager != nullptr && error == EPIPE) return;  // its reader has seen enough
    if (error != 0) fail(error);
}

void never_page() { may_page = false; }

void end_pager()
{
    if (pager == nullptr) return;
    std::signal(SIGINT, SIG_IGN);  // it is the pager's
    ::pclose(std::exchange(pager, nullptr));
}

void finish_printing()
{
    end_pager();
    if (::close(STDOUT_FILENO) != 0 && errno != EINTR) fail(errno);
}

namespace {

/// A message may quote what somebody wrote: all of many mistakes is shown, a value of 100,000 elements is not.
std::string shortened(std::string_view text)
{
    constexpr std::size_t kLongest = 32'768;
    constexpr std::size_t kPart = 400;  // at each end
    if (text.size() <= kLongest) return std::string(text);
    std::string kept = fmt::format("{} ... ({} characters) ... {}", text.substr(0, kPart), text.size() - 2 * kPart,
                                   text.substr(text.size() - kPart));
    std::replace(kept.begin(), kept.end(), '\n', ' ');  // an array has a line for each element
    return kept;
}

}  // namespace

namespace {

constexpr const char* kToldRoom = "RINGMESH_OUTPUT_ROOM";
bool may_say = true;

}  // namespace

void let_say(bool wanted) { may_say = wanted; }

void say(std::string_view text)
{
    if (!may_say) return;
    constexpr std::size_t kIndent = 10;  // of "ringmesh: "
    const std::string all = "ringmesh: " + visible(shortened(text));
    if (error_is_terminal()) {
        std::string lines;
        for (std::size_t begin = 0; begin <= all.size();) {
            const std::size_t end = std::min(all.find('\n', begin), all.size());
            const std::string_view line = std::string_view(all).substr(begin, end - begin);
            lines += display_width(line) <= error_width() ? std::string(line) : wrapped(line, kIndent, error_width());
            lines += '\n';
            begin = end + 1;
        }
        print_error(lines);
        return;
    }
    print_error(all + '\n');
}

void say_each_line(std::string_view whole)
{
    const std::string kept = shortened(whole);
    std::string_view text = kept;
    for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(std::min(end + 1, text.size()))) {
        end = text.find('\n');
        say(text.substr(0, end));
    }
}

namespace {

bool whole_failures = false;

}  // namespace

void say_failures_whole() { whole_failures = true; }

void say_failure(std::string_view text)
{
    constexpr std::size_t kMostLines = 12;
    constexpr std::size_t kWidest = 200;
    constexpr std::string_view kOf = "ringmesh: ";
    if (whole_failures) return say(text);
    std::vector<std::string> lines;
    std::istringstream all{std::string(text)};
    for (std::string line; std::getline(all, line);) {
        std::istringstream parts(wrapped(line, 4, kWidest - kOf.size()));
        for (std::string part; std::getline(parts, part);) lines.push_back(std::move(part));
    }
    if (lines.size() > kMostLines) {
        const std::size_t left_out = lines.size() - (kMostLines - 1);
        lines.resize(kMostLines - 1);
        lines.push_back(fmt::format("  and {} lines more; --verbose shows them", left_out));
    }
    say(fmt::format("{}", fmt::join(lines, "\n")));
}

void print_error(std::string_view text) { write_all(STDERR_FILENO, text); }

void tell_output_room(const Room& room, bool again)
{
    ::setenv(kToldRoom, fmt::format("{} {}", room.width, room.splits ? 1 : 0).c_str(), again ? 1 : 0);
}

Room output_room()
{
    const char* const told = std::getenv(kToldRoom);
    if (told == nullptr) return {width_of(STDOUT_FILENO), ::isatty(STDOUT_FILENO) == 1};
    std::istringstream text(told);
    std::size_t width = 0;
    bool splits = false;
    if (text >> width >> splits) return {width, splits};
    return {};
}

std::size_t error_width() { return width_of(STDERR_FILENO); }

bool error_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

void end_by_broken_pipe()
{
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
    std::_Exit(128 + SIGPIPE);
}

}  // namespace ringmesh::lab
