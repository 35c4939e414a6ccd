// SPDX-License-Identifier: Apache-2.0
#include "traces/windows/first_difference.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tlm/error.h"
#include "traces/formats/waveform_reader.h"

namespace ringmesh {

namespace {

/// One of the two: its steps, and the values that hold.
class Side {
public:
    explicit Side(const std::filesystem::path& file) : reader_(file), values_(reader_.signals())
    {
        more_ = reader_.next(step_);
        window_ = {step_.time, step_.time};
    }

    const WaveformReader& reader() const { return reader_; }
    bool more() const { return more_; }
    Duration time() const { return step_.time; }
    const Window& window() const { return window_; }
    const std::string& value(std::uint32_t signal) const { return values_[signal]; }

    /// Takes the step that comes. @param touched gets the signals that change
    void advance(std::vector<std::uint32_t>& touched)
    {
        for (auto& change : step_.changes) {
            values_[change.signal] = std::move(change.value);
            touched.push_back(change.signal);
        }
        window_.to = step_.time;
        more_ = reader_.next(step_);
    }

private:
    WaveformReader reader_;
    WaveformReader::Step step_;
    std::vector<std::string> values_;
    Window window_;
    bool more_ = false;
};

struct Pair {
    std::string name;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
};

constexpr std::uint32_t kNone = UINT32_MAX;

/// Pairs by the number of a signal; a signal of several names is one of them.
std::vector<std::uint32_t> pair_of(const std::vector<Pair>& pairs, std::uint32_t signals, std::uint32_t Pair::*side)
{
    std::vector<std::uint32_t> of(signals, kNone);
    for (std::uint32_t number = 0; number < pairs.size(); ++number) of[pairs[number].*side] = number;
    return of;
}

std::vector<Pair> pairs_of(const Side& a, const Side& b, WaveformComparison& comparison)
{
    std::map<std::string, std::uint32_t> in_b(b.reader().names().begin(), b.reader().names().end());
    std::vector<Pair> pairs;
    for (const auto& [name, signal] : a.reader().names()) {
        const auto found = in_b.find(name);
        if (found == in_b.end()) {
            comparison.only_in_a.push_back(name);
            continue;
        }
        pairs.push_back({name, signal, found->second});
        in_b.erase(found);
    }
    for (const auto& [name, signal] : in_b) comparison.only_in_b.push_back(name);
    return pairs;
}

}  // namespace

WaveformComparison compare_waveforms(const std::filesystem::path& path_a, const std::filesystem::path& path_b)
{
    Side a(path_a);
    Side b(path_b);
    WaveformComparison comparison;
    const std::vector<Pair> pairs = pairs_of(a, b, comparison);
    comparison.signals = pairs.size();
    const std::string both = "'" + path_a.string() + "' and '" + path_b.string() + "'";
    if (pairs.empty()) throw UserError("compare: " + both + " have no signal in common");
    const auto pairs_of_a = pair_of(pairs, a.reader().signals(), &Pair::a);
    const auto pairs_of_b = pair_of(pairs, b.reader().signals(), &Pair::b);

    const Duration start = std::max(a.time(), b.time());
    comparison.compared.from = comparison.compared.to = start;
    std::vector<std::uint32_t> touched_a, touched_b, touched;
    bool reached = false;
    while (a.more() || b.more()) {
        const Duration time = !b.more() || (a.more() && a.time() < b.time()) ? a.time() : b.time();
        // Beyond the end of one of them nothing can be compared
        const bool both_there = (a.more() || a.window().to >= time) && (b.more() || b.window().to >= time);
        if (!both_there && comparison.first) break;
        touched_a.clear();
        touched_b.clear();
        if (a.more() && a.time() == time) a.advance(touched_a);
        if (b.more() && b.time() == time) b.advance(touched_b);
        if (time < start || !both_there || comparison.first) continue;
        touched.clear();
        if (!reached) {
            for (std::uint32_t number = 0; number < pairs.size(); ++number) touched.push_back(number);
        }
        reached = true;
        for (const std::uint32_t signal : touched_a) touched.push_back(pairs_of_a[signal]);
        for (const std::uint32_t signal : touched_b) touched.push_back(pairs_of_b[signal]);
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        comparison.compared.to = time;
        for (const std::uint32_t number : touched) {
            if (number == kNone) continue;
            const Pair& pair = pairs[number];
            if (a.value(pair.a) == b.value(pair.b)) continue;
            if (comparison.first) {
                ++comparison.first->others;
            } else {
                comparison.first = FirstDifference{time, pair.name, a.value(pair.a), b.value(pair.b)};
            }
        }
        if (comparison.first) break;
    }
    comparison.a = a.window();
    comparison.b = b.window();
    if (!reached) throw UserError("compare: " + both + " have no time in common");
    return comparison;
}

}  // namespace ringmesh
