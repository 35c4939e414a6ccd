// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm>

/// PCI as a TLM protocol over the generic payload; non-blocking throughout.
///
/// A master calls fw kRequest with a payload that stays alive until bw kDone or kRetry. The bus arbitrates and calls
/// the target: fw kAddress in the address phase, where TLM_COMPLETED accepts the transaction and TLM_UPDATED
/// disconnects it with a retry; then fw kData at the end of the last data phase, when the bytes of a write have arrived
/// and the target fills in those of a read. In the address phase the target may add wait states before the first data
/// phase to `delay`.
namespace ringmesh::pci {

enum class Phase : std::uint8_t { kRequest, kAddress, kData, kDone, kRetry };

struct Protocol {
    using tlm_payload_type = ::tlm::tlm_generic_payload;
    using tlm_phase_type = Phase;
};

inline constexpr unsigned kWidth = 32;
inline constexpr unsigned kDwordBytes = 4;

template <class Module>
using Initiator = tlm_utils::simple_initiator_socket<Module, kWidth, Protocol>;
template <class Module>
using Target = tlm_utils::passthrough_target_socket<Module, kWidth, Protocol>;

/// For the bus: callbacks get the slot's number.
template <class Module>
using SlotInitiator = tlm_utils::simple_initiator_socket_tagged<Module, kWidth, Protocol>;
template <class Module>
using SlotTarget = tlm_utils::passthrough_target_socket_tagged<Module, kWidth, Protocol>;

}  // namespace ringmesh::pci
