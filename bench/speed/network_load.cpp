// SPDX-License-Identifier: Apache-2.0
//
// Uniform 64-byte writes on a ring, packet sources at the link controllers, or on a torus, packet sources on the
// B-Links. Prints one JSON line: packet-hops per second of wall time, mean number of pending timed events, memory per
// node.
//
//     network_load DIMENSIONS [LOAD [PACKET_HOPS]]        such as 64 or 32x32

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "bench/speed/measure.h"
#include "platforms/wulfkit/machine.h"
#include "workloads/traffic/traffic.h"

namespace {

using namespace ringmesh;
using bench::resident_kilobytes;
using platforms::BareRings;

/// Simulated time in which links at this load make about so many packet-hops: each link carries `load` of its rate,
/// in packets whose mean is that of a write's four.
Duration span_for(double packet_hops, double load, const BareRings& machine)
{
    const double mean_ns =
        (machine.link_time(sci::Command::kWrite64).ns() + machine.link_time(sci::Command::kResponse0).ns() +
         2 * machine.link_time(sci::Command::kEcho).ns()) /
        4;
    const double links = machine.nodes() * machine.torus()->dimensions();
    return nanoseconds(packet_hops * mean_ns / (load * links));
}

double pending_events(BareRings& machine)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < machine.nodes(); ++i) {
        auto& node = machine.source(i);
        sum += node.source.armed_wakeups();
        if (node.blink) sum += node.blink->armed_wakeups();
        for (std::size_t link = 0; link < node.links(); ++link) sum += node.lc2(link).armed_wakeups();
    }
    return sum;
}

/// "32x32"
std::vector<std::int64_t> dimensions_of(const char* text)
{
    std::vector<std::int64_t> sizes;
    char* end = nullptr;
    do {
        sizes.push_back(std::strtol(text, &end, 10));
        text = end + 1;
    } while (*end == 'x');
    return sizes;
}

/// Fills the network (a little longer than one round), then measures at a steady load; nothing drains.
int run(const char* dimensions, double load, double wanted_hops)
{
    const double before_kb = resident_kilobytes();
    bench::Stopwatch watch;
    Simulation simulation(1);
    platforms::WulfkitParams params;
    params.topology.dimensions = dimensions_of(dimensions);
    BareRings machine(simulation, params, NodeKind::kPacketSource);
    workloads::TrafficOptions options;
    options.load = std::to_string(load);
    options.duration = "1 s";
    workloads::Traffic traffic(options);
    traffic.start(machine);
    simulation.run_until(Duration::zero());
    const double elaboration = watch.seconds();
    const unsigned nodes = machine.nodes();
    const auto& sizes = params.topology.dimensions;
    const Duration warm_up = 20_us + 80_ns * std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    simulation.run_until(warm_up);

    const Duration span = span_for(wanted_hops, load, machine);
    const auto hops_before = machine.link_crossings();
    double pending = 0;
    double wall = 0;
    constexpr int kSlices = 20;
    for (int slice = 1; slice <= kSlices; ++slice) {
        watch = {};
        simulation.run_until(warm_up + span * slice / kSlices);
        wall += watch.seconds();
        pending += pending_events(machine) / kSlices;
    }
    const auto hops = static_cast<double>(machine.link_crossings() - hops_before);
    if (hops < 0.9 * wanted_hops) {
        std::fprintf(stderr, "network_load: only %.0f packet-hops; the network does not carry this load\n", hops);
        return 1;
    }
    std::printf(
        "{\"nodes\": %u, \"dimensions\": \"%s\", \"load\": %g, \"pending\": %.0f, \"packet_hops\": %.0f, "
        "\"wall_seconds\": %.4f, "
        "\"packet_hops_per_second\": %.0f, \"elaboration_seconds\": %.3f, \"kilobytes_per_node\": %.1f}\n",
        nodes, dimensions, load, pending, hops, wall, hops / wall, elaboration,
        (resident_kilobytes() - before_kb) / nodes);
    std::fflush(stdout);
    std::_Exit(0);  // the kernel's teardown is quadratic in the number of objects
}

}  // namespace

int sc_main(int argc, char** argv)
{
    if (argc < 2 || !TorusShape::problem_of(dimensions_of(argv[1])).empty()) {
        std::fputs("usage: network_load DIMENSIONS [LOAD [PACKET_HOPS]]\n", stderr);
        return 2;
    }
    const double load = argc > 2 ? std::atof(argv[2]) : 0.5;
    const double hops = argc > 3 ? std::atof(argv[3]) : 5e6;
    return run(argv[1], load, hops);
}

int main(int argc, char** argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}
