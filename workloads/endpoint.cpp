// SPDX-License-Identifier: Apache-2.0
#include "workloads/endpoint.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "tlm/error.h"
#include "workloads/stores.h"

namespace ringmesh::workloads {
namespace {

constexpr SegmentId kReceiveSegment = 0;

}  // namespace

std::uint64_t export_receive_area(PcProcessor& processor, std::uint32_t largest)
{
    SegmentDriver& segments = processor.segments();
    const std::uint64_t address = segments.create_segment(kReceiveSegment, area_bytes(largest));
    segments.export_segment(kReceiveSegment);
    return address;
}

Endpoint::Endpoint(PcProcessor& processor, std::uint64_t receive_area, unsigned peer, const Layout& layout)
    : processor_(processor),
      layout_(layout),
      own_area_(receive_area),
      peer_area_(processor.segments().import_and_map(peer, kReceiveSegment)),
      outgoing_(layout.largest),
      incoming_(layout.largest)
{}

Task<> Endpoint::send(Message message)
{
    current_ = message;
    write_message(message, outgoing(message.size));
    co_await send_outgoing(message.size);
}

Task<> Endpoint::send_outgoing(std::uint32_t size)
{
    co_await processor_.library_call();
    const std::uint64_t address = peer_area_ + message_offset(size, layout_.aligned);
    co_await store_in_a_row(processor_, layout_.stores, address, outgoing(size));
}

Task<> Endpoint::receive(Message message)
{
    current_ = message;
    const std::uint32_t word = polled_bytes(message.size);
    const PollRequest request{
        .address = local_address(message.size) + message.size - word, .size = word, .value = polled_value(message)};
    co_await processor_.poll(request);
    auto late = wrong_byte(message);
    if (late) ++overtaken_;
    while (late) {
        const PollRequest rest{.address = local_address(message.size) + late->index,
                               .size = 1,
                               .value = std::to_integer<std::uint64_t>(late->expected)};
        co_await processor_.poll(rest);
        late = wrong_byte(message);
    }
    co_await processor_.library_call();
}

void Endpoint::expect(const Message& message)
{
    const std::array<std::byte, 8> zeros{};
    const std::uint32_t word = polled_bytes(message.size);
    processor_.poke(local_address(message.size) + message.size - word, std::span(zeros).first(word));
}

void Endpoint::require_finished() const
{
    if (processor_.finished()) return;
    throw ModelError(fmt::format("the program of rank {} did not get past repetition {} of {} bytes{}",
                                 processor_.rank(), current_.repetition, current_.size, problem(current_)));
}

std::string Endpoint::problem(const Message& message) const
{
    const auto wrong = wrong_byte(message);
    if (!wrong) return {};
    return fmt::format("; there, byte {} of its receive area is {:#04x} instead of {:#04x}", wrong->index,
                       std::to_integer<unsigned>(wrong->found), std::to_integer<unsigned>(wrong->expected));
}

std::uint64_t Endpoint::local_address(std::uint32_t size) const
{
    return own_area_ + message_offset(size, layout_.aligned);
}

std::optional<WrongByte> Endpoint::wrong_byte(const Message& message) const
{
    const auto bytes = std::span(incoming_).first(message.size);
    processor_.peek(local_address(message.size), bytes);
    return first_wrong_byte(message, bytes);
}

}  // namespace ringmesh::workloads
