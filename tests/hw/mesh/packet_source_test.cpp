// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/packet_source.h"

#include <stdexcept>
#include <vector>

#include "tests/hw/mesh/mesh_bench.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace ringmesh::mesh_packet_source_test {
namespace {

using namespace test;
using mesh::PortPhase;

/// The mesh's side of a border.
struct FakeBorder final : sc_core::sc_module {
    explicit FakeBorder(const sc_core::sc_module_name& name) : sc_module(name)
    {
        socket.register_nb_transport_fw(this, &FakeBorder::take, 0);
    }
    ::tlm::tlm_sync_enum take(int, mesh::Packet&, PortPhase&, sc_core::sc_time&) { return ::tlm::TLM_ACCEPTED; }
    mesh::MeshSocket<FakeBorder> socket{"socket"};
};

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mesh_packet_source)

/// Packets arrive, and there is room, when a source and a mesh are told so.
BOOST_AUTO_TEST_CASE(what_comes_with_a_delay_is_refused)
{
    Simulation simulation(1);
    FakeBorder border("border");
    const std::vector<mesh::Terminal> places{MeshBench::tile(0, 0)};
    hw::MeshPacketSource source("source", simulation, 0, places);
    source.port.bind(border.socket);
    simulation.run();
    for (PortPhase phase : {PortPhase::kCredit, PortPhase::kPacket}) {
        sc_core::sc_time delay(1, sc_core::SC_NS);
        BOOST_CHECK_THROW(border.socket->nb_transport_bw(mesh::credit_for(mesh::Class::kRequest), phase, delay),
                          std::domain_error);
    }
    PortPhase credit = PortPhase::kCredit;
    sc_core::sc_time none;
    BOOST_CHECK_NO_THROW(border.socket->nb_transport_bw(mesh::credit_for(mesh::Class::kRequest), credit, none));
}

BOOST_AUTO_TEST_CASE(a_mesh_refuses_room_with_a_delay)
{
    hw::MeshParams params;
    params.columns = params.rows = 2;
    MeshBench bench(params);
    bench.run();
    PortPhase credit = PortPhase::kCredit;
    sc_core::sc_time delay(1, sc_core::SC_NS);
    BOOST_CHECK_THROW(bench.at(0, 0).out->nb_transport_fw(mesh::credit_for(mesh::Class::kRequest), credit, delay),
                      std::domain_error);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::mesh_packet_source_test
