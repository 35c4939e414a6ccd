// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "analytic/sci/components.h"
#include "analytic/sci/load.h"
#include "analytic/sci/ring.h"
#include "analytic/sci/topology.h"
#include "lab/sql/functions/functions.h"
#include "tlm/machine/torus_shape.h"

/// Equations 1 to 25 of [000], with the published components (64 bytes and more) or with given ones, and the loaded
/// ring of docs/reference/evidence/analytic.md. A torus is a text: '4x4'.
namespace ringmesh::lab {

using analytic::Components;
using analytic::SwitchMode;

/// In the order of a path.
template <>
struct SqlArgument<Components> {
    static constexpr std::array kNames{"overhead_ns", "propagation_ns", "forwarding_ns", "switching_ns"};

    static Components from(std::span<const workloads::Cell> cells)
    {
        return {.propagation_ns = real_argument(cells[1]),
                .forwarding_ns = real_argument(cells[2]),
                .overhead_ns = real_argument(cells[0]),
                .switching_ns = real_argument(cells[3])};
    }
};

template <>
struct SqlArgument<Length> {
    static Length from(const workloads::Cell& metres)
    {
        return Length::micrometres(std::llround(real_argument(metres) * 1e6));
    }
};

template <>
struct SqlArgument<SwitchMode> {
    static SwitchMode from(const workloads::Cell& cell)
    {
        const std::string switching = text_argument(cell);
        if (switching == "store-and-forward") return SwitchMode::kStoreAndForward;
        if (switching == "cut-through-receive") return SwitchMode::kCutThroughOnReceive;
        if (switching == "cut-through") return SwitchMode::kFullCutThrough;
        throw std::domain_error("'" + switching + "' is not store-and-forward, cut-through-receive or cut-through");
    }
};

template <>
struct SqlArgument<TorusShape> {
    static TorusShape from(const workloads::Cell& cell)
    {
        const std::string torus = text_argument(cell);
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
        if (const std::string problem = TorusShape::problem_of(sizes); !problem.empty()) {
            throw std::domain_error(problem);
        }
        return TorusShape(sizes);
    }
};

namespace {

/// A function of a path's lengths, then the published components for a number of bytes.
auto by_published_components(double (*latency)(analytic::RingPath, const Components&))
{
    return [latency](int nodes, int hops, Bytes bytes) {
        return latency({.nodes = nodes, .hops = hops}, analytic::published_components(bytes));
    };
}

/// The first number of dimensions is that of one series, every other that of the other.
auto of_series(double analytic::BracketedCrossover::*what)
{
    return [what](SqlColumn dimensions, SqlColumn nodes, SqlColumn latencies) -> std::optional<double> {
        std::array<std::vector<analytic::SizedLatency>, 2> series;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            series.at(dimensions[i] != dimensions.front() ? 1 : 0).push_back({nodes[i], latencies[i]});
        }
        if (series[1].empty()) return std::nullopt;
        const auto found = analytic::crossover(series[0], series[1]);
        return found ? std::optional((*found).*what) : std::nullopt;
    };
}

}  // namespace

std::vector<SqlFunction> sci_functions()
{
    using namespace analytic;
    const std::string model = "docs/reference/evidence/analytic.md";
    const auto limit = [](double NodeLimits::*of) {
        return [of](const TorusShape& torus) { return node_limits(sizes_of(torus), {}, {}, {}, {1, 1}).*of; };
    };
    return {
        formula("sci_overhead_ns", {"bytes"}, "ns", "overhead of one side, o(m), as published", "[000 Table 1]",
                &published_overhead_ns),
        formula("sci_ping_pong_ns", {"hops", "bytes"}, "ns",
                "half the round trip of a ping-pong over so many hops each way, with the published components",
                "[000 eq. 18, 21 to 25]",
                [](int hops, Bytes bytes) { return ping_pong(hops, published_components(bytes)); }),
        formula("sci_ping_pong_ns", {"hops", "overhead_ns", "propagation_ns", "forwarding_ns"}, "ns",
                "the same with given components", "[000 eq. 18, 21 to 25]",
                [](int hops, double o, double l_p, double l_f) {
                    return ping_pong(hops, {.propagation_ns = l_p, .forwarding_ns = l_f, .overhead_ns = o});
                }),
        formula("sci_request_ns", {"nodes", "hops", "bytes"}, "ns",
                "latency of a request on a ring, with the published components", "[000 eq. 2]",
                by_published_components(&request_latency)),
        formula("sci_response_ns", {"nodes", "hops", "bytes"}, "ns",
                "latency of the response to a request over so many hops, with the published components", "[000 eq. 3]",
                by_published_components(&response_latency)),
        formula("sci_transaction_ns", {"nodes", "hops", "bytes"}, "ns",
                "request and response on a ring, with the published components", "[000 eq. 1]",
                by_published_components(&transaction_latency)),
        formula("sci_propagation_ns", {"metres"}, "ns", "propagation latency of a cable", "[000 5.2]", &propagation_ns),
        formula("sci_overhead_from_ping_pong", {"one_hop_ns", "propagation_ns"}, "ns", "o by equation 18",
                "[000 eq. 18]", &overhead_from_ping_pong),
        formula("sci_forwarding_from_ping_pongs", {"one_hop_ns", "four_hops_ns", "propagation_ns"}, "ns",
                "l_f by equation 19", "[000 eq. 19]", &forwarding_from_ping_pongs),
        formula("sci_switching_from_ping_pongs", {"non_switching_ns", "switching_ns", "propagation_ns"}, "ns",
                "l_s by equation 20, which is (l_f + l_p) / 2 too high on rings of three", "[000 eq. 20]",
                &switching_from_ping_pongs),
        formula("sci_send_ns", {"payload_bytes", "gb_per_s"}, "ns", "time to put a request onto a link",
                "[000 ch.4], [SCINET]",
                [](Bytes bytes, double rate) { return send_time(packet_symbols(bytes), symbol_time(rate)).ns(); }),
        formula("sci_switching_stages_ns", {}, "ns",
                "latency of a change of dimension as the sum of the stages of two LC-2 and the B-Link between them",
                "[SCINET], [000 ch.4]", [] { return switching_latency({}, SwitchMode::kStoreAndForward); }),
        formula("sci_switching_stages_ns",
                {"switching", "blink_mhz", "blink_bytes_per_cycle", "in_fifo_ns", "out_fifo_ns"}, "ns",
                "the same for other hardware; lc2.switching as a text; a B-Link of 0 MHz takes no time",
                "[SCINET], [000 ch.4]",
                [](SwitchMode mode, double mhz, Bytes bytes, double in_fifo, double out_fifo) {
                    SwitchStages stages{.in_fifo_ns = in_fifo, .blink = {}, .out_fifo_ns = out_fifo};
                    stages.blink.cycle_ns = mhz == 0 ? 0 : 1000 / mhz;
                    stages.blink.bytes_per_cycle = bytes;
                    return switching_latency(stages, mode);
                }),
        formula("sci_switching_stages_ns",
                {"switching", "symbol_ns", "decode_ns", "in_fifo_ns", "out_fifo_ns", "blink_mhz",
                 "blink_bytes_per_cycle", "arbitration_cycles", "header_cycles", "trailer_cycles"},
                "ns", "the same with all delays given", "[SCINET], [000 ch.4]",
                [](SwitchMode mode, double symbol, double decode, double in_fifo, double out_fifo, double mhz,
                   Bytes bytes, double arbitration, double header, double trailer) {
                    SwitchStages stages{.decode_ns = decode,
                                        .symbol_ns = symbol,
                                        .in_fifo_ns = in_fifo,
                                        .blink = {},
                                        .out_fifo_ns = out_fifo};
                    stages.blink.cycle_ns = mhz == 0 ? 0 : 1000 / mhz;
                    stages.blink.bytes_per_cycle = bytes;
                    stages.blink.arbitration_cycles = arbitration;
                    stages.blink.header_cycles = header;
                    stages.blink.trailer_cycles = trailer;
                    return switching_latency(stages, mode);
                }),
        formula("sci_nodes", {"torus"}, "nodes", "number of nodes of a torus", "",
                [](const TorusShape& torus) { return torus.nodes(); }),
        formula("sci_dimensions", {"torus"}, "", "number of dimensions of a torus", "",
                [](const TorusShape& torus) { return torus.dimensions(); }),
        formula("sci_average_hops", {"torus"}, "hops",
                "hops of a request, averaged over all destinations; also of a response", "[000 eq. 14]",
                [](const TorusShape& torus) { return average_way(sizes_of(torus)).hops; }),
        formula("sci_average_switches", {"torus"}, "", "changes of dimension, averaged over all destinations",
                "[000 eq. 15]", [](const TorusShape& torus) { return average_way(sizes_of(torus)).switches; }),
        formula("sci_torus_request_ns", {"torus", "from", "to"}, "ns", "latency of a request between two nodes",
                "[000 eq. 8]",
                [](const TorusShape& torus, int from, int to, const Components& components) {
                    return request_latency(torus, from, to, components);
                }),
        formula("sci_torus_average_ns", {"torus"}, "ns", "latency of a request, averaged over all destinations",
                "[000 eq. 17]",
                [](const TorusShape& torus, const Components& components) {
                    return average_latency(average_way(sizes_of(torus)), components);
                }),
        formula("sci_average_ns", {"dimensions", "nodes"}, "ns",
                "the same on a torus of equal dimensions, whose size may lie between whole numbers", "[000 eq. 17]",
                [](int dimensions, double nodes, const Components& components) {
                    return average_latency(average_way(dimensions, nodes), components);
                }),
        formula("sci_multi_unicast_ns", {"dimensions", "nodes"}, "ns",
                "time to send to all other nodes, one after the other", "[000 6.1]",
                [](int dimensions, double nodes, const Components& components) {
                    return multi_unicast_latency(average_way(dimensions, nodes), components);
                }),
        formula("sci_crossover_nodes", {"dimensions"}, "nodes",
                "number of nodes from which one more dimension is faster; NULL if none below 10^6", "[000 eq. 17]",
                [](int dimensions, const Components& components) { return crossover(dimensions, components); }),
        formula("sci_crossover_of_ring_and_torus", {}, "nodes",
                "equation 17 solved for the first crossover: 2 (l_s - l_f) / (l_f + l_p)", "[000 eq. 17]",
                &crossover_of_ring_and_torus),
        formula("sci_penalty_percent", {"dimensions", "nodes"}, "%",
                "by how much one more dimension is slower at so many nodes; negative: faster", "[000 eq. 17]",
                &penalty_percent),
        formula("sci_best_dimensions", {"nodes"}, "", "the best number of dimensions, 1 to 4", "[000 6.1]",
                [](double nodes, const Components& components) {
                    return static_cast<double>(best_torus(nodes, components).dimensions);
                }),
        formula("sci_best_ns", {"nodes"}, "ns", "the average latency of that torus", "[000 6.1]",
                [](double nodes, const Components& components) { return best_torus(nodes, components).latency_ns; }),
        formula("sci_request_hops", {"dimensions", "nodes_per_dimension"}, "hops",
                "hops of a request, averaged over all destinations", "[000 eq. 10, eq. 12]", &summed_request_hops),
        formula("sci_response_hops", {"dimensions", "nodes_per_dimension"}, "hops",
                "hops of a response, without the sums' term in which no response is due", "[000 eq. 11, eq. 13]",
                &summed_response_hops),
        formula("sci_response_hops_as_printed", {"dimensions", "nodes_per_dimension"}, "hops", "the same as printed",
                "[000 eq. 11, eq. 13]", &summed_response_hops_as_printed),
        formula("sci_saturation_load", {"nodes"}, "",
                "load of the links of a ring at which waits become infinite; uniform writes of 64 bytes", model,
                [](int nodes) { return saturation_load({.nodes = nodes}); }),
        formula("sci_loaded_ns", {"nodes", "load"}, "ns",
                "mean latency of a write of 64 bytes on a loaded ring, from its birth; NULL if saturated", model,
                [](int nodes, double load) -> std::optional<double> {
                    const auto found = loaded_latency({.nodes = nodes, .load = load});
                    return found ? std::optional(found->mean_ns) : std::nullopt;
                }),
        formula("sci_link_limit_mb_per_s", {"torus"}, "MB/s", "payload for each node if links alone were limited",
                model, limit(&NodeLimits::link)),
        formula("sci_blink_limit_mb_per_s", {"torus"}, "MB/s", "payload for each node if B-Links alone were limited",
                model, limit(&NodeLimits::blink)),
        formula("sci_pci_limit_mb_per_s", {"torus", "sending_ns", "receiving_ns"}, "MB/s",
                "payload for each node if PCI buses alone were limited, held so long for each transaction", model,
                [](const TorusShape& torus, double sending, double receiving) {
                    return node_limits(sizes_of(torus), {}, {}, {}, {sending, receiving}).pci;
                }),
        aggregate("sci_crossover", {"dimensions", "nodes", "latency_ns"}, "nodes",
                  "where two series of tori of other numbers of dimensions meet, on lines in log N between the sizes; "
                  "NULL if no two sizes enclose it",
                  model, of_series(&BracketedCrossover::nodes)),
        aggregate("sci_crossover_below", {"dimensions", "nodes", "latency_ns"}, "nodes",
                  "the size before that crossover", model, of_series(&BracketedCrossover::below)),
        aggregate("sci_crossover_above", {"dimensions", "nodes", "latency_ns"}, "nodes",
                  "the size behind that crossover", model, of_series(&BracketedCrossover::above)),
    };
}

}  // namespace ringmesh::lab
