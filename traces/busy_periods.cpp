// SPDX-License-Identifier: Apache-2.0
#include "traces/busy_periods.h"

#include <algorithm>

#include "tlm/error.h"
#include "tlm/quantity.h"

namespace ringmesh {

std::uint32_t BusyPeriods::add(VcdWriter& writer, const std::string& name)
{
    const std::uint32_t word = writer.declare({name, SignalKind::kWord, 1});
    const std::uint32_t id = writer.declare({name + "_id", SignalKind::kUnsigned, 64});
    slots_.push_back({word, id});
    return static_cast<std::uint32_t>(slots_.size() - 1);
}

void BusyPeriods::report(const VcdWriter& writer, std::uint32_t slot_number, Duration from, Duration to,
                         std::string_view what, std::uint64_t id)
{
    Slot& slot = slots_[slot_number];
    const auto refuse = [&](const std::string& why) {
        throw ModelError("activity '" + writer.signals()[slot.word_signal].name + "', busy from " + to_string(from) +
                         " to " + to_string(to) + " with " + std::string(what) + ' ' + std::to_string(id) + ": " + why);
    };
    if (to < from) refuse("it ends before it begins");
    std::erase_if(slot.ahead, [this](const Span& span) { return span.to <= written_until_; });
    for (const Span& span : slot.ahead) {
        if (from >= span.to || to <= span.from) continue;
        refuse("another period goes from " + to_string(span.from) + " to " + to_string(span.to));
    }
    if (begun_ && from < written_until_) refuse("that was reported after " + to_string(written_until_));
    slot.ahead.push_back({from, to});
    from = std::max(from, written_until_);
    if (to <= from) return;

    auto known = numbers_of_words_.find(what);
    if (known == numbers_of_words_.end()) {
        known = numbers_of_words_.emplace(what, static_cast<std::uint32_t>(words_.size())).first;
        words_.emplace_back(what);
    }
    changes_.push({from, sequence_++, slot_number, {known->second, id}});
    changes_.push({to, sequence_++, slot_number, {}});
}

void BusyPeriods::take_changes_of(Duration time)
{
    for (; !changes_.empty() && changes_.top().at == time; changes_.pop()) {
        const Change& change = changes_.top();
        slots_[change.slot].next = change.state;
        touched_.push_back(change.slot);
    }
}

void BusyPeriods::write(VcdWriter& writer, const Slot& slot) const
{
    writer.change_word(slot.word_signal, words_[slot.shown.word]);
    if (slot.shown.word == 0) {
        writer.change_to_none(slot.id_signal);
    } else {
        writer.change_number(slot.id_signal, slot.shown.id);
    }
}

void BusyPeriods::write_all(VcdWriter& writer)
{
    take_changes_of(written_until_);
    touched_.clear();
    for (Slot& slot : slots_) {
        slot.shown = slot.next;
        write(writer, slot);
    }
    begun_ = true;
}

void BusyPeriods::write_before(VcdWriter& writer, Duration end)
{
    while (!changes_.empty() && changes_.top().at < end) {
        const Duration time = changes_.top().at;
        take_changes_of(time);
        writer.set_time(time);
        for (const std::uint32_t touched : touched_) {
            Slot& slot = slots_[touched];
            if (slot.next == slot.shown) continue;
            slot.shown = slot.next;
            write(writer, slot);
        }
        touched_.clear();
    }
    written_until_ = std::max(written_until_, end);
}

}  // namespace ringmesh
