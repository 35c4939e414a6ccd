// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/libraries/deck/options.h"
#include "workloads/ranks/rank.h"

namespace ringmesh::workloads::deck {

/// A message of the program [002 III.C]. Its buffer has room for a header before it and for padding.
struct MessageObject {
    std::uint32_t size = 0;  ///< bytes that it was created for
    bool shared = false;     ///< its buffer lies in the segment of message objects, which all other ranks have mapped
    std::uint64_t address = 0;  ///< of its buffer
    std::uint64_t offset = 0;   ///< of its buffer in the segment
};

/// The message objects of a rank. Those created above the limit have their buffers in shared memory: one segment, which
/// all others map. A forced protocol decides instead: 3 puts every buffer there, 1 and 2 none.
class MessageObjects {
public:
    explicit MessageObjects(const Options& options) : options_(options) {}

    /// @return its number @throws UserError if the protocol for an object of that size cannot carry so many bytes
    BufferId create(std::uint32_t size);
    const MessageObject& at(BufferId number) const { return objects_.at(number); }
    /// Bytes of the segment; at least one block, so that there always is one.
    std::uint64_t shared_bytes() const { return kBlockBytes + shared_; }
    std::uint64_t local_bytes() const { return kBlockBytes + local_; }
    /// Gives all buffers their addresses.
    void place(std::uint64_t segment, std::uint64_t local_memory);

    /// The protocol for so many bytes of this object. @throws UserError if it cannot carry them
    Choice protocol_for(const MessageObject& object, std::uint32_t size) const;

private:
    void require_carried(Choice protocol, std::uint32_t size) const;

    const Options& options_;
    std::vector<MessageObject> objects_;
    std::uint64_t shared_ = 0;
    std::uint64_t local_ = 0;
};

}  // namespace ringmesh::workloads::deck
