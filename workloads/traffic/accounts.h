// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/units.h"

namespace ringmesh::workloads {

/// What became of the requests of each source: none may be lost, none may come twice. A request is known by its source
/// and by when it was born.
class Accounts {
public:
    explicit Accounts(std::size_t sources) : sources_(sources) {}

    void offered(unsigned source, Duration born) { sources_[source].offered.add(born.ps()); }
    void delivered(unsigned source, Duration born) { sources_[source].delivered.add(born.ps()); }
    void answered(unsigned source, Duration born) { sources_[source].answered.add(born.ps()); }
    void dropped(unsigned source, Duration born) { sources_[source].dropped.add(born.ps()); }

    std::int64_t dropped() const;
    /// @throws ModelError unless every request that was not dropped was delivered once and, if `answers`, answered once
    void require_balanced(bool answers) const;

private:
    /// How many requests of one source came by, and the sum of the times they were born: of one that is lost and
    /// another that comes twice, the number alone would not tell.
    struct Sum {
        std::uint64_t packets = 0;
        std::uint64_t births_ps = 0;
        void add(std::int64_t born_ps)
        {
            ++packets;
            births_ps += static_cast<std::uint64_t>(born_ps);
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
