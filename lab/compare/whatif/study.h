// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analytic/sci_topology.h"
#include "lab/compare/whatif/system.h"
#include "lab/store/experiments.h"
#include "lab/table/text_table.h"

/// The papers' question [000 ch.6] for two systems: from how many nodes is another dimension faster? Answered by the
/// papers' equations, with components from their experiments on the simulated machines, and by simulation.
namespace ringmesh::lab {

inline constexpr int kDimensions = 4;

enum class Which : std::uint8_t { kCurrent, kChanged };
inline constexpr std::array<Which, 2> kBoth{Which::kCurrent, Which::kChanged};

template <class Value>
struct PerSystem {
    Value current{};
    Value changed{};
    const Value& of(Which which) const { return which == Which::kCurrent ? current : changed; }
    Value& of(Which which) { return which == Which::kCurrent ? current : changed; }
};

/// A number of the papers about their testbed, from the study wulfkit. @throws UserError if it has none
double published_for_testbed(std::string_view id);

/// A torus of equal dimensions.
struct SizedTorus {
    int dimensions = 1;
    unsigned nodes = 0;
    std::vector<std::int64_t> sizes;
};

/// The tori of 1 to 4 equal dimensions of 2 and more nodes that have one of these numbers of nodes.
std::vector<SizedTorus> equal_tori(const std::vector<unsigned>& nodes);

/// The overlay of the papers' own question: what if switching took half the time?
inline constexpr const char* kHalfSwitching = "half-switching";

/// The default of --sizes: up to about a thousand nodes, dense around the published crossovers.
std::vector<unsigned> usual_sizes();

/// Components as the papers derive them, from ping-pongs on simulated machines.
struct Derived {
    analytic::Components components;      ///< l_s without the error of equation 20
    double switching_by_equation_20 = 0;  ///< (l_f + l_p) / 2 more, on rings of three nodes
};

/// Latency of a request, averaged over all destinations, on one torus.
struct LatencyPoint {
    SizedTorus torus;
    PerSystem<std::optional<double>> formula_ns;
    PerSystem<double> simulated_ns;
};

/// From D to D + 1 dimensions.
struct Crossover {
    int dimensions = 1;
    double published_average = 0;    ///< [000 Table 2]: of the current and of the enhanced system
    double published_multicast = 0;  ///< one-to-all multi-unicast
    double enhanced_average = 0;
    double enhanced_multicast = 0;
    PerSystem<std::optional<double>> by_published_components;  ///< l_s 670 ns, and half of it
    PerSystem<std::optional<double>> formula;                  ///< with the derived components
    PerSystem<std::optional<analytic::BracketedCrossover>> simulated;
};

/// The best of all topologies at one size, by formula.
struct Gain {
    double nodes = 0;
    PerSystem<analytic::BestTorus> best;
    double percent = 0;
    double overhead_kept_percent = 0;         ///< with the overhead of the current system, as the papers have it
    double published_components_percent = 0;  ///< with the papers' components: l_s 670 and 335 ns
};

/// An overlay that shortens the switching latency, and its effect by arithmetic over the stages.
struct Remedy {
    std::string overlay;
    std::string meaning;
    double switching_ns = 0;
};
/// The switching latency by arithmetic over the stages.
double stage_sum(const System& system);
/// The overlays for LC-2 and B-Link in the platforms folder.
std::vector<Remedy> remedies(const System& system);

struct WhatIf {
    /// `messages`: about the number that each node sends on each torus, at least one to each other node; a quarter of
    /// it is the number of repetitions of the ping-pongs (200 gives the papers' 50).
    WhatIf(System current_system, System changed_system, std::vector<SizedTorus> all_tori, unsigned messages = 200)
        : systems{std::move(current_system), std::move(changed_system)}, tori(std::move(all_tori)), messages_(messages)
    {}

    struct Systems {
        System current;
        System changed;
        const System& of(Which which) const { return which == Which::kCurrent ? current : changed; }
    } systems;
    std::vector<SizedTorus> tori;

    PerSystem<Derived> derived;
    PerSystem<double> stage_sum_ns;     ///< l_s by arithmetic over the stages
    std::vector<Remedy> ways_to_halve;  ///< of the current system, if it has equations
    std::vector<LatencyPoint> latencies;
    std::vector<Crossover> crossovers;
    std::vector<Gain> gains;  ///< none unless both systems have equations

    bool has_equations() const { return systems.current.has_equations() && systems.changed.has_equations(); }

    void plan(Experiments& experiments) const;
    /// @pre the experiments have run
    void evaluate(const Experiments& experiments);

private:
    Derived derive(Which which, const Experiments& experiments) const;
    void compare_latencies(const Experiments& experiments);
    void find_crossovers();

    unsigned messages_;
};

/// The results of a study as text. @pre evaluated
std::string whatif_text(const WhatIf& study, Room room = {});

struct Analysis;

/// {ringmesh, changes, components, remedies, latencies, crossovers, gains, error_bars}; null if missing.
/// @throws ModelError if a number is not finite
std::string whatif_json(const WhatIf& study, const std::optional<Analysis>& error_bars);

/// The latencies: dimensions, nodes, and for each system formula and simulation, in ns.
std::string whatif_csv(const WhatIf& study);

}  // namespace ringmesh::lab
