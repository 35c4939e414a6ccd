// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "tlm/statistics.h"
#include "tlm/use.h"

namespace ringmesh {

/// A block of hardware as seen by statistics and the watchdog: what it has counted and what it still holds.
class Component {
public:
    virtual ~Component() = default;
    /// Hierarchical name, e.g. "node3.lc2".
    virtual std::string component_name() const = 0;
    virtual void statistics(StatisticsVisitor& visitor) const = 0;
    /// The places of this block whose use can be measured; none.
    virtual void places(PlaceVisitor& /*visitor*/) const {}
    /// What is stuck here when the run makes no progress: "2 requests wait for their echo". Empty if the block is idle.
    virtual std::string pending() const = 0;
    /// After a run: that it went beyond what this block's model is good for, with the fact that shows it and the cure,
    /// a sentence each; none.
    virtual std::vector<std::string> doubts() const { return {}; }
};

/// What Component::pending() returns: parts with commas between them.
class PendingText {
public:
    void add(std::string_view part)
    {
        if (!text_.empty() && !part.empty()) text_ += ", ";
        text_ += part;
    }
    /// "3 echoes to be read"; nothing for 0.
    void add(std::size_t count, std::string_view what)
    {
        if (count != 0) add(fmt::format("{} {}", count, what));
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

}  // namespace ringmesh
