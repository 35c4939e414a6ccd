// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <vector>

#include "tlm/parameters/policy.h"

namespace ringmesh {

template <class Kind>
std::ostream& operator<<(std::ostream& out, const PolicyChoice<Kind>& choice)
{
    return out << choice->name;
}

namespace test {

/// Every policy of a kind, for data test cases.
template <class Kind>
std::vector<PolicyChoice<Kind>> all_policies()
{
    const auto rows = Kind::table();
    return {rows.begin(), rows.end()};
}

}  // namespace test
}  // namespace ringmesh
