// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/units.h"

/// Symbols of an SCI link: 16 bits side by side, one per link clock [000 ch.3, ch.4].
/// Every function throws std::domain_error if an argument is out of the range it states.
namespace ringmesh::analytic {

/// Time per symbol of a link with this data rate in Gb/s, from 0.001 to 1000: 5 ns at 3.2 Gb/s, 4 ns at 4.0 Gb/s.
/// Rounded to the nearest picosecond.
Duration symbol_time(double gigabits_per_second);

/// Symbols of a request or response with this payload, which is 0, 16, 64 or 128 B: a header of 8 [WIKI, SCINET] and
/// one per two bytes, so that 64 B make the 40 of [000 ch.4]. Idle symbols between packets are not counted.
std::int64_t packet_symbols(Bytes payload);

/// How long `symbols` >= 0 keep a link busy; `time_per_symbol` is above zero.
Duration send_time(std::int64_t symbols, Duration time_per_symbol);

}  // namespace ringmesh::analytic
