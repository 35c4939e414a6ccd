// SPDX-License-Identifier: Apache-2.0
//
// Small messages from every node of an NCUBE to every other under Vertex, a read after each write; each is checked to
// come once. Prints one JSON line: messages, channel crossings and events of the kernel per second of wall time, mean
// number of pending timed events, memory per node.
//
//     hypercube_messages DIMENSION [BYTES]

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bench/speed/measure.h"
#include "platforms/ncube/machine.h"
#include "workloads/libraries/vertex/vertex_library.h"
#include "workloads/programs/rounds.h"

namespace {

using namespace ringmesh;
using bench::resident_kilobytes;

/// How often pending events are counted, of simulated time: a message takes about twice as long.
constexpr Duration kSlice = 200_us;

double pending_events(platforms::NcubeCube& machine)
{
    unsigned sum = 0;
    for (unsigned rank = 0; rank < machine.nodes(); ++rank) {
        sum += machine.node(rank).cpu.armed_wakeups() + machine.node(rank).channels.armed_wakeups();
    }
    return sum;
}

int run(std::int64_t dimension, const char* bytes)
{
    const double before_kb = resident_kilobytes();
    bench::Stopwatch watch;
    Simulation simulation(1);
    platforms::NcubeParams params;
    params.topology.dimension = dimension;
    platforms::NcubeCube machine(simulation, params);
    workloads::RoundsProgram program(workloads::RoundPattern::kAllToAll,
                                     std::make_unique<workloads::vertex::VertexLibrary>(),
                                     {.sizes = bytes, .repetitions = 1, .quiet = true, .overlap = true});
    program.start(machine);
    simulation.run_until(Duration::zero());
    const double elaboration = watch.seconds();
    double wall = 0;
    double pending = 0;
    int slices = 0;
    while (sc_core::sc_pending_activity()) {
        ++slices;
        watch = {};
        simulation.run_until(kSlice * slices);
        wall += watch.seconds();
        pending += pending_events(machine);
    }
    program.check();
    simulation.require_drained();
    const double nodes = machine.nodes();
    const double messages = nodes * (nodes - 1);
    const double crossings = nodes * nodes * static_cast<double>(dimension) / 2;
    double events = 0;
    for (unsigned rank = 0; rank < machine.nodes(); ++rank) {
        events += static_cast<double>(machine.node(rank).cpu.wakeups() + machine.node(rank).channels.wakeups());
    }
    std::printf(
        "{\"nodes\": %.0f, \"pending\": %.0f, \"messages\": %.0f, \"wall_seconds\": %.3f, \"messages_per_second\": "
        "%.0f, \"crossings_per_second\": %.0f, \"events_per_second\": %.0f, \"events_per_crossing\": %.1f, "
        "\"elaboration_seconds\": %.3f, \"kilobytes_per_node\": %.1f}\n",
        nodes, pending / slices, messages, wall, messages / wall, crossings / wall, events / wall, events / crossings,
        elaboration, (resident_kilobytes() - before_kb) / nodes);
    std::fflush(stdout);
    std::_Exit(0);  // the kernel's teardown is quadratic in the number of objects
}

}  // namespace

int sc_main(int argc, char** argv)
{
    const std::int64_t dimension = argc > 1 ? std::atoll(argv[1]) : -1;
    if (dimension < 1 || dimension > 10) {
        std::fputs("usage: hypercube_messages DIMENSION [BYTES], DIMENSION from 1 to 10\n", stderr);
        return 2;
    }
    return run(dimension, argc > 2 ? argv[2] : "16");
}

int main(int argc, char** argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}
