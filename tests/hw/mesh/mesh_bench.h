// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/mesh/mesh.h"
#include "tests/hw/mesh/mesh_probe.h"
#include "tests/hw/timetable.h"
#include "tlm/simulation/simulation.h"

namespace ringmesh::test {

/// A mesh with a probe at every terminal.
struct MeshBench {
    explicit MeshBench(const hw::MeshParams& wanted, const std::vector<mesh::Terminal>& edges = {})
        : MeshBench(std::make_unique<Simulation>(1), nullptr, wanted, edges, "")
    {}
    /// A second mesh in the simulation of another bench, all of its names with a prefix.
    MeshBench(MeshBench& other, const std::string& prefix, const hw::MeshParams& wanted)
        : MeshBench(nullptr, &other.simulation, wanted, {}, prefix)
    {}
    MeshBench(std::unique_ptr<Simulation> own, Simulation* others, const hw::MeshParams& wanted,
              const std::vector<mesh::Terminal>& edges, const std::string& prefix)
        : params(wanted),
          clock(wanted.clock),
          own_simulation(std::move(own)),
          simulation(others == nullptr ? *own_simulation : *others),
          timetable((prefix + "timetable").c_str()),
          mesh(hw::make_mesh((prefix + "mesh").c_str(), simulation, wanted, edges))
    {
        std::vector<mesh::Terminal> places;
        const hw::MeshGrid grid = wanted.grid();
        for (const hw::RouterIndex router : grid.nodes()) places.push_back(grid.local_port(router));
        locals = places.size();
        places.insert(places.end(), edges.begin(), edges.end());
        for (const auto& place : places) {
            const std::string name = prefix + "probe" + std::to_string(probes.size());
            probes.push_back(std::make_unique<MeshProbe>(name.c_str(), simulation, place));
            probes.back()->out.bind(mesh->port(place));
        }
    }

    MeshProbe& at(unsigned x, unsigned y) { return *probes.at(x + static_cast<unsigned>(params.columns) * y); }
    static mesh::Terminal tile(unsigned x, unsigned y)
    {
        return {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), mesh::Port::kLocal};
    }
    Duration cycles(std::int64_t n) const { return Cycles(n) * clock; }
    void at_cycle(std::int64_t n, std::function<void()> call) { timetable.at(cycles(n), std::move(call)); }
    std::uint64_t taken() const
    {
        std::uint64_t sum = 0;
        for (const auto& probe : probes) sum += probe->seen.size();
        return sum;
    }
    /// Each local port offers packets at random, so many that it comes to `load` flits per cycle and node, from cycle 1
    /// until `last`.
    /// @param make makes one of them: offers something at this probe
    void load(double load, std::uint32_t flits, std::int64_t last, std::function<void(MeshProbe&, Random&)> make)
    {
        for (std::size_t i = 0; i < locals; ++i) {
            sources.push_back({Random(seed_for(11, std::to_string(i))), load / flits, last, 0, make});
        }
        for (std::size_t i = 0; i < sources.size(); ++i) next(i);
    }
    mesh::Terminal any_tile(Random& random) const { return probes[random.below(sources.size())]->place; }

    void run()
    {
        simulation.run();
        simulation.require_drained();
    }

    struct Source {
        Random random;
        double per_cycle;
        std::int64_t last;
        std::int64_t cycle;
        std::function<void(MeshProbe&, Random&)> make;
    };
    /// Plans the next packet of a source.
    void next(std::size_t i)
    {
        Source& source = sources[i];
        const double gap = std::log1p(-source.random.unit()) / std::log1p(-source.per_cycle);
        source.cycle += 1 + static_cast<std::int64_t>(gap);
        if (source.cycle > source.last) return;
        at_cycle(source.cycle, [this, i] {
            sources[i].make(*probes[i], sources[i].random);
            next(i);
        });
    }

    hw::MeshParams params;
    std::vector<Source> sources;
    Clock clock;
    std::unique_ptr<Simulation> own_simulation;
    Simulation& simulation;
    Timetable timetable;
    std::unique_ptr<hw::Mesh> mesh;
    std::vector<std::unique_ptr<MeshProbe>> probes;  ///< at the local ports, then at the edges
    std::size_t locals = 0;
};

}  // namespace ringmesh::test
