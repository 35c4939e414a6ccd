// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/sci/params.h"
#include "tlm/sci/packet.h"
#include "tlm/statistics/statistics.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// The requests of a PSB that wait for their responses. It exists only in a run with faults. A request whose response
/// has not come in time has failed; a later response is recognised by its number and ignored. Plain logic but for the
/// wake-up, which is pending only while something waits, so that a run does not last longer for it.
class ResponseWatch {
public:
    struct Request {
        std::uint64_t id = 0;
        std::uint32_t made = 0;  ///< tells it from others of its tag
        std::uint16_t tag = 0;
        sci::NodeId target = 0;
        Duration sent;
    };
    ResponseWatch(Duration timeout, const WokenMethod& step) : wakeup(step), timeout_(timeout) {}

    /// @pre times never fall
    void sent(const Request& request)
    {
        waiting_.push_back(request);
        arm();
    }
    /// @return false if no request waits for it any more
    bool answered(const sci::Packet& response)
    {
        const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                        [&](const Request& each) { return each.made == response.made; });
        if (found == waiting_.end()) {
            ++late;
            return false;
        }
        waiting_.erase(found);
        if (waiting_.empty()) wakeup.cancel();
        return true;
    }
    /// The first whose time is over; it waits no more.
    std::optional<Request> expired(Duration time)
    {
        if (waiting_.empty()) return {};
        if (waiting_.front().sent + timeout_ > time) {
            arm();
            return {};
        }
        const Request first = waiting_.front();
        waiting_.erase(waiting_.begin());
        ++timeouts;
        if (first.target >= failed_.size()) failed_.resize(first.target + std::size_t{1});
        ++failed_[first.target];
        return first;
    }
    /// Requests to a node that have failed.
    std::uint64_t failed(sci::NodeId target) const { return target < failed_.size() ? failed_[target] : 0; }

    Wakeup wakeup;
    Counter timeouts, late;
    bool software_looks = false;  ///< at failed(): a failure does not end the run

private:
    void arm() { wakeup.at(waiting_.front().sent + timeout_); }

    Duration timeout_;
    std::vector<Request> waiting_;  // few: as many as there are stream and DMA buffers
    std::vector<std::uint64_t> failed_;
};

}  // namespace ringmesh::hw
