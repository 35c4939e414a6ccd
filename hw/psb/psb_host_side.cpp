// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/psb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tlm/error.h"
#include "tlm/kernel_time.h"
#include "tlm/log.h"
#include "tlm/sci/journey.h"

/// The PSB as a target on PCI: the host's stores and loads, and the card's registers.
namespace ringmesh::hw {

using sci::Class;
using sci::Packet;

::tlm::tlm_sync_enum Psb::pci_target(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay)
{
    const std::uint64_t address = payload.get_address() - config_.window;
    const bool begins = phase == pci::Phase::kAddress;
    bool taken = true;
    if (payload.is_read()) {
        if (begins) {
            taken = address >= kRegisters ? begin_barrier() : begin_load(address, payload.get_data_length());
        } else if (address < kRegisters) {
            reads_.take(address, bytes_of(payload));
        }
    } else if (address >= kRegisters) {
        if (!begins) write_register(address, bytes_of(payload));
    } else if (begins) {
        taken = begin_store(address);
        if (streams_.opens_buffer()) delay += to_kernel(config_.stream_open);
    } else {
        store(address, bytes_of(payload));
    }
    return taken ? ::tlm::TLM_COMPLETED : ::tlm::TLM_UPDATED;
}

/// A store is retried while no stream buffer can take it.
bool Psb::begin_store(std::uint64_t address)
{
    reads_.drop();
    const bool taken = streams_.open(address);
    wakeup_.at(now());  // a flush may have made a transaction
    if (!taken) ++stats_.stalls;
    return taken;
}

void Psb::store(std::uint64_t address, std::span<const std::byte> bytes)
{
    streams_.store(address, bytes, now());
    ++stats_.stores;
    send_requests(now());
    wakeup_.at(streams_.timeout());
}

/// A load is retried until the response has brought its bytes. The read leaves when all stores before it are answered:
/// PCI has a read push the writes ahead of it, and on the network it could overtake them.
bool Psb::begin_load(std::uint64_t address, std::size_t size)
{
    if (reads_.holds(address, size)) {
        ++stats_.loads;
        return true;
    }
    if (!reads_.waiting() && stores_answered()) {
        const ReadTransaction read = reads_.fetch(address, size);
        Packet& packet = make_request(read.size == sci::kBlockBytes ? sci::Command::kRead64 : sci::Command::kRead16,
                                      read.address, read.size, now());
        packet.tag = kReadTag;
        ++stats_.reads;
        send(packet, now());
    }
    return false;
}

/// The store barrier is retried until every stream buffer has its responses.
bool Psb::begin_barrier()
{
    reads_.drop();
    const bool done = stores_answered();
    if (done) ++stats_.barriers;
    return done;
}

/// Sends what is gathered. @return whether all stores have their responses
bool Psb::stores_answered()
{
    flush();
    return streams_.idle();
}

void Psb::flush()
{
    streams_.flush();
    wakeup_.at(now());
}

void Psb::write_register(std::uint64_t address, std::span<const std::byte> bytes)
{
    reads_.drop();
    if (address < kDmaRegister) {
        flush();
        return;
    }
    const auto first = static_cast<std::size_t>(address - kDmaRegister);
    if (first + bytes.size() > dma_register_.size()) {
        throw ModelError(fmt::format("{}: there is no register at window offset {:#x}", name(), address));
    }
    std::copy(bytes.begin(), bytes.end(), dma_register_.begin() + static_cast<std::ptrdiff_t>(first));
    if (first + bytes.size() < dma_register_.size()) return;
    DmaDescriptor order;
    std::memcpy(&order, dma_register_.data(), sizeof(order));
    dma_.start(order);
    ++stats_.dma_orders;
    dma_not_before_ = now() + config_.chip.dma_startup;
    simulation_.report(*this, "DMA start-up", 0, now(), dma_not_before_);
    wakeup_.at(dma_not_before_);
}

/// Turns what the stream buffers and the DMA engine want to send into packets.
void Psb::send_requests(Duration time)
{
    while (const auto transaction = streams_.next_transaction()) {
        const bool full = transaction->size >= sci::kBlockBytes;
        Packet& packet = make_request(full ? sci::write_of(transaction->size) : sci::Command::kWrite16,
                                      transaction->address, transaction->size, time);
        packet.tag = transaction->buffer;
        put_data(packet, {transaction->data, transaction->size});
        ++(full ? stats_.blocks : stats_.partial_writes);
        send(packet, time);
    }
    while (const auto transaction = dma_.next_transaction()) {
        Packet& packet = make_request(sci::Command::kWrite64, transaction->address, sci::kBlockBytes, time);
        packet.tag = static_cast<std::uint16_t>(kDmaTag + transaction->buffer);
        put_data(packet, {transaction->data, sci::kBlockBytes});
        ++stats_.dma_blocks;
        send(packet, time);
    }
}

/// A request without its data. @param size bytes of the transaction that `selected` marks
Packet& Psb::make_request(sci::Command command, std::uint64_t address, std::size_t size, Duration time)
{
    const auto where = att_.translate(address);
    if (!where) {
        throw ModelError(fmt::format("{}: an access to window offset {:#x}, which is not mapped", name(), address));
    }
    const bool selects = command == sci::Command::kWrite16 || command == sci::Command::kRead16;
    const std::uint64_t first = where->offset % (selects ? sci::kSubBlockBytes : sci::kBlockBytes);

    Packet& packet = simulation_.packets.acquire();
    packet.command = command;
    packet.old = false;
    packet.target = where->node;
    packet.source = config_.node;
    packet.offset = where->offset - first;
    packet.selected = static_cast<std::uint16_t>(selects ? ((1U << size) - 1U) << first : 0xFFFF);
    packet.id = simulation_.next_packet_id();
    packet.born_ps = time.ps();
    RINGMESH_LOG(*this, spdlog::level::debug, "makes request {}: {} bytes for node {}, offset {:#x}", packet.id, size,
                 packet.target, where->offset);
    return packet;
}

void Psb::put_data(Packet& packet, std::span<const std::byte> bytes)
{
    std::copy(bytes.begin(), bytes.end(),
              packet.data.begin() + static_cast<std::ptrdiff_t>(selected_bytes(packet).first));
}

/// It comes to the B-Link a crossing later.
void Psb::send(Packet& packet, Duration time)
{
    sci::report(simulation_, *this, "PSB", packet, time, time + config_.crossing);
    outbound(Class::kRequest).push_back({&packet, time + config_.crossing});
    if (!asked_blink_[sci::index(Class::kRequest)]) wakeup_.at(outbound(Class::kRequest).front().ready);
}

}  // namespace ringmesh::hw
