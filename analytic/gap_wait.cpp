// SPDX-License-Identifier: Apache-2.0
#include "analytic/gap_wait.h"

#include <algorithm>
#include <cmath>

#include "analytic/domain.h"

namespace ringmesh::analytic {
namespace {

/// Partial moments of an exponential time t of rate r below a bound z. For r z below kSeriesBelow the closed forms
/// cancel, and the first terms of their series are exact to double precision.
constexpr double kSeriesBelow = 1e-5;

/// E[t; t < z]
double part_of_mean(double rate, double bound)
{
    const double x = rate * bound;
    if (x < kSeriesBelow) return bound * x * (1.0 / 2 - x / 3);
    return (-std::expm1(-x) - x * std::exp(-x)) / rate;
}

/// E[t^2; t < z]
double part_of_square(double rate, double bound)
{
    const double x = rate * bound;
    if (x < kSeriesBelow) return bound * bound * x * (1.0 / 3 - x / 4);
    return (-2 * std::expm1(-x) - (2 * x + x * x) * std::exp(-x)) / (rate * rate);
}

/// Of a sum of two independent times.
Moments sum(const Moments& a, const Moments& b) { return {a.mean + b.mean, a.square + 2 * a.mean * b.mean + b.square}; }

}  // namespace

GapWait::GapWait(double rate, double train_mean, double train_square, double margin)
    : rate_(rate), train_{train_mean, train_square}, margin_(margin)
{
    require(is_finite_above(rate, 0), "trains come at a rate above 0");
    require(is_finite_from(train_mean, 0) && std::isfinite(train_square), "trains have moments of 0 or more");
    require(is_finite_from(margin, 0), "the margin is 0 or more");
    // The remaining margin m ends after `margin` ns without a head; if a head comes first, its train and a new m
    // follow.
    const double none = std::exp(-rate * margin);
    const double some = -std::expm1(-rate * margin);
    const double gap = part_of_mean(rate, margin);
    from_margin_.mean = (none * margin + gap + some * train_mean) / none;
    const Moments again = sum(train_, {from_margin_.mean, 0});
    from_margin_.square =
        (none * margin * margin + part_of_square(rate, margin) + 2 * gap * again.mean + some * again.square) / none;
}

Moments GapWait::blocked() const { return sum(train_, from_margin_); }

Moments GapWait::clearing_within_margin(double length) const
{
    const double none = std::exp(-rate_ * length);
    const double some = -std::expm1(-rate_ * length);
    const double gap = part_of_mean(rate_, length);
    const Moments again = blocked();
    return {none * length + gap + some * again.mean,
            none * length * length + part_of_square(rate_, length) + 2 * gap * again.mean + some * again.square};
}

Moments GapWait::clearing(double length) const
{
    require(is_finite_from(length, 0), "an own packet takes 0 ns or more");
    const Moments end = clearing_within_margin(std::min(length, margin_));
    const double beyond = length - margin_;
    if (beyond <= 0) return end;
    // While the backlog drains, a Poisson number of trains arrives and queues.
    const double mean = beyond * (1 + rate_ * train_.mean);
    return sum({mean, mean * mean + beyond * rate_ * train_.square}, end);
}

}  // namespace ringmesh::analytic
