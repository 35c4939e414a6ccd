// SPDX-License-Identifier: Apache-2.0
#include "tlm/sci/sci_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tlm/error.h"
#include "tlm/sci/ring_load.h"
#include "tlm/units/quantity.h"

namespace ringmesh {
namespace {

constexpr NameTable<sci::Command, 3> kCommands{
    {{{"write64", sci::Command::kWrite64}, {"move64", sci::Command::kMove64}, {"write16", sci::Command::kWrite16}}}};

constexpr Duration kUsualDuration = 200_us;

}  // namespace

Layout SciNetwork::layout() const
{
    Layout layout{.nodes = nodes(), .shape = std::nullopt, .lines = Lines::kRings};
    if (torus() != nullptr) layout.shape = *torus();
    return layout;
}

UsualTraffic SciNetwork::usual_traffic()
{
    UsualTraffic usual;
    usual.packet.command = kCommands.name(sci::Command::kWrite64);
    usual.duration = to_string(kUsualDuration);
    return usual;
}

NetworkMachine::Defaults SciNetwork::traffic_defaults(const PacketForm&) const
{
    return {.load = usual_traffic().load, .duration = kUsualDuration};
}

std::string_view SciNetwork::load_meaning() const
{
    return "part of the link rate on the busiest ring, echoes, responses and idle symbols included, retries not";
}

PacketForm SciNetwork::packets(PacketOptions& options) const
{
    options.require_only({"command", "inject"});
    if (options.command == PacketOptions::kAuto) options.command = usual_traffic().packet.command;
    const sci::Command command = value_of("command", options.command, kCommands);
    if (options.inject == PacketOptions::kAuto) options.inject = links_per_node() > 1 ? "blink" : "link";
    if (options.inject == "link" && links_per_node() > 1) {
        throw UserError(
            fmt::format("inject = link: a source stands on one link controller, and each node of this machine has {}; "
                        "write inject=blink",
                        links_per_node()));
    }
    return {.size = 0,
            .kinds = {static_cast<std::uint8_t>(command), static_cast<std::uint8_t>(command)},
            .bytes = static_cast<double>(sci::data_bytes(command)),
            .answered = sci::wants_response(command)};
}

NetworkMachine::Traced SciNetwork::traced(const Injection& packet) const
{
    const sci::Command command = sci::command_of(packet);
    return {.size = static_cast<std::int64_t>(sci::data_bytes(command)), .kind = kCommands.name(command)};
}

/// A command of so many bytes; without a class a write that is answered.
PacketOptions SciNetwork::options_for(std::int64_t size, std::string_view unit, const std::string& kind) const
{
    if (unit != "bytes") throw UserError("flits: packets of SCI have bytes; write a column bytes, 16 or 64");
    std::string command = kind;
    if (kind.empty()) command = size == 16 ? "write16" : "write64";
    const sci::Command* const found = kCommands.find(command);
    if (found == nullptr) {
        throw UserError(fmt::format("class = {}: packets of SCI are {}; empty: by their bytes", kind,
                                    fmt::join(kCommands.names(), ", ")));
    }
    if (static_cast<std::int64_t>(sci::data_bytes(*found)) != size) {
        throw UserError(fmt::format("bytes = {}: a {} carries {}; cut what is longer in packets of 16 and 64 bytes",
                                    size, command, sci::data_bytes(*found)));
    }
    PacketOptions options;
    options.command = command;
    return options;
}

std::unique_ptr<ExpectedLoad> SciNetwork::expected_load(const PacketForm& packets) const
{
    return std::make_unique<sci::RingLoad>(*this, static_cast<sci::Command>(packets.kinds[0]));
}

std::vector<std::string> SciNetwork::traffic_notes() const
{
    if (source_bus_time(sci::Command::kWrite64) > Duration::zero()) {
        return {"the sources sit on the B-Links: PSB, PCI and hosts are not in this run"};
    }
    return {"the sources sit on the link controllers: B-Link, PSB, PCI and hosts are not in this run"};
}

}  // namespace ringmesh
