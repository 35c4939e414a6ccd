// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tlm/mesh/look_ahead.h"
#include "tlm/mesh/mesh_port.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/statistics/statistics.h"
#include "tlm/statistics/use.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// A terminal's output queue to the mesh: packets of a class leave in the order of send(), and wait here while the mesh
/// is full. Takes no time itself. The sender bounds the number of packets.
class MeshOutlet {
public:
    using Socket = ::tlm::tlm_initiator_socket<mesh::kPortWidth, mesh::PortProtocol>;

    /// @param terminal tells the mesh what need not go through the socket
    MeshOutlet(Socket& socket, mesh::Collector& terminal) : socket_(socket), terminal_(terminal) {}

    /// Sends a packet that may leave at `at`, now or a few cycles ahead. @return packets of its class accepted by the
    /// mesh
    std::size_t send(mesh::Packet& packet, Duration at, Duration now);
    /// The mesh has room again. @return packets of this class accepted by it
    std::size_t resume(mesh::Class kind, Duration now);

    /// Packets that wait for the mesh.
    const Level& waiting(mesh::Class kind) const { return waiting_[mesh::index(kind)]; }
    void statistics(StatisticsVisitor& visitor) const;

private:
    struct Waiting {
        mesh::Packet* packet = nullptr;
        Duration at;
    };

    bool offer(const Waiting& first, Duration now);

    Socket& socket_;
    mesh::Collector& terminal_;
    ::tlm::tlm_fw_transport_if<mesh::PortProtocol>* mesh_ = nullptr;  // behind it, once it has been called
    std::array<RingBuffer<Waiting>, mesh::kClasses> queues_;
    std::array<Level, mesh::kClasses> waiting_;
    std::array<bool, mesh::kClasses> offering_{};  // guards against calls back from the mesh
    Counter sent_, refused_;
};

/// The slots in which a terminal holds requests from the mesh until the mesh has accepted their responses. Without a
/// free slot a request is refused with kFull; the next free slot is announced with kCredit. Takes no time itself.
class RequestSlots {
public:
    RequestSlots(MeshOutlet::Socket& socket, std::int64_t slots) : socket_(socket), slots_(slots) {}

    /// A request arrives. @return whether there is a slot for it
    bool take();
    /// The mesh has accepted so many responses. It may call back with another request.
    void free(std::size_t responses);

    const Level& taken() const { return taken_; }
    std::uint64_t slots() const { return static_cast<std::uint64_t>(slots_); }
    void statistics(StatisticsVisitor& visitor) const;

private:
    MeshOutlet::Socket& socket_;
    const std::int64_t slots_;
    Level taken_;
    bool credit_owed_ = false;  // kFull was returned
    Counter refused_;
};

}  // namespace ringmesh::hw
