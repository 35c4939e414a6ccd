// SPDX-License-Identifier: Apache-2.0
#include "hw/traffic_source.h"

#include <algorithm>

#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

TrafficSource::TrafficSource(const sc_core::sc_module_name& module_name, Simulation& simulation, unsigned number,
                             PacketNumbers ids)
    : sc_module(module_name),
      simulation_(simulation),
      ids_(ids),
      number_(number),
      wakeup_(wakes<&TrafficSource::inject>(simulation.calendar(), *this))
{
    simulation.add(*this);
}

void TrafficSource::start(TrafficModel& model)
{
    Stream& stream = streams_.emplace_back(Stream{&model, {}});
    ask(stream);
    wakeup_.at(stream.next.at);
}

void TrafficSource::resume(std::uint8_t stream)
{
    Stream& one = streams_[stream];
    if (one.next.at != Duration::never()) {
        if (!one.model->takes_back(number_, one.next)) return;
        wakeup_.cancel();
    }
    ask(one);
    wakeup_.at(first());
}

void TrafficSource::inject()
{
    const Duration present = now();
    wakeup_.taken(present);
    for (Stream& stream : streams_) {
        while (stream.next.at <= present) {
            ++offered_;
            offer(stream.next);
            ask(stream);
        }
    }
    wakeup_.at(first(), present);
}

void TrafficSource::ask(Stream& stream)
{
    stream.next = stream.model->next(number_);
    stream.next.stream = static_cast<std::uint8_t>(&stream - streams_.data());
}

Duration TrafficSource::first() const
{
    Duration first = Duration::never();
    for (const Stream& stream : streams_) first = std::min(first, stream.next.at);
    return first;
}

void TrafficSource::drop(const Injection& injection, Level& fill)
{
    ++dropped_;
    fill.refuse();
    model(injection.stream).dropped(number_, injection.at);
}

void TrafficSource::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("offered", offered_, "packets", "packets that the traffic model offered");
    visitor.counter("dropped", dropped_, "packets", "of them dropped because the source queue was full");
}

}  // namespace ringmesh::hw
