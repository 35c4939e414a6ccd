// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/load_store_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tlm/error.h"

namespace ringmesh::hw {

namespace {

constexpr std::uint32_t room_in_line(std::uint32_t address) { return kCacheLine - address % kCacheLine; }

std::uint32_t instructions_for(std::uint32_t size, std::uint32_t width)
{
    return size == width ? 1 : load_instructions(size, width);
}

std::uint32_t first_instruction(std::size_t size, std::uint32_t width)
{
    return static_cast<std::uint32_t>(std::bit_floor(std::min<std::size_t>(size, width)));
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(Simulation& simulation, const Component& where, unsigned rank, unsigned place,
                             Duration cycle, const CoreParams& params, const LookUpTable& table, CorePort& port,
                             ChipBytes& chip, PageTable& pages, Random random)
    : simulation_(simulation),
      where_(where),
      rank_(rank),
      place_(place),
      cycle_(cycle),
      params_(params),
      table_(table),
      port_(port),
      chip_(chip),
      pages_(pages),
      caches_(params.l1, params.l2, random)
{}

/// Charges the issue of the current instruction once, even if it is retried.
void LoadStoreUnit::issue(Cycles cost)
{
    if (issued_) return;
    issued_ = true;
    simulation_.report(where_, "issue", 0, time, time + cycle_ * cost.count());
    spend(cost);
}

/// Retires instructions, the first of which may have been issued before.
void LoadStoreUnit::retire(std::uint32_t instructions, Cycles cost, Cycles loop)
{
    const Duration began = time;
    const std::int64_t issues = instructions - (issued_ ? 1 : 0);
    time += cycle_ * (issues * cost.count() + std::int64_t{instructions} * loop.count());
    simulation_.report(where_, "instructions", 0, began, time);
    issued_ = false;
    wait_ = Wait::kNothing;
}

void LoadStoreUnit::check_aligned(std::uint64_t address, std::size_t size, std::uint32_t width,
                                  std::string_view what) const
{
    const std::uint32_t bytes = first_instruction(size, width);
    if (address % bytes == 0) return;
    throw UserError(fmt::format(
        "core {}: unaligned MPBT access: a {} of {} bytes at {:#x}, which is no multiple of {}; use narrower "
        "instructions or align it",
        rank_, what, bytes, address, bytes));
}

std::uint32_t LoadStoreUnit::load(std::uint64_t address, std::span<std::byte> into, std::uint32_t width, Cycles loop)
{
    const auto place = pages_.translate(address);
    auto size = static_cast<std::uint32_t>(std::min<std::size_t>(into.size(), room_in_line(place.address)));
    if (place.kind == PageKind::kUncached) {
        size = first_instruction(size, width);
        issue(params_.load_issue);
        if (!fetch(place.address, size, "load")) return 0;
        std::copy_n(answer_.begin(), size, into.begin());
        retire(1, params_.load_issue, loop);
        return size;
    }
    if (place.kind == PageKind::kMessageBuffer) check_aligned(address, into.size(), width, "load");
    const auto piece = into.first(size);
    if (!caches_.l1.read(place.address, piece)) {
        if (!bring(place)) return 0;
        caches_.l1.read(place.address, piece);
    }
    const std::uint32_t instructions = instructions_for(size, width);
    stats.l1_hits += instructions - (issued_ ? 1 : 0);
    retire(instructions, params_.load_issue, loop);
    return size;
}

/// Fetches a line into L1, from L2 or from outside.
bool LoadStoreUnit::bring(const PageTable::Place& place)
{
    const bool cached = place.kind == PageKind::kCached;
    const bool in_l2 = cached && caches_.l2.holds(place.address);
    missing_ = kNoLine;
    if (!issued_) {
        ++stats.l1_misses;
        if (in_l2) ++stats.l2_hits;
        if (cached && !in_l2) ++stats.l2_misses;
        const Cycles second = !cached ? 0_cycles : in_l2 ? params_.l2_hit : params_.l2_miss;
        issue(params_.load_issue + second);
    }
    if (in_l2) {
        if (caches_.promotion_writes(place.address) && !port_ready()) return false;
        write_back(caches_.promote(place.address));
        return true;
    }
    const std::uint32_t line = line_of(place.address);
    if (!fetch(line, kCacheLine, cached ? "L2 miss" : "load")) return false;
    if (cached) {
        const auto leaving = caches_.fill(line, answer_);
        write_back(leaving.from_l2);
        write_back(leaving.from_l1);
    } else {
        write_back(caches_.fill_message_buffer(line, answer_));
    }
    return true;
}

std::uint32_t LoadStoreUnit::store(std::uint64_t address, std::span<const std::byte> from, std::uint32_t width,
                                   Cycles loop)
{
    const auto place = pages_.translate(address);
    const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(from.size(), room_in_line(place.address)));
    const auto piece = from.first(size);
    const std::uint32_t instructions = instructions_for(size, width);
    switch (place.kind) {
        case PageKind::kUncached: return store_past(place, piece, width, loop);
        case PageKind::kMessageBuffer:
            check_aligned(address, from.size(), width, "store");
            if (!gather(place.address)) return 0;
            combine_.store(place.address, piece);
            caches_.l1.write(place.address, piece);
            break;
        case PageKind::kCached:
            if (line_of(place.address) == missing_) return store_past(place, piece, width, loop);
            if (caches_.l1.write(place.address, piece)) {
                stats.l1_hits += instructions;
                break;
            }
            if (!caches_.l2.write(place.address, piece)) {
                missing_ = line_of(place.address);
                return store_past(place, piece, width, loop);
            }
            stats.l1_misses += instructions;
            stats.l2_hits += instructions;
            retire(instructions, params_.store_issue + params_.l2_store, loop);
            return size;
    }
    retire(instructions, params_.store_issue, loop);
    return size;
}

/// One store instruction that misses both caches: a write of its width to memory.
std::uint32_t LoadStoreUnit::store_past(const PageTable::Place& place, std::span<const std::byte> from,
                                        std::uint32_t width, Cycles loop)
{
    const bool cached = place.kind == PageKind::kCached;
    if (cached && !issued_) {
        ++stats.l1_misses;
        ++stats.l2_misses;
    }
    issue(cached ? params_.store_issue + params_.l2_miss : params_.store_issue);
    if (!port_ready()) return 0;
    Write write{place.address, first_instruction(from.size(), width)};
    std::copy_n(from.begin(), write.size, write.bytes.begin());
    write.what = "store";
    write.ready = time;
    write_out(write);
    retire(1, params_.store_issue, loop);
    return write.size;
}

/// Prepares the write-combine buffer for a store to this address.
bool LoadStoreUnit::gather(std::uint32_t address)
{
    if (!flushing_ && combine_free_ <= time && combine_.takes(address)) return true;
    issue(params_.store_issue);
    if (!flushing_ && !combine_.takes(address) && !flush()) return false;
    if (flushing_) {
        wait_ = Wait::kWrite;
        return false;
    }
    wait_until(combine_free_);
    return true;
}

std::uint32_t LoadStoreUnit::copy_words(std::uint64_t to, std::uint64_t from, std::uint32_t size, std::uint32_t width)
{
    const auto target = pages_.translate(to);
    if (target.kind == PageKind::kCached && line_of(target.address) == missing_) return 0;
    const auto source = pages_.translate(from);
    std::uint32_t bytes = std::min({size, room_in_line(source.address), room_in_line(target.address)});
    bytes -= bytes % width;
    if (bytes == 0 || issued_ || source.kind == PageKind::kUncached || !caches_.l1.holds(source.address)) return 0;
    Cycles store = params_.store_issue;
    const std::uint32_t words = bytes / width;
    std::array<std::byte, kCacheLine> buffer;
    const auto data = std::span(buffer).first(bytes);
    const auto take = [&] { caches_.l1.read(source.address, data); };
    if (source.kind == PageKind::kMessageBuffer) check_aligned(from, size, width, "load");
    switch (target.kind) {
        case PageKind::kUncached: return 0;
        case PageKind::kMessageBuffer:
            check_aligned(to, size, width, "store");
            if (flushing_ || combine_free_ > time || combine_.full() || !combine_.takes(target.address)) return 0;
            take();
            combine_.store(target.address, data);
            caches_.l1.write(target.address, data);
            break;
        case PageKind::kCached:
            if (caches_.l1.holds(target.address)) {
                take();
                caches_.l1.write(target.address, data);
                stats.l1_hits += words;
            } else if (caches_.l2.holds(target.address)) {
                take();
                caches_.l2.write(target.address, data);
                store = store + params_.l2_store;
                stats.l1_misses += words;
                stats.l2_hits += words;
            } else {
                return 0;
            }
            break;
    }
    stats.l1_hits += words;
    retire(words, params_.load_issue + store, params_.loop);
    return bytes;
}

void LoadStoreUnit::invalidate_message_buffers()
{
    ++stats.invalidations;
    spend(params_.invalidate);
    caches_.l1.invalidate_message_buffers();
}

void LoadStoreUnit::refresh(std::uint64_t address)
{
    caches_.l1.invalidate_message_buffers();
    const std::uint32_t line = line_of(pages_.translate(address).address);
    LineBytes bytes;
    chip_.read(table_.translate(line), bytes);
    if (!caches_.l1.dirty_victim(line)) caches_.fill_message_buffer(line, bytes);
}

void LoadStoreUnit::peek(std::uint64_t address, std::span<std::byte> into) const
{
    while (!into.empty()) {
        const auto place = pages_.translate(address);
        const auto piece = into.first(std::min<std::size_t>(into.size(), room_in_line(place.address)));
        const bool cached = place.kind == PageKind::kCached;
        const bool hit = place.kind != PageKind::kUncached &&
                         (caches_.l1.peek(place.address, piece) || (cached && caches_.l2.peek(place.address, piece)));
        if (!hit) {
            chip_.read(table_.translate(place.address), piece);
            see_writes(place.address, piece);
        }
        if (place.kind == PageKind::kMessageBuffer) combine_.overlay(place.address, piece);
        into = into.subspan(piece.size());
        address += piece.size();
    }
}

void LoadStoreUnit::poke(std::uint64_t address, std::span<const std::byte> from)
{
    while (!from.empty()) {
        const auto place = pages_.translate(address);
        const auto piece = from.first(std::min<std::size_t>(from.size(), room_in_line(place.address)));
        chip_.write(table_.translate(place.address), piece);
        caches_.l1.poke(place.address, piece);
        caches_.l2.poke(place.address, piece);
        change_writes(place.address, piece);
        combine_.replace(place.address, piece);
        from = from.subspan(piece.size());
        address += piece.size();
    }
}

}  // namespace ringmesh::hw
