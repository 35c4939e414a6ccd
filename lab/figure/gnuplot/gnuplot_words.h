// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include "lab/figure/gnuplot/gnuplot.h"

/// What all scripts for gnuplot are made of.
namespace ringmesh::lab {

inline constexpr double kPointsOfCm = 72 / 2.54;
inline constexpr double kFontPoints = 8;
/// Of a letter, in parts of the font's size.
inline constexpr double kLetterWidth = 0.62;
inline constexpr const char* kInk = "#333333";

/// A text as gnuplot takes it.
std::string in_quotes(const std::string& text);
/// In lines of at most so many letters, likewise.
std::string in_lines(const std::string& text, double letters);
/// How many letters have room.
double letters_of(double cm);
/// "1500", "1.5M"
std::string tick_text(double value);
/// "latency (ns)"
std::string axis_title(std::string title, const std::string& unit);

/// Of colour, symbol and dash, which differ from curve to curve.
struct CurveStyle {
    const char* colour;
    int symbol;
    int dash;
};
CurveStyle style_at(std::size_t place);

/// The values of an axis that a picture reaches.
struct Reach {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value)
    {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    void add(const std::optional<double>& value)
    {
        if (value) add(*value);
    }
    bool is_empty() const { return low > high; }
};

/// 1, 2 or 5 times a power of ten, which gives at most so many ticks.
double tick_step(const Reach& ends, double most);

/// The line that chooses gnuplot's terminal.
std::string terminal_text(const PictureFormat& format, double height_cm);

}  // namespace ringmesh::lab
