// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tlm/pc/pc_processor.h"
#include "workloads/message.h"

namespace ringmesh::workloads {

/// Creates and exports the shared segment in which a processor receives messages of up to `largest` bytes. Call it
/// before creating any endpoint of a peer. @return its address @throws UserError if it does not fit into the memory
std::uint64_t export_receive_area(PcProcessor& processor, std::uint32_t largest);

/// One side of an exchange of messages: it stores into its peer's receive area and polls its own.
///
/// A polled word may hold stale bytes of messages of other sizes. So each side clears the word of the next message
/// (`expect`) before it sends: the peer sends that message only afterwards.
class Endpoint {
public:
    struct Layout {
        std::uint32_t largest = 0;  ///< size of the largest message
        bool aligned = true;
        Stores stores = Stores::kAuto;
    };
    /// @param receive_area what export_receive_area returned for this processor; its endpoints share it
    /// @throws UserError if the peer's receive area cannot be mapped
    Endpoint(PcProcessor& processor, std::uint64_t receive_area, unsigned peer, const Layout& layout);

    /// One call into the library, then the stores.
    Task<> send(Message message);
    /// The same for the bytes in `outgoing`, of a message of this size.
    Task<> send_outgoing(std::uint32_t size);
    std::span<std::byte> outgoing(std::uint32_t size) { return std::span(outgoing_).first(size); }
    /// Polls the last word until the message has arrived, checks every byte of it, then leaves the library. Packets may
    /// overtake each other: it waits for bytes that arrive after the word. (The original does not check them.)
    Task<> receive(Message message);
    void expect(const Message& message);
    /// The bytes of the last received message.
    std::span<const std::byte> incoming(std::uint32_t size) const { return std::span(incoming_).first(size); }

    Duration time() const { return processor_.time(); }
    /// Messages whose last word arrived before other bytes.
    std::uint64_t overtaken() const { return overtaken_; }
    /// @throws ModelError naming the message at which the program stopped, and what is wrong with it
    void require_finished() const;
    /// "; there, byte 3 of its receive area is ...", or nothing if all bytes of the message are right.
    std::string problem(const Message& message) const;

private:
    std::uint64_t local_address(std::uint32_t size) const;
    std::optional<WrongByte> wrong_byte(const Message& message) const;

    PcProcessor& processor_;
    Layout layout_;
    std::uint64_t own_area_;   // local address
    std::uint64_t peer_area_;  // where the peer's is mapped
    Message current_;
    std::uint64_t overtaken_ = 0;
    std::vector<std::byte> outgoing_;
    mutable std::vector<std::byte> incoming_;  // scratch
};

}  // namespace ringmesh::workloads
