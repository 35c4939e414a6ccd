// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ringmesh::workloads::vertex {

/// A node's memory for system buffers: first fit, adjacent free blocks are merged.
class BufferPool {
public:
    BufferPool(std::uint64_t base, std::uint64_t size);

    /// @return the address; empty if no gap is large enough
    std::optional<std::uint64_t> allocate(std::uint32_t size);
    bool has_room(std::uint32_t size) const;
    /// @throws ModelError if part of it is free already
    void release(std::uint64_t address, std::uint32_t size);

    std::uint64_t size() const { return size_; }
    std::uint64_t used() const { return used_; }
    std::uint64_t highest() const { return highest_; }

    /// The space for a message of so many bytes.
    static std::uint32_t rounded(std::uint32_t bytes);

private:
    struct Gap {
        std::uint64_t address = 0;
        std::uint64_t size = 0;
    };
    std::vector<Gap> gaps_;  // by address, never touching
    std::uint64_t size_;
    std::uint64_t used_ = 0;
    std::uint64_t highest_ = 0;
};

}  // namespace ringmesh::workloads::vertex
