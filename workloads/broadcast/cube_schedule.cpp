// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/cube_schedule.h"

#include <algorithm>
#include <bit>

namespace ringmesh::workloads::broadcast {

std::vector<unsigned> distances(unsigned number, unsigned bits)
{
    std::vector<unsigned> all(bits, bits);
    if (number == 0) return all;
    for (unsigned bit = 0; bit < bits; ++bit) {
        unsigned steps = 1;
        while (((number >> ((bit + steps) % bits)) & 1) == 0) ++steps;
        all[bit] = steps;
    }
    return all;
}

std::vector<unsigned> switches(unsigned number, unsigned bits)
{
    std::vector<unsigned> all;
    unsigned ones = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
        ones += (number >> bit) & 1;
        all.push_back(ones);
    }
    return all;
}

CubeSchedule::CubeSchedule(unsigned cores, unsigned core, std::int64_t parts, FinalExchange final_exchange)
    : cores_(cores),
      core_(core),
      parts_(parts),
      final_exchange_(final_exchange),
      dimension_(static_cast<unsigned>(std::bit_width(cores)) - 1),
      units_(1U << dimension_),
      representative_(std::min(core, companion(core))),
      distances_(distances(representative_, dimension_)),
      switches_(switches(representative_, dimension_))
{}

unsigned CubeSchedule::companion(unsigned core) const
{
    if (core == 0) return 0;
    if (core >= units_) return core - units_ + 1;
    return core <= cores_ - units_ ? units_ - 1 + core : core;
}

unsigned CubeSchedule::changes_before(std::int64_t round) const
{
    if (round == 0) return 0;
    const auto full = static_cast<unsigned>((round - 1) / dimension_);
    return switches_.back() * full + switches_[static_cast<std::size_t>((round - 1) % dimension_)];
}

unsigned CubeSchedule::out(std::int64_t round) const
{
    return changes_before(round) % 2 == 0 ? companion(representative_) : representative_;
}

Calls CubeSchedule::at(std::int64_t step) const
{
    if (step == rounds()) return exchange_at_end();
    const auto bit = static_cast<unsigned>(step % dimension_);
    const bool one = ((representative_ >> bit) & 1) != 0;
    const std::int64_t nearest = step - dimension_;
    const std::int64_t sent = std::min(parts_ - 1, nearest + (one ? 0 : distances_[bit]));
    const std::int64_t received = std::min(parts_ - 1, nearest + (one ? distances_[bit] : 0));

    // The partner's number differs only in this bit: in each full round it changes roles once more or once less
    const unsigned partner = representative_ ^ (1U << bit);
    const auto turns = static_cast<unsigned>(step / dimension_);
    const bool partner_sends = (changes_before(step) + turns) % 2 != 0;
    const unsigned partner_out = partner_sends ? partner : companion(partner);
    const unsigned partner_in = companion(partner_out);
    if (companion(core_) == core_) return single(partner_in, partner_out, sent, received);

    Calls calls;
    const unsigned other = companion(core_);
    const std::int64_t before = nearest - 1;  // what the unit received earlier
    if (core_ == out(step)) {
        if (sent >= 0) calls.add({true, partner_in, sent});
        if (before >= 0) calls.add({false, other, before});
    } else {
        if (received >= 0) calls.add({false, partner_out, received});
        if (before >= 0) calls.add({true, other, before});
    }
    return calls;
}

Calls CubeSchedule::single(unsigned to, unsigned from, std::int64_t sent, std::int64_t received) const
{
    const bool power_of_two = cores_ == units_;
    const bool sends = sent >= 0 && !(power_of_two && to == 0);
    const bool receives = received >= 0 && !(power_of_two && core_ == 0);
    Calls calls;
    if (sends && core_ < to) calls.add({true, to, sent});
    if (receives) calls.add({false, from, received});
    if (sends && core_ > to) calls.add({true, to, sent});
    return calls;
}

Calls CubeSchedule::exchange_at_end() const
{
    Calls calls;
    const unsigned other = companion(core_);
    if (other == core_) return calls;
    const bool sends_last = core_ == out(rounds());
    const std::int64_t last = parts_ - 1;
    const std::int64_t before = parts_ - 2;
    if (before >= 0 || final_exchange_ == FinalExchange::kThesis) calls.add({!sends_last, other, before});
    calls.add({sends_last, other, last});
    return calls;
}

}  // namespace ringmesh::workloads::broadcast
