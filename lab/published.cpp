// SPDX-License-Identifier: Apache-2.0
#include "lab/published.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/published_broadcast.h"

namespace ringmesh::lab {

const PublishedRow& published_row(std::string_view id)
{
    for (const auto rows : {published_wulfkit(), published_deck(), published_scc(), published_broadcast(),
                            published_mesh(), published_ncube()}) {
        const auto row = std::find_if(rows.begin(), rows.end(), [id](const auto& each) { return each.id == id; });
        if (row != rows.end()) return *row;
    }
    throw std::out_of_range("no published row '" + std::string(id) + "'");
}

}  // namespace ringmesh::lab
