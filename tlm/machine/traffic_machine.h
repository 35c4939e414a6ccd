// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/error.h"
#include "tlm/machine/machine.h"
#include "tlm/machine/torus_shape.h"
#include "tlm/machine/traffic.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "tlm/simulation/random.h"
#include "tlm/units/units.h"

/// The interface of a network with packet sources, for the traffic engine.
namespace ringmesh {

enum class Arrivals : std::uint8_t {
    kPoisson,    ///< gaps between a source's packets are exponentially distributed
    kPeriodic,   ///< gaps are all the same; each source starts at a random phase
    kBernoulli,  ///< at each edge of the network's clock a packet is born or not, with the same probability
    kOnOff,      ///< a two-state Markov process: kPoisson while the source is on, none while it is off
};
inline constexpr NameTable<Arrivals, 4> kArrivals{{{{"poisson", Arrivals::kPoisson},
                                                    {"periodic", Arrivals::kPeriodic},
                                                    {"bernoulli", Arrivals::kBernoulli},
                                                    {"on-off", Arrivals::kOnOff}}}};

/// The user's options of packets. Each network has some of them.
struct PacketOptions {
    static constexpr std::string_view kAuto = "auto";
    std::string command{kAuto};  ///< SCI: "write64", "move64" or "write16"
    std::string inject{kAuto};   ///< SCI: whether sources are attached to the "link" controller or to the "blink"
    std::string flits{kAuto};    ///< mesh: of each packet, the head included; for `traffic` how they vary, too
    std::string kind{kAuto};     ///< mesh: "request", "response" or "mixed"
    std::string size{kAuto};     ///< hypercube: bytes of each message, likewise

    /// @param only_given leaves out those that are "auto"
    void visit(ParameterVisitor& visitor, bool only_given = false)
    {
        visit_form(visitor, only_given);
        visit_size(visitor, only_given);
    }
    /// All but the size, and it alone.
    void visit_form(ParameterVisitor& visitor, bool only_given = false);
    void visit_size(ParameterVisitor& visitor, bool only_given = false);
    /// Takes the others where it is "auto".
    void complete(const PacketOptions& usual);
    /// @throws UserError for the first one that is given but not in `known`
    void require_only(std::initializer_list<std::string_view> known) const;
};
/// What "auto" means on all machines of a kind; what depends on the machine itself stays "auto".
struct UsualTraffic {
    PacketOptions packet;
    double load = 0.3;
    Arrivals arrivals = Arrivals::kPoisson;
    std::string duration{PacketOptions::kAuto};
};

/// A whole number, or `automatic` for "auto".
/// @throws UserError naming option and bounds
std::int64_t number_of(std::string_view option, std::string& text, std::int64_t automatic, std::int64_t low,
                       std::int64_t high);

/// @throws UserError naming the option and the value meant or those there are
template <class Value, std::size_t N>
Value value_of(std::string_view option, const std::string& text, const NameTable<Value, N>& names)
{
    if (const Value* found = names.find(text)) return *found;
    throw UserError(fmt::format("{} = {}: there is none such{}", option, text, suggestion(text, names.names())));
}

/// The common form of all packets.
struct PacketForm {
    std::uint32_t size = 0;               ///< as Injection::size
    std::array<std::uint8_t, 2> kinds{};  ///< as Injection::kind; each packet is one or the other, equally likely
    double bytes = 0;                     ///< that count as throughput
    bool answered = false;                ///< each delivered packet has a response
    double mean = 0;                      ///< of sizes that vary up to `size`; 0: all have it

    double mean_size() const { return mean > 0 ? mean : size; }
};

inline std::uint8_t kind_of(const PacketForm& packets, Random& random)
{
    if (packets.kinds[0] == packets.kinds[1]) return packets.kinds[0];
    return packets.kinds[random.below(2)];
}

/// Receives the long-term flows of a pattern.
class Flows {
public:
    virtual ~Flows() = default;
    /// The pattern sends `part` of the packets of one node to another.
    virtual void flow(unsigned from, unsigned to, double part) = 0;
    /// Every node sends `part` of its packets to the node as far from it as `to` is from node 0.
    virtual void alike(unsigned to, double part) = 0;
    /// Every node sends `part` of its packets to all others in turn or at random.
    virtual void alike_to_all_others(double part) = 0;
};

/// The load of a pattern's flows on a network: the unit of offered load, and its bounds.
class ExpectedLoad : public Flows {
public:
    /// Mean time between the packets of a source at a load of 1.
    virtual MeanTime gap_at_full_load() const = 0;
    /// The smallest possible gap between packets of a source, and the limiting resource, such as "link".
    struct Limit {
        MeanTime gap;
        std::string_view resource;
    };
    virtual Limit source_limit() const = 0;
    /// Number of sending nodes.
    virtual unsigned senders() const = 0;
    /// Time for queues to fill.
    virtual Duration warm_up() const = 0;
};

/// Load as the packets injected by each sending node, for any destination.
class InjectedLoad final : public ExpectedLoad {
public:
    /// @param packet cycles for which a packet occupies this port, on average
    InjectedLoad(unsigned nodes, double packet, Cycles warm_up, const Clock& clock, std::string_view port)
        : packet_(MeanTime::picoseconds(packet * clock.period_ps())),
          warm_up_(warm_up * clock),
          port_(port),
          parts_(nodes)
    {}

    void flow(unsigned from, unsigned, double part) override { parts_.at(from) += part; }
    void alike(unsigned, double part) override { alike_to_all_others(part); }
    void alike_to_all_others(double part) override
    {
        for (double& sent : parts_) sent += part;
    }
    MeanTime gap_at_full_load() const override { return packet_; }
    /// Of the node that sends most.
    Limit source_limit() const override
    {
        constexpr double kRounding = 1e-9;
        const double most = *std::max_element(parts_.begin(), parts_.end());
        return {most < 1 + kRounding ? packet_ : MeanTime::picoseconds(packet_.ps() * most), port_};
    }
    unsigned senders() const override
    {
        return static_cast<unsigned>(std::count_if(parts_.begin(), parts_.end(), [](double part) { return part > 0; }));
    }
    Duration warm_up() const override { return warm_up_; }

private:
    const MeanTime packet_;
    const Duration warm_up_;
    const std::string_view port_;
    std::vector<double> parts_;  // of the packets of a node that sends as much as the mean
};

/// Busy time of a resource since the start. Transfers are booked when they are scheduled, so somewhat ahead of time.
struct Booked {
    Duration busy;
    Duration until;  ///< end of the last booking; later bookings begin here at the earliest
};
/// The shared resources on a packet's route, each a possible bottleneck.
struct SharedResources {
    std::string_view sort;     ///< "link"
    std::vector<Booked> busy;  ///< of each, in a fixed order; empty if the machine has none
};

/// A machine as the network of its nodes, which can have packet sources.
class NetworkMachine : public virtual Machine {
public:
    static constexpr std::string_view kIs = "a network with packet sources";

    virtual Layout layout() const = 0;
    /// Of the network; its edge 0 is at time 0.
    virtual Clock clock() const = 0;

    struct Defaults {
        double load = 0;
        Arrivals arrivals = Arrivals::kPoisson;
        Duration duration;
        std::string_view random = "traffic";  ///< prefix of the names of the sources' random generators
    };
    virtual Defaults traffic_defaults(const PacketForm& packets) const = 0;
    virtual std::string_view load_unit() const = 0;     ///< "flits/cycle"; empty: a part of something
    virtual std::string_view load_meaning() const = 0;  ///< "flits per sending node and cycle"
    virtual bool sends_to_itself() const { return false; }
    /// Resolves "auto". @throws UserError naming an option that its packets do not have
    virtual PacketForm packets(PacketOptions& options) const = 0;
    /// What a trace says of a packet: its size in `size_unit()`, and its class, in the network's own words.
    virtual std::string_view size_unit() const { return "bytes"; }
    struct Traced {
        std::int64_t size = 0;
        std::string_view kind = {};
    };
    virtual Traced traced(const Injection& packet) const { return {.size = packet.size}; }
    /// Back, as options. @param kind empty: not said @param unit "bytes" or "flits"
    /// @throws UserError beginning with the column: "class = read: ..."
    virtual PacketOptions options_for(std::int64_t size, std::string_view unit, const std::string& kind) const;
    virtual std::unique_ptr<ExpectedLoad> expected_load(const PacketForm& packets) const = 0;
    /// Links between two nodes.
    virtual unsigned hops(unsigned from, unsigned to) const = 0;
    /// Unloaded latency of a packet, if there is a formula.
    virtual std::optional<Duration> unloaded_latency(unsigned /*hops*/, const PacketForm&) const
    {
        return std::nullopt;
    }
    /// Links first.
    virtual std::vector<SharedResources> shared() const = 0;
    /// "node3.lc2". @param sort position in shared()
    virtual std::string shared_name(std::size_t sort, std::size_t i) const = 0;
    /// Retries of refused packets so far.
    virtual std::uint64_t retries() const { return 0; }
    /// Link crossings of packets (on a mesh: of flits) so far.
    virtual std::uint64_t link_crossings() const = 0;
    /// Notes on results of this network.
    virtual std::vector<std::string> traffic_notes() const { return {}; }
};

/// One that is built with packet sources.
class TrafficMachine : public virtual NetworkMachine {
public:
    TrafficMachine* sources() override { return this; }
    /// Adds a stream of packets to all sources, before the run. @return its number: 0, 1, ...
    /// @pre `model` outlives the run and offers only `packets`
    std::uint8_t start_traffic(TrafficModel& model, const PacketForm& packets)
    {
        start_sources(model, packets);
        return streams_++;
    }
    /// Restarts a source that the model of a stream ended with Duration::never(): asks for its next packet.
    /// @pre start_traffic was called for this stream
    virtual void resume_traffic(unsigned source, std::uint8_t stream = 0) = 0;

private:
    virtual void start_sources(TrafficModel& model, const PacketForm& packets) = 0;

    std::uint8_t streams_ = 0;
};

}  // namespace ringmesh
