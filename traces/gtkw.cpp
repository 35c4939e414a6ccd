// SPDX-License-Identifier: Apache-2.0
#include "traces/gtkw.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ringmesh {

namespace {

// Flags of a line of the view, as GTKWave saves them: right-justified values, then how they are shown
constexpr std::string_view kBinary = "@28";
constexpr std::string_view kHexadecimal = "@22";
constexpr std::string_view kDecimal = "@24";
constexpr std::string_view kSignedDecimal = "@420";
constexpr std::string_view kCurve = "@8024";
constexpr std::string_view kTitle = "@200";

/// What GTKWave saves begins otherwise, with "[*]".
constexpr std::string_view kFirstWord = "[dumpfile]";

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

std::string_view scope_of(const WaveSignal& signal)
{
    const std::size_t dot = signal.name.rfind('.');
    return std::string_view(signal.name).substr(0, dot == std::string::npos ? 0 : dot);
}

bool serves(const WaveSignal& signal, View purpose)
{
    switch (purpose) {
        case View::kAll: return true;
        case View::kPacket: return signal.place != SignalPlace::kOther && signal.place != SignalPlace::kNetwork;
        case View::kLinks: return signal.place == SignalPlace::kLink;
        case View::kLibrary: return signal.place == SignalPlace::kProgram;
    }
    return false;
}

/// "node0" of "node0.psb.dma"
std::string_view node_of(const WaveSignal& signal)
{
    return std::string_view(signal.name).substr(0, signal.name.find('.'));
}

/// What stands on the way in an end node beside its activities (processor, bridge, buffers): signals by the activity of
/// the node that a packet passes next when it leaves. Nothing of a block without a processor, as a mesh is.
/// @param outermost activity of the node that is next to the processor
std::map<std::uint32_t, std::vector<std::uint32_t>> rest_of_node(const SignalTable& signals, std::uint32_t outermost,
                                                                 const std::vector<ActivitySignals>& path,
                                                                 const std::set<std::uint32_t>& of_activities)
{
    const std::string_view node = node_of(signals[outermost]);
    std::map<std::uint32_t, std::vector<std::uint32_t>> rest;
    std::set<std::string_view> passed;  // modules
    for (const ActivitySignals& activity : path) {
        if (node_of(signals[activity.word]) != node) continue;
        passed.insert(scope_of(signals[activity.word]));
        rest.try_emplace(activity.word);
    }
    bool has_processor = false;
    for (std::uint32_t number = 0; number < signals.size(); ++number) {
        const WaveSignal& signal = signals[number];
        if (node_of(signal) != node || !serves(signal, View::kPacket) || signal.place == SignalPlace::kLink) continue;
        if (of_activities.contains(number) || passed.contains(scope_of(signal))) continue;
        const bool is_processor = signal.place == SignalPlace::kProgram;
        has_processor = has_processor || is_processor;
        // Modules but the processor are declared in the order in which a packet leaves
        const auto next = is_processor ? rest.find(outermost) : rest.upper_bound(number);
        if (next == rest.end()) continue;
        next->second.insert(is_processor ? next->second.begin() : next->second.end(), number);
    }
    if (!has_processor) rest.clear();
    return rest;
}

/// The way of the packet that the window follows: for each activity that it passed, what else its module shows but for
/// other activities, and at both ends the rest of their nodes.
std::vector<std::uint32_t> signals_on_path(const Recorder& recording)
{
    const SignalTable& signals = recording.signals();
    const std::vector<ActivitySignals> path = recording.path();
    if (path.empty()) return {};
    std::set<std::uint32_t> of_activities;
    for (const ActivitySignals& activity : recording.activities()) of_activities.insert({activity.word, activity.id});
    const std::string_view first = node_of(signals[path.front().word]);
    const std::string_view last = node_of(signals[path.back().word]);
    std::map<std::uint32_t, std::vector<std::uint32_t>> before;
    std::map<std::uint32_t, std::vector<std::uint32_t>> behind;
    if (first != last) {
        before = rest_of_node(signals, path.front().word, path, of_activities);
        behind = rest_of_node(signals, path.back().word, path, of_activities);
    }
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint32_t> pending;  // behind the module that is being told
    std::set<std::string_view> told;
    std::string_view scope;
    const auto take_pending = [&] {
        numbers.insert(numbers.end(), pending.begin(), pending.end());
        pending.clear();
    };
    for (const ActivitySignals& activity : path) {
        if (scope_of(signals[activity.word]) != scope) take_pending();
        scope = scope_of(signals[activity.word]);
        const auto& rest = before[activity.word];
        numbers.insert(numbers.end(), rest.begin(), rest.end());
        numbers.insert(numbers.end(), {activity.word, activity.id});
        pending.insert(pending.end(), behind[activity.word].rbegin(), behind[activity.word].rend());
        if (!told.insert(scope).second) continue;
        for (std::uint32_t number = 0; number < signals.size(); ++number) {
            if (scope_of(signals[number]) == scope && !of_activities.contains(number)) numbers.push_back(number);
        }
    }
    take_pending();
    return numbers;
}

/// In the order of the view.
std::vector<std::uint32_t> signals_for(const Recorder& recording, View purpose)
{
    const SignalTable& signals = recording.signals();
    if (purpose == View::kAll) return signals.order();
    if (purpose == View::kPacket) {
        if (std::vector<std::uint32_t> path = signals_on_path(recording); !path.empty()) return path;
    }
    // Modules are declared in the order in which a packet passes them
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t number = 0; number < signals.size(); ++number) {
        if (serves(signals[number], purpose)) numbers.push_back(number);
    }
    std::stable_sort(numbers.begin(), numbers.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return signals[a].place < signals[b].place; });
    return numbers;
}

std::string quoted(const std::filesystem::path& path) { return '"' + path.filename().string() + '"'; }

}  // namespace

std::filesystem::path gtkw_of(const std::filesystem::path& dump, View view_of)
{
    std::filesystem::path view = dump;
    if (dump.extension() == ".vcd" || dump.extension() == ".fst") view.replace_extension();
    switch (view_of) {
        case View::kAll: break;
        case View::kPacket: view += ".packet"; break;
        case View::kLinks: view += ".links"; break;
        case View::kLibrary: view += ".library"; break;
    }
    return view += ".gtkw";
}

bool is_somebody_elses(const std::filesystem::path& view)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(view, error) || std::filesystem::file_size(view, error) == 0) return false;
    std::string beginning(kFirstWord.size(), '\0');
    std::ifstream(view, std::ios::binary).read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    return beginning != kFirstWord;
}

std::unique_ptr<AtomicFile> open_gtkw(const std::filesystem::path& dump, View view)
{
    if (std::filesystem::exists(dump) && !std::filesystem::is_regular_file(dump)) return nullptr;
    const std::filesystem::path file = gtkw_of(dump, view);
    return is_somebody_elses(file) ? nullptr : std::make_unique<AtomicFile>(file);
}

void write_gtkw(const Recorder& recording, const std::filesystem::path& dump, AtomicFile& view, View purpose)
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
    view.append(std::string(kFirstWord) + " " + quoted(dump) + "\n[savefile] " + quoted(view.target()) +
                "\n[timestart] " + start + '\n');
    view.append("[size] " + std::to_string(kWindowWidth) + ' ' + std::to_string(kWindowHeight) + "\n[pos] -1 -1\n");
    const std::string marker = std::to_string(recording.happened().value_or(recorded.from).ps());
    view.append(std::string("*") + zoom_text + ' ' + marker + " -1 -1 -1 -1 -1 -1\n");
    view.append("[sst_width] " + std::to_string(kTreeWidth) + "\n[signals_width] " + std::to_string(names_width) +
                "\n[sst_expanded] 0\n");

    const std::vector<std::uint32_t> numbers = signals_for(recording, purpose);
    const bool many = numbers.size() > kManySignals;
    // What stood still says nothing of one packet's way
    const bool follows = purpose == View::kPacket && !recording.path().empty();
    std::string_view group = "\n";  // no name
    for (const std::uint32_t number : numbers) {
        const WaveSignal& signal = recording.signals()[number];
        const bool is_call = purpose == View::kLibrary && signal.name.ends_with(".call");
        if ((many || follows) && !is_call && !recording.has_changed(number)) continue;
        const std::size_t dot = signal.name.rfind('.');
        const std::string_view scope = scope_of(signal);
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
