// SPDX-License-Identifier: Apache-2.0
#include "workloads/remote/remote_write.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/machine/program_runner.h"
#include "workloads/ranks/rank_pair.h"
#include "workloads/ranks/stores.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads {
namespace {

constexpr SegmentId kSegment = 1;
constexpr SegmentId kSourceSegment = 2;
constexpr std::uint64_t kStreamBytes = 64;
/// Streaming wraps when this is full; a larger block uses the whole segment.
constexpr std::uint64_t kSmallestSegment = 64 * 1024;

std::uint64_t stride(std::uint32_t size) { return (size + kStreamBytes - 1) / kStreamBytes * kStreamBytes; }

std::string_view sentence(WriteMethod method)
{
    switch (method) {
        case WriteMethod::kSamePlace:
            return "bandwidth: blocks stored to one place one after another, one barrier at the end; a stream buffer "
                   "takes "
                   "the next block when it is answered, so a block has to fill several to hide the way";
        case WriteMethod::kStreaming:
            return "bandwidth: blocks stored to places in a row one after another, each from the next 64-byte boundary "
                   "on, "
                   "one barrier at the end; the pipeline of stream buffers is full whatever the size";
        case WriteMethod::kSingle: return "bandwidth: size by latency";
    }
    throw ModelError("a method without a meaning");
}

}  // namespace

void RemoteWriteOptions::visit(ParameterVisitor& visitor)
{
    visit_ranks(visitor, from, to);
    visitor.numbers({"sizes", "block sizes in bytes: '64', '1..256 step 1', '512..65536 x2'", assumed()}, sizes);
    visitor.field({"repetitions", "blocks in each series", assumed()}, repetitions, {1, 1'000'000});
    visitor.field({"series", "series of which the best is taken", assumed()}, series, {1, 1000});
    visitor.choice({"transfer", "who writes blocks: the processor by stores, or the card's DMA engine", assumed()},
                   transfer, kWriteTransferNames);
    visitor.when("transfer", {"stores"}, [&] {
        visitor.choice({"stores", "how the processor writes blocks", seed("002 II.E")}, stores, kStoresNames);
    });
    visitor.choice({"method", "where the measured blocks go", derived("002 II.E")}, method, kWriteMethodNames);
}

void RemoteWrite::start_on(PcMachine& machine)
{
    const auto ranks = choose_ranks("remote-write", options_.from, options_.to, machine.nodes());
    sizes_ = parse_sizes(options_.sizes, {.owner = "a block"});
    simulation_ = &machine.simulation();
    sender_ = &machine.processor(ranks.from);
    owner_ = &machine.processor(ranks.to);
    if (by_dma()) {
        require_dma();
    } else if (!sender_->barrier_waits()) {
        throw UserError(
            "remote-write measures until the store barrier answers, and with host.barrier = free it answers at once; "
            "drop --overlay free-barrier, or set host.barrier to card-register");
    }
    const std::uint32_t largest = *std::max_element(sizes_.begin(), sizes_.end());
    block_.resize(largest);
    expected_.resize(std::max(kSmallestSegment, stride(largest)));
    segment_ = owner_->segments().create_segment(kSegment, expected_.size());
    owner_->segments().export_segment(kSegment);
    window_ = sender_->segments().import_and_map(ranks.to, kSegment);
    if (by_dma()) source_ = sender_->segments().create_segment(kSourceSegment, largest);
    sender_->run(measure(), "remote-write");
}

void RemoteWrite::require_dma() const
{
    if (!sender_->has_dma_engine()) {
        throw UserError("remote-write: transfer = dma: this machine's cards have no DMA engine; write transfer=stores");
    }
    for (const std::uint32_t size : sizes_) {
        if (size % kStreamBytes == 0) continue;
        throw UserError(fmt::format(
            "remote-write: sizes = {}: the DMA engine copies multiples of {} bytes, and {} is none; write such as "
            "sizes=64..65536 x2",
            options_.sizes, kStreamBytes, size));
    }
}

Task<> RemoteWrite::measure()
{
    for (const std::uint32_t size : sizes_) {
        measured_.push_back({.size = size, .latencies_ns = {}, .bytes_per_second = {}});
        for (std::int64_t series = 0; series < options_.series; ++series) {
            co_await measure_latency(size);
            co_await measure_bandwidth(size);
        }
        simulation_->report_progress(static_cast<double>(measured_.size()) / static_cast<double>(sizes_.size()));
    }
}

Task<> RemoteWrite::measure_latency(std::uint32_t size)
{
    Duration sum;
    for (std::int64_t repetition = 0; repetition < options_.repetitions; ++repetition) {
        fill_block(size);
        const Duration begin = sender_->time();
        co_await write_block(0, size);
        co_await settle();
        sum += sender_->time() - begin;
        require_stored(size);
    }
    measured_.back().latencies_ns.push_back(sum.ns() / static_cast<double>(options_.repetitions));
}

Task<> RemoteWrite::measure_bandwidth(std::uint32_t size)
{
    if (options_.method == WriteMethod::kSingle) {
        measured_.back().bytes_per_second.push_back(size / (measured_.back().latencies_ns.back() * 1e-9));
        co_return;
    }
    fill_block(size);
    const std::uint64_t step = options_.method == WriteMethod::kStreaming ? stride(size) : 0;
    const Duration begin = sender_->time();
    std::uint64_t offset = 0;
    for (std::int64_t repetition = 0; repetition < options_.repetitions; ++repetition) {
        if (offset + size > expected_.size()) offset = 0;
        co_await write_block(offset, size);
        offset += step;
    }
    co_await settle();
    const double seconds = (sender_->time() - begin).seconds();
    require_stored(expected_.size());
    measured_.back().bytes_per_second.push_back(static_cast<double>(size) * static_cast<double>(options_.repetitions) /
                                                seconds);
}

Task<> RemoteWrite::settle()
{
    if (!by_dma()) co_await sender_->barrier();
}

Task<> RemoteWrite::write_block(std::uint64_t offset, std::uint32_t size)
{
    const auto block = std::span(block_).first(size);
    std::copy(block.begin(), block.end(), expected_.begin() + static_cast<std::ptrdiff_t>(offset));
    if (by_dma()) {
        sender_->poke(source_, block);
        const DmaRequest transfer{.from = source_, .to = window_ + offset, .size = size};
        co_await sender_->dma(transfer);
    } else {
        co_await store_in_a_row(*sender_, options_.stores, window_ + offset, block);
    }
}

void RemoteWrite::fill_block(std::uint32_t size)
{
    ++fillings_;
    for (std::uint32_t i = 0; i < size; ++i) block_[i] = pattern_byte(fillings_, i);
}

/// @throws WrongBytes if one of the first `bytes` of the segment differs from the last store
void RemoteWrite::require_stored(std::uint64_t bytes) const
{
    std::vector<std::byte> found(bytes);
    owner_->peek(segment_, found);
    const auto [wrong, right] = std::mismatch(found.begin(), found.end(), expected_.begin());
    if (wrong == found.end()) return;
    throw WrongBytes(
        fmt::format("remote-write: byte {} of the segment of rank {} is {:#04x} instead of {:#04x} after a "
                    "store barrier, at blocks of {} bytes",
                    wrong - found.begin(), owner_->rank(), std::to_integer<unsigned>(*wrong),
                    std::to_integer<unsigned>(*right), measured_.back().size));
}

void RemoteWrite::check() const
{
    if (!sender_->finished()) {
        throw ModelError(fmt::format("remote-write: the program of rank {} did not get past {} of {} sizes",
                                     sender_->rank(), measured_.size(), sizes_.size()));
    }
    require_stored(expected_.size());
}

Results RemoteWrite::results() const
{
    Results results;
    results.columns = {{"size_bytes", "bytes"},
                       {"latency_ns", "ns"},
                       {"bandwidth_mb_per_s", "MB/s"},
                       {"bandwidth_mib_per_s", "MiB/s"},
                       {"percent_of_peak", "%"}};
    double peak = 0;
    for (const Measured& m : measured_) {
        for (const double rate : m.bytes_per_second) peak = std::max(peak, rate);
    }
    for (const auto& [size, latencies, rates] : measured_) {
        if (rates.empty()) continue;
        const double rate = *std::max_element(rates.begin(), rates.end());
        results.rows.push_back({std::int64_t{size}, *std::min_element(latencies.begin(), latencies.end()), rate / 1e6,
                                rate / (1024 * 1024), 100 * rate / peak});
    }
    if (by_dma()) {
        results.notes.push_back(
            fmt::format("latency: one DMA transfer, mean of {}: from the order to the status word in local memory, "
                        "after all transactions are answered",
                        options_.repetitions));
        results.notes.emplace_back("bandwidth: transfers one after another, each when the one before has ended");
    } else {
        results.notes.push_back(
            fmt::format("latency: one block and a store barrier, mean of {}: until all transactions are answered",
                        options_.repetitions));
        results.notes.emplace_back(sentence(options_.method));
    }
    results.notes.push_back(fmt::format(
        "best of {} series; MB are 10^6 bytes, MiB are 2^20; the peak is the highest bandwidth of this table",
        options_.series));
    results.notes.emplace_back(
        "blocks begin on a 64-byte boundary; every byte was checked in the other node's memory when it had to be "
        "there");
    return results;
}

}  // namespace ringmesh::workloads
