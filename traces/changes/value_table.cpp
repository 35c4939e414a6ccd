// SPDX-License-Identifier: Apache-2.0
#include "traces/changes/value_table.h"

#include <utility>

namespace ringmesh {

void ValueTable::add(std::function<std::string()> read, std::uint32_t signal)
{
    std::string now = read();
    rendered_.push_back({std::move(read), std::move(now), signal});
}

void ValueTable::log(ChangeLog& log, const Number& number)
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
void ValueTable::log_changes_of(Row<Number>& row, ChangeLog& log)
{
    row.look([&log](Number& number) {
        Bits bits = 0;
        std::memcpy(&bits, number.object, sizeof bits);
        if (bits == number.last) return;
        number.last = bits;
        ValueTable::log(log, number);
    });
}

void ValueTable::sample()
{
    for (std::size_t row = 0; row < numbers_.size(); ++row) {
        numbers_[row].look([row](Number& number) { std::memcpy(&number.last, number.object, std::size_t{1} << row); });
    }
    words_.look([](Word& word) { word.last = *word.object; });
    for (Rendered& rendered : rendered_) rendered.last = rendered.read();
}

void ValueTable::log_all(ChangeLog& log) const
{
    for (const Row<Number>& row : numbers_) {
        for (const Number& number : row.values()) ValueTable::log(log, number);
    }
    for (const Word& word : words_.values()) log.word(word.signal, word.last);
    for (const Rendered& rendered : rendered_) log.text(rendered.signal, rendered.last);
}

void ValueTable::log_changes(ChangeLog& log)
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
