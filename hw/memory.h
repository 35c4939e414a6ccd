// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ringmesh::hw {

/// A node's memory: bytes that were really stored. Pages come into being when first written; unwritten bytes read 0.
/// Takes no time itself.
class Memory {
public:
    explicit Memory(std::uint64_t size) : size_(size) {}

    std::uint64_t size() const { return size_; }
    /// @throws ModelError if the range is not inside the memory
    void write(std::uint64_t address, std::span<const std::byte> bytes);
    void read(std::uint64_t address, std::span<std::byte> bytes) const;

private:
    static constexpr std::uint64_t kPage = 4096;
    using Page = std::array<std::byte, kPage>;

    static constexpr std::uint64_t kLeaf = 1024;
    /// Pages of 4 MB.
    using Leaf = std::array<std::unique_ptr<Page>, kLeaf>;

    void check(std::uint64_t address, std::size_t size) const;
    /// Null if nothing was written there.
    const Page* find(std::uint64_t page) const
    {
        const std::uint64_t leaf = page / kLeaf;
        return leaf < leaves_.size() && leaves_[leaf] ? (*leaves_[leaf])[page % kLeaf].get() : nullptr;
    }
    Page& make(std::uint64_t page);

    std::uint64_t size_;
    std::vector<std::unique_ptr<Leaf>> leaves_;  // up to the last one in use
};

}  // namespace ringmesh::hw
