// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lab/uncertainty/analysis.h"

namespace ringmesh::lab {

/// What an input adds to a row, over its range.
class Response {
public:
    /// @pre the effect is the input's
    Response(const RowEffects& row, const Effect& effect, const Input& input);

    /// At a part of the range, from 0 to 1, along straight lines; of a choice, at one of its values.
    double at(double fraction) const;
    /// Over the whole range, or all choices, each as likely as the others.
    double mean_square() const;

private:
    std::vector<std::pair<double, double>> points_;  ///< part of the range, change of the row
    std::vector<double> steps_;                      ///< change at each of the values, if there are no others
};

/// Values of all inputs, each anywhere within its range, or any of its choices, without regard to the others.
Draws even_draws(const std::vector<Input>& inputs, std::size_t count);
/// The same as a Latin hypercube: each input is once in each of as many equal parts of its range as there are draws.
Draws hypercube(const std::vector<Input>& inputs, std::size_t count);

/// Moves the calibrated inputs of each draw to where the rows that set them are met again, as far as these determine
/// them and their ranges allow: with other values of the rest a calibration would have found other ones. Between what
/// the rows leave open the inputs stay where they were drawn (randomised maximum likelihood, with the slopes over the
/// whole ranges). Choices, sizes and whole numbers keep another value than their own as likely as the rows make it, all
/// else as it is.
/// @param calibrating by id of the row, how well it is known and met: standard uncertainty
void follow_rows(Draws& draws, const std::vector<Input>& inputs, const std::vector<RowEffects>& rows,
                 const std::map<std::string, double>& calibrating);

}  // namespace ringmesh::lab
