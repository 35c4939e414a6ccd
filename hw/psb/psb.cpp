// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/psb.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "tlm/error.h"
#include "tlm/sci/journey.h"
#include "tlm/simulation/log.h"
#include "tlm/statistics/activity.h"
#include "tlm/time/require_now.h"

namespace ringmesh::hw {

using sci::Class;
using sci::Packet;

Psb::Psb(const sc_core::sc_module_name& module_name, Simulation& simulation, const Config& config,
         std::shared_ptr<const CardRouting> card)
    : sc_module(module_name),
      simulation_(simulation),
      packets_(simulation.pool<sci::PacketPool>()),
      payloads_(simulation.pool<PayloadPool>()),
      config_(config),
      card_(std::move(card)),
      att_(config.chip),
      streams_(config.chip),
      reads_(config.chip.read_prefetch),
      dma_(config.chip),
      sent_(static_cast<std::size_t>(config.chip.stream_buffers))
{
    from_pci.register_nb_transport_fw(this, &Psb::pci_target);
    to_pci.register_nb_transport_bw(this, &Psb::pci_answer);
    if (!simulation.faults().empty()) {
        watch_ = std::make_unique<ResponseWatch>(config.recovery.response_timeout,
                                                 wakes<&Psb::step>(simulation.calendar(), *this));
        simulation.watch_responses();
    }
    simulation.add(*this);
}

void Psb::step()
{
    const Duration time = now();
    wakeup_.taken(time);
    if (streams_.timeout() <= time) streams_.flush();
    take_responses(time);
    if (watch_ != nullptr && watch_->wakeup.taken(time)) find_failed(time);
    send_requests(time);
    for (const Class kind : {Class::kResponse, Class::kRequest}) to_blink.offer(kind);
    access_memory(time);

    wakeup_.at(streams_.timeout());
    if (!responses_.empty()) wakeup_.at(responses_.front().ready);
    for (const auto& queue : outbound_) {
        if (!queue.empty() && queue.front().ready > time) wakeup_.at(queue.front().ready);
    }
    wakeup_.at(next_access());
}

blink::Transfer Psb::blink_front(Class kind)
{
    if (outbound(kind).empty() || outbound(kind).front().ready > now()) return {};
    Packet& packet = *outbound(kind).front().packet;
    return {&packet, kind, card_->port(packet.target, kind)};
}

void Psb::blink_took(Class kind, std::uint64_t, Duration)
{
    outbound(kind).pop_front();
    if (kind == Class::kResponse) wakeup_.at(next_access());
}

void Psb::blink_granted(Class kind)
{
    if (!outbound(kind).empty()) wakeup_.at(outbound(kind).front().ready);
}

void Psb::plug_in(PciBus& bus, std::size_t slot)
{
    to_pci.bind(bus.from_slot[slot]);
    bus.to_slot[slot].bind(from_pci);
}

PciCard::Properties Psb::properties() const
{
    return {.largest_transaction = static_cast<std::uint32_t>(config_.chip.transaction_bytes.count()),
            .gathered_block = static_cast<std::uint32_t>(config_.chip.stream_bytes.count()),
            .barrier_register = kBarrierRegister,
            .flush_register = kFlushRegister,
            .doorbell = sci::kDoorbellOffset,
            .doorbell_bytes = sci::kDoorbellBytes,
            .dma_engine = true};
}

PciCard::RegisterStore Psb::dma_order(const DmaCopy& copy)
{
    ordered_ = copy;
    return {kDmaRegister, std::as_bytes(std::span(&ordered_, 1))};
}

std::optional<std::uint64_t> Psb::map(unsigned node, std::uint64_t offset, std::uint64_t size)
{
    return att_.map(static_cast<sci::NodeId>(node), offset, size);
}

std::string Psb::no_room(std::uint64_t offset, std::uint64_t size) const
{
    return fmt::format(
        "that takes {} entries of the address translation table in a row, and of {} are {} left; unmap "
        "something, or raise psb.att_entries or psb.att_page",
        att_.entries_of(offset, size), att_.entries(), att_.entries_left());
}

/// Link controllers that send again leave nothing to look at.
unsigned Psb::look_at_failures()
{
    if (watch_ == nullptr || config_.recovery.tries > 0) return 0;
    watch_->software_looks = true;
    return static_cast<unsigned>(config_.recovery.transfer_tries);
}

bool Psb::let_go(std::uint64_t begin, std::uint64_t end)
{
    reads_.drop();
    return !streams_.has_unsent(begin, end);
}

/// A request outside exported memory ends the run: hardware would write it, or respond with an error.
void Psb::admit(const Packet& request)
{
    if (!config_.slot.admit || is_doorbell(request)) return;
    const Selected bytes = selected_bytes(request);
    try {
        config_.slot.admit(request.source, request.offset + bytes.first, bytes.count);
    } catch (...) {
        simulation_.fail(std::current_exception());
    }
}

/// A response always has a stream buffer waiting for it.
bool Psb::reserve(Class kind)
{
    if (kind == Class::kResponse) return true;
    if (inbound_.size() + promised_ >= static_cast<std::size_t>(config_.chip.inbound_slots)) return false;
    ++promised_;
    return true;
}

void Psb::take_from_blink(Packet& packet, Class kind, Duration delay)
{
    const Duration ready = now() + delay + config_.crossing;
    sci::report(simulation_, *this, "PSB", packet, ready - config_.crossing, ready);
    if (kind == Class::kResponse) {
        responses_.push_back({&packet, ready});
    } else {
        --promised_;
        admit(packet);
        stats_.reordered.note(packet.source, packet.made);
        inbound_.push_back({&packet, ready});
        ++inbound_fill_;
    }
    wakeup_.at(ready);
}

void Psb::take_responses(Duration time)
{
    while (!responses_.empty() && responses_.front().ready <= time) {
        Packet& response = *responses_.pop_front().packet;
        if (watch_ != nullptr && !watch_->answered(response)) [[unlikely]] {
            packets_.release(response);
            continue;
        }
        ++stats_.responses;
        stats_.round_trip.add(time - Duration::picoseconds(response.born_ps));
        stats_.response_time.add(time - Duration::picoseconds(response.written_ps));
        take(response);
        simulation_.report_arrival(*this, response.id, Leg::kResponse, time);
        RINGMESH_LOG(*this, spdlog::level::debug, "takes response {}", response.id);
        packets_.release(response);
    }
}

/// Delivers a response to the unit that made the request.
void Psb::take(const Packet& response)
{
    if (response.tag == kReadTag) {
        const auto first = response.command == sci::Command::kResponse16
                               ? static_cast<std::size_t>(std::countr_zero(response.selected))
                               : 0;
        reads_.fill(std::span(response.data).subspan(first));
    } else if (response.tag >= kDmaTag) {
        dma_cause_ = response.id;
        dma_.respond(static_cast<std::uint16_t>(response.tag - kDmaTag));
    } else {
        streams_.respond(response.tag);
    }
}

void Psb::find_failed(Duration time)
{
    while (const auto request = watch_->expired(time)) fail(*request, time);
}

/// No response came: the unit that made the request goes on without.
void Psb::fail(const ResponseWatch::Request& request, Duration time)
{
    simulation_.report_wait(*this, "response time-out", request.id, request.sent, time);
    if (!watch_->software_looks || request.tag == kReadTag) {
        simulation_.lost(fmt::format("{}: request {} of node {} to node {} had no response; given up at {:.3f} us",
                                     name(), request.id, config_.node, request.target, time.us()));
    }
    if (request.tag == kReadTag) {
        std::array<std::byte, sci::kBlockBytes> ones{};
        ones.fill(std::byte{0xff});
        reads_.fill(ones);
    } else if (request.tag >= kDmaTag) {
        dma_cause_ = request.id;
        dma_.respond(static_cast<std::uint16_t>(request.tag - kDmaTag));
    } else {
        streams_.respond(request.tag);
    }
}

// The PSB as a target on PCI: the host's stores and loads, and the card's registers.

::tlm::tlm_sync_enum Psb::pci_target(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay)
{
    require_now(delay);
    const std::uint64_t address = payload.get_address() - config_.slot.window;
    const bool begins = phase == pci::Phase::kAddress;
    bool taken = true;
    if (payload.is_read()) {
        if (begins) {
            taken = address >= kPsbRegisters ? begin_barrier() : begin_load(address, payload);
        } else if (address < kPsbRegisters) {
            reads_.take(address, bytes_of(payload));
        }
    } else if (address >= kPsbRegisters) {
        if (!begins) write_register(address, payload);
    } else if (begins) {
        taken = begin_store(address);
        if (streams_.opens_buffer()) delay += to_kernel(config_.stream_open);
    } else {
        store(address, payload);
    }
    if (!taken && simulation_.journey() != nullptr) refuse(payload, refusal(address, payload.is_read()));
    return begins ? pci::target_answer(payload, taken) : ::tlm::TLM_COMPLETED;
}

/// Why the transaction has just been refused.
Refusal Psb::refusal(std::uint64_t address, bool read) const
{
    if (read && address < kPsbRegisters && reads_.waiting()) return {"load not answered", 0};
    // The number of the last packet of a stream buffer
    const auto last = [this](std::uint16_t buffer) { return std::max(sent_[buffer], streams_.packet(buffer)); };
    std::uint64_t newest = 0;
    std::optional<std::uint16_t> oldest;
    for (std::size_t i = 0; i < sent_.size(); ++i) {
        const auto buffer = static_cast<std::uint16_t>(i);
        if (streams_.is_free(buffer)) continue;
        newest = std::max(newest, last(buffer));
        const bool older = !oldest || streams_.packet(buffer) < streams_.packet(*oldest);
        if (older && streams_.could_take(buffer, address)) oldest = buffer;
    }
    if (read) return {"stores not answered", newest};
    // By its address, a block may have to wait for a certain one although others are free
    const bool any_free = streams_.in_use() < streams_.buffers();
    return {any_free ? "its stream buffer taken" : "no stream buffer", oldest ? last(*oldest) : 0};
}

/// A store is retried while no stream buffer can take it.
bool Psb::begin_store(std::uint64_t address)
{
    reads_.drop();
    const bool taken = streams_.open(address);
    wakeup_.at(now());  // a flush may have produced a transaction
    if (!taken) {
        ++stats_.stalls;
        streams_.in_use().refuse();
    }
    return taken;
}

void Psb::store(std::uint64_t address, const Payload& payload)
{
    streams_.store(address, bytes_of(payload), now(), packet_of(payload));
    ++stats_.stores;
    send_requests(now());
    wakeup_.at(streams_.timeout());
}

/// A load is retried until the response has arrived. The read leaves when all earlier stores have responses: on PCI a
/// read pushes the writes ahead of it, but on the network it could overtake them.
bool Psb::begin_load(std::uint64_t address, const Payload& payload)
{
    const std::size_t size = payload.get_data_length();
    if (reads_.holds(address, size)) {
        ++stats_.loads;
        return true;
    }
    if (!reads_.waiting() && stores_answered()) {
        const ReadTransaction read = reads_.fetch(address, size);
        Packet& packet = make_request(read.size == sci::kBlockBytes ? sci::Command::kRead64 : sci::Command::kRead16,
                                      read.address, read.size, now(), packet_of(payload));
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

/// Flushes the gathering buffer. @return whether all stores have their responses
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

void Psb::write_register(std::uint64_t address, const Payload& payload)
{
    const auto bytes = bytes_of(payload);
    reads_.drop();
    simulation_.report_arrival(*this, packet_of(payload), Leg::kRequest, now());
    if (address < kDmaRegister) {
        flush();
        return;
    }
    const auto first = static_cast<std::size_t>(address - kDmaRegister);
    if (first + bytes.size() > dma_register_.size()) {
        throw ModelError(fmt::format("{}: no register at window offset {:#x}", name(), address));
    }
    std::copy(bytes.begin(), bytes.end(), dma_register_.begin() + static_cast<std::ptrdiff_t>(first));
    if (first + bytes.size() < dma_register_.size()) return;
    DmaCopy order;
    std::memcpy(&order, dma_register_.data(), sizeof(order));
    dma_.start(order);
    ++stats_.dma_orders;
    dma_not_before_ = now() + config_.chip.dma_startup;
    dma_cause_ = packet_of(payload);
    simulation_.report(*this, "DMA start-up", dma_cause_, now(), dma_not_before_);
    wakeup_.at(dma_not_before_);
}

/// The first packet of a buffer has the number of the store that opened it; the others, and that of a buffer opened by
/// the rest of a store whose number has left already, have numbers of their own.
std::uint64_t Psb::number_of(const StreamTransaction& transaction, Duration time)
{
    const std::uint64_t whole = transaction.packet;
    if (whole == 0) return 0;
    if (transaction.first && whole > newest_number_) return newest_number_ = whole;
    const std::uint64_t part = ids_.next();
    const Duration gathered = transaction.gathered;
    simulation_.report(
        *this, {.what = "part of a block", .transaction = part, .from = gathered, .to = gathered, .other = whole});
    simulation_.report_wait(*this, "response to the part before", part, gathered, time, sent_[transaction.buffer]);
    return part;
}

/// Makes packets of the transactions of the stream buffers and the DMA engine.
void Psb::send_requests(Duration time)
{
    while (const auto transaction = streams_.next_transaction()) {
        const bool full = transaction->size >= sci::kBlockBytes;
        Packet& packet = make_request(full ? sci::write_of(transaction->size) : sci::Command::kWrite16,
                                      transaction->address, transaction->size, time, number_of(*transaction, time));
        packet.tag = transaction->buffer;
        sent_[transaction->buffer] = packet.id;
        put_data(packet, {transaction->data, transaction->size});
        ++(full ? stats_.blocks : stats_.partial_writes);
        send(packet, time);
    }
    while (const auto transaction = dma_.next_transaction()) {
        Packet& packet = make_request(sci::Command::kWrite64, transaction->address, sci::kBlockBytes, time,
                                      std::exchange(dma_number_, 0));
        packet.tag = static_cast<std::uint16_t>(kDmaTag + transaction->buffer);
        put_data(packet, {transaction->data, sci::kBlockBytes});
        ++stats_.dma_blocks;
        send(packet, time);
    }
}

/// A request without its data. @param size bytes of the transaction, marked in `selected`
Packet& Psb::make_request(sci::Command command, std::uint64_t address, std::size_t size, Duration time,
                          std::uint64_t number)
{
    const auto where = att_.translate(address);
    if (!where) {
        throw ModelError(fmt::format("{}: an access to window offset {:#x}, which is not mapped", name(), address));
    }
    const bool selects = command == sci::Command::kWrite16 || command == sci::Command::kRead16;
    const std::uint64_t first = where->offset % (selects ? sci::kSubBlockBytes : sci::kBlockBytes);

    Packet& packet = packets_.acquire();
    packet.command = command;
    packet.target = where->node;
    packet.source = config_.node;
    packet.offset = where->offset - first;
    packet.selected = static_cast<std::uint16_t>(selects ? ((1U << size) - 1U) << first : 0xFFFF);
    packet.made = ++made_;
    packet.id = number != 0 ? number : ids_.next();
    packet.born_ps = time.ps();
    sci::report_birth(simulation_, *this, packet, time);
    RINGMESH_LOG(*this, spdlog::level::debug, "makes request {}: {} bytes for node {}, offset {:#x}", packet.id, size,
                 packet.target, where->offset);
    return packet;
}

void Psb::put_data(Packet& packet, std::span<const std::byte> bytes)
{
    std::copy(bytes.begin(), bytes.end(),
              packet.data.begin() + static_cast<std::ptrdiff_t>(selected_bytes(packet).first));
}

/// The packet reaches the B-Link a crossing later.
void Psb::send(Packet& packet, Duration time)
{
    if (watch_ != nullptr) {
        watch_->sent({.id = packet.id, .made = packet.made, .tag = packet.tag, .target = packet.target, .sent = time});
        simulation_.works_until(time + config_.recovery.response_timeout);  // retries meanwhile are no livelock
    }
    sci::report(simulation_, *this, "PSB", packet, time, time + config_.crossing);
    outbound(Class::kRequest).push_back({&packet, time + config_.crossing});
    if (!to_blink.waits(Class::kRequest)) wakeup_.at(outbound(Class::kRequest).front().ready);
}

// The PSB as a master on PCI: requests from the network, and the DMA engine's reads.

Psb::Selected Psb::selected_bytes(const Packet& packet)
{
    const bool selects = packet.command == sci::Command::kWrite16 || packet.command == sci::Command::kRead16;
    if (!selects) return {0, packet.command == sci::Command::kWrite128 ? sci::kLargestBytes : sci::kBlockBytes};
    return {static_cast<std::size_t>(std::countr_zero(packet.selected)),
            static_cast<std::size_t>(std::popcount(packet.selected))};
}

/// When the first request from the network may use the PCI bus; never() if there is no slot for its response.
Duration Psb::inbound_ready() const
{
    const std::size_t responses = outbound_[sci::index(Class::kResponse)].size();
    const bool slot_free = responses < static_cast<std::size_t>(config_.chip.inbound_slots);
    return inbound_.empty() || !slot_free ? Duration::never() : inbound_.front().ready;
}

Duration Psb::dma_ready() const
{
    return dma_.wants_status() || dma_.next_read() ? dma_not_before_ : Duration::never();
}

/// When the next access may use the PCI bus; never() while one is on it.
Duration Psb::next_access() const
{
    if (access_ != nullptr) return Duration::never();
    const Duration ready = std::min(inbound_ready(), dma_ready());
    return ready == Duration::never() ? ready : std::max(ready, access_not_before_);
}

/// Requests from the network and the DMA engine take turns.
void Psb::access_memory(Duration time)
{
    while (access_ == nullptr && inbound_ready() <= time && is_doorbell(*inbound_.front().packet)) ring();
    if (next_access() > time) return;
    const bool both = inbound_ready() <= time && dma_ready() <= time;
    dma_on_bus_ = both ? !dma_on_bus_ : dma_ready() <= time;
    access_ = dma_on_bus_ ? &dma_access() : &inbound_access();
    pci::Phase phase = pci::Phase::kRequest;
    sc_core::sc_time delay;
    to_pci->nb_transport_fw(*access_, phase, delay);
}

Psb::Payload& Psb::inbound_access()
{
    const Packet& packet = *inbound_.front().packet;
    if (asked_ != packet.id) {
        simulation_.report_wait(*this, "behind others", packet.id, inbound_.front().ready, now(), asked_);
    }
    asked_ = packet.id;
    const Selected bytes = selected_bytes(packet);
    const std::uint64_t address = packet.offset + bytes.first;
    if (!sci::is_write(packet.command)) return payloads_.acquire_read(address, bytes.count, packet.id);
    return payloads_.acquire_write(address, {packet.data.data() + bytes.first, bytes.count}, packet.id);
}

Psb::Payload& Psb::dma_access()
{
    const auto read = dma_.next_read();
    std::uint64_t number = read ? dma_number_ : 0;
    if (number == 0) {
        number = ids_.next();
        simulation_.report(*this, {.what = read ? "DMA block" : "DMA status",
                                   .transaction = number,
                                   .from = now(),
                                   .to = now(),
                                   .other = dma_cause_});
    }
    if (read) {
        dma_number_ = dma_cause_ = number;
        return payloads_.acquire_read(read->address, read->size, number);
    }
    const std::uint32_t& status = dma_.order().status;
    return payloads_.acquire_write(dma_.order().status_address, std::as_bytes(std::span(&status, 1)), number);
}

::tlm::tlm_sync_enum Psb::pci_answer(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay)
{
    require_now(delay);
    access_ = nullptr;
    if (phase == pci::Phase::kRetry) {
        access_not_before_ = now() + config_.retry_gap;
        const Refusal refused = refusal_of(payload);
        simulation_.report_wait(*this, refused.why, packet_of(payload), now(), access_not_before_, refused.behind);
    } else if (!dma_on_bus_) {
        finish_inbound(payload);
    } else if (payload.is_read()) {
        dma_.filled(bytes_of(payload));
        send_requests(now());
    } else {
        dma_.finish();
    }
    payload.release();
    wakeup_.at(next_access());
    return ::tlm::TLM_COMPLETED;
}

bool Psb::is_doorbell(const Packet& packet) { return packet.offset >= sci::kDoorbellOffset; }

/// A store to the doorbell becomes an interrupt instead of a write.
void Psb::ring()
{
    if (!sci::is_write(inbound_.front().packet->command)) {
        throw ModelError(fmt::format("{}: a load from the doorbell, which is write-only", name()));
    }
    ++stats_.interrupts;
    config_.slot.interrupt(inbound_.front().packet->id);
    answer_first(*inbound_.front().packet, sci::Command::kResponse0);
}

/// The request's bytes have been written or read: turns it into its response.
void Psb::finish_inbound(Payload& payload)
{
    Packet& packet = *inbound_.front().packet;
    ++stats_.written;
    RINGMESH_LOG(*this, spdlog::level::debug, "has done request {}", packet.id);
    if (sci::is_write(packet.command)) {
        answer_first(packet, sci::Command::kResponse0);
        return;
    }
    put_data(packet, bytes_of(payload));
    answer_first(packet,
                 packet.command == sci::Command::kRead64 ? sci::Command::kResponse64 : sci::Command::kResponse16);
}

void Psb::answer_first(Packet& packet, sci::Command response)
{
    inbound_.pop_front();
    --inbound_fill_;
    // A load has reached its end when its processor has the bytes
    if (sci::is_write(packet.command)) simulation_.report_arrival(*this, packet.id, Leg::kRequest, now());
    if (sci::wants_response(packet.command)) {
        packet.command = response;
        packet.target = packet.source;
        packet.source = config_.node;
        sci::report_birth(simulation_, *this, packet, now());
        packet.written_ps = now().ps();
        sci::report(simulation_, *this, "PSB", packet, now(), now() + config_.crossing);
        outbound(Class::kResponse).push_back({&packet, now() + config_.crossing});
        wakeup_.at(now() + config_.crossing);
    } else {
        packets_.release(packet);
    }
    from_blink.freed(Class::kRequest);
}

std::string Psb::pending() const
{
    PendingText text;
    text.add(streams_.in_use(), "stream buffers in use");
    text.add(reads_.waiting() ? 1 : 0, "load waits for its response");
    text.add(dma_.idle() ? 0 : 1, "order of the DMA engine is unfinished");
    text.add(outbound_[0].size(), "requests wait for the B-Link");
    text.add(outbound_[1].size(), "responses wait for the B-Link");
    text.add(inbound_.size(), "requests wait for the PCI bus");
    text.add(responses_.size(), "responses in flight to a stream buffer");
    return text.text();
}

void Psb::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("stores", stats_.stores, "transactions", "PCI writes accepted into stream buffers");
    visitor.counter("stalls", stats_.stalls, "transactions",
                    "PCI writes retried because the stream buffer for their address, or every one, was taken");
    visitor.counter("inbound_full", from_blink.delayed(), "packets",
                    "requests that waited on the B-Link for an inbound slot");
    visitor.counter("blocks", stats_.blocks, "packets",
                    "whole blocks sent as one request each, of 64 bytes or psb.transaction_bytes");
    visitor.counter("partial_writes", stats_.partial_writes, "packets", "16-byte requests of partly filled blocks");
    visitor.counter("loads", stats_.loads, "transactions", "completed loads of remote memory");
    visitor.counter("reads", stats_.reads, "packets", "read requests sent for them");
    visitor.counter("barriers", stats_.barriers, "transactions", "completed store barriers");
    visitor.counter("dma_orders", stats_.dma_orders, "orders", "copies ordered from the DMA engine");
    visitor.counter("dma_blocks", stats_.dma_blocks, "packets", "64-byte requests of the DMA engine");
    visitor.value("att_left", static_cast<double>(att_.entries_left()), "entries",
                  "free entries of the address translation table at the end");
    visitor.counter("interrupts", stats_.interrupts, "interrupts", "stores to the doorbell");
    visitor.counter("written", stats_.written, "packets", "requests from the network completed in memory");
    visitor.counter("reordered", stats_.reordered.count(), "packets",
                    "requests from the network overtaken by a later one of their source");
    visitor.counter("responses", stats_.responses, "packets", "responses received");
    visitor.mean("round_trip_mean", stats_.round_trip,
                 "from a request leaving its stream buffer to its response there");
    visitor.mean("response_mean", stats_.response_time,
                 "from the write to the responder's memory to the response in the requester's stream buffer");
    if (watch_ == nullptr) return;
    visitor.counter("response_timeouts", watch_->timeouts, "packets", "requests that failed, since no response came");
    visitor.counter("late_responses", watch_->late, "packets", "to requests that had failed before");
}

void Psb::places(PlaceVisitor& visitor) const
{
    visitor.level("stream_buffers", "buffer", streams_.in_use(), streams_.buffers());
    visitor.level("inbound", "queue", inbound_fill_, static_cast<std::uint64_t>(config_.chip.inbound_slots));
}

void Psb::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = name();
    trace_signal(file, streams_.in_use(), prefix + ".stream_buffers",
                 {"stream buffers that gather stores or wait for a response", "buffers", SignalPlace::kWayOut});
    trace_signal(
        file, inbound_fill_, prefix + ".inbound",
        {"requests of other nodes that wait for this node's PCI bus and memory", "packets", SignalPlace::kWayIn});
    trace_signal(file, reads_.word(), prefix + ".load",
                 {"the read buffer: a load of remote memory waits for its response, or data lie here",
                  "empty, waiting, full", SignalPlace::kWayOut});
    trace_signal(file, dma_.word(), prefix + ".dma",
                 {"the DMA engine: copying, or writing its status", "idle, copying, status", SignalPlace::kWayOut});
}

}  // namespace ringmesh::hw
