// SPDX-License-Identifier: Apache-2.0
#include "traces/formats/wave_signal.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ringmesh {

namespace {

std::string without_special_characters(std::string name)
{
    for (char& c : name) {
        if (c == '[') c = '(';
        if (c == ']') c = ')';
        if (c <= ' ' || c > '~') c = '_';
    }
    return name;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits compare as numbers: node2 before node10.
bool naturally_less(std::string_view a, std::string_view b)
{
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const auto number = [](std::string_view text, std::size_t& at) {
                while (at + 1 < text.size() && text[at] == '0' && is_digit(text[at + 1])) ++at;
                const std::size_t first = at;
                while (at < text.size() && is_digit(text[at])) ++at;
                return text.substr(first, at - first);
            };
            const std::string_view m = number(a, i);
            const std::string_view n = number(b, j);
            if (m.size() != n.size()) return m.size() < n.size();
            if (m != n) return m < n;
        } else {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i;
            ++j;
        }
    }
    if ((i < a.size()) != (j < b.size())) return j < b.size();
    return a < b;  // "node01" and "node1" are two
}

}  // namespace

std::vector<std::string_view> components_of(std::string_view name)
{
    std::vector<std::string_view> parts;
    for (std::size_t dot; (dot = name.find('.')) != std::string_view::npos; name.remove_prefix(dot + 1)) {
        parts.push_back(name.substr(0, dot));
    }
    parts.push_back(name);
    return parts;
}

std::uint32_t SignalTable::declare(WaveSignal signal)
{
    signal.name = without_special_characters(std::move(signal.name));
    signals_.push_back(std::move(signal));
    return static_cast<std::uint32_t>(signals_.size() - 1);
}

std::vector<std::uint32_t> SignalTable::order() const
{
    std::vector<std::vector<std::string_view>> scopes;
    for (const WaveSignal& signal : signals_) {
        scopes.push_back(components_of(signal.name));
        scopes.back().pop_back();
    }
    std::vector<std::uint32_t> order(signals_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::lexicographical_compare(scopes[a].begin(), scopes[a].end(), scopes[b].begin(), scopes[b].end(),
                                            naturally_less);
    });
    return order;
}

}  // namespace ringmesh
