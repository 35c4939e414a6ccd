// SPDX-License-Identifier: Apache-2.0
#include "traces/playback/player.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "tlm/error.h"
#include "tlm/units/quantity.h"
#include "traces/changes/record_reader.h"

namespace ringmesh {

namespace {

constexpr Duration kTick = Duration::picoseconds(1);

/// An empty word, which is hard to see, becomes "-"; white space becomes underscores.
std::string printable(std::string_view word)
{
    if (word.empty()) return "-";
    std::string text(word);
    for (char& c : text) {
        if (c <= ' ' || c > '~') c = '_';
    }
    return text;
}

}  // namespace

Player::Player(const Recorded& about, std::vector<WaveWriter*> writers, Window window)
    : about_(about), writers_(std::move(writers)), window_(window)
{}

void Player::prepare()
{
    state_.resize(about_.signals.size());
    changed_.resize(about_.signals.size());
    periods_.resize(about_.activities.size());
}

void Player::play(RecordBlock block)
{
    prepare();
    read_records(block, *this);
}

void Player::write_activity(std::uint32_t slot)
{
    const ActivitySignals& signals = about_.activities[slot];
    const BusyPeriods::State& state = periods_.shown(slot);
    for (WaveWriter* writer : writers_) writer->change_activity(signals, words_[state.word], state.word == 0, state.id);
}

void Player::write_state()
{
    std::vector<std::uint32_t> slots(about_.signals.size(), UINT32_MAX);
    for (std::uint32_t slot = 0; slot < about_.activities.size(); ++slot) slots[about_.activities[slot].word] = slot;
    for (std::uint32_t signal = 0; signal < state_.size(); ++signal) {
        if (slots[signal] != UINT32_MAX) write_activity(slots[signal]);
        const Value& value = state_[signal];
        switch (value.sort) {
            case Value::Sort::kNone: break;
            case Value::Sort::kNumber: number(signal, value.bits); break;
            case Value::Sort::kReal: real(signal, std::bit_cast<double>(value.bits)); break;
            case Value::Sort::kWord: word(signal, static_cast<std::uint32_t>(value.bits)); break;
            case Value::Sort::kText: text(signal, value.text); break;
        }
    }
}

void Player::begin()
{
    prepare();
    if (words_.empty()) words_.emplace_back("idle");
    periods_.take_before(window_.from + kTick, [](Duration, std::uint32_t, const BusyPeriods::State&) {});
    for (WaveWriter* writer : writers_) writer->begin(about_.signals, window_.from);
    begun_ = true;
    last_ = window_.from;
    write_state();
    for (WaveWriter* writer : writers_) writer->end_of_initial_values();
    std::fill(changed_.begin(), changed_.end(), false);
    state_.clear();
}

void Player::write_stages()
{
    for (const ToldStage& each : stages_) {
        const StageOfPlace stage{
            words_[each.place], static_cast<StageKind>(each.kind), words_[each.word], each.packet, each.from, each.to};
        for (WaveWriter* writer : writers_) writer->stage(stage);
    }
    stages_.clear();
    told_in_window_ = 0;
}

void Player::take_before(Duration end)
{
    Duration stamped = -kTick;
    periods_.take_before(end, [&](Duration time, std::uint32_t slot, const BusyPeriods::State&) {
        if (time != stamped) {
            for (WaveWriter* writer : writers_) writer->set_time(time);
            stamped = last_ = time;
        }
        write_activity(slot);
        const ActivitySignals& signals = about_.activities[slot];
        changed_[signals.word] = changed_[signals.id] = true;
    });
}

void Player::step(Duration time)
{
    if (over_) return;
    if (time <= window_.to) {
        told_in_window_ = stages_.size();
    } else {
        stages_.resize(told_in_window_);
    }
    if (!begun_) {
        if (time <= window_.from) {
            periods_.take_before(time, [](Duration, std::uint32_t, const BusyPeriods::State&) {});
            return;
        }
        begin();
    }
    // What begins at this time may still be reported
    take_before(std::min(time, window_.to));
    // Once for each step, and without what is told behind the window: so the file does not depend on steps in which
    // nothing was told
    write_stages();
    over_ = time > window_.to;
    if (over_) return;
    time_ = time;
    for (WaveWriter* writer : writers_) writer->set_time(time);
}

template <class Write>
void Player::change(std::uint32_t signal, Write write)
{
    if (over_) return;
    for (WaveWriter* writer : writers_) write(*writer);
    changed_[signal] = true;
    last_ = std::max(last_, time_);
}

void Player::number(std::uint32_t signal, std::uint64_t value)
{
    if (!begun_) {
        state_[signal] = {Value::Sort::kNumber, value};
        return;
    }
    change(signal, [=](WaveWriter& writer) { writer.change_number(signal, value); });
}

void Player::real(std::uint32_t signal, double value)
{
    if (!begun_) {
        state_[signal] = {Value::Sort::kReal, std::bit_cast<std::uint64_t>(value)};
        return;
    }
    change(signal, [=](WaveWriter& writer) { writer.change_real(signal, value); });
}

void Player::word(std::uint32_t signal, std::uint32_t word)
{
    if (!begun_) {
        state_[signal] = {Value::Sort::kWord, word};
        return;
    }
    change(signal, [&](WaveWriter& writer) { writer.change_word(signal, words_[word]); });
}

void Player::trigger(std::uint32_t signal)
{
    // An event has no value that could last
    if (begun_) change(signal, [=](WaveWriter& writer) { writer.trigger(signal); });
}

void Player::text(std::uint32_t signal, std::string_view text)
{
    if (!begun_) {
        state_[signal] = {Value::Sort::kText, 0, std::string(text)};
        return;
    }
    if (about_.signals[signal].kind == SignalKind::kWord) {
        change(signal, [&, word = printable(text)](WaveWriter& writer) { writer.change_word(signal, word); });
    } else {
        change(signal, [&](WaveWriter& writer) { writer.change_bits(signal, text); });
    }
}

void Player::busy(std::uint32_t slot, Duration from, Duration to, std::uint32_t word, std::uint64_t id)
{
    if (over_) return;
    if (followed_ != 0 && id == followed_) followed_slots_.try_emplace(slot, from);
    const std::string_view problem = periods_.report(slot, from, to, {word, id});
    if (problem.empty()) return;
    throw ModelError("activity '" + about_.signals[about_.activities[slot].word].name + "', busy from " +
                     to_string(from) + " to " + to_string(to) + " with " + words_[word] + ' ' + std::to_string(id) +
                     ": " + std::string(problem));
}

std::vector<std::uint32_t> Player::path() const
{
    std::vector<std::pair<Duration, std::uint32_t>> order;
    order.reserve(followed_slots_.size());
    for (const auto& [slot, from] : followed_slots_) order.emplace_back(from, slot);
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> slots;
    slots.reserve(order.size());
    for (const auto& [from, slot] : order) slots.push_back(slot);
    return slots;
}

void Player::new_word(std::string_view text) { words_.push_back(printable(text)); }

void Player::comment(std::string_view text)
{
    if (!begun_ || over_) return;
    for (WaveWriter* writer : writers_) writer->comment(text);
}

void Player::stage(std::uint32_t place, std::uint32_t kind, std::uint32_t word, std::uint64_t packet, Duration from,
                   Duration to)
{
    if (over_ || to < window_.from || from > window_.to || (kind & kNotShown) != 0) return;
    from = std::max(from, window_.from);
    to = std::min(to, window_.to);
    stages_.push_back({place, kind, word, packet, from, to});
}

void Player::finish(Duration end, std::string_view stopped)
{
    if (end < window_.from) {
        for (WaveWriter* writer : writers_) writer->finish(about_.signals, {}, stopped);
        return;
    }
    if (!begun_) begin();
    over_ = true;
    const Duration last = std::min(window_.to, Duration::never() - kTick);
    take_before(last + kTick);
    write_stages();
    last_ = std::max(last_, std::min(end, window_.to));
    for (WaveWriter* writer : writers_) writer->finish(about_.signals, last_, stopped);
}

std::optional<Window> Player::recorded() const
{
    if (!begun_) return {};
    return Window{window_.from, last_};
}

}  // namespace ringmesh
