// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platforms/configuration.h"
#include "tlm/parameters/names.h"

/// How to draw a machine: geometry alone, no SystemC.
namespace ringmesh::platforms {

enum class DrawingKind : std::uint8_t { kRing, kTorus, kSwitch, kMesh, kSccChip, kHypercube, kGraph };
inline constexpr NameTable<DrawingKind, 7> kDrawingKinds{{{{"ring", DrawingKind::kRing},
                                                           {"torus", DrawingKind::kTorus},
                                                           {"switch", DrawingKind::kSwitch},
                                                           {"mesh", DrawingKind::kMesh},
                                                           {"SCC chip", DrawingKind::kSccChip},
                                                           {"hypercube", DrawingKind::kHypercube},
                                                           {"graph", DrawingKind::kGraph}}}};

/// What stands between links. Neighbours are at least one unit apart; y counts downwards.
struct DrawnNode {
    std::string id;     ///< unique, "node5" or "r2_0"
    std::string label;  ///< "5", or "tile 8, cores 16 17"
    std::string kind;   ///< "node", "switch", "router", "tile", "memory", "host", "system"
    double x = 0;
    double y = 0;
};

/// One direction of a link.
struct DrawnLink {
    std::string place;  ///< its name in statistics and waveforms, "node0.lc2_0.link_out"
    std::string from;   ///< ids of nodes
    std::string to;
    unsigned dimension = 0;  ///< of a torus or a hypercube
    bool stub = false;       ///< drawn at its source alone: as a line it would cross too many others
};

/// A block, or the beginning of the names of its places: "node5" holds "node5.blink" and all else there.
struct DrawnBlock {
    std::string place;
    std::string node;  ///< id
};

struct Drawing {
    DrawingKind kind = DrawingKind::kRing;
    std::vector<DrawnNode> nodes;
    std::vector<DrawnLink> links;
    std::vector<DrawnBlock> blocks;
};

/// Larger machines are not drawn: no reader could use the drawing.
inline constexpr std::size_t kMostDrawnNodes = 4096;
/// Of more than two dimensions, of which only two are drawn as lines.
inline constexpr std::size_t kMostDrawnInSpace = 1024;

/// @return without nodes if there are more than these
/// @throws UserError if the configuration is wrong anywhere
Drawing drawing_of(const Configuration& configuration);

// Places, for those who draw a machine
DrawnNode node_at(unsigned node, double x, double y);
/// A place on a circle on which `count` neighbours are `gap` apart; the first at the top, then clockwise.
std::pair<double, double> on_circle(unsigned i, unsigned count, double gap);
/// Springs: what links join attracts, everything else repels. Deterministic; begins on a circle.
std::vector<std::pair<double, double>> on_springs(unsigned count,
                                                  const std::vector<std::pair<unsigned, unsigned>>& links);

}  // namespace ringmesh::platforms
