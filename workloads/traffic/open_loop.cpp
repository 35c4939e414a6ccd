// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/open_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tlm/error.h"
#include "tlm/kernel_time.h"
#include "tlm/quantity.h"
#include "workloads/traffic/expected_load.h"

namespace ringmesh::workloads {
namespace {

/// Time to fill: what a card takes on the way several times over, and four unloaded turns of a packet and its echo over
/// the longest way; rounded up to whole microseconds.
Duration fitting_warm_up(const SciMachine& machine, const ExpectedLoad& expected)
{
    constexpr Duration kCards = 20_us;
    constexpr std::int64_t kTurns = 4;
    const Duration exact = kCards + machine.hop_time() * expected.longest_circle() * kTurns;
    return 1_us * ((exact.ps() - 1) / (1_us).ps() + 1);
}

/// So that what a message offers is taken.
std::string rounded_down(double value, int decimals)
{
    const double scale = std::pow(10, decimals);
    return fmt::format("{:.{}f}", std::floor(value * scale) / scale, decimals);
}

}  // namespace

OpenLoop::OpenLoop(SciMachine& machine, const TrafficOptions& options, std::unique_ptr<Pattern> pattern)
    : machine_(machine),
      options_(options),
      pattern_(std::move(pattern)),
      accounts_(machine.nodes()),
      use_(machine, {Resource::kLink, Resource::kBLink})
{
    ExpectedLoad expected(machine, options_.command);
    pattern_->expect(expected);
    senders_ = expected.senders();
    const auto payload = static_cast<double>(sci::data_bytes(options_.command));
    const auto rate = options_.rate_value();
    const double ring_ns = expected.busiest_ring().ns();
    gap_ = rate ? nanoseconds(payload / *rate * 1e3)
                : nanoseconds(ring_ns / options_.load_value().value_or(TrafficOptions::kDefaultLoad));
    load_ = ring_ns / gap_.ns();
    if (const auto [least, resource] = expected.busiest_source(); gap_ < least) {
        throw TooMuchOffered(fmt::format(
            "traffic: {}: each source would offer a packet every {:.3f} us, and its {} needs {:.3f} us to send one; "
            "write {} or less",
            rate ? "rate = " + options_.rate : "load = " + options_.load, gap_.us(),
            resource == Resource::kLink ? "link" : "B-Link", least.us(),
            rate ? "rate=" + rounded_down(payload / least.us(), 3) : "load=" + rounded_down(ring_ns / least.ns(), 3)));
    }
    warm_up_ = options_.warm_up_value().value_or(fitting_warm_up(machine, expected));
    if (options_.packets == 0) {
        if (options_.duration < gap_ / senders_) {
            throw UserError(
                fmt::format("traffic: the {} sources together offer a packet every {:.3f} us, and the duration is {}; "
                            "raise duration, "
                            "or offer more",
                            senders_, gap_.us() / senders_, to_string(options_.duration)));
        }
        window_end_ = warm_up_ + options_.duration;
    }
    arrivals_.emplace(options_.arrivals, gap_);
    sources_.reserve(machine.nodes());
    for (unsigned node = 0; node < machine.nodes(); ++node) {
        sources_.push_back({.random = machine.simulation().random_for(fmt::format("traffic.{}", node))});
    }
}

Injection OpenLoop::next(sci::NodeId node)
{
    watch(now());
    Source& source = sources_[node];
    if (source.births.started && in_window(source.births.last)) ++born_in_window_;
    const auto to = pattern_->next(node, source.random);
    if (!to) return {};
    const Duration birth = arrivals_->next(source.births, source.random);
    if (is_over(source, birth)) {
        // With a number of packets the first source to stop ends the window of constant load
        window_end_ = std::min(window_end_, birth);
        return {};
    }
    accounts_.offered(node, birth);
    if (birth >= warm_up_) ++source.measured;
    if (node == 0 && options_.packets == 0) machine_.simulation().report_progress(birth / window_end_);
    return {.at = birth, .to = static_cast<sci::NodeId>(*to), .command = options_.command};
}

bool OpenLoop::is_over(const Source& source, Duration birth) const
{
    return options_.packets > 0 ? source.measured == options_.packets : birth >= window_end_;
}

/// Looks at links and buses when the window begins and when it ends: at the first packet from then on.
void OpenLoop::watch(Duration time)
{
    if (time < warm_up_ || use_.ended()) return;
    if (!use_.began()) use_.begin(time);
    if (time >= window_end_) use_.end(time);
}

void OpenLoop::delivered(const sci::Packet& packet, Duration at)
{
    watch(now());
    const auto birth = Duration::picoseconds(packet.born_ps);
    accounts_.delivered(packet.source, birth);
    if (in_window(at)) ++delivered_in_window_;
    if (birth < warm_up_) return;
    latency_.add(at - birth);
}

void OpenLoop::answered(const sci::Packet& response, Duration at)
{
    const auto birth = Duration::picoseconds(response.born_ps);
    accounts_.answered(response.target, birth);
    if (birth >= warm_up_) transaction_.add(at - birth);
}

double OpenLoop::mb_per_s(std::uint64_t packets) const
{
    const auto bytes = static_cast<double>(packets * sci::data_bytes(options_.command));
    return bytes / (window_end_ - warm_up_).us();
}

Results OpenLoop::results() const
{
    ResourceUse use = use_;
    if (use.began() && !use.ended()) use.end(std::max(now(), window_end_));  // nothing moved after the window
    Results results;
    results.columns = {{"pattern", ""},
                       {"offered_load", ""},
                       {"accepted_load", ""},
                       {"senders", ""},
                       {"offered_mb_per_s", "MB/s"},
                       {"accepted_mb_per_s", "MB/s"},
                       {"offered_total_mb_per_s", "MB/s"},
                       {"accepted_total_mb_per_s", "MB/s"},
                       {"accepted_part", ""}};
    LatencySeries::add_columns(results, "ns");
    results.columns.push_back({"transaction_mean_ns", "ns"});
    use.add_columns(results);
    for (const auto* column : {"delivered", "answered", "dropped", "retries", "packet_hops"}) {
        results.columns.push_back({column, ""});
    }
    const double offered = static_cast<double>(sci::data_bytes(options_.command)) / gap_.us();
    const double accepted = mb_per_s(delivered_in_window_) / senders_;
    const auto part =
        static_cast<double>(delivered_in_window_) / static_cast<double>(std::max<std::uint64_t>(1, born_in_window_));
    auto& row = results.rows.emplace_back();
    row = {options_.pattern,
           load_,
           load_ * accepted / offered,
           std::int64_t{senders_},
           offered,
           accepted,
           offered * senders_,
           accepted * senders_,
           part};
    latency_.add_cells(row, 1_ns);
    row.push_back(transaction_.count() == 0 ? Cell(std::monostate()) : Cell(transaction_.mean_ns()));
    use.add_cells(row);
    row.insert(row.end(), {static_cast<std::int64_t>(latency_.count()), static_cast<std::int64_t>(transaction_.count()),
                           accounts_.dropped(), static_cast<std::int64_t>(machine_.retries()),
                           static_cast<std::int64_t>(machine_.packet_hops())});
    add_notes(results);
    return results;
}

void OpenLoop::add_notes(Results& results) const
{
    auto& notes = results.notes;
    notes.push_back(fmt::format(
        "{} of {} nodes send, each a packet every {:.3f} us on average; MB/s are 10^6 payload bytes a second, "
        "of one sender and of all",
        senders_, machine_.nodes(), gap_.us()));
    notes.push_back(
        "load: part of the link rate on the busiest ring, echoes, responses and idle symbols included, retries not; "
        "accepted part: packets delivered by packets born, both in the window");
    notes.push_back(fmt::format(
        "window: {} from {} on, after the warm-up; link and B-Link use, offered and accepted: in the window; "
        "dropped, retries and packet hops: of the whole run",
        to_string(window_end_ - warm_up_), to_string(warm_up_)));
    notes.push_back(
        "latency: from birth to delivery whole, the wait at the source included; ci95: half the 95 % confidence "
        "interval "
        "of its mean, by batch means; transaction: to the response; percentiles: to 1 %");
    add_doubts(notes, latency_, warm_up_, {.born = born_in_window_, .delivered = delivered_in_window_});
}

}  // namespace ringmesh::workloads
