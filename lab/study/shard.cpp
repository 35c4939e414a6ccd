// SPDX-License-Identifier: Apache-2.0
#include "lab/study/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "lab/table/cells.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

unsigned of_slurm(const char* variable, std::optional<unsigned> otherwise = {})
{
    const char* text = std::getenv(variable);
    if (text == nullptr && otherwise) return *otherwise;
    const auto number = number_from<unsigned>(text == nullptr ? "" : text);
    if (number) return *number;
    throw UserError(
        fmt::format("--shard slurm: {} is {}; use it in the tasks of `sbatch --array=1-8`, or write "
                    "--shard 1/8",
                    variable, text == nullptr ? "not set" : fmt::format("'{}'", text)));
}

}  // namespace

Shard shard_from(const std::string& text)
{
    if (text == "slurm") {
        const unsigned id = of_slurm("SLURM_ARRAY_TASK_ID");
        const unsigned first = of_slurm("SLURM_ARRAY_TASK_MIN", 1);
        const unsigned step = std::max(1u, of_slurm("SLURM_ARRAY_TASK_STEP", 1));
        const Shard shard{(id - first) / step + 1, of_slurm("SLURM_ARRAY_TASK_COUNT")};
        if (id >= first && shard.number <= shard.count) return shard;
        throw UserError(
            fmt::format("--shard slurm: task {} of {} tasks from {} on; write --shard 1/8", id, shard.count, first));
    }
    const std::size_t slash = text.find('/');
    if (slash != std::string::npos) {
        const auto number = number_from<unsigned>(std::string_view(text).substr(0, slash));
        const auto count = number_from<unsigned>(std::string_view(text).substr(slash + 1));
        if (number && count && *number >= 1 && *number <= *count) return {*number, *count};
    }
    throw UserError(fmt::format("--shard {}: not a share; write --shard 1/4 to --shard 4/4, or --shard slurm", text));
}

void keep_share(std::vector<StudyPoint>& points, const Shard& shard)
{
    if (shard.is_all()) return;
    std::vector<std::string> keys;
    keys.reserve(points.size());
    for (const StudyPoint& point : points) keys.push_back(point.wish.key);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::erase_if(points, [&](const StudyPoint& point) {
        const auto place = std::lower_bound(keys.begin(), keys.end(), point.wish.key) - keys.begin();
        return static_cast<unsigned>(place % shard.count) != shard.number - 1;
    });
}

}  // namespace ringmesh::lab
