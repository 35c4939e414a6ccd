// SPDX-License-Identifier: Apache-2.0
#include "traces/polled_values.h"

#include <bit>
#include <cstring>
#include <utility>

namespace ringmesh {

namespace {

template <class T>
std::uint64_t load(const void* object)
{
    T value;
    std::memcpy(&value, object, sizeof value);  // a long long may be read as a 64-bit integer of another name
    return static_cast<std::uint64_t>(value);
}

}  // namespace

void PolledValues::add(std::function<std::string()> read, std::uint32_t signal)
{
    std::string now = read();
    rendered_.push_back({std::move(read), std::move(now), signal});
}

std::uint64_t PolledValues::read(const Number& number)
{
    switch (number.source) {
        case Source::kBool:
        case Source::kU8: return load<std::uint8_t>(number.object);
        case Source::kU16: return load<std::uint16_t>(number.object);
        case Source::kU32: return load<std::uint32_t>(number.object);
        case Source::kU64: return load<std::uint64_t>(number.object);
        case Source::kI8: return load<std::int8_t>(number.object);
        case Source::kI16: return load<std::int16_t>(number.object);
        case Source::kI32: return load<std::int32_t>(number.object);
        case Source::kI64: return load<std::int64_t>(number.object);
        case Source::kDouble: return load<std::uint64_t>(number.object);
        case Source::kFloat: {
            float value = 0;
            std::memcpy(&value, number.object, sizeof value);
            return std::bit_cast<std::uint64_t>(static_cast<double>(value));
        }
    }
    return 0;
}

void PolledValues::write(VcdWriter& writer, const Number& number)
{
    switch (writer.signals()[number.signal].kind) {
        case SignalKind::kReal: writer.change_real(number.signal, std::bit_cast<double>(number.last)); break;
        case SignalKind::kEvent: writer.trigger(number.signal); break;
        default: writer.change_number(number.signal, number.last); break;
    }
}

void PolledValues::write(VcdWriter& writer, const Rendered& rendered)
{
    if (writer.signals()[rendered.signal].kind == SignalKind::kWord) {
        writer.change_word(rendered.signal, rendered.last);
    } else {
        writer.change_bits(rendered.signal, rendered.last);
    }
}

void PolledValues::sample()
{
    for (Number& number : numbers_) number.last = read(number);
    for (Word& word : words_) word.last = *word.object;
    for (Rendered& rendered : rendered_) rendered.last = rendered.read();
}

void PolledValues::write_all(VcdWriter& writer) const
{
    for (const Number& number : numbers_) {
        // An event has no value that could last
        if (writer.signals()[number.signal].kind != SignalKind::kEvent) write(writer, number);
    }
    for (const Word& word : words_) writer.change_word(word.signal, word.last);
    for (const Rendered& rendered : rendered_) write(writer, rendered);
}

void PolledValues::write_changes(VcdWriter& writer)
{
    for (Number& number : numbers_) {
        const std::uint64_t value = read(number);
        if (value == number.last) continue;
        number.last = value;
        write(writer, number);
    }
    for (Word& word : words_) {
        if (*word.object == word.last) continue;
        word.last = *word.object;
        writer.change_word(word.signal, word.last);
    }
    for (Rendered& rendered : rendered_) {
        std::string value = rendered.read();
        if (value == rendered.last) continue;
        rendered.last = std::move(value);
        write(writer, rendered);
    }
}

}  // namespace ringmesh
