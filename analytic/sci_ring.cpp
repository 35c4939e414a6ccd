// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci_ring.h"

#include "analytic/domain.h"

namespace ringmesh::analytic {
namespace {

void check(RingPath path)
{
    require(path.nodes >= 2, "a ring has at least 2 nodes");
    require(path.hops >= 1, "a path has at least 1 hop");
    require(path.hops < path.nodes, "a path has fewer hops than its ring has nodes");
}

}  // namespace

double request_latency(RingPath path, const Components& components)
{
    check(path);
    return one_way_latency(path.hops, 0, components);
}

double response_latency(RingPath path, const Components& components)
{
    check(path);
    return one_way_latency(path.nodes - path.hops, 0, components);
}

double transaction_latency(RingPath path, const Components& components)
{
    return request_latency(path, components) + response_latency(path, components);
}

double ping_pong(int hops, const Components& components)
{
    require(hops >= 1, "a ping-pong has at least 1 hop");
    return one_way_latency(hops, 0, components);
}

}  // namespace ringmesh::analytic
