// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "tlm/error.h"
#include "tlm/units/quantity.h"

namespace ringmesh::hw {
namespace {

/// 0: lines and ways do not fill the cache evenly
std::uint32_t sets_of(const CacheParams& params)
{
    const std::int64_t set = params.ways * std::int64_t{kCacheLine};
    return params.size.count() % set == 0 ? static_cast<std::uint32_t>(params.size.count() / set) : 0;
}

std::size_t offset_of(std::uint32_t address) { return address % kCacheLine; }

/// Copies an instruction's bytes inline for the most frequent sizes.
void move_bytes(std::byte* to, const std::byte* from, std::size_t size)
{
    switch (size) {
        case 1: *to = *from; return;
        case 4: std::memcpy(to, from, 4); return;
        case 8: std::memcpy(to, from, 8); return;
        case kCacheLine: std::memcpy(to, from, kCacheLine); return;
        default: std::memcpy(to, from, size); return;
    }
}

}  // namespace

std::string Cache::problem_of(const CacheParams& params)
{
    if (std::has_single_bit(sets_of(params))) return {};
    return fmt::format("{} ways of {}-byte lines make no power of two of sets; write {} times a power of two",
                       params.ways, kCacheLine, to_string(Bytes(params.ways * std::int64_t{kCacheLine})));
}

Cache::Cache(std::string_view name, const CacheParams& params, Random random)
    : ways_(static_cast<unsigned>(params.ways)), set_mask_(sets_of(params) - 1)
{
    if (const auto wrong = problem_of(params); !wrong.empty()) throw UserError(fmt::format("{}: {}", name, wrong));
    const std::size_t lines = (std::size_t{set_mask_} + 1) * ways_;
    tags_.resize(lines);
    dirty_.resize(lines);
    bytes_.resize(lines);
    replacement_ = params.replacement->make(set_mask_ + 1, ways_, random);
}

bool Cache::read(std::uint32_t address, std::span<std::byte> into)
{
    const std::size_t i = find(address);
    if (i == kNowhere) return false;
    move_bytes(into.data(), bytes_[i].data() + offset_of(address), into.size());
    use(address, i);
    return true;
}

bool Cache::write(std::uint32_t address, std::span<const std::byte> from)
{
    const std::size_t i = find(address);
    if (i == kNowhere) return false;
    move_bytes(bytes_[i].data() + offset_of(address), from.data(), from.size());
    dirty_[i] = tags_[i].epoch == 0;
    use(address, i);
    return true;
}

unsigned Cache::way_for(std::uint32_t set) const
{
    const Tag* tags = &tags_[std::size_t{set} * ways_];
    for (unsigned way = 0; way < ways_; ++way) {
        if (!valid(tags[way])) return way;
    }
    return replacement_->victim(set);
}

std::optional<CacheLine> Cache::fill(std::uint32_t address, const LineBytes& bytes, bool message_buffer)
{
    const std::uint32_t set = set_of(address);
    const unsigned way = way_for(set);
    const std::size_t i = std::size_t{set} * ways_ + way;
    std::optional<CacheLine> victim;
    if (dirty_[i] != 0) victim = CacheLine{tags_[i].line * kCacheLine, bytes_[i]};
    tags_[i] = {address / kCacheLine, message_buffer ? epoch_ : 0};
    dirty_[i] = 0;
    bytes_[i] = bytes;
    replacement_->filled(set, way);
    last_used_ = i;
    return victim;
}

std::optional<std::uint32_t> Cache::dirty_victim(std::uint32_t address) const
{
    const std::uint32_t set = set_of(address);
    const std::size_t i = std::size_t{set} * ways_ + way_for(set);
    if (dirty_[i] == 0) return {};
    return tags_[i].line * kCacheLine;
}

void Cache::invalidate_message_buffers()
{
    if (++epoch_ != 0) return;
    // The epoch counter has wrapped: no line may keep an old epoch.
    for (Tag& tag : tags_) {
        if (tag.epoch != 0) tag = {};
    }
    epoch_ = 1;
}

bool Cache::peek(std::uint32_t address, std::span<std::byte> into) const
{
    const std::size_t i = find(address);
    if (i == kNowhere) return false;
    std::memcpy(into.data(), bytes_[i].data() + offset_of(address), into.size());
    return true;
}

bool Cache::poke(std::uint32_t address, std::span<const std::byte> from)
{
    const std::size_t i = find(address);
    if (i == kNowhere) return false;
    std::memcpy(bytes_[i].data() + offset_of(address), from.data(), from.size());
    return true;
}

void WriteCombineBuffer::store(std::uint32_t address, std::span<const std::byte> from)
{
    line_ = line_of(address);
    const std::uint32_t first = address % kCacheLine;
    std::copy(from.begin(), from.end(), bytes_.begin() + first);
    mask_ |= static_cast<std::uint32_t>(((std::uint64_t{1} << from.size()) - 1) << first);
}

void WriteCombineBuffer::overlay(std::uint32_t address, std::span<std::byte> onto) const
{
    if (empty() || line_of(address) != line_) return;
    const std::uint32_t first = address % kCacheLine;
    for (std::size_t i = 0; i < onto.size(); ++i) {
        if ((mask_ >> (first + i) & 1) != 0) onto[i] = bytes_[first + i];
    }
}

void WriteCombineBuffer::replace(std::uint32_t address, std::span<const std::byte> from)
{
    if (empty() || line_of(address) != line_) return;
    std::copy(from.begin(), from.end(), bytes_.begin() + address % kCacheLine);
}

}  // namespace ringmesh::hw
