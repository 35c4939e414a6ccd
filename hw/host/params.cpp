// SPDX-License-Identifier: Apache-2.0
#include "hw/host/params.h"

namespace ringmesh::hw {

void HostParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"clock", "processor clock"}, clock, {1_MHz, 10'000_MHz});
    visitor.field(
        {"processors", "processors of a PC, each of which runs a program; two share host bridge, card and memory"},
        processors, {1, 2});
    visitor.field({"library", "software of the cards' own API, for each message at its sender and at its receiver"},
                  library, {0_ns, 10_us});
    visitor.field({"crossing", "passage of a posted write through the host bridge, in either direction"}, crossing,
                  {0_ns, 10_us});
    visitor.field({"read_crossing", "passage of a read, or of its answer, through the host bridge"}, read_crossing,
                  {0_ns, 10_us});
    visitor.field({"store_issue", "processor clocks of one store instruction"}, store_issue, {0_cycles, 1000_cycles});
    visitor.field({"poll_loop", "processor clocks of one turn of a poll loop that hits the cache"}, poll_loop,
                  {1_cycles, 1000_cycles});
    visitor.field({"poll_miss", "load of the poll loop that misses after the memory was written"}, poll_miss,
                  {0_ns, 10_us});
    visitor.field({"local_access", "load of a line of local memory that misses the caches, or store of a part of one"},
                  local_access, {0_ns, 10_us});
    visitor.field({"cache_line", "bytes of a line of the caches, which a write from PCI takes out of them"}, cache_line,
                  {1_B, 1_KiB});
    const ProgramUse& programs = visitor.programs();
    visitor.field({"cache", "bytes of local memory that the caches hold; 0: every access misses"}, cache,
                  {0_B, Bytes(std::int64_t{1} << 30)});
    visitor.field({"line_write", "store of a whole line that misses the caches"}, line_write, {0_ns, 10_us});
    visitor.field({"cache_hit", "processor clocks of a line of which the caches have the bytes"}, cache_hit,
                  {0_cycles, 1000_cycles});
    visitor.field({"memory", "local memory"}, memory, {1_MiB, Bytes(std::int64_t{1} << 40)});
    visitor.field({"segments", "shared segments that a node's driver manages"}, segments, {1, 65'536});
    visitor.field({"posted_writes", "stores that the host bridge holds for the PCI bus"}, posted_writes, {1, 1024});
    visitor.field({"inbound_writes", "writes from PCI that the host bridge holds for memory; more are retried"},
                  inbound_writes, {1, 1024});
    const auto gather = [&](bool used, std::string_view key, std::string_view meaning, std::string_view why_not,
                            Bytes& value) {
        visitor.only_if(used, why_not, [&] { visitor.field({key, meaning}, value, {4_B, 64_B}); });
    };
    gather(programs.single_stores, "single_gather", "bytes of consecutive single stores per PCI transaction",
           "no program writes remote memory by single stores; choose stores=single where there is that option",
           single_gather);
    gather(programs.memcpy_stores, "memcpy_gather", "bytes of consecutive memcpy stores per PCI transaction",
           "no program writes remote memory by memcpy; choose stores=memcpy where there is that option", memcpy_gather);
    gather(programs.mmx_stores, "mmx_gather", "bytes of consecutive MMX stores per PCI transaction",
           "no program writes remote memory by MMX stores; choose stores=mmx where there is that option", mmx_gather);
    const std::string_view no_barriers =
        "no program waits for a store barrier; choose a workload or library that does, such as remote-write or deck";
    visitor.only_if(programs.barriers, no_barriers, [&] {
        visitor.choice(
            {"barrier",
             "how a program waits until its stores have arrived: it reads a card register, or does not wait"},
            barrier, kBarrierKinds);
    });
    const std::string_view no_interrupts =
        "no program waits for an interrupt; choose a library that does, such as deck:notification=interrupt";
    visitor.only_if(programs.interrupts, no_interrupts, [&] {
        visitor.field(
            {"interrupt", "time from a card's interrupt to the program that waits for it, with handler and scheduler"},
            interrupt, {0_ns, 1_ms});
    });
}

}  // namespace ringmesh::hw
