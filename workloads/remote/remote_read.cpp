// SPDX-License-Identifier: Apache-2.0
#include "workloads/remote/remote_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tlm/error.h"
#include "tlm/machine/program_runner.h"
#include "workloads/ranks/message.h"
#include "workloads/ranks/rank_pair.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads {
namespace {

constexpr SegmentId kReadSegment = 1;
constexpr std::uint32_t kWidest = 8;

std::vector<std::uint32_t> parse_widths(std::string_view text)
{
    auto widths = parse_sizes(
        text, {.name = "widths", .owner = "a load", .examples = "'4' or '1,2,4,8'", .step = 0, .largest = kWidest});
    for (auto at = widths.begin(); at != widths.end(); ++at) {
        const std::uint32_t width = *at;
        if (std::find(widths.begin(), at, width) != at) {
            throw UserError(fmt::format("widths = {}: {} is given twice; keep one", text, width));
        }
        if (!std::has_single_bit(width)) {
            throw UserError(
                fmt::format("widths = {}: no load has {} bytes; choose some of 1, 2, 4 and 8", text, width));
        }
    }
    return widths;
}

}  // namespace

void RemoteReadOptions::visit(ParameterVisitor& visitor)
{
    visit_ranks(visitor, from, to);
    visitor.numbers({"sizes", "block sizes in bytes: '64', '1..256 step 1', '512..65536 x2'", assumed()}, sizes);
    visitor.numbers({"widths", "bytes of a load instruction, some of '1,2,4,8'", assumed()}, widths);
    visitor.field({"repetitions", "blocks of each width and size", assumed()}, repetitions, {1, 1'000'000});
}

void RemoteRead::start_on(PcMachine& machine)
{
    const auto ranks = choose_ranks("remote-read", options_.from, options_.to, machine.nodes());
    sizes_ = parse_sizes(options_.sizes, {.owner = "a block"});
    widths_ = parse_widths(options_.widths);
    for (const std::uint32_t width : widths_) {
        for (const std::uint32_t size : sizes_) {
            if (width <= size) to_measure_.push_back({.width = width, .size = size, .elapsed = {}});
        }
    }
    if (to_measure_.empty()) {
        throw UserError(
            fmt::format("remote-read: no block of sizes = {} has room for a load of widths = {}; take "
                        "larger sizes or narrower loads",
                        options_.sizes, options_.widths));
    }
    simulation_ = &machine.simulation();
    reader_ = &machine.processor(ranks.from);
    owner_ = ranks.to;
    const std::uint32_t largest = *std::max_element(sizes_.begin(), sizes_.end());
    read_.resize(largest);
    for (std::uint32_t i = 0; i < largest; ++i) written_.push_back(pattern_byte(owner_, i));
    PcProcessor& owner = machine.processor(owner_);
    owner.poke(owner.segments().create_segment(kReadSegment, largest), written_);
    owner.segments().export_segment(kReadSegment);
    window_ = reader_->segments().import_and_map(owner_, kReadSegment);
    reader_->run(measure(), "remote-read");
}

Task<> RemoteRead::measure()
{
    for (const Measured& wanted : to_measure_) {
        Measured measured = wanted;
        for (std::int64_t repetition = 0; repetition < options_.repetitions; ++repetition) {
            // Bytes of an earlier load must not pass for this one's.
            for (std::uint32_t i = 0; i < wanted.size; ++i) read_[i] = ~written_[i];
            // Invalidates the previous block in the card.
            co_await reader_->barrier();
            const LoadRequest request{
                .address = window_, .data = read_.data(), .size = wanted.size, .width = wanted.width};
            const Duration begin = reader_->time();
            co_await reader_->load(request);
            measured.elapsed += reader_->time() - begin;
            require_read(wanted.size, wanted.width);
        }
        measured_.push_back(measured);
        simulation_->report_progress(static_cast<double>(measured_.size()) / static_cast<double>(to_measure_.size()));
    }
}

/// @throws ModelError if a byte differs from the owner's
void RemoteRead::require_read(std::uint32_t size, std::uint32_t width) const
{
    const auto end = read_.begin() + static_cast<std::ptrdiff_t>(size);
    const auto [wrong, right] = std::mismatch(read_.begin(), end, written_.begin());
    if (wrong == end) return;
    throw WrongBytes(
        fmt::format("remote-read: rank {} read byte {} of the segment of rank {} as {:#04x} instead of "
                    "{:#04x}, by loads of {} bytes",
                    reader_->rank(), wrong - read_.begin(), owner_, std::to_integer<unsigned>(*wrong),
                    std::to_integer<unsigned>(*right), width));
}

void RemoteRead::check() const
{
    if (reader_->finished()) return;
    throw ModelError(fmt::format("remote-read: the program of rank {} did not get past {} of {} widths and sizes",
                                 reader_->rank(), measured_.size(), to_measure_.size()));
}

Results RemoteRead::results() const
{
    Results results;
    results.columns = {{"width_bytes", "bytes"},
                       {"size_bytes", "bytes"},
                       {"load_ns", "ns"},
                       {"bandwidth_mb_per_s", "MB/s"},
                       {"bandwidth_mib_per_s", "MiB/s"}};
    for (const auto& [width, size, elapsed] : measured_) {
        const double one = elapsed.ns() / static_cast<double>(options_.repetitions);
        const double bytes_per_second = size / (one * 1e-9);
        const std::uint32_t loads = load_instructions(size, width);
        results.rows.push_back({std::int64_t{width}, std::int64_t{size}, one / loads, bytes_per_second / 1e6,
                                bytes_per_second / (1024 * 1024)});
    }
    results.notes.push_back(fmt::format(
        "load: time of a block by its load instructions, mean of {} block{}; the processor waits for each load. What a "
        "width leaves over is read by narrower ones",
        options_.repetitions, options_.repetitions == 1 ? "" : "s"));
    results.notes.emplace_back(
        "a store barrier before each block, outside its time, empties the card's read buffer: each begins cold");
    if (const std::size_t left_out = widths_.size() * sizes_.size() - to_measure_.size(); left_out != 0) {
        results.notes.push_back(fmt::format("{} row{} left out, in which one load would be wider than the block",
                                            left_out, left_out == 1 ? "" : "s"));
    }
    results.notes.emplace_back("MB are 10^6 bytes, MiB are 2^20; every byte that was read was checked");
    return results;
}

}  // namespace ringmesh::workloads
