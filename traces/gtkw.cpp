// SPDX-License-Identifier: Apache-2.0
#include "traces/gtkw.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace ringmesh {

namespace {

// Flags of a line of the view, as GTKWave saves them: right-justified values, then how they are shown
constexpr std::string_view kBinary = "@28";
constexpr std::string_view kHexadecimal = "@22";
constexpr std::string_view kDecimal = "@24";
constexpr std::string_view kSignedDecimal = "@420";
constexpr std::string_view kCurve = "@8024";
constexpr std::string_view kTitle = "@200";

constexpr int kWindowWidth = 1280;
constexpr int kWindowHeight = 720;
constexpr int kTreeWidth = 160;
constexpr int kPixelsPerCharacter = 8;
constexpr int kPixelsForValue = 110;

std::string_view flags(SignalKind kind)
{
    switch (kind) {
        case SignalKind::kUnsigned: return kDecimal;
        case SignalKind::kSigned: return kSignedDecimal;
        case SignalKind::kVector: return kHexadecimal;
        default: return kBinary;
    }
}

/// GTKWave's zoom is the binary logarithm of the time units on 200 pixels, negated.
double zoom(Duration span, int pixels)
{
    return -std::log2(static_cast<double>(std::max<std::int64_t>(span.ps(), 1)) * 200 / pixels);
}

std::string quoted(const std::filesystem::path& path) { return '"' + path.filename().string() + '"'; }

}  // namespace

std::filesystem::path gtkw_of(const std::filesystem::path& dump)
{
    std::filesystem::path view = dump;
    if (dump.extension() == ".vcd" || dump.extension() == ".fst") view.replace_extension();
    return view += ".gtkw";
}

std::unique_ptr<AtomicFile> open_gtkw(const std::filesystem::path& dump)
{
    if (std::filesystem::exists(dump) && !std::filesystem::is_regular_file(dump)) return nullptr;
    return std::make_unique<AtomicFile>(gtkw_of(dump));
}

void write_gtkw(const Recorder& recording, const std::filesystem::path& dump, AtomicFile& view)
{
    std::size_t longest = 0;
    for (const WaveSignal& signal : recording.signals()) {
        longest = std::max(longest, signal.name.size() - (signal.name.rfind('.') + 1));
    }
    const int names_width = std::clamp(static_cast<int>(longest) * kPixelsPerCharacter + kPixelsForValue, 220, 600);
    const Window recorded = recording.recorded().value_or(Window{Duration::zero(), Duration::zero()});
    const std::string start = std::to_string(recorded.from.ps());
    char zoom_text[32];
    std::snprintf(zoom_text, sizeof zoom_text, "%.3f",
                  zoom(recorded.to - recorded.from, kWindowWidth - kTreeWidth - names_width - 50));

    // With relative names GTKWave looks for the dump beside the view
    view.append("[dumpfile] " + quoted(dump) + "\n[savefile] " + quoted(view.target()) + "\n[timestart] " + start +
                '\n');
    view.append("[size] " + std::to_string(kWindowWidth) + ' ' + std::to_string(kWindowHeight) + "\n[pos] -1 -1\n");
    view.append(std::string("*") + zoom_text + ' ' + start + " -1 -1 -1 -1 -1 -1\n");
    view.append("[sst_width] " + std::to_string(kTreeWidth) + "\n[signals_width] " + std::to_string(names_width) +
                "\n[sst_expanded] 0\n");

    const bool many = recording.signals().size() > kManySignals;
    std::string_view group = "\n";  // no name
    for (const std::uint32_t number : recording.signals().order()) {
        if (many && !recording.changed(number)) continue;
        const WaveSignal& signal = recording.signals()[number];
        const std::size_t dot = signal.name.rfind('.');
        const std::string_view scope = std::string_view(signal.name).substr(0, dot == std::string::npos ? 0 : dot);
        if (scope != group) {
            group = scope;
            view.append(std::string(kTitle) + "\n-" + std::string(scope) + '\n');
        }
        std::string name = signal.name;
        if (signal.kind == SignalKind::kVector) name += '[' + std::to_string(signal.width - 1) + ":0]";
        view.append(std::string(flags(signal.kind)) + '\n' + name + '\n');
        if (signal.kind == SignalKind::kUnsigned && signal.name.find("fill", dot + 1) != std::string::npos) {
            view.append(std::string(kCurve) + '\n' + name + '\n');
        }
    }
    view.commit();
}

}  // namespace ringmesh
