// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/control.h"

#include <array>
#include <cstring>

namespace ringmesh::workloads::deck {
namespace {

constexpr std::size_t kSizeAt = 4;
constexpr std::size_t kContent = 8;

}  // namespace

Task<> send_control(Side& side, Peer& to, Control control)
{
    std::array<std::byte, kContent> content{};
    content[0] = static_cast<std::byte>(control.sign);
    std::memcpy(&content.at(kSizeAt), &control.size, sizeof control.size);
    const StoreRequest block = to.out.control_ring.write(content, to.out.messages, side.options.stores);
    co_await side.send_block(to, block);
}

Task<Control> take_control(Side& side, Peer& from)
{
    std::array<std::byte, kBlockBytes> block{};
    const LoadRequest load{
        .address = from.in.control_ring.address(), .data = block.data(), .size = kBlockBytes, .width = 8};
    co_await side.processor.load(load);
    side.ended(Step::kControlRead);
    from.in.control_ring.advance();
    Control control{.sign = static_cast<Sign>(block[0])};
    std::memcpy(&control.size, &block.at(kSizeAt), sizeof control.size);
    co_return control;
}

}  // namespace ringmesh::workloads::deck
