// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/port_contention.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tlm/simulation/random.h"

namespace ringmesh::hw {
namespace {

constexpr std::uint64_t kSeed = 1988;
/// So many turns give a slope of R or S to about a hundredth of a clock per byte.
constexpr int kTurns = 4000;
constexpr int kSystemTurns = 1000;  ///< more instructions each
constexpr std::int64_t kMostClocks = 4'000'000;
/// A node whose DMA takes the whole port still goes on, this much slower than alone.
constexpr double kLeastSpeed = 0.02;
constexpr std::int64_t kWordBytes = 2;
/// Instructions of the operating system from one branch to the next.
constexpr std::int64_t kStraight = 20;
constexpr std::int64_t kAccessesOfInteger = 2;

/// The i-th of n nearly equal parts of a total.
constexpr std::int64_t share(std::int64_t total, std::int64_t i, std::int64_t n)
{
    return total * (i + 1) / n - total * i / n;
}

/// One run of the loop beside active channels.
class PortRun {
public:
    PortRun(const NcubeNodeParams& params, unsigned receiving, unsigned sending)
        : params_(params),
          access_(params.memory.access.count()),
          period_(params.channel.byte.count() * kWordBytes),
          looped_(params.loop.code <= params.processor.instruction_buffer),
          inputs_(channels(receiving)),
          outputs_(channels(sending))
    {
        begin_turn();
        begin_instruction();
    }

    /// Turns per clock.
    double rate(int turns)
    {
        while (turns_ < turns && now_ < kMostClocks) tick();
        return static_cast<double>(turns_) / static_cast<double>(now_);
    }

private:
    enum class Unit : std::uint8_t { kNone, kRefresh, kInput, kData, kOutput, kFetch };
    enum class Stage : std::uint8_t { kFetch, kExecute, kRead, kWrite };
    struct Channel {
        std::int64_t next = 0;  // the wire's next word
        std::int64_t wants = 0;
    };

    std::vector<Channel> channels(unsigned count)
    {
        std::vector<Channel> all(count);
        const auto period = static_cast<std::uint64_t>(period_);
        for (Channel& channel : all) channel.next = static_cast<std::int64_t>(phases_.below(period));
        return all;
    }
    void tick()
    {
        if (user_ != Unit::kNone && busy_until_ == now_) end_access();
        for (auto* way : {&inputs_, &outputs_}) {
            for (Channel& channel : *way) {
                if (channel.next != now_) continue;
                channel.next += period_;
                ++channel.wants;
            }
        }
        if (params_.memory.refresh.count() > 0 && now_ % params_.memory.refresh.count() == 0) refresh_ = true;
        while (proceed()) {
        }
        if (user_ == Unit::kNone) grant();
        if (stage_ == Stage::kExecute) --left_;
        ++now_;
    }
    void end_access()
    {
        if (user_ == Unit::kData) {
            data_ = false;
            --left_;
        } else if (user_ == Unit::kFetch && !discard_) {
            code_ += kWordBytes;
        }
        if (user_ == Unit::kFetch) discard_ = false;
        user_ = Unit::kNone;
    }
    void grant()
    {
        const bool channels_first = params_.memory.priority == PortPriority::kChannels;
        if (refresh_) {
            refresh_ = false;
            take(Unit::kRefresh);
        } else if (serve(inputs_)) {
            take(Unit::kInput);
        } else if ((channels_first || !data_) && serve(outputs_)) {
            take(Unit::kOutput);
        } else if (data_) {
            take(Unit::kData);
        } else if (!looped_ && code_ + kWordBytes <= params_.processor.instruction_buffer.count()) {
            take(Unit::kFetch);
        }
    }
    /// In turn, if one wants.
    bool serve(std::vector<Channel>& channels)
    {
        const auto wants = [](const Channel& channel) { return channel.wants > 0; };
        const auto found = std::find_if(channels.begin(), channels.end(), wants);
        if (found == channels.end()) return false;
        --found->wants;
        std::rotate(channels.begin(), found + 1, channels.end());
        return true;
    }
    void take(Unit unit)
    {
        user_ = unit;
        busy_until_ = now_ + access_;
    }
    /// The processor's next step, if nothing keeps it.
    bool proceed()
    {
        const NcubeLoopParams& loop = params_.loop;
        switch (stage_) {
            case Stage::kFetch:
                if (!looped_) {
                    // As they come: an instruction may be longer than the buffer
                    const std::int64_t taken = std::min(code_, left_);
                    code_ -= taken;
                    left_ -= taken;
                    if (left_ > 0) return false;
                }
                return enter(Stage::kExecute, execution());
            case Stage::kExecute:
                return left_ <= 0 &&
                       enter(Stage::kRead, kAccessesOfInteger * share(loop.reads, instruction_, loop.instructions));
            case Stage::kRead:
                if (left_ > 0) return want_data();
                return enter(Stage::kWrite, kAccessesOfInteger * share(loop.writes, instruction_, loop.instructions));
            case Stage::kWrite:
                if (left_ > 0) return want_data();
                if (++instruction_ == loop.instructions) {
                    ++turns_;
                    begin_turn();
                }
                return begin_instruction();
        }
        return false;
    }
    bool begin_instruction()
    {
        return enter(Stage::kFetch, share(params_.loop.code.count(), instruction_, params_.loop.instructions));
    }
    bool enter(Stage stage, std::int64_t left)
    {
        stage_ = stage;
        left_ = left;
        return true;
    }
    bool want_data()
    {
        data_ = true;
        return false;
    }
    std::int64_t execution()
    {
        const std::int64_t mean = params_.processor.instruction.count();
        const auto bound = static_cast<std::uint64_t>(2 * mean - 1);
        const auto clocks = static_cast<std::int64_t>(program_.below(bound)) + 1;
        return clocks + (instruction_ == longest_ ? params_.loop.arithmetic.count() : 0);
    }
    void begin_turn()
    {
        instruction_ = 0;
        longest_ = static_cast<std::int64_t>(program_.below(static_cast<std::uint64_t>(params_.loop.instructions)));
        code_ = 0;
        discard_ = user_ == Unit::kFetch;
    }

    const NcubeNodeParams& params_;
    const std::int64_t access_, period_;
    const bool looped_;
    // The program takes the same steps whatever the channels do
    Random program_{seed_for(kSeed, "program")};
    Random phases_{seed_for(kSeed, "channels")};
    std::vector<Channel> inputs_, outputs_;
    bool refresh_ = false;

    std::int64_t now_ = 0;
    Unit user_ = Unit::kNone;
    std::int64_t busy_until_ = 0;

    Stage stage_ = Stage::kFetch;
    std::int64_t instruction_ = 0, longest_ = 0;
    std::int64_t left_ = 0;  // bytes of the instruction, clocks to execute, or accesses
    std::int64_t code_ = 0;  // bytes fetched ahead
    bool discard_ = false;   // the word that is being fetched
    bool data_ = false;      // the processor waits for a word
    int turns_ = 0;
};

/// A node whose program is the operating system's code.
NcubeNodeParams with_system_code(NcubeNodeParams params)
{
    params.processor.instruction = params.system.instruction;
    params.loop = {.instructions = kStraight,
                   .code = Bytes(params.system.code.count() * kStraight),
                   .reads = kStraight / 2,
                   .writes = kStraight / 2,
                   .arithmetic = Cycles(0)};
    return params;
}

}  // namespace

PortContention::PortContention(const NcubeNodeParams& params) : params_(params), system_(with_system_code(params)) {}

PortContention::Measured& PortContention::measured(PortCode code) const
{
    return measured_[code == PortCode::kSystem && params_.system.code > 0_B ? 1 : 0];
}

/// Turns per clock of that code's loop.
double PortContention::rate(const Measured& measured, unsigned receiving, unsigned sending) const
{
    const bool program = &measured == measured_.data();
    return PortRun(program ? params_ : system_, receiving, sending).rate(program ? kTurns : kSystemTurns);
}

double PortContention::turn(PortCode code) const
{
    Measured& measured = this->measured(code);
    if (measured.turn == 0) measured.turn = 1 / rate(measured, 0, 0);
    return measured.turn;
}

double PortContention::speed(unsigned receiving, unsigned sending, PortCode code) const
{
    if (receiving + sending == 0 || params_.memory.priority == PortPriority::kNone) return 1;
    // So many of either kind fill the port: a host has more
    const std::int64_t period = params_.channel.byte.count() * kWordBytes;
    const auto full = static_cast<unsigned>(period / params_.memory.access.count() + 1);
    const std::pair channels{std::min(receiving, full), std::min(sending, full)};
    Measured& measured = this->measured(code);
    const auto [place, is_new] = measured.speeds.try_emplace(channels, 1.0);
    if (is_new) {
        const double beside = rate(measured, channels.first, channels.second);
        place->second = std::clamp(beside * turn(code), kLeastSpeed, 1.0);
    }
    return place->second;
}

}  // namespace ringmesh::hw
