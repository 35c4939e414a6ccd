// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/scc/address_map.h"
#include "hw/scc/core/scc_core.h"
#include "tlm/activity.h"
#include "tlm/error.h"

/// Polls. The first round of looks is made as the program's loop makes it. If then nothing has changed, the core
/// watches the places and sleeps; when one of them changes it makes the look that the loop would have made first to see
/// it.
namespace ringmesh::hw {

namespace {

constexpr bool uses_message_buffer(PageKind kind) { return kind == PageKind::kMessageBuffer; }

SystemAddress line_of(SystemAddress place)
{
    place.offset = place.offset / kCacheLine * kCacheLine;
    return place;
}

}  // namespace

void SccCore::begin(const PollAnyRequest& request)
{
    ++unit_.stats.polls;
    const std::span places{request.places, request.count};
    if (places.empty()) throw ModelError(fmt::format("core {} polls nothing", config_.rank));
    spins_ = false;
    for (const PollRequest& place : places) {
        check_width(place.size, "poll");
        if (place.address % kCacheLine + place.size > kCacheLine) {
            throw UserError(fmt::format("core {}: a poll of {} bytes at {:#x}, across the end of a line; align it",
                                        config_.rank, place.size, place.address));
        }
        spins_ |= kind_of(place) != PageKind::kCached && !watchable(place);
    }
    rhythm_.begin(places);
    at_place_ = 0;
    looking_ = all_looked_at_ = false;
    poll_began_ = unit_.time;
    start(Doing::kPoll, "polling");
}

PageKind SccCore::kind_of(const PollRequest& place) const { return pages_.translate(place.address).kind; }

bool SccCore::watchable(const PollRequest& place) const
{
    return uses_message_buffer(kind_of(place)) && unit_.place_of(place.address).space == Space::kMessageBuffer;
}

bool SccCore::poll_on()
{
    if (std::exchange(seen_, false)) return end_poll(at_place_);
    for (;;) {
        const PollRequest& place = rhythm_.places()[at_place_];
        if (!look(place)) return false;
        if (PollRhythm::ended_by(place, {word_.data(), place.size})) return end_poll(at_place_);
        if (++at_place_ == rhythm_.places().size()) {
            at_place_ = 0;
            all_looked_at_ = true;
            if (spins_) simulation_.refused();
        }
        if (spins_ || !all_looked_at_) continue;
        sleep();
        return false;
    }
}

/// One look of the loop: CL1INVMB where it is needed, and a load.
bool SccCore::look(const PollRequest& place)
{
    if (!looking_) {
        looking_ = true;
        look_began_ = unit_.time;
        ++unit_.stats.looks;
        if (uses_message_buffer(kind_of(place))) unit_.invalidate_message_buffers();
    }
    if (unit_.load(place.address, {word_.data(), place.size}, place.size, config_.core.loop) == 0) return false;
    looking_ = false;
    Duration takes = unit_.time - look_began_;
    Duration until_sees;
    if (uses_message_buffer(kind_of(place))) {
        // Not what the first look waited for: a write that was out.
        const auto& read = unit_.last_read();
        const Duration begun = cycles(config_.core.invalidate) + cycles(config_.core.load_issue);
        takes = begun + (unit_.time - read.ready);
        until_sees = begun + (read.leaves - read.ready) + (read.answered - read.leaves) / 2;
    }
    rhythm_.looked(at_place_, takes, until_sees, unit_.time);
    return true;
}

/// Nothing was to be seen: waits for a change.
void SccCore::sleep()
{
    next_look_.sees = next_look_due_ = Duration::never();
    wait_ = Wait::kChange;
    const auto places = rhythm_.places();
    for (std::uint32_t i = 0; i < places.size(); ++i) {
        if (!watchable(places[i])) continue;
        const SystemAddress line = line_of(unit_.place_of(places[i].address));
        if (std::find(watched_.begin(), watched_.end(), line) == watched_.end()) {
            watched_.push_back(line);
            chip_.watch(line, *this);
        }
        if (ended_now(places[i])) consider(i, now());
    }
}

void SccCore::changed(const SystemAddress& place, std::uint64_t id)
{
    changed_by_ = id;
    if (wait_ != Wait::kChange) return;  // a look is under way; the bytes are compared when it was in vain
    const auto places = rhythm_.places();
    for (std::uint32_t i = 0; i < places.size(); ++i) {
        if (watchable(places[i]) && line_of(unit_.place_of(places[i].address)) == line_of(place) &&
            ended_now(places[i])) {
            consider(i, now());
        }
    }
}

/// A place holds since this time what is waited for: finds the look that sees it.
void SccCore::consider(std::uint32_t place, Duration change)
{
    const auto found = rhythm_.first_to_see(place, change);
    if (found.sees >= next_look_.sees) return;
    next_look_ = found;
    next_look_due_ = found.start >= now() ? found.start : found.sees;
    wakeup_.at(next_look_due_);
}

/// The look for which the core was woken. @return whether the operation can go on
bool SccCore::look_due()
{
    const Duration present = now();
    if (next_look_due_ > present) {  // woken for one that another has replaced
        wakeup_.at(next_look_due_);
        return false;
    }
    unit_.time = next_look_.start;
    at_place_ = next_look_.place;
    if (next_look_.start >= present) return true;
    // It had begun when the bytes changed, and has met them now. It takes as long as the last one did.
    const PollRequest& place = rhythm_.places()[at_place_];
    ++unit_.stats.looks;
    if (!ended_now(place)) {
        sleep();
        return false;
    }
    unit_.refresh(place.address);
    simulation_.report(*this, "look", changed_by_, present, next_look_.end);
    unit_.time = next_look_.end;
    seen_ = true;
    return true;
}

/// Whether a place of a message-passing buffer now holds what is waited for.
bool SccCore::ended_now(const PollRequest& place) const
{
    std::array<std::byte, 8> bytes;
    chip_.read(unit_.place_of(place.address), {bytes.data(), place.size});
    return PollRhythm::ended_by(place, {bytes.data(), place.size});
}

bool SccCore::end_poll(std::uint32_t place)
{
    found_ = place;
    for (const SystemAddress& line : watched_) chip_.unwatch(line, *this);
    watched_.clear();
    unit_.stats.polling.add(unit_.time - poll_began_);
    simulation_.accepted();
    return true;
}

std::string SccCore::poll_text() const
{
    const auto places = rhythm_.places();
    const PollRequest& place = places[at_place_];
    std::array<std::byte, 8> bytes;
    unit_.peek(place.address, {bytes.data(), place.size});
    std::string where = "its own cached memory, which nobody else changes";
    if (watchable(place)) {
        const auto offset = static_cast<std::uint32_t>(place.address - address_map::kMessageBuffers);
        where = fmt::format("MPB of core {}, offset {:#x}", offset / kMessageBuffer, offset % kMessageBuffer);
        chip_.read(unit_.place_of(place.address), {bytes.data(), place.size});
    } else if (kind_of(place) != PageKind::kCached) {
        where = unit_.place_of(place.address).space == Space::kRegisters ? "a register" : "memory";
    }
    const std::string others = places.size() == 1 ? "" : fmt::format(", and {} other places", places.size() - 1);
    return fmt::format("core {} polls {} byte{} at {:#x} ({}) until {} {}, it is {}{}", config_.rank, place.size,
                       place.size == 1 ? "" : "s", place.address, where,
                       place.until_other ? "it differs from" : "it equals", place.value,
                       PollRhythm::number({bytes.data(), place.size}), others);
}

std::string SccCore::pending() const
{
    if (const std::string outside = unit_.outside(); !outside.empty()) {
        return fmt::format("core {} {}", config_.rank, outside);
    }
    if (!program_given_ || finished_) return {};
    if (doing_ == Doing::kPoll) return fmt::format("{}: {}", program_name_, poll_text());
    return fmt::format("{} has not finished", program_name_);
}

void SccCore::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = std::string(name()) + ".";
    trace_word(file, state_word_, prefix + "state");
    sc_core::sc_trace(file, unit_.stats.l1_misses.count(), prefix + "l1_misses");
    sc_core::sc_trace(file, unit_.stats.l2_misses.count(), prefix + "l2_misses");
}

}  // namespace ringmesh::hw
