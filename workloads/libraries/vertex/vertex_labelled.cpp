// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/vertex/vertex_labelled.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tlm/error.h"

namespace ringmesh::workloads::vertex {
namespace {

// Types of Vertex's messages. Bytes have one of their own, since another envelope may come before them
constexpr int kEnvelope = 1;
constexpr int bytes_type(std::uint64_t number) { return 2 + static_cast<int>(number & 0xff'ffff); }
// Below, two copies of a word of 4 bytes take less time than another message
constexpr std::uint32_t kInline = 256;
// Of the receiver's system buffers, so that messages of many fit
constexpr std::uint32_t kLongest = 64;    // part of a message without request
constexpr std::uint32_t kChunk = 16;      // part of a chunk
constexpr std::ptrdiff_t kMostAsked = 4;  // chunks under way to a node

}  // namespace

VertexLabelled::VertexLabelled(Vertex& vertex)
    : vertex_(vertex),
      longest_(static_cast<std::uint32_t>(vertex.buffers().size()) / kLongest),
      chunk_(static_cast<std::uint32_t>(vertex.buffers().size()) / kChunk),
      out_(vertex.allocate(sizeof(Header) + kInline)),
      in_(vertex.allocate(sizeof(Header) + kInline))
{}

Task<> VertexLabelled::call() { co_return; }

Task<> VertexLabelled::copy(std::uint64_t from, std::uint64_t to, std::uint32_t size)
{
    if (size > 0) co_await vertex_.copy(to, from, size);
}

Task<> VertexLabelled::make_room(std::uint32_t size)
{
    while (!vertex_.has_room(size)) {
        co_await vertex_.wait_for_room(size, kAny, kEnvelope);
        if (!vertex_.has_room(size)) co_await take();
    }
}

Task<> VertexLabelled::write(unsigned to, Header header, std::uint64_t from, std::uint32_t size)
{
    const unsigned node = vertex_.cpu().node_of(to);
    const bool goes_along = size <= kInline;
    const auto whole = static_cast<std::uint32_t>(sizeof header + (goes_along ? size : 0));
    // What is read meanwhile may be answered from the same place
    co_await make_room(whole);
    std::array<std::byte, sizeof header> bytes{};
    std::memcpy(bytes.data(), &header, sizeof header);
    vertex_.cpu().poke(out_, bytes);
    if (goes_along && size > 0) co_await vertex_.copy(out_ + sizeof header, from, size);
    co_await vertex_.nwrite_until_free(out_, whole, node, kEnvelope);
    if (goes_along) co_return;
    co_await make_room(size);
    co_await vertex_.nwrite_until_free(from, size, node, bytes_type(header.number));
}

Task<> VertexLabelled::begin(Sending& sending)
{
    sending.number = ++numbers_;
    const bool asks = sending.synchronous || sending.size > longest_;
    const Header header{asks ? Kind::kRequest : Kind::kMessage, sending.size, sending.label, sending.number};
    if (asks) asked_.push_back(&sending);
    co_await write(sending.to, header, sending.from, asks ? 0 : sending.size);
    if (!asks) finish(sending);
}

Task<> VertexLabelled::call_for(Arrival arrival, std::uint64_t into)
{
    called_.push_back({arrival, into});
    co_await ask();
}

Task<> VertexLabelled::ask()
{
    for (;;) {
        if (std::count_if(called_.begin(), called_.end(), [](const Called& each) { return each.asked; }) >=
            kMostAsked) {
            co_return;
        }
        const auto next = std::find_if(called_.begin(), called_.end(), [](const Called& each) { return !each.asked; });
        if (next == called_.end()) co_return;
        next->asked = true;
        const Arrival arrival = next->arrival;
        co_await write(arrival.from, {Kind::kReady, arrival.size, arrival.label, arrival.number}, 0, 0);
    }
}

Task<> VertexLabelled::send_chunk(unsigned to, Sending& sending)
{
    const std::uint32_t size = std::min(chunk_, sending.size - sending.sent);
    const std::uint64_t from = sending.from + sending.sent;
    sending.sent += size;
    const bool is_last = sending.sent == sending.size;
    if (is_last) std::erase(asked_, &sending);
    co_await write(to, {Kind::kChunk, size, sending.label, sending.number}, from, size);
    if (is_last) finish(sending);
}

void VertexLabelled::finish(Sending& sending)
{
    sending.done = true;
    addressee_->left(sending);
}

Task<> VertexLabelled::wait(const Sources& /*sources*/) { co_await take(); }

Task<> VertexLabelled::advance(const Sources& /*sources*/)
{
    while (vertex_.has_unread(kAny, kEnvelope)) co_await take();
}

Task<> VertexLabelled::fetch(unsigned node, Header header, std::uint64_t into)
{
    if (header.size > kInline) {
        co_await vertex_.nread(into, header.size, static_cast<int>(node), bytes_type(header.number));
    } else if (header.size > 0) {
        co_await vertex_.copy(into, in_ + sizeof header, header.size);
    }
}

Task<> VertexLabelled::take()
{
    const Received got = co_await vertex_.nread(in_, sizeof(Header) + kInline, kAny, kEnvelope);
    const auto node = static_cast<unsigned>(got.source);
    std::array<std::byte, sizeof(Header)> bytes{};
    vertex_.cpu().peek(in_, bytes);
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const Arrival arrival{.from = vertex_.cpu().rank_on(node),
                          .size = header.size,
                          .label = header.label,
                          .number = header.number,
                          .waits = header.kind == Kind::kRequest};
    if (header.kind == Kind::kReady) {
        const auto found = std::find_if(asked_.begin(), asked_.end(),
                                        [&](const Sending* each) { return each->number == header.number; });
        if (found == asked_.end()) {
            throw ModelError(
                fmt::format("vertex: node {} calls for a message that node {} has not", node, vertex_.rank()));
        }
        co_await send_chunk(arrival.from, **found);
    } else if (header.kind == Kind::kChunk) {
        const auto called = std::find_if(called_.begin(), called_.end(), [&](const Called& each) {
            return each.arrival.from == arrival.from && each.arrival.number == header.number;
        });
        if (called == called_.end()) {
            throw ModelError(fmt::format("vertex: node {} has not called for bytes of node {}", vertex_.rank(), node));
        }
        const Arrival whole = called->arrival;
        const std::uint64_t into = called->into + called->done;
        called->done += header.size;
        called->asked = false;
        const bool is_last = called->done == whole.size;
        if (is_last) called_.erase(called);
        co_await fetch(node, header, into);
        if (is_last) addressee_->delivered(whole);
        co_await ask();
    } else {
        const auto place = addressee_->arrived(arrival);
        if (!arrival.waits) {
            co_await fetch(node, header, place.value());
            addressee_->delivered(arrival);
        } else if (place) {
            co_await call_for(arrival, *place);
        }
    }
}

}  // namespace ringmesh::workloads::vertex
