// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lab/truth/uncertainty/analysis.h"

namespace ringmesh::lab {

/// What an input adds to a row, over its range.
class Response {
public:
    /// @pre the effect is the input's
    Response(const RowEffects& row, const Effect& effect, const Input& input);

    /// At a fraction of the range, from 0 to below 1, along straight lines; of a choice, at one of its values. A value
    /// that gave no number changes nothing.
    double at(double fraction) const;
    /// At a number of the range. @pre there are others between its ends
    double change_at(double x) const;
    /// Over the whole range, or all choices, each as likely as the others.
    double mean_square() const;

private:
    std::vector<std::pair<double, double>> points_;  ///< value, change of the row
    std::vector<double> steps_;                      ///< change at each of the values, if there are no others
    std::optional<Range> range_;
};

/// Values of all inputs, each anywhere within its range, or any of its choices, without regard to the others, as a
/// Latin hypercube: each input is once in each of as many equal parts of its range as there are draws.
/// @param round another one for each
Draws hypercube(const std::vector<Input>& inputs, std::size_t count, unsigned round = 0);

/// Moves draws to where the rows that set inputs are met again: what is left is as likely as its range and these rows
/// make it, by Bayes' rule with the rows' responses for the model. All inputs that move such a row are moved, assumed
/// ones too: with other values of these a calibration would have found other ones, or none. Sequential Monte Carlo: the
/// rows count more and more, draws that miss them are replaced by others, and all are shaken (Del Moral, Doucet, Jasra,
/// J. R. Stat. Soc. B 68, 2006), in directions in which they differ (ter Braak, Stat. Comput. 16, 2006).
/// @return the inputs that were moved
std::set<std::size_t> condition(Draws& draws, const std::vector<Input>& inputs, const std::vector<RowEffects>& rows,
                                const SettingRows& settings);

/// How calibrated inputs move the rows that set them, along straight lines from end to end: a calibration in small.
class CalibratedLines {
public:
    /// @param rows outlive it
    CalibratedLines(const std::vector<const RowEffects*>& rows, const std::vector<Input>& inputs);

    /// What all inputs at these fractions change of each row.
    std::vector<double> all_changes(const std::vector<double>& sample) const;
    /// The sample with other values of the calibrated inputs, as near to it as can be, by which each row changes by so
    /// much less; nearly so, where ranges end. Choices, sizes and whole numbers without a unit stay as they are.
    std::vector<double> without(const std::vector<double>& changes, std::vector<double> sample) const;

private:
    struct Line {
        std::size_t input;
        double slope;  ///< over the whole range
    };
    std::vector<std::vector<std::pair<std::size_t, Response>>> responses_;  ///< of each row, by input
    std::vector<std::vector<Line>> lines_;                                  ///< of each row
};

/// Gives some of the inputs what they have, together, in as many of the draws; in other rounds in other ones.
void take_over(Draws& samples, const Draws& draws, const std::set<std::size_t>& inputs, unsigned round = 0);

}  // namespace ringmesh::lab
