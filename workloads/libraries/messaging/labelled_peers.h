// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "tlm/pc/pc_processor.h"
#include "workloads/libraries/messaging/parted_segment.h"
#include "workloads/ranks/labelled.h"

namespace ringmesh::workloads {

/// Labelled messages of a library with a connection to each other rank, over which several may be under way: which
/// ones, and whom a rank serves when. What they say to each other is the library's.
class LabelledPeers : public LabelledMessages {
public:
    void deliver_to(Addressee& addressee) override { addressee_ = &addressee; }
    Task<> wait(const Sources& sources) override;
    Task<> advance(const Sources& sources) override;

protected:
    /// A message that was called for.
    struct Called {
        Arrival arrival;
        std::uint64_t into = 0;
        std::uint32_t done = 0;  ///< bytes
    };
    /// What is under way to and from a peer.
    struct Traffic {
        std::deque<Sending*> unsent = {};  ///< of the first nothing has left
        std::deque<Sending*> asked = {};   ///< their receiver will call for them; in rising order of their numbers
        std::deque<Called> called = {};    ///< the first one's bytes come

        /// The one of `asked` with this number; its end: there is none.
        auto asked_with(std::uint64_t number)
        {
            const auto found = std::ranges::lower_bound(asked, number, {}, &Sending::number);
            return found != asked.end() && (*found)->number == number ? found : asked.end();
        }
    };

    /// @param ranks that take part, from 0 @param never address of a word that stays 0
    LabelledPeers(PcProcessor& processor, unsigned ranks, std::uint64_t never)
        : processor_(processor), traffic_(ranks), never_(never)
    {}
    /// Made when it is first asked for.
    Traffic& traffic(unsigned rank)
    {
        auto& one = traffic_.at(rank);
        if (one == nullptr) one = std::make_unique<Traffic>();
        return *one;
    }
    Addressee& addressee() const { return *addressee_; }

    /// The others, in rising order; of a library that connects on demand, those to which there is a connection.
    virtual const std::vector<unsigned>& connected() const = 0;
    /// What changes when there is another one.
    virtual std::optional<PollRequest> awaited_connection() const { return std::nullopt; }
    /// Adds where the next piece of a sender comes.
    virtual void add_arrivals(unsigned from, std::vector<PollRequest>& places) const = 0;
    virtual bool has_come(unsigned from) const = 0;
    /// Takes over what a receiver tells. Takes no time. @return whether there is anything new
    virtual bool look(unsigned to) = 0;
    /// Where it comes.
    virtual PollRequest awaited_notice(unsigned to) const = 0;
    /// Takes the piece that has come.
    virtual Task<> take(unsigned from) = 0;
    /// Sends whatever there is room for. @return whether anything left
    virtual Task<bool> push(unsigned to) = 0;

private:
    bool is_wanted(const Sources& sources, unsigned from) const;
    bool has_unsent(unsigned to) const
    {
        return traffic_[to] != nullptr && (!traffic_[to]->unsent.empty() || !traffic_[to]->asked.empty());
    }
    /// Visits all others, starting after the last served one: round-robin, like a real loop.
    template <class Visit>
    void in_turn(Visit visit) const
    {
        in_turn_from(next_, connected(), visit);
    }

    PcProcessor& processor_;
    Addressee* addressee_ = nullptr;
    std::vector<std::unique_ptr<Traffic>> traffic_;  // by rank; null: nothing yet
    std::uint64_t never_;
    unsigned next_ = 0;
    std::vector<PollRequest> places_;
    std::vector<unsigned> owners_;  // of the places
};

}  // namespace ringmesh::workloads
