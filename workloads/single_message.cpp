// SPDX-License-Identifier: Apache-2.0
#include "workloads/single_message.h"

namespace ringmesh::workloads {

SingleMessage::SingleMessage(SciMachine& machine, const RankPair& ranks, std::uint32_t size)
    : message_{.size = size, .sequence = 1},
      from_area_(export_receive_area(machine.processor(ranks.from), size)),
      to_area_(export_receive_area(machine.processor(ranks.to), size)),
      from_(machine.processor(ranks.from), from_area_, ranks.to, {.largest = size}),
      to_(machine.processor(ranks.to), to_area_, ranks.from, {.largest = size})
{
    to_.expect(message_);
    machine.processor(ranks.from).run(send(), "sender");
    machine.processor(ranks.to).run(receive(), "receiver");
}

Task<> SingleMessage::send()
{
    begun_ = from_.time();
    co_await from_.send(message_);
}

Task<> SingleMessage::receive()
{
    co_await to_.receive(message_);
    received_ = to_.time();
}

void SingleMessage::check() const
{
    from_.require_finished();
    to_.require_finished();
}

}  // namespace ringmesh::workloads
