// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/statistics/totals.h"
#include "tlm/units/duration.h"

/// Independent of SystemC, for the plugin that loads MPI.
namespace ringmesh {

/// What a machine is cut by: places and links between them, and how much each of them will have to do.
struct PlaceGraph {
    struct Link {
        std::uint32_t from = 0, to = 0;
        std::int64_t weight = 1;
        Duration least = Duration::picoseconds(1);  ///< until anything at one end has an effect at the other
    };
    std::vector<std::int64_t> weights;  ///< of each place
    std::vector<Link> links;            ///< each pair of places once; none from a place to itself
};

/// Numbers the parts anew, so that part 0 has the first place with work.
void begin_with_part_0(std::vector<unsigned>& owners, const PlaceGraph& graph);
/// @throws UserError if there are fewer places with work than processes
void require_places(const PlaceGraph& graph, unsigned count);

/// The least time until one part of a cut machine has an effect on another; never() if none has.
/// @param owners the part of each place
Duration lookahead(const PlaceGraph& graph, const std::vector<unsigned>& owners);

/// The processes that run one simulation together. All of them make the same calls in the same order.
class Processes {
public:
    virtual ~Processes() = default;
    virtual unsigned count() const = 0;
    /// This one: 0, 1, ...
    virtual unsigned own() const = 0;
    /// Gives each process its parcel. @return what each of them had for this one
    virtual std::vector<Parcel> exchange(const std::vector<Parcel>& to) = 0;
    /// The process of each place: about as much to do for each, and few links between them. Process 0 alone is asked.
    virtual std::vector<unsigned> cut(const PlaceGraph& graph) const = 0;
};

}  // namespace ringmesh
