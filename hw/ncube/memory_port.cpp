// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/memory_port.h"

#include <algorithm>
#include <cmath>

namespace ringmesh::hw {
namespace {

/// Channels with precomputed speeds; a host has more, but few are active at once.
constexpr unsigned kMostKept = 16;

/// The part of the time in which a queue of `places` entries, filled at `fill` and drained at `drain`, is not empty.
double not_empty(double fill, double drain, std::int64_t places)
{
    const double ratio = fill / drain;
    const auto states = static_cast<double>(places + 1);
    if (std::abs(ratio - 1) < 1e-9) return 1 - 1 / states;
    return 1 - (1 - ratio) / (1 - std::pow(ratio, states));
}

}  // namespace

NcubeMemoryPort::NcubeMemoryPort(const NcubeMemoryParams& params, const NcubeChannelParams& channel, unsigned most)
    : params_(params),
      word_clocks_(static_cast<double>(channel.byte.count()) * static_cast<double>(params.dma_word.count())),
      most_(std::min(most, kMostKept))
{
    const double alone = not_empty(1, params_.demand, params_.prefetch);
    for (unsigned receiving = 0; receiving <= most_; ++receiving) {
        for (unsigned sending = 0; sending <= most_; ++sending) {
            const double free = 1 - dma_load(receiving, sending);
            speeds_.push_back(std::min(1.0, not_empty(free, params_.demand, params_.prefetch) / alone));
        }
    }
}

double NcubeMemoryPort::dma_load(unsigned receiving, unsigned sending) const
{
    return std::min((receiving * params_.receive_access + sending * params_.send_access) / word_clocks_,
                    params_.most_load);
}

double NcubeMemoryPort::speed(unsigned receiving, unsigned sending) const
{
    return speeds_[std::min(receiving, most_) * (most_ + 1) + std::min(sending, most_)];
}

void NcubeMemoryPort::change(unsigned& count, bool begins)
{
    if (before_) before_();
    begins ? ++count : --count;
    active_ = receiving_ + sending_;
    speed_ = speed(receiving_, sending_);
    if (after_) after_();
}

}  // namespace ringmesh::hw
