// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tlm/simulation/random.h"

namespace ringmesh::test {

enum class Service { kExponential, kConstant };  ///< M/M/1, M/D/1

/// How many customers are in a queue with Poisson arrivals, at this many equal intervals from its empty start to its
/// last arrival. A service takes 1 on average.
inline std::vector<std::int64_t> queue_series(double utilisation, Service service, int customers, int samples,
                                              Random& random)
{
    const auto exponential = [&random] { return -std::log(1 - random.unit()); };
    std::vector<double> arrivals;
    std::vector<double> departures;
    double arrival = 0;
    double departure = 0;
    for (int i = 0; i < customers; ++i) {
        arrival += exponential() / utilisation;
        departure = std::max(departure, arrival) + (service == Service::kConstant ? 1 : exponential());
        arrivals.push_back(arrival);
        departures.push_back(departure);
    }
    const auto until = [](const std::vector<double>& times, double time) {
        return std::upper_bound(times.begin(), times.end(), time) - times.begin();
    };
    std::vector<std::int64_t> series;
    for (int i = 1; i <= samples; ++i) {
        const double time = arrival * i / samples;
        series.push_back(until(arrivals, time) - until(departures, time));
    }
    return series;
}

}  // namespace ringmesh::test
