// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/statistics/totals.h"
#include "tlm/units/units.h"

namespace ringmesh::workloads {

/// Conservation of the requests of each source: none may be lost or duplicated. A request is identified by its source
/// and its creation time.
class Accounts {
public:
    explicit Accounts(std::size_t sources) : sources_(sources) {}

    void offered(unsigned source, Duration born) { sources_[source].offered.add(born.ps()); }
    /// The last one, which was not sent.
    void taken_back(unsigned source, Duration born) { sources_[source].offered.take(born.ps()); }
    void delivered(unsigned source, Duration born) { sources_[source].delivered.add(born.ps()); }
    void answered(unsigned source, Duration born) { sources_[source].answered.add(born.ps()); }
    void dropped(unsigned source, Duration born) { sources_[source].dropped.add(born.ps()); }

    /// Adds what other processes have counted, or gives what this one has.
    void add_up(Totals& totals)
    {
        for (Source& source : sources_) {
            for (Sum* const sum : {&source.offered, &source.delivered, &source.answered, &source.dropped}) {
                totals.sum(sum->packets);
                totals.sum(sum->births_ps);
            }
        }
    }

    std::int64_t dropped() const;
    /// @param losses of packets after faults, each of which may be missing
    /// @throws ModelError unless every request that was not dropped was delivered once and, if `answers`, answered once
    void require_balanced(bool answers, std::uint64_t losses = 0) const;

private:
    /// The number of requests of one source, and the sum of their creation times, which detects one lost and another
    /// duplicated.
    struct Sum {
        std::uint64_t packets = 0;
        std::uint64_t births_ps = 0;
        void add(std::int64_t born_ps)
        {
            ++packets;
            births_ps += static_cast<std::uint64_t>(born_ps);
        }
        void take(std::int64_t born_ps)
        {
            --packets;
            births_ps -= static_cast<std::uint64_t>(born_ps);
        }
        bool operator==(const Sum&) const = default;
        friend Sum operator-(const Sum& all, const Sum& some)
        {
            return {all.packets - some.packets, all.births_ps - some.births_ps};
        }
    };
    struct Source {
        Sum offered, delivered, answered, dropped;
    };
    std::vector<Source> sources_;
};

}  // namespace ringmesh::workloads
