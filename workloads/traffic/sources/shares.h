// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/simulation/random.h"

namespace ringmesh::workloads {

struct Share {
    std::int64_t value = 0;
    double share = 0;  ///< above 0, up to 1
};

struct ShareForm {
    std::string_view option;  ///< that messages name
    std::string_view of;      ///< what the values are: "node"
    std::int64_t least = 0;   ///< value
    std::int64_t most = 0;
    bool whole = false;  ///< the shares must add up to 1
};

/// "5:0.2,9:0.1": values with their shares, each value once.
/// @throws UserError naming the option if it is none, or if the shares add up to more than 1
std::vector<Share> parse_shares(std::string_view text, const ShareForm& form);

/// A value, as often as its share says; none for what the shares leave. Takes one random number.
std::optional<std::int64_t> drawn_share(const std::vector<Share>& shares, Random& random);

}  // namespace ringmesh::workloads
