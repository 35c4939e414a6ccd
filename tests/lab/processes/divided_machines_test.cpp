// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lab/process/child_process.h"
#include "lab/run/experiment.h"
#include "lab/run/record/packet_log.h"
#include "lab/run/record/run_record.h"
#include "lab/table/writers/json.h"
#include "platforms/builder.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tlm/error.h"
#include "tlm/simulation/fault.h"
#include "tlm/simulation/random.h"
#include "traces/formats/vcd_writer.h"
#include "traces/recorder.h"
#include "traces/trace_selection.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

/// Sockets between each two of some processes that are still to be forked.
class Sockets {
public:
    explicit Sockets(unsigned count) : count_(count), ends_(count * count, -1)
    {
        for (unsigned a = 0; a < count; ++a) {
            for (unsigned b = a + 1; b < count; ++b) {
                int pair[2];
                if (::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) throw std::runtime_error("no socket");
                ends_[a * count + b] = pair[0];
                ends_[b * count + a] = pair[1];
            }
        }
    }
    Sockets(const Sockets&) = delete;
    Sockets& operator=(const Sockets&) = delete;
    ~Sockets()
    {
        for (const int end : ends_) {
            if (end >= 0) ::close(end);
        }
    }
    unsigned count() const { return count_; }
    int between(unsigned own, unsigned other) const { return ends_[own * count_ + other]; }

private:
    const unsigned count_;
    std::vector<int> ends_;
};

/// Processes that talk by sockets, are late at random, and cut machines at random.
class RandomProcesses final : public Processes {
public:
    RandomProcesses(const Sockets& sockets, unsigned own, std::uint64_t seed)
        : sockets_(sockets), own_(own), seed_(seed), delays_(seed + own)
    {}
    unsigned count() const override { return sockets_.count(); }
    unsigned own() const override { return own_; }
    std::vector<Parcel> exchange(const std::vector<Parcel>& to) override
    {
        if (delays_.below(64) == 0) ::usleep(static_cast<useconds_t>(delays_.below(500)));
        for (unsigned other = 0; other < count(); ++other) {
            if (other == own_) continue;
            const std::size_t size = to[other].bytes().size();
            send(other, &size, sizeof size);
            send(other, to[other].bytes().data(), size);
        }
        std::vector<Parcel> got(count());
        got[own_] = to[own_];
        for (unsigned other = 0; other < count(); ++other) {
            if (other == own_) continue;
            std::size_t size = 0;
            receive(other, &size, sizeof size);
            got[other].bytes().resize(size);
            receive(other, got[other].bytes().data(), size);
        }
        return got;
    }
    std::vector<unsigned> cut(const PlaceGraph& graph) const override
    {
        Random random(seed_);
        std::vector<unsigned> owners;
        while (owners.size() < graph.weights.size()) {
            owners.insert(owners.end(), 1 + random.below(6), static_cast<unsigned>(random.below(count())));
        }
        owners.resize(graph.weights.size());
        return owners;
    }

private:
    void send(unsigned other, const void* bytes, std::size_t size) const
    {
        const auto* at = static_cast<const char*>(bytes);
        for (std::size_t sent = 0; sent < size;) {
            const ssize_t part = ::send(sockets_.between(own_, other), at + sent, size - sent, MSG_NOSIGNAL);
            if (part <= 0) throw std::runtime_error("another process has ended");
            sent += static_cast<std::size_t>(part);
        }
    }
    void receive(unsigned other, void* bytes, std::size_t size) const
    {
        auto* at = static_cast<char*>(bytes);
        for (std::size_t got = 0; got < size;) {
            const ssize_t part = ::recv(sockets_.between(own_, other), at + got, size - got, 0);
            if (part <= 0) throw std::runtime_error("another process has ended");
            got += static_cast<std::size_t>(part);
        }
    }

    const Sockets& sockets_;
    const unsigned own_;
    const std::uint64_t seed_;
    Random delays_;
};

template <std::size_t N>
const char* one_of(const char* const (&words)[N], Random& random)
{
    return words[random.below(N)];
}

/// Draws a number from one to another, both included.
struct Between {
    Random& random;
    std::uint64_t operator()(std::uint64_t from, std::uint64_t to) const { return from + random.below(to - from + 1); }
};

void add_fault(ExperimentRequest& request, const char* name, const std::string& where, const char* what,
               const std::string& when)
{
    for (const auto& [key, value] : {std::pair("where", where), {"what", std::string(what)}, {"when", when}}) {
        request.settings.push_back(fmt::format("fault.{}.{}={}", name, key, value));
    }
}

// Machines and their traffic; some are refused

ExperimentRequest random_mesh(Random& random)
{
    const Between number{random};
    ExperimentRequest request;
    request.platform = "mesh-8x8";
    request.settings = {fmt::format("mesh.columns={}", number(2, 6)),
                        fmt::format("mesh.rows={}", number(2, 5)),
                        fmt::format("mesh.clock={}", one_of({"1GHz", "3GHz", "533MHz"}, random)),
                        fmt::format("mesh.pipeline={}cycles", number(1, 5)),
                        fmt::format("mesh.link={}cycles", number(1, 4)),
                        fmt::format("mesh.terminal={}cycles", number(0, 3)),
                        fmt::format("mesh.virtual_channels={}", number(2, 8)),
                        fmt::format("mesh.buffer_flits={}", number(5, 12)),
                        fmt::format("mesh.injection_slots={}", number(1, 8)),
                        fmt::format("mesh.arbitration={}", one_of({"round-robin", "oldest", "fixed"}, random)),
                        fmt::format("mesh.switch_hold={}", one_of({"flit", "packet"}, random)),
                        fmt::format("mesh.flow={}", one_of({"wormhole", "cut-through"}, random))};
    if (random.below(2) == 0) request.settings.push_back("mesh.speculation=true");
    if (random.below(5) == 0) {
        request.settings.insert(request.settings.end(), {"mesh.holes=r1_0", "mesh.routes_by=up-down"});
    } else if (random.below(3) == 0) {
        request.settings.insert(request.settings.end(), {"mesh.wrap=true", "mesh.equal_ways=drawn"});
    } else {
        request.settings.push_back(fmt::format("mesh.routing={}", one_of({"xy", "yx", "west-first"}, random)));
    }
    if (random.below(3) == 0) {
        add_fault(request, "one", one_of({"mesh.r*.east", "mesh.r*.local"}, random),
                  one_of({"down", "half-width", "corrupt"}, random),
                  one_of({"0.01/packet", "1e7/s", "packet 9"}, random));
        request.settings.push_back(fmt::format("fault.one.lasts={}ns", number(5, 50)));
        add_fault(request, "two", fmt::format("mesh.r{}_{}", number(0, 1), number(0, 1)), "stop",
                  fmt::format("{}ns..{}ns", number(50, 300), number(301, 600)));
    }
    request.workload =
        fmt::format("traffic:load=0.{},flits={},kind={},arrivals={},pattern={},duration={}cycles,show={}",
                    number(10, 60), number(1, 5), one_of({"request", "response", "mixed"}, random),
                    one_of({"bernoulli", "poisson", "periodic", "on-off"}, random),
                    one_of({"uniform", "hot-spot", "neighbour", "permutation"}, random), number(300, 1500),
                    one_of({"summary", "distances", "histogram"}, random));
    return request;
}

ExperimentRequest random_rings(Random& random)
{
    const Between number{random};
    ExperimentRequest request;
    request.platform = one_of({"wulfkit-ring", "wulfkit-torus-2d", "wulfkit-torus-3d", "wulfkit-switch"}, random);
    if (request.platform == "wulfkit-ring") {
        request.settings = {fmt::format("topology.dimensions={}", number(2, 24))};
    } else if (request.platform == "wulfkit-torus-2d") {
        request.settings = {
            fmt::format("topology.dimensions={}x{}", number(2, 6), number(2, 6)),
            fmt::format("topology.kind={}", one_of({"torus", "torus", "counter-rotating"}, random)),
            fmt::format("topology.routing={}", one_of({"dimension-order", "dimension-order", "shortest"}, random))};
    } else if (request.platform == "wulfkit-torus-3d") {
        request.settings = {fmt::format("topology.dimensions={}x{}x{}", number(2, 3), number(2, 4), number(2, 3))};
    }
    const std::vector<std::string> further{
        fmt::format("cable.length={}", one_of({"1m", "1m", "10cm", "40m"}, random)),
        fmt::format("link.flow_control={}", one_of({"go-bits", "go-bits", "off"}, random)),
        fmt::format("link.symbol_time={}", one_of({"5ns", "2ns", "3.3ns"}, random)),
        fmt::format("lc2.echo_place={}", one_of({"decode", "tail"}, random)),
        fmt::format("lc2.own_before_passing={}", one_of({"leaves", "arrives"}, random)),
        fmt::format("lc2.admission={}", one_of({"ageing", "free-slot"}, random)),
        fmt::format("lc2.first_phase={}", one_of({"dotry", "notry"}, random)),
        fmt::format("lc2.switching={}", one_of({"store-and-forward", "cut-through"}, random)),
        fmt::format("lc2.send_slots={}", number(1, 8)),
        fmt::format("lc2.receive_slots={}", number(1, 8)),
        fmt::format("lc2.retry_interval={}", one_of({"1ns", "100ns", "2us"}, random))};
    request.settings.insert(request.settings.end(), further.begin(), further.end());
    if (random.below(3) == 0) {
        add_fault(
            request, "one", "node*",
            one_of({"lose-packet", "lose-echo", "corrupt-header", "corrupt-data", "corrupt-echo", "full"}, random),
            one_of({"0.01/packet", "1e-4/symbol", "packet 7"}, random));
        add_fault(request, "two", "node1.*", one_of({"cut", "stop", "slow"}, random),
                  fmt::format("{}us..{}us", number(1, 9), number(10, 20)));
    }
    request.workload = fmt::format("traffic:load=0.{},command={},arrivals={},pattern={},duration={}us,show={}",
                                   number(10, 95), one_of({"write64", "write16", "move64"}, random),
                                   one_of({"bernoulli", "poisson", "periodic", "on-off"}, random),
                                   one_of({"uniform", "uniform", "hot-spot", "tornado", "random-permutation"}, random),
                                   number(5, 30), one_of({"summary", "distances", "histogram"}, random));
    return request;
}

ExperimentRequest random_cube(Random& random)
{
    const Between number{random};
    ExperimentRequest request;
    request.platform = "ncube-64";
    request.settings = {fmt::format("topology.dimension={}", number(2, 6)),
                        fmt::format("processor.clock={}", one_of({"7MHz", "8MHz", "10MHz"}, random)),
                        fmt::format("channel.byte={}cycles", number(5, 12))};
    request.workload =
        fmt::format("traffic:load=0.{},size={},arrivals={},pattern={},duration={}ms,show={}", number(10, 90),
                    one_of({"16", "64", "1000", "uniform:16..300", "16:0.5,1024:0.5"}, random),
                    one_of({"bernoulli", "poisson", "periodic", "on-off"}, random),
                    one_of({"uniform", "bit-complement", "hot-spot", "transpose"}, random), number(5, 20),
                    one_of({"summary", "distances", "histogram"}, random));
    return request;
}

ExperimentRequest random_request(std::uint64_t seed)
{
    Random random(seed);
    ExperimentRequest request = seed % 5 < 2   ? random_rings(random)
                                : seed % 5 < 4 ? random_mesh(random)
                                               : random_cube(random);
    request.seed = seed;
    return request;
}

/// Of hypercubes in several processes it cannot be.
bool measures_use(const ExperimentRequest& request) { return request.seed % 2 == 0 && request.platform != "ncube-64"; }

bool has_packet_log(const ExperimentRequest& request) { return request.seed % 3 == 0; }
bool has_waveform(const ExperimentRequest& request) { return request.seed % 3 == 1 && request.platform != "ncube-64"; }

/// Outcome, error and the files that it writes as it goes.
std::string run_in(const ExperimentRequest& request, Processes* processes)
{
    const test::TemporaryFolder folder;
    const bool first = processes == nullptr || processes->own() == 0;
    const auto file = [&](const char* name) { return first ? (folder.path() / name).string() : std::string(); };
    Experiment experiment(request);
    if (measures_use(request)) experiment.measure_use();
    if (processes != nullptr) {
        const bool watched = measures_use(request) || has_waveform(request);
        if (const std::string why = experiment.undivided(watched); !why.empty()) throw UserError(why);
        experiment.divide(*processes);
    }
    experiment.prepare_simulation();
    PacketLog packets(has_packet_log(request) ? file("packets.csv") : "");
    if (has_packet_log(request)) packets.watch(experiment.simulation());
    std::optional<Recorder> recorder;
    if (has_waveform(request)) {
        experiment.simulation().build_all();
        std::vector<std::unique_ptr<WaveWriter>> writers;
        if (first) writers.push_back(std::make_unique<VcdWriter>(file("run.vcd")));
        recorder.emplace(std::move(writers));
    }
    experiment.build();
    if (recorder) {
        trace_selected(*recorder, "*", [&](sc_core::sc_trace_file* to) { experiment.simulation().faults().trace(to); });
        if (Division* const division = experiment.simulation().division()) recorder->divide(division->observations());
    }
    std::string text;
    try {
        experiment.run();
        if (first) {
            text = json_text(outcome_json(outcome_of(experiment), true));
        } else {
            statistics_of(experiment);
        }
    } catch (const FaultError& error) {
        text = error.what();
    } catch (const StuckError& error) {
        text = error.what();
    }
    if (recorder) recorder->close({}, experiment.simulation().end());
    if (!first) return {};
    packets.close();
    if (has_packet_log(request)) text += test::read_file(file("packets.csv"));
    if (has_waveform(request)) text += test::read_file(file("run.vcd"));
    return text;
}

/// Of process 0.
std::string run_in_processes(const ExperimentRequest& request, unsigned count)
{
    const platforms::Configuration configuration = configuration_of(request);
    const PlaceGraph graph = platforms::machine_kind(configuration).place_graph(configuration);
    const auto places = std::ranges::count_if(graph.weights, [](auto weight) { return weight > 0; });
    count = std::min(count, static_cast<unsigned>(places));
    const Sockets sockets(count);
    std::vector<Job> jobs;
    for (unsigned own = 0; own < count; ++own) {
        jobs.emplace_back([&request, &sockets, own] {
            RandomProcesses processes(sockets, own, request.seed);
            return run_in(request, &processes);
        });
    }
    return run_in_children(jobs, count).front();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(divided_machines)

/// RINGMESH_DIVIDED_MACHINES: as many instead.
BOOST_TEST_DECORATOR(*boost::unit_test::timeout(20'000))
BOOST_AUTO_TEST_CASE(give_the_same_in_any_number_of_processes)
{
    const char* const asked = std::getenv("RINGMESH_DIVIDED_MACHINES");
    const std::uint64_t count = asked == nullptr ? 50 : std::stoull(asked);
    std::uint64_t ran = 0;
    for (std::uint64_t seed = 1; ran < count; ++seed) {
        const ExperimentRequest request = random_request(seed);
        std::string alone;
        try {
            if (!Experiment(request).undivided(false).empty()) continue;
            const Job job = [&request] { return run_in(request, nullptr); };
            alone = run_in_children(std::span(&job, 1), 1).front();
        } catch (const UserError&) {
            BOOST_TEST_REQUIRE(seed < 2 * count + 50);  // most are sound
            continue;
        }
        ++ran;
        BOOST_TEST_CONTEXT("seed " << seed << ": " << request.platform << ' ' << request.workload)
        {
            const bool same = run_in_processes(request, 2 + static_cast<unsigned>(seed % 3)) == alone;
            BOOST_TEST(same);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
