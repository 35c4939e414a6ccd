// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/units/units.h"

namespace ringmesh::hw {

/// The lines of local memory that a processor's caches hold: the tags of its largest cache, of four ways, in each of
/// which the line goes that was used least recently. Plain logic: the processor passes the time.
class LineCache {
public:
    /// @param size 0: it holds nothing
    LineCache(Bytes size, Bytes line);

    /// The processor uses the line that holds this address. @return whether it was there; now it is
    bool use(std::uint64_t address);
    /// A master on the PCI bus has written these bytes.
    void written(std::uint64_t address, std::size_t size);

private:
    static constexpr std::size_t kWays = 4;
    using Set = std::array<std::uint64_t, kWays>;  // lines from 1, the last used first; 0: none

    static constexpr std::size_t kPageSets = 64;
    using Page = std::array<Set, kPageSets>;

    /// @pre sets_ is not 0
    std::unique_ptr<Page>& page_of(std::uint64_t set) { return pages_[set / kPageSets]; }

    std::uint64_t line_;
    std::uint64_t sets_;
    std::vector<std::unique_ptr<Page>> pages_;  // made when used: programs use little of most caches
};

}  // namespace ringmesh::hw
