// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <ringmesh/hw/pci/pci_card.h>
#include <ringmesh/tlm/pools/payload_pool.h>
#include <ringmesh/tlm/simulation/simulation.h>
#include <ringmesh/tlm/statistics/component.h>
#include <ringmesh/tlm/time/kernel_time.h>
#include <ringmesh/tlm/time/wakeup.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <systemc>
#include <tuple>
#include <vector>

namespace memory_channel {

using namespace ringmesh;

/// A PCI card of another make: stores to its window go through a crossbar to the memory of another PC.
///
///     PCI --> window --> own link --> crossbar --> inbound queue --> PCI of the other PC --> its memory
///                         byte_time    latency                   <-- acknowledgement, latency
///
/// Timing: a packet keeps the sender's link for its bytes, one after the other; its head is at the other card a latency
/// later, and there inbound packets enter the PCI bus in the order of their arrival. Acknowledgements take a latency
/// and no link. A load of a remote address is disconnected by retries until its answer is here. Not modelled:
/// contention in the crossbar, lost packets.
class MemoryChannel final : public sc_core::sc_module, public hw::PciCard, public Component {
public:
    static constexpr std::string_view kName = "memory-channel";
    static constexpr std::string_view kDescription = "PCs whose memory is written through a crossbar";

    struct Params {
        Duration latency = 500_ns;
        Duration byte_time = 10_ns;
        std::int64_t mappings = 64;
        std::int64_t queue = 8;

        void visit(ParameterVisitor& visitor)
        {
            visitor.field({"latency", "time through the crossbar"}, latency, {1_ns, 1_ms});
            visitor.field({"byte_time", "time of a byte on the sender's link"}, byte_time, {100_ps, 1_us});
            visitor.field({"mappings", "remote ranges that the window has room for"}, mappings, {1, 65'536});
            visitor.field({"queue", "packets that wait for the link before stores are refused"}, queue, {1, 1'024});
        }
    };

    pci::Target<MemoryChannel> from_pci{"from_pci"};
    pci::Initiator<MemoryChannel> to_pci{"to_pci"};

    MemoryChannel(const sc_core::sc_module_name& module_name, Simulation& simulation, unsigned rank,
                  const hw::PciSlot& slot, const Params& params)
        : sc_module(module_name),
          params_(params),
          slot_(slot),
          rank_(rank),
          payloads_(simulation.pool<PayloadPool>()),
          wakeup_(wakes<&MemoryChannel::step>(simulation.calendar(), *this))
    {
        simulation.add(*this);
        from_pci.register_nb_transport_fw(this, &MemoryChannel::access);
        to_pci.register_nb_transport_bw(this, &MemoryChannel::answered);
    }
    /// @param all cards, by rank
    void join(const std::vector<MemoryChannel*>& all) { cards_ = all; }

    // The card as its driver sees it.
    void plug_in(hw::PciBus& bus, std::size_t slot) override
    {
        to_pci.bind(bus.from_slot[slot]);
        bus.to_slot[slot].bind(from_pci);
    }
    Properties properties() const override
    {
        return {.largest_transaction = kLargest,
                .gathered_block = kLargest,
                .barrier_register = kRegisters,
                .flush_register = kRegisters + 0x100,
                .doorbell = kDoorbell};
    }
    std::optional<std::uint64_t> map(unsigned node, std::uint64_t offset, std::uint64_t size) override
    {
        if (mapped_.size() == static_cast<std::size_t>(params_.mappings)) return std::nullopt;
        std::uint64_t begin = 0;
        for (const Mapping& each : mapped_)
            begin = std::max(begin, each.begin + (each.size + kPage - 1) / kPage * kPage);
        mapped_.push_back({begin, size, node, offset});
        return begin;
    }
    std::string no_room(std::uint64_t, std::uint64_t) const override
    {
        return fmt::format("card.mappings = {}: all are in use; unmap one, or raise it", params_.mappings);
    }
    void unmap(std::uint64_t offset, std::uint64_t) override
    {
        std::erase_if(mapped_, [offset](const Mapping& each) { return each.begin == offset; });
    }
    bool let_go(std::uint64_t, std::uint64_t) override
    {
        read_.reset();
        return true;  // nothing is gathered here
    }

    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override
    {
        visitor.counter("packets", packets_, "packets", "writes sent");
        visitor.counter("refused", refused_, "transactions", "stores refused because the link was behind");
    }
    std::string pending() const override
    {
        PendingText text;
        text.add(outstanding_, "writes without acknowledgement");
        text.add(inbound_.size(), "packets to be taken");
        return text.text();
    }

private:
    using Payload = ::tlm::tlm_generic_payload;
    static constexpr std::uint32_t kLargest = 64;
    static constexpr std::uint64_t kPage = 4096;
    static constexpr std::uint64_t kRegisters = std::uint64_t{1} << 38;  // in the window
    static constexpr std::uint64_t kDoorbell = std::uint64_t{1} << 47;   // in a node's memory

    struct Mapping {
        std::uint64_t begin = 0;  ///< in the window
        std::uint64_t size = 0;
        unsigned node = 0;
        std::uint64_t offset = 0;  ///< in its memory
    };
    enum class Kind : std::uint8_t { kWrite, kRead, kAnswer, kAcknowledge };
    struct Packet {
        Kind kind = Kind::kWrite;
        unsigned from = 0;
        std::uint64_t offset = 0;  ///< in the receiver's memory; of an answer in that of its sender
        std::uint32_t size = 0;
        std::uint64_t number = 0;
        std::array<std::byte, kLargest> bytes{};
    };
    struct Arrival {
        Duration time;
        std::uint64_t order = 0;
        Packet packet;
        bool operator>(const Arrival& other) const { return std::tie(time, order) > std::tie(other.time, other.order); }
    };
    /// A load under way, or its bytes.
    struct Read {
        unsigned node = 0;
        std::uint64_t offset = 0;
        std::uint32_t size = 0;
        bool here = false;
        std::array<std::byte, kLargest> bytes{};
    };

    ::tlm::tlm_sync_enum access(Payload& payload, pci::Phase& phase, sc_core::sc_time&)
    {
        const std::uint64_t offset = payload.get_address() - slot_.window;
        if (phase == pci::Phase::kAddress) return pci::target_answer(payload, accepts(payload, offset));
        if (offset >= kRegisters) return ::tlm::TLM_COMPLETED;
        const auto bytes = bytes_of(payload);
        if (payload.is_read()) {
            std::copy_n(read_->bytes.begin(), bytes.size(), bytes.begin());
            read_.reset();
            return ::tlm::TLM_COMPLETED;
        }
        const Mapping& mapping = mapping_at(offset);
        Packet packet{.kind = Kind::kWrite,
                      .from = rank_,
                      .offset = mapping.offset + offset - mapping.begin,
                      .size = static_cast<std::uint32_t>(bytes.size()),
                      .number = packets_.count() + 1};
        std::copy(bytes.begin(), bytes.end(), packet.bytes.begin());
        ++packets_;
        ++outstanding_;
        send(mapping.node, packet);
        return ::tlm::TLM_COMPLETED;
    }

    /// A load of the barrier register waits for all acknowledgements, one of memory for its answer, a store for the
    /// link.
    bool accepts(Payload& payload, std::uint64_t offset)
    {
        if (offset >= kRegisters) {
            if (payload.is_write() || outstanding_ == 0) return true;
            refuse(payload, {.why = "acknowledgement of stores"});
            return false;
        }
        const Mapping& mapping = mapping_at(offset);
        if (payload.is_write()) {
            if (link_free_ - now() <= params_.byte_time * (params_.queue * kLargest)) return true;
            ++refused_;
            refuse(payload, {.why = "link behind"});
            return false;
        }
        const std::uint64_t there = mapping.offset + offset - mapping.begin;
        const std::uint32_t size = payload.get_data_length();
        if (read_ && read_->node == mapping.node && read_->offset == there && read_->size == size && read_->here) {
            return true;
        }
        if (!read_) {
            read_ = Read{.node = mapping.node, .offset = there, .size = size};
            send(mapping.node, {.kind = Kind::kRead, .from = rank_, .offset = there, .size = size});
        }
        refuse(payload, {.why = "remote memory"});
        return false;
    }
    const Mapping& mapping_at(std::uint64_t offset) const
    {
        const auto found = std::find_if(mapped_.begin(), mapped_.end(), [offset](const Mapping& each) {
            return offset >= each.begin && offset < each.begin + each.size;
        });
        if (found == mapped_.end())
            throw ModelError(fmt::format("{}: offset {} of the window is not mapped", name(), offset));
        return *found;
    }

    void send(unsigned to, const Packet& packet)
    {
        link_free_ = std::max(now(), link_free_);
        if (packet.kind == Kind::kWrite || packet.kind == Kind::kAnswer) link_free_ += params_.byte_time * packet.size;
        cards_[to]->arrive(packet, link_free_ + params_.latency);
    }
    void arrive(const Packet& packet, Duration time)
    {
        inbound_.push({time, arrivals_++, packet});
        wakeup_.at(time);
    }

    void step()
    {
        wakeup_.taken(now());
        while (on_pci_ == nullptr && !inbound_.empty() && std::max(inbound_.top().time, not_before_) <= now()) {
            taken_ = inbound_.top().packet;
            inbound_.pop();
            take(taken_);
        }
        if (on_pci_ == nullptr && !inbound_.empty()) wakeup_.at(std::max(inbound_.top().time, not_before_));
    }
    void take(const Packet& packet)
    {
        switch (packet.kind) {
            case Kind::kAcknowledge: --outstanding_; return;
            case Kind::kAnswer:
                read_->bytes = packet.bytes;
                read_->here = true;
                return;
            case Kind::kWrite:
            case Kind::kRead: break;
        }
        if (packet.kind == Kind::kWrite && packet.offset >= kDoorbell) {
            slot_.interrupt(packet.number);
            answer({.kind = Kind::kAcknowledge, .from = rank_});
            return;
        }
        slot_.admit(packet.from, packet.offset, packet.size);
        const std::span bytes(packet.bytes.data(), packet.size);
        on_pci_ = packet.kind == Kind::kWrite ? &payloads_.acquire_write(packet.offset, bytes, packet.number)
                                              : &payloads_.acquire_read(packet.offset, packet.size);
        request();
    }
    void request()
    {
        pci::Phase phase = pci::Phase::kRequest;
        sc_core::sc_time none;
        to_pci->nb_transport_fw(*on_pci_, phase, none);
    }
    ::tlm::tlm_sync_enum answered(Payload& payload, pci::Phase& phase, sc_core::sc_time&)
    {
        if (phase == pci::Phase::kRetry) {  // the PC's memory is busy: once more, first of all
            inbound_.push({now(), 0, taken_});
            not_before_ = now() + kRetryGap;
        } else if (payload.is_read()) {
            Packet back{.kind = Kind::kAnswer, .from = rank_, .offset = taken_.offset, .size = taken_.size};
            std::copy_n(bytes_of(payload).begin(), taken_.size, back.bytes.begin());
            answer(back);
        } else {
            answer({.kind = Kind::kAcknowledge, .from = rank_});
        }
        payload.release();
        on_pci_ = nullptr;
        wakeup_.at(std::max(now(), not_before_));
        return ::tlm::TLM_COMPLETED;
    }
    void answer(const Packet& packet) { send(taken_.from, packet); }

    static constexpr Duration kRetryGap = 60_ns;

    const Params params_;
    const hw::PciSlot slot_;
    const unsigned rank_;
    PayloadPool& payloads_;
    std::vector<MemoryChannel*> cards_;
    std::vector<Mapping> mapped_;
    Duration link_free_;
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> inbound_;
    std::uint64_t arrivals_ = 0;
    Packet taken_;
    Payload* on_pci_ = nullptr;
    Duration not_before_;
    std::size_t outstanding_ = 0;
    std::optional<Read> read_;
    Counter packets_, refused_;
    Wakeup wakeup_;
};

}  // namespace memory_channel
