// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/scc/core/core_port.h"
#include "hw/scc/tile/registers/tile_clocks.h"
#include "tlm/statistics/shown.h"
#include "tlm/statistics/statistics.h"

namespace ringmesh::hw {

/// Configuration registers of a tile, 4 bytes each, at the offsets that the SCC's software uses [RCCE, BF]:
///
///     0x080  GCBCFG   clock divider less one in bits 8 to 11 and what else goes with it above them; read only here
///     0x100  TILEID   core that reads in bits 0 to 2, x in 3 to 6, y in 7 to 10; read only
///     0x200  core 0's test-and-set bit: a read returns 1 if it acquires the bit, 0 if it is held; any write releases
///     it 0x400  core 1's
///
/// Takes no time itself: the tile models the port. Not modelled: resets, interrupts, cache and sensor control; look-up
/// tables belong to the cores here, and a program cannot write them.
class ConfigurationRegisters {
public:
    static constexpr std::uint64_t kClock = 0x080;
    static constexpr std::uint64_t kTileId = 0x100;
    static constexpr std::array<std::uint64_t, 2> kTestAndSet = {0x200, 0x400};

    ConfigurationRegisters(mesh::Terminal here, std::int64_t divider) : here_(here), divider_(divider) {}

    /// @throws UserError if there is no such register, or it does not allow this access
    static void check(std::uint64_t offset, std::size_t size, bool write);
    /// Reads into the payload, or writes. @param core of its tile, 0 or 1, that sent the request @pre check() does not
    /// throw
    void serve(::tlm::tlm_generic_payload& payload, std::uint64_t offset, unsigned core);

    static constexpr bool is_test_and_set(std::uint64_t offset)
    {
        const std::uint64_t at = offset - offset % 4;
        return at == kTestAndSet[0] || at == kTestAndSet[1];
    }
    /// Reads a test-and-set bit as taken, whether it is or not.
    void serve_taken(const ::tlm::tlm_generic_payload& payload)
    {
        std::fill_n(payload.get_data_ptr(), payload.get_data_length(), static_cast<unsigned char>(0));
        ++found_taken_;
    }

    /// The result of a read by core 0, without its effect.
    std::uint32_t peek(std::uint64_t offset) const;
    /// The effect of a write. @pre check() does not throw
    void poke(std::uint64_t offset);

    const Shown<bool>& taken(unsigned core) const { return taken_.at(core); }
    void statistics(StatisticsVisitor& visitor) const;

private:
    const mesh::Terminal here_;
    const std::int64_t divider_;
    std::array<Shown<bool>, 2> taken_;
    Counter taken_count_, found_taken_, releases_;
};

}  // namespace ringmesh::hw
