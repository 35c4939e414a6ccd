// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tlm/mesh/packet.h"

/// Numbers of a mesh's routers, of their parts and of its terminals, a type for each sort: the index of an input cannot
/// be used as that of an output, nor a port's as a channel's. They cost what bare numbers cost.
namespace ringmesh::hw {

using mesh::TerminalIndex;

inline constexpr std::uint32_t kStride = 16;  ///< virtual channels of each port, used or not

/// A router, as MeshGrid numbers them.
struct RouterIndex {
    std::uint32_t number = 0;

    constexpr RouterIndex() = default;
    constexpr explicit RouterIndex(std::size_t router) : number(static_cast<std::uint32_t>(router)) {}
    auto operator<=>(const RouterIndex&) const = default;
};

enum class PortSide : std::uint8_t { kInput, kOutput };

template <PortSide side>
struct ChannelIndex;

/// A port: kPorts * router + port.
template <PortSide side>
struct PortIndex {
    std::uint32_t number = 0;

    constexpr PortIndex() = default;
    constexpr explicit PortIndex(std::size_t port) : number(static_cast<std::uint32_t>(port)) {}
    constexpr PortIndex(RouterIndex router, unsigned port)
        : number(router.number * static_cast<std::uint32_t>(mesh::kPorts) + port)
    {}
    constexpr PortIndex(RouterIndex router, mesh::Port port)
        : PortIndex(router, static_cast<unsigned>(mesh::index(port)))
    {}
    constexpr RouterIndex router() const { return RouterIndex(number / mesh::kPorts); }
    /// Its number in the router.
    constexpr unsigned port() const { return number % mesh::kPorts; }
    constexpr mesh::Port direction() const { return static_cast<mesh::Port>(port()); }
    constexpr ChannelIndex<side> channel(unsigned channel) const;
    auto operator<=>(const PortIndex&) const = default;
};

/// A virtual channel: kStride * port + channel.
template <PortSide side>
struct ChannelIndex {
    std::uint32_t number = 0;

    constexpr ChannelIndex() = default;
    constexpr explicit ChannelIndex(std::size_t channel) : number(static_cast<std::uint32_t>(channel)) {}
    constexpr PortIndex<side> port() const { return PortIndex<side>(number / kStride); }
    constexpr RouterIndex router() const { return RouterIndex(number / (kStride * mesh::kPorts)); }
    /// Its number in the port.
    constexpr unsigned channel() const { return number % kStride; }
    bool operator==(const ChannelIndex&) const = default;
};

template <PortSide side>
constexpr ChannelIndex<side> PortIndex<side>::channel(unsigned channel) const
{
    return ChannelIndex<side>(number * kStride + channel);
}

using InputIndex = PortIndex<PortSide::kInput>;
/// An output of a router; those behind the last router are the ports through which terminals inject.
using OutputIndex = PortIndex<PortSide::kOutput>;
using InputChannelIndex = ChannelIndex<PortSide::kInput>;
using OutputChannelIndex = ChannelIndex<PortSide::kOutput>;

/// An array with an element for each part of one sort.
template <class Index, class Value>
class Indexed {
public:
    explicit Indexed(std::size_t size = 0) : values_(size) {}
    Indexed(std::size_t size, const Value& value) : values_(size, value) {}
    Value& operator[](Index index) { return values_[index.number]; }
    const Value& operator[](Index index) const { return values_[index.number]; }
    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    void resize(std::size_t size) { values_.resize(size); }
    auto begin() { return values_.begin(); }
    auto begin() const { return values_.begin(); }
    auto end() { return values_.end(); }
    auto end() const { return values_.end(); }

private:
    std::vector<Value> values_;
};

}  // namespace ringmesh::hw
