// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/division/observations.h"
#include "tlm/error.h"
#include "tlm/parameters/named_values.h"
#include "tlm/parameters/parameters.h"
#include "tlm/simulation/journey.h"
#include "tlm/simulation/random.h"
#include "tlm/statistics/activity.h"
#include "tlm/statistics/statistics.h"
#include "tlm/units/units.h"

/// Faults of hardware that a user injects: which block, what, when, for how long.
namespace ringmesh {

/// The run ended because a fault could not be repaired: who lost what. Not the user's mistake and not the model's.
class FaultError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A fault as a user writes it, a table `fault.NAME` of a platform.
struct FaultParams {
    std::string where;      ///< names of blocks, with * and ?: "node3.lc2*"
    std::string what;       ///< a word of those that the block knows
    std::string when;       ///< "5 us", "5us..9us", "1e-4/packet", "1e-9/symbol", "1e6/s", "packet 17"
    std::string lasts;      ///< "10 us"; empty: one packet, or from a time on for ever
    std::int64_t seed = 1;  ///< of a rate

    void visit(ParameterVisitor& visitor);
};

struct FaultTable {
    NamedValues<FaultParams> all;
    void visit(ParameterVisitor& visitor);
};

/// What is wrong with a fault, to be said with its place: the key behind `fault.NAME.`, what and cure.
struct FaultProblem {
    std::string key;
    std::string what;
    std::string cure;
};

/// How much can happen before faults must be asked again: until then none holds and none strikes.
struct FaultCalm {
    static constexpr std::int64_t kEndless = INT64_MAX / 2;
    std::int64_t packets = kEndless;
    std::int64_t symbols = kEndless;     ///< of these packets
    Duration until = Duration::never();  ///< and before this time

    static constexpr FaultCalm none() { return {-1, -1, Duration::zero()}; }
    FaultCalm and_of(const FaultCalm& other) const
    {
        return {std::min(packets, other.packets), std::min(symbols, other.symbols), std::min(until, other.until)};
    }
};

/// The times at which one fault strikes one block. Plain logic.
class FaultTimes {
public:
    /// @throws FaultProblem if `when` or `lasts` cannot be read
    FaultTimes(const FaultParams& fault, Random random);

    /// Whether it strikes what happens at this time. @param symbols of the packet, for rates per symbol
    /// @pre times never fall
    bool strike(Duration at, std::int64_t symbols)
    {
        // Nearly always, of a rate that seldom strikes
        if (kind_ <= Kind::kPerSymbol) {
            left_ -= kind_ == Kind::kPerPacket ? 1 : symbols;
            if (left_ > 0 && at >= struck_until_) return false;
        }
        return strike_now(at);
    }
    /// How much may happen from this time on without a call of strike().
    FaultCalm calm(Duration at) const;
    /// So much has happened without one. @pre no more than calm() has said
    void pass(std::int64_t packets, std::int64_t symbols)
    {
        if (kind_ == Kind::kPerPacket) left_ -= packets;
        if (kind_ == Kind::kPerSymbol) left_ -= symbols;
        if (kind_ == Kind::kNumbered) seen_ += static_cast<std::uint64_t>(packets);
    }
    /// When a strike that holds at this time ends; zero: none does.
    Duration until(Duration at) const
    {
        if (kind_ == Kind::kTime) return at >= from_ && at < until_ ? until_ : Duration::zero();
        return at < struck_until_ ? struck_until_ : Duration::zero();
    }
    /// When it begins, if that is known before anything happens; else never.
    Duration begins() const { return kind_ == Kind::kTime ? from_ : Duration::never(); }
    /// Whether each strike lasts for a time, and whether it has no end.
    bool is_state() const { return kind_ == Kind::kTime || lasts_; }
    bool is_for_ever() const { return kind_ == Kind::kTime && until_ == Duration::never(); }

private:
    enum class Kind : std::uint8_t { kPerPacket, kPerSymbol, kTime, kPerSecond, kNumbered };

    bool strike_now(Duration at);
    void draw();

    Kind kind_ = Kind::kTime;
    double rate_ = 0;        ///< of a packet or symbol the hazard: the chance of none is e to the power of minus it
    std::int64_t left_ = 0;  ///< packets or symbols to the one that is struck next
    std::uint64_t number_ = 0;
    Duration from_;                       ///< of a time; of a rate per second the next one
    Duration until_ = Duration::never();  ///< of a time
    std::optional<Duration> lasts_;
    Duration struck_until_;
    std::uint64_t seen_ = 0;
    Random random_;
};

/// For how long a word can hold.
enum class FaultSpan : std::uint8_t {
    kAny,      ///< of a packet, or for a time
    kTime,     ///< a state: for a time
    kForEver,  ///< from a time on, without end
};

/// A word that blocks of one sort know.
struct FaultWord {
    std::string_view word;
    std::string_view meaning;
    FaultSpan span = FaultSpan::kAny;
    bool takes =
        false;  ///< bytes or packets that nothing sends again: that they are missing is no mistake of the model
};

/// What a fault strikes, for waveforms and journeys: the number of a packet; 0 if it strikes none.
struct FaultVictim {
    std::uint64_t packet = 0;
    Leg leg = Leg::kRequest;
};

class FaultPlan;

/// The faults of one block. Waveforms and journeys see each strike, whatever the block.
class BlockFaults {
public:
    struct One {
        std::size_t word = 0;  ///< index among those that the block knows
        FaultTimes times;
        std::uint64_t* strikes = nullptr;  ///< of the plan's fault, all blocks together
        std::uint32_t number = 0;          ///< of the plan's fault
    };
    explicit BlockFaults(std::vector<One> faults) : faults_(std::move(faults))
    {
        for (const One& fault : faults_) words_ |= 1U << fault.word;
    }
    ~BlockFaults();
    BlockFaults(const BlockFaults&) = delete;
    BlockFaults& operator=(const BlockFaults&) = delete;

    /// Whether a fault of this word strikes now.
    bool strike(std::size_t word, Duration at, std::int64_t symbols = 0, FaultVictim victim = {})
    {
        if ((words_ >> word & 1U) == 0) return false;
        bool struck = false;
        for (One& fault : faults_) {
            if (fault.word != word || !fault.times.strike(at, symbols)) continue;
            struck = true;
            count(fault);
        }
        if (struck) [[unlikely]] {
            ++struck_;
            tell(word, at, victim);
        }
        return struck;
    }
    /// How much may happen from this time on without a call of strike() for any of these words, a bit each.
    FaultCalm calm(Duration at, std::uint32_t words = ~0U) const
    {
        FaultCalm all;
        for (const One& fault : faults_) {
            if ((words >> fault.word & 1U) != 0) all = all.and_of(fault.times.calm(at));
        }
        return all;
    }
    /// So much has happened without one.
    void pass(std::int64_t packets, std::int64_t symbols, std::uint32_t words = ~0U)
    {
        for (One& fault : faults_) {
            if ((words >> fault.word & 1U) != 0) fault.times.pass(packets, symbols);
        }
    }
    /// Of a state: when it ends if it holds at this time, else zero. No strike.
    Duration until(std::size_t word, Duration at) const
    {
        Duration end;
        if ((words_ >> word & 1U) == 0) return end;
        for (const One& fault : faults_) {
            if (fault.word == word) end = std::max(end, fault.times.until(at));
        }
        return end;
    }
    /// The same; that something meets it is a strike.
    Duration meets(std::size_t word, Duration at, FaultVictim victim = {})
    {
        const Duration end = until(word, at);
        if (end == Duration::zero()) return end;
        for (const One& fault : faults_) {
            if (fault.word == word && fault.times.until(at) != Duration::zero()) count(fault);
        }
        ++struck_;
        tell(word, at, victim);
        return end;
    }
    /// A packet has met a state, which counts as no strike.
    void tell(std::size_t word, Duration at, FaultVictim victim)
    {
        if (plan_ != nullptr) tell_watchers(word, at, victim);
    }
    /// Calls `visit` with each time at which a state of this word begins, if that is known.
    template <class Visit>
    void for_each_begin(std::size_t word, const Visit& visit) const
    {
        for (const One& fault : faults_) {
            if (fault.word == word && fault.times.begins() != Duration::never()) visit(fault.times.begins());
        }
    }
    /// The same, or this time if none holds.
    Duration ends(std::size_t word, Duration at) const { return std::max(at, until(word, at)); }
    /// A bit for each word of which there is a fault.
    std::uint32_t words() const { return words_; }
    /// Times that any struck.
    const Counter& struck() const { return struck_; }

private:
    friend class FaultPlan;

    /// A word on its signal: periods that do not overlap.
    struct Shown {
        std::size_t word = 0;
        Activity signal{};
        std::map<Duration, Duration> periods{};  // from, to
    };

    void count(const One& fault)
    {
        ++*fault.strikes;
        if (plan_ != nullptr) count_in_plan(fault);
    }
    [[gnu::cold]] void count_in_plan(const One& fault);
    [[gnu::cold]] void tell_watchers(std::size_t word, Duration at, FaultVictim victim);
    void trace(sc_core::sc_trace_file* file);
    void show(Shown& shown, Duration from, Duration to, std::uint64_t packet) const;

    std::vector<One> faults_;
    std::uint32_t words_ = 0;  // a bit each
    Counter struck_;
    std::vector<bool> struck_by_;  ///< of the plan's faults, as far as the plan knows
    FaultPlan* plan_ = nullptr;
    std::string name_;
    std::span<const FaultWord> known_;
    std::deque<Shown> shown_;  // of each word, if they are traced
};

/// All faults of a run. Blocks ask for theirs when they are built. Of a divided run, in which each process has all
/// blocks, process 0 alone knows what has struck.
class FaultPlan final : private Observations::Watcher {
public:
    /// @pre no block has been built @throws FaultProblem whose key begins with `NAME.`
    void set(const NamedValues<FaultParams>& faults, std::uint64_t seed);
    /// @param observations of a divided run, which outlives all blocks
    void divide(Observations& observations);
    /// None: blocks need no means against faults.
    bool empty() const { return faults_.empty(); }
    /// Null if it has none. @param name of the block @param known what it can suffer
    /// @throws FaultProblem if a word is to hold for a time that it cannot
    std::unique_ptr<BlockFaults> of(std::string_view name, std::span<const FaultWord> known);
    /// After all blocks are built: that each fault has found a block that knows it. @throws FaultProblem as set()
    void require_found() const;
    /// A signal `fault` of each block that has one: its word while it holds, or at each strike; of a block's further
    /// words `fault2`, ... After all blocks are built.
    void trace(sc_core::sc_trace_file* file);
    /// Hears of the packets that are struck.
    void on_journey(JourneyListener& listener) { journey_ = &listener; }
    JourneyListener* journey() const { return journey_; }
    /// What has struck so far: "fault1 (cut) struck 3 times at node1.lc2"; empty: nothing.
    std::string struck() const { return text_of(1); }
    /// Whether one has struck this block.
    bool struck_at(std::string_view block) const;
    /// Names of those that have not: "fault2 (cut)", with commas.
    std::string without_strikes() const;
    /// What struck() says, of all.
    std::string counts() const { return text_of(0); }
    /// Whether one has struck that takes bytes or packets.
    bool took() const;

private:
    friend class BlockFaults;
    struct Planned {
        std::string name;
        FaultParams params;
        std::uint64_t struck = 0;
        std::uint64_t struck_here = 0;  ///< in this process of a divided run
        bool found = false;             ///< a block that knows the word
        bool takes = false;             ///< FaultWord::takes
        std::string block = {};         ///< one that was named, but does not know the word
        std::vector<std::string> known = {};
    };
    void hear(Parcel& told) override;
    std::string places_of(const Planned& fault) const;
    /// Of those that struck so often or more.
    std::string text_of(std::uint64_t least) const;

    std::vector<Planned> faults_;
    std::vector<BlockFaults*> suffering_;  ///< blocks that have faults
    Observations* observations_ = nullptr;
    std::uint32_t watcher_ = 0;
    JourneyListener* journey_ = nullptr;
    std::vector<std::string> blocks_;  ///< that can suffer faults
    std::uint64_t seed_ = 0;
};

}  // namespace ringmesh
