// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tlm>

#include "hw/scc/system_address.h"
#include "tlm/units/units.h"

/// The interface between a core with its caches and the rest of the chip. Plain interfaces: no sockets inside a chip.
namespace ringmesh::hw {

/// The core's side.
class CoreSide {
public:
    virtual ~CoreSide() = default;
    /// A request is complete: a read's bytes are in the payload, or a write has been acknowledged. `at`, now or ahead
    /// by up to the response's way through mesh and MIU, is when the response leaves the MIU towards the core. The core
    /// owns the payload again and releases it.
    virtual void answered(::tlm::tlm_generic_payload& transaction, Duration at) = 0;
    /// Bytes that this core watches have just changed. @param id number of the transaction that changed them
    virtual void changed(const SystemAddress& place, std::uint64_t id) = 0;
};

/// The tile's side: the mesh interface unit (MIU).
class CorePort {
public:
    virtual ~CorePort() = default;
    /// A read or write of 1 to 32 bytes within one line; the payload's address is an encoded SystemAddress.
    /// @param core of the tile, 0 or 1
    /// @param leaves when it leaves the core towards the MIU: now or a few cycles ahead
    virtual void request(unsigned core, ::tlm::tlm_generic_payload& transaction, Duration leaves) = 0;
};

/// Untimed access to the bytes of the whole chip: for set-up and checks, and for cores that wait for a change.
class ChipBytes {
public:
    virtual ~ChipBytes() = default;
    /// @throws ModelError if the address is not mapped
    virtual void read(const SystemAddress& from, std::span<std::byte> into) const = 0;
    virtual void write(const SystemAddress& to, std::span<const std::byte> from) = 0;
    /// From now on `core.changed()` is called after each write to the 32-byte line of this address in a message-passing
    /// buffer. A core may watch several lines, each once.
    virtual void watch(const SystemAddress& place, CoreSide& core) = 0;
    virtual void unwatch(const SystemAddress& place, CoreSide& core) = 0;
};

}  // namespace ringmesh::hw
