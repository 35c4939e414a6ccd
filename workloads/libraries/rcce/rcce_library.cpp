// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/rcce/rcce_library.h"

#include <fmt/format.h>

#include "tlm/scc/scc_machine.h"
#include "workloads/libraries/rcce/rcce_rank.h"

namespace ringmesh::workloads::rcce {

std::vector<Offer> RcceLibrary::offers() const
{
    std::vector<Offer> all{Offer::kQueues, Offer::kOneSided, Offer::kBarrier, Offer::kBroadcast, Offer::kLabels};
    if (requests_ == Requests::kIrcce) all.push_back(Offer::kRequests);
    return all;
}

void RcceLibrary::visit(ParameterVisitor& visitor)
{
    options_.visit(visitor);
    if (requests_ == Requests::kIrcce) options_.visit_ircce(visitor);
}

std::vector<std::unique_ptr<Rank>> RcceLibrary::make_ranks(Machine& machine, const Placement& ranks)
{
    options_.require_sound();
    auto& scc = machine_as<SccMachine>(machine);
    std::vector<std::unique_ptr<Rank>> all;
    cores_.clear();
    for (unsigned core = 0; core < ranks.ranks(); ++core) {
        auto rank = std::make_unique<RcceRank>(scc, core, ranks, options_, requests_ == Requests::kIrcce);
        rank->rcce().meet(cores_);
        cores_.push_back(&rank->rcce());
        all.push_back(std::move(rank));
    }
    return all;
}

std::vector<Cell> RcceLibrary::cells(std::uint32_t size) const
{
    return {std::int64_t{handshakes(size, cores_.front()->layout().payload())}};
}

std::vector<std::string> RcceLibrary::notes(const MessagingStatistics& /*sum*/) const
{
    std::vector<std::string> notes{
        fmt::format("handshakes: of each message, with {} bytes of payload", cores_.front()->layout().payload()),
        fmt::format("declared: what the library's wtime says, core cycles by {} MHz",
                    options_.declared_clock.hz() / 1'000'000)};
    if (has(Offer::kRequests)) notes.emplace_back("iRCCE's blocking calls are RCCE's, with the same times");
    return notes;
}

}  // namespace ringmesh::workloads::rcce
