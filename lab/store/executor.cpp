// SPDX-License-Identifier: Apache-2.0
#include "lab/store/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>
#include <utility>

#include "lab/process/child_process.h"
#include "lab/run/order/order_check.h"
#include "lab/run/record/run_status.h"
#include "lab/store/point_lock.h"
#include "tlm/error.h"
#include "tlm/simulation/fault.h"

namespace ringmesh::lab {
namespace {

using Clock = std::chrono::steady_clock;

/// While other processes run all that is left.
constexpr std::chrono::milliseconds kBetweenOffers{50};

/// Wishes that one run answers.
struct Equal {
    std::vector<std::size_t> wishes;
    std::chrono::duration<double> limit;  ///< the longest of theirs; zero: one has none
    bool every_block = false;             ///< one wants it
};

/// What these find is about the model: it is no outcome of a point. @throws ModelError with the title of the wish
void require_any_orders(std::span<const Wish> wishes, const std::vector<Equal>& runs, unsigned parallel)
{
    std::vector<Job> jobs;
    for (const Equal& equal : runs) {
        jobs.emplace_back([&wish = wishes[equal.wishes.front()]]() -> std::string {
            try {
                require_any_order(wish.request, 1);
            } catch (const ModelError& error) {
                throw ModelError(fmt::format("{}: {}", wish.title, error.what()));
            }
            return {};
        });
    }
    run_in_children(jobs, parallel);
}

/// Text of the finished point.
std::string run_to_point(const Wish& wish, const std::string& key, bool every_block)
{
    const auto start = Clock::now();
    Experiment experiment(wish.request);
    if (every_block) experiment.measure_use();
    experiment.prepare_simulation();
    experiment.build();
    run_watched(experiment, wish.title, "", true);
    if (const int status = experiment.workload().exit_status(); status != 0) {
        throw UserError(
            fmt::format("its program ended with exit status {}; run it alone to see what it prints", status));
    }
    Point point = point_of(experiment, key, every_block);
    point.record.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return point_text(point);
}

PointState state_of(const JobEnd& end)
{
    switch (end.how) {
        case JobEnd::How::kResult: return PointState::kDone;
        case JobEnd::How::kStuckError: return PointState::kStuck;
        case JobEnd::How::kFaultError: return PointState::kFault;
        case JobEnd::How::kLate: return PointState::kLate;
        case JobEnd::How::kUserError: return PointState::kRefused;
        default: return PointState::kFailed;
    }
}

/// The point of a run that came to nothing.
Point failed_point(const Wish& wish, const std::string& key, const JobEnd& end, double limit_seconds)
{
    Experiment experiment(wish.request);
    Point point = point_of(experiment, key, false);
    point.header.state = state_of(end);
    point.header.message = end.text;
    if (point.header.state == PointState::kLate) point.header.limit_seconds = limit_seconds;
    return point;
}

/// Whether a run would end in the same way again. A crash and a lack of memory depend on the machine.
bool is_worth_keeping(const JobEnd& end)
{
    return end.how != JobEnd::How::kCrash && end.how != JobEnd::How::kOtherError;
}

/// Whether the point answers a wish by these rules. What was late once may be in time for those who wait longer.
bool is_answer(const PointHeader& found, const Equal& equal, const ExecutionRules& rules)
{
    if (found.state == PointState::kDone) return found.every_block || !equal.every_block;
    if (rules.retry) return false;
    if (found.state != PointState::kLate) return true;
    return equal.limit.count() > 0 && equal.limit.count() <= found.limit_seconds;
}

/// The part of a wish that an error is about; null if it names none.
const WishPart* part_in(const Wish& wish, std::string_view error)
{
    for (const WishPart& part : wish.parts) {
        if (!part.text.empty() && error.find(part.text) != std::string_view::npos) return &part;
    }
    return nullptr;
}

/// "study.toml:4: t, x=1: options.size=5: unknown key 'size'"
std::string placed(const Wish& wish, std::string error)
{
    const WishPart* part = part_in(wish, error);
    if (part != nullptr && !part->shown.empty()) error.replace(error.find(part->text), part->text.size(), part->shown);
    return fmt::format("{}: {}: {}", part == nullptr ? wish.where : part->where, wish.title, error);
}

/// What came of a wish.
void take(Granted& granted, const Wish& wish, PointState state, const std::string& message)
{
    granted.state = state;
    granted.message = message;
    if (state != PointState::kRefused) return;
    const WishPart* part = part_in(wish, message);
    granted.place = part == nullptr ? wish.where : part->where;
}

bool differ_in_seed_alone(const ExperimentRequest& one, const ExperimentRequest& other)
{
    return one.platform == other.platform && one.overlays == other.overlays && one.settings == other.settings &&
           one.workload == other.workload && one.library == other.library;
}

KeysBySeed identity_of(const Wish& wish)
{
    try {
        return KeysBySeed(Experiment(wish.request));
    } catch (const UserError& error) {
        if (!wish.where.empty()) throw UserError(placed(wish, error.what()));
        throw UserError(wish.title.empty() ? error.what() : fmt::format("{}: {}", wish.title, error.what()));
    }
}

}  // namespace

ExecutionRules rules_of(const StoreOptions& options)
{
    return {.parallel = options.parallel(),
            .fresh = options.fresh || options.check_order,
            .retry = options.retry,
            .check_order = options.check_order};
}

std::string KeyFinder::key_of(const Wish& wish)
{
    if (!wish.key.empty()) return wish.key;
    if (!repetitions_ || !differ_in_seed_alone(first_, wish.request)) {
        repetitions_ = identity_of(wish);
        first_ = wish.request;
    }
    return repetitions_->key(wish.request.seed);
}

std::string Granted::failure(const std::string& title) const
{
    const std::string text = fmt::format("{}: {}: {}", title, kPointStates.name(state), message);
    return place.empty() ? text : fmt::format("{}: {}", place, text);
}

void Granted::require_done(const std::string& title) const
{
    const std::string text = fmt::format("{}: {}", title, message);
    if (state == PointState::kRefused) throw UserError(place.empty() ? text : fmt::format("{}: {}", place, text));
    if (state == PointState::kStuck) throw StuckError(text);
    if (state == PointState::kFault) throw FaultError(text);
    if (state != PointState::kDone) throw ModelError(text);
}

std::vector<Granted> grant(Store& store, std::span<const Wish> wishes, const ExecutionRules& rules,
                           const std::function<void(const Execution&)>& progress)
{
    std::vector<Granted> all(wishes.size());
    std::vector<Equal> runs;  // in the order of their first wishes
    std::map<std::string, std::size_t> known;
    KeyFinder finder;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        const Wish& wish = wishes[i];
        all[i].key = finder.key_of(wish);
        const auto [place, is_new] = known.emplace(all[i].key, runs.size());
        if (is_new) runs.push_back({.wishes = {}, .limit = wish.limit});
        Equal& equal = runs[place->second];
        equal.wishes.push_back(i);
        equal.every_block = equal.every_block || wish.every_block;
        const bool limited = equal.limit.count() > 0 && wish.limit.count() > 0;
        equal.limit = limited ? std::max(equal.limit, wish.limit) : std::chrono::duration<double>(0);
    }
    Execution execution{.wanted = runs.size()};
    const auto key_of = [&](const Equal& equal) -> const std::string& { return all[equal.wishes.front()].key; };
    const auto is_there = [&](const Equal& equal) {
        const auto found = rules.fresh ? std::nullopt : store.find_header(key_of(equal));
        if (!found || !is_answer(*found, equal, rules)) return false;
        ++execution.cached;
        for (const std::size_t i : equal.wishes) {
            all[i].cached = true;
            take(all[i], wishes[i], found->state, found->message);
        }
        return true;
    };
    std::erase_if(runs, is_there);
    if (progress) progress(execution);
    if (!runs.empty()) store.require_writable();
    if (rules.check_order) require_any_orders(wishes, runs, rules.parallel);

    while (!runs.empty()) {
        std::vector<Job> jobs;
        std::vector<std::chrono::duration<double>> limits;
        for (const Equal& equal : runs) {
            limits.push_back(equal.limit);
            jobs.emplace_back(
                [&] { return run_to_point(wishes[equal.wishes.front()], key_of(equal), equal.every_block); });
        }
        std::map<std::size_t, PointLock> locks;  // of jobs
        std::vector<Equal> elsewhere;            // another process runs them
        const auto starts = [&](std::size_t job) {
            const Equal& equal = runs[job];
            if (rules.fresh) return true;
            auto lock = PointLock::take(store, key_of(equal));
            if (!lock) {
                elsewhere.push_back(equal);
                return false;
            }
            if (is_there(equal)) {
                if (progress) progress(execution);
                return false;
            }
            locks.emplace(job, std::move(*lock));
            return true;
        };
        const auto ended = [&](const JobEnd& end) {
            const Equal& equal = runs[end.job];
            const std::string& key = key_of(equal);
            const bool done = end.how == JobEnd::How::kResult;
            const PointState state = state_of(end);
            if (done) {
                store.put_text(key, end.text);
                execution.delta_cycles += header_from_text(end.text).delta_cycles;
            } else if (const auto before = store.find_header(key);
                       is_worth_keeping(end) && !(before && before->state == PointState::kDone)) {
                store.put(failed_point(wishes[equal.wishes.front()], key, end, equal.limit.count()));
            }
            locks.erase(end.job);
            ++(done ? execution.done : state == PointState::kLate ? execution.late : execution.failed);
            for (const std::size_t i : equal.wishes) {
                all[i].ran = true;
                take(all[i], wishes[i], state, done ? "" : end.text);
            }
            if (progress) progress(execution);
            return Then::kGoOn;
        };
        run_in_children(jobs, rules.parallel, limits, ended, starts);
        const bool all_are_elsewhere = elsewhere.size() == runs.size();
        runs = std::move(elsewhere);
        if (all_are_elsewhere) std::this_thread::sleep_for(kBetweenOffers);
    }
    return all;
}

Granted look_up(const Wish& wish, const Store& store)
{
    Granted granted;
    granted.key = wish.key;
    if (const auto found = store.find_header(granted.key)) {
        granted.cached = true;
        take(granted, wish, found->state, found->message);
    }
    return granted;
}

}  // namespace ringmesh::lab
