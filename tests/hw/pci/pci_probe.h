// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "tests/hw/pattern.h"
#include "tests/hw/timetable.h"
#include "tlm/kernel_time.h"
#include "tlm/payload_pool.h"
#include "tlm/pci/pci.h"
#include "tlm/simulation.h"

namespace ringmesh::test {

/// What stands on both PCI sockets of a chip: as a bus it carries stores to the chip and answers the chip's own writes;
/// bound to a bus it is a master and a target.
class PciProbe final : public sc_core::sc_module {
public:
    pci::Initiator<PciProbe> out{"out"};
    pci::Target<PciProbe> in{"in"};

    struct Store {
        Duration address_phase;
        Duration data_phase;  ///< zero if it was sent back
        std::uint64_t address = 0;
        bool taken = false;
        Duration wait;  ///< wait states that the chip adds
    };
    struct Write {
        Duration asked;     ///< a master's request, or the address phase at a target
        Duration answered;  ///< done or retry, or the end of the data phase at a target
        std::uint64_t address = 0;
        std::vector<std::byte> bytes;
        std::uint64_t packet = 0;
        bool done = false;
    };
    struct Answer {
        Duration time;
        std::uint64_t address = 0;
        bool done = false;
    };

    PciProbe(const sc_core::sc_module_name& name, Simulation& simulation)
        : sc_module(name), simulation_(simulation), timetable_("timetable")
    {
        out.register_nb_transport_bw(this, &PciProbe::answer);
        in.register_nb_transport_fw(this, &PciProbe::serve);
    }

    // As a bus.
    Duration data_after = 60_ns;     ///< from the address phase of a store to the end of its data
    Duration write_takes = 100_ns;   ///< from the request of the chip's own write to its answer
    std::deque<bool> write_answers;  ///< whether its next writes are done or sent back; done when used up

    void store_at(Duration time, std::uint64_t address, std::vector<std::byte> bytes)
    {
        timetable_.at(time, [this, address, bytes] {
            auto& payload = simulation_.payloads.acquire_write(address, bytes);
            stores.push_back({now(), {}, address});
            stores.back().taken = call(payload, pci::Phase::kAddress, &stores.back().wait) == ::tlm::TLM_COMPLETED;
            if (!stores.back().taken) return payload.release();
            timetable_.at(now() + data_after + stores.back().wait, [this, &payload, index = stores.size() - 1] {
                stores[index].data_phase = now();
                call(payload, pci::Phase::kData);
                payload.release();
            });
        });
    }

    // As a master on a bus: one request after the other.
    void request_at(Duration time, std::uint64_t address, std::vector<std::byte> bytes, std::uint64_t packet = 0)
    {
        timetable_.at(time, [this, address, bytes, packet] {
            queue_.push_back(&simulation_.payloads.acquire_write(address, bytes, packet));
            if (queue_.size() == 1) call(*queue_.front(), pci::Phase::kRequest);
        });
    }
    Duration waits;         ///< as a target: added to each answer to an address phase
    std::deque<bool> take;  ///< as a target: whether it takes the next transactions; yes when used up
    /// As a master: asks again so long after a retry; never() gives up.
    Duration again_after = Duration::never();

    std::vector<Store> stores;
    std::vector<Write> writes;  ///< of the chip, or those that a bus brought
    std::vector<Answer> answers;

private:
    ::tlm::tlm_sync_enum call(::tlm::tlm_generic_payload& payload, pci::Phase phase, Duration* wait = nullptr)
    {
        sc_core::sc_time delay;
        const auto reply = out->nb_transport_fw(payload, phase, delay);
        if (wait != nullptr) *wait = from_kernel(delay);
        return reply;
    }

    ::tlm::tlm_sync_enum answer(::tlm::tlm_generic_payload& payload, pci::Phase& phase, sc_core::sc_time&)
    {
        const bool done = phase == pci::Phase::kDone;
        answers.push_back({now(), payload.get_address(), done});
        if (done || again_after == Duration::never()) {
            payload.release();
            queue_.pop_front();
            if (!queue_.empty()) call(*queue_.front(), pci::Phase::kRequest);
        } else {
            timetable_.at(now() + again_after, [this, &payload] { call(payload, pci::Phase::kRequest); });
        }
        return ::tlm::TLM_COMPLETED;
    }

    static bool next_of(std::deque<bool>& list)
    {
        if (list.empty()) return true;
        const bool first = list.front();
        list.pop_front();
        return first;
    }

    ::tlm::tlm_sync_enum serve(::tlm::tlm_generic_payload& payload, pci::Phase& phase, sc_core::sc_time& delay)
    {
        if (phase == pci::Phase::kData) {
            const auto* bytes = reinterpret_cast<const std::byte*>(payload.get_data_ptr());
            writes.back().answered = now();
            writes.back().bytes.assign(bytes, bytes + payload.get_data_length());
            writes.back().done = true;
            return ::tlm::TLM_COMPLETED;
        }
        writes.push_back({now(), {}, payload.get_address(), {}, packet_of(payload), false});
        if (phase == pci::Phase::kAddress) delay += to_kernel(waits);
        if (phase == pci::Phase::kAddress) return next_of(take) ? ::tlm::TLM_COMPLETED : ::tlm::TLM_UPDATED;
        const auto* bytes = reinterpret_cast<const std::byte*>(payload.get_data_ptr());
        writes.back().bytes.assign(bytes, bytes + payload.get_data_length());
        timetable_.at(now() + write_takes, [this, &payload, index = writes.size() - 1] {
            writes[index].answered = now();
            writes[index].done = next_of(write_answers);
            pci::Phase reply = writes[index].done ? pci::Phase::kDone : pci::Phase::kRetry;
            sc_core::sc_time none;
            in->nb_transport_bw(payload, reply, none);
        });
        return ::tlm::TLM_ACCEPTED;
    }

    Simulation& simulation_;
    Timetable timetable_;
    std::deque<::tlm::tlm_generic_payload*> queue_;  // a master's requests; the first one is on the bus
};

}  // namespace ringmesh::test
