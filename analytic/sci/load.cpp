// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/load.h"

#include <algorithm>
#include <cmath>

#include "analytic/domain.h"
#include "analytic/sci/ring.h"
#include "analytic/sci/topology.h"

namespace ringmesh::analytic {
namespace {

/// Partial moments of an exponential time t of rate r below a bound z. For r z below kSeriesBelow the closed forms
/// cancel, and the first terms of their series are exact to double precision.
constexpr double kSeriesBelow = 1e-5;

/// E[t; t < z]
double part_of_mean(double rate, double bound)
{
    const double x = rate * bound;
    if (x < kSeriesBelow) return bound * x * (1.0 / 2 - x / 3);
    return (-std::expm1(-x) - x * std::exp(-x)) / rate;
}

/// E[t^2; t < z]
double part_of_square(double rate, double bound)
{
    const double x = rate * bound;
    if (x < kSeriesBelow) return bound * bound * x * (1.0 / 3 - x / 4);
    return (-2 * std::expm1(-x) - (2 * x + x * x) * std::exp(-x)) / (rate * rate);
}

/// Of a sum of two independent times.
Moments sum(const Moments& a, const Moments& b) { return {a.mean + b.mean, a.square + 2 * a.mean * b.mean + b.square}; }

}  // namespace

GapWait::GapWait(double rate, double train_mean, double train_square, double margin)
    : rate_(rate), train_{train_mean, train_square}, margin_(margin)
{
    require(is_finite_above(rate, 0), "trains come at a rate above 0");
    require(is_finite_from(train_mean, 0) && std::isfinite(train_square), "trains have moments of 0 or more");
    require(is_finite_from(margin, 0), "the margin is 0 or more");
    // The remaining margin m ends after `margin` ns without a head; if a head comes first, its train and a new m
    // follow.
    const double none = std::exp(-rate * margin);
    const double some = -std::expm1(-rate * margin);
    const double gap = part_of_mean(rate, margin);
    from_margin_.mean = (none * margin + gap + some * train_mean) / none;
    const Moments again = sum(train_, {from_margin_.mean, 0});
    from_margin_.square =
        (none * margin * margin + part_of_square(rate, margin) + 2 * gap * again.mean + some * again.square) / none;
}

Moments GapWait::blocked() const { return sum(train_, from_margin_); }

Moments GapWait::clearing_within_margin(double length) const
{
    const double none = std::exp(-rate_ * length);
    const double some = -std::expm1(-rate_ * length);
    const double gap = part_of_mean(rate_, length);
    const Moments again = blocked();
    return {none * length + gap + some * again.mean,
            none * length * length + part_of_square(rate_, length) + 2 * gap * again.mean + some * again.square};
}

Moments GapWait::clearing(double length) const
{
    require(is_finite_from(length, 0), "an own packet takes 0 ns or more");
    const Moments end = clearing_within_margin(std::min(length, margin_));
    const double beyond = length - margin_;
    if (beyond <= 0) return end;
    // While the backlog drains, a Poisson number of trains arrives and queues.
    const double mean = beyond * (1 + rate_ * train_.mean);
    return sum({mean, mean * mean + beyond * rate_ * train_.square}, end);
}

namespace {

constexpr double kEchoSymbols = 4;
constexpr int kMostRingNodes = 4096;
constexpr int kBisections = 60;  // of the interval from 0 to 1: to the last bit

void check(const RingTiming& timing)
{
    require(is_finite_above(timing.symbol_ns, 0), "a symbol takes more than 0 ns");
    for (const double least_zero : {timing.idle_symbols, timing.bypass_ns, timing.propagation_ns, timing.decode_ns,
                                    timing.in_fifo_ns, timing.out_fifo_ns}) {
        require(is_finite_from(least_zero, 0), "the timing of a ring has no numbers below 0");
    }
}

void check(const UniformLoad& traffic)
{
    require(traffic.nodes >= 2 && traffic.nodes <= kMostRingNodes, "a ring has 2 to 4096 nodes");
    require(is_finite_from(traffic.load, 0) && traffic.load <= 1, "a load is a part of 1");
}

/// Link times of the packets of one transaction, idle symbols included.
struct Packets {
    double request = 0;
    double response = 0;  // 0 if there is none
    double echo = 0;

    Packets(Bytes payload, bool answered, const RingTiming& timing)
    {
        const auto time = [&](double symbols) { return (symbols + timing.idle_symbols) * timing.symbol_ns; };
        request = time(static_cast<double>(packet_symbols(payload)));
        response = answered ? time(static_cast<double>(packet_symbols(0_B))) : 0;
        echo = time(kEchoSymbols);
    }
    bool has_response() const { return response > 0; }
    double per_hop() const { return request + echo + (has_response() ? response + echo : 0); }
};

/// The ring at one load: every node is like the others.
class LoadedRing {
public:
    LoadedRing(const UniformLoad& traffic, const RingTiming& timing)
        : packets_(traffic.payload, traffic.answered, timing), bypass_(timing.bypass_ns), hops_(traffic.nodes / 2.0)
    {
        rate_ = traffic.load / (hops_ * packets_.per_hop());
        passing_.load = traffic.load - rate_ * (packets_.request + packets_.response);
        add_passing(packets_.request);
        if (packets_.has_response()) add_passing(packets_.response);
        find_coupling();
    }

    /// Wait of a passing packet for the rest of an own packet on the output.
    double passing_wait() const
    {
        double wait = 0;
        for (const double own : {packets_.request, packets_.response}) {
            const double delay = std::max(0.0, own - bypass_);
            wait += rate_ * delay * delay / (2 * (1 - passing_.load));
        }
        return wait;
    }

    double occupancy() const { return occupancy(gaps(geometric())); }

    /// Mean wait of a request at its source.
    double steadier_wait() const { return own_wait(gaps(geometric())); }
    double burstier_wait() const { return own_wait(gaps(std::max(geometric(), poisson()))); }

private:
    struct Passing {
        double load = 0;
        double rate = 0;    // packets per ns
        double square = 0;  // rate times the mean square of their link times
    };

    /// Packets of one kind and their echoes; the echo of what a node takes off the ring counts as passing.
    void add_passing(double length)
    {
        passing_.rate += (2 * hops_ - 1) * rate_;
        passing_.square += (hops_ - 1) * rate_ * length * length + hops_ * rate_ * packets_.echo * packets_.echo;
    }

    double own_kinds() const { return packets_.has_response() ? 2 : 1; }
    double coupling_that_passes() const { return coupling_ * (1 - 1 / hops_); }
    double train_rate() const { return passing_.rate * (1 - coupling_that_passes()) / (1 - passing_.load); }
    double train_mean() const { return passing_.load / (train_rate() * (1 - passing_.load)); }

    /// Mean square of a train of geometrically many packets.
    double geometric() const
    {
        const double coupled = coupling_that_passes();
        const double mean = passing_.load / passing_.rate;
        const double variance = passing_.square / passing_.rate - mean * mean;
        const double count_variance = coupled / ((1 - coupled) * (1 - coupled));
        return variance / (1 - coupled) + mean * mean * count_variance + train_mean() * train_mean();
    }

    /// Mean square of trains whose work has the long-run variance of Poisson transactions: of each, a node passes the
    /// request or its echo, and the response or its echo.
    double poisson() const
    {
        const auto square = [](double length) { return length * length; };
        const double echo = packets_.echo;
        double work = passing_.square;
        if (packets_.has_response()) {
            work = rate_ * (2 * square(echo) +
                            (hops_ - 1) * (square(packets_.request + echo) + square(packets_.response + echo)));
        }
        return work / (train_rate() * std::pow(1 - passing_.load, 3));
    }

    GapWait gaps(double train_square) const { return {train_rate(), train_mean(), train_square, bypass_}; }

    double occupancy(const GapWait& gaps) const
    {
        double part = rate_ * gaps.clearing(packets_.request).mean;
        if (packets_.has_response()) part += rate_ * gaps.clearing(packets_.response).mean;
        return part;
    }

    double free_part(const GapWait& gaps) const
    {
        return std::max(0.0, 1 - occupancy(gaps)) / (1 + train_rate() * gaps.blocked().mean);
    }

    double own_wait(const GapWait& gaps) const
    {
        const double responses = packets_.has_response() ? rate_ * gaps.clearing(packets_.response).mean : 0;
        double residual = free_part(gaps) * train_rate() * gaps.blocked().square / 2;
        residual += rate_ * gaps.clearing(packets_.request).square / 2;
        if (packets_.has_response()) residual += rate_ * gaps.clearing(packets_.response).square / 2;
        return residual / ((1 - responses) * (1 - occupancy(gaps)));
    }

    /// The share of packets on a link that follow their predecessor without a gap: the fixed point of a node's input
    /// and output.
    void find_coupling()
    {
        double delays = 0;
        for (const double own : {packets_.request, packets_.response}) delays += std::max(0.0, own - bypass_);
        double low = 0;
        double high = 1;
        for (int i = 0; i < kBisections; ++i) {
            coupling_ = (low + high) / 2;
            const double waits = 1 - free_part(gaps(geometric()));
            const double made = (waits + train_rate() * delays / own_kinds()) / (3 - 1 / hops_);
            (made > coupling_ ? low : high) = coupling_;
        }
    }

    Packets packets_;
    double bypass_;
    double hops_;  // mean of a request
    double rate_ = 0;
    Passing passing_;
    double coupling_ = 0;
};

void check(const UniformLoad& traffic, const RingTiming& timing)
{
    check(traffic);
    check(timing);
}

}  // namespace

std::optional<LoadedLatency> loaded_latency(const UniformLoad& traffic, const RingTiming& timing)
{
    check(traffic, timing);
    const double hops = traffic.nodes / 2.0;
    const double last_symbol = static_cast<double>(packet_symbols(traffic.payload) - 1) * timing.symbol_ns;
    const double unloaded = timing.out_fifo_ns + hops * timing.propagation_ns + (hops - 1) * timing.bypass_ns +
                            timing.decode_ns + last_symbol + timing.in_fifo_ns;
    if (traffic.load <= 0) return LoadedLatency{.mean_ns = unloaded, .steadier_ns = unloaded, .burstier_ns = unloaded};
    if (traffic.load >= 1) return std::nullopt;
    const LoadedRing ring(traffic, timing);
    if (ring.occupancy() >= 1) return std::nullopt;
    LoadedLatency latency{.passing_wait_ns = ring.passing_wait(), .occupancy = ring.occupancy()};
    const double moving = unloaded + (hops - 1) * latency.passing_wait_ns;
    latency.steadier_ns = moving + ring.steadier_wait();
    latency.burstier_ns = moving + ring.burstier_wait();
    latency.mean_ns = (latency.steadier_ns + latency.burstier_ns) / 2;
    return latency;
}

double saturation_load(const UniformLoad& traffic, const RingTiming& timing)
{
    check(traffic, timing);
    double low = 0;
    double high = 1;
    for (int i = 0; i < kBisections; ++i) {
        UniformLoad at = traffic;
        at.load = (low + high) / 2;
        const bool saturated = at.load >= 1 || (at.load > 0 && LoadedRing(at, timing).occupancy() >= 1);
        (saturated ? high : low) = at.load;
    }
    return low;
}

double link_time_per_hop_ns(Bytes payload, bool answered, const RingTiming& timing)
{
    check(timing);
    return Packets(payload, answered, timing).per_hop();
}

double request_gap_ns(const UniformLoad& traffic, const RingTiming& timing)
{
    check(traffic, timing);
    require(traffic.load > 0, "without load there is no gap between requests");
    return traffic.nodes / 2.0 * link_time_per_hop_ns(traffic.payload, traffic.answered, timing) / traffic.load;
}

namespace {

void check(const TorusTraffic& traffic)
{
    require(traffic.payload == 16_B || traffic.payload == 64_B, "a request carries 16 or 64 B");
}

}  // namespace

double NodeLimits::lowest() const { return std::min({link, blink, pci}); }

Resource NodeLimits::binding() const
{
    if (link <= blink && link <= pci) return Resource::kLink;
    return blink <= pci ? Resource::kBLink : Resource::kPci;
}

double blink_time_ns(std::span<const double> sizes, const TorusTraffic& traffic, const BLinkTiming& blink)
{
    check(traffic);
    const double crossings = 2 + average_way(sizes).switches;
    return crossings * (blink.transfer_ns(traffic.payload) + (traffic.answered ? blink.transfer_ns(0_B) : 0));
}

double link_time_ns(std::span<const double> sizes, const TorusTraffic& traffic, const RingTiming& timing)
{
    check(traffic);
    const double nodes = average_way(sizes).nodes;
    const double longest = *std::ranges::max_element(sizes);
    const double hops = nodes / (nodes - 1) * (longest - 1) / 2;
    return hops * link_time_per_hop_ns(traffic.payload, traffic.answered, timing);
}

NodeLimits node_limits(std::span<const double> sizes, const TorusTraffic& traffic, const RingTiming& timing,
                       const BLinkTiming& blink, const PciTimes& pci)
{
    require(is_finite_above(pci.sending_ns, 0) && is_finite_above(pci.receiving_ns, 0),
            "a transaction takes more than 0 ns on either PCI bus");
    const auto limit = [&](double held_ns) { return megabytes_per_second(traffic.payload, held_ns); };
    return {.link = limit(link_time_ns(sizes, traffic, timing)),
            .blink = limit(blink_time_ns(sizes, traffic, blink)),
            .pci = limit(pci.sending_ns + pci.receiving_ns)};
}

}  // namespace ringmesh::analytic
