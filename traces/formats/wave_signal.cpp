// SPDX-License-Identifier: Apache-2.0
#include "traces/formats/wave_signal.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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

/// A text whose bytes are in the natural order of scopes: component by component, digits as numbers, node2 before
/// node10; of "node01" and "node1" the first.
std::string key_of(std::string_view scope)
{
    constexpr std::size_t kMost = 255;
    std::string key;
    for (const std::string_view part : components_of(scope)) {
        for (std::size_t i = 0; i < part.size();) {
            if (!is_digit(part[i])) {
                key += part[i++];
                continue;
            }
            while (i + 1 < part.size() && part[i] == '0' && is_digit(part[i + 1])) ++i;
            const std::size_t first = i;
            while (i < part.size() && is_digit(part[i])) ++i;
            // A longer number is larger; beside another character any digit stands for it
            const std::size_t length = i - first;
            key += '0';
            key.append(length / kMost, static_cast<char>(kMost));
            key += static_cast<char>(length % kMost);
            key += part.substr(first, length);
        }
        key += '\0';
        key += part;
        key += '\0';
    }
    return key;
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
    // Signals share their scope with others, so that far fewer keys are compared
    std::unordered_map<std::string_view, std::string> keys;
    std::vector<const std::string*> key(signals_.size());
    for (std::size_t i = 0; i < signals_.size(); ++i) {
        const std::string_view name = signals_[i].name;
        const std::size_t dot = name.rfind('.');
        const std::string_view scope = name.substr(0, dot == std::string_view::npos ? 0 : dot);
        const auto [found, is_new] = keys.try_emplace(scope);
        if (is_new && !scope.empty()) found->second = key_of(scope);
        key[i] = &found->second;
    }
    std::vector<std::uint32_t> order(signals_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&key](std::uint32_t a, std::uint32_t b) { return key[a] != key[b] && *key[a] < *key[b]; });
    return order;
}

}  // namespace ringmesh
