// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "platforms/machine_kinds.h"
#include "platforms/wulfkit/machine.h"
#include "tlm/units/quantity.h"

namespace ringmesh::platforms {

namespace {

/// @param of begins the keys: "node3." or nothing
void check_streams(const Configuration& configuration, const std::string& of, const hw::PsbParams& psb)
{
    const std::pair<std::string_view, Bytes> sizes[] = {{"psb.stream_bytes", psb.stream_bytes},
                                                        {"psb.transaction_bytes", psb.transaction_bytes}};
    for (const auto& [key, bytes] : sizes) {
        if (bytes == 64_B || bytes == 128_B) continue;
        throw configuration.problem(of + std::string(key),
                                    "cards have stream buffers and transactions of 64 or 128 bytes",
                                    "write 64 B or 128 B");
    }
    if (psb.transaction_bytes > psb.stream_bytes) {
        throw configuration.problem(of + "psb.transaction_bytes",
                                    fmt::format("a stream buffer of {} cannot fill it", to_string(psb.stream_bytes)),
                                    "write 64 B, or psb.stream_bytes = 128 B as well");
    }
    if (psb.att_page.count() % psb.stream_bytes.count() != 0) {
        throw configuration.problem(of + "psb.att_page",
                                    fmt::format("a block of {} bytes must lie in one page", psb.stream_bytes.count()),
                                    fmt::format("write a multiple of {}", to_string(psb.stream_bytes)));
    }
}

/// Checks combinations of keys of a node, or of all.
void check_node(const Configuration& configuration, const std::string& of, const WulfkitNodeParams& params)
{
    constexpr auto kBlock = static_cast<std::int64_t>(sci::kBlockBytes);
    const std::pair<std::string_view, Bytes> gathers[] = {{"host.single_gather", params.host.single_gather},
                                                          {"host.memcpy_gather", params.host.memcpy_gather},
                                                          {"host.mmx_gather", params.host.mmx_gather}};
    for (const auto& [key, bytes] : gathers) {
        if (kBlock % bytes.count() == 0) continue;
        throw configuration.problem(of + std::string(key), "a transaction must not cross a 64-byte block",
                                    "write 4 B, 8 B, 16 B, 32 B or 64 B");
    }
    check_streams(configuration, of, params.psb);
    if (params.pci.width != 4_B && params.pci.width != 8_B) {
        throw configuration.problem(of + "pci.width", "a PCI bus has 32 or 64 bits", "write 4 B or 8 B");
    }
}

/// @param longest request of any node
void check_bypass(const Configuration& configuration, const std::string& of, const hw::LinkControllerParams& lc2,
                  const hw::LinkParams& link, sci::Command longest)
{
    const auto least = lc2.least_bypass_capacity(link, longest);
    if (lc2.bypass_capacity >= least) return;
    throw configuration.problem(
        of + "lc2.bypass_capacity",
        fmt::format("{} symbols arrive while the longest packet and its {} idles leave", least, link.idle_symbols),
        fmt::format("write {} or more, or a lower link.idle_symbols", least));
}

/// Checks combinations of keys.
void check_wulfkit(const Configuration& configuration, const WulfkitParams& params)
{
    check_node(configuration, "", params);
    const auto& topology = params.topology;
    const ShapeKind& shape = shape_kind(topology.kind);
    if (shape.has_dimensions) {
        std::string wrong = TorusShape::problem_of(topology.dimensions);
        if (wrong.empty() && shape.problem_of != nullptr) wrong = shape.problem_of(topology.dimensions);
        if (!wrong.empty()) throw configuration.problem("topology.dimensions", wrong);
    }
    if (!topology.is_graph() && (!params.graph.nodes.empty() || !params.graph.rings.empty())) {
        throw configuration.problem("topology.kind", "the file has nodes and rings, which only a graph may have",
                                    "write \"graph\", or take them out");
    }
    try {
        WulfkitNetwork::check(params);
    } catch (const GraphProblem& wrong) {
        throw configuration.problem(wrong.key, wrong.what, wrong.cure);
    }
    std::vector<std::string> different;
    try {
        for (const GraphProblem& each : WulfkitNetwork::differences(params)) {
            different.emplace_back(configuration.problem(each.key, each.what, each.cure).what());
        }
    } catch (const GraphProblem& wrong) {
        throw configuration.problem(wrong.key, wrong.what, wrong.cure);
    }
    if (!different.empty()) throw UserError(fmt::format("{}", fmt::join(different, "\n")));
    const sci::Command longest = params.longest_request();
    check_bypass(configuration, "", params.lc2, params.link, longest);
    for (const auto& [name, own] : params.graph.own) {
        check_bypass(configuration, fmt::format("switch.{}.", name), own.lc2, params.link, longest);
    }
    for (const auto& [node, own] : params.one_node) {
        const std::string of = fmt::format("{}{}.", kOneNode, node);
        check_node(configuration, of, own);
        check_bypass(configuration, of, own.lc2, params.link, longest);
    }
}

/// The tables `routes`, `responses` of boxes from which these leave otherwise, and `passes`.
std::vector<RouteRow> rows_of(const SciGraph& graph, const hw::RouteTable& table)
{
    std::vector<RouteRow> rows;
    const auto ways_of = [&](unsigned box, sci::Class kind) {
        std::vector<std::string> ways(graph.nodes());
        for (unsigned target = 0; target < graph.nodes(); ++target) {
            const std::uint8_t port = target == box ? hw::RouteTable::kNone : table.port(box, target, kind);
            if (port != hw::RouteTable::kNone) ways[target] = std::to_string(port);
        }
        return ways;
    };
    const auto boxes = static_cast<unsigned>(graph.boxes().size());
    for (unsigned box = 0; box < boxes; ++box) {
        add_rows(rows, "routes." + graph.boxes()[box].name, ways_of(box, sci::Class::kRequest));
    }
    for (unsigned box = 0; box < boxes && table.classes_differ(); ++box) {
        const auto ways = ways_of(box, sci::Class::kResponse);
        if (ways != ways_of(box, sci::Class::kRequest)) {
            add_rows(rows, "responses." + graph.boxes()[box].name, ways);
        }
    }
    hw::RouteTable by_ports = table;
    strip_by_ports(graph, by_ports);
    for (unsigned chip = 0; chip < graph.chips(); ++chip) {
        std::vector<std::string> nodes;
        for (unsigned first = 0, last = 0; first < graph.nodes(); first = last + 1) {
            const auto passes = [&](unsigned node) { return by_ports.strips(chip, node) && !table.strips(chip, node); };
            for (last = first; passes(last) && last + 1 < graph.nodes() && passes(last + 1);) ++last;
            if (passes(first))
                nodes.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last));
        }
        if (nodes.empty()) continue;
        rows.push_back({"passes", fmt::format("{}.{}", graph.boxes()[graph.box_of(chip)].name, graph.port_of(chip)),
                        fmt::format("\"{}\"", fmt::join(nodes, " "))});
    }
    return rows;
}

class WulfkitKind final : public KindWith<WulfkitParams> {
public:
    std::string name() const override { return "wulfkit"; }
    std::string description() const override
    {
        return "PCs with Wulfkit SCI cards on rings, tori, switches or a graph of them";
    }
    UsualTraffic usual_traffic() const override { return SciNetwork::usual_traffic(); }
    std::vector<std::string_view> offers() const override
    {
        return {PcMachine::kIs, SciMachine::kIs, TrafficMachine::kIs};
    }
    std::vector<RouteRow> routes(const Configuration& configuration) const override
    {
        const WulfkitNetwork network(read(configuration, {}));
        try {
            return rows_of(network.graph(), network.table());
        } catch (const GraphProblem& wrong) {
            throw configuration.problem(wrong.key, wrong.what, wrong.cure);
        }
    }
    Bytes memory(const Configuration& configuration, NodeKind nodes) const override
    {
        // Of each PC or source and of each of its link controllers; a table has a byte for each pair
        constexpr std::int64_t kHost = 32 << 10, kSource = 10 << 10, kLink = 13 << 10;
        const WulfkitParams params = read(configuration, nodes);
        const std::int64_t count = params.nodes();
        const std::int64_t links = params.links_per_node();
        const std::int64_t node = (nodes == NodeKind::kProcessor ? kHost : kSource) + kLink * links;
        return Bytes(count * node + (params.topology.needs_table() ? count * count * 2 : 0));
    }
    std::vector<FaultSort> faults() const override { return {{"node*.lc2*, switches' lc2_*", hw::kLinkFaults}}; }
    std::vector<WaitCheck> waits(const Configuration& configuration, NodeKind nodes) const override
    {
        const WulfkitNetwork network(read(configuration, nodes));
        require_one_network(configuration, network, nodes);
        const SciGraph& graph = network.graph();
        try {
            WaitCheck check{.network = "SCI",
                            .channels = "send and receive queues of link controllers, host's sides",
                            .graph = waits_of(graph, network.table(), [](unsigned, unsigned) { return "routes"; }),
                            .names = {},
                            .rests_on =
                                "A host takes each response, whose place it has reserved, and the bypass FIFO "
                                "holds what arrives behind an own packet. Retries can still starve a node "
                                "without flow control."};
            for (const unsigned queue : check.graph.cycle()) check.names.push_back(queue_name(graph, queue));
            return {std::move(check)};
        } catch (const GraphProblem& wrong) {
            throw configuration.problem(wrong.key, wrong.what, wrong.cure);
        }
    }
    std::string undivided(const Configuration& configuration, NodeKind /*nodes*/, bool /*watched*/) const override
    {
        const WulfkitParams params = read(configuration, NodeKind::kPacketSource);
        for (const auto& [name, fault] : params.faults.all) {
            const bool go_bits = params.link.flow_control->name == "go-bits";
            if (fault.what == "lost-go" || (fault.what == "slow" && go_bits)) {
                return "go bits that cables lose or delay are told apart in the order of one process";
            }
            if (fault.what != "stop" || FaultTimes(fault, Random(0)).begins() != Duration::never()) continue;
            return "a link controller that stops by chance is asked by the one before it, too";
        }
        return params.link_block.blocks() != nullptr ? "a block of your own lies in its cables" : "";
    }
    PlaceGraph place_graph(const Configuration& configuration) const override
    {
        return WulfkitNetwork(read(configuration, NodeKind::kPacketSource)).place_graph();
    }
    std::unique_ptr<Machine> build(const Configuration& configuration, const NodeUse& nodes,
                                   Simulation& simulation) const override
    {
        WulfkitParams params = read(configuration, nodes);
        params.sources = nodes.sources;
        const WulfkitNetwork network(params);
        require_one_network(configuration, network, nodes.kind);
        if (params.sources && network.graph().pcs() < network.nodes()) {
            throw configuration.problem("cards", "background traffic goes from PC to PC, and some PC has several cards",
                                        "give each PC one card, or leave --background out");
        }
        const Duration least = params.recovery.least_response_timeout();
        if (nodes.kind == NodeKind::kProcessor && !params.faults.all.empty() &&
            params.recovery.response_timeout <= least) {
            throw configuration.problem(
                "recovery.response_timeout",
                fmt::format("a link controller tries for {}, so a card could give up a request that still arrives",
                            to_string(least)),
                "write more, at least twice as much, or lower recovery.echo_timeout or recovery.tries");
        }
        return with_faults(configuration, params.faults, simulation, [&]() -> std::unique_ptr<Machine> {
            if (nodes.kind == NodeKind::kProcessor) return std::make_unique<WulfkitMachine>(simulation, params);
            return std::make_unique<BareRings>(simulation, params, nodes.kind);
        });
    }

private:
    static void require_one_network(const Configuration& configuration, const WulfkitNetwork& network, NodeKind nodes)
    {
        if (nodes == NodeKind::kProcessor || network.is_one_network()) return;
        throw configuration.problem("cards", "each card is a packet source of its own, and no rings join some of them",
                                    "join their rings by a switch, or choose a workload that runs programs");
    }
    void check_together(const Configuration& configuration, const WulfkitParams& params) const override
    {
        check_wulfkit(configuration, params);
    }
};

}  // namespace

const MachineKind& wulfkit_kind()
{
    static const WulfkitKind kind;
    return kind;
}

}  // namespace ringmesh::platforms
