// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>
#include <vector>

#include "analytic/ncube.h"
#include "lab/sql/functions.h"

/// The six times of a message on an NCUBE, and the programs that follow from them [001]. Times are in us.
namespace ringmesh::lab {
namespace {

using analytic::NcubeTimes;

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

/// Behind what it depends on: the six times of one message.
std::vector<std::string> with_times(std::vector<std::string> arguments)
{
    for (const char* name : {"e_us", "r_us", "s_us", "f_us", "u_us", "a_us"}) arguments.emplace_back(name);
    return arguments;
}

/// Of the six times alone.
SqlFunction by_times(std::string name, std::string meaning, double (*model)(const NcubeTimes&))
{
    return formula(std::move(name), with_times({}), "us", std::move(meaning), "docs/reference/analytic.md",
                   [model](double e, double r, double s, double f, double u, double a) {
                       return model({.e = e, .r = r, .s = s, .f = f, .u = u, .a = a});
                   });
}

/// Of a whole number and the six times.
SqlFunction by_number_and_times(std::string name, std::string number, std::string meaning,
                                double (*model)(const NcubeTimes&, int))
{
    return formula(std::move(name), with_times({std::move(number)}), "us", std::move(meaning),
                   "docs/reference/analytic.md",
                   [model](int n, double e, double r, double s, double f, double u, double a) {
                       return model({.e = e, .r = r, .s = s, .f = f, .u = u, .a = a}, n);
                   });
}

}  // namespace

std::vector<SqlFunction> ncube_functions()
{
    return {
        formula("ncube_time_us", {"time", "bytes"}, "us",
                "of a message: 'E' transfer over one hop, 'R' load of receiving, 'S' of sending, 'F' write call, 'U' "
                "read call after the message came, 'A' before",
                "[001 Table 3]", [](const std::string time, double bytes) { return printed_time(time, bytes); }),
        by_number_and_times("ncube_message_us", "hops",
                            "a message that operating systems forward, to a read that is waiting",
                            &analytic::ncube_message),
        by_number_and_times("ncube_chain_us", "hops", "a message that programs read and write to the next neighbour",
                            &analytic::ncube_chain),
        by_times("ncube_exchange_us", "neighbours that write to each other and then read: E overlaps S, R and A",
                 &analytic::ncube_exchange),
        by_number_and_times("ncube_stream_us", "messages",
                            "messages in a row to a neighbour; the slowest of sender, channel and receiver sets the "
                            "pace",
                            &analytic::ncube_stream),
        by_number_and_times("ncube_broadcast_us", "dimension",
                            "a broadcast down a binomial tree, until the last node has it", &analytic::ncube_broadcast),
        by_number_and_times("ncube_all_to_all_us", "dimension",
                            "each node of a cube to each: the larger of two bounds, a node's messages one after the "
                            "other and the processors' work",
                            &analytic::ncube_all_to_all),
        formula("ncube_interrupt_slowdown", {"load_us", "senders", "period_us"}, "",
                "of a computation by interrupts alone, when so many neighbours each send a message every period "
                "through the node and each costs it this load",
                "[001 5.2]",
                [](double load, int senders, double period) {
                    return analytic::ncube_interrupt_slowdown(load, senders, period);
                }),
        formula("ncube_processor_speed", {"slowdown", "load_us", "senders", "period_us"}, "",
                "that explains a slowdown, if the work for messages and the computation are slowed alike", "[001 5.2]",
                [](double slowdown, double load, int senders, double period) {
                    return analytic::ncube_processor_speed(slowdown, load, senders, period);
                }),
    };
}

}  // namespace ringmesh::lab
