// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tlm/sci/packet.h"

namespace ringmesh::test {

inline constexpr std::array kSendCommands{
    sci::Command::kWrite64,   sci::Command::kWrite128,   sci::Command::kWrite16,
    sci::Command::kMove64,    sci::Command::kRead64,     sci::Command::kRead16,
    sci::Command::kResponse0, sci::Command::kResponse16, sci::Command::kResponse64};

/// A packet whose fields all depend on its id, so that mix-ups are detected.
inline sci::Packet make_packet(sci::Command command, sci::NodeId target, std::uint64_t id = 1)
{
    sci::Packet packet;
    packet.command = command;
    packet.target = target;
    packet.sender = static_cast<sci::NodeId>(900 + id);
    packet.source = static_cast<sci::NodeId>(800 + id);
    packet.slot = static_cast<std::uint16_t>(id % 7);
    packet.tag = static_cast<std::uint16_t>(id % 5);
    packet.selected = 0xFFFF;
    packet.offset = id * 64;
    packet.id = id;
    packet.born_ps = static_cast<std::int64_t>(id);
    for (std::size_t i = 0; i < packet.data.size(); ++i) packet.data[i] = static_cast<std::byte>(id * 31 + i);
    return packet;
}

/// Whether a packet carries the data that was sent; bytes behind them are not compared.
inline bool same_data(const sci::Packet& packet, const sci::Packet& sent)
{
    const auto end = sent.data.begin() + static_cast<std::ptrdiff_t>(sci::data_bytes(sent.command));
    return std::equal(sent.data.begin(), end, packet.data.begin());
}

inline sci::Packet make_echo(sci::EchoStatus status, const sci::Packet& of)
{
    sci::Packet echo;
    echo.command = sci::Command::kEcho;
    echo.status = status;
    echo.echo_of = sci::class_of(of.command);
    echo.target = of.sender;
    echo.sender = of.target;
    echo.slot = of.slot;
    echo.id = of.id;
    return echo;
}

}  // namespace ringmesh::test
