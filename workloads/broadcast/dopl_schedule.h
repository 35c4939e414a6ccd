// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ringmesh::workloads::broadcast {

/// Where DOPL sees the cores of an SCC: rows of six, of which two lie in each row of tiles, the even cores of the tiles
/// and the odd ones. The next of a row is one link away, the next row no link or one [004 6.2].
class DoplGrid {
public:
    static constexpr unsigned kColumns = 6;
    static constexpr unsigned kCoresOfTileRow = 2 * kColumns;

    struct Place {
        unsigned row = 0;
        unsigned column = 0;
        bool operator==(const Place&) const = default;
    };
    /// @pre the cores are full rows of tiles: fits(cores)
    explicit DoplGrid(unsigned cores) : rows_(cores / kColumns) {}

    static bool fits(unsigned cores) { return cores > 0 && cores % kCoresOfTileRow == 0; }
    unsigned rows() const { return rows_; }
    Place place(unsigned core) const
    {
        const unsigned in_row_of_tiles = core % kCoresOfTileRow;
        return {core / kCoresOfTileRow * 2 + in_row_of_tiles % 2, in_row_of_tiles / 2};
    }
    unsigned core(Place place) const { return place.row / 2 * kCoresOfTileRow + 2 * place.column + place.row % 2; }

private:
    unsigned rows_;
};

/// What one core does in one round; a part is -1 if there is none. The first of a line, its head, pipes a part and
/// takes the part before from the tail, unless it is the source, which has all. The tail receives a part and gives its
/// head the part before. All others pass on what they receive.
struct DoplRound {
    unsigned previous = 0;  ///< whom it receives from
    unsigned next = 0;      ///< whom it sends to
    std::int64_t received = -1;
    std::int64_t sent = -1;
    bool receives_whole = false;  ///< wrap-around: the part comes in one piece, not in pieces
    bool sends_whole = false;
    bool operator==(const DoplRound&) const = default;
};

/// The dimension-order pipelined broadcast of Watts and van de Geijn [004 ch. 6] as one core sees it, in parts + 1
/// rounds: in even ones the lines go over the rows, in odd ones over the columns. The line of the source carries a new
/// part, the others the one before, which their heads got in the last round or, from the tail, in this one for the
/// next. Lines are closed: whoever stands behind the source is its tail.
class DoplSchedule {
public:
    /// @pre DoplGrid::fits(cores), core and source < cores, parts >= 1
    DoplSchedule(unsigned cores, unsigned core, std::int64_t parts, unsigned source = 0);

    std::int64_t rounds() const { return parts_ + 1; }
    /// @pre 0 <= round < rounds()
    DoplRound at(std::int64_t round) const;

private:
    DoplGrid grid_;
    DoplGrid::Place me_;
    DoplGrid::Place source_;
    std::int64_t parts_;
};

}  // namespace ringmesh::workloads::broadcast
