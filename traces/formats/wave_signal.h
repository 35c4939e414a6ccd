// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/statistics/activity.h"

namespace ringmesh {

/// The type of a signal, which decides how it is shown.
enum class SignalKind : std::uint8_t { kBit, kUnsigned, kSigned, kVector, kReal, kWord, kEvent };

struct WaveSignal {
    std::string name;  ///< hierarchical; the last component is the signal's own, those before are its scopes
    SignalKind kind = SignalKind::kBit;
    unsigned width = 1;  ///< bits
    std::string meaning{};
    std::string values{};  ///< the words, or the unit of the numbers
    SignalPlace place = SignalPlace::kOther;
};

/// The signals of a waveform, by the numbers that their changes carry.
class SignalTable {
public:
    /// Brackets and white space, which viewers take for ranges and ends, become parentheses and underscores.
    /// @return its number
    std::uint32_t declare(WaveSignal signal);

    const WaveSignal& operator[](std::uint32_t number) const { return signals_[number]; }
    std::size_t size() const { return signals_.size(); }
    auto begin() const { return signals_.begin(); }
    auto end() const { return signals_.end(); }

    /// Scope by scope in natural order (node2 before node10), a scope's own signals before those of the scopes within
    /// it, in the order of their declaration.
    std::vector<std::uint32_t> order() const;

    /// Walks order(): `open(scope)` and `close()` for each scope once, `signal(number, own_name)` within.
    template <class Open, class Close, class Signal>
    void walk(Open open, Close close, Signal signal) const;

private:
    std::vector<WaveSignal> signals_;
};

/// The components of "a.b.c".
std::vector<std::string_view> components_of(std::string_view name);

template <class Open, class Close, class Signal>
void SignalTable::walk(Open open, Close close, Signal signal) const
{
    std::vector<std::string_view> around;
    for (const std::uint32_t number : order()) {
        std::vector<std::string_view> scope = components_of(signals_[number].name);
        const std::string_view own = scope.back();
        scope.pop_back();
        std::size_t common = 0;
        while (common < around.size() && common < scope.size() && around[common] == scope[common]) ++common;
        for (std::size_t level = around.size(); level > common; --level) close();
        for (std::size_t level = common; level < scope.size(); ++level) open(scope[level]);
        around = std::move(scope);
        signal(number, own);
    }
    for (std::size_t level = around.size(); level > 0; --level) close();
}

}  // namespace ringmesh
