// SPDX-License-Identifier: Apache-2.0
#include "analytic/ncube.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ringmesh::analytic {

NcubeTimes NcubeModel::at(double bytes) const
{
    if (bytes < 0) throw std::domain_error("the size of a message must not be negative");
    return {.e = e.at(bytes), .r = r.at(bytes), .s = s.at(bytes), .f = f.at(bytes), .u = u.at(bytes), .a = a.at(bytes)};
}

double ncube_message(const NcubeTimes& times, int hops) { return times.f + hops * times.e + times.u; }

double ncube_chain(const NcubeTimes& times, int hops) { return hops * (times.f + times.e + times.u); }

double ncube_exchange(const NcubeTimes& times)
{
    return times.f + std::max(times.e, times.s + times.r + times.a) + times.u;
}

double ncube_stream(const NcubeTimes& times, int messages)
{
    const double pace = std::max({times.e, times.f + times.s, times.r + times.a + times.u});
    return times.f + (messages - 1) * pace + times.e + times.u;
}

double ncube_broadcast(const NcubeTimes& times, int dimension)
{
    double last = 0;
    for (int child = 1; child <= dimension; ++child) {
        const double there = child * times.f + (child - 1) * times.s + times.e + times.u;
        last = std::max(last, there + ncube_broadcast(times, dimension - child));
    }
    return last;
}

double ncube_all_to_all(const NcubeTimes& times, int dimension)
{
    const double nodes = std::ldexp(1.0, dimension);
    const double messages = nodes - 1;  // of each node
    const double hops = dimension * nodes / 2;
    const double way = messages * (times.f + times.u) + hops * times.e;
    const double own = messages * (times.f + times.s + times.a + times.u + times.r);
    const double forwarded = (hops - messages) * (times.r + times.s);
    return std::max(way, own + forwarded);
}

double ncube_interrupt_slowdown(double load, int senders, double period)
{
    const double left = 1 - senders * load / period;
    if (left <= 0) throw std::domain_error("interrupts take all of the processor's time");
    return 1 / left;
}

double ncube_processor_speed(double slowdown, double load, int senders, double period)
{
    return 1 / slowdown + senders * load / period;
}

}  // namespace ringmesh::analytic
