// SPDX-License-Identifier: Apache-2.0
#include "tlm/time/calendar.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <random>
#include <utility>

#include "tlm/time/kernel_time.h"

namespace ringmesh {

namespace {

/// Whether there is a process beside one of these objects, or in them.
bool has_process(const std::vector<sc_core::sc_object*>& objects, const sc_core::sc_object* beside)
{
    return std::any_of(objects.begin(), objects.end(), [beside](sc_core::sc_object* object) {
        if (object == beside) return false;
        return sc_core::sc_process_handle(object).valid() || has_process(object->get_child_objects(), beside);
    });
}

/// Of a bucket: 2^10 ps on a machine of thousands of blocks, more where fewer are due in that time.
unsigned width_for(std::size_t wakeups)
{
    constexpr std::size_t kMany = 4096;
    return 10 + static_cast<unsigned>(std::bit_width(kMany / std::max<std::size_t>(1, wakeups)));
}

/// Has the kernel call again when processes of others rest. @return false if they do
bool lets_others_first(const Calendar* calendar)
{
    static const Calendar* waits = nullptr;  // of several calendars one: two would wait for each other
    if (waits == nullptr) waits = calendar;
    if (waits != calendar) return false;
    if (sc_core::sc_pending_activity_at_current_time(sc_core::sc_get_curr_simcontext())) {
        sc_core::next_trigger(sc_core::SC_ZERO_TIME, sc_core::sc_get_curr_simcontext());
        return true;
    }
    waits = nullptr;
    return false;
}

}  // namespace

Calendar::Calendar(const sc_core::sc_module_name& module_name) : sc_module(module_name)
{
    SC_METHOD(enter);
    sensitive << event_;
    dont_initialize();
}

void Calendar::start_of_simulation()
{
    others_ = has_process(sc_core::sc_get_top_level_objects(), this);
    sort_by_place();
}

/// Renumbers the wake-ups: by place, and in a place as they were added. Sets the width of the buckets.
void Calendar::sort_by_place()
{
    if (order_ != 0 && !joined_) {
        std::vector<Place> order(last_place_ + std::size_t{1});
        std::iota(order.begin(), order.end(), kWholeMachine);
        std::reverse(order.begin() + 1, order.end());
        if (order_ > 1) std::shuffle(order.begin() + 1, order.end(), std::mt19937_64(order_));
        for (Place& place : places_) place = order[place];
    }
    std::vector<Number> order(wakes_.size());
    std::iota(order.begin(), order.end(), Number{0});
    std::stable_sort(order.begin(), order.end(), [this](Number a, Number b) { return places_[a] < places_[b]; });
    const std::vector<Wake> before = std::exchange(wakes_, {});
    for (const Number number : order) {
        wakes_.push_back({kNever, kNone, kIdle, before[number].woken});
        wakes_.back().woken->number = static_cast<Number>(wakes_.size() - 1);
        const bool is_next = !turn_of_.empty() && turn_of_.back().place == places_[number];
        turn_of_.push_back({places_[number], is_next ? turn_of_.back().in_place + 1 : 0});
    }
    std::fill(buckets_.begin(), buckets_.end(), kNone);
    occupied_ = {};
    used_ = 0;
    turns_.clear();
    width_ = width_for(wakes_.size());
    for (const Wake& wake : before) {
        if (wake.before != kIdle) notify(wake.woken->number, Duration::picoseconds(wake.time_ps));
    }
}

bool Calendar::in_step() const { return others_ || detail::step_watchers != 0; }

void Calendar::add_wakeup(Woken& woken)
{
    woken.number = static_cast<Number>(wakes_.size());
    wakes_.push_back({kNever, kNone, kIdle, &woken});
    places_.push_back(place_);
}

/// Called by the kernel.
void Calendar::enter()
{
    if (others_ && lets_others_first(this)) return;
    ++entries_;
    asked_ps_ = kNever;
    if (stopped_) return;
    const std::int64_t kernel_ps = kernel_now().ps();
    const std::int64_t limit_ps = in_step() ? kernel_ps : std::max(kernel_ps, end_ps_);
    const std::uint64_t most = steps_ + kMostSteps;
    detail::present_ps = kernel_ps;
    running_ = true;
    while (steps_ < most && step(limit_ps)) {
    }
    running_ = false;
    detail::reached_ps = ran_ps_ = detail::present_ps;
    detail::present_ps = -1;
    if (stopped_) return;
    // If there is nothing to do, the kernel has to catch up
    const std::int64_t next = next_ps();
    if (next > ran_ps_) end_step(next);
    const std::int64_t time_ps = next != kNever ? next : std::max(detail::reached_ps, reach_ps_);
    if (next != kNever || time_ps > kernel_ps) ask_kernel(time_ps);
}

void Calendar::rest_at(Duration time) { detail::present_ps = time.ps(); }

/// Tells the listener, once.
void Calendar::end_step(std::int64_t next_ps)
{
    if (!std::exchange(step_open_, false) || listener_ == nullptr || in_step()) return;
    const std::int64_t present_ps = std::exchange(detail::present_ps, step_ps_);
    listener_->step_ends(next_ps == kNever ? Duration::never() : Duration::picoseconds(next_ps));
    detail::present_ps = present_ps;
}

/// For a turn at this time, and at no other.
void Calendar::ask_kernel(std::int64_t time_ps)
{
    event_.cancel();
    event_.notify(to_kernel(Duration::picoseconds(time_ps) - kernel_now()));
    asked_ps_ = time_ps;
}

/// One method. @return false if there is none up to this time
inline bool Calendar::step(std::int64_t limit_ps)
{
    for (; !stopped_; turns_.pop_back()) {
        if (turns_.empty() && !open_next(limit_ps)) return false;
        const std::uint64_t turn = turns_.back();
        const std::int64_t time_ps = begin_ps_ + static_cast<std::int64_t>(turn >> 32U);
        if (time_ps > limit_ps) return false;
        const auto number = static_cast<Number>(turn);
        Wake& wake = wakes_[number];
        if (wake.before != kInTurn || wake.time_ps != time_ps) continue;  // cancelled
        turns_.pop_back();
        last_ = number;
        wake.before = kIdle;
        ++steps_;
        if (time_ps > step_ps_) {
            if (listener_ != nullptr) [[unlikely]]
                end_step(time_ps);
            step_ps_ = time_ps;
            step_open_ = true;
        }
        detail::present_ps = time_ps;
        const Woken& woken = *wake.woken;
        if (!turns_.empty()) __builtin_prefetch(wakes_[static_cast<Number>(turns_.back())].woken);
        woken.method(woken.block);
        return true;
    }
    return false;
}

void Calendar::notify(Number number, Duration time)
{
    Wake& wake = wakes_[number];
    if (wake.before != kIdle) remove(wake);
    wake.time_ps = time.ps();
    if (difference(wake) == 0) {
        take_turn(number, wake);
    } else {
        put_into_wheel(number, wake);
    }
    if (!running_ && wake.time_ps < asked_ps_) ask_kernel(wake.time_ps);
}

inline void Calendar::take_turn(Number number, Wake& wake)
{
    wake.before = kInTurn;
    const std::uint64_t turn = turn_of(number, wake);
    std::size_t place = turns_.size();
    turns_.push_back(turn);
    for (; place > 0 && turns_[place - 1] < turn; --place) turns_[place] = turns_[place - 1];
    turns_[place] = turn;
}

inline void Calendar::put_into_wheel(Number number, Wake& wake)
{
    const unsigned wheel = (63U - static_cast<unsigned>(std::countl_zero(difference(wake)))) / kDigitBits;
    const auto digit = static_cast<std::uint32_t>(wake.time_ps >> (width_ + wheel * kDigitBits)) & (kBuckets - 1);
    const std::uint32_t bucket = wheel * kBuckets + digit;
    wake.before = kFirst | bucket;
    wake.next = std::exchange(buckets_[bucket], number);
    if (wake.next != kNone) {
        wakes_[wake.next].before = number;
        return;
    }
    used_ |= 1U << wheel;
    Occupied& occupied = occupied_[wheel];
    occupied.words |= std::uint64_t{1} << digit / 64;
    occupied.bits[digit / 64] |= std::uint64_t{1} << digit % 64;
}

void Calendar::remove(Wake& wake)
{
    const std::uint32_t before = std::exchange(wake.before, kIdle);
    if (before == kInTurn) return;  // it is passed over
    if (wake.next != kNone) wakes_[wake.next].before = before;
    if (before < kFirst) {
        wakes_[before].next = wake.next;
        return;
    }
    const std::uint32_t bucket = before - kFirst;
    buckets_[bucket] = wake.next;
    if (wake.next == kNone) empty(bucket);
}

/// Notes that a bucket holds none.
inline void Calendar::empty(std::uint32_t bucket)
{
    buckets_[bucket] = kNone;
    const std::uint32_t wheel = bucket / kBuckets, digit = bucket % kBuckets;
    Occupied& occupied = occupied_[wheel];
    occupied.bits[digit / 64] &= ~(std::uint64_t{1} << digit % 64);
    if (occupied.bits[digit / 64] == 0) occupied.words &= ~(std::uint64_t{1} << digit / 64);
    if (occupied.words == 0) used_ &= ~(1U << wheel);
}

/// The one with the earliest times. @pre there is one
inline std::uint32_t Calendar::first_bucket() const
{
    const auto wheel = static_cast<std::uint32_t>(std::countr_zero(used_));
    const Occupied& occupied = occupied_[wheel];
    const auto word = static_cast<std::uint32_t>(std::countr_zero(occupied.words));
    return wheel * kBuckets + word * 64 + static_cast<std::uint32_t>(std::countr_zero(occupied.bits[word]));
}

inline std::int64_t Calendar::earliest_in(std::uint32_t bucket) const
{
    std::int64_t earliest = kNever;
    for (Number number = buckets_[bucket]; number != kNone; number = wakes_[number].next) {
        earliest = std::min(earliest, wakes_[number].time_ps);
    }
    return earliest;
}

/// The earliest wake-up; kNever if there is none.
std::int64_t Calendar::next_ps() const
{
    for (auto turn = turns_.rbegin(); turn != turns_.rend(); ++turn) {
        const Wake& wake = wakes_[static_cast<Number>(*turn)];
        if (wake.before == kInTurn && turn_of(static_cast<Number>(*turn), wake) == *turn) return wake.time_ps;
    }
    return used_ == 0 ? kNever : earliest_in(first_bucket());
}

/// Makes the bucket of the earliest wake-up the current one. @pre the current one is empty
/// @return false if there is none up to this time
inline bool Calendar::open_next(std::int64_t limit_ps)
{
    if (used_ == 0) return false;
    const std::uint32_t bucket = first_bucket();
    const std::int64_t earliest = earliest_in(bucket);
    if (earliest > limit_ps) return false;
    Number number = buckets_[bucket];
    empty(bucket);
    begin_ps_ = earliest >> width_ << width_;
    while (number != kNone) {
        Wake& wake = wakes_[number];
        const Number next = wake.next;
        if (difference(wake) == 0) {
            wake.before = kInTurn;
            turns_.push_back(turn_of(number, wake));
        } else {
            put_into_wheel(number, wake);
        }
        number = next;
    }
    if (turns_.size() > 1) std::sort(turns_.begin(), turns_.end(), std::greater<>());
    return true;
}

}  // namespace ringmesh
