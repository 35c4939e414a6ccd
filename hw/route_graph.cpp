// SPDX-License-Identifier: Apache-2.0
#include "hw/route_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ringmesh::hw {

void RouteGraph::join(unsigned a, unsigned b)
{
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
}

std::vector<unsigned> RouteGraph::distances(unsigned from) const
{
    std::vector<unsigned> far(neighbours_.size(), kFar);
    std::vector<unsigned> queue{from};
    far[from] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const unsigned other : neighbours_[queue[i]]) {
            if (far[other] != kFar) continue;
            far[other] = far[queue[i]] + 1;
            queue.push_back(other);
        }
    }
    return far;
}

Approach Approach::shortest(const RouteGraph& graph, unsigned target)
{
    Approach approach;
    approach.far_ = graph.distances(target);
    return approach;
}

UpDown::UpDown(const RouteGraph& graph, unsigned root)
    : graph_(graph), order_(graph.vertices()), rank_(graph.vertices())
{
    std::vector<unsigned> level = graph.distances(root);
    for (unsigned other = 0; other < level.size(); ++other) {
        if (level[other] < RouteGraph::kFar) continue;
        const auto own = graph.distances(other);
        for (unsigned i = 0; i < level.size(); ++i) level[i] = std::min(level[i], own[i]);
    }
    std::iota(order_.begin(), order_.end(), 0U);
    std::stable_sort(order_.begin(), order_.end(), [&level](unsigned a, unsigned b) { return level[a] < level[b]; });
    for (unsigned i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
}

Approach UpDown::to(unsigned target) const
{
    std::vector<unsigned> down(graph_.vertices(), RouteGraph::kFar);
    down[target] = 0;
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
        for (const unsigned other : graph_.neighbours(*at)) {
            if (rank_[*at] < rank_[other]) down[*at] = std::min(down[*at], down[other] + 1);
        }
    }
    Approach approach;
    approach.rank_ = &rank_;
    approach.goes_down_.resize(graph_.vertices());
    approach.far_ = down;  // down if possible, else up
    for (const unsigned at : order_) {
        approach.goes_down_[at] = down[at] < RouteGraph::kFar;
        if (approach.goes_down_[at]) continue;
        unsigned& far = approach.far_[at] = RouteGraph::kFar;
        for (const unsigned other : graph_.neighbours(at)) {
            if (rank_[other] < rank_[at]) far = std::min(far, approach.far_[other] + 1);
        }
    }
    return approach;
}

std::size_t WaitGraph::channels() const
{
    std::vector<bool> used(after_.size());
    for (std::size_t channel = 0; channel < after_.size(); ++channel) {
        for (const unsigned other : after_[channel]) used[channel] = used[other] = true;
    }
    return static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
}

std::size_t WaitGraph::waits() const
{
    std::size_t sum = 0;
    for (const auto& each : after_) sum += each.size();
    return sum;
}

std::vector<unsigned> WaitGraph::cycle() const
{
    std::vector<std::uint8_t> state(after_.size());
    for (unsigned start = 0; start < after_.size(); ++start) {
        if (state[start] != 0) continue;
        // Depth first without recursion: chains are as long as the network
        std::vector<std::pair<unsigned, std::set<unsigned>::const_iterator>> way{{start, after_[start].begin()}};
        state[start] = 1;
        while (!way.empty()) {
            auto& [queue, next] = way.back();
            if (next == after_[queue].end()) {
                state[queue] = 2;
                way.pop_back();
                continue;
            }
            const unsigned other = *next++;
            if (state[other] == 2) continue;
            if (state[other] == 0) {
                state[other] = 1;
                way.emplace_back(other, after_[other].begin());
                continue;
            }
            std::vector<unsigned> found;
            for (const auto& [each, unused] : way) {
                if (!found.empty() || each == other) found.push_back(each);
            }
            return found;
        }
    }
    return {};
}

}  // namespace ringmesh::hw
