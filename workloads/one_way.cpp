// SPDX-License-Identifier: Apache-2.0
#include "workloads/one_way.h"

#include <utility>

namespace ringmesh::workloads {

OneWay::OneWay(PointToPointOptions options)
    : PointToPoint({.name = "one-way", .messages_per_repetition = 1, .answers_every_message = false},
                   std::move(options))
{}

Task<> OneWay::exchange(std::uint64_t first, std::uint64_t count)
{
    const Message last = schedule().message(first + count - 1);
    from().expect(last);
    for (std::uint64_t number = first; number < first + count; ++number) {
        const Message message = schedule().message(number);
        co_await from().send(message);
    }
    co_await from().receive(last);
}

}  // namespace ringmesh::workloads
