// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/study/points/points.h"

namespace ringmesh::lab {

/// What runs of a test differ in though nobody asked for it, a sentence each: options that the program chose by the
/// machine, and a load that is another number of MB/s on as many senders.
/// @param points of this test alone @param granted as long as `points`; those that are not done are left out
std::vector<std::string> unasked_differences(const StudyTest& test, std::span<const StudyPoint> points,
                                             std::span<const Granted> granted, const Store& store);

}  // namespace ringmesh::lab
