// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ringmesh::workloads::broadcast {

/// Rows and columns in which DOPL sees the ranks.
class DoplGrid {
public:
    static constexpr unsigned kTileColumns = 6;
    static constexpr unsigned kCoresOfTileRow = 2 * kTileColumns;

    struct Place {
        unsigned row = 0;
        unsigned column = 0;
        bool operator==(const Place&) const = default;
    };
    /// Ranks row by row. @pre at least two of each
    DoplGrid(unsigned rows, unsigned columns) : rows_(rows), columns_(columns) {}
    /// The cores of an SCC: rows of six, of which two lie in each row of tiles, the even cores of the tiles and the odd
    /// ones. The next of a row is one link away, the next row no link or one [004 6.2].
    /// @pre the cores are full rows of tiles: fits_tiles(cores)
    static DoplGrid of_tiles(unsigned cores)
    {
        DoplGrid grid(cores / kTileColumns, kTileColumns);
        grid.of_tiles_ = true;
        return grid;
    }
    static bool fits_tiles(unsigned cores) { return cores > 0 && cores % kCoresOfTileRow == 0; }

    unsigned rows() const { return rows_; }
    unsigned columns() const { return columns_; }
    Place place(unsigned rank) const
    {
        if (!of_tiles_) return {rank / columns_, rank % columns_};
        const unsigned in_row_of_tiles = rank % kCoresOfTileRow;
        return {rank / kCoresOfTileRow * 2 + in_row_of_tiles % 2, in_row_of_tiles / 2};
    }
    unsigned rank(Place place) const
    {
        if (!of_tiles_) return place.row * columns_ + place.column;
        return place.row / 2 * kCoresOfTileRow + 2 * place.column + place.row % 2;
    }

private:
    unsigned rows_;
    unsigned columns_;
    bool of_tiles_ = false;
};

/// What one rank does in one round; a part is -1 if there is none. The first of a line, its head, pipes a part and
/// takes the part before from the tail, unless it is the source, which has all. The tail receives a part and gives its
/// head the part before. All others pass on what they receive.
struct DoplRound {
    unsigned previous = 0;  ///< the core it receives from
    unsigned next = 0;      ///< the core it sends to
    std::int64_t received = -1;
    std::int64_t sent = -1;
    bool receives_whole = false;  ///< wrap-around: the part comes in one piece, not in pieces
    bool sends_whole = false;
    bool is_head = false;  ///< the first of its line
    bool operator==(const DoplRound&) const = default;
};

/// The dimension-order pipelined broadcast of Watts and van de Geijn [004 ch. 6] as one core sees it, in parts + 1
/// rounds: in even ones the lines go over the rows, in odd ones over the columns. The line of the source carries a new
/// part, the others the previous one, which their heads received in the last round or, from the tail, in this one for
/// the next. Lines are closed: the core behind the source is its tail.
class DoplSchedule {
public:
    /// @pre rank and source are in the grid, parts >= 1
    DoplSchedule(DoplGrid grid, unsigned rank, std::int64_t parts, unsigned source = 0);

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
