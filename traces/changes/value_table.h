// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "traces/changes/change_log.h"
#include "traces/formats/wave_signal.h"

namespace ringmesh {

/// The last values of what a waveform shows. A time step costs what has changed: values are looked at when they tell
/// that they may have changed. Those that cannot tell are polled once per step, about a nanosecond per number; numbers
/// are small records in one array per size. The objects must stay alive.
class ValueTable {
public:
    enum class Told : bool { kNo, kYes };

    /// Booleans, integers and floating-point numbers.
    /// @return for changed(), if it is told; they rise in the order in which a step's changes are recorded
    template <class T>
    requires std::is_arithmetic_v<T> std::uint32_t add(const T& object, std::uint32_t signal, SignalKind kind,
                                                       Told told = Told::kNo)
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &object, sizeof object);
        const auto row = static_cast<std::uint32_t>(std::countr_zero(sizeof object));
        return numbers_[row].add({{signal}, &object, bits, source_of<T>(kind)}, told) | row << kRowShift;
    }
    std::uint32_t add(const std::string_view& word, std::uint32_t signal, Told told = Told::kNo)
    {
        return words_.add({{signal}, &word, std::string(word)}, told) | kWords << kRowShift;
    }
    /// Anything else, polled, compared as text. Slow. @return behind all others'
    std::uint32_t add(std::function<std::string()> read, std::uint32_t signal);

    /// A value that is told may have changed.
    void changed(std::uint32_t value)
    {
        const std::uint32_t row = value >> kRowShift;
        const std::uint32_t place = value & ((1U << kRowShift) - 1);
        if (row == kWords) {
            words_.tell(place);
        } else {
            numbers_[row].tell(place);
        }
    }

    /// Samples the current values.
    void sample();
    /// Records the values sampled last.
    void log_all(ChangeLog& log) const;
    /// Records the values that differ from the last sample, and samples them.
    /// @param log ChangeLog, or what has its calls number(), real(), word(), trigger() and text()
    template <class Log>
    void log_changes(Log& log);

private:
    enum class Source : std::uint8_t { kInteger, kFloat, kDouble, kEvent };

    struct Value {
        std::uint32_t signal;
        bool told = false;  ///< since it was looked at last
    };
    struct Number : Value {
        const void* object;
        std::uint64_t last;  ///< the bits as they are in memory
        Source source;
    };
    struct Word : Value {
        const std::string_view* object;
        std::string last;
    };
    /// Values of one kind, in the order in which their changes are recorded.
    template <class Kind>
    class Row {
    public:
        /// @return its place
        std::uint32_t add(Kind value, Told told)
        {
            values_.push_back(std::move(value));
            const auto place = static_cast<std::uint32_t>(values_.size() - 1);
            if (told == Told::kNo) polled_.push_back(place);
            return place;
        }
        void tell(std::uint32_t place)
        {
            if (std::exchange(values_[place].told, true)) return;
            told_.push_back(place);
        }
        /// Calls `look` with each value that may have changed.
        template <class Look>
        void look(Look look)
        {
            std::sort(told_.begin(), told_.end());
            auto polled = polled_.begin();
            for (const std::uint32_t place : told_) {
                for (; polled != polled_.end() && *polled < place; ++polled) look(values_[*polled]);
                values_[place].told = false;
                look(values_[place]);
            }
            told_.clear();
            for (; polled != polled_.end(); ++polled) look(values_[*polled]);
        }
        const std::vector<Kind>& values() const { return values_; }

    private:
        std::vector<Kind> values_;
        std::vector<std::uint32_t> polled_;
        std::vector<std::uint32_t> told_;
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

    template <class Bits, class Log>
    void log_changes_of(Row<Number>& row, Log& log);
    template <class Log>
    static void log(Log& log, const Number& number);

    static constexpr std::uint32_t kRowShift = 28;
    static constexpr std::uint32_t kWords = 4;
    std::array<Row<Number>, kWords> numbers_;  ///< of 1, 2, 4 and 8 bytes
    Row<Word> words_;
    std::vector<Rendered> rendered_;
};

template <class Log>
void ValueTable::log(Log& log, const Number& number)
{
    switch (number.source) {
        case Source::kInteger: log.number(number.signal, number.last); break;
        case Source::kFloat:
            log.real(number.signal, static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number.last))));
            break;
        case Source::kDouble: log.real(number.signal, std::bit_cast<double>(number.last)); break;
        case Source::kEvent: log.trigger(number.signal); break;
    }
}

template <class Bits, class Log>
void ValueTable::log_changes_of(Row<Number>& row, Log& log)
{
    row.look([&log](Number& number) {
        Bits bits = 0;
        std::memcpy(&bits, number.object, sizeof bits);
        if (bits == number.last) return;
        number.last = bits;
        ValueTable::log(log, number);
    });
}

template <class Log>
void ValueTable::log_changes(Log& log)
{
    log_changes_of<std::uint8_t>(numbers_[0], log);
    log_changes_of<std::uint16_t>(numbers_[1], log);
    log_changes_of<std::uint32_t>(numbers_[2], log);
    log_changes_of<std::uint64_t>(numbers_[3], log);
    words_.look([&log](Word& word) {
        if (*word.object == word.last) return;
        word.last = *word.object;
        log.word(word.signal, word.last);
    });
    for (Rendered& rendered : rendered_) {
        std::string value = rendered.read();
        if (value == rendered.last) continue;
        rendered.last = std::move(value);
        log.text(rendered.signal, rendered.last);
    }
}

}  // namespace ringmesh
