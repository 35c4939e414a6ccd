// SPDX-License-Identifier: Apache-2.0
#include "tlm/machine/traffic_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "tlm/error.h"

namespace ringmesh {

void PacketOptions::visit_form(ParameterVisitor& visitor, bool only_given)
{
    const auto text = [&](std::string_view name, std::string_view meaning, std::string& value) {
        if (!only_given || value != kAuto) visitor.numbers({name, meaning, assumed()}, value);
    };
    text("command", "SCI: what sources send: write64, write16, or move64, which is not answered", command);
    text("inject",
         "SCI: where sources stand: link, on the link controller, or blink, on the B-Link; auto: link if a node has "
         "one link "
         "controller, else blink",
         inject);
    text("flits",
         "mesh: flits of each packet, the head included; traffic: also '1:0.8,5:0.2' with shares, "
         "'uniform:1..8', 'exponential:5:1..64'",
         flits);
    text("kind", "mesh: class of the packets: request, response, or mixed: each is one or the other", kind);
}

void PacketOptions::visit_size(ParameterVisitor& visitor, bool only_given)
{
    if (only_given && size == kAuto) return;
    visitor.numbers({"size", "hypercube: bytes of each message; traffic: also varying, as flits", assumed()}, size);
}

void PacketOptions::complete(const PacketOptions& usual)
{
    for (const auto option : {&PacketOptions::command, &PacketOptions::inject, &PacketOptions::flits,
                              &PacketOptions::kind, &PacketOptions::size}) {
        if (this->*option == kAuto) this->*option = usual.*option;
    }
}

void PacketOptions::require_only(std::initializer_list<std::string_view> known) const
{
    const std::pair<std::string_view, const std::string*> all[] = {
        {"command", &command}, {"inject", &inject}, {"flits", &flits}, {"kind", &kind}, {"size", &size}};
    for (const auto& [name, value] : all) {
        if (*value == kAuto || std::find(known.begin(), known.end(), name) != known.end()) continue;
        throw UserError(fmt::format("{} = {}: the packets of this network have {}; leave it out", name, *value,
                                    fmt::join(known, ", ")));
    }
}

std::int64_t number_of(std::string_view option, std::string& text, std::int64_t automatic, std::int64_t low,
                       std::int64_t high)
{
    if (text == PacketOptions::kAuto) text = std::to_string(automatic);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && value >= low && value <= high) return value;
    throw UserError(fmt::format("{} = {}: not a whole number from {} to {}; write {}={}, or leave it out", option, text,
                                low, high, option, automatic));
}

PacketOptions NetworkMachine::options_for(std::int64_t size, std::string_view unit, const std::string& kind) const
{
    if (unit != size_unit()) {
        throw UserError(
            fmt::format("{}: packets of this network have {}; write a column {}", unit, size_unit(), size_unit()));
    }
    if (!kind.empty()) throw UserError(fmt::format("class = {}: this network has one class; leave it empty", kind));
    PacketOptions options;
    options.size = std::to_string(size);
    return options;
}

}  // namespace ringmesh
