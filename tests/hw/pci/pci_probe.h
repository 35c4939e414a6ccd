// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "tests/hw/pattern.h"
#include "tests/hw/timetable.h"
#include "tlm/pci/pci.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

/// The bytes that a PciProbe returns to reads: each address has its own.
std::vector<std::byte> pci_memory(std::uint64_t address, std::size_t size);

/// The other end of a chip's two PCI sockets: as a bus it carries stores and loads to the chip and answers the chip's
/// own writes and reads; bound to a bus it is a master and a target.
class PciProbe final : public sc_core::sc_module {
public:
    pci::Initiator<PciProbe> out{"out"};
    pci::Target<PciProbe> in{"in"};

    struct Store {
        Duration address_phase;
        Duration data_phase;  ///< zero if it was sent back
        std::uint64_t address = 0;
        bool taken = false;
        Duration wait;    ///< wait states that the chip adds
        Refusal refusal;  ///< if it was sent back
    };
    struct Load {
        Duration address_phase;
        Duration data_phase;  ///< zero if it was sent back
        std::uint64_t address = 0;
        bool taken = false;
        std::vector<std::byte> bytes;
    };
    struct Write {
        Duration asked;     ///< a master's request, or the address phase at a target
        Duration answered;  ///< done or retry, or the end of the data phase at a target
        std::uint64_t address = 0;
        std::vector<std::byte> bytes;
        std::uint64_t packet = 0;
        bool done = false;
        bool read = false;  ///< it is a read, and its bytes are those of pci_memory()
    };
    struct Answer {
        Duration time;
        std::uint64_t address = 0;
        bool done = false;
        std::vector<std::byte> bytes;  ///< that a read brought
        ::tlm::tlm_response_status status = ::tlm::TLM_INCOMPLETE_RESPONSE;
    };

    PciProbe(const sc_core::sc_module_name& name, Simulation& simulation);

    // As a bus.
    Duration data_after = 60_ns;     ///< from the address phase of a store or load to the end of its data
    Duration write_takes = 100_ns;   ///< from the request of the chip's own write or read to its answer
    std::deque<bool> write_answers;  ///< whether its next ones are done or sent back; done when used up

    void store_at(Duration time, std::uint64_t address, std::vector<std::byte> bytes);
    /// @param again delay after a retry before it is repeated; never() gives up
    void load_at(Duration time, std::uint64_t address, std::size_t size, Duration again = Duration::never());

    // As a master on a bus: one request after the other.
    void request_at(Duration time, std::uint64_t address, std::vector<std::byte> bytes, std::uint64_t packet = 0);
    /// One that says then that it comes after a delay. @pre no other is under way
    void request_annotated_at(Duration time, Duration delay, std::uint64_t address, std::vector<std::byte> bytes);
    void request_read_at(Duration time, std::uint64_t address, std::size_t size);

    Duration waits;         ///< as a target: added to each answer to an address phase
    std::deque<bool> take;  ///< as a target: whether it takes the next transactions; yes when used up
    /// As a master: delay before a retried request is repeated; never() gives up.
    Duration again_after = Duration::never();

    std::vector<Store> stores;
    std::vector<Load> loads;
    std::vector<Write> writes;  ///< and reads: of the chip, or those that a bus brought
    std::vector<Answer> answers;

private:
    using Payload = ::tlm::tlm_generic_payload;

    void call(Payload& payload, pci::Phase phase);
    /// Whether the chip accepts a transaction in its address phase.
    bool accepts(Payload& payload, Duration* wait);
    void request(Payload& payload);
    ::tlm::tlm_sync_enum answer(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay);
    ::tlm::tlm_sync_enum serve(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay);

    Simulation& simulation_;
    Timetable timetable_;
    std::deque<Payload*> queue_;  // a master's requests; the first one is on the bus
};

}  // namespace ringmesh::test
