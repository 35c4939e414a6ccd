// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/message_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw/scc/transaction.h"
#include "tlm/error.h"
#include "tlm/pools/payload_pool.h"

namespace ringmesh::hw {

namespace {

void check(std::uint64_t offset, std::size_t size)
{
    if (MessageBuffer::contains(offset, size)) return;
    throw ModelError(fmt::format("access to {} bytes at {:#x}, outside a message-passing buffer of {:#x} bytes", size,
                                 offset, MessageBuffer::kBytes));
}

}  // namespace

void MessageBuffer::read(std::uint64_t offset, std::span<std::byte> into) const
{
    check(offset, into.size());
    std::memcpy(into.data(), reinterpret_cast<const std::byte*>(words_.data()) + offset, into.size());
}

void MessageBuffer::write(std::uint64_t offset, std::span<const std::byte> from)
{
    check(offset, from.size());
    std::memcpy(reinterpret_cast<std::byte*>(words_.data()) + offset, from.data(), from.size());
    for (std::size_t i = offset / 8; i < (offset + from.size() + 7) / 8; ++i) {
        if (i % kWordsOfHalf < kShownWords) watch(i).changed();
    }
}

void MessageBuffer::serve(::tlm::tlm_generic_payload& payload, std::uint64_t offset, std::uint64_t id)
{
    if (payload.is_read()) {
        read(offset, bytes_of(payload));
        return;
    }
    for_each_run(payload,
                 [this, offset](std::size_t first, std::span<const std::byte> bytes) { write(offset + first, bytes); });
    changed(offset, payload.get_data_length(), id);
}

void MessageBuffer::watch(const SystemAddress& place, CoreSide& core)
{
    check(place.offset, 1);
    watchers_.push_back({place, &core});
    ++watched_[place.offset / kCacheLine];
}

void MessageBuffer::unwatch(const SystemAddress& place, CoreSide& core)
{
    const auto found = std::find(watchers_.begin(), watchers_.end(), Watcher{place, &core});
    if (found == watchers_.end()) return;
    watchers_.erase(found);
    --watched_[place.offset / kCacheLine];
}

void MessageBuffer::changed(std::uint64_t offset, std::size_t size, std::uint64_t id)
{
    const std::uint64_t first = offset / kCacheLine;
    const std::uint64_t last = (offset + size - 1) / kCacheLine;
    if (std::all_of(watched_.begin() + static_cast<std::ptrdiff_t>(first),
                    watched_.begin() + static_cast<std::ptrdiff_t>(last + 1),
                    [](std::uint8_t watchers) { return watchers == 0; })) {
        return;
    }
    // A watcher may unregister or register during the call.
    called_.clear();
    for (const Watcher& watcher : watchers_) {
        const std::uint64_t line = watcher.place.offset / kCacheLine;
        if (line >= first && line <= last) called_.push_back(watcher);
    }
    for (std::size_t i = 0; i < called_.size(); ++i) {
        const Watcher watcher = called_[i];
        if (std::find(watchers_.begin(), watchers_.end(), watcher) != watchers_.end()) {
            watcher.core->changed(watcher.place, id);
        }
    }
}

}  // namespace ringmesh::hw
