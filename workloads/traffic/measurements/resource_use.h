// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tlm/machine/traffic_machine.h"
#include "tlm/statistics/totals.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// Utilisation of the links and buses of a machine in a time window. For each of them the window begins and ends when
/// its earlier bookings are over, so no part exceeds 1.
class ResourceUse {
public:
    explicit ResourceUse(const NetworkMachine& machine) : machine_(machine) {}

    /// Begin of the window, until end(). Call each once.
    void begin(Duration time);
    void end(Duration time);
    /// Adds what other processes have seen of their parts, or gives what this one has.
    void add_up(Totals& totals);
    bool began() const { return from_.has_value(); }
    bool ended() const { return to_.has_value(); }

    /// Of one sort, by its position in NetworkMachine::shared(); none if the machine has no such resource or the window
    /// is empty.
    struct Use {
        double mean = 0;
        double highest = 0;
        std::string busiest;
    };
    std::optional<Use> of(std::size_t sort) const;

    /// Of each sort: "link_use_mean", "link_use_highest" and "busiest_link".
    void add_columns(Results& results) const;
    void add_cells(std::vector<Cell>& row) const;

private:
    const NetworkMachine& machine_;
    std::vector<SharedResources> before_, after_;
    std::optional<Duration> from_, to_;
};

}  // namespace ringmesh::workloads
