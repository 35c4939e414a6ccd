// SPDX-License-Identifier: Apache-2.0
/// What commands print fits terminals of usual widths.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "lab/table/writers/text_table.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh::test;

/// What a terminal of so many columns gets from the program on standard output, or on standard error.
std::string on_terminal(unsigned short columns, const std::string& arguments, const char* other = " 2>/dev/null",
                        const char* pager = "cat")
{
    const winsize size{.ws_row = 50, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    int terminal = -1;
    const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (pid < 0) throw std::runtime_error("no terminal");
    if (pid == 0) {
        ::setenv("PAGER", pager, 1);
        ::setenv("TERM", "xterm", 1);
        ::execl("/bin/sh", "sh", "-c", ("'" RINGMESH_EXECUTABLE "' " + arguments + other).c_str(), nullptr);
        ::_exit(127);
    }
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t got; (got = ::read(terminal, buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    ::close(terminal);
    int status = 0;
    ::waitpid(pid, &status, 0);
    BOOST_TEST(WEXITSTATUS(status) <= 2, arguments);  // 1: a validation that fails, 2: a mistake that is told
    std::erase(text, '\r');
    return text;
}

void require_width(const std::string& text, std::size_t width, const std::string& what)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        BOOST_TEST(ringmesh::lab::display_width(line) <= width, what << " at " << width << ": " << line);
    }
}

const std::vector<std::string> kCommands{
    "help",
    "help run",
    "help study run",
    "help explain",
    "list platforms",
    "list signals wulfkit-ring",
    "list overlays",
    "list workloads",
    "list workloads ping-pong",
    "list libraries",
    "list parameters wulfkit-ring",
    "list policies",
    "list functions",
    "list studies",
    "run wulfkit-ring --workload ping-pong:repetitions=2,series=2",
    "run mesh-8x8 --workload traffic:duration=5us,load=0.1 --statistics",
    "run wulfkit-ring --workload ping-pong:repetitions=2,series=2 --every-block",
    "sweep wulfkit-ring --workload ping-pong:repetitions=2,series=2 --axis link.symbol_time=5ns,2.5ns",
    "explain wulfkit-ring --from 0 --to 2",
    "explain wulfkit-torus-3x3 --from 0 --to 8 --library deck",
    "explain scc --from 0 --to 47 --bytes 32",
    "explain ncube-64 --from 0 --to 3",
    "explain mesh-8x8 --workload traffic:load=0.3,duration=1us",
    "validate mesh",
    "validate mesh --details",
    "saturate wulfkit-ring --workload traffic:duration=20us --interval 0.2 --longest 2",
    "whatif wulfkit-ring --workload ping-pong:repetitions=2,series=2 --set link.symbol_time=2.5ns"};

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(width)

BOOST_DATA_TEST_CASE(what_is_printed_fits_the_terminal, data::make(kCommands), command)
{
    std::string widest;
    for (const unsigned short columns : std::vector<unsigned short>{80, 100, 120, 200}) {
        const std::string text = on_terminal(columns, command);
        BOOST_TEST_REQUIRE(!text.empty(), command);
        require_width(text, columns, command);
        widest = text;
    }
    // Where there is room, less is broken
    const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
    BOOST_TEST(lines(widest) <= lines(on_terminal(80, command)));
}

/// Of 50 rows.
BOOST_AUTO_TEST_CASE(what_is_longer_than_the_terminal_goes_to_the_pager)
{
    const auto paged = [](const std::string& arguments, const char* pager = "sed s/^/paged:/") {
        return on_terminal(80, arguments, "", pager).find("paged:") != std::string::npos;
    };
    BOOST_TEST(paged("list parameters wulfkit-ring"));
    BOOST_TEST(!paged("list parameters wulfkit-ring --no-pager"));
    BOOST_TEST(!paged("version"));
    const std::string whole = on_terminal(80, "list parameters wulfkit-ring");
    BOOST_TEST(on_terminal(80, "list parameters wulfkit-ring", "", "") == whole);
    BOOST_TEST(contains(on_terminal(80, "list parameters wulfkit-ring", "", "no-such-pager"), whole));
    // Who leaves the pager early has read the answer
    BOOST_TEST(on_terminal(80, "list parameters wulfkit-ring; echo status $?", "", "head -1").ends_with("status 0\n"));
}

/// Messages, and the line that shows progress, which is written over itself.
BOOST_AUTO_TEST_CASE(what_is_said_fits_the_terminal)
{
    for (const unsigned short columns : std::vector<unsigned short>{80, 100, 120, 200}) {
        for (const std::string& command : std::vector<std::string>{
                 "run mesh-8x8 --workload traffic:duration=200us,load=0.3 --fresh --csv /dev/null",
                 "run mesh-8x8 --workload traffic:duration=1us --fst /dev/shm/width.fst --window first:nothing-like-it",
                 "run wulfkit-ring --workload traffic:lod=0.3", "list parameters no-such-platform-at-all"}) {
            std::string text = on_terminal(columns, command, " >/dev/null");
            BOOST_TEST(!text.empty(), command);
            const std::size_t duration = command.find("200us");
            for (const char* longer : {"800us", "3200us"}) {  // a fast machine is done before it shows progress
                if (duration == std::string::npos || contains(text, " %, ")) break;
                text = on_terminal(columns, std::string(command).replace(duration, 5, longer), " >/dev/null");
            }
            BOOST_TEST((duration == std::string::npos || contains(text, " %, ")), text);
            constexpr std::string_view kErase = "\033[K";
            for (std::size_t at = 0; (at = text.find(kErase, at)) != std::string::npos;) {
                text.replace(at, kErase.size(), "\n");
            }
            require_width(text, columns, command);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
