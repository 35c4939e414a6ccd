// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/flit/flit_crossing.h"

#include <algorithm>
#include <cstddef>

namespace ringmesh::hw {
namespace {

struct FlitThere {
    std::int64_t cycle = 0;
    InputChannelIndex input;
    bool head = false;  ///< its packet follows
    bool late = false;
};

/// A list as its length and its elements.
template <class Element>
std::vector<Element> taken_list(Parcel& parcel)
{
    std::vector<Element> all;
    for (auto left = parcel.take<std::uint32_t>(); left > 0; --left) all.push_back(parcel.take<Element>());
    return all;
}

}  // namespace

FlitCrossing::FlitCrossing(Division& division, FlitFabric& network, const MeshClock& clock, mesh::PacketPool& packets,
                           Counter& cycles, Resume resume)
    : division_(division),
      network_(network),
      clock_(clock),
      packets_(packets),
      cycles_(cycles),
      resume_(std::move(resume))
{
    network_.cut([&division](RouterIndex router) { return division.owns(router.number); });
    division_.add(*this);
}

Duration FlitCrossing::give(std::vector<Parcel>& to)
{
    FlitFabric::Away& away = network_.away();
    std::vector<std::uint32_t> flits(to.size()), credits(to.size());
    std::int64_t first = INT64_MAX;
    for (const auto& flit : away.flits) {
        first = std::min(first, flit.cycle);
        ++flits[division_.owner(flit.input.router().number)];
    }
    for (const auto& credit : away.credits) {
        first = std::min(first, credit.cycle);
        ++credits[division_.owner(credit.channel.router().number)];
    }
    for (std::size_t process = 0; process < to.size(); ++process) to[process].put(flits[process]);
    for (const auto& flit : away.flits) {
        Parcel& parcel = to[division_.owner(flit.input.router().number)];
        parcel.put(FlitThere{flit.cycle, flit.input, flit.head != nullptr, flit.late});
        if (flit.head != nullptr) {
            parcel.put(*flit.head);
            ++packets_.counted_elsewhere;
        }
        if (flit.tail != nullptr) {
            packets_.release(*flit.tail);
            --packets_.counted_elsewhere;
        }
    }
    for (std::size_t process = 0; process < to.size(); ++process) to[process].put(credits[process]);
    for (const auto& credit : away.credits) to[division_.owner(credit.channel.router().number)].put(credit);
    away.flits.clear();
    away.credits.clear();

    for (Parcel& parcel : to) parcel.put(computed_.empty() ? std::int64_t{-1} : computed_.back());
    to[0].put(static_cast<std::uint32_t>(computed_.size()));
    for (const std::int64_t cycle : computed_) to[0].put(cycle);
    computed_.clear();
    return first == INT64_MAX ? Duration::never() : clock_.time(first + 1);
}

void FlitCrossing::take(Parcel& parcel)
{
    for (auto left = parcel.take<std::uint32_t>(); left > 0; --left) {
        const auto flit = parcel.take<FlitThere>();
        mesh::Packet* packet = nullptr;
        if (flit.head) {
            packet = &packets_.acquire();
            *packet = parcel.take<mesh::Packet>();
        }
        network_.arrives(
            FlitFabric::FlitAway{.cycle = flit.cycle, .input = flit.input, .head = packet, .late = flit.late});
    }
    for (const auto& credit : taken_list<FlitFabric::CreditAway>(parcel)) network_.arrives(credit);
    last_computed_ = std::max(last_computed_, parcel.take<std::int64_t>());
    if (division_.own() != 0) return;  // only process 0 is told
    const auto computed = taken_list<std::int64_t>(parcel);
    all_computed_.insert(all_computed_.end(), computed.begin(), computed.end());
}

void FlitCrossing::taken(Duration end)
{
    std::sort(all_computed_.begin(), all_computed_.end());
    const auto last = std::unique(all_computed_.begin(), all_computed_.end());
    cycles_ += static_cast<std::uint64_t>(last - all_computed_.begin());
    all_computed_.clear();
    if (end == Duration::never()) return;
    // A cycle is computed at its end
    resume_(clock_.edge_from(end + Duration::picoseconds(1)) - 2);
}

}  // namespace ringmesh::hw
