// SPDX-License-Identifier: Apache-2.0
#include "traces/changes/value_table.h"

#include <utility>

namespace ringmesh {

std::uint32_t ValueTable::add(std::function<std::string()> read, std::uint32_t signal)
{
    std::string now = read();
    rendered_.push_back({std::move(read), std::move(now), signal});
    return static_cast<std::uint32_t>(rendered_.size() - 1) | (kWords + 1) << kRowShift;
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

}  // namespace ringmesh
