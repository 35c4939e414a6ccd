// SPDX-License-Identifier: Apache-2.0
#include "tlm/names.h"

#include <algorithm>

namespace ringmesh {
namespace {

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

/// Insertions, deletions, substitutions and swaps of neighbours that lead from one text to the other (optimal string
/// alignment: no place is edited twice).
std::size_t distance(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> before_last(to.size() + 1);
    std::vector<std::size_t> last(to.size() + 1);
    std::vector<std::size_t> row(to.size() + 1);
    for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const char a = lower(from[i - 1]);
            const char b = lower(to[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a == b ? 0u : 1u)});
            if (i > 1 && j > 1 && a == lower(to[j - 2]) && b == lower(from[i - 2])) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
    }
    return row[to.size()];
}

}  // namespace

std::string nearest_name(std::string_view typed, std::span<const std::string> known)
{
    std::string nearest;
    std::size_t errors = SIZE_MAX;
    for (const std::string& name : known) {
        const std::size_t longer = std::max(typed.size(), name.size());
        const std::size_t fewest = longer - std::min(typed.size(), name.size());  // any text may be typed
        if (fewest >= errors || 3 * fewest > longer) continue;
        const std::size_t candidate = distance(typed, name);
        if (candidate < errors && 3 * candidate <= longer) {
            nearest = name;
            errors = candidate;
        }
    }
    return nearest;
}

std::string nearest_hint(std::string_view typed, std::span<const std::string> known)
{
    const std::string nearest = nearest_name(typed, known);
    return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

std::string suggestion(std::string_view typed, std::span<const std::string> known)
{
    if (known.empty()) return "; none is known";
    if (std::string hint = nearest_hint(typed, known); !hint.empty()) return hint;
    std::string all;
    for (const std::string& name : known) all += (all.empty() ? "; known: " : ", ") + name;
    return all;
}

}  // namespace ringmesh
