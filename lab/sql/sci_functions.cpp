// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "analytic/sci_components.h"
#include "analytic/sci_load.h"
#include "analytic/sci_ring.h"
#include "analytic/sci_topology.h"
#include "lab/sql/functions.h"
#include "tlm/torus_shape.h"

/// Equations 1 to 25 of [000], with the published components (64 bytes and more) or with given ones, and the loaded
/// ring of docs/reference/analytic.md. A torus is a text: '4x4'.
namespace ringmesh::lab {
namespace {

using analytic::Components;
using workloads::Cell;

Components components(double overhead, double propagation, double forwarding, double switching)
{
    return {
        .propagation_ns = propagation, .forwarding_ns = forwarding, .overhead_ns = overhead, .switching_ns = switching};
}

/// Behind the arguments that say what: the components, in the order of a path.
std::vector<std::string> with_components(std::vector<std::string> arguments)
{
    for (const char* name : {"overhead_ns", "propagation_ns", "forwarding_ns", "switching_ns"}) {
        arguments.emplace_back(name);
    }
    return arguments;
}

analytic::SwitchMode switch_mode_of(const std::string& switching)
{
    if (switching == "store-and-forward") return analytic::SwitchMode::kStoreAndForward;
    if (switching == "cut-through-receive") return analytic::SwitchMode::kCutThroughOnReceive;
    if (switching == "cut-through") return analytic::SwitchMode::kFullCutThrough;
    throw std::domain_error("'" + switching + "' is not store-and-forward, cut-through-receive or cut-through");
}

/// "4x4"
TorusShape shape_of(const std::string& torus)
{
    std::vector<std::int64_t> sizes;
    const char* at = torus.data();
    const char* const end = at + torus.size();
    while (true) {
        const auto [next, error] = std::from_chars(at, end, sizes.emplace_back());
        if (error != std::errc{} || (next != end && *next != 'x')) {
            throw std::domain_error("'" + torus + "' is not a torus; write '4x4'");
        }
        if (next == end) break;
        at = next + 1;
    }
    if (const std::string problem = TorusShape::problem_of(sizes); !problem.empty()) throw std::domain_error(problem);
    return TorusShape(sizes);
}

std::vector<double> sizes_of(const std::string& torus)
{
    const TorusShape shape = shape_of(torus);
    std::vector<double> sizes;
    for (unsigned d = 0; d < shape.dimensions(); ++d) sizes.push_back(static_cast<double>(shape.size(d)));
    return sizes;
}

double request_on_torus(const std::string& torus, int from, int to, const Components& parts)
{
    const TorusShape shape = shape_of(torus);
    if (from < 0 || to < 0 || from >= static_cast<int>(shape.nodes()) || to >= static_cast<int>(shape.nodes())) {
        throw std::domain_error("no such node on the torus " + torus);
    }
    std::vector<analytic::DimensionPath> path;
    for (unsigned d = 0; d < shape.dimensions(); ++d) {
        path.push_back(
            {.nodes = static_cast<int>(shape.size(d)),
             .hops = static_cast<int>(shape.distance(static_cast<unsigned>(from), static_cast<unsigned>(to), d))});
    }
    return analytic::request_latency(path, parts);
}

Cell found_or_null(const std::optional<double>& number) { return number ? Cell(*number) : Cell(std::monostate()); }

std::vector<SqlFunction> equations_of_rings()
{
    return {
        formula("sci_overhead_ns", {"bytes"}, "ns", "overhead of one side, o(m), as published", "[000 Table 1]",
                [](int bytes) { return analytic::published_overhead_ns(Bytes(bytes)); }),
        formula("sci_ping_pong_ns", {"hops", "bytes"}, "ns",
                "half the round trip of a ping-pong over so many hops each way, with the published components",
                "[000 eq. 18, 21 to 25]",
                [](int hops, int bytes) {
                    return analytic::ping_pong(hops, analytic::published_components(Bytes(bytes)));
                }),
        formula("sci_ping_pong_ns", {"hops", "overhead_ns", "propagation_ns", "forwarding_ns"}, "ns",
                "the same with given components", "[000 eq. 18, 21 to 25]",
                [](int hops, double o, double l_p, double l_f) {
                    return analytic::ping_pong(hops, components(o, l_p, l_f, 0));
                }),
        formula("sci_request_ns", {"nodes", "hops", "bytes"}, "ns",
                "latency of a request on a ring, with the published components", "[000 eq. 2]",
                [](int nodes, int hops, int bytes) {
                    return analytic::request_latency({.nodes = nodes, .hops = hops},
                                                     analytic::published_components(Bytes(bytes)));
                }),
        formula("sci_response_ns", {"nodes", "hops", "bytes"}, "ns",
                "latency of the response to a request over so many hops, with the published components", "[000 eq. 3]",
                [](int nodes, int hops, int bytes) {
                    return analytic::response_latency({.nodes = nodes, .hops = hops},
                                                      analytic::published_components(Bytes(bytes)));
                }),
        formula("sci_transaction_ns", {"nodes", "hops", "bytes"}, "ns",
                "request and response on a ring, with the published components", "[000 eq. 1]",
                [](int nodes, int hops, int bytes) {
                    return analytic::transaction_latency({.nodes = nodes, .hops = hops},
                                                         analytic::published_components(Bytes(bytes)));
                }),
        formula(
            "sci_propagation_ns", {"metres"}, "ns", "propagation latency of a cable", "[000 5.2]",
            [](double metres) { return analytic::propagation_ns(Length::micrometres(std::llround(metres * 1e6))); }),
        formula("sci_overhead_from_ping_pong", {"one_hop_ns", "propagation_ns"}, "ns", "o by equation 18",
                "[000 eq. 18]", [](double one, double l_p) { return analytic::overhead_from_ping_pong(one, l_p); }),
        formula(
            "sci_forwarding_from_ping_pongs", {"one_hop_ns", "four_hops_ns", "propagation_ns"}, "ns",
            "l_f by equation 19", "[000 eq. 19]",
            [](double one, double four, double l_p) { return analytic::forwarding_from_ping_pongs(one, four, l_p); }),
        formula("sci_switching_from_ping_pongs", {"non_switching_ns", "switching_ns", "propagation_ns"}, "ns",
                "l_s by equation 20, which is (l_f + l_p) / 2 too high on rings of three", "[000 eq. 20]",
                [](double without, double with, double l_p) {
                    return analytic::switching_from_ping_pongs(without, with, l_p);
                }),
        formula(
            "sci_send_ns", {"payload_bytes", "gb_per_s"}, "ns", "time to put a request onto a link",
            "[000 ch.4], [SCINET]",
            [](int bytes, double rate) {
                return analytic::send_time(analytic::packet_symbols(Bytes(bytes)), analytic::symbol_time(rate)).ns();
            }),
        formula("sci_switching_stages_ns", {}, "ns",
                "latency of a change of dimension as the sum of the stages of two LC-2 and the B-Link between them",
                "[SCINET], [000 ch.4]",
                [] { return analytic::switching_latency({}, analytic::SwitchMode::kStoreAndForward); }),
        formula("sci_switching_stages_ns",
                {"switching", "blink_mhz", "blink_bytes_per_cycle", "in_fifo_ns", "out_fifo_ns"}, "ns",
                "the same for other hardware; lc2.switching as a text; a B-Link of 0 MHz takes no time",
                "[SCINET], [000 ch.4]",
                [](const std::string switching, double mhz, int bytes, double in_fifo, double out_fifo) {
                    analytic::SwitchStages stages;
                    stages.blink.cycle_ns = mhz == 0 ? 0 : 1000 / mhz;
                    stages.blink.bytes_per_cycle = Bytes(bytes);
                    stages.in_fifo_ns = in_fifo;
                    stages.out_fifo_ns = out_fifo;
                    return analytic::switching_latency(stages, switch_mode_of(switching));
                }),
    };
}

std::vector<SqlFunction> equations_of_tori()
{
    return {
        formula("sci_nodes", {"torus"}, "nodes", "number of nodes of a torus", "",
                [](const std::string torus) { return static_cast<std::int64_t>(shape_of(torus).nodes()); }),
        formula("sci_dimensions", {"torus"}, "", "number of dimensions of a torus", "",
                [](const std::string torus) { return static_cast<std::int64_t>(shape_of(torus).dimensions()); }),
        formula("sci_average_hops", {"torus"}, "hops",
                "hops of a request, averaged over all destinations; also of a response", "[000 eq. 14]",
                [](const std::string torus) { return analytic::average_way(sizes_of(torus)).hops; }),
        formula("sci_average_switches", {"torus"}, "", "changes of dimension, averaged over all destinations",
                "[000 eq. 15]",
                [](const std::string torus) { return analytic::average_way(sizes_of(torus)).switches; }),
        formula("sci_torus_request_ns", with_components({"torus", "from", "to"}), "ns",
                "latency of a request between two nodes", "[000 eq. 8]",
                [](const std::string torus, int from, int to, double o, double l_p, double l_f, double l_s) {
                    return request_on_torus(torus, from, to, components(o, l_p, l_f, l_s));
                }),
        formula("sci_torus_average_ns", with_components({"torus"}), "ns",
                "latency of a request, averaged over all destinations", "[000 eq. 17]",
                [](const std::string torus, double o, double l_p, double l_f, double l_s) {
                    return analytic::average_latency(analytic::average_way(sizes_of(torus)),
                                                     components(o, l_p, l_f, l_s));
                }),
        formula("sci_average_ns", with_components({"dimensions", "nodes"}), "ns",
                "the same on a torus of equal dimensions, whose size may lie between whole numbers", "[000 eq. 17]",
                [](int dimensions, double nodes, double o, double l_p, double l_f, double l_s) {
                    return analytic::average_latency(analytic::average_way(dimensions, nodes),
                                                     components(o, l_p, l_f, l_s));
                }),
        formula("sci_multi_unicast_ns", with_components({"dimensions", "nodes"}), "ns",
                "time to send to all other nodes, one after the other", "[000 6.1]",
                [](int dimensions, double nodes, double o, double l_p, double l_f, double l_s) {
                    return analytic::multi_unicast_latency(analytic::average_way(dimensions, nodes),
                                                           components(o, l_p, l_f, l_s));
                }),
        formula("sci_crossover_nodes", with_components({"dimensions"}), "nodes",
                "number of nodes from which one more dimension is faster; NULL if none below 10^6", "[000 eq. 17]",
                [](int dimensions, double o, double l_p, double l_f, double l_s) {
                    return found_or_null(analytic::crossover(dimensions, components(o, l_p, l_f, l_s)));
                }),
        formula("sci_crossover_of_ring_and_torus", with_components({}), "nodes",
                "equation 17 solved for the first crossover: 2 (l_s - l_f) / (l_f + l_p)", "[000 eq. 17]",
                [](double o, double l_p, double l_f, double l_s) {
                    return analytic::crossover_of_ring_and_torus(components(o, l_p, l_f, l_s));
                }),
        formula("sci_penalty_percent", with_components({"dimensions", "nodes"}), "%",
                "by how much one more dimension is slower at so many nodes; negative: faster", "[000 eq. 17]",
                [](int dimensions, double nodes, double o, double l_p, double l_f, double l_s) {
                    return analytic::penalty_percent(dimensions, nodes, components(o, l_p, l_f, l_s));
                }),
        formula("sci_best_dimensions", with_components({"nodes"}), "", "the best number of dimensions, 1 to 4",
                "[000 6.1]",
                [](double nodes, double o, double l_p, double l_f, double l_s) {
                    return static_cast<double>(analytic::best_torus(nodes, components(o, l_p, l_f, l_s)).dimensions);
                }),
        formula("sci_best_ns", with_components({"nodes"}), "ns", "the average latency of that torus", "[000 6.1]",
                [](double nodes, double o, double l_p, double l_f, double l_s) {
                    return analytic::best_torus(nodes, components(o, l_p, l_f, l_s)).latency_ns;
                }),
        formula("sci_request_hops", {"dimensions", "nodes_per_dimension"}, "hops",
                "hops of a request, averaged over all destinations", "[000 eq. 10, eq. 12]",
                [](int dimensions, int nodes) { return analytic::summed_request_hops(dimensions, nodes); }),
        formula("sci_response_hops", {"dimensions", "nodes_per_dimension"}, "hops",
                "hops of a response, without the sums' term in which no response is due", "[000 eq. 11, eq. 13]",
                [](int dimensions, int nodes) { return analytic::summed_response_hops(dimensions, nodes); }),
        formula("sci_response_hops_as_printed", {"dimensions", "nodes_per_dimension"}, "hops", "the same as printed",
                "[000 eq. 11, eq. 13]",
                [](int dimensions, int nodes) { return analytic::summed_response_hops_as_printed(dimensions, nodes); }),
    };
}

std::vector<SqlFunction> load()
{
    const std::string model = "docs/reference/analytic.md";
    return {
        formula("sci_saturation_load", {"nodes"}, "",
                "load of the links of a ring at which waits become infinite; uniform writes of 64 bytes", model,
                [](int nodes) { return analytic::saturation_load({.nodes = nodes}); }),
        formula("sci_loaded_ns", {"nodes", "load"}, "ns",
                "mean latency of a write of 64 bytes on a loaded ring, from its birth; NULL if saturated", model,
                [](int nodes, double load) {
                    const auto found = analytic::loaded_latency({.nodes = nodes, .load = load});
                    return found ? Cell(found->mean_ns) : Cell(std::monostate());
                }),
        formula("sci_link_limit_mb_per_s", {"torus"}, "MB/s", "payload for each node if links alone were limited",
                model,
                [](const std::string torus) {
                    return analytic::node_limits(sizes_of(torus), {}, {}, {}, {1, 1}).link;
                }),
        formula("sci_blink_limit_mb_per_s", {"torus"}, "MB/s", "payload for each node if B-Links alone were limited",
                model,
                [](const std::string torus) {
                    return analytic::node_limits(sizes_of(torus), {}, {}, {}, {1, 1}).blink;
                }),
        formula("sci_pci_limit_mb_per_s", {"torus", "sending_ns", "receiving_ns"}, "MB/s",
                "payload for each node if PCI buses alone were limited, held so long for each transaction", model,
                [](const std::string torus, double sending, double receiving) {
                    return analytic::node_limits(sizes_of(torus), {}, {}, {}, {sending, receiving}).pci;
                }),
    };
}

using Rows = std::span<const std::vector<double>>;

/// On straight lines in log N between the sizes of each series.
std::optional<analytic::BracketedCrossover> crossover_of_series(Rows rows)
{
    std::array<std::vector<analytic::SizedLatency>, 2> series;
    for (const auto& row : rows) series.at(row[0] != rows.front()[0] ? 1 : 0).push_back({row[1], row[2]});
    if (series[1].empty()) return std::nullopt;
    return analytic::crossover(series[0], series[1]);
}

SqlFunction of_series(std::string name, std::string meaning, double analytic::BracketedCrossover::*what)
{
    return {.name = std::move(name),
            .arguments = {"dimensions", "nodes", "latency_ns"},
            .unit = "nodes",
            .meaning = std::move(meaning),
            .source = "docs/reference/analytic.md",
            .aggregate = [what](Rows rows) -> Cell {
                const auto found = crossover_of_series(rows);
                return found ? Cell((*found).*what) : Cell(std::monostate());
            }};
}

}  // namespace

std::vector<SqlFunction> sci_functions()
{
    auto all = equations_of_rings();
    for (auto more : {&equations_of_tori, &load}) {
        for (SqlFunction& function : more()) all.push_back(std::move(function));
    }
    using Found = analytic::BracketedCrossover;
    all.push_back(of_series("sci_crossover",
                            "where two series of tori of other numbers of dimensions meet, on lines in log N "
                            "between the sizes; NULL if no two sizes enclose it",
                            &Found::nodes));
    all.push_back(of_series("sci_crossover_below", "the size before that crossover", &Found::below));
    all.push_back(of_series("sci_crossover_above", "the size behind that crossover", &Found::above));
    return all;
}

}  // namespace ringmesh::lab
