// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace ringmesh::fuzz {

/// Half of the time a mutation of bytes, else one of lines: left out, said twice, exchanged, or a value out of a list.
inline std::size_t mutate_lines(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed,
                                const std::vector<std::string_view>& lines_known)
{
    std::minstd_rand random(seed);
    if (random() % 2 == 0 || size == 0) return LLVMFuzzerMutate(data, size, most);
    static const std::vector<std::string_view> kValues{"0",
                                                       "-1",
                                                       "1",
                                                       "7",
                                                       "65536",
                                                       "1e308",
                                                       "nan",
                                                       "inf",
                                                       "\"\"",
                                                       "\"5 us\"",
                                                       "\"3 cycles\"",
                                                       "\"64 B\"",
                                                       "[]",
                                                       "[2, 2]",
                                                       "[[1]]",
                                                       "{}",
                                                       "{ a = 1 }",
                                                       "true",
                                                       "\"r0_0.east\"",
                                                       "\"up-down\"",
                                                       "\"graph\"",
                                                       "\"*\"",
                                                       "'''x",
                                                       "1979-05-27"};
    std::vector<std::string> lines{""};
    for (std::size_t i = 0; i < size; ++i) {
        if (data[i] == '\n') {
            lines.emplace_back();
        } else {
            lines.back() += static_cast<char>(data[i]);
        }
    }
    const std::size_t at = random() % lines.size();
    switch (random() % 5) {
        case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); break;
        case 1: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[random() % lines.size()]); break;
        case 2: std::swap(lines[at], lines[random() % lines.size()]); break;
        case 3:
            lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at),
                         std::string(lines_known[random() % lines_known.size()]));
            break;
        default:
            if (const auto equals = lines[at].find('='); equals != std::string::npos) {
                lines[at] = lines[at].substr(0, equals + 1) + ' ' + std::string(kValues[random() % kValues.size()]);
            }
    }
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    const std::size_t length = std::min(text.size(), most);
    std::memcpy(data, text.data(), length);
    return length;
}

}  // namespace ringmesh::fuzz
