// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "hw/scc/core/scc_core.h"

/// Copies: a word is loaded, then stored. If neither waits, LoadStoreUnit::copy_words copies a line at once.
namespace ringmesh::hw {

namespace {
constexpr std::uint64_t kNoLine = ~std::uint64_t{0};
constexpr std::uint64_t line(std::uint64_t address) { return address / kCacheLine * kCacheLine; }
}  // namespace

void SccCore::begin(const CopyRequest& request)
{
    check_width(request.width, "copy");
    copy_ = request;
    word_loaded_ = word_stored_ = 0;
    prefetched_line_ = kNoLine;
    start(Doing::kCopy, "copying");
}

bool SccCore::copy_on()
{
    for (;;) {
        if (!unit_.drain()) return false;
        const std::uint32_t left = copy_.size - done_;
        if (left == 0) return true;
        if (word_loaded_ == 0) {
            if (!prefetched()) return false;
            if (const auto bytes = unit_.copy_words(copy_.to + done_, copy_.from + done_, left, copy_.width)) {
                done_ += bytes;
                continue;
            }
        }
        // One word, in pieces if it crosses the end of a line.
        const std::uint32_t size = std::bit_floor(std::min(left, copy_.width));
        while (word_loaded_ < size) {
            const auto bytes = unit_.load(copy_.from + done_ + word_loaded_,
                                          {word_.data() + word_loaded_, size - word_loaded_}, copy_.width, 0_cycles);
            if (bytes == 0) return false;
            word_loaded_ += bytes;
        }
        const auto bytes =
            unit_.store(copy_.to + done_ + word_stored_, {word_.data() + word_stored_, size - word_stored_},
                        copy_.width, word_stored_ == 0 ? config_.core.loop : 0_cycles);
        if (bytes == 0) return false;
        word_stored_ += bytes;
        if (word_stored_ < size) continue;
        done_ += size;
        word_loaded_ = word_stored_ = 0;
    }
}

/// The load with which some copies begin each line.
bool SccCore::prefetched()
{
    if (copy_.kind == CopyKind::kPlain) return true;
    const bool destination = copy_.kind == CopyKind::kPrefetchDestination;
    const std::uint64_t here = (destination ? copy_.to : copy_.from) + done_;
    if (line(here) == prefetched_line_) return true;
    const std::uint64_t address = destination ? here : line(here) + kCacheLine;
    const std::uint64_t end = (destination ? copy_.to : copy_.from) + copy_.size;
    if (address < end) {
        const auto size = std::bit_floor(std::min<std::uint64_t>(end - address, copy_.width));
        std::array<std::byte, 8> unused;
        if (unit_.load(address, {unused.data(), size}, copy_.width, 0_cycles) == 0) return false;
    }
    prefetched_line_ = line(here);
    return true;
}

}  // namespace ringmesh::hw
