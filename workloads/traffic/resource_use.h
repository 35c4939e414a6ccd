// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tlm/sci/sci_machine.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// For what part of a window of time the links and buses of a machine were busy. For each of them the window begins and
/// ends when what had been booked on it before is over, so no part is above 1.
class ResourceUse {
public:
    /// @param sorts what to look at; each becomes a mean, a highest part and the name of whose that is
    ResourceUse(const SciMachine& machine, std::vector<Resource> sorts);

    /// From here on, until end(). Neither is called twice.
    void begin(Duration time);
    void end(Duration time);
    bool began() const { return from_.has_value(); }
    bool ended() const { return to_.has_value(); }

    /// Of one sort; none if the machine has no such resource or the window is empty.
    struct Use {
        double mean = 0;
        double highest = 0;
        std::string busiest;
    };
    std::optional<Use> of(Resource sort) const;

    /// "link_use_mean", "link_use_highest" and "busiest_link", likewise for B-Link and PCI.
    void add_columns(Results& results) const;
    void add_cells(std::vector<Cell>& row) const;

private:
    struct Busy {
        Resource sort;
        std::vector<Booked> before;
        std::vector<Booked> after;
    };
    const SciMachine& machine_;
    std::vector<Busy> sorts_;
    std::optional<Duration> from_, to_;
};

}  // namespace ringmesh::workloads
