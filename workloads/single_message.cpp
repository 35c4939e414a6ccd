// SPDX-License-Identifier: Apache-2.0
#include "workloads/single_message.h"

#include <fmt/format.h>

#include "tlm/error.h"
#include "workloads/messaging/message_bytes.h"

namespace ringmesh::workloads {

SingleMessage::SingleMessage(SciMachine& machine, const RankPair& ranks, std::uint32_t size)
    : message_{.size = size, .sequence = 1},
      ranks_(library_.make_ranks(machine, machine.nodes())),
      from_(ranks_[ranks.from].get()),
      to_(ranks_[ranks.to].get())
{
    for (Rank* rank : {from_, to_}) rank->create_buffer(size);
    connect(ranks_);
    to_->expect(ranks.from, message_);
    poke_message(from_->processor(), from_->address(0), message_);
    from_->processor().run(send(), "sender");
    to_->processor().run(receive(), "receiver");
}

Task<> SingleMessage::send()
{
    const Part bytes{.buffer = 0, .offset = 0, .size = message_.size};
    begun_ = from_->processor().time();
    co_await from_->send(to_->processor().rank(), bytes);
}

Task<> SingleMessage::receive()
{
    const Part room{.buffer = 0, .offset = 0, .size = message_.size};
    co_await to_->receive(from_->processor().rank(), room);
    received_ = to_->processor().time();
}

void SingleMessage::check() const
{
    for (const Rank* rank : {from_, to_}) {
        if (rank->processor().finished()) continue;
        throw ModelError(fmt::format("the program of rank {} did not get past {} bytes{}", rank->processor().rank(),
                                     message_.size, rank->problem()));
    }
}

}  // namespace ringmesh::workloads
