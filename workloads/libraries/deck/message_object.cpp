// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/deck/message_object.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads::deck {
namespace {

/// Before each buffer, for a header, and after it, for the shifted padding.
constexpr std::uint64_t kMargin = kBlockBytes;

}  // namespace

BufferId MessageObjects::create(std::uint32_t size)
{
    MessageObject object{.size = size, .shared = options_.shares(size)};
    require_carried(options_.protocol_for(size, object.shared), size);
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
    const Choice protocol = options_.protocol_for(size, object.shared);
    require_carried(protocol, size);
    return protocol;
}

void MessageObjects::require_carried(Choice protocol, std::uint32_t size) const
{
    const auto cure = [](std::uint32_t most) { return fmt::format("a message of at most {}", most); };
    options_.require_carried(protocol, size, "deck: a message has", cure);
}

}  // namespace ringmesh::workloads::deck
