// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "analytic/ncube.h"
#include "lab/sql/functions/functions.h"

/// The six times of a message on an NCUBE, and the programs that follow from them [001]. Times are in us.
namespace ringmesh::lab {

using analytic::NcubeTimes;

template <>
struct SqlArgument<NcubeTimes> {
    static constexpr std::array kNames{"e_us", "r_us", "s_us", "f_us", "u_us", "a_us"};
};

namespace {

/// Of the report's Table 3.
double printed_time(const std::string& time, double bytes)
{
    const NcubeTimes times = analytic::NcubeModel{}.at(bytes);
    if (time == "E") return times.e;
    if (time == "R") return times.r;
    if (time == "S") return times.s;
    if (time == "F") return times.f;
    if (time == "U") return times.u;
    if (time == "A") return times.a;
    throw std::domain_error("'" + time + "' is none of the six times; write 'E', 'R', 'S', 'F', 'U' or 'A'");
}

}  // namespace

std::vector<SqlFunction> ncube_functions()
{
    using namespace analytic;
    const std::string model = "docs/reference/evidence/analytic.md";
    // The struct's arguments stand last
    const auto of_number = [](double (*times_and_number)(const NcubeTimes&, int)) {
        return [times_and_number](int number, const NcubeTimes& times) { return times_and_number(times, number); };
    };
    return {
        formula("ncube_time_us", {"time", "bytes"}, "us",
                "of a message: 'E' transfer over one hop, 'R' load of receiving, 'S' of sending, 'F' write call, 'U' "
                "read call after the message came, 'A' before",
                "[001 Table 3]", &printed_time),
        formula("ncube_message_us", {"hops"}, "us",
                "a message that operating systems forward, to a read that is waiting", model,
                of_number(&ncube_message)),
        formula("ncube_chain_us", {"hops"}, "us", "a message that programs read and write to the next neighbour", model,
                of_number(&ncube_chain)),
        formula("ncube_exchange_us", {}, "us",
                "neighbours that write to each other and then read: E overlaps S, R and A", model, &ncube_exchange),
        formula("ncube_stream_us", {"messages"}, "us",
                "messages in a row to a neighbour; the slowest of sender, channel and receiver sets the pace", model,
                of_number(&ncube_stream)),
        formula("ncube_broadcast_us", {"dimension"}, "us",
                "a broadcast down a binomial tree, until the last node has it", model, of_number(&ncube_broadcast)),
        formula("ncube_all_to_all_us", {"dimension"}, "us",
                "each node of a cube to each: the larger of two bounds, a node's messages one after the other and the "
                "processors' work",
                model, of_number(&ncube_all_to_all)),
        formula("ncube_interrupt_slowdown", {"load_us", "senders", "period_us"}, "",
                "of a computation by interrupts alone, when so many neighbours each send a message every period "
                "through the node and each costs it this load",
                "[001 5.2]", &ncube_interrupt_slowdown),
        formula("ncube_processor_speed", {"slowdown", "load_us", "senders", "period_us"}, "",
                "that explains a slowdown, if the work for messages and the computation are slowed alike", "[001 5.2]",
                &ncube_processor_speed),
    };
}

}  // namespace ringmesh::lab
