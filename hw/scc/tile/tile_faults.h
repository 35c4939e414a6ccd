// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hw/scc/tile/registers/configuration_registers.h"
#include "tlm/mesh/packet.h"
#include "tlm/simulation/fault.h"
#include "tlm/statistics/statistics.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// Faults of accesses to a tile's message-passing buffer and registers. The tile calls this object at the end of each
/// access. A tile without faults has no such object.
class TileFaults {
public:
    /// Null if neither has any.
    static std::unique_ptr<TileFaults> of(const std::string& tile, FaultPlan& plan, ConfigurationRegisters& registers);

    /// An access ends at this time. @return what becomes of it in place of what should, if a fault strikes; else empty
    std::string_view strike(const mesh::Packet& packet, std::uint64_t offset, Duration time);
    void statistics(StatisticsVisitor& visitor) const;

private:
    explicit TileFaults(ConfigurationRegisters& registers) : registers_(registers) {}
    bool loses_write(const ::tlm::tlm_generic_payload& payload, bool of_buffer, Duration time, FaultVictim victim);

    ConfigurationRegisters& registers_;
    std::unique_ptr<BlockFaults> buffer_faults_, register_faults_;
    Counter writes_lost_;
};

}  // namespace ringmesh::hw
