// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/traffic/kinds/open_loop.h"

namespace ringmesh::workloads {

/// Traffic beside a workload: sources of the same machine send by a pattern from the start of the run until the
/// workload has finished, and the network then drains. The workload ends the run.
class Background {
public:
    /// @param name prefix of its options, columns and random generators: "background", "background2"
    explicit Background(std::string name);
    ~Background();

    const std::string& name() const { return name_; }
    /// The options of traffic; `duration` is auto: as long as the workload.
    void visit(ParameterVisitor& visitor) { options_.visit(visitor); }
    void write_out_auto(const UsualTraffic& usual);
    /// As those of a workload.
    std::vector<std::string> files() const { return options_.files(); }
    void name_files_from(const std::string& folder) { options_.places.folder = folder; }
    /// @param workload has been started on this machine, and outlives the run
    /// @throws UserError if this machine has no sources beside the workload, or an option does not go with a background
    void start(Machine& machine, const Workload& workload);
    /// @throws ModelError if a packet was lost or duplicated
    void check() const { engine_->check(); }
    /// Adds what it offered, what the network accepted and how long that took: the same cells in each row, and notes.
    /// A background that the network does not accept is a doubt of the workload's means.
    void add_to(Results& results) const;

private:
    class EndWatch;

    [[noreturn]] void refuse(std::string_view option, std::string_view value, std::string_view why) const;

    const std::string name_;
    TrafficOptions options_;
    std::unique_ptr<OpenLoop> engine_;
    std::unique_ptr<EndWatch> watch_;
};

}  // namespace ringmesh::workloads
