// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "tlm/pc/pc_processor.h"
#include "workloads/libraries/messaging/block_ring.h"

/// DECK/SCI, the message passing library of [002]: three protocols over remote stores.
namespace ringmesh::workloads::deck {

/// The protocol of a message.
enum class Choice : std::uint8_t {
    kAutomatic,  ///< by the size of the message and of the message object
    kShort,
    kGeneral,
    kZeroCopy,
};
inline constexpr NameTable<Choice, 4> kChoiceNames{
    {{{"auto", Choice::kAutomatic}, {"1", Choice::kShort}, {"2", Choice::kGeneral}, {"3", Choice::kZeroCopy}}}};

/// How a receiver is notified of an arrival.
enum class Notification : std::uint8_t { kPolling, kInterrupt };
inline constexpr NameTable<Notification, 2> kNotificationNames{
    {{{"polling", Notification::kPolling}, {"interrupt", Notification::kInterrupt}}}};

/// What moves the data of protocols 2 and 3.
enum class Transfer : std::uint8_t { kStores, kDma };
inline constexpr NameTable<Transfer, 2> kTransferNames{{{{"stores", Transfer::kStores}, {"dma", Transfer::kDma}}}};

inline constexpr NameTable<StoreKind, 2> kRemoteStoreNames{
    {{{"mmx", StoreKind::kMmx}, {"memcpy", StoreKind::kMemcpy}}}};

/// Protocol 2: header of each message in the buffer.
inline constexpr std::uint32_t kHeaderBytes = 8;

struct Options {
    Choice protocol = Choice::kAutomatic;
    std::int64_t limit = 1024;
    std::int64_t slots = 64;
    std::int64_t buffer = 2 * 1024 * 1024;
    std::int64_t packet = kBlockBytes;
    std::int64_t acknowledge = 1;
    Cycles call{372};
    StoreKind stores = StoreKind::kMmx;
    Notification notification = Notification::kPolling;
    Transfer transfer = Transfer::kStores;

    void visit(ParameterVisitor& visitor);
    using Cure = std::string (*)(std::uint32_t most);  ///< as Library's

    /// @throws UserError if they contradict each other or the machine
    void require_valid(const PcProcessor& processor) const;

    /// Whether an object created for so many bytes has its buffer in shared memory.
    bool shares(std::uint32_t size) const
    {
        return protocol == Choice::kAutomatic ? size > limit : protocol == Choice::kZeroCopy;
    }
    /// The protocol for so many bytes.
    Choice protocol_for(std::uint32_t size, bool shared) const;
    /// @param subject of the message, with its verb @throws UserError if the protocol does not carry so many bytes
    void require_carried(Choice by, std::uint32_t size, std::string_view subject, Cure cure) const;

    /// Protocol 1: bytes of the largest message.
    std::uint32_t largest_short() const { return short_ring(kBlockBytes).payload(); }
    /// Protocol 2: bytes of the largest message. Half a buffer may wait for its acknowledgement, so the other half must
    /// hold any message.
    std::uint32_t largest_general() const;
    /// @param gathered bytes that the card gathers
    RingShape short_ring(std::uint32_t gathered) const
    {
        return {.slots = static_cast<std::uint32_t>(slots),
                .block = static_cast<std::uint32_t>(packet),
                .gathered = gathered};
    }
    RingShape control_ring(std::uint32_t gathered) const
    {
        return {.slots = static_cast<std::uint32_t>(slots), .block = kBlockBytes, .gathered = gathered};
    }
};

}  // namespace ringmesh::workloads::deck
