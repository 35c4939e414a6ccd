// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tlm/simulation/random.h"

namespace ringmesh::workloads {

/// Lengths of packets that vary, in flits or bytes:
///     1:0.8,5:0.2               values with their shares, which add up to 1
///     uniform:1..8              each as likely
///     exponential:5:1..64       a mean and bounds: each length as much rarer than the one before as the mean asks
/// or the histogram of a file, lines "length,count".
class Lengths {
public:
    /// None for a text of another form, such as "5" or "auto". @throws UserError naming the option
    static std::optional<Lengths> parse(std::string_view option, const std::string& text);
    /// @throws UserError naming file, line and column
    static Lengths read(const std::string& file);

    std::int64_t least() const { return least_; }
    std::int64_t most() const { return most_; }
    double mean() const { return mean_; }
    /// Takes one random number.
    std::int64_t draw(Random& random) const;
    /// In one form, however it was written.
    const std::string& text() const { return text_; }

private:
    Lengths() = default;
    static Lengths of_shares(std::vector<std::pair<std::int64_t, double>> shares, std::string text);
    static Lengths of_range(std::string_view option, const std::string& text, std::string_view range);
    void decay_to(double mean);

    std::int64_t least_ = 1;
    std::int64_t most_ = 1;
    double mean_ = 0;
    double log_ratio_ = 0;                                // logarithm of P(n + 1) / P(n); 0: all are alike
    std::vector<std::pair<std::int64_t, double>> up_to_;  // values with the sum of shares up to each; empty: a range
    std::string text_;
};

}  // namespace ringmesh::workloads
