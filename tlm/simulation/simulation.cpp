// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh {

Simulation::Simulation(std::uint64_t seed) : seed_(seed), calendar_(sc_core::sc_gen_unique_name("calendar"))
{
    if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS)) {
        sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
    }
}

void Simulation::divide(Processes& processes)
{
    division_ = std::make_unique<Division>(processes, calendar_);
    faults_.divide(division_->observations());
    refusals_of_all_ = std::make_unique<Refusals>(*division_, livelock_limit_, [this](Duration at) {
        // All processes tell the first one how they stand
        const std::exception_ptr error = livelock(at);
        if (division_->gives_results()) std::rethrow_exception(error);
    });
}

void Simulation::run()
{
    if (division_) {
        try {
            division_->run(calendar_.next(), [this](Duration end) {
                if (end == Duration::never()) {  // no part has an effect on another
                    run_freely();
                } else {
                    run_until(end);
                }
                return calendar_.next();
            });
        } catch (const std::exception& error) {
            end_ = division_->all_have_failed() ? division_->failed_at() : calendar_.reached();
            Calendar::rest_at(end_);
            if (dynamic_cast<const FaultError*>(&error) != nullptr) throw by_fault(error.what());
            throw;
        }
        end_ = division_->longest(calendar_.reached());
        Calendar::rest_at(end_);
        return;
    }
    run_freely();
}

void Simulation::run_freely()
{
    calendar_.run_ahead_until(Duration::never());
    sc_core::sc_start();
    calendar_.run_ahead_until(Duration::zero());
    rethrow_failure();
}

Duration Simulation::end() const { return division_ ? end_ : now(); }

void Simulation::run_until(Duration end)
{
    calendar_.run_ahead_until(end);
    // sc_start(t) does not run events due exactly at its end: run one picosecond further.
    sc_core::sc_start(to_kernel(end - now() + Duration::picoseconds(1)));
    calendar_.run_ahead_until(Duration::zero());
    rethrow_failure();
}

void Simulation::lost(const std::string& text)
{
    ++losses_;
    if (!counts_losses_) fail(std::make_exception_ptr(FaultError(text)));
}

void Simulation::fail(std::exception_ptr error)
{
    if (failure_) return;  // others fail, too, before the kernel has stopped
    failure_ = std::move(error);
    calendar_.stop();
    sc_core::sc_stop();
}

FaultError Simulation::by_fault(const std::string& text) const
{
    const std::string struck = faults_.struck();
    return FaultError(struck.empty() ? text : struck + "; " + text);
}

void Simulation::rethrow_failure()
{
    if (!failure_) return;
    try {
        std::rethrow_exception(std::exchange(failure_, nullptr));
    } catch (const FaultError& error) {
        if (division_) throw;  // what has struck is known when all processes have told
        throw by_fault(error.what());
    }
}

std::uint64_t Simulation::steps() const { return sc_core::sc_delta_count() + calendar_.additional_steps(); }

Standing Simulation::standing() const
{
    Standing standing{.at = now(), .steps = steps(), .under_way = {}, .held = {}};
    for (const auto& account : pools_) {
        if (account->in_use() != 0) standing.under_way.push_back(account->under_way());
    }
    for (std::size_t i = 0; i < components_.size(); ++i) {
        const Component* const component = components_[i];
        std::string what = component->pending();
        if (what.empty()) continue;
        using Part = Standing::Held::Part;
        std::string name = component->component_name();
        const Part part = faults_.struck_at(name)   ? Part::kStruck
                          : component->only_waits() ? Part::kOnlyWaits
                                                    : Part::kUsual;
        standing.held.push_back({std::move(name), std::move(what), part, std::uint64_t{parts_[i]} << 32U | i});
    }
    return standing;
}

Standing Simulation::standing_of_all() const
{
    all_ask_ = division_ != nullptr;
    Standing all = standing();
    all_ask_ = false;
    if (!division_) return all;
    Parcel own;
    if (!division_->gives_results()) {
        own.put(all.under_way.size());
        for (const Standing::UnderWay& kind : all.under_way) {
            own.put(kind.kind);
            own.put(kind.count);
            own.put(kind.oldest);
            own.put(kind.what);
            own.put(kind.born);
        }
        own.put(all.held.size());
        for (const Standing::Held& held : all.held) {
            own.put(held.block);
            own.put(held.what);
            own.put(held.part);
            own.put(held.order);
        }
    }
    for (Parcel& parcel : division_->gather(own)) {
        for (auto left = parcel.take<std::size_t>(); left > 0; --left) {
            Standing::UnderWay there;
            there.kind = parcel.take_text();
            there.count = parcel.take<std::size_t>();
            there.oldest = parcel.take<std::uint64_t>();
            there.what = parcel.take_text();
            there.born = parcel.take<Duration>();
            const auto here = std::find_if(all.under_way.begin(), all.under_way.end(),
                                           [&](const auto& kind) { return kind.kind == there.kind; });
            if (here == all.under_way.end()) {
                all.under_way.push_back(std::move(there));
                continue;
            }
            there.count += here->count;
            const auto age = [](const Standing::UnderWay& kind) { return std::pair(kind.born, kind.oldest); };
            if (there.oldest == 0 || (here->oldest != 0 && age(*here) <= age(there))) {
                here->count = there.count;
            } else {
                *here = std::move(there);
            }
        }
        for (auto left = parcel.take<std::size_t>(); left > 0; --left) {
            Standing::Held there;
            there.block = parcel.take_text();
            there.what = parcel.take_text();
            there.part = parcel.take<Standing::Held::Part>();
            there.order = parcel.take<std::uint64_t>();
            all.held.push_back(std::move(there));
        }
    }
    std::stable_sort(all.held.begin(), all.held.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
    return all;
}

std::string text_of(const Standing& standing)
{
    constexpr std::size_t kShown = 128;  // the cores of an SCC and their libraries are 96
    constexpr std::size_t kShownThatWait = 4;
    PendingText counts;
    const Standing::UnderWay* oldest = nullptr;
    for (const Standing::UnderWay& kind : standing.under_way) {
        counts.add(kind.count, kind.kind);
        if (kind.oldest != 0 && (oldest == nullptr || kind.born < oldest->born)) oldest = &kind;
    }
    std::string text;
    if (!counts.text().empty()) text = fmt::format("under way: {}", counts.text());
    if (oldest != nullptr) {
        text +=
            fmt::format("; the oldest is {}, a {}, born at {:.3f} us", oldest->oldest, oldest->what, oldest->born.us());
    }
    if (standing.held.empty()) return text.empty() ? "all blocks are idle" : text + "; all blocks are idle";
    text += text.empty() ? "these blocks are not idle:" : "; these blocks are not idle:";
    using Part = Standing::Held::Part;
    for (const Part part : {Part::kStruck, Part::kUsual, Part::kOnlyWaits}) {
        const std::size_t most = part == Part::kOnlyWaits ? kShownThatWait : kShown;
        std::size_t count = 0;
        for (const Standing::Held& held : standing.held) {
            if (held.part == part && ++count <= most) text += fmt::format("\n  {}: {}", held.block, held.what);
        }
        if (count > most) {
            text += fmt::format("\n  and {} more{}", count - most, part == Part::kOnlyWaits ? " like these" : "");
        }
    }
    return text;
}

void Simulation::give_up()
{
    if (now() < works_until_) {
        refusals_ = 0;
        return;
    }
    fail(livelock(now()));
}

std::exception_ptr Simulation::livelock(Duration at) const
{
    const std::string text = fmt::format("livelock at {:.3f} us: every request was refused, {} times in a row; {}",
                                         at.us(), livelock_limit_, text_of(standing_of_all()));
    return faults_.struck().empty() ? std::make_exception_ptr(LivelockError(text))
                                    : std::make_exception_ptr(FaultError(text));
}

std::size_t Simulation::objects_in_use() const
{
    std::size_t sum = 0;
    for (const auto& account : pools_) sum += account->in_use();
    return sum;
}

void Simulation::require_drained() const
{
    const Standing at_end = standing_of_all();
    if (division_ && !division_->gives_results()) return;
    if (!at_end.held.empty()) {
        const std::string text = fmt::format("no progress at {:.3f} us; {}", end().us(), text_of(at_end));
        if (faults_.struck().empty()) throw StuckError(text);
        throw by_fault(text);
    }
    PendingText lost;
    for (const Standing::UnderWay& kind : at_end.under_way) lost.add(kind.count, kind.kind);
    if (lost.text().empty()) return;
    throw ModelError(fmt::format("neither delivered nor held by any block: {}", lost.text()));
}

}  // namespace ringmesh
