// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "hw/mesh/params.h"
#include "tlm/mesh/look_ahead.h"
#include "tlm/mesh/mesh_port.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"

namespace ringmesh::hw {

/// A mesh of routers, in either level of detail: terminals bind to its sockets and exchange packets. Outer ports of
/// routers without a terminal end in stubs.
///
/// Timing on an empty mesh: the last flit arrives `zero_load_latency` after the packet may leave, which is put on the
/// next edge of the mesh clock: routers * (pipeline + link) + terminal + flits - 1 cycles, routers being those it
/// passes (each pipeline and link its own, where some differ); flit by flit longer, if a buffer holds neither the
/// packet nor what a credit's way round takes.
class Mesh : public sc_core::sc_module, public Component {
public:
    ~Mesh() override = default;

    /// The socket of a terminal. @throws ModelError if the mesh was made without it
    virtual mesh::MeshSocket<Mesh>& port(mesh::Terminal terminal) = 0;
    /// From now on the mesh tells this terminal's arrivals ahead, if it knows them. @pre before the run
    virtual void look_ahead(mesh::Terminal, mesh::Collector&) {}
    /// "flit" or "path".
    virtual std::string_view detail() const = 0;
    virtual Duration zero_load_latency(mesh::Terminal from, mesh::Terminal to, std::uint32_t flits) const = 0;
    /// Routers that a packet passes, both ends included.
    virtual std::uint32_t routers_between(mesh::Terminal from, mesh::Terminal to) const = 0;
    /// The zero-load latency through so many routers that do not differ from others.
    virtual Duration latency_through(std::uint32_t routers, std::uint32_t flits) const = 0;
    /// Flits that have crossed links between routers.
    virtual std::uint64_t flit_hops() const = 0;
    /// The same of each link, in an order that never changes.
    virtual std::vector<std::uint64_t> link_flits() const = 0;
    virtual std::string link_name(std::size_t i) const = 0;

    std::string component_name() const override { return name(); }

protected:
    explicit Mesh(const sc_core::sc_module_name& module_name) : sc_module(module_name) {}
    /// What comes in through the socket of a terminal, by the number of the terminal.
    virtual ::tlm::tlm_sync_enum transport(int terminal, mesh::Packet& packet, mesh::PortPhase& phase,
                                           sc_core::sc_time& delay) = 0;
    /// What comes in through this socket goes to transport().
    void listen(mesh::MeshSocket<Mesh>& socket, int terminal)
    {
        socket.register_nb_transport_fw(this, &Mesh::transport, terminal);
    }
};

/// Makes the mesh that the parameters ask for. It has a terminal at each router's local port, and those of `edges`.
/// @throws ModelError if one of `edges` is no outer port of the mesh, or the routes are wrong
/// (MeshParams::check_routes)
std::unique_ptr<Mesh> make_mesh(const sc_core::sc_module_name& name, Simulation& simulation, const MeshParams& params,
                                const std::vector<mesh::Terminal>& edges);

}  // namespace ringmesh::hw
