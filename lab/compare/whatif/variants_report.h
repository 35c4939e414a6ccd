// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/compare/comparison.h"
#include "lab/compare/whatif/variants.h"
#include "lab/store/point.h"
#include "lab/table/answer.h"
#include "lab/table/listing.h"
#include "lab/truth/uncertainty/analysis.h"

namespace ringmesh::lab {

/// A comparison of variants with all that is said about it.
struct VariantReport {
    std::string title;  ///< "on scc: ping-pong"
    VariantComparison comparison;
    std::vector<CurveFamily> families;
    std::vector<Point> examples;  ///< of each variant its first point; one place for all
    std::optional<Analysis> error_bars = {};

    /// What is changed: a value for each variant.
    std::vector<ConfigurationDifference> changes() const;
};

/// A variant at a place.
struct VariantRow {
    const VariantPlace* place;
    std::size_t variant;

    const Contender& contender() const { return place->variants[variant]; }
    const Contender& base() const { return place->variants.front(); }
};
/// Those where something was measured.
std::vector<VariantRow> measured_rows(const VariantComparison& comparison);
/// Dimensions, variant, mean, interval, runs, change_percent, change_interval_percent, beyond_noise.
Listing<VariantRow> variant_listing(const VariantComparison& comparison);

/// What differs between the variants, then where curves cross and who wins by how much.
Answer answer_of(const VariantReport& report);
/// Its second part.
std::vector<std::string> crossover_sentences(const VariantComparison& comparison,
                                             const std::vector<CurveFamily>& families);

/// Whether no two curves of a family cross.
bool never_cross(const std::vector<CurveFamily>& families);

/// What is changed, the table, crossovers and the best by ranges.
std::string variants_text(const VariantReport& report, Room room = {});
/// Its last part: crossovers and the best by ranges, along each dimension of numbers.
std::string crossovers_text(const VariantComparison& comparison, const std::vector<CurveFamily>& families, Room room);
/// Everything, with the configurations. @throws ModelError if a number is not finite
Json variants_json(const VariantReport& report);
std::string variants_csv(const VariantReport& report);

}  // namespace ringmesh::lab
