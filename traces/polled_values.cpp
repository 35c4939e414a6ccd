// SPDX-License-Identifier: Apache-2.0
#include "traces/polled_values.h"

#include <utility>

namespace ringmesh {

void PolledValues::add(std::function<std::string()> read, std::uint32_t signal)
{
    std::string now = read();
    rendered_.push_back({std::move(read), std::move(now), signal});
}

void PolledValues::write(VcdWriter& writer, const Number& number)
{
    switch (number.source) {
        case Source::kInteger:
            if (writer.signals()[number.signal].kind == SignalKind::kEvent) {
                writer.trigger(number.signal);
            } else {
                writer.change_number(number.signal, number.last);
            }
            break;
        case Source::kFloat:
            writer.change_real(number.signal,
                               static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number.last))));
            break;
        case Source::kDouble: writer.change_real(number.signal, std::bit_cast<double>(number.last)); break;
    }
}

template <class Bits>
void PolledValues::write_changes_of(std::vector<Number>& row, VcdWriter& writer)
{
    for (Number& number : row) {
        Bits bits = 0;
        std::memcpy(&bits, number.object, sizeof bits);
        if (bits == number.last) continue;
        number.last = bits;
        write(writer, number);
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
    for (std::size_t row = 0; row < numbers_.size(); ++row) {
        for (Number& number : numbers_[row]) std::memcpy(&number.last, number.object, std::size_t{1} << row);
    }
    for (Word& word : words_) word.last = *word.object;
    for (Rendered& rendered : rendered_) rendered.last = rendered.read();
}

void PolledValues::write_all(VcdWriter& writer) const
{
    for (const std::vector<Number>& row : numbers_) {
        for (const Number& number : row) {
            // An event has no value that could last
            if (writer.signals()[number.signal].kind != SignalKind::kEvent) write(writer, number);
        }
    }
    for (const Word& word : words_) writer.change_word(word.signal, word.last);
    for (const Rendered& rendered : rendered_) write(writer, rendered);
}

void PolledValues::write_changes(VcdWriter& writer)
{
    write_changes_of<std::uint8_t>(numbers_[0], writer);
    write_changes_of<std::uint16_t>(numbers_[1], writer);
    write_changes_of<std::uint32_t>(numbers_[2], writer);
    write_changes_of<std::uint64_t>(numbers_[3], writer);
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
