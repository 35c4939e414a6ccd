// SPDX-License-Identifier: Apache-2.0
#include "traces/changes/polled_values.h"

#include <utility>

namespace ringmesh {

void PolledValues::add(std::function<std::string()> read, std::uint32_t signal)
{
    std::string now = read();
    rendered_.push_back({std::move(read), std::move(now), signal});
}

void PolledValues::log(ChangeLog& log, const Number& number)
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

template <class Bits>
void PolledValues::log_changes_of(std::vector<Number>& row, ChangeLog& log)
{
    for (Number& number : row) {
        Bits bits = 0;
        std::memcpy(&bits, number.object, sizeof bits);
        if (bits == number.last) continue;
        number.last = bits;
        PolledValues::log(log, number);
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

void PolledValues::log_all(ChangeLog& log) const
{
    for (const std::vector<Number>& row : numbers_) {
        for (const Number& number : row) PolledValues::log(log, number);
    }
    for (const Word& word : words_) log.word(word.signal, word.last);
    for (const Rendered& rendered : rendered_) log.text(rendered.signal, rendered.last);
}

void PolledValues::log_changes(ChangeLog& log)
{
    log_changes_of<std::uint8_t>(numbers_[0], log);
    log_changes_of<std::uint16_t>(numbers_[1], log);
    log_changes_of<std::uint32_t>(numbers_[2], log);
    log_changes_of<std::uint64_t>(numbers_[3], log);
    for (Word& word : words_) {
        if (*word.object == word.last) continue;
        word.last = *word.object;
        log.word(word.signal, word.last);
    }
    for (Rendered& rendered : rendered_) {
        std::string value = rendered.read();
        if (value == rendered.last) continue;
        rendered.last = std::move(value);
        log.text(rendered.signal, rendered.last);
    }
}

}  // namespace ringmesh
