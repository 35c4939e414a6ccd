// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci_limits.h"

#include <algorithm>

#include "analytic/domain.h"
#include "analytic/sci_components.h"
#include "analytic/sci_torus.h"

namespace ringmesh::analytic {
namespace {

void check(const TorusTraffic& traffic)
{
    require(traffic.payload == 16_B || traffic.payload == 64_B, "a request carries 16 or 64 B");
}

}  // namespace

double NodeLimits::lowest() const { return std::min({link, blink, pci}); }

Resource NodeLimits::binding() const
{
    if (link <= blink && link <= pci) return Resource::kLink;
    return blink <= pci ? Resource::kBLink : Resource::kPci;
}

double blink_time_ns(std::span<const double> sizes, const TorusTraffic& traffic, const BLinkTiming& blink)
{
    check(traffic);
    const double crossings = 2 + average_way(sizes).switches;
    return crossings * (blink.transfer_ns(traffic.payload) + (traffic.answered ? blink.transfer_ns(0_B) : 0));
}

double link_time_ns(std::span<const double> sizes, const TorusTraffic& traffic, const RingTiming& timing)
{
    check(traffic);
    const double nodes = average_way(sizes).nodes;
    const double longest = *std::ranges::max_element(sizes);
    const double hops = nodes / (nodes - 1) * (longest - 1) / 2;
    return hops * link_time_per_hop_ns(traffic.payload, traffic.answered, timing);
}

NodeLimits node_limits(std::span<const double> sizes, const TorusTraffic& traffic, const RingTiming& timing,
                       const BLinkTiming& blink, const PciTimes& pci)
{
    require(is_finite_above(pci.sending_ns, 0) && is_finite_above(pci.receiving_ns, 0),
            "a transaction takes more than 0 ns on either PCI bus");
    const auto limit = [&](double held_ns) { return megabytes_per_second(traffic.payload, held_ns); };
    return {.link = limit(link_time_ns(sizes, traffic, timing)),
            .blink = limit(blink_time_ns(sizes, traffic, blink)),
            .pci = limit(pci.sending_ns + pci.receiving_ns)};
}

}  // namespace ringmesh::analytic
