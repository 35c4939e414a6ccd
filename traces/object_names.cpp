// SPDX-License-Identifier: Apache-2.0
#include "traces/object_names.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <vector>

#include "tlm/names.h"

namespace ringmesh {
namespace {

std::string_view last_component(std::string_view name) { return name.substr(name.rfind('.') + 1); }

/// Numbered names as ranges, "core0..core47", at the position of the first.
std::vector<std::string> collapsed(const std::vector<std::string>& names)
{
    constexpr std::string_view kDigits = "0123456789";
    std::vector<std::string_view> order;
    std::map<std::string_view, std::set<unsigned>> numbers;  // empty for a name without one
    for (const std::string& name : names) {
        const std::size_t last_letter = name.find_last_not_of(kDigits);
        std::string_view stem = std::string_view(name).substr(0, last_letter + 1);
        const std::string_view digits = std::string_view(name).substr(stem.size());
        unsigned number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        const bool plain = error == std::errc{} && std::to_string(number) == digits;
        if (!plain) stem = name;
        if (!numbers.contains(stem)) order.push_back(stem);
        auto& of_stem = numbers[stem];
        if (plain) of_stem.insert(number);
    }
    std::vector<std::string> all;
    for (const std::string_view stem : order) {
        const std::set<unsigned>& of_stem = numbers[stem];
        if (of_stem.empty()) all.emplace_back(stem);
        for (auto at = of_stem.begin(); at != of_stem.end();) {
            const unsigned first = *at;
            unsigned last = first;
            while (++at != of_stem.end() && *at == last + 1) ++last;
            all.push_back(first == last ? fmt::format("{}{}", stem, first)
                                        : fmt::format("{0}{1}..{0}{2}", stem, first, last));
        }
    }
    return all;
}

}  // namespace

std::string cure_for_pattern(std::string_view typed, const ObjectNames& names)
{
    // "*.lcc2" is compared with block names on every level, "nod0.*" with the part before the star
    ObjectNames candidates;
    std::string before;
    std::string after;
    if (typed.starts_with("*.")) {
        before = "*.";
        typed = last_component(typed);
        for (const std::string& name : names) candidates.emplace(last_component(name));
    } else {
        candidates = names;
        if (typed.ends_with(".*")) {
            after = ".*";
            typed.remove_suffix(2);
        }
    }
    const std::string near = nearest_name(typed, std::vector<std::string>(candidates.begin(), candidates.end()));
    if (!near.empty()) return "did you mean '" + before + near + after + "'?";

    std::vector<std::string> at_the_top;
    for (const std::string& name : names) {
        if (name.find('.') == std::string::npos) at_the_top.push_back(name);
    }
    constexpr std::size_t kMost = 16;
    std::vector<std::string> known = collapsed(at_the_top);
    const bool too_many = known.size() > kMost;
    if (too_many) known.resize(kMost);
    return fmt::format("known: {}{}", fmt::join(known, ", "), too_many ? " and more" : "");
}

}  // namespace ringmesh
