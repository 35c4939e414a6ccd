// SPDX-License-Identifier: Apache-2.0
#include "platforms/ncube/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "tlm/error.h"

namespace ringmesh::platforms {

void NcubeTopologyParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"dimension", "dimension of the hypercube: 2 to its power are the nodes"}, dimension, {0, 10});
}

void NcubeParams::visit(ParameterVisitor& visitor)
{
    visitor.group("topology", "how the nodes are joined", topology);
    node.visit(visitor);
    visitor.only_if(visitor.nodes() == NodeKind::kProcessor, hw::kOnlySources,
                    [&] { visitor.group("vertex", "what the operating system spends on each action", vertex); });
    visitor.group("fault", "faults of the hardware, under any names", faults);
}

NcubeCube::NcubeCube(Simulation& simulation, const NcubeParams& params) : simulation_(simulation), params_(params)
{
    const unsigned count = 1U << static_cast<unsigned>(params.topology.dimension);
    const unsigned dimensions = dimension();
    nodes_.reserve(count);
    const auto contention = std::make_shared<const hw::PortContention>(params_.node);
    for (unsigned rank = 0; rank < count; ++rank) {
        simulation.begin_part(rank);
        nodes_.push_back(std::make_unique<hw::NcubeNode>(fmt::format("node{}", rank).c_str(), simulation, params_.node,
                                                         rank, dimensions + 1, contention));
    }
    simulation.begin_part(count);
    host_ = std::make_unique<hw::NcubeNode>("host", simulation, params_.node, count, count, contention);
    for (unsigned rank = 0; rank < count; ++rank) {
        auto& channels = nodes_[rank]->channels;
        for (unsigned i = 0; i < dimensions; ++i) channels.out[i].bind(nodes_[rank ^ (1U << i)]->channels.in[i]);
        channels.out[dimensions].bind(host_->channels.in[rank]);
        host_->channels.out[rank].bind(channels.in[dimensions]);
    }
}

hw::NcubeNode& NcubeCube::node(unsigned rank)
{
    if (rank < nodes_.size()) return *nodes_[rank];
    if (rank == nodes_.size()) return *host_;
    throw ModelError(fmt::format("this machine has no node {}", rank));
}

namespace {

/// The load of each channel, with all messages routed along the dimensions, lowest first.
class ChannelLoad final : public ExpectedLoad {
public:
    /// @param share of `transfer` that a message takes on average
    ChannelLoad(unsigned nodes, unsigned dimension, Duration transfer, double share)
        : nodes_(nodes),
          dimension_(dimension),
          transfer_(transfer),
          share_(share),
          carried_(nodes * dimension),
          first_(nodes * dimension),
          sends_(nodes)
    {}

    void flow(unsigned from, unsigned to, double part) override
    {
        if (part <= 0) return;
        sends_.at(from) = true;
        unsigned at = from;
        for (unsigned left = from ^ to; left != 0; left &= left - 1) {
            const auto channel = static_cast<unsigned>(std::countr_zero(left));
            if (at == from) first_.at(at * dimension_ + channel) += part;
            carried_.at(at * dimension_ + channel) += part;
            at ^= 1U << channel;
        }
    }
    void alike(unsigned to, double part) override
    {
        for (unsigned from = 0; from < nodes_; ++from) flow(from, from ^ to, part);
    }
    void alike_to_all_others(double part) override
    {
        for (unsigned to = 1; to < nodes_; ++to) alike(to, part / (nodes_ - 1));
    }
    MeanTime gap_at_full_load() const override { return times(carried_); }
    Limit source_limit() const override { return {times(first_), "channel"}; }
    unsigned senders() const override { return static_cast<unsigned>(std::count(sends_.begin(), sends_.end(), true)); }
    /// A few unloaded transfers through the cube.
    Duration warm_up() const override { return transfer_ * (20 + 10 * std::int64_t{dimension_}); }

private:
    Duration times(const std::vector<double>& messages) const
    {
        return nanoseconds(transfer_.ns() * share_ * *std::max_element(messages.begin(), messages.end()));
    }

    const unsigned nodes_;
    const unsigned dimension_;
    const Duration transfer_;
    const double share_;
    std::vector<double> carried_, first_;  // messages by node and channel, while each node sends one
    std::vector<bool> sends_;
};

constexpr std::int64_t kUsualBytes = 1'024;

}  // namespace

BareCube::BareCube(Simulation& simulation, const NcubeParams& params) : simulation_(simulation), params_(params)
{
    const unsigned count = 1U << dimension();
    Division* const division = simulation.division();
    if (division != nullptr) {
        division->cut(place_graph(params));
        cut_cables_ = std::make_unique<CutCables>(*division);
    }
    nodes_.reserve(count);
    for (unsigned i = 0; i < count; ++i) {
        simulation.begin_part(i);
        nodes_.push_back(simulation.builds(i)
                             ? std::make_unique<hw::NcubeSourceNode>(fmt::format("node{}", i).c_str(), simulation,
                                                                     params_.node, i, dimension())
                             : nullptr);
    }
    for (unsigned i = 0; i < count; ++i) {
        for (unsigned d = 0; d < dimension(); ++d) {
            const unsigned neighbour = i ^ (1U << d);
            const auto& from = nodes_[i];
            const auto& to = nodes_[neighbour];
            if (division == nullptr || division->owner(i) == division->owner(neighbour)) {
                if (from != nullptr) from->channels.out[d].bind(to->channels.in[d]);
                continue;
            }
            hw::CutChannel& cut = *cut_channels_.emplace_back(
                std::make_unique<hw::CutChannel>(sc_core::sc_gen_unique_name("cut_channel"), *cut_cables_, neighbour));
            if (from != nullptr) from->channels.out[d].bind(cut.in);
            if (to != nullptr) cut.out.bind(to->channels.in[d]);
        }
    }
}

PlaceGraph BareCube::place_graph(const NcubeParams& params)
{
    const auto dimensions = static_cast<unsigned>(params.topology.dimension);
    const std::uint32_t count = 1U << dimensions;
    const Duration least =
        params.node.channel.byte * hw::CubePacketSource::kHeaderBytes * Clock(params.node.processor.clock);
    PlaceGraph graph{.weights = std::vector<std::int64_t>(count, 1), .links = {}};
    for (std::uint32_t node = 0; node < count; ++node) {
        for (unsigned d = 0; d < dimensions; ++d) {
            const std::uint32_t other = node ^ (1U << d);
            if (node < other) graph.links.push_back({.from = node, .to = other, .weight = 1, .least = least});
        }
    }
    return graph;
}

UsualTraffic BareCube::usual_traffic()
{
    UsualTraffic usual;
    usual.packet.size = std::to_string(kUsualBytes);
    return usual;
}

NetworkMachine::Defaults BareCube::traffic_defaults(const PacketForm& packets) const
{
    return {.load = usual_traffic().load, .duration = transfer_time(packets) * 500};
}

PacketForm BareCube::packets(PacketOptions& options) const
{
    options.require_only({"size"});
    const std::int64_t places = 2 * std::max<std::int64_t>(1, dimension());
    const auto size = number_of("size", options.size, kUsualBytes, hw::CubePacketSource::kHeaderBytes,
                                params_.node.memory.size.count() / places);
    return {.size = static_cast<std::uint32_t>(size), .kinds = {}, .bytes = static_cast<double>(size)};
}

std::unique_ptr<ExpectedLoad> BareCube::expected_load(const PacketForm& packets) const
{
    return std::make_unique<ChannelLoad>(nodes(), dimension(), transfer_time(packets),
                                         packets.mean_size() / packets.size);
}

unsigned BareCube::hops(unsigned from, unsigned to) const { return static_cast<unsigned>(std::popcount(from ^ to)); }

std::optional<Duration> BareCube::unloaded_latency(unsigned hops, const PacketForm& packets) const
{
    return transfer_time(packets) * hops;
}

std::vector<SharedResources> BareCube::shared() const
{
    SharedResources links{.sort = "link", .busy = {}};
    for (const auto& node : nodes_) {
        for (unsigned d = 0; d < dimension(); ++d) {
            links.busy.push_back(node == nullptr ? Booked{}
                                                 : Booked{node->channels.sending_time(d), node->channels.free_at(d)});
        }
    }
    return {links};
}

std::string BareCube::shared_name(std::size_t /*sort*/, std::size_t i) const
{
    return fmt::format("node{}.channels.out_{}", i / dimension(), i % dimension());
}

std::uint64_t BareCube::link_crossings() const
{
    std::uint64_t sum = 0;
    for (const auto& node : nodes_) sum += node == nullptr ? 0 : node->channels.transfers();
    return sum;
}

std::vector<std::string> BareCube::traffic_notes() const
{
    return {"the sources replace the nodes' processors: Vertex and its costs are not in this run",
            "store and forward at each node; the route takes the dimensions lowest first"};
}

void BareCube::start_sources(TrafficModel& model, const PacketForm& packets)
{
    const Division* const division = simulation_.division();
    for (unsigned i = 0; i < nodes(); ++i) {
        if (division == nullptr || division->owns(i)) nodes_[i]->source.start(model, packets.size);
    }
}

}  // namespace ringmesh::platforms
