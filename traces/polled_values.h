// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "traces/vcd_writer.h"

namespace ringmesh {

/// Values that are looked at once per time step. Nothing tells when they change, so a step costs about a nanosecond per
/// value: numbers are small records in one row, told apart by a tag. What is looked at has to stay alive.
class PolledValues {
public:
    /// Booleans, integers and floating-point numbers.
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void add(const Number& object, std::uint32_t signal)
    {
        numbers_.push_back({&object, 0, signal, kSourceOf<Number>});
        numbers_.back().last = read(numbers_.back());
    }
    void add(const std::string_view& word, std::uint32_t signal)
    {
        words_.push_back({&word, std::string(word), signal});
    }
    /// Anything else, compared as text: bits, or a word if the signal is one. Slow.
    void add(std::function<std::string()> read, std::uint32_t signal);

    /// Remembers the values of now.
    void sample();
    /// The values remembered last.
    void write_all(VcdWriter& writer) const;
    /// Writes and remembers what differs from the values remembered last.
    void write_changes(VcdWriter& writer);

private:
    enum class Source : std::uint8_t { kBool, kI8, kI16, kI32, kI64, kU8, kU16, kU32, kU64, kFloat, kDouble };

    struct Number {
        const void* object;
        std::uint64_t last;  ///< integers with their sign extended; the bits of a double
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
    static constexpr Source source_of()
    {
        if constexpr (std::same_as<T, bool>) return Source::kBool;
        if constexpr (std::same_as<T, float>) return Source::kFloat;
        if constexpr (std::same_as<T, double>) return Source::kDouble;
        constexpr bool negative = std::is_signed_v<T>;
        if constexpr (sizeof(T) == 1) return negative ? Source::kI8 : Source::kU8;
        if constexpr (sizeof(T) == 2) return negative ? Source::kI16 : Source::kU16;
        if constexpr (sizeof(T) == 4) return negative ? Source::kI32 : Source::kU32;
        return negative ? Source::kI64 : Source::kU64;
    }
    template <class T>
    static constexpr Source kSourceOf = source_of<T>();

    static std::uint64_t read(const Number& number);
    static void write(VcdWriter& writer, const Number& number);
    static void write(VcdWriter& writer, const Rendered& rendered);

    std::vector<Number> numbers_;
    std::vector<Word> words_;
    std::vector<Rendered> rendered_;
};

}  // namespace ringmesh
