// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ringmesh::workloads {

inline constexpr std::uint32_t kSmallestMessage = 1;
inline constexpr std::uint32_t kLargestMessage = 1024 * 1024;

/// The unit of a list of sizes, and its words in messages. By default bytes of messages.
struct SizeRules {
    std::string_view name = "sizes";  ///< what the list is called
    std::string_view equals = " = ";  ///< between that and the list: messages begin "sizes = 1,x"
    std::string_view owner = "a message";
    std::string_view unit = "bytes";
    std::string_view examples = "'64', '1,2,4,8', '64..512 step 64' or '1..4096 x2'";
    std::uint32_t step = 64;  ///< to propose if it leads to a second size; 0: none, only a factor
    std::uint32_t smallest = kSmallestMessage;
    std::uint32_t largest = kLargestMessage;
};

/// Sizes as people write them, in the order written, repeats kept. Items are separated by commas:
///
///     64                one size
///     64..512 step 64   from the first to the last or just below it, each 64 more (also 64..512/64)
///     1..4096 x2        from the first to the last or just below it, each twice the one before
///
/// @throws UserError "NAME = LIST: what is wrong with which item; how to write it"
std::vector<std::uint32_t> parse_sizes(std::string_view text, const SizeRules& rules = {});

}  // namespace ringmesh::workloads
