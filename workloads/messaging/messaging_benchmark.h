// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/message.h"
#include "workloads/messaging/messenger.h"
#include "workloads/point_to_point.h"
#include "workloads/sci_workload.h"

namespace ringmesh::workloads {

struct MessagingBenchmarkOptions {
    std::int64_t from = 0;
    std::int64_t to = -1;
    std::string sizes = "64..2048 step 64";
    std::int64_t repetitions = 100;
    std::int64_t series = 1;

    void visit(ParameterVisitor& visitor);
};

/// Two ranks exchange messages through a library, all bytes of each are checked. For each size one exchange warms up,
/// then each series times `repetitions` messages by the from-rank's clock. All sizes run one after another in one
/// simulation; each has its own buffer at both ranks, in which it is sent and received. Every rank of the machine is
/// set up for all others, as a parallel program's would be; those that do not take part run no program.
class MessagingBenchmark : public SciWorkload {
public:
    void visit(ParameterVisitor& visitor) override;
    NodeKind needs() const override { return NodeKind::kProcessor; }
    void start_on(SciMachine& machine) override;
    void check() const override;
    Results results() const override;

protected:
    enum class Exchange : std::uint8_t {
        kPingPong,  ///< to and fro: the latency is half a round trip
        kOneWay,    ///< a stream, of which the receiver answers the last message with one int (mpibench [000 app. B]):
                  ///< the latency is the whole time by the number of messages
    };
    MessagingBenchmark(std::string_view name, Exchange exchange, MessagingBenchmarkOptions options);

    /// One rank's end of the library.
    virtual std::unique_ptr<Messenger> messenger(SciMachine& machine, unsigned rank) = 0;
    virtual void visit_library(ParameterVisitor& visitor) = 0;
    /// @return smallest size of a message
    virtual std::uint32_t smallest() const { return 0; }
    /// Whether ranks receive from their mail box, whoever sent, instead of from the peer.
    virtual bool receives_from_any() const { return false; }
    /// Sentences on the library for the results. @param sum of both ranks
    virtual std::vector<std::string> library_notes(const MessagingStatistics& sum) const = 0;
    /// @throws UserError if the library as it is set cannot carry messages of so many bytes
    virtual void require_carried(const std::vector<std::uint32_t>& sizes) const = 0;

private:
    struct Side {
        unsigned rank = 0;
        unsigned peer = 0;
        unsigned source = 0;  // to receive from
        SciProcessor* processor = nullptr;
        Messenger* messenger = nullptr;
        std::vector<BufferId> buffers;  // one for each size
        BufferId answer = 0;            // of a stream
        Message current;
    };
    void prepare_side(Side& side, Messenger& library) const;
    Task<> measure();
    Task<> answer();
    /// The from-rank's part of so many messages, all of the size of this number.
    Task<> exchange(std::size_t size, std::uint64_t first, std::uint64_t count);
    static Task<> send(Side& side, BufferId buffer, Message message);
    static Task<> receive(Side& side, BufferId buffer, Message message);
    Message outgoing(std::uint64_t number) const;
    Message reply_to(const Message& message) const;
    BufferId reply_buffer(const Side& side, std::size_t size) const;

    std::string name_;
    Exchange exchange_;
    MessagingBenchmarkOptions options_;
    Simulation* simulation_ = nullptr;
    Schedule schedule_;
    std::vector<std::unique_ptr<Messenger>> messengers_;  // by rank
    Side from_;
    Side to_;
    std::vector<SizeLatency> measured_;
};

/// All ranks' ends, through both phases of their set-up. Between them `prepare(rank, messenger)` creates buffers.
template <class Make, class Prepare>
std::vector<std::unique_ptr<Messenger>> connect(unsigned ranks, Make make, Prepare prepare)
{
    std::vector<std::unique_ptr<Messenger>> all;
    for (unsigned rank = 0; rank < ranks; ++rank) {
        all.push_back(make(rank));
        prepare(rank, *all.back());
        all.back()->export_memory();
    }
    for (const auto& messenger : all) messenger->import_memory();
    return all;
}

}  // namespace ringmesh::workloads
