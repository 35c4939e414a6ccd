// SPDX-License-Identifier: Apache-2.0
#include "tlm/division/observations.h"

#include <algorithm>
#include <utility>

#include "tlm/time/kernel_time.h"

namespace ringmesh {
namespace {

constexpr Calendar::Turn kBehindAll{UINT32_MAX, UINT32_MAX};

/// While one lives, it is this time.
class AtTime {
public:
    AtTime() : before_(detail::present_ps) {}
    AtTime(const AtTime&) = delete;
    AtTime& operator=(const AtTime&) = delete;
    ~AtTime() { detail::present_ps = before_; }
    void set(Duration time) { detail::present_ps = time.ps(); }

private:
    const std::int64_t before_;
};

}  // namespace

std::uint32_t Observations::add(Watcher& watcher)
{
    watchers_.push_back(&watcher);
    return static_cast<std::uint32_t>(watchers_.size() - 1);
}

Observations::Moment Observations::moment() const { return {now(), calendar_.turn(), part_}; }

Parcel& Observations::tell(std::uint32_t watcher, const Moment& moment)
{
    own_.put(moment);
    own_.put(watcher);
    return own_;
}

Parcel& Observations::tell_at_end(std::uint32_t watcher, std::uint64_t order)
{
    return tell(watcher, {now(), kBehindAll, order});
}

void Observations::give(Parcel& to)
{
    to.put(own_.bytes().size());
    to.put_bytes(own_.bytes());
    own_.bytes().clear();
}

void Observations::take(Parcel& from)
{
    Told told;
    told.parcel.bytes().resize(from.take<std::size_t>());
    from.take_bytes(told.parcel.bytes());
    told.next();
    if (told.more) taken_.push_back(std::move(told));
}

void Observations::Told::next()
{
    more = !parcel.empty();
    if (!more) return;
    moment = parcel.take<Moment>();
    watcher = parcel.take<std::uint32_t>();
}

void Observations::play(const Moment& end)
{
    std::vector<Told> all = std::exchange(taken_, {});
    AtTime time;
    while (!all.empty()) {
        // Within a process the order is that of telling: a place that another one asks for the present goes back
        const auto first =
            std::min_element(all.begin(), all.end(), [](const Told& a, const Told& b) { return a.moment < b.moment; });
        const bool is_later =
            first->moment > end && (first->moment.turn != kBehindAll || first->moment.time > end.time);
        if (is_later) {
            all.erase(first);
            continue;
        }
        time.set(first->moment.time);
        watchers_.at(first->watcher)->hear(first->parcel);
        first->next();
        if (!first->more) all.erase(first);
    }
}

void Observations::tell_rest()
{
    for (Watcher* const watcher : watchers_) watcher->tell_rest();
    open_ = false;
}

}  // namespace ringmesh
