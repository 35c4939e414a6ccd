// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/pc/pc_processor.h"
#include "workloads/ranks/message.h"
#include "workloads/ranks/rank.h"

namespace ringmesh::workloads {

/// Writes all bytes of a message into a buffer. Takes no time.
void poke_message(Processor& processor, std::uint64_t address, const Message& message);

/// @throws ModelError if a byte of the received message is wrong
void require_bytes(const Processor& processor, std::uint64_t address, const Message& message, unsigned from);
/// @throws ModelError if the received message is from another rank, of another size, or a byte of it is wrong
void require_message(const Processor& processor, std::uint64_t address, const Message& message,
                     const Received& received, unsigned from);

}  // namespace ringmesh::workloads
