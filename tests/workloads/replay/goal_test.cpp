// SPDX-License-Identifier: Apache-2.0
#include "workloads/replay/goal.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tlm/error.h"
#include "workloads/replay/goal_order.h"

namespace {

using ringmesh::UserError;
using ringmesh::test::TemporaryFolder;
using ringmesh::workloads::goal::File;
using ringmesh::workloads::goal::Operation;
using ringmesh::workloads::goal::Order;
using ringmesh::workloads::goal::Rules;
using Kind = Operation::Kind;

const Rules kBuffers{.library = "buffering", .buffered = ~0U, .any_source = true};
const Rules kWaits{.library = "waiting"};
const Rules kSlot{.library = "slot", .one_at_a_time = true};

File file_of(const TemporaryFolder& folder, const std::string& text) { return File(folder.write("a.goal", text)); }

/// The lines of a rank's calls in their order.
std::vector<std::uint32_t> lines_of(const File& file, const Rules& rules, unsigned rank)
{
    Order order(file, rules);
    std::vector<std::uint32_t> lines;
    while (const auto call = order.next(rank)) lines.push_back(call->line);
    return lines;
}

/// The line that an error names; 0: there was none.
unsigned line_refused(const TemporaryFolder& folder, const std::string& text, const Rules& rules = kBuffers)
{
    try {
        const File file = file_of(folder, text);
        Order(file, rules).check();
    } catch (const UserError& error) {
        const std::string said = error.what();
        BOOST_TEST(said.starts_with("a.goal:"), said);
        return static_cast<unsigned>(std::stoul(said.substr(said.find(':') + 1)));
    }
    return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(goal)

BOOST_AUTO_TEST_CASE(a_file_is_counted_and_its_operations_come_in_order)
{
    const TemporaryFolder folder;
    const File file = file_of(folder,
                              "// two ranks\nnum_ranks 3\nrank 0 {\n/* a\nb */ a: calc 5 cpu 2\n"
                              "s: send 300b to 2 tag 9 nic 1\ns requires a\n}\nrank 2 {\nr: recv 400b from 0 tag 9\n"
                              "c: calc 7\nc irequires r\n}\n");
    BOOST_TEST(file.ranks() == 3u);
    BOOST_TEST(file.operations() == 4u);
    BOOST_TEST(file.messages() == 1u);
    BOOST_TEST(file.largest() == 400u);
    BOOST_TEST(file.line_of(0) == 3u);
    BOOST_TEST(file.line_of(1) == 0u);
    File::Reader reader(file, 2);
    const auto receive = reader.next();
    BOOST_TEST((receive.operation.kind == Kind::kReceive));
    BOOST_TEST(receive.operation.peer == 0u);
    BOOST_TEST(receive.operation.tag == 9u);
    BOOST_TEST(receive.operation.amount == 400u);
    const auto calc = reader.next();
    BOOST_TEST_REQUIRE(calc.dependencies.size() == 1u);
    BOOST_TEST(calc.dependencies[0].on == 0u);
    BOOST_TEST(calc.dependencies[0].on_start);
    BOOST_TEST(reader.at_end());
}

BOOST_AUTO_TEST_CASE(what_a_file_requires_first_comes_first_also_if_it_stands_behind)
{
    const TemporaryFolder folder;
    const File file = file_of(folder, "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\nc: calc 1\na requires c\n}\n");
    const auto lines = lines_of(file, kBuffers, 0);
    BOOST_TEST_REQUIRE(lines.size() == 3u);
    BOOST_TEST((std::find(lines.begin(), lines.end(), 5u) < std::find(lines.begin(), lines.end(), 3u)));
}

BOOST_AUTO_TEST_CASE(messages_match_by_source_tag_and_order)
{
    const TemporaryFolder folder;
    // The receive of tag 2 is posted first, the message of tag 1 sent first; the second of tag 1 is too large for it
    const std::string senders =
        "num_ranks 2\nrank 0 {\na: send 8b to 1 tag 1\nb: send 16b to 1 tag 1\nb requires a\n"
        "c: send 32b to 1 tag 2\nc requires b\n}\nrank 1 {\n";
    BOOST_TEST(line_refused(folder, senders + "x: recv 32b from 0 tag 2\ny: recv 8b from 0 tag 1\n"
                                              "z: recv 16b from 0 tag 1\nz requires y\n}\n") == 0u);
    BOOST_TEST(line_refused(folder, senders + "x: recv 32b from 0 tag 2\ny: recv 16b from 0 tag 1\n"
                                              "z: recv 8b from 0 tag 1\nz requires y\n}\n") == 12u);
    BOOST_TEST(line_refused(folder, senders + "x: recv 32b from -1 tag 2\ny: recv 16b from 0 tag -1\n"
                                              "z: recv 16b from -1 tag -1\nz requires y\n}\n") == 0u);
}

BOOST_AUTO_TEST_CASE(a_library_that_waits_has_an_order_in_which_no_rank_waits_for_ever)
{
    const TemporaryFolder folder;
    const std::string swap =
        "num_ranks 2\nrank 0 {\ns: send 8b to 1 tag 0\nr: recv 8b from 1 tag 0\n}\n"
        "rank 1 {\ns: send 8b to 0 tag 0\nr: recv 8b from 0 tag 0\n}\n";
    const File file = file_of(folder, swap);
    const auto first = lines_of(file, kWaits, 0);
    const auto second = lines_of(file, kWaits, 1);
    BOOST_TEST((first == std::vector<std::uint32_t>{3, 4}) != (second == std::vector<std::uint32_t>{7, 8}));
    // Both send first, and nothing buffers
    const std::string circle =
        "num_ranks 2\nrank 0 {\ns: send 8b to 1 tag 0\nr: recv 8b from 1 tag 0\nr requires s\n}\n"
        "rank 1 {\ns: send 8b to 0 tag 0\nr: recv 8b from 0 tag 0\nr requires s\n}\n";
    BOOST_TEST(line_refused(folder, circle, kWaits) != 0u);
    BOOST_TEST(line_refused(folder, circle) == 0u);
}

BOOST_AUTO_TEST_CASE(two_messages_over_one_slot_need_an_answer_between_them)
{
    const TemporaryFolder folder;
    const std::string two = "num_ranks 2\nrank 0 {\na: send 8b to 1 tag 0\nb: send 8b to 1 tag 0\nb requires a\n";
    BOOST_TEST(line_refused(folder,
                            two + "}\nrank 1 {\nx: recv 8b from 0 tag 0\ny: recv 8b from 0 tag 0\n"
                                  "y requires x\n}\n",
                            kSlot) == 4u);
    BOOST_TEST(line_refused(folder,
                            two + "r: recv 8b from 1 tag 0\nr requires a\nb requires r\n}\nrank 1 {\n"
                                  "x: recv 8b from 0 tag 0\nk: send 8b to 0 tag 0\nk requires x\n"
                                  "y: recv 8b from 0 tag 0\ny requires k\n}\n",
                            kSlot) == 0u);
}

namespace {

/// A program of random messages and calcs. An operation depends on some of the ten before it on its rank, and on the
/// last one that it could be mistaken for; so making all in the order in which they were drawn is one way to run it.
std::string random_program(std::mt19937& random, unsigned ranks, unsigned steps)
{
    const auto draw = [&random](unsigned below) { return static_cast<unsigned>(random() % below); };
    std::vector<std::vector<std::string>> lines(ranks);
    std::vector<unsigned> count(ranks);
    std::map<std::string, unsigned> alike;  // the last operation of a rank with this peer and tag
    const auto add = [&](unsigned rank, const std::string& what) {
        const unsigned number = count[rank]++;
        const std::string name = "o" + std::to_string(number);
        lines[rank].push_back(name + ": " + what);
        const auto last = alike.find(std::to_string(rank) + what);
        if (last != alike.end()) lines[rank].push_back(name + " requires o" + std::to_string(last->second));
        alike[std::to_string(rank) + what] = number;
        for (unsigned back = 1; back <= std::min(number, 10u); ++back) {
            if (draw(4) != 0) continue;
            lines[rank].push_back(name + (draw(5) == 0 ? " irequires o" : " requires o") +
                                  std::to_string(number - back));
        }
    };
    for (unsigned step = 0; step < steps; ++step) {
        const unsigned from = draw(ranks);
        if (draw(3) == 0) {
            add(from, "calc " + std::to_string(draw(5000)));
            continue;
        }
        const unsigned to = (from + 1 + draw(ranks - 1)) % ranks;
        const std::string tag = " tag " + std::to_string(draw(3));
        add(from, "send 64b to " + std::to_string(to) + tag);
        add(to, "recv 64b from " + std::to_string(from) + tag);
    }
    std::string text = "num_ranks " + std::to_string(ranks) + "\n";
    for (unsigned rank = 0; rank < ranks; ++rank) {
        text += "rank " + std::to_string(rank) + " {\n";
        for (const std::string& line : lines[rank]) text += line + '\n';
        text += "}\n";
    }
    return text;
}

/// Whether ranks that make these calls one after another, each of which blocks, all come to their end.
bool comes_to_its_end(std::vector<std::deque<Operation>> calls, bool buffers)
{
    std::map<std::tuple<unsigned, unsigned, unsigned>, unsigned> on_the_way;  // source, target, tag
    for (bool moved = true; moved;) {
        moved = false;
        for (unsigned rank = 0; rank < calls.size(); ++rank) {
            if (calls[rank].empty()) continue;
            const Operation call = calls[rank].front();
            if (call.kind == Kind::kCalc) {
                calls[rank].pop_front();
                moved = true;
            } else if (call.kind == Kind::kSend && buffers) {
                ++on_the_way[{rank, call.peer, call.tag}];
                calls[rank].pop_front();
                moved = true;
            } else if (call.kind == Kind::kReceive && buffers) {
                auto& there = on_the_way[{call.peer, rank, call.tag}];
                if (there == 0) continue;
                --there;
                calls[rank].pop_front();
                moved = true;
            } else if (call.kind == Kind::kSend) {
                auto& other = calls[call.peer];
                if (other.empty() || other.front().kind != Kind::kReceive || other.front().peer != rank ||
                    other.front().tag != call.tag) {
                    continue;
                }
                other.pop_front();
                calls[rank].pop_front();
                moved = true;
            }
        }
    }
    return std::all_of(calls.begin(), calls.end(), [](const auto& left) { return left.empty(); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_programs_keep_their_dependencies_and_come_to_their_end)
{
    const TemporaryFolder folder;
    std::mt19937 random(17);
    for (unsigned repetition = 0; repetition < 60; ++repetition) {
        const bool buffers = repetition % 2 == 0;
        const unsigned ranks = 2 + repetition % 7;
        const std::string text = random_program(random, ranks, 200);
        const File file = file_of(folder, text);
        Order order(file, buffers ? kBuffers : kWaits);
        std::vector<std::deque<Operation>> calls(ranks);
        for (unsigned rank = 0; rank < ranks; ++rank) {
            std::map<std::uint32_t, std::uint32_t> place;  // of the operation of a line, in the calls
            while (const auto call = order.next(rank)) {
                BOOST_TEST_REQUIRE(place.emplace(call->line, place.size()).second);
                calls[rank].push_back(*call);
            }
            std::vector<std::uint32_t> line;
            for (File::Reader reader(file, rank); !reader.at_end();) {
                const auto one = reader.next();
                line.push_back(one.operation.line);
                BOOST_TEST_REQUIRE(place.contains(line.back()));
                for (const auto& needed : one.dependencies) {
                    if (needed.on_start) continue;
                    BOOST_TEST_REQUIRE(place[line[needed.on]] < place[line.back()], "repetition " << repetition);
                }
            }
            BOOST_TEST_REQUIRE(place.size() == line.size());
        }
        BOOST_TEST_REQUIRE(comes_to_its_end(calls, buffers), "repetition " << repetition << ":\n" << text);
    }
}

BOOST_AUTO_TEST_CASE(receives_of_any_source_take_each_message_once)
{
    const TemporaryFolder folder;
    std::string text = "num_ranks 5\nrank 0 {\n";
    for (unsigned i = 0; i < 200; ++i) text += "r" + std::to_string(i) + ": recv 64b from -1 tag -1\n";
    text += "}\n";
    for (unsigned rank = 1; rank < 5; ++rank) {
        text += "rank " + std::to_string(rank) + " {\n";
        for (unsigned i = 0; i < 50; ++i) {
            text += "s" + std::to_string(i) + ": send 64b to 0 tag " + std::to_string(i % 3) + '\n';
        }
        text += "}\n";
    }
    const File file = file_of(folder, text);
    Order order(file, kBuffers);
    for (unsigned rank = 0; rank < 5; ++rank) {
        unsigned calls = 0;
        while (order.next(rank)) ++calls;
        BOOST_TEST(calls == (rank == 0 ? 200u : 50u));
    }
    BOOST_TEST(line_refused(folder, text, kWaits) == 3u);  // of any source, which this library does not have
}

BOOST_AUTO_TEST_CASE(a_comment_without_end_is_named_by_its_beginning)
{
    const TemporaryFolder folder;
    BOOST_TEST(line_refused(folder, "num_ranks 2\n/* rank 0 {\nc: calc 5\n}\n") == 2u);
    BOOST_TEST(line_refused(folder, "") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
