// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tlm/parameters/names.h"
#include "workloads/programs/rank_program.h"
#include "workloads/ranks/message.h"

namespace ringmesh::workloads {

/// The exchange of a program between two ranks.
enum class Exchange : std::uint8_t {
    kPingPong,  ///< the latency is half a round trip [000 Fig. 7]
    kOneWay,  ///< a stream, of which the receiver answers the last message: the latency is the whole time by the number
              ///< of messages [000 Fig. 6], so the time between two of them rather than the time of one
};

/// How the receiver answers a stream.
enum class Answer : std::uint8_t {
    kInt,   ///< by one int, as mpibench does [000 app. B]
    kSame,  ///< by a message of the same size, as scibench does [000 app. A]
};

/// What carries a message.
enum class By : std::uint8_t {
    kMessages,
    kPut,  ///< the sender puts it into the receiver's window and sets a flag there; the receiver takes it out
    kGet,  ///< the sender puts it into its own window and sets the receiver's flag; the receiver gets it
};

struct PointToPointOptions {
    std::int64_t from = 0;
    std::string to = "opposite";
    std::string sizes = "64..512 step 64";
    std::int64_t repetitions = 20;
    std::int64_t series = 5;
    bool any_source = false;
    bool meet = false;             ///< of a ping-pong
    Cycles pause{0};               ///< likewise
    By by = By::kMessages;         ///< likewise
    Answer answer = Answer::kInt;  ///< of a stream

    void visit(ParameterVisitor& visitor, Exchange exchange);
};

/// The options of the library's published benchmark.
PointToPointOptions as_measured(Measured by, Exchange exchange);

/// Two ranks exchange messages; every byte is checked. For each size and each partner one warm-up exchange, then each
/// series times `repetitions` of them by the from-rank's clock. All run sequentially in one simulation. Other ranks run
/// no program, unless all meet in a barrier before each pair.
class PointToPoint final : public RankProgram {
public:
    PointToPoint(Exchange exchange, std::unique_ptr<Library> library, PointToPointOptions options);

    /// Puts and gets use more than the library's messages.
    ProgramUse uses() override;
    Results results() const override;

private:
    /// A size with a partner.
    struct Pair {
        unsigned to = 0;
        std::size_t size = 0;           // in sizes_
        std::vector<Duration> elapsed;  ///< of each series
    };
    void visit_options(ParameterVisitor& visitor) override { options_.visit(visitor, exchange_); }
    void prepare() override;
    Started program(unsigned rank) override;
    std::string doing(unsigned rank) const override;
    std::string ranks_share() const override { return {}; }
    void add_up_ranks(Totals& totals) override;

    Task<> run(unsigned rank);
    Task<> measure(std::size_t pair);
    /// The from-rank's part of so many messages.
    Task<> exchange(std::size_t pair, std::uint64_t first, std::uint64_t count);
    Task<> answer(std::size_t pair);
    Task<> send(unsigned at, unsigned to, std::size_t buffer, Message message);
    Task<> receive(unsigned at, unsigned from, std::size_t buffer, Message message);
    /// Announces to a rank the first message from this one on that it will answer.
    void expect_next(unsigned at, std::size_t pair, std::uint64_t number);
    /// The n-th message of a pair, there and back.
    Message outgoing(std::size_t pair, std::uint64_t number) const;
    Message reply_to(const Message& message) const;
    std::size_t reply_buffer(std::size_t pair) const;
    /// Before they are connected. @throws UserError if the messages do not fit the windows
    void create_flags();
    /// Of the flag for the n-th message to a rank: never that of the one before.
    static std::uint8_t flag_value(std::uint64_t number) { return static_cast<std::uint8_t>(1 + number % 2); }
    std::vector<unsigned> partners();
    bool takes_part(unsigned rank) const;
    std::uint64_t per_pair() const;
    /// Whether the receiver answers it.
    bool awaited(std::uint64_t number) const;
    void add_notes(Results& results) const;

    Exchange exchange_;
    PointToPointOptions options_;
    std::vector<std::uint32_t> sizes_;
    std::vector<Pair> pairs_;
    /// Buffers of each rank: one for each size and one for the answer to a stream, or one for all.
    std::vector<std::vector<BufferId>> buffers_;
    std::vector<Message> current_;  // of each rank
    Group all_ = 0;
    OneSided::Flag flag_ = 0;                          // of messages by put or get
    std::vector<std::uint64_t> signalled_, received_;  // of each rank, likewise
    std::uint64_t done_ = 0;                           // series
};

}  // namespace ringmesh::workloads
