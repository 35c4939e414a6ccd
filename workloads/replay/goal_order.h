// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workloads/replay/goal.h"

namespace ringmesh::workloads::goal {

/// What a library makes of a message.
struct Rules {
    std::string library;         ///< its name, for messages
    std::uint32_t buffered = 0;  ///< bytes of the largest message whose send does not wait for its receiver
    bool any_source = false;     ///< a receive may take a message of any rank
    bool one_at_a_time = false;  ///< a message is overwritten by the next one to the same rank
    std::uint32_t smallest = 0;  ///< bytes of the smallest message
};

/// The order in which each rank makes its calls, one after another, of a file whose operations say only what waits for
/// what. It is found by walking through the program with rough times (`kStart`, `kPerByte`, calc as it is): each rank
/// takes next what could begin first. A message that its library does not buffer takes its turn at both ranks at once,
/// so calls in this order cannot wait for each other in a circle, and messages of two ranks have the same order at
/// both.
///
/// An operation has started, for those that `irequires` it, once nothing is left that it waits for (a message) or when
/// it begins (a calc). Sends match receives by source, tag and the order in which they could start.
///
/// Holds `kWindow` unfinished operations of each rank, more only if none of these can go on.
class Order {
public:
    static constexpr std::size_t kWindow = 1024;
    static constexpr double kStart = 2'000;  ///< ns of a message
    static constexpr double kPerByte = 1;    ///< ns

    Order(const File& file, const Rules& rules);

    /// A rank's next call; none: it has made all. @throws UserError naming the lines if no order exists, or the library
    /// cannot carry the messages so
    std::optional<Operation> next(unsigned rank);
    /// The rank's next receive, which next() will give later.
    const Operation* next_receive(unsigned rank);
    /// Walks through the whole program. @throws UserError as next()
    void check();

private:
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    struct Node {
        Operation operation;
        std::uint32_t waits = 0;          // operations that must be over, or have started
        double available = 0;             // ns, by the rough times
        std::vector<std::uint32_t> then;  // that wait for its end
        std::vector<std::uint32_t> then_start;
        bool posted = false;
        std::uint64_t partner = kNone;  // of a message, once it is known
        bool has_left = false;          // of a receive: its message was sent before and buffered
        double arrival = 0;             // likewise
    };
    /// Rank and number of an operation, in one number.
    static std::uint64_t id(unsigned rank, std::uint32_t index) { return std::uint64_t{rank} << 32U | index; }
    static unsigned rank_of(std::uint64_t id) { return static_cast<unsigned>(id >> 32U); }
    static std::uint32_t index_of(std::uint64_t id) { return static_cast<std::uint32_t>(id); }

    /// A message on its way to its receive, or the receive.
    struct Posted {
        std::uint64_t number = 0;  // of its posting, among all
        std::uint64_t who = 0;
        Operation operation;
        bool has_left = false;  // a send that is over
        double arrival = 0;     // likewise
    };
    using Way = std::pair<std::uint32_t, std::uint32_t>;  // the other rank, and the tag

    struct Rank {
        explicit Rank(File::Reader from) : reader(std::move(from)) {}
        File::Reader reader;
        std::uint32_t read = 0;
        std::unordered_map<std::uint32_t, Node> open;  // read, not yet in the order
        double free = 0;                               // when it has made its calls, by the rough times
        std::deque<Operation> calls;
        // What has no partner yet, by source and tag, in the order in which it was posted
        std::map<Way, std::deque<Posted>> sends, receives;
        std::deque<Posted> wild;  // receives with a wild card
        // Own sends that are not yet in the order, by target and tag: they do not overtake each other
        std::map<Way, std::deque<std::uint32_t>> unsent;
        std::vector<std::uint32_t> knows;  // how many messages each rank has received, where that matters
    };
    struct Candidate {
        double time = 0;
        std::uint64_t number = 0;
        std::uint64_t who = 0;  // a calc, a buffered send, or a receive, with its send if that is not buffered
        bool operator>(const Candidate& other) const
        {
            return time != other.time ? time > other.time : number > other.number;
        }
    };

    Node& node(std::uint64_t id) { return ranks_[rank_of(id)].open.at(index_of(id)); }
    bool is_buffered(const Operation& send) const { return send.amount <= rules_.buffered; }
    void fill(unsigned rank, std::size_t wanted);
    void post(std::uint64_t who);
    void match_send(std::uint64_t send);
    void match_receive(std::uint64_t receive);
    void pair(const Posted& send, std::uint64_t receive);
    /// Adds what may go now.
    void offer(std::uint64_t who);
    std::optional<double> time_of(std::uint64_t who);
    bool is_first_unsent(std::uint64_t send);
    void leave(std::uint64_t send);
    bool advance();
    void place(const Candidate& candidate);
    void call(std::uint64_t who, double begin, double end);
    void started(std::uint64_t who, double at);
    void satisfied(unsigned rank, const std::vector<std::uint32_t>& those, double at);
    void require_known(unsigned sender, std::uint64_t receive, std::uint64_t send);
    /// What an operation that cannot go on waits for, and why.
    std::pair<std::uint64_t, std::string> reason(std::uint64_t who);
    [[noreturn]] void refuse_circle();

    const File& file_;
    const Rules rules_;
    std::vector<Rank> ranks_;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
    std::uint64_t number_ = 0;
    std::vector<std::uint32_t> received_;  // messages of each rank, where it matters
    std::vector<std::uint32_t> received_in_;
    bool keeps_calls_ = true;
};

}  // namespace ringmesh::workloads::goal
