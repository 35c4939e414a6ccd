// SPDX-License-Identifier: Apache-2.0
#include "lab/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/published_broadcast.h"

namespace ringmesh::lab {
namespace {

const PublishedRow* find_published(std::string_view id)
{
    for (const auto rows : {published_wulfkit(), published_deck(), published_scc(), published_broadcast(),
                            published_mesh(), published_ncube()}) {
        const auto row = std::find_if(rows.begin(), rows.end(), [id](const auto& each) { return each.id == id; });
        if (row != rows.end()) return &*row;
    }
    return nullptr;
}

}  // namespace

bool is_published(std::string_view id)
{
    const auto among = [id](std::span<const PublishedTime> cells, std::string_view form) {
        return std::any_of(cells.begin(), cells.end(), [&](const PublishedTime& cell) {
            return id == fmt::format(fmt::runtime(form), cell.size, cell.cut);
        });
    };
    return find_published(id) != nullptr || among(published_part_sizes(), "scc.cube.{}B.part{}") ||
           among(published_pipe_sizes(), "scc.dopl.{}B.pipe{}");
}

const PublishedRow& published_row(std::string_view id)
{
    if (const PublishedRow* row = find_published(id)) return *row;
    throw std::out_of_range("no published row '" + std::string(id) + "'");
}

}  // namespace ringmesh::lab
