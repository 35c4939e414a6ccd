// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tlm/sci/sci_processor.h"
#include "workloads/message.h"

namespace ringmesh::workloads {

/// Makes the shared segment in which a processor receives messages of up to `largest` bytes, and exports it; before any
/// endpoint of a peer. @return its address @throws UserError if it does not fit into the memory
std::uint64_t export_receive_area(SciProcessor& processor, std::uint32_t largest);

/// One side of an exchange of messages: it stores into its peer's receive area and polls its own.
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
    /// @param receive_area what export_receive_area returned for this processor; its endpoints share it
    /// @throws UserError if the peer's receive area cannot be mapped
    Endpoint(SciProcessor& processor, std::uint64_t receive_area, unsigned peer, const Layout& layout);

    /// One call into the library, then the stores.
    Task<> send(Message message);
    /// The same of bytes that were put into `outgoing`, of a message of this size.
    Task<> send_outgoing(std::uint32_t size);
    std::span<std::byte> outgoing(std::uint32_t size) { return std::span(outgoing_).first(size); }
    /// Polls the last word until the message is there, checks every byte of it, then leaves the library. Packets may
    /// overtake each other: it waits for bytes that come after the word. (The original does not look at them.)
    Task<> receive(Message message);
    void expect(const Message& message);
    /// Of the message that was received last.
    std::span<const std::byte> incoming(std::uint32_t size) const { return std::span(incoming_).first(size); }

    Duration time() const { return processor_.time(); }
    /// Messages whose last word came before other bytes.
    std::uint64_t overtaken() const { return overtaken_; }
    /// @throws ModelError naming the message that the program did not get past, and what is wrong with it
    void require_finished() const;
    /// "; there, byte 3 of its receive area is ...", or nothing if all bytes of the message are right.
    std::string problem(const Message& message) const;

private:
    std::uint64_t local_address(std::uint32_t size) const;
    std::optional<WrongByte> wrong_byte(const Message& message) const;

    SciProcessor& processor_;
    Layout layout_;
    std::uint64_t own_area_;   // local address
    std::uint64_t peer_area_;  // where the peer's is mapped
    Message current_;
    std::uint64_t overtaken_ = 0;
    std::vector<std::byte> outgoing_;
    mutable std::vector<std::byte> incoming_;  // scratch
};

}  // namespace ringmesh::workloads
