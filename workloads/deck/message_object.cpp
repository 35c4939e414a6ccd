// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/message_object.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads::deck {
namespace {

/// In front of each buffer, for a header, and behind it, where that moves the padding.
constexpr std::uint64_t kMargin = kBlockBytes;

}  // namespace

BufferId MessageObjects::create(std::uint32_t size)
{
    require_within_limits(options_.protocol, size);
    MessageObject object{.size = size};
    object.shared =
        options_.protocol == Choice::kAutomatic ? size > options_.limit : options_.protocol == Choice::kZeroCopy;
    // Protocol 1 writes all of its payload, whatever the length.
    const std::uint64_t capacity = padded(std::max(size, options_.largest_short()));
    std::uint64_t& used = object.shared ? shared_ : local_;
    object.offset = used + kMargin;
    used += kMargin + capacity + kMargin;
    objects_.push_back(object);
    return static_cast<BufferId>(objects_.size() - 1);
}

void MessageObjects::place(std::uint64_t segment, std::uint64_t local_memory)
{
    for (MessageObject& object : objects_) object.address = (object.shared ? segment : local_memory) + object.offset;
}

Choice MessageObjects::protocol_for(const MessageObject& object, std::uint32_t size) const
{
    if (size > object.size) {
        throw UserError(fmt::format("deck: a message of {} bytes does not fit the message object created for {}", size,
                                    object.size));
    }
    Choice protocol = options_.protocol;
    if (protocol == Choice::kAutomatic) {
        if (size <= options_.largest_short()) {
            protocol = Choice::kShort;
        } else {
            protocol = object.shared ? Choice::kZeroCopy : Choice::kGeneral;
        }
    }
    require_within_limits(protocol, size);
    return protocol;
}

void MessageObjects::require_within_limits(Choice protocol, std::uint32_t size) const
{
    if (protocol == Choice::kShort && size > options_.largest_short()) {
        throw UserError(
            fmt::format("deck: protocol 1 carries 0 to {} bytes, and a message has {}; take protocol 2 or 3",
                        options_.largest_short(), size));
    }
    if (protocol == Choice::kGeneral && size > options_.largest_general()) {
        throw UserError(
            fmt::format("deck: protocol 2 carries 0 to {} bytes with buffer = {}, and a message has {}; take "
                        "protocol 3, or a larger buffer",
                        options_.largest_general(), options_.buffer, size));
    }
}

void require_fits(const Processor& receiver, unsigned sender, std::uint32_t size, const MessageObject& into)
{
    if (size <= into.size) return;
    throw UserError(
        fmt::format("deck: rank {} receives {} bytes of rank {} in a message object created for {}; create "
                    "it for more",
                    receiver.rank(), size, sender, into.size));
}

}  // namespace ringmesh::workloads::deck
