// SPDX-License-Identifier: Apache-2.0
#include "traces/trace_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <vector>

#include "tlm/error.h"
#include "tlm/parameters/names.h"

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

namespace {

/// Also remembers which patterns matched and which names exist, for the message about one that matched nothing.
class Selection {
public:
    explicit Selection(std::string_view patterns);
    bool selects(std::string_view signal);
    void check() const;

private:
    struct Pattern {
        std::string text;
        bool used = false;
    };

    std::vector<Pattern> patterns_;
    ObjectNames names_;
};

Selection::Selection(std::string_view patterns)
{
    while (true) {
        const std::size_t comma = patterns.find(',');
        std::string_view pattern = patterns.substr(0, comma);
        while (!pattern.empty() && pattern.front() == ' ') pattern.remove_prefix(1);
        while (!pattern.empty() && pattern.back() == ' ') pattern.remove_suffix(1);
        if (pattern.empty()) {
            throw UserError("--trace: an empty pattern; write names separated by commas, for example node0,*.lc2");
        }
        patterns_.push_back({std::string(pattern)});
        if (comma == std::string_view::npos) return;
        patterns.remove_prefix(comma + 1);
    }
}

bool Selection::selects(std::string_view signal)
{
    bool selected = false;
    add_names(signal, names_);
    for (std::size_t end = signal.size(); end != std::string_view::npos && end > 0; end = signal.rfind('.', end - 1)) {
        const std::string_view name = signal.substr(0, end);
        for (Pattern& pattern : patterns_) {
            if (!matches_pattern(name, pattern.text)) continue;
            pattern.used = true;
            selected = true;
        }
    }
    return selected;
}

void Selection::check() const
{
    for (const Pattern& pattern : patterns_) {
        if (pattern.used) continue;
        const std::string problem = "--trace " + pattern.text + ": ";
        if (names_.empty()) throw UserError(problem + "this machine has nothing to trace");
        throw UserError(problem + "no traced object of this name; " + cure_for_pattern(pattern.text, names_));
    }
}

void trace_below(const std::vector<sc_core::sc_object*>& objects, Recorder& file)
{
    for (const sc_core::sc_object* object : objects) {
        object->trace(&file);
        trace_below(object->get_child_objects(), file);
    }
}

}  // namespace

bool matches_pattern(std::string_view name, std::string_view pattern)
{
    std::size_t n = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;  // the last one met, to which we come back
    std::size_t star_covers_to = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            star_covers_to = n;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++star_covers_to;
        } else {
            return false;
        }
    }
    return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(p), pattern.end(),
                       [](char c) { return c == '*'; });
}

void add_names(std::string_view signal, ObjectNames& names)
{
    for (std::size_t end = signal.size(); end != std::string_view::npos && end > 0; end = signal.rfind('.', end - 1)) {
        const std::string_view name = signal.substr(0, end);
        if (!names.contains(name)) names.emplace(name);
    }
}

bool selects(std::string_view patterns, std::string_view signal) { return Selection(patterns).selects(signal); }

void trace_selected(Recorder& file, std::string_view patterns,
                    const std::function<void(sc_core::sc_trace_file*)>& others)
{
    // The file keeps it: traces of ports are only declared when the simulation starts
    const auto selection = std::make_shared<Selection>(patterns);
    file.select([selection](std::string_view name) { return selection->selects(name); });
    trace_below(sc_core::sc_get_top_level_objects(), file);
    if (others) others(&file);
    selection->check();
}

}  // namespace ringmesh
