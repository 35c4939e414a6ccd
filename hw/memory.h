// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

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

    void check(std::uint64_t address, std::size_t size) const;

    std::uint64_t size_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;  // looked up only, never walked
};

}  // namespace ringmesh::hw
