// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tlm/units/units.h"

/// Quantities as text: a number, an optional space and a mandatory unit. Numbers are decimal, without sign or exponent,
/// and are read exactly.
namespace ringmesh {

/// The result of reading a quantity: the value, or a sentence on what is wrong and how to write it.
template <class Quantity>
struct Parsed {
    std::optional<Quantity> value;
    std::string problem;
};

/// "106 ns", "1.5us"; units ps, ns, us, ms, s. Not a whole number of picoseconds: a problem.
Parsed<Duration> parse_duration(std::string_view text);
/// "50 MHz"; units Hz, kHz, MHz, GHz.
Parsed<Frequency> parse_frequency(std::string_view text);
/// "64 B", "2 KiB", "1 MB"; units B, KiB, MiB, GiB, kB, MB, GB.
Parsed<Bytes> parse_bytes(std::string_view text);
/// "1 m", "30 cm"; units um, mm, cm, m.
Parsed<Length> parse_length(std::string_view text);
/// "12 cycles"; units cycle, cycles.
Parsed<Cycles> parse_cycles(std::string_view text);

/// The shortest text that reads back as the same value, "66.7 ns" for 66700 ps; if two are equally short, the one with
/// the larger unit; never a number between 0 and 1. Negative quantities are printed, but not read.
std::string to_string(Duration duration);
std::string to_string(Frequency frequency);
std::string to_string(Bytes bytes);
std::string to_string(Length length);
std::string to_string(Cycles cycles);
/// Of numbers, quantities, rates, and lists and ranges of them, the same text however they are written: "64,0.5" for
/// "64, 0.50", "20 us" for "20.0us", "1..8 x2" for "1..8x2". Any other text as it is.
std::string one_form(std::string_view text);
/// The period: "1.25 ns"; of a clock that is not whole, to six digits: "100.503 ps".
std::string period_text(const Clock& clock);

}  // namespace ringmesh
