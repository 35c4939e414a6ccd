// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/messaging/message_bytes.h"

#include <fmt/format.h>

#include <vector>

#include "tlm/error.h"
#include "tlm/machine/program_runner.h"

namespace ringmesh::workloads {

void poke_message(Processor& processor, std::uint64_t address, const Message& message)
{
    std::vector<std::byte> bytes(message.size);
    write_message(message, bytes);
    processor.poke(address, bytes);
}

void require_message(const Processor& processor, std::uint64_t address, const Message& message,
                     const Received& received, unsigned from)
{
    if (received.from != from || (received.tells_size && received.size != message.size)) {
        throw WrongBytes(fmt::format("rank {} received {} bytes of rank {} instead of {} bytes of rank {}",
                                     processor.rank(), received.size, received.from, message.size, from));
    }
    require_bytes(processor, address, message, from);
}

void require_bytes(const Processor& processor, std::uint64_t address, const Message& message, unsigned from)
{
    std::vector<std::byte> bytes(message.size);
    processor.peek(address, bytes);
    const auto wrong = first_wrong_byte(message, bytes);
    if (!wrong) return;
    throw WrongBytes(fmt::format("byte {} of {} that rank {} received of rank {} is {:#04x} instead of {:#04x}",
                                 wrong->index, message.size, processor.rank(), from,
                                 std::to_integer<unsigned>(wrong->found), std::to_integer<unsigned>(wrong->expected)));
}

}  // namespace ringmesh::workloads
