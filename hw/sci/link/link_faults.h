// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "tlm/sci/packet.h"
#include "tlm/simulation/fault.h"
#include "tlm/statistics/statistics.h"

namespace ringmesh::hw {

/// What can happen to a link controller and the cable that leaves it.
enum class LinkFault : std::uint8_t {
    kLosePacket,
    kLoseEcho,
    kCorruptHeader,
    kCorruptData,
    kCorruptEcho,
    kCut,
    kStop,
    kFull,
    kSlow,
    kLostGo,
};
inline constexpr std::array<FaultWord, 10> kLinkFaults{{
    {"lose-packet", "a request or response vanishes on the cable to the next node"},
    {"lose-echo", "an echo vanishes on that cable"},
    {"corrupt-header", "a symbol of a header is wrong: no node takes the packet, or one whose CRC check discards it"},
    {"corrupt-data", "a symbol of a request or response is wrong: its target discards it, without an echo"},
    {"corrupt-echo", "a symbol of an echo is wrong: its target discards it"},
    {"cut",
     "the cable to the next node is open: everything on it vanishes; since packet and echo go once round the ring "
     "together, an error may name any two nodes of it",
     FaultSpan::kTime},
    {"stop", "the link controller stops: it takes, passes and sends nothing", FaultSpan::kTime},
    {"full", "its receive queues are full: every packet for it is refused with a busy echo"},
    {"slow", "all that leaves it comes later by its bypass delay, as if it took twice as long"},
    {"lost-go", "idle symbols lose their go bits on the cable to the next node; with link.flow_control=go-bits"},
}};
/// Without go bits none can be lost.
constexpr std::span<const FaultWord> link_faults(bool go_bits)
{
    return std::span(kLinkFaults).first(go_bits ? kLinkFaults.size() : kLinkFaults.size() - 1);
}

/// A bit for each of them, as BlockFaults::words().
constexpr std::uint32_t bits(std::initializer_list<LinkFault> faults)
{
    std::uint32_t all = 0;
    for (const LinkFault fault : faults) all |= 1U << static_cast<unsigned>(fault);
    return all;
}

/// The faults of a link controller and of the cable that leaves it, with what they have taken. FaultyLink asks for
/// those on a link, LinkRecovery for those inside the chip. Each is asked in the order of simulated time.
class LinkFaults {
public:
    LinkFaults(const std::string& block, FaultPlan& plan, bool go_bits) : faults_(plan.of(block, link_faults(go_bits)))
    {}

    static FaultVictim victim(const sci::Packet& packet)
    {
        const sci::Class kind = sci::is_echo(packet.command) ? packet.echo_of : sci::class_of(packet.command);
        return {packet.id, kind == sci::Class::kRequest ? Leg::kRequest : Leg::kResponse};
    }
    /// A bit for each fault that the block can suffer.
    std::uint32_t words() const { return faults_ == nullptr ? 0 : faults_->words(); }
    bool strikes(LinkFault fault, Duration at, std::int64_t symbols = 0, FaultVictim victim = {})
    {
        return faults_ != nullptr && faults_->strike(static_cast<std::size_t>(fault), at, symbols, victim);
    }
    /// When a fault that has just struck ends. @pre it has
    Duration ends(LinkFault fault, Duration at) const { return faults_->ends(static_cast<std::size_t>(fault), at); }
    /// How much may happen from this time on before one of these words has to be asked, and that so much has happened.
    FaultCalm calm(Duration at, std::uint32_t words) const
    {
        return faults_ == nullptr ? FaultCalm{} : faults_->calm(at, words);
    }
    void pass(std::int64_t packets, std::int64_t symbols, std::uint32_t words)
    {
        if (faults_ != nullptr) faults_->pass(packets, symbols, words);
    }
    /// Times that any struck; null: the block has none.
    const Counter* struck() const { return faults_ == nullptr ? nullptr : &faults_->struck(); }

    Counter lost;     ///< packets, on the cable
    Counter dropped;  ///< packets, since the link controller had stopped
    Counter lost_go;  ///< times that go bits were lost, on the cable

private:
    std::unique_ptr<BlockFaults> faults_;
};

}  // namespace ringmesh::hw
