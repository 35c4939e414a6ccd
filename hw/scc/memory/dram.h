// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hw/scc/memory/memory_params.h"

namespace ringmesh::hw {

/// State of an access's bank.
enum class RowState : std::uint8_t {
    kHit,       ///< its row is open
    kEmpty,     ///< no row is
    kConflict,  ///< another row is open and must be closed
};

/// "row hit read" and so on.
std::string_view word(RowState row, bool write);

/// Timing of a DDR3 memory with open pages: banks with a row each, and one data bus. Times are cycles of the data clock
/// from the start of the run; the timings in nanoseconds are rounded up to whole cycles.
///
///     hit       read or write, t_cl or t_cwl later `burst` cycles of data
///     empty     open the row, t_rcd later as a hit
///     conflict  close the row, t_rp later as empty
///
/// Reads are t_ccd apart, and so are writes. Turnaround: a read is issued t_wtr after the slot of the last written
/// burst, a write such that its data follow those of the last read after two clocks of the DRAM. Activates of one bank
/// are t_rc apart. A row is precharged t_wr after the last byte written, t_rc - t_rp after its activate and t_ccd after
/// the last read, whichever is last. A bank is opened as soon as its request arrives, while the bus serves others. A
/// partial write that needs its old bytes is a read followed by a write. Not modelled: refresh, limits on activates of
/// different banks, ranks, alignment to the command clock (half of the data clock).
class Dram {
public:
    struct Request {
        std::uint64_t offset = 0;
        bool write = false;
        bool partial = false;  ///< less than a line
    };
    struct Service {
        std::int64_t begin = 0;   ///< first command
        std::int64_t column = 0;  ///< command that reads or writes, the last one if there are two
        std::int64_t end = 0;     ///< of the data
        RowState row = RowState::kHit;
        std::size_t bank = 0;
    };

    /// @param clock of the data
    /// @throws UserError if t_rc or t_ccd is too short
    Dram(const DramParams& params, const Clock& clock);

    /// Serves a request that arrives at `earliest`, after earlier ones.
    Service serve(const Request& request, std::int64_t earliest);
    RowState row_state(std::uint64_t offset) const { return row_state(where(offset)); }
    std::size_t bank_of(std::uint64_t offset) const { return where(offset).bank; }

    /// In cycles, for tests and tables.
    struct Timing {
        std::int64_t rcd = 0, rp = 0, cl = 0, cwl = 0, rc = 0, wr = 0, wtr = 0, burst = 0, ccd = 0, turn = 0;
    };
    const Timing& timing() const { return timing_; }

private:
    static constexpr std::int64_t kNoRow = -1;
    struct Bank {
        std::int64_t row = kNoRow;
        std::int64_t close_from = 0;   // when the row may be closed, which keeps two openings t_rc apart
        std::int64_t column_from = 0;  // when the row may be read or written
    };

    /// Sends the command when the bus is free for it. @return when
    std::int64_t command(bool write, std::int64_t earliest);
    /// Consecutive rows are in consecutive banks.
    struct Where {
        std::size_t bank;
        std::int64_t row;
    };
    Where where(std::uint64_t offset) const
    {
        if (shifts_.bank != 0) {  // divisions would be felt
            return {offset >> shifts_.row & (banks_.size() - 1), static_cast<std::int64_t>(offset >> shifts_.bank)};
        }
        const std::uint64_t row = offset / row_bytes_;
        return {row % banks_.size(), static_cast<std::int64_t>(row / banks_.size())};
    }
    RowState row_state(const Where& place) const
    {
        const Bank& bank = banks_[place.bank];
        if (bank.row == place.row) return RowState::kHit;
        return bank.row == kNoRow ? RowState::kEmpty : RowState::kConflict;
    }

    Timing timing_;
    std::uint64_t row_bytes_;
    /// Of an offset: to its row, and to that without the bank; 0: rows or banks are no power of two.
    struct Shifts {
        unsigned row = 0, bank = 0;
    };
    Shifts shifts_;
    bool read_first_;  // before a partial write
    std::vector<Bank> banks_;
    std::int64_t read_from_ = 0;   // when the next read may go
    std::int64_t write_from_ = 0;  // when the next write may
};

}  // namespace ringmesh::hw
