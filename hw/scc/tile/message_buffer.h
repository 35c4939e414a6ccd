// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hw/scc/core/core_port.h"
#include "tlm/statistics/shown.h"

namespace ringmesh::hw {

/// MPB: the bytes of a tile's message-passing buffer, core 0's half and core 1's, and their watchers. Takes no time
/// itself: the tile models the port.
class MessageBuffer {
public:
    static constexpr std::size_t kBytes = 16 * 1024;
    static constexpr std::size_t kHalf = kBytes / 2;
    static constexpr std::size_t kLines = kBytes / kCacheLine;
    /// Of each half, which waveforms show: where RCCE keeps its flags.
    static constexpr std::size_t kShownLines = 4;

    /// Reads into the payload or writes its enabled bytes, and calls the watchers of a written line.
    /// @pre contains() the payload's range
    void serve(::tlm::tlm_generic_payload& payload, std::uint64_t offset, std::uint64_t id);

    static constexpr bool contains(std::uint64_t offset, std::size_t size)
    {
        return offset < kBytes && size <= kBytes - offset;
    }
    /// @throws ModelError if the range is not inside the buffer
    void read(std::uint64_t offset, std::span<std::byte> into) const;
    /// Calls no watcher.
    void write(std::uint64_t offset, std::span<const std::byte> from);

    /// As ChipBytes::watch(). @throws ModelError if the place is outside the buffer
    void watch(const SystemAddress& place, CoreSide& core);
    void unwatch(const SystemAddress& place, CoreSide& core);
    /// Calls the watchers of these bytes' lines.
    void changed(std::uint64_t offset, std::size_t size, std::uint64_t id);

    /// Eight bytes as a number, for waveforms: a stable reference. @pre i < kBytes / 8
    const std::uint64_t& word(std::size_t i) const { return words_[i]; }
    /// @pre the word lies in a shown line
    const ValueWatch& watch(std::size_t i) const { return watches_[i / kWordsOfHalf][i % kWordsOfHalf]; }

private:
    struct Watcher {
        SystemAddress place;
        CoreSide* core = nullptr;

        bool operator==(const Watcher&) const = default;
    };

    static constexpr std::size_t kWordsOfHalf = kHalf / 8;
    static constexpr std::size_t kShownWords = kShownLines * kCacheLine / 8;

    std::array<std::uint64_t, kBytes / 8> words_{};
    std::array<std::array<ValueWatch, kShownWords>, 2> watches_;
    std::vector<Watcher> watchers_;
    std::vector<Watcher> called_;                 // being called by changed()
    std::array<std::uint8_t, kLines> watched_{};  // number of watchers
};

}  // namespace ringmesh::hw
