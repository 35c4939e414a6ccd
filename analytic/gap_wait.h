// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringmesh::analytic {

/// Mean and mean square of a random time, in ns and ns^2.
struct Moments {
    double mean = 0;
    double square = 0;
};

/// How long a link shared by passing trains and a node's own packets is blocked for the next own packet.
///
/// Heads of trains come at random while no train is coming in, `rate` of them per ns of such time; a train takes a
/// random time. An arriving head reserves the link from `margin` ns later on, so an own packet can start only after
/// `margin` ns without a head. Derived in docs/analytic.md; exact under these assumptions.
class GapWait {
public:
    /// @param rate above 0 @param train_square at least train_mean squared @param margin 0 or more; all finite
    GapWait(double rate, double train_mean, double train_square, double margin);

    /// From the head of a train that finds the link free to the next moment at which an own packet could start.
    Moments blocked() const;

    /// From the start of an own packet that takes `length` >= 0 ns to the next moment at which another could start.
    Moments clearing(double length) const;

private:
    Moments clearing_within_margin(double length) const;

    double rate_;
    Moments train_;
    double margin_;
    Moments from_margin_;  // the same for an own packet as long as the margin
};

}  // namespace ringmesh::analytic
