// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Routes over a network of any shape, and what they make wait for what. Plain logic, for SCI and meshes alike.
namespace ringmesh::hw {

/// What is wrong with a network that a user wrote: the key to change and what to write.
struct GraphProblem {
    std::string key;  ///< "rings.x0"
    std::string what;
    std::string cure;
};

/// Vertices joined by edges, which lead both ways.
class RouteGraph {
public:
    static constexpr unsigned kFar = UINT32_MAX / 2;  ///< where no edges lead

    explicit RouteGraph(std::size_t vertices) : neighbours_(vertices) {}
    void join(unsigned a, unsigned b);

    unsigned vertices() const { return static_cast<unsigned>(neighbours_.size()); }
    const std::vector<unsigned>& neighbours(unsigned vertex) const { return neighbours_[vertex]; }
    /// Edges from here to each vertex.
    std::vector<unsigned> distances(unsigned from) const;

private:
    std::vector<std::vector<unsigned>> neighbours_;
};

/// The steps from vertex to vertex that bring packets to one target.
class Approach {
public:
    /// The fewest edges.
    static Approach shortest(const RouteGraph& graph, unsigned target);
    /// @pre they are neighbours
    bool leads(unsigned from, unsigned to) const
    {
        if (far_[from] >= RouteGraph::kFar || far_[to] + 1 != far_[from]) return false;
        return rank_ == nullptr || ((*rank_)[from] < (*rank_)[to]) == goes_down_[from];
    }

private:
    friend class UpDown;
    std::vector<unsigned> far_;
    std::vector<bool> goes_down_;
    const std::vector<unsigned>* rank_ = nullptr;
};

/// Up*/down*: vertices are ordered by their distance from a root, then by number. A route never goes up, to an earlier
/// vertex, after it has gone down, so no cycle of waiting can arise; it goes down as soon as that leads to its target.
/// A part of the graph that no edge joins with the root has its first vertex as its root.
class UpDown {
public:
    UpDown(const RouteGraph& graph, unsigned root);
    /// @pre this outlives the result
    Approach to(unsigned target) const;

private:
    const RouteGraph& graph_;
    std::vector<unsigned> order_;  // vertices downwards
    std::vector<unsigned> rank_;   // of each vertex
};

/// Parallel ways from one vertex to the next are taken in turn, from target to target, so that all of them carry
/// packets and those to one target stay in order.
class ParallelWays {
public:
    /// Which of `count` ways from one vertex to its neighbour the packets to the next target take.
    unsigned next(unsigned from, unsigned to, unsigned count) { return count < 2 ? 0 : turns_[{from, to}]++ % count; }

private:
    std::map<std::pair<unsigned, unsigned>, unsigned> turns_;
};

/// What waits for what: the channel dependency graph of Dally and Seitz (1987).
class WaitGraph {
public:
    explicit WaitGraph(std::size_t channels) : after_(channels) {}
    void add(unsigned channel, unsigned waits_for) { after_[channel].insert(waits_for); }
    /// Those that wait for another, or that another waits for.
    std::size_t channels() const;
    /// Pairs of a channel and one that it waits for.
    std::size_t waits() const;
    const std::set<unsigned>& waits_of(unsigned channel) const { return after_[channel]; }
    /// Channels each of which waits for the next, the last for the first; empty if there is no such cycle.
    std::vector<unsigned> cycle() const;

private:
    std::vector<std::set<unsigned>> after_;
};

}  // namespace ringmesh::hw
