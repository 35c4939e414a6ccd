// SPDX-License-Identifier: Apache-2.0
#include "lab/figure/gnuplot/gnuplot.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "lab/figure/gnuplot/gnuplot_words.h"
#include "lab/process/outside.h"
#include "tlm/error.h"

/// The program, and its terminals.
namespace ringmesh::lab {

std::string in_quotes(const std::string& text) { return "'" + boost::replace_all_copy(text, "'", "''") + "'"; }

double letters_of(double cm) { return cm * kPointsOfCm / (kLetterWidth * kFontPoints); }

std::string tick_text(double value)
{
    constexpr double kMillion = 1e6;
    if (std::abs(value) < kMillion) return fmt::format("{:.6g}", value);
    return fmt::format("{:.4g}M", value / kMillion);
}

std::string in_lines(const std::string& text, double letters)
{
    std::vector<std::string> lines{""};
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const bool is_first = lines.back().empty();
        const bool fits = static_cast<double>(lines.back().size() + 1 + end - begin) <= letters;
        if (!is_first && !fits) lines.emplace_back();
        // Of a word that is longer than a line, as much as has room
        const auto part = std::min(end - begin, std::max<std::size_t>(1, static_cast<std::size_t>(letters)));
        lines.back() += (lines.back().empty() ? "" : " ") + text.substr(begin, part);
        begin += part;
        if (begin == end) ++begin;
    }
    for (std::string& line : lines) line = in_quotes(line);
    return fmt::format("{}", fmt::join(lines, R"(."\n".)"));
}

std::string axis_title(std::string title, const std::string& unit)
{
    if (unit.empty() || unit == title) return title;
    for (const std::string& end : {" (" + unit + ")", " " + unit, "_" + unit}) {
        if (title.ends_with(end)) title.resize(title.size() - end.size());
    }
    return fmt::format("{} ({})", title, unit);
}

CurveStyle style_at(std::size_t place)
{
    constexpr int kSymbols[] = {7, 5, 9, 13, 11, 6, 4, 8};  // filled ones first
    const std::size_t i = place % kCurveColours.size();
    return {kCurveColours[i], kSymbols[i], static_cast<int>(i % 4) + 1};
}

double tick_step(const Reach& ends, double most)
{
    const double least = (ends.high - ends.low) / most;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (step * power >= least) return step * power;
    }
    return 10 * power;
}

std::string terminal_text(const PictureFormat& format, double height_cm)
{
    const auto dots = [](double cm, double per_inch) { return std::lround(cm / 2.54 * per_inch); };
    constexpr double kPngDotsOfInch = 300;
    constexpr double kSvgDotsOfInch = 96;
    constexpr double kScale = kPngDotsOfInch / 96;  // of what cairo's terminals take for a screen
    switch (format.form) {
        case PictureForm::kSvg:
            return fmt::format(
                "set terminal svg noenhanced fixed size {},{} font 'Arial,{:.2f}' linewidth {:.2f} dashlength 0.6 "
                "background 'white'",
                dots(format.width_cm, kSvgDotsOfInch), dots(height_cm, kSvgDotsOfInch), kFontPoints * 96 / 72,
                96.0 / 72);
        case PictureForm::kPng:
            return fmt::format(
                "set terminal pngcairo noenhanced size {},{} font 'sans,{}' fontscale {:.3f} linewidth {:.3f} "
                "pointscale {:.3f} dashlength 0.6",
                dots(format.width_cm, kPngDotsOfInch), dots(height_cm, kPngDotsOfInch), kFontPoints, kScale, kScale,
                kScale);
        case PictureForm::kPdf:
            return fmt::format(
                "set terminal pdfcairo noenhanced size {:.3f}cm,{:.3f}cm font 'sans,{}' fontscale {} linewidth 1 "
                "dashlength 0.6",
                format.width_cm, height_cm, kFontPoints,
                72.0 / 96);  // Pango makes type for a screen of 96 dots an inch
        case PictureForm::kText: break;
    }
    return fmt::format("set terminal dumb noenhanced size {},{}", format.columns,
                       std::clamp<std::size_t>(format.columns / 4, 16, 28));
}

bool has_gnuplot() { return run_outside({"gnuplot", "--version"}).started; }

std::string drawn_by_gnuplot(const std::string& script)
{
    namespace files = std::filesystem;
    std::string folder = (files::temp_directory_path() / "ringmesh-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) {
        throw UserError(fmt::format("cannot make a folder in {}; set TMPDIR", files::temp_directory_path().string()));
    }
    const files::path picture = files::path(folder) / "picture";
    const files::path told = files::path(folder) / "script";
    std::ofstream(told, std::ios::binary) << "set output " << in_quotes(picture.string()) << '\n'
                                          << script << "unset output\n";
    const OutsideEnd end = run_outside({"gnuplot", "-d", told.string()});
    std::ifstream file(picture, std::ios::binary);
    std::string drawn{std::istreambuf_iterator<char>(file), {}};
    std::error_code error;
    files::remove_all(folder, error);
    if (!end.started) throw UserError("gnuplot is not installed; run: sudo apt-get install gnuplot-nox");
    if (end.status != 0 || drawn.empty()) {
        throw UserError(fmt::format("gnuplot cannot draw the figure: {}", end.output));
    }
    return drawn;
}

}  // namespace ringmesh::lab
