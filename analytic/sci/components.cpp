// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/components.h"

#include <algorithm>
#include <cmath>

#include "analytic/domain.h"
#include "analytic/sci/ring.h"

namespace ringmesh::analytic {
namespace {

constexpr double kPropagationNs = 7;
constexpr double kForwardingNs = 60;
constexpr double kSwitchingNs = 670;
constexpr double kOverheadAt64BytesNs = 2085;
constexpr double kOverheadNsPerByte = 11.6;
constexpr Bytes kSmallestPublishedMessage{64};

constexpr double kRounding = 1e-12;  // averages over tori with rings of two have no forwarding at all

constexpr double kLightMetresPerNs = 0.2997925;  // the digits that [000 5.2] uses
constexpr double kCableVelocityFactor = 0.5;

void check_latency(double ns)
{
    require(is_finite_above(ns, 0), "a measured latency must be a number of nanoseconds above 0");
}

void check_propagation(double ns)
{
    require(is_finite_from(ns, 0), "the propagation latency must be a number of nanoseconds, 0 or more");
}

double bytes_per_ns(Bytes message, double latency_ns)
{
    require(message.count() >= 1, "a message has at least 1 byte");
    check_latency(latency_ns);
    return static_cast<double>(message.count()) / latency_ns;
}

}  // namespace

void check(const Components& components)
{
    check_propagation(components.propagation_ns);
    require(is_finite_from(components.forwarding_ns, 0),
            "the forwarding latency must be a number of nanoseconds, 0 or more");
    require(is_finite_from(components.overhead_ns, 0), "the overhead must be a number of nanoseconds, 0 or more");
    require(is_finite_from(components.switching_ns, 0),
            "the switching latency must be a number of nanoseconds, 0 or more");
}

double one_way_latency(double hops, double switches, const Components& components)
{
    check(components);
    require(is_finite_from(hops, 1), "a path has at least 1 hop");
    require(is_finite_from(switches, 0), "the number of dimension changes must not be negative");
    require(switches <= (hops - 1) * (1 + kRounding) + kRounding,
            "a path changes dimension only at the nodes between its hops");
    return 2 * components.overhead_ns + hops * components.propagation_ns +
           (hops - 1 - switches) * components.forwarding_ns + switches * components.switching_ns;
}

double published_overhead_ns(Bytes message)
{
    require(message >= kSmallestPublishedMessage, "the published overhead starts at messages of 64 B");
    const Bytes beyond{message.count() - kSmallestPublishedMessage.count()};
    return kOverheadAt64BytesNs + kOverheadNsPerByte * static_cast<double>(beyond.count());
}

Components published_components(Bytes message)
{
    return {.propagation_ns = kPropagationNs,
            .forwarding_ns = kForwardingNs,
            .overhead_ns = published_overhead_ns(message),
            .switching_ns = kSwitchingNs};
}

Components enhanced_components(Bytes message)
{
    Components components = published_components(message);
    components.switching_ns /= 2;
    return components;
}

double propagation_ns(Length cable)
{
    require(cable.um() >= 0, "the length of a cable must not be negative");
    return cable.metres() / (kCableVelocityFactor * kLightMetresPerNs);
}

double overhead_from_ping_pong(double one_hop_ns, double propagation_ns)
{
    check_latency(one_hop_ns);
    check_propagation(propagation_ns);
    return (one_hop_ns - propagation_ns) / 2;
}

double forwarding_from_ping_pongs(double one_hop_ns, double four_hops_ns, double propagation_ns)
{
    check_latency(one_hop_ns);
    check_latency(four_hops_ns);
    check_propagation(propagation_ns);
    return (four_hops_ns - one_hop_ns) / 3 - propagation_ns;
}

double switching_from_ping_pongs(double non_switching_ns, double switching_ns, double propagation_ns)
{
    check_latency(non_switching_ns);
    check_latency(switching_ns);
    check_propagation(propagation_ns);
    return switching_ns - non_switching_ns - propagation_ns;
}

double megabytes_per_second(Bytes message, double latency_ns) { return bytes_per_ns(message, latency_ns) * 1e3; }

double mebibytes_per_second(Bytes message, double latency_ns)
{
    return bytes_per_ns(message, latency_ns) * 1e9 / (1024.0 * 1024.0);
}

namespace {

constexpr double kBytesInSymbol = 2;

void check(const BLinkTiming& blink)
{
    require(is_finite_from(blink.cycle_ns, 0), "a B-Link cycle takes 0 ns or more");
    require(is_finite_from(blink.arbitration_cycles, 0) && is_finite_from(blink.header_cycles, 0) &&
                is_finite_from(blink.trailer_cycles, 0),
            "a packet on the B-Link has 0 or more cycles of each kind");
    require(blink.bytes_per_cycle.count() >= 1, "the B-Link carries at least 1 B per cycle");
}

void check(const SwitchStages& stages)
{
    require(is_finite_from(stages.decode_ns, 0), "decoding takes 0 ns or more");
    require(is_finite_from(stages.symbol_ns, 0), "a symbol takes 0 ns or more");
    require(is_finite_from(stages.in_fifo_ns, 0), "the input FIFO takes 0 ns or more");
    require(is_finite_from(stages.out_fifo_ns, 0), "the output FIFO takes 0 ns or more");
}

/// The times of one packet on its way through a switch, from its head on the incoming link on.
class Passage {
public:
    explicit Passage(const SwitchStages& stages)
        : stages_(stages),
          symbols_(static_cast<double>(packet_symbols(stages.payload))),
          data_cycles_(stages.blink.data_cycles(stages.payload))
    {
        check(stages);
    }

    double store_and_forward() const { return blink_end(last_symbol_at_blink() + arbitration()) + stages_.out_fifo_ns; }
    double cut_through_on_receive() const { return blink_end(early_start()) + stages_.out_fifo_ns; }
    double full_cut_through() const
    {
        const double header = early_start() + cycles(stages_.blink.header_cycles) + stages_.out_fifo_ns;
        // The first symbol of the last word must not be due on the link before that word has crossed the B-Link.
        const double last_word = early_start() + cycles(carrying_cycles()) + stages_.out_fifo_ns;
        return std::max(header, last_word - (symbols_ - symbols_of_last_word()) * stages_.symbol_ns);
    }

private:
    double cycles(double count) const { return count * stages_.blink.cycle_ns; }
    double arbitration() const { return cycles(stages_.blink.arbitration_cycles); }
    double carrying_cycles() const { return stages_.blink.header_cycles + data_cycles_; }
    double blink_end(double start) const { return start + cycles(carrying_cycles() + stages_.blink.trailer_cycles); }
    double head_at_blink() const { return stages_.decode_ns + stages_.in_fifo_ns; }
    double last_symbol_at_blink() const { return head_at_blink() + (symbols_ - 1) * stages_.symbol_ns; }

    /// Start of the B-Link transfer under cut-through: after arbitration, and late enough that its last data cycle does
    /// not begin before the last symbol has arrived.
    double early_start() const
    {
        const double before_last = std::max(0.0, carrying_cycles() - 1);
        return std::max(head_at_blink() + arbitration(), last_symbol_at_blink() - cycles(before_last));
    }

    double symbols_of_last_word() const
    {
        const double width = static_cast<double>(stages_.blink.bytes_per_cycle.count());
        const double bytes = static_cast<double>(stages_.payload.count());
        if (data_cycles_ < 1) return std::min(symbols_, width / kBytesInSymbol);
        return (bytes - (data_cycles_ - 1) * width) / kBytesInSymbol;
    }

    const SwitchStages& stages_;
    double symbols_;
    double data_cycles_;
};

}  // namespace

double BLinkTiming::data_cycles(Bytes payload) const
{
    check(*this);
    require(payload.count() >= 0, "a payload has 0 B or more");
    return std::ceil(static_cast<double>(payload.count()) / static_cast<double>(bytes_per_cycle.count()));
}

double BLinkTiming::transfer_ns(Bytes payload) const
{
    return (arbitration_cycles + header_cycles + data_cycles(payload) + trailer_cycles) * cycle_ns;
}

double switching_latency(const SwitchStages& stages, SwitchMode mode)
{
    const Passage passage(stages);
    switch (mode) {
        case SwitchMode::kStoreAndForward: return passage.store_and_forward();
        case SwitchMode::kCutThroughOnReceive: return passage.cut_through_on_receive();
        case SwitchMode::kFullCutThrough: return passage.full_cut_through();
    }
    throw std::domain_error("unknown switch mode");
}

}  // namespace ringmesh::analytic
