// SPDX-License-Identifier: Apache-2.0
/// A table of packets, for a mesh.
#include "platforms/mesh/bare_mesh.h"
#include "tests/fuzz/reader.h"
#include "tlm/simulation/simulation.h"
#include "workloads/replay/packet_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    static Simulation simulation(1);
    static platforms::BareMesh mesh(simulation, hw::MeshParams{});
    return fuzz::refused_or_read([&] {
        workloads::PacketTrace trace(fuzz::file("packets.csv", fuzz::text_of(data, size)).string(), mesh);
        while (trace.next()) {
        }
    });
}
