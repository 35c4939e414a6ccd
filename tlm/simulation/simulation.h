// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "tlm/division/division.h"
#include "tlm/division/refusals.h"
#include "tlm/pools/pool.h"
#include "tlm/simulation/fault.h"
#include "tlm/simulation/journey.h"
#include "tlm/simulation/random.h"
#include "tlm/statistics/component.h"
#include "tlm/time/calendar.h"

/// One run of the kernel: it owns pools, seeds and observers, and says how far the run is.
namespace ringmesh {

/// Where a run stands: what a running simulation tells when it is asked, and one that stops without an end.
struct Standing {
    /// Objects of one pool: packets under way.
    struct UnderWay {
        std::string kind;  ///< "SCI packets"
        std::size_t count = 0;
        std::uint64_t oldest = 0;  ///< number of the oldest packet; 0 if its kind has no numbers
        std::string what = {};     ///< "request of node 0 to node 3"
        Duration born = {};
    };
    struct Held {
        std::string block;
        std::string what;
        /// Struck by a fault, or Component::only_waits().
        enum class Part : std::uint8_t { kStruck, kUsual, kOnlyWaits } part = Part::kUsual;
        std::uint64_t order = 0;  ///< among all blocks of the machine
    };
    Duration at;
    std::uint64_t steps = 0;          ///< Simulation::steps()
    std::vector<UnderWay> under_way;  ///< the kinds of which there are any
    std::vector<Held> held;           ///< the blocks that are not idle
};

/// "under way: 7 SCI packets; the oldest is 17, a request of node 0 to node 3, born at 1.200 us; these blocks are not
/// idle:" and a line for each, at most the first ones; those that a fault has struck first, those that only wait last.
std::string text_of(const Standing& standing);

/// Numbers of the packets that a part of a machine makes: those of part i of n are i + 1, i + 1 + n, i + 1 + 2 n, ...,
/// whatever the other parts make.
class PacketNumbers {
public:
    using Made = std::deque<std::uint64_t>;  ///< by each part

    PacketNumbers(Made& made, std::size_t part) : all_(&made), made_(&made[part]), part_(part) {}

    std::uint64_t next() { return (*made_)++ * all_->size() + part_ + 1; }

private:
    const Made* all_;
    std::uint64_t* made_;
    std::size_t part_;
};

/// Shared state of a run: the seed, the pools, the list of components. It is constructed before the modules and
/// outlives them. Sets the kernel's resolution to 1 ps.
class Simulation {
public:
    explicit Simulation(std::uint64_t seed);
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    std::uint64_t seed() const { return seed_; }
    /// Set before any block is built.
    FaultPlan& faults() { return faults_; }
    const FaultPlan& faults() const { return faults_; }
    /// A packet was given up after a fault. The run ends with this error, unless losses are counted.
    void lost(const std::string& text);
    /// Of losses: from now on they are counted, and the run goes on.
    void count_losses() { counts_losses_ = true; }
    bool counts_losses() const { return counts_losses_; }
    std::uint64_t losses() const { return losses_; }
    /// Of a divided run, after it: process 0 has the losses of all.
    void add_up(Totals& totals) { totals.sum(losses_); }
    /// Who makes a request notices that no response comes, so that nobody else need tell.
    void watch_responses() { responses_watched_ = true; }
    bool responses_watched() const { return responses_watched_; }
    /// The generator of one named source; the same name and seed give the same numbers on every computer.
    Random random_for(std::string_view name) const { return Random(seed_for(seed_, name)); }
    /// For blocks of the part that is being built.
    PacketNumbers packet_numbers() { return {packets_, part_}; }
    PacketNumbers packet_numbers(std::size_t part)
    {
        if (packets_.size() <= part) packets_.resize(part + 1);
        return {packets_, part};
    }

    /// The run's one pool of this type, made when it is first asked for. Blocks ask in their constructor and keep the
    /// reference. `SomePool::kKind` says what it holds: "SCI packets".
    template <class SomePool>
    SomePool& pool()
    {
        for (const auto& account : pools_) {
            if (account->type == typeid(SomePool)) return static_cast<PoolOf<SomePool>&>(*account).pool;
        }
        pools_.push_back(std::make_unique<PoolOf<SomePool>>());
        return static_cast<PoolOf<SomePool>&>(*pools_.back()).pool;
    }
    /// The run's one object of this type, which blocks share; made when it is first asked for.
    template <class Shared>
    Shared& shared()
    {
        for (const auto& [type, object] : shared_) {
            if (*type == typeid(Shared)) return *static_cast<Shared*>(object.get());
        }
        shared_.emplace_back(&typeid(Shared), std::make_shared<Shared>());
        return *static_cast<Shared*>(shared_.back().second.get());
    }
    /// Of all pools.
    std::size_t objects_in_use() const;
    /// Delta cycles of the kernel so far, and methods of blocks.
    std::uint64_t steps() const;
    /// Slow on a big machine, some milliseconds. Of a divided run: of this process.
    Standing standing() const;

    /// The run goes over these processes. @pre nothing is built yet @param processes outlive the run
    void divide(Processes& processes);
    /// Null if one process runs it.
    Division* division() const { return division_.get(); }
    /// While all processes ask their blocks what they hold: a block that lies in several adds it up. Null otherwise.
    Division* all_ask() const { return all_ask_ ? division_.get() : nullptr; }
    /// Whether this process builds the blocks of this part; of a machine that builds only what it runs.
    bool builds(std::size_t part) const { return division_ == nullptr || builds_all_ || division_->owns(part); }
    /// Each process builds all blocks. Those of parts that it does not run do nothing.
    void build_all() { builds_all_ = true; }
    /// When the last event of the run was, or its error. @pre run
    Duration end() const;

    /// The blocks that are built from now on belong to this part of the machine: 0, 1, ...; those before the first
    /// part and those after the last to the whole machine. Effects between parts take time.
    void begin_part(std::size_t number)
    {
        part_ = number;
        if (packets_.size() <= part_) packets_.resize(part_ + 1);
        livelock_limit_ = std::max(livelock_limit_, kLivelockLimitOfPart * packets_.size());
        calendar_.begin_place(static_cast<Calendar::Place>(number + 1));
    }
    void end_parts()
    {
        part_ = 0;
        calendar_.begin_place(Calendar::kWholeMachine);
    }

    /// Of the wake-ups of all blocks.
    Calendar& calendar() { return calendar_; }
    const Calendar& calendar() const { return calendar_; }

    void add(Component& component)
    {
        components_.push_back(&component);
        parts_.push_back(static_cast<std::uint32_t>(part_));
    }
    const std::vector<Component*>& components() const { return components_; }
    /// Of each component: begin_part(), or 0.
    const std::vector<std::uint32_t>& parts_of_components() const { return parts_; }
    /// An end of the run, with the faults that have struck.
    FaultError by_fault(const std::string& text) const;

    /// Runs until nothing is pending. An error raised by `fail` is thrown here.
    void run();
    /// Runs until the given time, events at that time included.
    void run_until(Duration end);
    /// Stops the kernel; run() then throws this error. For code called by the kernel, which must not throw.
    void fail(std::exception_ptr error);

    /// Progress: something that can be refused was accepted.
    void accepted()
    {
        refusals_ = 0;
        if (refusals_of_all_) [[unlikely]]
            refusals_of_all_->accepted(now());
    }
    /// Something was refused and will be retried. livelock_limit() refusals without progress stop the run, which would
    /// never end: run() then throws LivelockError, or FaultError if a fault has struck.
    void refused()
    {
        if (refusals_of_all_) [[unlikely]]
            return refusals_of_all_->refused(now());
        if (++refusals_ == livelock_limit_) give_up();
    }
    /// A block works independently of others until then: meanwhile refusals are no livelock.
    void works_until(Duration end)
    {
        if (end > works_until_) works_until_ = end;
        if (refusals_of_all_) refusals_of_all_->works_until(end);
    }
    /// On small machines; on larger ones so many for each part, as all may refuse at one time.
    static constexpr std::uint64_t kLivelockLimit = 200'000;
    static constexpr std::uint64_t kLivelockLimitOfPart = 1'000;
    std::uint64_t livelock_limit() const { return livelock_limit_; }

    /// After a run that should have drained: throws StuckError naming every component that still holds something
    /// (FaultError if a fault has struck), and checks that no packet was lost (ModelError).
    void require_drained() const;

    /// The recorder of packet journeys; usually null.
    JourneyListener* journey() const { return journey_; }
    /// @param listener outlives the run
    void on_journey(JourneyListener& listener)
    {
        if (journey_ == nullptr) {
            journey_ = &listener;
        } else {
            if (journey_ != &journeys_) journeys_.add(*journey_);
            journeys_.add(listener);
            journey_ = &journeys_;
        }
        faults_.on_journey(*journey_);
    }
    /// Reports a stage without an SCI packet, or of one known only by its number.
    void report(const Component& where, std::string_view what, std::uint64_t transaction, Duration from,
                Duration to) const
    {
        if (journey_ != nullptr) report(where, {what, transaction, Leg::kRequest, StageKind::kWork, from, to});
    }
    /// Any other stage.
    void report(const Component& where, const Stage& stage) const
    {
        if (journey_ != nullptr) journey_->stage(where, stage);
    }
    /// Nothing if it did not wait. @param other the packet that it waited for, if that is known
    void report_wait(const Component& where, std::string_view what, std::uint64_t packet, Duration from, Duration to,
                     std::uint64_t other = 0, Leg leg = Leg::kRequest) const
    {
        if (journey_ == nullptr || to <= from) return;
        journey_->stage(where, {what, packet, leg, StageKind::kWaiting, from, to, other});
    }
    void report_birth(const Component& where, const PacketBirth& birth) const
    {
        if (journey_ != nullptr) journey_->born(where, birth);
    }
    /// A packet enters the network. @param at may lie ahead
    void report_injection(std::uint64_t packet, Leg leg, Duration at) const
    {
        if (journey_ != nullptr) journey_->injected(packet, leg, at);
    }
    /// A packet, or its response, has reached its end.
    void report_arrival(const Component& where, std::uint64_t packet, Leg leg, Duration at) const
    {
        if (journey_ != nullptr) journey_->arrived(where, packet, leg, at);
    }

    /// Progress of the run (0 to 1), for the listener.
    void report_progress(double part) const
    {
        if (progress_) progress_(part);
    }
    void on_progress(std::function<void(double)> listener) { progress_ = std::move(listener); }

private:
    struct PoolAccount {
        explicit PoolAccount(const std::type_info& pool_type) : type(pool_type) {}
        virtual ~PoolAccount() = default;
        virtual std::size_t in_use() const = 0;
        virtual std::string_view kind() const = 0;
        /// Of objects in use, of which there are some.
        virtual Standing::UnderWay under_way() const = 0;
        const std::type_info& type;
    };
    template <class SomePool>
    struct PoolOf final : PoolAccount {
        PoolOf() : PoolAccount(typeid(SomePool)) {}
        std::size_t in_use() const override
        {
            if constexpr (requires { pool.counted_elsewhere; }) return pool.in_use() - pool.counted_elsewhere;
            return pool.in_use();
        }
        std::string_view kind() const override { return SomePool::kKind; }
        Standing::UnderWay under_way() const override
        {
            Standing::UnderWay all = oldest_of(pool);
            all.count = in_use();
            return all;
        }
        SomePool pool;
    };

    template <class SomePool>
    static Standing::UnderWay oldest_of(const SomePool& pool)
    {
        Standing::UnderWay all{.kind = std::string(SomePool::kKind), .count = pool.in_use()};
        if constexpr (requires { &SomePool::describe; }) {
            pool.for_each_in_use([&all](const auto& packet) {
                const Duration born = Duration::picoseconds(packet.born_ps);
                if (packet.id == 0) return;
                if (all.oldest != 0 && std::pair(born, packet.id) >= std::pair(all.born, all.oldest)) return;
                all.oldest = packet.id;
                all.what = SomePool::describe(packet);
                all.born = born;
            });
        }
        return all;
    }

    void run_freely();
    void rethrow_failure();
    void give_up();
    std::exception_ptr livelock(Duration at) const;
    /// Process 0 gets that of the whole machine. All processes call it.
    Standing standing_of_all() const;

    std::uint64_t seed_;
    FaultPlan faults_;
    bool counts_losses_ = false;
    bool responses_watched_ = false;
    std::uint64_t losses_ = 0;
    Calendar calendar_;
    std::unique_ptr<Division> division_;
    std::unique_ptr<Refusals> refusals_of_all_;  ///< of a divided run
    bool builds_all_ = false;
    mutable bool all_ask_ = false;
    Duration end_;  // of a divided run
    JourneyListener* journey_ = nullptr;
    JourneyFanOut journeys_;      ///< if there are several
    std::uint64_t refusals_ = 0;  // since the last progress
    std::uint64_t livelock_limit_ = kLivelockLimit;
    Duration works_until_;
    PacketNumbers::Made packets_ = PacketNumbers::Made(1);
    std::size_t part_ = 0;
    std::vector<std::unique_ptr<PoolAccount>> pools_;
    std::vector<std::pair<const std::type_info*, std::shared_ptr<void>>> shared_;
    std::vector<Component*> components_;
    std::vector<std::uint32_t> parts_;
    std::exception_ptr failure_;
    std::function<void(double)> progress_;
};

}  // namespace ringmesh
