// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/compare/whatif/variants.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/uncertainty/analysis.h"
#include "lab/truth/uncertainty/bars.h"

/// How sure the answers of a what-if are: where curves change places, and by how much a variant differs, for every
/// value that the assumed, calibrated and derived parameters may have. Both sides get the same values and seeds.
namespace ringmesh::lab {

/// Of a comparison of variants: each crossover, and each variant's change from the base at each place, in percent.
class VariedVariants final : public VariedStudy {
public:
    /// @param study of one test
    VariedVariants(Study study, std::vector<StudyPoint> points, VariantQuestion question)
        : VariedStudy(std::move(study), std::move(points)), question_(std::move(question))
    {}

private:
    std::map<std::string, double> answers(const std::vector<StudyPoint>& points, const std::vector<Granted>& granted,
                                          const Store& store) override;

    VariantQuestion question_;
};

/// @name Of the bars of such an analysis; none if it has no such answer
/// @{

/// Where two curves of a family meet, at their crossing of this number.
std::optional<Bar> bar_of_crossing(const Analysis& analysis, const VariantComparison& comparison,
                                   const CurveFamily& family, const CurvePair& pair, std::size_t crossing);
/// By how much a variant differs from the base at a place, in percent.
std::optional<Bar> bar_of_change(const Analysis& analysis, const VariantComparison& comparison,
                                 const VariantPlace& place, std::size_t variant);

/// @}

/// A line for each answer: its value, between what it lies, and what it hangs on.
std::string error_bars_text(const Analysis& analysis, Room room);
/// [{answer, value, low, high, samples, hangs_on, trials_without}]
Json error_bars_json(const Analysis& analysis);

}  // namespace ringmesh::lab
