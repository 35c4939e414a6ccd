// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm>

/// PCI as a TLM protocol over the generic payload; non-blocking throughout.
///
/// A master calls fw kRequest with a payload that stays alive until bw kDone or kRetry. The bus arbitrates and calls
/// the target: fw kAddress in the address phase, which it answers with the response status: TLM_OK_RESPONSE accepts
/// the transaction, TLM_INCOMPLETE_RESPONSE disconnects it with a retry (target_answer()); then fw kData at the end of
/// the last data phase, when the bytes of a write have arrived and the target fills in those of a read. In the address
/// phase the target may add wait states before the first data phase to `delay`. A request may be annotated with a
/// delay; the other phases are now.
namespace ringmesh::pci {

enum class Phase : std::uint8_t { kRequest, kAddress, kData, kDone, kRetry };

struct Protocol {
    using tlm_payload_type = ::tlm::tlm_generic_payload;
    using tlm_phase_type = Phase;
};

/// A target's answer in the address phase.
inline ::tlm::tlm_sync_enum target_answer(::tlm::tlm_generic_payload& payload, bool accepts)
{
    payload.set_response_status(accepts ? ::tlm::TLM_OK_RESPONSE : ::tlm::TLM_INCOMPLETE_RESPONSE);
    return ::tlm::TLM_COMPLETED;
}

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
