// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ringmesh::lab {

std::vector<std::pair<std::string, std::string>> configuration_of(const Point& point)
{
    const RunRecord& record = point.record;
    std::vector<std::pair<std::string, std::string>> all{
        {"model", point.header.model}, {"program", record.workload}, {"library", record.library}};
    for (const ParameterRow& row : record.workload_options) all.emplace_back("option " + row.key, row.value);
    for (const ParameterRow& row : record.library_options) all.emplace_back("library option " + row.key, row.value);
    for (const ParameterRow& row : record.parameters) all.emplace_back(row.key, row.value);
    return all;
}

std::string identity_of(const RunRecord& record)
{
    std::string text = record.workload + '\n' + record.library + '\n';
    const auto add = [&text](char what, const std::vector<ParameterRow>& rows) {
        std::vector<std::string> lines;
        lines.reserve(rows.size());
        for (const ParameterRow& row : rows) lines.push_back(fmt::format("{} {}={}\n", what, row.key, row.value));
        std::sort(lines.begin(), lines.end());
        for (const std::string& line : lines) text += line;
    };
    add('o', record.workload_options);
    add('l', record.library_options);
    add('p', record.parameters);
    return text;
}

std::vector<ConfigurationDifference> configuration_differences(std::span<const Point* const> points)
{
    std::vector<ConfigurationDifference> all;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (auto& [name, value] : configuration_of(*points[i])) {
            const auto [place, is_new] = places.emplace(name, all.size());
            if (is_new) all.push_back({name, std::vector<std::string>(points.size(), "-")});
            if (!value.empty()) all[place->second].values[i] = std::move(value);
        }
    }
    std::erase_if(all, [](const ConfigurationDifference& each) {
        return std::all_of(each.values.begin(), each.values.end(),
                           [&each](const std::string& value) { return value == each.values.front(); });
    });
    return all;
}

}  // namespace ringmesh::lab
