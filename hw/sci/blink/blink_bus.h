// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/sci/params.h"
#include "tlm/sci/blink.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/activity.h"
#include "tlm/statistics/component.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// B-Link: the bus between the PSB and the link controllers of one card.
///
///     from_chip[i] --> round-robin arbiter --> to_chip[j]
///
/// Timing: a grant takes `arbitration` cycles from the request, from the receiver's room, or from the end of the
/// transfer before it, whichever is last; a packet takes header + ceil(data / width) + trailer cycles. Costs are whole
/// cycles, but the bus does not align to a free-running clock edge. A packet is granted only when the receiving chip
/// has reserved room; ports are served round-robin, and within a port a response before a request (assumed). Only the
/// bus's own method grants, one packet at a time: requests and reservations, whenever and in whatever order chips tell
/// of them, wake it. A chip that was granted the bus sends before its call returns. Not modelled: responses in the same
/// bus transaction; every packet is a bus write.
class BLinkBus final : public sc_core::sc_module, public Component {
public:
    sc_core::sc_vector<blink::PortTarget<BLinkBus>> from_chip;
    sc_core::sc_vector<blink::PortInitiator<BLinkBus>> to_chip;

    /// @param chips what is on each port, for waveforms and messages
    BLinkBus(const sc_core::sc_module_name& name, Simulation& simulation, const BLinkParams& params,
             std::vector<std::string> chips);

    /// Timed events pending now.
    unsigned armed_wakeups() const { return static_cast<unsigned>(wakeup_.armed()); }
    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;
    /// Time spent on transfers, the current one up to its end at free_at(), and on arbitration that overlaps with none.
    Duration busy_time() const;
    Duration free_at() const { return free_at_; }

private:
    enum class Reservation : std::uint8_t { kUnknown, kAsked, kReserved };
    struct Request {
        bool waiting = false;
        std::uint8_t to = 0;
        Duration ready;  // when its arbitration is over
        Duration asked;
    };
    struct Port {
        std::array<Request, sci::kClasses> requests;            // packets that this chip wants to send
        std::array<Reservation, sci::kClasses> reservations{};  // of a slot in this chip for a packet
    };

    ::tlm::tlm_sync_enum from(int port, blink::Transfer& transfer, blink::Phase& phase, sc_core::sc_time& delay);
    ::tlm::tlm_sync_enum note_reservation(int port, blink::Transfer& transfer, blink::Phase& phase,
                                          sc_core::sc_time& delay);
    void carry(std::size_t port, blink::Transfer& transfer, sc_core::sc_time& delay);

    void arbitrate();
    void grant_next();
    bool try_grant(std::size_t port, sci::Class kind);
    bool reserves(std::size_t port, sci::Class kind);
    Duration next_arbitration() const;

    Simulation& simulation_;
    const BLinkParams params_;
    const Clock clock_;
    const Duration arbitration_;
    const std::vector<std::string> chips_;
    std::vector<Port> ports_;
    /// Who has been granted the bus and has not sent yet.
    struct Grant {
        std::size_t port = 0;
        sci::Class kind = sci::Class::kRequest;
        Request request;
    };
    std::optional<Grant> grant_;
    std::size_t last_granted_ = 0;
    std::uint64_t carried_ = 0;  // the packet that took the bus last
    Duration free_at_;
    Wakeup wakeup_{wakes<&BLinkBus::arbitrate>(simulation_.calendar(), *this)};

    Counter transfers_, waits_for_room_;
    BusyTime busy_;
    Activity owner_, packet_;
};

}  // namespace ringmesh::hw
