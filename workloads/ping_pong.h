// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/point_to_point.h"

namespace ringmesh::workloads {

/// Two processors send a message to and fro; the latency is half the time of a round trip [000 Fig. 7].
class PingPong final : public PointToPoint {
public:
    static PointToPointOptions defaults() { return {.sizes = "64..512 step 64", .repetitions = 20}; }
    explicit PingPong(PointToPointOptions options = defaults());

private:
    Task<> exchange(std::uint64_t first, std::uint64_t count) override;
};

}  // namespace ringmesh::workloads
