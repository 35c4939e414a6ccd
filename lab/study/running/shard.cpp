// SPDX-License-Identifier: Apache-2.0
#include "lab/study/running/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "lab/table/writers/cells.h"
#include "tlm/error.h"

namespace ringmesh::lab {
Shard shard_from(const std::string& text)
{
    const std::size_t slash = text.find('/');
    if (slash != std::string::npos) {
        const auto number = number_from<unsigned>(std::string_view(text).substr(0, slash));
        const auto count = number_from<unsigned>(std::string_view(text).substr(slash + 1));
        if (number && count && *number >= 1 && *number <= *count) return {*number, *count};
        if (number && count && *count >= 1) {
            throw UserError(fmt::format(
                "--shard {0}: there are shares 1 to {1}; write --shard 1/{1} to --shard {1}/{1}", text, *count));
        }
    }
    throw UserError(fmt::format("--shard {}: not a share; write --shard 1/4 to --shard 4/4", text));
}

void keep_share(std::vector<StudyPoint>& points, const Shard& shard)
{
    if (shard.is_all()) return;
    std::vector<std::string> keys;
    for (const StudyPoint& point : points) keys.push_back(point.wish.key);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::erase_if(points, [&](const StudyPoint& point) {
        const auto place = std::lower_bound(keys.begin(), keys.end(), point.wish.key) - keys.begin();
        return static_cast<unsigned>(place % shard.count) != shard.number - 1;
    });
}

}  // namespace ringmesh::lab
