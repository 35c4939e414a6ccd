// SPDX-License-Identifier: Apache-2.0
#include "lab/validation/validation.h"

#include <fmt/format.h>

namespace ringmesh::lab {

std::string curves_csv(const std::vector<CurvePoint>& points)
{
    std::string text = "figure,curve,size_bytes,latency_us,mb_per_s\n";
    for (const CurvePoint& point : points) {
        text += fmt::format("\"{}\",\"{}\",{:.0f},{:.4f},{:.3f}\n", point.figure, point.curve, point.size_bytes,
                            point.latency_us, point.mb_per_s);
    }
    return text;
}

const std::vector<Validation>& validations()
{
    static const std::vector<Validation> all{wulfkit_validation(), deck_validation(), scc_validation(),
                                             mesh_validation(), ncube_validation()};
    return all;
}

}  // namespace ringmesh::lab
