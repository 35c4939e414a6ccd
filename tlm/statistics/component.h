// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "tlm/statistics/statistics.h"
#include "tlm/statistics/use.h"

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
    /// Whether it only waits until others take what it holds. Of many such blocks a report names the first ones.
    virtual bool only_waits() const { return false; }
    /// After a run: how it left the range in which this block's model is valid, with the fact that shows it and the
    /// cure, a sentence each. Empty if it did not.
    virtual std::vector<std::string> doubts() const { return {}; }
};

/// What Component::pending() returns: parts with commas between them; of a list the first ones.
class PendingText {
public:
    void add(std::string_view part)
    {
        if (part.empty() || (list_ != nullptr && ++listed_ > kMostListed)) return;
        append(part);
    }
    /// What follows is a list. @param of_what "routers", a literal
    void begin_list(const char* of_what)
    {
        end_list();
        list_ = of_what;
    }
    /// "3 echoes to be read"; nothing for 0.
    void add(std::size_t count, std::string_view what)
    {
        if (count != 0) add(fmt::format("{} {}", count, what));
    }
    std::string text()
    {
        end_list();
        return text_;
    }

private:
    static constexpr std::size_t kMostListed = 8;

    void append(std::string_view part)
    {
        if (!text_.empty()) text_ += ", ";
        text_ += part;
    }
    void end_list()
    {
        if (listed_ > kMostListed) append(fmt::format("and so for {} more {}", listed_ - kMostListed, list_));
        list_ = nullptr;
        listed_ = 0;
    }

    std::string text_;
    const char* list_ = nullptr;
    std::size_t listed_ = 0;
};

}  // namespace ringmesh
