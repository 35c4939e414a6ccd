// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/memory/dram.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tlm/error.h"

namespace ringmesh::hw {

std::string_view word(RowState row, bool write)
{
    switch (row) {
        case RowState::kHit: return write ? "row hit write" : "row hit read";
        case RowState::kEmpty: return write ? "row empty write" : "row empty read";
        case RowState::kConflict: break;
    }
    return write ? "row conflict write" : "row conflict read";
}

Dram::Dram(const DramParams& params, const Clock& clock)
    : row_bytes_(static_cast<std::uint64_t>(params.row.count())),
      read_first_(params.partial_write->reads_first),
      banks_(static_cast<std::size_t>(params.banks))
{
    if (std::has_single_bit(row_bytes_) && std::has_single_bit(banks_.size())) {
        shifts_.row = static_cast<unsigned>(std::countr_zero(row_bytes_));
        shifts_.bank = shifts_.row + static_cast<unsigned>(std::countr_zero(banks_.size()));
    }
    const auto cycles = [&clock](Duration time) { return clock.edge_from(time).count(); };
    timing_ = {.rcd = cycles(params.t_rcd),
               .rp = cycles(params.t_rp),
               .cl = cycles(params.t_cl),
               .cwl = cycles(params.t_cwl),
               .rc = cycles(params.t_rc),
               .wr = cycles(params.t_wr),
               .wtr = cycles(params.t_wtr),
               .burst = params.burst.count(),
               .ccd = params.t_ccd.count(),
               .turn = params.turn.count()};
    if (timing_.rc < timing_.rcd + timing_.rp) {
        throw UserError(fmt::format("t_rc = {} memory cycles is less than t_rcd + t_rp = {}; make t_rc longer",
                                    timing_.rc, timing_.rcd + timing_.rp));
    }
    if (timing_.ccd < timing_.burst) {
        throw UserError(
            fmt::format("t_ccd = {} memory cycles is less than burst = {}: two lines would be on the data bus "
                        "at once; make t_ccd longer",
                        timing_.ccd, timing_.burst));
    }
}

std::int64_t Dram::command(bool write, std::int64_t earliest)
{
    const std::int64_t column = std::max(earliest, write ? write_from_ : read_from_);
    if (write) {
        write_from_ = column + timing_.ccd;
        read_from_ = column + timing_.cwl + timing_.ccd + timing_.wtr;
    } else {
        read_from_ = column + timing_.ccd;
        write_from_ = column + std::max(timing_.ccd, timing_.cl + timing_.ccd + timing_.turn - timing_.cwl);
    }
    return column;
}

Dram::Service Dram::serve(const Request& request, std::int64_t earliest)
{
    const Where place = where(request.offset);
    Bank& bank = banks_[place.bank];
    Service service{.row = row_state(place), .bank = place.bank};
    std::int64_t ready = 0;
    if (service.row == RowState::kHit) {
        ready = std::max(earliest, bank.column_from);
    } else {
        service.begin = std::max(earliest, bank.close_from);
        const std::int64_t open = service.begin + (service.row == RowState::kConflict ? timing_.rp : 0);
        bank.row = place.row;
        bank.close_from = open + timing_.rc - timing_.rp;
        bank.column_from = open + timing_.rcd;
        ready = bank.column_from;
    }
    const bool reads_first = request.write && request.partial && read_first_;
    const std::int64_t first = command(request.write && !reads_first, ready);
    if (service.row == RowState::kHit) service.begin = first;
    // The write command follows the old data
    service.column = reads_first ? command(true, first + timing_.cl + timing_.burst) : first;
    service.end = service.column + (request.write ? timing_.cwl : timing_.cl) + timing_.burst;
    bank.close_from =
        std::max(bank.close_from, request.write ? service.end + timing_.wr : service.column + timing_.ccd);
    return service;
}

}  // namespace ringmesh::hw
