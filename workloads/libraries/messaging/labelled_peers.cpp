// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/messaging/labelled_peers.h"

#include <algorithm>
#include <optional>

namespace ringmesh::workloads {

bool LabelledPeers::is_wanted(const Sources& sources, unsigned from) const
{
    return sources.all || (traffic_[from] != nullptr && !traffic_[from]->called.empty()) ||
           std::find(sources.ranks.begin(), sources.ranks.end(), from) != sources.ranks.end();
}

Task<> LabelledPeers::wait(const Sources& sources)
{
    while (true) {
        places_.clear();
        owners_.clear();
        in_turn([&](unsigned rank) {
            if (is_wanted(sources, rank)) add_arrivals(rank, places_);
            owners_.resize(places_.size(), rank);
        });
        const std::size_t arrivals = places_.size();
        std::optional<unsigned> told;  // meanwhile
        in_turn([&](unsigned rank) {
            if (!has_unsent(rank)) return;
            if (!told && look(rank)) told = rank;
            places_.push_back(awaited_notice(rank));
            owners_.push_back(rank);
        });
        if (told) {
            co_await push(*told);
            co_return;
        }
        if (const auto connection = awaited_connection()) places_.push_back(*connection);
        if (places_.empty()) places_.push_back({.address = never_, .size = 4, .value = 1});
        const PollAnyRequest any{.places = places_.data(), .count = static_cast<std::uint32_t>(places_.size())};
        const std::uint32_t found = co_await processor_.poll_any(any);
        if (found >= owners_.size()) continue;  // there is another one, who may be wanted
        const unsigned rank = owners_[found];
        if (found < arrivals) {
            next_ = rank + 1;
            co_await take(rank);
        } else {
            co_await push(rank);
        }
        co_return;
    }
}

Task<> LabelledPeers::advance(const Sources& sources)
{
    std::vector<unsigned> ranks;
    in_turn([&ranks](unsigned rank) { ranks.push_back(rank); });
    for (bool moved = true; moved;) {
        moved = false;
        for (const unsigned rank : ranks) {
            if (is_wanted(sources, rank) && has_come(rank)) {
                co_await take(rank);
                moved = true;
            }
            if (!has_unsent(rank)) continue;
            const bool pushed = co_await push(rank);
            moved = moved || pushed;
        }
    }
}

}  // namespace ringmesh::workloads
