// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "hw/scc/core/load_store_unit.h"
#include "tlm/error.h"

/// Accesses that leave the core.
namespace ringmesh::hw {

/// Whether an access may leave now: no write is outstanding, and the kernel has caught up.
bool LoadStoreUnit::port_ready()
{
    if (writing_) {
        wait_ = Wait::kWrite;
        wants_port_ = true;
        return false;
    }
    wait_until(write_free_);
    if (time > now()) {
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
    const std::uint64_t id = simulation_.next_packet_id();
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
    port_.request(place_, simulation_.payloads.acquire_read(encode(target), size, read_.id), read_.leaves);
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
    auto& payload = simulation_.payloads.acquire_write(encode(target), {write.bytes.data(), write.size}, write_id_);
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
    if (writing_) {
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
        simulation_.report(where_, read_what_, read_.id, at, here);
        return true;
    }
    transaction.release();
    writing_ = false;
    write_free_ = at + cycle_ * params_.acknowledge.count();
    simulation_.report(where_, "acknowledge", write_id_, at, write_free_);
    if (flushing_) {
        flushing_ = false;
        combine_free_ = write_free_;
    }
    if (!waiting_.empty()) send(waiting_.pop_front());
    if (wait_ != Wait::kWrite || writing_) return false;
    // An access that waits for the port is resumed when it is free.
    if (std::exchange(wants_port_, false)) {
        wait_until(write_free_);
        wait_ = Wait::kTime;
    }
    return true;
}

std::string LoadStoreUnit::outside() const
{
    if (wait_ == Wait::kRead)
        return fmt::format("waits for the response to transaction {}, a {}", read_.id, read_what_);
    if (writing_) return fmt::format("waits for the acknowledgement of transaction {}, a {}", write_id_, write_.what);
    return {};
}

}  // namespace ringmesh::hw
