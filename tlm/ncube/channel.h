// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tlm/units/duration.h"

/// The bit-serial channel between two NCUBE nodes, one direction, as a TLM protocol of its own.
///
/// `nb_transport_fw(transfer, kBegin, delay)`: the first bit leaves, the last byte arrives `delay` from now, which is
/// zero for no bytes. One transfer at a time; the transfer and its data stay with the caller, and are valid in the
/// call alone. No backward path and no flow control: a receiver that is not ready loses the transfer.
namespace ringmesh::ncube {

/// Bytes for a channel's control register instead of memory.
inline constexpr std::size_t kControlBytes = 24;
using ControlWord = std::array<std::byte, kControlBytes>;

/// Bits on the wire do not tell which it is: software knows from its protocol what comes next.
enum class TransferKind : std::uint8_t {
    kControl,  ///< a few bytes for the operating system; interrupts at once
    kData,     ///< by DMA to the address set by the receiver
};

struct Transfer {
    TransferKind kind = TransferKind::kControl;
    std::uint32_t size = 0;  ///< bytes on the wire
    std::uint64_t id = 0;    ///< of the message, for waveforms
    ControlWord control{};
    std::span<const std::byte> data;
    bool bad = false;  ///< a byte has the wrong parity
    Duration began;    ///< when its first bit left
};

enum class ChannelPhase : std::uint8_t { kBegin };

struct ChannelProtocol {
    using tlm_payload_type = Transfer;
    using tlm_phase_type = ChannelPhase;
};

/// Tagged with the number of the channel.
template <class Module>
using ChannelInitiator = tlm_utils::simple_initiator_socket_tagged<Module, 1, ChannelProtocol>;
template <class Module>
using ChannelTarget = tlm_utils::passthrough_target_socket_tagged<Module, 1, ChannelProtocol>;
template <class Module>
using ChannelInitiatorIfBound = tlm_utils::simple_initiator_socket_tagged_optional<Module, 1, ChannelProtocol>;
template <class Module>
using ChannelTargetIfBound = tlm_utils::passthrough_target_socket_tagged_optional<Module, 1, ChannelProtocol>;

}  // namespace ringmesh::ncube
