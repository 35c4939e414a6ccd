// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/params.h"

#include <fmt/format.h>

namespace ringmesh::hw {

void MeshParams::visit(ParameterVisitor& visitor, bool bare)
{
    visitor.field({"columns", "routers from west to east"}, columns, {1, 64});
    visitor.field({"rows", "routers from south to north"}, rows, {1, 64});
    if (bare) {
        visitor.only_if(columns > 2 || rows > 2, "rows and columns of two routers have both links; set more", [&] {
            visitor.field({"wrap",
                           "a torus: links from the last router of each row and column to the first; half of the "
                           "virtual channels are for packets that have crossed one"},
                          wrap);
        });
    }
    visitor.field({"clock", "clock of routers and links"}, clock, {1_MHz, 10'000_MHz});
    visitor.field({"pipeline", "stages of a router; with the link four cycles for each hop"}, pipeline,
                  {1_cycles, 64_cycles});
    visitor.field({"link", "cycles from a router's output to the next input"}, link, {1_cycles, 64_cycles});
    visitor.field({"terminal", "cycles from a terminal into its router; the way out is a link"}, terminal,
                  {0_cycles, 64_cycles});
    visitor.field({"virtual_channels", "virtual channels of each link"}, virtual_channels, {1, kMostChannels});
    const auto flit_by_flit = [&visitor](const auto& walk) { visitor.when("detail", {"flit"}, walk); };
    flit_by_flit([&] {
        visitor.field({"reserved_channels",
                       "virtual channels that requests alone may use, and as many for responses alone; 0 lets the "
                       "classes block each other"},
                      reserved_channels, {0, kMostChannels / 2});
    });
    flit_by_flit([&] {
        visitor.only_if(pipeline >= kFewestToSpeculate,
                        "a router of less than three stages gives out channel and switch in one cycle; set "
                        "mesh.pipeline to more",
                        [&] {
                            visitor.field({"speculation",
                                           "a head asks for the switch in the cycle in which it asks for a channel: "
                                           "a stage less if it gets both"},
                                          speculation);
                        });
    });
    visitor.field({"buffer_flits", "flits that each virtual channel holds at each input"}, buffer_flits, {1, 256});
    visitor.field({"injection_slots", "packets of each class that wait at each terminal for the first router"},
                  injection_slots, {1, 65536});
    visitor.choice({"detail", "flit by flit, or links reserved along the path"}, detail, kMeshDetails);
    visitor.only_if(columns > 1 && rows > 1, "the mesh is a line; set more rows and columns", [&] {
        visitor.choice({"routing", "the route of a packet"}, routing);
    });
    flit_by_flit([&] {
        visitor.choice({"flow", "room required downstream before a packet's head leaves"}, flow);
        visitor.choice({"arbitration", "which of several packets an output serves first"}, arbitration);
        visitor.choice({"switch_hold", "how long a packet holds the switch"}, switch_hold);
        visitor.only_if(virtual_channels > 1, "there is one virtual channel; set mesh.virtual_channels to more", [&] {
            visitor.choice(
                {"channel_choice", "whether packets pick among free virtual channels, or channels among packets"},
                channel_choice);
        });
    });
}

std::string MeshParams::problem() const
{
    if (detail == MeshDetail::kFlit && 2 * reserved_channels > virtual_channels) {
        return fmt::format(
            "two classes of packets cannot reserve {} of {} virtual channels each; reserve at most half of them, or "
            "set "
            "more",
            reserved_channels, virtual_channels);
    }
    if (!wrap) return "";
    if (routing->adaptive) {
        return fmt::format("routing {} can deadlock on a torus; choose xy or yx, or no wrap links", routing->name);
    }
    if (detail == MeshDetail::kFlit && (virtual_channels < 2 || reserved_channels == 1)) {
        return "packets that have crossed a wrap link need virtual channels of their own, also among the reserved "
               "ones; set two channels at least, and reserve none or two, or set no wrap links";
    }
    return "";
}

}  // namespace ringmesh::hw
