// SPDX-License-Identifier: Apache-2.0
#include "workloads/mesh/mesh_traffic_options.h"

#include <fmt/format.h>

#include "tlm/error.h"
#include "tlm/mesh/packet.h"
#include "tlm/quantity.h"

namespace ringmesh::workloads {
namespace {

constexpr NameTable<Arrivals, 3> kArrivalsNames{
    {{{"bernoulli", Arrivals::kBernoulli}, {"poisson", Arrivals::kPoisson}, {"periodic", Arrivals::kPeriodic}}}};
constexpr NameTable<MeshClasses, 3> kClassesNames{
    {{{"request", MeshClasses::kRequest}, {"response", MeshClasses::kResponse}, {"mixed", MeshClasses::kMixed}}}};

constexpr double kSmallestLoad = 1e-6;

Duration time_of(std::string_view option, std::string_view text, Clock clock)
{
    const auto refuse = [&](std::string_view why) {
        throw UserError(fmt::format("mesh-traffic: {} = {}: {}", option, text, why));
    };
    const Cycles longest(MeshTrafficOptions::kLongestCycles);
    const auto cycles = parse_cycles(text);
    const auto duration = parse_duration(text);
    if (!cycles.value && !duration.value) refuse("neither cycles nor a time; write such as 20000 cycles or 20 us");
    if ((cycles.value && *cycles.value > longest) || (duration.value && *duration.value > longest * clock)) {
        refuse(fmt::format("is above {}, the longest; write less", to_string(longest)));
    }
    return cycles.value ? *cycles.value * clock : *duration.value;
}

}  // namespace

void MeshTrafficOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"pattern", "who sends to whom", assumed()}, pattern, pattern_names(Loop::kOpen));
    visitor.field({"flits", "flits of each packet, the head included", assumed()}, flits, {1, mesh::kMostFlits});
    visitor.field({"load", "flits that each sending node offers per cycle", assumed()}, load, {kSmallestLoad, 1});
    visitor.choice(
        {"arrivals", "how the packets of a source follow each other; bernoulli: the same chance in every cycle",
         assumed()},
        arrivals, kArrivalsNames);
    visitor.choice({"kind", "message class of the packets; mixed: each is one or the other", assumed()}, kind,
                   kClassesNames);
    visitor.field({"self", "uniform: nodes send to themselves, too", assumed()}, places.self);
    visitor.text({"warm_up", "packets born before this many cycles, or this time, are not measured; auto: by the size",
                  assumed()},
                 warm_up);
    visitor.text({"duration", "cycles, or time, after the warm-up in which sources offer packets", assumed()},
                 duration);
    visitor.field({"hot_node", "hot-spot: where the traffic gathers; x + columns * y", assumed()}, places.hot_node,
                  {0, 65'535});
    visitor.field({"hot_part", "hot-spot: part of the packets that goes there", assumed()}, places.hot_part, {0, 1});
}

Duration MeshTrafficOptions::warm_up_time(Clock clock, Cycles automatic) const
{
    return warm_up == kAuto ? automatic * clock : time_of("warm_up", warm_up, clock);
}

Duration MeshTrafficOptions::duration_time(Clock clock) const { return time_of("duration", duration, clock); }

}  // namespace ringmesh::workloads
