// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "lab/figure/gnuplot.h"
#include "platforms/drawing.h"
#include "workloads/workload.h"

/// Machines as picture files, coloured by how busy their links and nodes were.
namespace ringmesh::lab {

/// In percent of the run.
struct MachineUse {
    std::map<std::string, double> links;  ///< by place
    std::map<std::string, double> nodes;  ///< by id: the busiest of its places of this kind
    std::string kind;                     ///< the first in the table that has busy times on nodes
};

/// @param places the page's table of use by place
MachineUse use_of(const platforms::Drawing& drawing, const workloads::Results& places);

/// What gnuplot is told. A machine without use is drawn in grey.
/// @pre the drawing has nodes
std::string machine_script(const platforms::Drawing& drawing, const MachineUse& use, const PictureFormat& format);

}  // namespace ringmesh::lab
