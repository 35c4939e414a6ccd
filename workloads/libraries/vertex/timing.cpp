// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/vertex/timing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tlm/error.h"
#include "tlm/statistics/line_fit.h"
#include "workloads/libraries/messaging/message_bytes.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads::vertex {
namespace {

constexpr NameTable<Measure, 3> kMeasures{
    {{{"values", Measure::kValues}, {"distances", Measure::kDistances}, {"channels", Measure::kChannels}}}};
constexpr NameTable<Underlying, 2> kUnderlyings{{{{"integer", Underlying::kInteger}, {"float", Underlying::kFloat}}}};

/// Lengths of the computations of the report's program [001 App. A].
constexpr std::int64_t kShort = 5;  ///< long enough for a transfer to end
/// After this time without a message others stop to compute, so that a run whose message a fault has lost ends.
constexpr Duration kStuck = 30_s;
constexpr std::int64_t kLong = 25;  ///< long enough for an echo to arrive
constexpr std::int64_t kIntegerTurns = 40;
constexpr std::int64_t kFloatTurns = 18;
constexpr int kCalibrations = 10;  ///< of so many blocks of long computations each
constexpr int kBlock = 10;
constexpr int kTimerCalls = 12;
/// A computation slowed further than this counts as stopped. The report's was slowed by 3.78 at most.
constexpr std::int64_t kMostSlowdown = 100;

constexpr int kType = 0x100;
constexpr int kHostType = 0x200;
constexpr int kStop = 0x300;  ///< type of the message that ends a stream, or a program
constexpr int kDone = 0x500;  ///< to the host

/// "E = 221.2 + 1.2857 n", for each of the six values.
std::vector<std::string> lines_of(const Results& results)
{
    constexpr std::string_view kUnit = "_us";
    std::vector<std::string> lines;
    for (const std::string_view value : {"E", "R", "S", "F", "U", "A"}) {
        std::size_t column = 0;
        while (results.columns.at(column).name != std::string(value) + std::string(kUnit)) ++column;
        std::vector<LinePoint> points;
        for (const auto& row : results.rows) {
            points.push_back({static_cast<double>(std::get<std::int64_t>(row.front())), std::get<double>(row[column])});
        }
        const LineFit line = fit_line(points);
        lines.push_back(fmt::format("{} = {:.1f} {} {:.4f} n", value, line.intercept, line.slope < 0 ? '-' : '+',
                                    std::abs(line.slope)));
    }
    return lines;
}

}  // namespace

void TimingOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"measure", "values: tests 1 to 7; distances: the echoes; channels: test 8", seed("001 App. A")},
                   measure, kMeasures);
    visitor.choice({"underlying", "the arithmetic underneath the communication", seed("001 3.1")}, underlying,
                   kUnderlyings);
    visitor.numbers({"sizes", "bytes of the messages, as '16,500,1000'", seed("001 App. A")}, sizes);
    visitor.field({"trials", "timed trials of each test, after one that is not timed", seed("001 App. A")}, trials,
                  {1, 100'000});
    visitor.field({"offset_trials", "spread the trials evenly over the timer's grain", assumed()}, offset_trials);
    visitor.field({"integer_turn", "clocks of one turn of the integer loop at the memory port", assumed()},
                  integer_turn, {1, 100'000});
    visitor.field({"float_turn", "clocks of one turn of the floating-point loop at the memory port", assumed()},
                  float_turn, {1, 100'000});
    visitor.field({"channel_bytes", "test 8: bytes of each message", seed("001 App. A")}, channel_bytes, {1, 65536});
    visitor.field({"outstanding", "test 8: messages of each sender that are not answered", seed("001 App. A")},
                  outstanding, {1, 64});
    visitor.field({"channel_blocks", "test 8: long computations that are timed", seed("001 App. A")}, channel_blocks,
                  {1, 100'000});
}

void VertexTiming::start_on(NcubeMachine& machine)
{
    machine_ = &machine;
    if (machine.dimension() < 2) {
        throw UserError(
            fmt::format("vertex-timing: a cube of dimension {} is too small: node 0 needs two neighbours; "
                        "set topology.dimension to 2 or more",
                        machine.dimension()));
    }
    sizes_ = parse_sizes(options_.sizes);
    const auto largest =
        std::max(*std::max_element(sizes_.begin(), sizes_.end()), static_cast<std::uint32_t>(options_.channel_bytes));
    untimed_.echo.resize(farthest());
    untimed_.idle_echo.resize(farthest());
    sums_.assign(sizes_.size(), untimed_);
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        trials_.push_back({-1, sizes_[i], &untimed_});
        for (std::int64_t number = 0; number < options_.trials; ++number) {
            trials_.push_back({number, sizes_[i], &sums_[i]});
        }
    }
    for (unsigned i = 0; i < streams(); ++i) streams_.push_back({.sender = 1U << (2 * i)});
    for (unsigned rank = 0; rank <= machine.nodes(); ++rank) {
        vertices_.push_back(std::make_unique<Vertex>(machine, rank));
        Vertex& vertex = *vertices_.back();
        buffers_.push_back(vertex.allocate(largest));
        patterns_.push_back(vertex.allocate(largest));
    }
    machine.processor(0).run(node0(), "vertex-timing");
    for (unsigned rank = 1; rank < machine.nodes(); ++rank) machine.processor(rank).run(other(rank), "vertex-timing");
    machine.processor(machine.host()).run(host(), "vertex-timing host");
}

unsigned VertexTiming::farthest() const { return std::min(machine_->dimension(), 5U); }

/// Each takes two dimensions.
unsigned VertexTiming::streams() const { return std::min(machine_->dimension() / 2, 3U); }

double VertexTiming::grain_us() const { return machine_->processor(0).cycles(machine_->vertex().timer_grain).us(); }

Duration VertexTiming::q_time(std::int64_t repetitions) const
{
    const bool integer = options_.underlying == Underlying::kInteger;
    const std::int64_t clocks = integer ? kIntegerTurns * options_.integer_turn : kFloatTurns * options_.float_turn;
    return machine_->processor(0).cycles(Cycles(repetitions * clocks));
}

Task<> VertexTiming::q(Vertex& vertex, std::int64_t repetitions) { co_await vertex.cpu().compute(q_time(repetitions)); }

/// Node 0 waits so that the timer's phase differs in each trial.
Task<> VertexTiming::align(std::int64_t trial)
{
    if (!options_.offset_trials) co_return;
    NcubeProcessor& cpu = machine_->processor(0);
    const Cycles grain_clocks = machine_->vertex().timer_grain;
    const std::int64_t ticks = cpu.clock().edge_until(cpu.time()).count() / grain_clocks.count();
    const Duration grain = cpu.cycles(grain_clocks);
    const std::int64_t phase = grain.ps() * (2 * std::max<std::int64_t>(trial, 0) + 1) / (2 * options_.trials);
    const std::int64_t missing = phase - (cpu.time() - cpu.cycles(grain_clocks * ticks)).ps();
    co_await cpu.compute(Duration::picoseconds(missing < 0 ? missing + grain.ps() : missing));
}

Task<std::int64_t> VertexTiming::tick()
{
    const std::int64_t ticks = co_await vertices_[0]->ntime();
    co_return ticks;
}

/// A node's messages differ from those of others.
Task<> VertexTiming::write(Vertex& vertex, std::uint32_t size, unsigned to)
{
    poke_message(vertex.cpu(), patterns_[vertex.rank()], {.size = size, .sequence = vertex.rank()});
    co_await vertex.nwrite(patterns_[vertex.rank()], size, to, kType);
}

/// @throws ModelError if it differs from that node's message
Task<> VertexTiming::read(Vertex& vertex, std::uint32_t size, int from)
{
    const Received got = co_await vertex.nread(buffers_[vertex.rank()], size, from, kType);
    const auto source = static_cast<unsigned>(got.source);
    require_bytes(vertex.cpu(), buffers_[vertex.rank()], {.size = size, .sequence = source}, source);
    ++checked_;
    last_read_ = vertex.cpu().time();
}

/// The differences are valid only if each transfer is covered by its computation. The number of messages at node 0
/// shows it: none after its own message has left and before the answer arrives, one when the answer has arrived.
/// @throws UserError otherwise
void VertexTiming::require_held(std::uint32_t size, unsigned messages) const
{
    const Vertex& vertex = *vertices_[0];
    if (vertex.unread() == messages && vertex.buffers().used() == messages * BufferPool::rounded(size)) return;
    not_covered(size);
}

void VertexTiming::not_covered(std::uint32_t size) const
{
    throw UserError(fmt::format(
        "vertex-timing: the computations, {:.0f} us the short one, do not cover the transfers of messages of "
        "{} bytes; raise integer_turn or float_turn, or write smaller sizes",
        q_time(kShort).us(), size));
}

bool VertexTiming::finished() const
{
    for (unsigned rank = 0; rank <= machine_->nodes(); ++rank) {
        if (!machine_->processor(rank).finished()) return false;
    }
    return true;
}

void VertexTiming::check() const
{
    for (unsigned rank = 0; rank <= machine_->nodes(); ++rank) {
        if (!machine_->processor(rank).finished()) {
            throw ModelError(fmt::format("vertex-timing: the program of node {} did not finish", rank));
        }
        if (vertices_[rank]->unread() != 0 || vertices_[rank]->buffers().used() != 0) {
            throw ModelError(fmt::format("vertex-timing: node {} holds {} messages and {} bytes of buffers at the end",
                                         rank, vertices_[rank]->unread(), vertices_[rank]->buffers().used()));
        }
    }
    for (const Stream& stream : streams_) {
        if (stream.sent != stream.delivered) {
            throw ModelError(fmt::format("vertex-timing: {} of {} messages of node {} came", stream.delivered,
                                         stream.sent, stream.sender));
        }
    }
}

// The tests as node 0 runs them.

Task<> VertexTiming::node0()
{
    Vertex& vertex = *vertices_[0];
    co_await calibrate();
    if (options_.measure == Measure::kChannels) {
        phase_ = Phase::kIdle;
        co_await test_8();
    } else {
        co_await echoes(true);
        phase_ = Phase::kOthers;
        if (options_.measure == Measure::kValues) {
            co_await tests_2_to_4();
            co_await test_5();
            co_await test_6();
        }
        phase_ = Phase::kIdle;
        co_await q(vertex, kLong);  // until the others are idle
        co_await echoes(false);
    }
    for (unsigned rank = 1; rank < machine_->nodes(); ++rank) {
        co_await vertex.nwrite(patterns_[0], 4, rank, kStop);
        co_await q(vertex, kShort);
    }
    co_await vertex.nwrite(patterns_[0], 4, machine_->host(), kDone);
}

/// Times of the timer's call and of the computations on an idle machine.
Task<> VertexTiming::calibrate()
{
    Vertex& vertex = *vertices_[0];
    co_await align(0);
    std::int64_t start = co_await tick();
    for (std::int64_t i = 0; i < options_.trials * kTimerCalls; ++i) co_await tick();
    std::int64_t finish = co_await tick();
    timer_ = static_cast<double>(finish - start) / static_cast<double>(options_.trials * kTimerCalls + 1);
    start = co_await tick();
    for (int i = 0; i < kCalibrations * kBlock; ++i) co_await q(vertex, kLong);
    finish = co_await tick();
    long_q_ = (static_cast<double>(finish - start) - timer_) / (kCalibrations * kBlock);
    short_q_ = long_q_ * kShort / kLong;
    co_await vertex.nwrite(patterns_[0], 12, machine_->host(), kHostType);
    co_await q(vertex, kShort);
}

/// Tests 1 and 7: there and back, by distance.
Task<> VertexTiming::echoes(bool loaded)
{
    Vertex& vertex = *vertices_[0];
    for (unsigned distance = 1; distance <= farthest(); ++distance) {
        const unsigned peer = (1U << distance) - 1;
        for (const Trial& trial : trials_) {
            co_await align(trial.number);
            const std::int64_t start = co_await tick();
            co_await write(vertex, trial.size, peer);
            if (loaded) co_await q(vertex, kShort);
            co_await read(vertex, trial.size, static_cast<int>(peer));
            const std::int64_t finish = co_await tick();
            auto& echo = loaded ? trial.sums->echo : trial.sums->idle_echo;
            echo[distance - 1] += static_cast<double>(finish - start) - timer_ - short_q_;
            co_await q(vertex, kShort);
        }
    }
    for (Sums& sums : sums_) {
        for (double& echo : loaded ? sums.echo : sums.idle_echo) echo /= static_cast<double>(options_.trials);
    }
}

/// R, A + U and F + S, with node 2 that answers.
Task<> VertexTiming::tests_2_to_4()
{
    Vertex& vertex = *vertices_[0];
    const auto trials = static_cast<double>(options_.trials);
    for (const Trial& trial : trials_) {
        co_await write(vertex, trial.size, 2);
        co_await q(vertex, kShort);
        co_await align(trial.number);
        require_held(trial.size, 0);
        const std::int64_t start = co_await tick();
        co_await q(vertex, kLong);
        const std::int64_t computed = co_await tick();
        require_held(trial.size, 1);
        co_await read(vertex, trial.size, 2);
        const std::int64_t has_read = co_await tick();
        co_await write(vertex, trial.size, 2);
        co_await q(vertex, kShort);
        const std::int64_t written = co_await tick();
        require_held(trial.size, 0);
        co_await read(vertex, trial.size, 2);
        trial.sums->r += (static_cast<double>(computed - start) - long_q_ - timer_) / trials;
        trial.sums->au += (static_cast<double>(has_read - computed) - timer_) / trials;
        trial.sums->fs += (static_cast<double>(written - has_read) - short_q_ - timer_) / trials;
        co_await q(vertex, kShort);
    }
}

/// R + S: node 1 answers to node 2, by way of node 0.
Task<> VertexTiming::test_5()
{
    Vertex& vertex = *vertices_[0];
    const auto trials = static_cast<double>(options_.trials);
    co_await write(vertex, 2, 1);
    co_await read(vertex, 2, 1);
    for (const Trial& trial : trials_) {
        co_await write(vertex, trial.size, 1);
        co_await q(vertex, kShort);
        co_await align(trial.number);
        require_held(trial.size, 0);
        const std::uint64_t forwarded = vertex.stats().forwarded.count();
        const std::int64_t start = co_await tick();
        co_await q(vertex, kLong);
        const std::int64_t finish = co_await tick();
        require_held(trial.size, 0);
        if (vertex.stats().forwarded.count() != forwarded + 1) not_covered(trial.size);
        trial.sums->rs += (static_cast<double>(finish - start) - long_q_ - timer_) / trials;
        co_await q(vertex, kShort);
    }
}

/// Twice F + E + U, with reads that wait.
Task<> VertexTiming::test_6()
{
    Vertex& vertex = *vertices_[0];
    const auto trials = static_cast<double>(options_.trials);
    for (const Trial& trial : trials_) {
        co_await align(trial.number);
        const std::int64_t start = co_await tick();
        co_await write(vertex, trial.size, 2);
        co_await q(vertex, kShort);
        require_held(trial.size, 0);
        co_await read(vertex, trial.size, 2);
        const std::int64_t finish = co_await tick();
        trial.sums->efu2 += (static_cast<double>(finish - start) - long_q_ - timer_) / trials;
        co_await q(vertex, kShort);
    }
}

/// One more sender each time; node 0 forwards for all of them and computes.
Task<> VertexTiming::test_8()
{
    Vertex& vertex = *vertices_[0];
    for (unsigned i = 0; i < streams(); ++i) {
        last_step_ = vertex.cpu().time();
        co_await write(vertex, 4, streams_[i].sender);
        co_await q(vertex, kShort);
        std::uint64_t before = 0;
        for (const Stream& stream : streams_) before += stream.delivered;
        const std::uint64_t refused = vertex.stats().refused.count();
        const std::int64_t start = co_await tick();
        for (std::int64_t block = 0; block < options_.channel_blocks; ++block) {
            last_step_ = vertex.cpu().time();
            co_await q(vertex, kLong);
        }
        const std::int64_t finish = co_await tick();
        std::uint64_t after = 0;
        for (const Stream& stream : streams_) after += stream.delivered;
        if (after == before) {
            throw UserError(
                fmt::format("vertex-timing: no message of {} bytes came while node 0 computed; raise "
                            "channel_blocks, or write smaller channel_bytes",
                            options_.channel_bytes));
        }
        const double ticks = static_cast<double>(finish - start) - timer_;
        const double each = static_cast<double>(after - before) / (i + 1);
        channels_.push_back({.active = 2 * (i + 1),
                             .us_per_message = us(ticks) / each,
                             .slowdown = ticks / (long_q_ * static_cast<double>(options_.channel_blocks)),
                             .messages = after - before,
                             .refusals = vertex.stats().refused.count() - refused,
                             .buffers = vertex.buffers().highest()});
    }
    last_step_ = vertex.cpu().time();
    for (const Stream& stream : streams_) co_await vertex.nwrite(patterns_[0], 4, stream.sender, kStop);
    for (unsigned i = 0; i < streams(); ++i) co_await vertex.nread(buffers_[0], 4, kAny, kDone);
}

// The other nodes and the host.

Task<> VertexTiming::other(unsigned rank)
{
    if (options_.measure == Measure::kChannels) {
        for (const Stream& stream : streams_) {
            if (rank == stream.sender) co_await stream_from(rank);
            if (rank == stream.sender << 1U) co_await stream_to(rank);
        }
    } else {
        co_await partner(rank);
    }
    co_await vertices_[rank]->nread(buffers_[rank], 4, 0, kStop);
}

Task<> VertexTiming::partner(unsigned rank)
{
    const bool echoes = (rank & (rank + 1)) == 0 && rank < 1U << farthest();  // 1, 3, 7, 15, 31
    if (echoes) co_await echo_back(rank, true);
    if (options_.measure == Measure::kValues) {
        if (rank == 1) {
            co_await compute_until(rank, Phase::kOthers);  // forwards echoes of farther nodes
            co_await partner_1();
        }
        if (rank == 2) co_await partner_2();
    }
    co_await compute_until(rank, Phase::kIdle);
    if (echoes) co_await echo_back(rank, false);
}

/// Keeps the node busy, so that no message passes an idle node. Ends within node 0's long computation between phases.
Task<> VertexTiming::compute_until(unsigned rank, Phase phase)
{
    const NcubeProcessor& cpu = vertices_[rank]->cpu();
    const bool faults = !machine_->simulation().faults().empty();
    while (phase_ < phase && !(faults && cpu.time() > last_read_ + kStuck)) {
        co_await q(*vertices_[rank], kShort);
    }
}

Task<> VertexTiming::echo_back(unsigned rank, bool loaded)
{
    Vertex& vertex = *vertices_[rank];
    for (const Trial& trial : trials_) {
        co_await read(vertex, trial.size, 0);
        co_await q(vertex, kShort);
        co_await write(vertex, trial.size, 0);
        if (loaded) co_await q(vertex, kShort);
    }
}

Task<> VertexTiming::partner_1()
{
    Vertex& vertex = *vertices_[1];
    co_await read(vertex, 2, 0);
    co_await write(vertex, 2, 0);
    for (const Trial& trial : trials_) {
        co_await read(vertex, trial.size, 0);
        co_await q(vertex, 2 * kShort);  // so that the message passes node 0 in its long computation
        co_await write(vertex, trial.size, 2);
        co_await q(vertex, kShort);
    }
}

Task<> VertexTiming::partner_2()
{
    Vertex& vertex = *vertices_[2];
    for (const Trial& trial : trials_) {  // tests 2 to 4
        co_await read(vertex, trial.size, 0);
        co_await q(vertex, 2 * kShort);
        co_await write(vertex, trial.size, 0);
        co_await q(vertex, kShort);
        co_await read(vertex, trial.size, 0);
        co_await q(vertex, 2 * kShort);
        co_await write(vertex, trial.size, 0);
    }
    for (const Trial& trial : trials_) co_await read(vertex, trial.size, 1);  // test 5
    for (const Trial& trial : trials_) {                                      // test 6
        co_await read(vertex, trial.size, 0);
        co_await q(vertex, kLong);
        co_await write(vertex, trial.size, 0);
        co_await q(vertex, kShort);
    }
}

/// Keeps `outstanding` messages in flight to the node two dimensions further, from node 0's start to its stop message.
Task<> VertexTiming::stream_from(unsigned rank)
{
    Vertex& vertex = *vertices_[rank];
    const unsigned to = rank << 1U;
    const auto size = static_cast<std::uint32_t>(options_.channel_bytes);
    Stream& stream = *std::find_if(streams_.begin(), streams_.end(), [rank](auto& s) { return s.sender == rank; });
    co_await read(vertex, 4, 0);
    std::uint64_t answered = 0;
    for (bool stopped = false; !stopped;) {
        while (stream.sent < answered + static_cast<std::uint64_t>(options_.outstanding)) {
            ++stream.sent;
            co_await write(vertex, size, to);
        }
        const Received got = co_await vertex.nread(buffers_[rank], 4, kAny, kAny);
        stopped = got.type == kStop;
        if (!stopped) ++answered;
    }
    for (; answered < stream.sent; ++answered) co_await read(vertex, 4, static_cast<int>(to));
    co_await vertex.nwrite(patterns_[rank], 4, to, kStop);
    co_await vertex.nwrite(patterns_[rank], 4, 0, kDone);
}

/// Answers each message; reads only its first bytes, and so pays only for these.
Task<> VertexTiming::stream_to(unsigned rank)
{
    Vertex& vertex = *vertices_[rank];
    const unsigned from = rank >> 1U;
    Stream& stream = *std::find_if(streams_.begin(), streams_.end(), [from](auto& s) { return s.sender == from; });
    for (;;) {
        const Received got = co_await vertex.nread(buffers_[rank], 2, static_cast<int>(from), kAny);
        if (got.type == kStop) co_return;
        ++stream.delivered;
        require_progress(stream);
        co_await write(vertex, 4, from);
    }
}

/// If handlers take all of node 0's time, test 8 never ends: messages still arrive, so no watchdog stops it.
/// @throws UserError if a long computation there takes more than kMostSlowdown times as long as alone
void VertexTiming::require_progress(const Stream& stream) const
{
    const Duration since = vertices_[0]->cpu().time() - last_step_;
    if (since <= q_time(kLong) * kMostSlowdown) return;
    const auto begun = static_cast<unsigned>(
        std::count_if(streams_.begin(), streams_.end(), [](const Stream& each) { return each.delivered > 0; }));
    throw UserError(
        fmt::format("vertex-timing: channel_bytes = {}: with {} channels active node 0 only forwards (message {} from "
                    "node {}): its computation takes more than {} times as long as alone; write channel_bytes=1500 or "
                    "more, or set topology.dimension to 2 for two channels alone",
                    options_.channel_bytes, 2 * begun, stream.delivered, stream.sender, kMostSlowdown));
}

Task<> VertexTiming::host()
{
    Vertex& vertex = *vertices_.back();
    const std::uint64_t buffer = buffers_.back();
    co_await vertex.nread(buffer, 12, 0, kHostType);
    co_await vertex.nread(buffer, 4, 0, kDone);
}

// Results.

double VertexTiming::us(double ticks) const { return ticks * grain_us(); }

Results VertexTiming::results() const
{
    switch (options_.measure) {
        case Measure::kValues: return value_rows();
        case Measure::kDistances: return distance_rows();
        case Measure::kChannels: return channel_rows();
    }
    return {};
}

Results VertexTiming::value_rows() const
{
    Results results;
    results.columns = {{"size_bytes", "bytes"}, {"E_us", "us"},     {"R_us", "us"},   {"R_S_us", "us"},
                       {"F_S_us", "us"},        {"F_E_U_us", "us"}, {"A_U_us", "us"}, {"S_us", "us"},
                       {"F_us", "us"},          {"U_us", "us"},     {"A_us", "us"},   {"E_idle_us", "us"}};
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        const Sums& sums = sums_[i];
        const double hops = 2.0 * (farthest() - 1);
        const double e = us(sums.echo.back() - sums.echo.front()) / hops;
        const double idle = us(sums.idle_echo.back() - sums.idle_echo.front()) / hops;
        const double r = us(sums.r), rs = us(sums.rs), fs = us(sums.fs), feu = us(sums.efu2) / 2, au = us(sums.au);
        const double s = rs - r;
        const double f = fs - s;
        const double u = feu - e - f;
        results.rows.push_back({std::int64_t{sizes_[i]}, e, r, rs, fs, feu, au, s, f, u, au - u, idle});
    }
    results.notes.emplace_back(
        "E: a transfer over one hop, half of what one more adds to an echo; processor time: R of receiving, S of "
        "sending, "
        "F of the write call, A of a read call made before the message is there, U of one made after");
    results.notes.emplace_back(
        "R S: the sum R + S, as it was measured, and so on; S, F, U, A: differences of the sums");
    if (std::set<std::uint32_t>(sizes_.begin(), sizes_.end()).size() > 1) {
        results.notes.push_back(
            fmt::format("least-squares lines over n bytes, in us: {}", fmt::join(lines_of(results), ", ")));
    }
    results.notes.push_back(fmt::format("the timer: {:.1f} us a tick, {:.2f} us a call; the long computation {:.1f} us",
                                        grain_us(), us(timer_), us(long_q_)));
    results.notes.push_back(fmt::format("{} messages were read, every byte of them checked", checked_));
    return results;
}

Results VertexTiming::distance_rows() const
{
    Results results;
    results.columns = {
        {"size_bytes", "bytes"}, {"distance", ""}, {"echo_us", "us"}, {"E_us", "us"}, {"E_idle_us", "us"}};
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        for (unsigned d = 0; d < farthest(); ++d) {
            Cell e = std::monostate{}, idle = std::monostate{};  // nothing came before the first
            if (d > 0) {
                e = us(sums_[i].echo[d] - sums_[i].echo[d - 1]) / 2;
                idle = us(sums_[i].idle_echo[d] - sums_[i].idle_echo[d - 1]) / 2;
            }
            results.rows.push_back({std::int64_t{sizes_[i]}, std::int64_t{d + 1}, us(sums_[i].echo[d]), e, idle});
        }
    }
    results.notes.emplace_back("E: half of what the last hop added to the echo; idle: with no computation underneath");
    return results;
}

Results VertexTiming::channel_rows() const
{
    Results results;
    results.columns = {{"active_channels", ""}, {"us_per_message", "us"}, {"slowdown", ""},
                       {"messages", ""},        {"refusals", ""},         {"buffers_bytes", "bytes"}};
    for (const Channels& each : channels_) {
        results.rows.push_back({std::int64_t{each.active}, each.us_per_message, each.slowdown,
                                static_cast<std::int64_t>(each.messages), static_cast<std::int64_t>(each.refusals),
                                static_cast<std::int64_t>(each.buffers)});
    }
    results.notes.push_back(fmt::format("messages of {} bytes through node 0, {} of each sender unanswered",
                                        options_.channel_bytes, options_.outstanding));
    results.notes.emplace_back("slowdown: node 0's computation over its time without messages");
    results.notes.emplace_back(
        "messages, refusals: while it was timed; buffers: the most that node 0's system buffers have held so far");
    return results;
}

}  // namespace ringmesh::workloads::vertex
