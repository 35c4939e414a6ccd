// SPDX-License-Identifier: Apache-2.0
#include "tests/hw/pci/pci_probe.h"

#include <algorithm>

namespace ringmesh::test {

namespace {

bool next_of(std::deque<bool>& list)
{
    if (list.empty()) return true;
    const bool first = list.front();
    list.pop_front();
    return first;
}

std::vector<std::byte> copy_of(const ::tlm::tlm_generic_payload& payload)
{
    const auto bytes = bytes_of(payload);
    return {bytes.begin(), bytes.end()};
}

void fill_if_read(::tlm::tlm_generic_payload& payload)
{
    if (!payload.is_read()) return;
    const auto bytes = pci_memory(payload.get_address(), payload.get_data_length());
    std::copy(bytes.begin(), bytes.end(), bytes_of(payload).begin());
}

}  // namespace

std::vector<std::byte> pci_memory(std::uint64_t address, std::size_t size)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::byte>((address + i) * 7 + (address + i) / 256 + 1);
    return bytes;
}

PciProbe::PciProbe(const sc_core::sc_module_name& name, Simulation& simulation)
    : sc_module(name), simulation_(simulation), timetable_("timetable")
{
    out.register_nb_transport_bw(this, &PciProbe::answer);
    in.register_nb_transport_fw(this, &PciProbe::serve);
}

void PciProbe::store_at(Duration time, std::uint64_t address, std::vector<std::byte> bytes)
{
    timetable_.at(time, [this, address, bytes] {
        auto& payload = simulation_.pool<PayloadPool>().acquire_write(address, bytes);
        stores.push_back({now(), {}, address});
        const std::size_t index = stores.size() - 1;
        stores[index].taken = accepts(payload, &stores[index].wait);
        if (!stores[index].taken) {
            stores[index].refusal = refusal_of(payload);
            payload.release();
            return;
        }
        timetable_.at(now() + data_after + stores[index].wait, [this, &payload, index] {
            stores[index].data_phase = now();
            call(payload, pci::Phase::kData);
            payload.release();
        });
    });
}

void PciProbe::load_at(Duration time, std::uint64_t address, std::size_t size, Duration again)
{
    timetable_.at(time, [this, address, size, again] {
        auto& payload = simulation_.pool<PayloadPool>().acquire_read(address, size);
        Duration wait;
        const bool taken = accepts(payload, &wait);
        loads.push_back({now(), {}, address, taken, {}});
        if (!taken) {
            payload.release();
            if (again != Duration::never()) load_at(now() + again, address, size, again);
            return;
        }
        timetable_.at(now() + data_after + wait, [this, &payload, index = loads.size() - 1] {
            call(payload, pci::Phase::kData);
            loads[index].data_phase = now();
            loads[index].bytes = copy_of(payload);
            payload.release();
        });
    });
}

void PciProbe::request_at(Duration time, std::uint64_t address, std::vector<std::byte> bytes, std::uint64_t packet)
{
    timetable_.at(time, [this, address, bytes, packet] {
        request(simulation_.pool<PayloadPool>().acquire_write(address, bytes, packet));
    });
}

void PciProbe::request_read_at(Duration time, std::uint64_t address, std::size_t size)
{
    timetable_.at(time,
                  [this, address, size] { request(simulation_.pool<PayloadPool>().acquire_read(address, size)); });
}

void PciProbe::request(Payload& payload)
{
    queue_.push_back(&payload);
    if (queue_.size() == 1) call(payload, pci::Phase::kRequest);
}

void PciProbe::call(Payload& payload, pci::Phase phase)
{
    sc_core::sc_time delay;
    out->nb_transport_fw(payload, phase, delay);
}

bool PciProbe::accepts(Payload& payload, Duration* wait)
{
    pci::Phase phase = pci::Phase::kAddress;
    sc_core::sc_time delay;
    out->nb_transport_fw(payload, phase, delay);
    *wait = from_kernel(delay);
    return payload.is_response_ok();
}

void PciProbe::request_annotated_at(Duration time, Duration delay, std::uint64_t address, std::vector<std::byte> bytes)
{
    timetable_.at(time, [this, delay, address, bytes] {
        auto& payload = simulation_.pool<PayloadPool>().acquire_write(address, bytes);
        queue_.push_back(&payload);
        pci::Phase phase = pci::Phase::kRequest;
        sc_core::sc_time annotated = to_kernel(delay);
        out->nb_transport_fw(payload, phase, annotated);
    });
}

::tlm::tlm_sync_enum PciProbe::answer(Payload& payload, pci::Phase& phase, sc_core::sc_time&)
{
    const bool done = phase == pci::Phase::kDone;
    const bool brings = done && payload.is_read();
    answers.push_back({now(), payload.get_address(), done, brings ? copy_of(payload) : std::vector<std::byte>{},
                       payload.get_response_status()});
    if (done || again_after == Duration::never()) {
        payload.release();
        queue_.pop_front();
        if (!queue_.empty()) call(*queue_.front(), pci::Phase::kRequest);
    } else {
        timetable_.at(now() + again_after, [this, &payload] { call(payload, pci::Phase::kRequest); });
    }
    return ::tlm::TLM_COMPLETED;
}

::tlm::tlm_sync_enum PciProbe::serve(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay)
{
    if (phase == pci::Phase::kData) {
        fill_if_read(payload);
        writes.back().answered = now();
        writes.back().bytes = copy_of(payload);
        writes.back().done = true;
        return ::tlm::TLM_COMPLETED;
    }
    writes.push_back({now(), {}, payload.get_address(), {}, packet_of(payload), false, payload.is_read()});
    if (phase == pci::Phase::kAddress) {
        delay += to_kernel(waits);
        return pci::target_answer(payload, next_of(take));
    }
    fill_if_read(payload);
    writes.back().bytes = copy_of(payload);
    timetable_.at(now() + write_takes, [this, &payload, index = writes.size() - 1] {
        writes[index].answered = now();
        writes[index].done = next_of(write_answers);
        pci::Phase reply = writes[index].done ? pci::Phase::kDone : pci::Phase::kRetry;
        sc_core::sc_time reply_delay;
        in->nb_transport_bw(payload, reply, reply_delay);
    });
    return ::tlm::TLM_ACCEPTED;
}

}  // namespace ringmesh::test
