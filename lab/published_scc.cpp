// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "lab/published.h"

namespace ringmesh::lab {
namespace {

constexpr std::array kSccRows{
    PublishedRow{.id = "scc.mpb_read.hops1",
                 .quantity = "read of one dword of a message-passing buffer",
                 .value = 63,
                 .unit = "cycles",
                 .kind = "measured",
                 .conditions = "from a core of tile (0,0), 1 hop; 533/800/800 MHz; core cycles",
                 .source = "[BF]",
                 .note = "with the load instruction and its loop"},
    PublishedRow{.id = "scc.mpb_read.hops8",
                 .quantity = "read of one dword of a message-passing buffer",
                 .value = 102,
                 .unit = "cycles",
                 .kind = "measured",
                 .conditions = "from a core of tile (0,0), 8 hops; 533/800/800 MHz; core cycles",
                 .source = "[BF]",
                 .note = "with the load instruction and its loop"},
    PublishedRow{.id = "scc.mpb_write_line.hops1",
                 .quantity = "write of a line of 32 B to a message-passing buffer",
                 .value = 84,
                 .unit = "cycles",
                 .kind = "measured",
                 .conditions = "from a core of tile (0,0), 1 hop; 533/800/800 MHz; core cycles",
                 .source = "[BF]",
                 .note = "with the store instructions and their loop"},
    PublishedRow{.id = "scc.memory_read.hops0",
                 .quantity = "read of one dword of memory, uncached",
                 .value = 97.3,
                 .unit = "cycles",
                 .kind = "measured",
                 .conditions = "from a core of tile (0,0), memory controller 0; 533/800/800 MHz; core cycles",
                 .source = "[BF]",
                 .note = "with the load instruction and its loop"},
};

}  // namespace

std::span<const PublishedRow> published_scc() { return kSccRows; }

}  // namespace ringmesh::lab
