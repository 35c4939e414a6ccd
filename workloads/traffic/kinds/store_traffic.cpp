// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/kinds/store_traffic.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"
#include "tlm/units/quantity.h"

namespace ringmesh::workloads {
namespace {

constexpr SegmentId kTrafficSegment = 0;
constexpr std::uint64_t kBlocks = 16;  // per sender and receiver
constexpr std::uint64_t kAreaBytes = kBlocks * sci::kBlockBytes;

/// Bytes that identify the sender, and distinguish a block from the last 255 at the same address.
std::byte byte_of(sci::NodeId from, std::uint64_t sequence, std::uint64_t index)
{
    return pattern_byte(sequence / kBlocks + 7 * (sequence % kBlocks) + 29 * std::uint64_t{from}, index);
}

}  // namespace

void StoreTrafficOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"pattern", "who stores to whom", assumed()}, pattern, open_patterns());
    visit_places(visitor, places);
    visitor.field({"warm_up", "stores before this time are not measured", assumed()}, warm_up, {0_ns, 1_s});
    visitor.field({"duration", "time after the warm-up in which the programs store", assumed()}, duration, {1_us, 1_s});
}

void StoreTraffic::start_on(SciMachine& machine)
{
    if (machine.nodes() < 2) {
        throw UserError(
            fmt::format("store-traffic: needs two nodes, and this machine has {}; take a larger one", machine.nodes()));
    }
    machine_ = &machine;
    pattern_ = make_pattern("store-traffic", options_.pattern, machine.layout(), options_.places);
    PacketOptions writes;
    const auto expected = machine.expected_load(machine.packets(writes));
    pattern_->expect(*expected);
    require_senders(*expected, *options_.pattern);
    sending_ = expected->senders();
    use_ = std::make_unique<ResourceUse>(machine);
    window_.emplace(wakes<&StoreTraffic::look>(machine.simulation().calendar(), *this));
    window_->at(options_.warm_up);
    for (unsigned rank = 0; rank < machine.nodes(); ++rank) {
        senders_.push_back({.random = machine.simulation().random_for(fmt::format("stores.{}", rank)), .areas = {}});
        SegmentDriver& segments = machine.processor(rank).segments();
        receive_areas_.push_back(segments.create_segment(kTrafficSegment, machine.nodes() * kAreaBytes));
        segments.export_segment(kTrafficSegment);
    }
    for (unsigned rank = 0; rank < machine.nodes(); ++rank) {
        machine.processor(rank).run(store_blocks(static_cast<sci::NodeId>(rank)), "store-traffic");
    }
}

Task<> StoreTraffic::store_blocks(sci::NodeId rank)
{
    PcProcessor& processor = machine_->processor(rank);
    Sender& sender = senders_[rank];
    const Duration end = options_.warm_up + options_.duration;
    for (;;) {
        if (processor.time() >= end) co_return;
        const auto chosen = pattern_->next(rank, sender.random);
        if (!chosen) co_return;
        const auto to = static_cast<sci::NodeId>(*chosen);
        Area& receiver = area(rank, to);
        for (std::size_t i = 0; i < sender.block.size(); ++i) sender.block[i] = byte_of(rank, receiver.stored, i);
        const StoreRequest request{.kind = StoreKind::kMmx,
                                   .address = receiver.address + receiver.stored % kBlocks * sci::kBlockBytes,
                                   .data = sender.block.data(),
                                   .size = sci::kBlockBytes};
        ++receiver.stored;
        co_await processor.store(request);
        const Duration time = processor.time();
        if (time >= options_.warm_up && time < end) ++sender.stored_in_window;
        if (rank == 0) machine_->simulation().report_progress(std::min(1.0, time / end));
    }
}

StoreTraffic::Area& StoreTraffic::area(sci::NodeId from, sci::NodeId to)
{
    Area& found = senders_[from].areas[to];
    if (found.stored == 0) {
        SegmentDriver& segments = machine_->processor(from).segments();
        const RemoteSegment segment = segments.import_segment(to, kTrafficSegment);
        found.address = segments.map_segment(segment, from * kAreaBytes, kAreaBytes);
    }
    return found;
}

/// At the begin and the end of the window.
void StoreTraffic::look()
{
    const Duration present = now();
    window_->cancel();
    if (!use_->began()) {
        use_->begin(present);
        window_->at(options_.warm_up + options_.duration);
    } else {
        use_->end(present);
    }
}

bool StoreTraffic::holds(sci::NodeId from, sci::NodeId to, std::uint64_t sequence) const
{
    std::array<std::byte, sci::kBlockBytes> block{};
    machine_->processor(to).peek(receive_areas_[to] + from * kAreaBytes + sequence % kBlocks * sci::kBlockBytes, block);
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (block[i] != byte_of(from, sequence, i)) return false;
    }
    return true;
}

bool StoreTraffic::finished() const
{
    for (unsigned rank = 0; rank < senders_.size(); ++rank) {
        if (!machine_->processor(rank).finished()) return false;
    }
    return true;
}

void StoreTraffic::check() const
{
    for (unsigned rank = 0; rank < senders_.size(); ++rank) {
        if (!machine_->processor(rank).finished()) {
            throw ModelError(fmt::format("store-traffic: the program of rank {} did not finish", rank));
        }
        const auto from = static_cast<sci::NodeId>(rank);
        for (const auto& [to, receiver] : senders_[rank].areas) {
            const std::uint64_t first = receiver.stored > kBlocks ? receiver.stored - kBlocks : 0;
            for (std::uint64_t sequence = first; sequence < receiver.stored; ++sequence) {
                if (holds(from, to, sequence)) continue;
                throw ModelError(fmt::format("store-traffic: block {} of node {} in the memory of node {} is not there",
                                             sequence, from, to));
            }
        }
    }
}

Results StoreTraffic::results() const
{
    Results results;
    results.columns = {
        {"pattern", ""}, {"senders", ""}, {"accepted_mb_per_s", "MB/s"}, {"accepted_total_mb_per_s", "MB/s"}};
    use_->add_columns(results);
    for (const auto* column : {"blocks", "retries", "link_crossings"}) results.columns.push_back({column, ""});
    std::uint64_t in_window = 0;
    std::uint64_t blocks = 0;
    for (const Sender& sender : senders_) {
        in_window += sender.stored_in_window;
        for (const auto& [to, receiver] : sender.areas) blocks += receiver.stored;
    }
    const double total = static_cast<double>(in_window * sci::kBlockBytes) / options_.duration.us();
    auto& row = results.rows.emplace_back();
    row = {std::string(options_.pattern->name), std::int64_t{sending_}, total / sending_, total};
    use_->add_cells(row);
    row.insert(row.end(), {static_cast<std::int64_t>(blocks), static_cast<std::int64_t>(machine_->retries()),
                           static_cast<std::int64_t>(machine_->link_crossings())});
    results.notes.push_back(fmt::format(
        "{} of {} hosts store 64-byte blocks as fast as they can for {} after {}; MB/s are 10^6 payload bytes a "
        "second, of one sender and of all",
        sending_, machine_->nodes(), to_string(options_.duration), to_string(options_.warm_up)));
    results.notes.push_back(
        "use: part of that time in which links, B-Links and PCI buses were busy, their overheads (idle symbols, "
        "arbitration, turnaround) included, retries on PCI not; if none is near 1, stores wait for stream buffers, and "
        "so for latency, or for the one that psb.stream_assignment gives them");
    return results;
}

}  // namespace ringmesh::workloads
