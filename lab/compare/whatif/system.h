// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analytic/sci_components.h"
#include "lab/run/experiment.h"

namespace ringmesh::lab {

/// One of the two systems that a what-if compares: a platform with its overlays and settings.
class System {
public:
    /// @throws UserError for anything wrong in the request, and if it is not made of rings whose dimensions can be
    /// varied
    explicit System(ExperimentRequest request);

    const std::string& platform() const { return request_.platform; }
    const ExperimentRequest& request() const { return request_; }
    /// The same platform with one more overlay.
    System overlaid(const std::string& overlay) const;
    /// The same platform with other dimensions and this workload.
    ExperimentRequest with(const std::vector<std::int64_t>& dimensions, std::string workload) const;
    const std::vector<ParameterRow>& parameters() const { return parameters_; }

    /// The papers' equations cover unidirectional rings only; others are just simulated.
    bool has_equations() const { return has_equations_; }
    analytic::SwitchStages stages() const;
    analytic::SwitchMode switch_mode() const;
    /// l_p of one cable.
    double propagation_ns() const;

private:
    std::string_view value(std::string_view key) const;

    ExperimentRequest request_;
    std::vector<ParameterRow> parameters_;
    bool has_equations_ = true;
};

/// A parameter in which the systems differ, except dimensions, which a what-if varies itself.
struct Change {
    std::string key;
    std::string from;
    std::string to;
    std::string meaning;
};
std::vector<Change> changes(const System& current, const System& changed);

/// @throws UserError if nothing is changed, or the dimensions are
void require_comparable(const System& current, const System& changed);

}  // namespace ringmesh::lab
