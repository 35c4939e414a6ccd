// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/traffic_options.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "tlm/error.h"
#include "tlm/units/quantity.h"
#include "workloads/ranks/file_named.h"

namespace ringmesh::workloads {
namespace {

constexpr NameTable<Show, 5> kShowNames{{{{"summary", Show::kSummary},
                                          {"messages", Show::kMessages},
                                          {"distances", Show::kDistances},
                                          {"pairs", Show::kPairs},
                                          {"histogram", Show::kHistogram}}}};

constexpr double kSmallest = 1e-6;
constexpr double kLargest = 1e6;

std::optional<double> number_or_auto(std::string_view option, const std::string& text)
{
    if (text == TrafficOptions::kAuto) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && value >= kSmallest && value <= kLargest) {
        return value;
    }
    throw UserError(fmt::format("traffic: {} = {}: not a number from {} to {}; write {}=0.3, or leave it out", option,
                                text, kSmallest, kLargest, option));
}

Duration time_of(std::string_view option, std::string_view text, const Clock& clock)
{
    const auto refuse = [&](std::string_view why) {
        throw UserError(fmt::format("traffic: {} = {}: {}", option, text, why));
    };
    const auto cycles = parse_cycles(text);
    const auto duration = parse_duration(text);
    if (!cycles.value && !duration.value) refuse("neither cycles nor a time; write such as 20000 cycles or 20 us");
    if ((cycles.value && *cycles.value > TrafficOptions::kLongest) ||
        (duration.value && *duration.value > TrafficOptions::kLongest * clock)) {
        refuse(fmt::format("is above {} of {}, the longest; write less", to_string(TrafficOptions::kLongest),
                           period_text(clock)));
    }
    return cycles.value ? *cycles.value * clock : *duration.value;
}

/// The options of packets that say how long they are.
constexpr std::array kLengthOptions{std::pair("flits", &PacketOptions::flits), std::pair("size", &PacketOptions::size)};

/// The form of packets of the longest of these lengths, with their mean.
/// @param option that says the length on this network
PacketForm varying_form(const NetworkMachine& machine, PacketOptions& packet, std::string PacketOptions::*option,
                        const Lengths& lengths)
{
    const auto form_of = [&](std::int64_t length) {
        packet.*option = std::to_string(length);
        return machine.packets(packet);
    };
    form_of(lengths.least());
    PacketForm form = form_of(lengths.most());
    form.mean = lengths.mean();
    form.bytes *= form.mean / form.size;
    return form;
}

}  // namespace

void TrafficOptions::visit(ParameterVisitor& visitor)
{
    const auto text = [&](std::string_view name, std::string_view meaning, std::string& value) {
        if (!resolved || value != kAuto) visitor.numbers({name, meaning, assumed()}, value);
    };
    visitor.choice({"pattern", "who sends to whom; the last three are operations with an end", assumed()}, pattern);
    packet.visit(visitor, resolved);
    visitor.when("pattern", patterns_of(Loop::kOpen), [&] {
        text("load", "offered load in the network's unit: part of a link's rate, or flits per node and cycle", load);
        text("rate", "MB/s that each sending node offers; auto: what load makes of it", rate);
        text("arrivals",
             "how the packets of a source follow each other: poisson, periodic, bernoulli: the same chance in every "
             "cycle, or on-off: in bursts",
             arrivals);
        visitor.when("arrivals", {std::string(kArrivals.name(Arrivals::kOnOff))}, [&] {
            visitor.field({"burst", "on-off: packets in a burst, on average", assumed()}, bursts.packets, {1, 1e6});
            visitor.field({"on", "on-off: part of the time in bursts; their rate is the mean rate by it", assumed()},
                          bursts.on, {0.001, 0.999});
        });
        visitor.text({"lengths", "CSV file of a histogram, length,count, in place of flits or size", assumed()},
                     lengths);
        text("warm_up", "packets born before this time, or this many cycles, are not measured; auto: by the size",
             warm_up);
        text("duration", "time, or cycles, after the warm-up in which sources offer packets", duration);
        visitor.field({"packets", "packets per source after the warm-up; 0: as many as the duration holds", assumed()},
                      packets, {0, 1'000'000'000});
    });
    auto with_self = patterns_with(PatternOption::kSelf);
    for (std::string& each : patterns_with(PatternOption::kPermutation)) with_self.push_back(std::move(each));
    visitor.when("pattern", with_self, [&] {
        visitor.field({"self", "nodes that the pattern would let send to themselves do so", assumed()}, places.self);
    });
    visit_places(visitor, places);
    visitor.when("pattern", patterns_with(PatternOption::kRoot), [&] {
        visitor.field({"root", "one-to-all, tree-multicast: who has the message at first", assumed()}, places.root,
                      {0, 65'535});
    });
    visitor.when("pattern", patterns_of(Loop::kClosed), [&] {
        visitor.field({"window", "operations: packets of a node that may be on their way at once", assumed()}, window,
                      {1, 1'000'000});
    });
    visitor.choice({"show",
                    "one row for all; messages: of operations, one for each; distances, pairs: latencies of each; "
                    "histogram: of latencies",
                    assumed()},
                   show, kShowNames);
}

std::optional<std::string> TrafficOptions::length_file() const
{
    return lengths.empty() ? std::nullopt : std::optional(file_named(places.folder, "lengths", lengths));
}

std::vector<std::string> TrafficOptions::files() const
{
    std::vector<std::string> all;
    if (const auto file = length_file()) all.push_back(*file);
    for (std::string& file : files_of(*pattern, places)) all.push_back(std::move(file));
    return all;
}

std::optional<double> TrafficOptions::load_value() const { return number_or_auto("load", load); }
std::optional<double> TrafficOptions::rate_value() const { return number_or_auto("rate", rate); }

std::optional<Duration> TrafficOptions::warm_up_value(const Clock& clock) const
{
    if (warm_up == kAuto) return std::nullopt;
    return time_of("warm_up", warm_up, clock);
}

Duration TrafficOptions::duration_value(const Clock& clock) const { return time_of("duration", duration, clock); }

void TrafficOptions::write_out_auto(const UsualTraffic& usual)
{
    packet.complete(usual.packet);
    for (const auto& [name, option] : kLengthOptions) {
        if (const auto read = Lengths::parse(name, packet.*option)) packet.*option = read->text();
    }
    if (pattern->loop != Loop::kOpen) return;
    if (load == kAuto && rate == kAuto) load = fmt::format("{}", usual.load);
    if (arrivals == kAuto) arrivals = kArrivals.name(usual.arrivals);
    if (duration == kAuto) duration = usual.duration;
}

PacketForm TrafficOptions::resolve(const NetworkMachine& machine)
{
    const bool open = pattern->loop == Loop::kOpen;
    if (show != Show::kSummary && open == (show == Show::kMessages)) {
        throw UserError(fmt::format("traffic: show = {}: {}; leave it out", kShowNames.name(show),
                                    open ? "only operations with an end list their messages"
                                         : "an operation with an end has summary and messages"));
    }
    if (open && load_value() && rate_value()) {
        throw UserError("traffic: load and rate are both given, and each makes the other; leave one of them out");
    }
    if (places.self && !machine.sends_to_itself()) {
        throw UserError("traffic: self = true: no node of this network sends to itself; leave it out");
    }
    const auto file = length_file();
    if (file) varying = Lengths::read(*file);
    std::string PacketOptions::*by = machine.size_unit() == "flits" ? &PacketOptions::flits : &PacketOptions::size;
    for (const auto& [name, option] : kLengthOptions) {
        if (file || packet.*option == kAuto) continue;
        varying = Lengths::parse(name, packet.*option);
        by = option;
        if (varying) break;
    }
    if (varying && !open) {
        throw UserError("traffic: packets of an operation are all alike; write one length, or choose another pattern");
    }
    PacketForm form;
    try {
        form = varying ? varying_form(machine, packet, by, *varying) : machine.packets(packet);
    } catch (const UserError& error) {
        if (!file) throw;
        throw UserError(fmt::format("lengths = {}: {}", lengths, error.what()));
    }
    if (varying) packet.*by = file ? std::string(kAuto) : varying->text();
    resolved = true;
    if (!open) return form;
    const NetworkMachine::Defaults defaults = machine.traffic_defaults(form);
    if (load == kAuto && rate == kAuto) load = fmt::format("{}", defaults.load);
    if (arrivals == kAuto) arrivals = kArrivals.name(defaults.arrivals);
    if (duration == kAuto) duration = to_string(defaults.duration);
    return form;
}

}  // namespace ringmesh::workloads
