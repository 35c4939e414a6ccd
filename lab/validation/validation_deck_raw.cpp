// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "analytic/deck.h"
#include "lab/validation/deck_parts.h"

/// Stores and loads of remote memory [002 II.C to II.E, Fig. 1, 2].
namespace ringmesh::lab::deck {
namespace {

constexpr const char* kMmx = "deck remote-write mmx";
constexpr const char* kMemcpy = "deck remote-write memcpy";
constexpr const char* kSawTooth = "deck remote-write 1 to 256 B";
constexpr const char* kSixtyBytes = "deck remote-write 60 B";
constexpr std::array<int, 4> kWidths{1, 2, 4, 8};
constexpr int kReadSize = 65'536;
constexpr int kPeakSize = 16'384;
/// The peak is reached there: all stream buffers are in use.
constexpr double kFullPipeline = 512;

constexpr double kLocalWriteNs = 100;  // host.local_access
constexpr double kMebi = 1.048576;
constexpr double kBandwidthTolerance = 5;
/// "Reached" is within this much of the peak.
constexpr double kRawPeakTolerance = 5;
constexpr double kExact = 0.01;

std::string read_name(bool prefetch) { return prefetch ? "deck remote-read with prefetch" : "deck remote-read"; }

/// For the platform's card and bus: 2 clocks to open a stream buffer; address, wait and turnaround for each
/// transaction.
double formula_mb_per_s(Bytes burst)
{
    return analytic::write_bandwidth({.burst = burst, .each_transaction = 3_cycles, .first_of_block = 2_cycles}) / 1e6;
}

double peak(const Experiments& experiments, const char* name)
{
    return result(experiments.outcome(name), "bandwidth_mb_per_s", "size_bytes", kPeakSize);
}

void add_bandwidth(Rows& rows, const Experiments& experiments, const char* id, const char* name, Bytes burst)
{
    const double simulated = peak(experiments, name);
    Row row = judged(published_as_row(id), Role::kCalibration, kBandwidthTolerance, simulated);
    row.analytic = formula_mb_per_s(burst);
    row.note += fmt::format("; method: blocks of {} B one after another to one place, a barrier at the end", kPeakSize);
    rows.add(std::move(row));

    Row mebi = published_as_row(id);
    mebi.id += "_MiB";
    mebi.quantity += ", if the paper's MB are 2^20 bytes";
    mebi.unit = "MiB/s";
    mebi.note = "for information: the same measurement";
    rows.add(shown(std::move(mebi), simulated / kMebi, formula_mb_per_s(burst) / kMebi));
}

void add_pipeline(Rows& rows, const Experiments& experiments)
{
    double least = std::numeric_limits<double>::max();
    const auto sizes = column(experiments.outcome(kMmx), "size_bytes");
    const auto percents = column(experiments.outcome(kMmx), "percent_of_peak");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] >= kFullPipeline) least = std::min(least, percents[i]);
    }
    Row row = judged(plain_row("deck.raw_write.from_512B", "least part of the peak from 512 B on, MMX stores", "%"),
                     Role::kPrediction, kRawPeakTolerance, least);
    row.analytic = 100;
    row.kind = "claim";
    row.source = "[002 II.E, Fig. 2]";
    row.note =
        "blocks one after another to one place: a block waits until the stream buffers that it needs are free, so "
        "that short blocks do not fill the pipeline of eight";
    rows.add(std::move(row));
}

/// Multiples of 64 bytes at which a write is faster than a write of one byte less.
double drops(const Outcome& outcome)
{
    double count = 0;
    for (std::int64_t size = 64; size <= 256; size += 64) {
        const double before = result(outcome, "latency_ns", "size_bytes", size - 1);
        if (result(outcome, "latency_ns", "size_bytes", size) < before) ++count;
    }
    return count;
}

void add_saw_tooth(Rows& rows, const Experiments& experiments)
{
    Row row = judged(plain_row("deck.raw_write.drops",
                               "multiples of 64 B, up to 256, at which the latency of a write drops", "sizes"),
                     Role::kPrediction, kExact, drops(experiments.outcome(kSawTooth)));
    row.analytic = 4;
    row.kind = "figure";
    row.source = "[002 II.D, Fig. 1]";
    row.note = "latency: store and barrier; a whole buffer leaves as one packet, a part of one as up to four in turn";
    rows.add(std::move(row));

    const Outcome& sixty = experiments.outcome(kSixtyBytes);
    Row packets = judged(published_as_row("deck.transactions_60B"), Role::kPrediction, kExact,
                         statistic(sixty, "node*.psb", "partial_writes") / statistic(sixty, "node*.psb", "barriers"));
    packets.note = "simulated: 16-byte requests for each write of 60 B with a barrier behind it";
    rows.add(std::move(packets));
}

double read_bandwidth(const Experiments& experiments, bool prefetch, int width)
{
    return result(experiments.outcome(read_name(prefetch)), "bandwidth_mb_per_s", "width_bytes", width);
}

/// [000 5.1] names it for the Wulfkit ring.
void add_small_write(Rows& rows, const Experiments& experiments)
{
    Row row = plain_row("deck.raw_write.4B_over_local",
                        "a remote write of 4 B with a barrier, as multiple of a local one", "x");
    row.published = 20;
    row.simulated = result(experiments.outcome(kSawTooth), "latency_ns", "size_bytes", 4) / kLocalWriteNs;
    row.kind = "claim";
    row.source = "[000 5.1]";
    row.note =
        "about 2 us against 100 ns, said of the Wulfkit ring; the barrier's way back is part of what is simulated";
    rows.add(std::move(row));
}

void add_reads(Rows& rows, const Experiments& experiments)
{
    const double write = peak(experiments, kMmx);
    for (const bool prefetch : {true, false}) {
        Row row = published_as_row("deck.remote_read_over_write");
        if (!prefetch) row.id += "_no_prefetch";
        row.simulated = write / read_bandwidth(experiments, prefetch, 8);
        row.note = fmt::format("8-byte loads, {} prefetch, 64 KiB; other widths in a table below",
                               prefetch ? "with" : "without");
        rows.add(std::move(row));
    }
}

}  // namespace

void plan_raw(Experiments& experiments)
{
    const auto stores = [](const char* kind) {
        return request(
            fmt::format("remote-write:stores={},sizes=64..512 step 64,1024..{} x2,repetitions=50", kind, kPeakSize));
    };
    experiments.plan(kMmx, stores("mmx"));
    experiments.plan(kMemcpy, stores("memcpy"));
    experiments.plan(kSawTooth, request("remote-write:sizes=1..256 step 1,repetitions=2"));
    experiments.plan(kSixtyBytes, request("remote-write:sizes=60,repetitions=20,method=single"));
    const std::string loads = fmt::format("remote-read:sizes={},widths=1,2,4,8", kReadSize);
    for (const bool prefetch : {false, true}) {
        experiments.plan(read_name(prefetch), request(loads, {fmt::format("psb.read_prefetch={}", prefetch)}));
    }
}

void add_raw(Rows& rows, const Experiments& experiments)
{
    rows.section("Remote writes and reads");
    add_bandwidth(rows, experiments, "deck.raw_write_bandwidth_mmx", kMmx, 32_B);
    add_bandwidth(rows, experiments, "deck.raw_write_bandwidth_memcpy", kMemcpy, 8_B);
    add_pipeline(rows, experiments);
    add_saw_tooth(rows, experiments);
    add_small_write(rows, experiments);
    add_reads(rows, experiments);
}

Report::Table remote_reads(const Experiments& experiments)
{
    TextTable table({{"load instruction", Align::kRight, "bytes"},
                     {"bandwidth", Align::kRight, "MB/s"},
                     {"writes are faster", Align::kRight, "x"},
                     {"error of 10 x", Align::kRight, "%"},
                     {"bandwidth, prefetch", Align::kRight, "MB/s"},
                     {"writes are faster", Align::kRight, "x"},
                     {"error of 10 x", Align::kRight, "%"}});
    const double write = peak(experiments, kMmx);
    const double claimed = published("deck.remote_read_over_write");
    for (const int width : kWidths) {
        std::vector<std::string> cells{fmt::format("{}", width)};
        for (const bool prefetch : {false, true}) {
            const double read = read_bandwidth(experiments, prefetch, width);
            cells.push_back(fmt::format("{:.2f}", read));
            cells.push_back(fmt::format("{:.1f}", write / read));
            cells.push_back(fmt::format("{:+.0f}", 100 * (write / read / claimed - 1)));
        }
        table.row(std::move(cells));
    }
    return {fmt::format("Remote reads of {} KiB, against MMX stores: \"approximately ten times slower\" [002 II.C]",
                        kReadSize / 1024),
            std::move(table),
            {"Each load instruction is a PCI read that stalls the processor for a round trip, or, with prefetch, one",
             "instruction of each 64 bytes. The paper says neither the width nor whether prefetch was on."}};
}

}  // namespace ringmesh::lab::deck
