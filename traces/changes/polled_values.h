// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "traces/changes/change_log.h"
#include "traces/formats/wave_signal.h"

namespace ringmesh {

/// Values that are polled once per time step. Changes are not signalled, so a step costs about a nanosecond per number:
/// numbers are small records in one array per size. Polled objects must stay alive.
class PolledValues {
public:
    /// Booleans, integers and floating-point numbers.
    template <class T>
    requires std::is_arithmetic_v<T>
    void add(const T& object, std::uint32_t signal, SignalKind kind)
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &object, sizeof object);
        numbers_[std::countr_zero(sizeof object)].push_back({&object, bits, signal, source_of<T>(kind)});
    }
    void add(const std::string_view& word, std::uint32_t signal)
    {
        words_.push_back({&word, std::string(word), signal});
    }
    /// Anything else, compared as text. Slow.
    void add(std::function<std::string()> read, std::uint32_t signal);

    /// Samples the current values.
    void sample();
    /// Records the values sampled last.
    void log_all(ChangeLog& log) const;
    /// Records the values that differ from the last sample, and samples them.
    void log_changes(ChangeLog& log);

private:
    enum class Source : std::uint8_t { kInteger, kFloat, kDouble, kEvent };

    struct Number {
        const void* object;
        std::uint64_t last;  ///< the bits as they are in memory
        std::uint32_t signal;
        Source source;
    };
    struct Word {
        const std::string_view* object;
        std::string last;
        std::uint32_t signal;
    };
    struct Rendered {
        std::function<std::string()> read;
        std::string last;
        std::uint32_t signal;
    };

    template <class T>
    static constexpr Source source_of(SignalKind kind)
    {
        if (kind == SignalKind::kEvent) return Source::kEvent;
        if constexpr (std::same_as<T, float>) return Source::kFloat;
        if constexpr (std::same_as<T, double>) return Source::kDouble;
        return Source::kInteger;
    }

    template <class Bits>
    void log_changes_of(std::vector<Number>& row, ChangeLog& log);
    static void log(ChangeLog& log, const Number& number);

    std::array<std::vector<Number>, 4> numbers_;  ///< of 1, 2, 4 and 8 bytes
    std::vector<Word> words_;
    std::vector<Rendered> rendered_;
};

}  // namespace ringmesh
