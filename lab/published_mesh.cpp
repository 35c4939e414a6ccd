// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "lab/published.h"

namespace ringmesh::lab {
namespace {

constexpr std::array kMeshRows{
    PublishedRow{.id = "mesh.zero_load.1_flit",
                 .quantity = "mean latency without load",
                 .value = 33.25,
                 .unit = "cycles",
                 .kind = "simulated",
                 .conditions = "1 flit; no load",
                 .source = "[BOOKSIM2]",
                 .note = ""},
    PublishedRow{.id = "mesh.load_0.1.1_flit",
                 .quantity = "mean latency",
                 .value = 33.8,
                 .unit = "cycles",
                 .kind = "simulated",
                 .conditions = "1 flit; load 0.1",
                 .source = "[BOOKSIM2]",
                 .note = ""},
    PublishedRow{.id = "mesh.load_0.3.1_flit",
                 .quantity = "mean latency",
                 .value = 36.9,
                 .unit = "cycles",
                 .kind = "simulated",
                 .conditions = "1 flit; load 0.3",
                 .source = "[BOOKSIM2]",
                 .note = ""},
    PublishedRow{.id = "mesh.zero_load.5_flits",
                 .quantity = "mean latency without load",
                 .value = 37.25,
                 .unit = "cycles",
                 .kind = "simulated",
                 .conditions = "5 flits; no load",
                 .source = "[BOOKSIM2]",
                 .note = ""},
    PublishedRow{.id = "mesh.load_0.1.5_flits",
                 .quantity = "mean latency",
                 .value = 38.8,
                 .unit = "cycles",
                 .kind = "simulated",
                 .conditions = "5 flits; load 0.1",
                 .source = "[BOOKSIM2]",
                 .note = ""},
    PublishedRow{.id = "mesh.load_0.3.5_flits",
                 .quantity = "mean latency",
                 .value = 49.7,
                 .unit = "cycles",
                 .kind = "simulated",
                 .conditions = "5 flits; load 0.3",
                 .source = "[BOOKSIM2]",
                 .note = ""},
    PublishedRow{.id = "mesh.saturation.1_flit",
                 .quantity = "load at which it saturates",
                 .value = 0.43,
                 .unit = "flits/cycle",
                 .kind = "simulated",
                 .conditions = "1 flit",
                 .source = "[BOOKSIM2]",
                 .note = "0.42 to 0.44"},
};

}  // namespace

std::span<const PublishedRow> published_mesh() { return kMeshRows; }

}  // namespace ringmesh::lab
