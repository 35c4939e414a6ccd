// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/load_store_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::hw {

void CoreStats::describe(StatisticsVisitor& visitor) const
{
    visitor.counter("l1_hits", l1_hits, "instructions", "loads and stores of cached pages and MPBT loads that hit L1");
    visitor.counter("l1_misses", l1_misses, "instructions", "those that missed L1");
    visitor.counter("l2_hits", l2_hits, "instructions", "those that missed L1 and hit L2");
    visitor.counter("l2_misses", l2_misses, "instructions", "those that missed both");
    visitor.counter("write_backs", write_backs, "lines", "dirty lines written to memory");
    visitor.counter("flushes", flushes, "flushes", "writes of the write-combine buffer");
    visitor.counter("invalidations", invalidations, "instructions", "CL1INVMB, those of polls included");
    visitor.counter("mpb_reads", mpb_reads, "reads", "reads of message-passing buffers");
    visitor.counter("mpb_writes", mpb_writes, "writes", "writes to message-passing buffers");
    visitor.counter("memory_reads", memory_reads, "reads", "reads of memory");
    visitor.counter("memory_writes", memory_writes, "writes", "writes to memory");
    visitor.counter("register_reads", register_reads, "reads", "reads of configuration registers");
    visitor.counter("register_writes", register_writes, "writes", "writes to configuration registers");
    visitor.counter("polls", polls, "requests", "polls of the program");
    visitor.counter("looks", looks, "looks", "simulated loads of polls; those that cannot see a change are skipped");
    visitor.time("declared_computing", computing,
                 "computing that program and library declare; the state 'computing' has their instructions, too");
    visitor.time("reading", reading, "time in which the program waited for reads from outside the core");
    visitor.time("writing", writing, "time in which the program waited for the acknowledgement of a write");
    visitor.time("polling", polling, "time in polls");
}

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
    : rank_(rank),
      place_(place),
      cycle_(cycle),
      pages_(pages),
      payloads_(simulation.pool<PayloadPool>()),
      port_(port),
      simulation_(simulation),
      table_(table),
      caches_(params.l1, params.l2, random),
      params_(params),
      where_(where),
      chip_(chip)
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
    if (past_.size != 0) return send_past(loop);
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
    if (cached) {
        ++stats.l1_misses;
        ++stats.l2_misses;
    }
    issue(cached ? params_.store_issue + params_.l2_miss : params_.store_issue);
    past_.address = place.address;
    past_.size = first_instruction(from.size(), width);
    past_.what = "store";
    std::copy_n(from.begin(), past_.size, past_.bytes.begin());
    return send_past(loop);
}

/// Its write, when the port is free.
std::uint32_t LoadStoreUnit::send_past(Cycles loop)
{
    if (!port_ready()) return 0;
    past_.ready = time;
    write_out(past_);
    retire(1, params_.store_issue, loop);
    return std::exchange(past_.size, 0);
}

/// Prepares the write-combine buffer for a store to this address.
bool LoadStoreUnit::gather(std::uint32_t address)
{
    if (!flush_blocks() && combine_.takes(address)) return true;
    issue(params_.store_issue);
    const bool overlaps = params_.write_combine == WriteCombine::kOverlapped;
    if ((overlaps || !flushing_) && !combine_.takes(address) && !flush()) return false;
    if (overlaps) return true;
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
            if (flush_blocks() || combine_.full() || !combine_.takes(target.address)) return 0;
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
    retire(words, params_.load_issue + store, params_.copy_loop);
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

// Accesses that leave the core.

/// Whether an access may leave now: no write is outstanding, and the kernel has caught up and woken the core.
bool LoadStoreUnit::port_ready()
{
    if (writing_) {
        wait_ = Wait::kWrite;
        wants_port_ = true;
        return false;
    }
    wait_until(write_free_);
    if (!may_leave || time > now()) {
        wait_ = Wait::kTime;
        return false;
    }
    return true;
}

void LoadStoreUnit::wait_until(Duration free)
{
    if (free <= time) return;
    stats.writing.add(free - time);
    time = free;
}

std::uint64_t LoadStoreUnit::report_leaving(std::string_view what, Duration from, Duration leaves)
{
    const std::uint64_t id = ids_.next();
    simulation_.report(where_, what, id, from, leaves);
    return id;
}

/// Fetches bytes from outside the core into answer_.
bool LoadStoreUnit::fetch(std::uint32_t address, std::uint32_t size, std::string_view what)
{
    if (read_here_) {
        read_here_ = false;
        return true;
    }
    if (!port_ready()) return false;
    const SystemAddress target = table_.translate(address);
    stats.read(target.space);
    wait_ = Wait::kRead;
    read_.ready = time;
    read_.leaves = time + cycle_ * params_.to_miu.count();
    read_.id = report_leaving(what, read_.ready, read_.leaves);
    read_what_ = what;
    read_line_ = size == kCacheLine ? address : kNoLine;
    port_.request(place_, payloads_.acquire_read(encode(target), size, read_.id), read_.leaves);
    return false;
}

/// Flushes the write-combine buffer.
bool LoadStoreUnit::flush()
{
    if (!port_ready()) return false;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(combine_.mask()));
    const auto end = kCacheLine - static_cast<std::uint32_t>(std::countl_zero(combine_.mask()));
    Write write{combine_.line() + first, end - first, combine_.mask() >> first};
    std::copy_n(combine_.bytes().begin() + first, write.size, write.bytes.begin());
    write.what = "flush";
    write.ready = time;
    combine_.clear();
    flushing_ = true;
    wait_ = Wait::kNothing;
    ++stats.flushes;
    write_out(write);
    return true;
}

void LoadStoreUnit::write_back(const std::optional<CacheLine>& line)
{
    if (!line) return;
    ++stats.write_backs;
    write_out(
        {.address = line->address, .size = kCacheLine, .bytes = line->bytes, .what = "write-back", .ready = time});
}

void LoadStoreUnit::write_out(const Write& write)
{
    constexpr std::size_t kMostWaiting = 1;  // a fill evicts at most two lines
    if (!writing_) {
        send(write);
        return;
    }
    if (waiting_.size() == kMostWaiting) throw ModelError("a core has more lines to write back than a fill evicts");
    waiting_.push_back(write);
}

void LoadStoreUnit::send(const Write& write)
{
    const SystemAddress target = table_.translate(write.address);
    stats.written(target.space);
    writing_ = true;
    write_ = write;
    const Duration from = std::max(write.ready, write_free_);
    const Duration leaves = from + cycle_ * params_.to_miu.count();
    write_id_ = report_leaving(write.what, from, leaves);
    auto& payload = payloads_.acquire_write(encode(target), {write.bytes.data(), write.size}, write_id_);
    const bool gaps = write.mask != 0 && static_cast<std::uint32_t>(std::popcount(write.mask)) != write.size;
    if (gaps) {
        for (std::uint32_t i = 0; i < write.size; ++i) {
            enables_[i] = (write.mask >> i & 1) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
        }
        payload.set_byte_enable_ptr(enables_.data());
        payload.set_byte_enable_length(write.size);
    }
    write_payload_ = &payload;
    port_.request(place_, payload, leaves);
}

/// Overlays outstanding writes on the bytes in memory.
void LoadStoreUnit::see_writes(std::uint32_t address, std::span<std::byte> bytes) const
{
    const auto see = [&](const Write& write) {
        write.for_each_in(address, bytes.size(),
                          [&](std::uint32_t at, std::uint32_t i) { bytes[at] = write.bytes[i]; });
    };
    if (writing_) see(write_);
    for (std::size_t i = 0; i < waiting_.size(); ++i) see(waiting_[i]);
}

/// A poke takes effect after outstanding writes.
void LoadStoreUnit::change_writes(std::uint32_t address, std::span<const std::byte> bytes)
{
    const auto change = [&](Write& write) {
        write.for_each_in(address, bytes.size(),
                          [&](std::uint32_t at, std::uint32_t i) { write.bytes[i] = bytes[at]; });
    };
    if (write_payload_ != nullptr) {
        change(write_);
        std::copy_n(write_.bytes.begin(), write_.size, bytes_of(*write_payload_).begin());
    }
    for (std::size_t i = 0; i < waiting_.size(); ++i) change(waiting_[i]);
}

bool LoadStoreUnit::answered(::tlm::tlm_generic_payload& transaction, Duration at)
{
    if (transaction.is_read()) {
        const auto bytes = bytes_of(transaction);
        std::copy(bytes.begin(), bytes.end(), answer_.begin());
        transaction.release();
        read_.answered = at;
        read_here_ = true;
        const Duration here = at + cycle_ * params_.from_miu.count();
        stats.reading.add(here - read_.ready);
        time = here;
        simulation_.report(
            where_, {.what = read_what_, .transaction = read_.id, .leg = Leg::kResponse, .from = at, .to = here});
        simulation_.report_arrival(where_, read_.id, Leg::kResponse, here);
        return true;
    }
    transaction.release();
    write_payload_ = nullptr;
    write_.size = 0;
    write_free_ = at + cycle_ * params_.acknowledge.count();
    simulation_.report(
        where_,
        {.what = "acknowledge", .transaction = write_id_, .leg = Leg::kResponse, .from = at, .to = write_free_});
    simulation_.report_arrival(where_, write_id_, Leg::kResponse, write_free_);
    if (flushing_) {
        flushing_ = false;
        combine_free_ = write_free_;
    }
    if (!waiting_.empty()) {
        leaves_next_ = write_free_;
        return false;
    }
    writing_ = false;
    if (wait_ != Wait::kWrite) return false;
    // An access that waits for the port is resumed when it is free.
    if (std::exchange(wants_port_, false)) {
        wait_until(write_free_);
        wait_ = Wait::kTime;
    }
    return true;
}

bool LoadStoreUnit::fill_evicts() const
{
    return read_here_ && read_line_ != kNoLine &&
           (caches_.l1.dirty_victim(read_line_) || caches_.l2.dirty_victim(read_line_));
}

void LoadStoreUnit::leave_next()
{
    leaves_next_ = Duration::never();
    send(waiting_.pop_front());
}

std::string LoadStoreUnit::outside() const
{
    if (wait_ == Wait::kRead)
        return fmt::format("waits for the response to transaction {}, a {}", read_.id, read_what_);
    if (writing_) return fmt::format("waits for the acknowledgement of transaction {}, a {}", write_id_, write_.what);
    return {};
}

}  // namespace ringmesh::hw
