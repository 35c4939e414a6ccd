// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// How a program waits until its stores are in their targets' memory.
enum class BarrierKind : std::uint8_t {
    kCardRegister,  ///< reads a card register that responds when all stores have their responses
    kFree,          ///< flushes without waiting: for what-ifs, on a network that keeps order
};

inline constexpr NameTable<BarrierKind, 2> kBarrierKinds{
    {{{"card-register", BarrierKind::kCardRegister}, {"free", BarrierKind::kFree}}}};

struct HostParams {
    Frequency clock = 400_MHz;
    std::int64_t processors = 1;
    Duration library = 314_ns;
    Duration crossing = 60_ns;
    Duration read_crossing = 187_ns;
    Cycles store_issue = 4_cycles;
    Cycles poll_loop = 4_cycles;
    Duration poll_miss = 150_ns;
    Duration local_access = 100_ns;
    Duration line_write = 50_ns;
    Bytes cache_line = 32_B;
    Bytes cache = 512_KiB;
    Cycles cache_hit = 8_cycles;
    Bytes memory = 128_MiB;
    std::int64_t segments = 256;
    std::int64_t posted_writes = 8;
    std::int64_t inbound_writes = 8;
    Bytes single_gather = 4_B;
    Bytes memcpy_gather = 4_B;
    Bytes mmx_gather = 64_B;
    BarrierKind barrier = BarrierKind::kCardRegister;
    Duration interrupt = 12_us;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::hw
