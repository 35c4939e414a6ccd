// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/deck/options.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads::deck {
namespace {

constexpr std::int64_t kLargestBuffer = 64 * 1024 * 1024;

}  // namespace

void Options::visit(ParameterVisitor& visitor)
{
    visitor.choice({"protocol", "what carries a message: one protocol for all, or automatic choice", seed("002 III")},
                   protocol, kChoiceNames);
    visitor.when("protocol", {"auto"}, [&] {
        visitor.field({"limit",
                       "bytes up to which a message object has its buffer in local memory; DECK_MSG_BUF_LIMIT; larger "
                       "ones go by protocol 3",
                       seed("002 IV")},
                      limit, {0, kLargestBuffer});
    });
    // By protocol 3 a rank sends one message at a time, whose answer says all that an acknowledgement says
    visitor.when("protocol", {"auto", "1", "2"}, [&] {
        visitor.field({"slots", "packets that the ring of protocol 1 holds for each sender, and control packets",
                       assumed().between("8", "120", "fewer stall a stream; more would repeat a slot's identifier")},
                      slots, {1, RingShape::kMostSlots});
    });
    visitor.when("protocol", {"auto", "2"}, [&] {
        visitor.field(
            {"buffer", "bytes of the buffer of protocol 2 for each sender, a multiple of 64",
             assumed().between("2112", "8388608",
                               "two of the largest messages up to the limit; what a PC's memory has for each peer")},
            buffer, {2 * kBlockBytes, kLargestBuffer});
    });
    // Its ring lies in front of the others, so its size moves them on the stream buffers
    visitor.field({"packet", "bytes of protocol 1's packet, 64 or 128", seed("002 III.A")}, packet,
                  {kBlockBytes, kLargestBlock});
    visitor.when("protocol", {"auto", "1", "2"}, [&] {
        visitor.field(
            {"acknowledge", "messages after which a receiver writes its read position back", seed("002 III.A")},
            acknowledge, {1, RingShape::kMostSlots});
    });
    visitor.field(
        {"call", "processor cycles that each call of the library takes",
         calibrated("deck.protocol1_latency")
             .between("80 cycles", "600 cycles",
                      "a call tests its arguments, chooses a protocol and looks at a ring: some 100 instructions, and "
                      "what caches miss")},
        call, {Cycles(0), Cycles(1'000'000)});
    visitor.choice({"stores", "how the processor writes to remote memory", seed("002 II.E")}, stores,
                   kRemoteStoreNames);
    visitor.choice(
        {"notification", "how a receiver learns of a message; by interrupt, the sender also rings its doorbell",
         seed("002 III")},
        notification, kNotificationNames);
    visitor.when("protocol", {"auto", "2", "3"}, [&] {
        visitor.choice(
            {"transfer", "what moves the data of protocols 2 and 3: the processor or the card", seed("002 III")},
            transfer, kTransferNames);
    });
}

void Options::require_valid(const PcProcessor& processor) const
{
    if (packet != kBlockBytes && packet != kLargestBlock) {
        throw UserError(
            fmt::format("deck: packet = {}; a packet has {} or {} bytes", packet, kBlockBytes, kLargestBlock));
    }
    if (packet > processor.largest_transaction()) {
        throw UserError(
            fmt::format("deck: packet = {}, and this machine's card sends at most {} bytes in one piece; add --overlay "
                        "stream-16x128-packets-128, which sets all that this needs, or take packet={}",
                        packet, processor.largest_transaction(), kBlockBytes));
    }
    if (buffer % kBlockBytes != 0) {
        throw UserError(fmt::format("deck: buffer = {} is no multiple of {}; take {}", buffer, kBlockBytes,
                                    padded(static_cast<std::uint64_t>(buffer))));
    }
    if (acknowledge > slots) {
        throw UserError(
            fmt::format("deck: acknowledge = {} is more than slots = {}: a sender would deadlock; take "
                        "at most as many",
                        acknowledge, slots));
    }
}

std::uint32_t Options::largest_general() const
{
    return static_cast<std::uint32_t>((buffer / 2 / kBlockBytes + 1) * kBlockBytes) - kHeaderBytes;
}

Choice Options::protocol_for(std::uint32_t size, bool shared) const
{
    if (protocol != Choice::kAutomatic) return protocol;
    if (size <= largest_short()) return Choice::kShort;
    return shared ? Choice::kZeroCopy : Choice::kGeneral;
}

void Options::require_carried(Choice by, std::uint32_t size, std::string_view subject, Cure cure) const
{
    if (by == Choice::kShort && size > largest_short()) {
        throw UserError(fmt::format("{} {} bytes, and protocol 1 carries 0 to {}; take {}, protocol=2 or protocol=3",
                                    subject, size, largest_short(), cure(largest_short())));
    }
    if (by != Choice::kGeneral || size <= largest_general()) return;
    const bool automatic = protocol == Choice::kAutomatic;
    const std::uint64_t largest = automatic ? static_cast<std::uint64_t>(limit) : size;
    throw UserError(fmt::format(
        "{} {} bytes, and protocol 2{} carries 0 to {} with buffer={}; take {}{}buffer={}{}", subject, size,
        automatic ? fmt::format(", by which go those up to limit={},", limit) : "", largest_general(), buffer,
        automatic ? fmt::format("limit={}", largest_general()) : cure(largest_general()), automatic ? " or " : ", ",
        2 * (padded(kHeaderBytes + largest) - kBlockBytes), automatic ? "" : " or protocol=3"));
}

}  // namespace ringmesh::workloads::deck
