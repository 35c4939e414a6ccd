// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tlm/units/units.h"

namespace ringmesh::test {

using Changes = std::vector<std::pair<Duration, std::string>>;

/// The changes of each signal of a waveform, by its full name.
inline std::map<std::string, Changes> read_vcd(const std::string& path)
{
    std::ifstream file(path);
    std::map<std::string, std::string> names;
    std::map<std::string, Changes> changes;
    std::string scope, line;
    Duration time;
    bool declaring = true;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string first, kind, width, id, name;
        words >> first;
        if (first.empty()) continue;
        if (first == "$scope") {
            words >> kind >> name;
            scope += name + ".";
        } else if (first == "$upscope") {
            scope.resize(scope.find_last_of('.', scope.size() - 2) + 1);
        } else if (first == "$var") {
            words >> kind >> width >> id >> name;
            names[id] = scope + name;
            changes[names[id]];
        } else if (first == "$enddefinitions") {
            declaring = false;
        } else if (declaring) {
            continue;
        } else if (first[0] == '#') {
            time = Duration::picoseconds(std::stoll(first.substr(1)));
        } else if (first[0] == 'b' || first[0] == 's' || first[0] == 'r') {
            words >> id;
            changes[names[id]].emplace_back(time, first.substr(1));
        } else if (std::string_view("01xz").find(first[0]) != std::string_view::npos) {
            changes[names[first.substr(1)]].emplace_back(time, first.substr(0, 1));
        }
    }
    return changes;
}

/// When a signal has a value first; never() if it never does.
inline Duration first_time(const Changes& changes, const std::string& value)
{
    for (const auto& [time, what] : changes) {
        if (what == value) return time;
    }
    return Duration::never();
}

}  // namespace ringmesh::test
