// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

/// Fragmentation of a broadcast: into parts, one per round, and of a part into pieces that are pipelined along a line
/// of cores.
namespace ringmesh::workloads::broadcast {

inline constexpr std::uint32_t kCubePart = 4096;  ///< bytes [004 5.5]
inline constexpr std::uint32_t kDoplPart = 8192;  ///< bytes [004 6.3]
inline constexpr std::uint32_t kDoplPipe = 2048;  ///< bytes [004 6.3]

/// Pieces of one size; the last is the rest.
struct Cut {
    std::int64_t count = 0;
    std::int64_t piece = 0;  ///< bytes of each but the last
    std::int64_t total = 0;  ///< bytes of all

    std::int64_t offset(std::int64_t i) const { return i * piece; }
    /// Also for the piece before the first, which one of the thesis' transfers moves.
    std::int64_t size(std::int64_t i) const { return i == count - 1 ? total - (count - 1) * piece : piece; }
};

/// @pre both are at least 1
constexpr Cut cut(std::int64_t total, std::int64_t piece) { return {(total + piece - 1) / piece, piece, total}; }

constexpr Cut whole(std::int64_t total) { return {1, total, total}; }

/// Into so many pieces of equal size, as far as whole bytes allow; fewer if these already reach the total.
/// @pre both are at least 1
constexpr Cut cut_equally(std::int64_t total, std::int64_t count) { return cut(total, (total + count - 1) / count); }

/// The pieces of a part's `size` bytes along a line: of `pipe` bytes or, if equal, as many as a whole part has. @pre 1
/// <= pipe <= part, 1 <= size
constexpr Cut pieces(std::int64_t size, std::int64_t part, std::int64_t pipe, bool equal)
{
    return equal ? cut_equally(size, part / pipe) : cut(size, pipe);
}

}  // namespace ringmesh::workloads::broadcast
