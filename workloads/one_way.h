// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/point_to_point.h"

namespace ringmesh::workloads {

/// A processor stores messages to the same place one after another; the receiver polls for the last alone and answers
/// it with one of the same size. The latency is the whole time by the number of messages [000 Fig. 6]: messages overlap
/// on their way, so it is the time between two of them rather than the time of one.
class OneWay final : public PointToPoint {
public:
    static PointToPointOptions defaults() { return {.sizes = "1", .repetitions = 100}; }
    explicit OneWay(PointToPointOptions options = defaults());

private:
    Task<> exchange(std::uint64_t first, std::uint64_t count) override;
};

}  // namespace ringmesh::workloads
