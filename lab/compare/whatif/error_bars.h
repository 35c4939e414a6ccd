// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/compare/whatif/study.h"
#include "lab/compare/whatif/variants.h"
#include "lab/table/json.h"
#include "lab/table/text_table.h"
#include "lab/truth/uncertainty/analysis.h"

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

/// Of the papers' question: the crossovers between dimensions, by equation and simulated, of both systems.
class VariedTopologies final : public VariedQuestion {
public:
    explicit VariedTopologies(const WhatIf& study);

    const std::vector<Input>& inputs() const override { return inputs_; }
    const Numerical& numerical() const override { return numerical_; }
    std::set<std::string> tests_of(const std::set<std::string>& /*answers*/) const override { return {}; }
    std::vector<std::size_t> inputs_of_tests(const std::set<std::string>& tests) const override;
    std::optional<std::vector<VariedFindings>> find(const std::vector<Variation>& variations,
                                                    const VariationRules& rules, Store& store,
                                                    const std::set<std::string>& tests = {}) override;

private:
    const WhatIf* study_;
    std::vector<Input> inputs_;
    Numerical numerical_;
};

/// A line for each answer: its value, between what it lies, and what it hangs on.
std::string error_bars_text(const Analysis& analysis, Room room);
/// [{answer, value, low, high, samples, hangs_on, trials_without}]
Json error_bars_json(const Analysis& analysis);

}  // namespace ringmesh::lab
