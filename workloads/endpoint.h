// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tlm/processor.h"
#include "workloads/message.h"

namespace ringmesh::workloads {

/// One side of an exchange of messages: it stores into its peer's receive area and polls its own. The receive area lies at
/// the same offset in every node's memory.
///
/// A polled word may hold anything left over from messages of other sizes. So each side clears the word of the message
/// that it will receive next (`expect`) before it hands over the turn: the peer sends that message only afterwards.
class Endpoint {
public:
    struct Layout {
        std::uint32_t largest = 0;  ///< size of the largest message
        bool aligned = true;
        Stores stores = Stores::kAuto;
    };
    /// @throws UserError if the peer's receive area cannot be mapped
    Endpoint(Processor& processor, unsigned peer, const Layout& layout);

    /// One call into the library, then the stores.
    Task<> send(Message message);
    /// Polls until the message is there, checks every byte of it, then leaves the library.
    /// @throws ModelError naming the first wrong byte
    Task<> receive(Message message);
    void expect(const Message& message);

    Duration time() const { return processor_.time(); }
    /// @throws ModelError naming the message that the program did not get past
    void require_finished() const;

private:
    std::uint64_t local_address(std::uint32_t size) const;
    void check_bytes(const Message& message);

    Processor& processor_;
    Layout layout_;
    std::uint64_t peer_area_;
    Message current_;
    std::vector<std::byte> outgoing_;
    std::vector<std::byte> incoming_;
};

}  // namespace ringmesh::workloads
