// SPDX-License-Identifier: Apache-2.0
#include "tlm/statistics/use.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tlm/statistics/activity.h"
#include "tlm/statistics/component.h"
#include "tlm/statistics/totals.h"

namespace ringmesh {

void PlaceUse::state(std::string_view word, bool idle, Duration at)
{
    settle_state(at.ps());
    idle_ = idle;
    state_ = 0;
    while (state_ < states_ps_.size() && states_ps_[state_].first != word) ++state_;
    if (state_ == states_ps_.size()) states_ps_.emplace_back(word, 0);
}

void PlaceUse::settle_state(std::int64_t at)
{
    const std::int64_t span = at - since_ps_;
    if (span > 0 && !states_ps_.empty()) {
        states_ps_[state_].second += span;
        if (!idle_) busy(Duration::picoseconds(since_ps_), Duration::picoseconds(at), {.bytes = 0, .packets = 0});
    }
    since_ps_ = at;
}

void PlaceUse::begin_level(std::uint32_t level, std::int64_t at)
{
    levels_ps_.assign(1, 0);
    level_ = highest_ = level;
    since_ps_ = at;
}

PlaceUse::Sample& PlaceUse::sample(std::int64_t at)
{
    while (static_cast<std::size_t>(at / meter_.every_ps_) >= meter_.most_) meter_.coarsen();
    const auto index = static_cast<std::size_t>(at / meter_.every_ps_);
    if (index >= samples_.size()) samples_.resize(index + 1);
    return samples_[index];
}

template <class Add>
void PlaceUse::spread(std::int64_t from, std::int64_t to, Add add)
{
    while (from < to) {
        Sample& in = sample(from);
        const std::int64_t end = std::min(to, (from / meter_.every_ps_ + 1) * meter_.every_ps_);
        add(in, end - from);
        from = end;
    }
}

void PlaceUse::sample_busy(std::int64_t from, std::int64_t to, Carried carried)
{
    Sample& first = sample(from);
    first.bytes += carried.bytes;
    first.packets += carried.packets;
    spread(from, to, [](Sample& in, std::int64_t span) { in.busy_ps += span; });
}

void PlaceUse::sample_level(std::int64_t from, std::int64_t to)
{
    spread(from, to, [this](Sample& in, std::int64_t span) { in.level_ps += span * level_; });
}

void PlaceUse::merge_samples()
{
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        samples_[i / 2] = i % 2 == 0 ? samples_[i] : samples_[i / 2] + samples_[i];
    }
    samples_.resize((samples_.size() + 1) / 2);
}

void StateWord::note() const { use_->state(word_, std::find(idle_.begin(), idle_.end(), word_) != idle_.end(), now()); }

/// The places of one block after the other.
class UseMeter::Attacher final : public PlaceVisitor {
public:
    explicit Attacher(UseMeter& meter) : meter_(meter) {}
    void of(Component& component)
    {
        block_ = component.component_name();
        component.places(*this);
    }
    void busy(std::string_view name, std::string_view kind, const Activity& activity) override
    {
        PlaceUse& use = add(name, kind);
        use.has_busy_ = true;
        activity.use_ = &use;
    }
    void level(std::string_view name, std::string_view kind, const Level& level, std::uint64_t room) override
    {
        PlaceUse& use = add(name, kind);
        use.room_ = room;
        use.begin_level(level, now().ps());
        level.use_ = &use;
    }
    void state(std::string_view name, std::string_view kind, const StateWord& word,
               std::span<const std::string_view> idle) override
    {
        PlaceUse& use = add(name, kind);
        use.has_busy_ = true;
        use.since_ps_ = now().ps();
        word.use_ = &use;
        word.idle_ = idle;
        word.note();
    }

private:
    PlaceUse& add(std::string_view name, std::string_view kind)
    {
        return meter_.add(fmt::format("{}.{}", block_, name), kind);
    }

    UseMeter& meter_;
    std::string block_;
};

PlaceUse& UseMeter::add(std::string name, std::string_view kind)
{
    PlaceUse& use = *places_.emplace_back(std::make_unique<PlaceUse>(*this, std::move(name), kind));
    use.sampled_ = every_ps_ > 0;
    return use;
}

void UseMeter::attach(const std::vector<Component*>& components)
{
    Attacher attacher(*this);
    for (Component* component : components) attacher.of(*component);
    constexpr std::size_t kFewest = 64;
    most_ = std::max(kFewest, kMostSamples / std::max<std::size_t>(1, places_.size()));
}

void UseMeter::finish(Duration at)
{
    for (const auto& use : places_) {
        if (use->has_level()) use->settle_level(at.ps());
        if (!use->states_ps_.empty()) use->settle_state(at.ps());
    }
}

void UseMeter::add_up(Totals& totals)
{
    for (const auto& use : places_) use->add_up(totals);
}

void PlaceUse::add_up(Totals& totals)
{
    totals.sum(busy_ps_);
    totals.sum(bytes_);
    totals.sum(packets_);
    totals.sum(waits_);
    totals.sum(refusals_);
    totals.sum(waited_ps_);
    totals.sum(area_ps_);
    totals.highest(longest_wait_ps_);
    totals.highest(highest_);
    totals.sum_list(samples_);
    const auto all = [this] { return std::accumulate(levels_ps_.begin(), levels_ps_.end(), std::int64_t{0}); };
    const std::int64_t before = all();
    totals.sum_list(levels_ps_);
    if (!levels_ps_.empty()) levels_ps_.front() -= all() - before;
    if (!states_ps_.empty()) add_up_states(totals);
}

/// All processes know the first state.
void PlaceUse::add_up_states(Totals& totals)
{
    for (const auto& [word, span] : totals.theirs(states_ps_)) {
        const auto known = std::find_if(states_ps_.begin(), states_ps_.end(),
                                        [&word = word](const auto& each) { return each.first == word; });
        if (known != states_ps_.end()) {
            known->second += span;
        } else {
            states_ps_.emplace_back(*meter_.words_.insert(word).first, span);
        }
        states_ps_.front().second -= span;
    }
}

void UseMeter::coarsen()
{
    every_ps_ *= 2;
    for (const auto& use : places_) use->merge_samples();
}

}  // namespace ringmesh
