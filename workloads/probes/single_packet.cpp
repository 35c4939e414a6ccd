// SPDX-License-Identifier: Apache-2.0
#include "workloads/probes/single_packet.h"

#include <fmt/format.h>

#include "tlm/error.h"
#include "tlm/mesh/packet.h"

namespace ringmesh::workloads {
namespace {

constexpr auto kFlitBytes = static_cast<std::int64_t>(mesh::kFlitBytes);
constexpr std::int64_t kMostBytes = (mesh::kMostFlits - 1) * kFlitBytes;

/// Of a request with its data behind a header.
PacketForm form_of(TrafficMachine& machine, std::int64_t bytes)
{
    if (bytes > kMostBytes) {
        throw UserError(
            fmt::format("explain: --bytes {}: a packet of this network carries 1 to {} bytes, in flits of "
                        "{} behind a header; write --bytes {}",
                        bytes, kMostBytes, kFlitBytes, kMostBytes));
    }
    PacketOptions options;
    options.flits = std::to_string(1 + (bytes + kFlitBytes - 1) / kFlitBytes);
    options.kind = "request";
    return machine.packets(options);
}

}  // namespace

SinglePacket::SinglePacket(TrafficMachine& machine, std::int64_t from, std::int64_t to, std::int64_t bytes)
    : pair_(choose_ranks("explain", from, to, machine.nodes())), packets_(form_of(machine, bytes))
{
    machine.start_traffic(*this, packets_);
}

Injection SinglePacket::next(unsigned source)
{
    if (source != pair_.from || offered_) return {};
    offered_ = true;
    return {.at = Duration::zero(), .to = pair_.to, .size = packets_.size, .kind = packets_.kinds[0]};
}

void SinglePacket::delivered(const OfferedPacket& packet, Duration)
{
    arrived_ = packet.source == pair_.from && packet.target == pair_.to;
}

void SinglePacket::check() const
{
    if (!arrived_) throw ModelError("explain: the packet did not arrive");
}

}  // namespace ringmesh::workloads
