// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "lab/figure/gnuplot/gnuplot.h"
#include "platforms/drawing.h"
#include "workloads/workload.h"

/// Machines as picture files, coloured by how busy their links and nodes were.
namespace ringmesh::lab {

/// In percent of the run.
struct MachineUse {
    std::map<std::string, double> links;  ///< by place
    std::map<std::string, double> nodes;  ///< by id: the busiest of its places of this kind
    std::string kind;             ///< of the bottleneck if it stands on a node, else the first with busy times there
    std::string bottleneck = {};  ///< a place: one of the links, or on a node; empty: none that is drawn
    std::string bottleneck_node = {};  ///< the node's id
};

/// @param places the page's table of use by place @param bottleneck one of them, or empty
MachineUse use_of(const platforms::Drawing& drawing, const workloads::Results& places, const std::string& bottleneck);

/// What gnuplot is told. A machine without use is drawn in grey.
/// @pre the drawing has nodes
std::string machine_script(const platforms::Drawing& drawing, const MachineUse& use, const PictureFormat& format);

}  // namespace ringmesh::lab
