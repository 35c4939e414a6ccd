// SPDX-License-Identifier: Apache-2.0
#include "tlm/parameters/names.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ringmesh {
namespace {

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

/// Insertions, deletions, substitutions and swaps of neighbours that lead from one text to the other (optimal string
/// alignment: no place is edited twice). @return more than `most` if there are more
std::size_t distance(std::string_view from, std::string_view to, std::size_t most)
{
    std::vector<std::size_t> before_last(to.size() + 1);
    std::vector<std::size_t> last(to.size() + 1);
    std::vector<std::size_t> row(to.size() + 1);
    for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
    std::size_t least_of_last = 0;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i;
        std::size_t least = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const char a = lower(from[i - 1]);
            const char b = lower(to[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a == b ? 0u : 1u)});
            if (i > 1 && j > 1 && a == lower(to[j - 2]) && b == lower(from[i - 2])) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
            least = std::min(least, row[j]);
        }
        if (least > most && least_of_last > most) return most + 1;
        least_of_last = least;
    }
    return row[to.size()];
}

/// How often a text has each letter, to tell fast that another is far away: it takes an error to have one too many.
class Letters {
public:
    explicit Letters(std::string_view text) : size_(text.size())
    {
        for (const char letter : text) ++counts_[index(letter)];
    }
    std::size_t fewest_errors(std::string_view other)
    {
        std::size_t common = 0;
        for (const char letter : other) common += counts_[index(letter)]-- > 0 ? 1U : 0U;
        for (const char letter : other) ++counts_[index(letter)];
        return std::max(size_, other.size()) - common;
    }

private:
    static std::size_t index(char letter) { return static_cast<unsigned char>(lower(letter)); }

    std::size_t size_;
    std::array<std::ptrdiff_t, 256> counts_{};
};

}  // namespace

std::string nearest_name(std::string_view typed, std::span<const std::string> known)
{
    std::string nearest;
    std::size_t errors = SIZE_MAX;
    Letters letters(typed);
    for (const std::string& name : known) {
        const std::size_t longer = std::max(typed.size(), name.size());
        const std::size_t most = std::min(longer / 3, errors - 1);
        // A text of any length may be typed, beside hundreds of names
        if (errors == 0 || longer - std::min(typed.size(), name.size()) > most) continue;
        if (letters.fewest_errors(name) > most) continue;
        const std::size_t candidate = distance(typed, name, most);
        if (candidate <= most) {
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
    const auto list = [known](const std::string& before, std::string_view beginning) {
        std::string all;
        for (const std::string& name : known) {
            if (name.starts_with(beginning)) all += (all.empty() ? before : ", ") + name;
        }
        return all;
    };
    if (std::string begun = list("; write more of it: ", typed); !typed.empty() && !begun.empty()) return begun;
    return list("; known: ", "");
}

}  // namespace ringmesh
