// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/names.h"
#include "tlm/parameters.h"
#include "tlm/units.h"

/// Parameters of the SCC's memory controllers and of the DDR3 memory behind each.
namespace ringmesh::hw {

/// What a write of less than a line costs.
enum class PartialWrite : std::uint8_t {
    kMasked,           ///< as much as a whole line: the DRAM's data masks leave the other bytes alone
    kReadModifyWrite,  ///< a read before it, as memory with error correction needs it
};

/// Which of the waiting requests is served next.
enum class MemoryOrder : std::uint8_t {
    kFcfs,         ///< the first that came
    kRowHitFirst,  ///< the first that finds its row open, else the first that came
};

inline constexpr NameTable<PartialWrite, 2> kPartialWrites{
    {{{"masked", PartialWrite::kMasked}, {"read-modify-write", PartialWrite::kReadModifyWrite}}}};
inline constexpr NameTable<MemoryOrder, 2> kMemoryOrders{
    {{{"fcfs", MemoryOrder::kFcfs}, {"row-hit-first", MemoryOrder::kRowHitFirst}}}};

/// Timings of the DRAM by the names that the standard has for them.
struct DramParams {
    Duration t_rcd = 15_ns;
    Duration t_rp = 15_ns;
    Duration t_cl = 15_ns;
    Duration t_rc = Duration::picoseconds(52'500);
    Duration t_cwl = Duration::picoseconds(12'500);
    Duration t_wr = 15_ns;
    Duration t_wtr = 10_ns;
    Cycles burst = 4_cycles;
    Cycles t_ccd = 8_cycles;
    Cycles turn = 4_cycles;
    std::int64_t banks = 8;
    Bytes row = 8_KiB;
    PartialWrite partial_write = PartialWrite::kMasked;

    void visit(ParameterVisitor& visitor);
};

struct MemoryParams {
    Bytes size = Bytes(std::int64_t{8} << 30);
    Cycles latency = 54_cycles;
    std::int64_t slots = 24;
    MemoryOrder order = MemoryOrder::kFcfs;
    std::int64_t patience = 16;
    DramParams dram;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::hw
