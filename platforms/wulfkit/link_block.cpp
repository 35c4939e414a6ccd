// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/link_block.h"

namespace ringmesh::platforms {
namespace {

constexpr LinkBlockPolicy kNoLinkBlock{{"none", "cables alone"}, nullptr};

}  // namespace

std::span<const LinkBlockPolicy> LinkBlockPolicy::table()
{
    static const std::vector<LinkBlockPolicy> rows = Additions<LinkBlockPolicy>::close(
        {kNoLinkBlock}, [](const LinkBlockPolicy& row) { return row.name; }, "a block for links");
    return rows;
}

void LinkBlockParams::visit(ParameterVisitor& visitor)
{
    const auto before = kind_;
    visitor.choice({"kind", "the block in front of each link controller"}, kind_);
    if (!(kind_ == before) || (blocks_ == nullptr && kind_->make != nullptr)) {
        blocks_ = kind_->make == nullptr ? nullptr : kind_->make();
    }
    if (blocks_ != nullptr) blocks_->visit(visitor);
}

}  // namespace ringmesh::platforms
