// SPDX-License-Identifier: Apache-2.0
#include "workloads/ping_pong.h"

#include <utility>

namespace ringmesh::workloads {

PingPong::PingPong(PointToPointOptions options)
    : PointToPoint({.name = "ping-pong", .messages_per_repetition = 2, .answers_every_message = true},
                   std::move(options))
{}

Task<> PingPong::exchange(std::uint64_t first, std::uint64_t count)
{
    for (std::uint64_t number = first; number < first + count; ++number) {
        const Message message = schedule().message(number);
        from().expect(message);
        co_await from().send(message);
        co_await from().receive(message);
    }
}

}  // namespace ringmesh::workloads
