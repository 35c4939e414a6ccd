// SPDX-License-Identifier: Apache-2.0
#include "analytic/deck.h"
#include "lab/sql/functions/functions.h"

/// Bounds of [002]'s raw writes and protocols, and lines through its latencies and peaks.
namespace ringmesh::lab {

std::vector<SqlFunction> deck_functions()
{
    using namespace analytic;
    const std::string section = "docs/reference/evidence/analytic.md, Stores, copies and protocols of a cluster";
    return {
        formula("deck_write_mb_per_s", {"burst_bytes", "transaction_clocks", "open_clocks"}, "MB/s",
                "raw writes of stream buffers of 64 bytes over 32-bit PCI at 33 MHz, in transactions of so many bytes "
                "with so many clocks besides their words, and clocks to open a buffer",
                section,
                [](Bytes burst, int transaction, int open) {
                    return write_bandwidth({.burst = burst,
                                            .each_transaction = Cycles(transaction),
                                            .first_of_block = Cycles(open)}) /
                           1e6;
                }),
        formula("deck_copy_mb_per_s", {"line_bytes", "access_ns"}, "MB/s",
                "a copy of memory line by line, with one access to read and one to write", section,
                [](Bytes line, double access) { return copy_bandwidth(line, nanoseconds(access)) / 1e6; }),
        formula("deck_in_series_mb_per_s", {"one_mb_per_s", "other_mb_per_s"}, "MB/s",
                "two steps, each done for every byte, one after the other", section, &in_series),
        formula("deck_crossing_bytes", {"steep_us", "steep_mb_per_s", "flat_us", "flat_mb_per_s"}, "bytes",
                "where two lines of time over size meet, each from its latency at 64 bytes on by its bandwidth",
                section,
                [](double steep_us, double steep, double flat_us, double flat) {
                    return crossing_bytes({steep_us, steep}, {flat_us, flat});
                }),
        formula("deck_latency_for_crossing_us", {"steep_us", "steep_mb_per_s", "flat_mb_per_s", "bytes"}, "us",
                "the latency at 64 bytes that the flat line needs to meet the steep one at this size", section,
                [](double steep_us, double steep, double flat, double bytes) {
                    return latency_for_crossing({steep_us, steep}, flat, bytes);
                }),
    };
}

}  // namespace ringmesh::lab
