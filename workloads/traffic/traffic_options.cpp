// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/traffic_options.h"

#include <fmt/format.h>

#include <charconv>

#include "tlm/error.h"
#include "tlm/quantity.h"

namespace ringmesh::workloads {
namespace {

constexpr NameTable<sci::Command, 3> kCommandNames{
    {{{"write64", sci::Command::kWrite64}, {"move64", sci::Command::kMove64}, {"write16", sci::Command::kWrite16}}}};
constexpr NameTable<Arrivals, 2> kArrivalsNames{{{{"poisson", Arrivals::kPoisson}, {"periodic", Arrivals::kPeriodic}}}};
constexpr NameTable<Inject, 3> kInjectNames{
    {{{"auto", Inject::kAuto}, {"link", Inject::kLink}, {"blink", Inject::kBLink}}}};
constexpr NameTable<Show, 2> kShowNames{{{{"summary", Show::kSummary}, {"messages", Show::kMessages}}}};

constexpr double kSmallest = 1e-6;
constexpr double kLargest = 1e6;
constexpr Duration kLongestWarmUp = 1_s;

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

}  // namespace

void TrafficOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"pattern", "who sends to whom; the last three are operations with an end", assumed()}, pattern,
                   pattern_names());
    visitor.choice({"command", "what sources send: writes, or moves that are not answered", assumed()}, command,
                   kCommandNames);
    visitor.choice({"inject",
                    "where sources stand: on the link controller or on the B-Link; auto: as near to the links as "
                    "can be",
                    assumed()},
                   inject, kInjectNames);
    visitor.text({"load",
                  "mean part of the time that links of the busiest ring are to be busy, echoes and responses "
                  "included; auto: 0.3, or what rate makes of it",
                  assumed()},
                 load);
    visitor.text({"rate", "MB/s of payload that each sending node offers; auto: what load makes of it", assumed()},
                 rate);
    visitor.choice({"arrivals", "how the packets of a source follow each other", assumed()}, arrivals, kArrivalsNames);
    visitor.text(
        {"warm_up", "packets born before this time are not measured; auto: by the size of the machine", assumed()},
        warm_up);
    visitor.field({"duration", "time after the warm-up in which sources offer packets", assumed()}, duration,
                  {1_ns, kLongestDuration});
    visitor.field({"packets", "packets per source after the warm-up; 0: as many as the duration holds", assumed()},
                  packets, {0, 1'000'000'000});
    visitor.field({"hot_node", "hot-spot: where the traffic gathers", assumed()}, places.hot_node, {0, 65'535});
    visitor.field({"hot_part", "hot-spot: part of the packets that goes there", assumed()}, places.hot_part, {0, 1});
    visitor.field({"root", "one-to-all, tree-multicast: who has the message at first", assumed()}, places.root,
                  {0, 65'535});
    visitor.field({"window", "operations: packets of a node that may be on their way at once", assumed()}, window,
                  {1, 1'000'000});
    visitor.choice({"show", "operations: one row for all, or one for each message", assumed()}, show, kShowNames);
}

std::optional<double> TrafficOptions::load_value() const { return number_or_auto("load", load); }
std::optional<double> TrafficOptions::rate_value() const { return number_or_auto("rate", rate); }

std::optional<Duration> TrafficOptions::warm_up_value() const
{
    if (warm_up == kAuto) return std::nullopt;
    const auto parsed = parse_duration(warm_up);
    if (!parsed.value) throw UserError(fmt::format("traffic: warm_up = {}: {}", warm_up, parsed.problem));
    if (*parsed.value > kLongestWarmUp) {
        throw UserError(fmt::format("traffic: warm_up = {}: is above {}, the longest; write a shorter one", warm_up,
                                    to_string(kLongestWarmUp)));
    }
    return parsed.value;
}

void TrafficOptions::require_fit(Loop loop) const
{
    const TrafficOptions defaults;
    const auto refuse = [this](bool given, std::string_view option, std::string_view why) {
        if (!given) return;
        throw UserError(fmt::format("traffic: {} is given, but pattern = {} {}; leave it out", option, pattern, why));
    };
    if (loop == Loop::kClosed) {
        const std::string_view why = "is an operation, which goes as fast as it can";
        refuse(load != kAuto, "load", why);
        refuse(rate != kAuto, "rate", why);
        refuse(warm_up != kAuto, "warm_up", why);
        refuse(packets != defaults.packets, "packets", why);
        refuse(duration != defaults.duration, "duration", why);
        refuse(arrivals != defaults.arrivals, "arrivals", why);
    } else {
        const std::string_view why = "is offered at a rate, whatever becomes of its packets";
        refuse(window != defaults.window, "window", why);
        refuse(show != defaults.show, "show", why);
        if (load_value() && rate_value()) {
            throw UserError("traffic: load and rate are both given, and each makes the other; leave one of them out");
        }
    }
}

}  // namespace ringmesh::workloads
