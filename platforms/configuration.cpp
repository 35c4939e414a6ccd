// SPDX-License-Identifier: Apache-2.0
#include "platforms/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "platforms/parameter_reader.h"
#include "tlm/parameter_list.h"

namespace ringmesh::platforms {
namespace {

/// The settings of a file, its header taken out of them.
struct File {
    std::string name;
    FileHeader header;
    std::string machine_where;  ///< "FILE:LINE" of the key, empty if it is not there
    std::string applies_to_where;
    std::string based_on_where;
    std::vector<Setting> settings;
};

std::string header_text(const Setting& setting)
{
    const auto* text = std::get_if<std::string>(&setting.value.data);
    if (text == nullptr || text->empty()) {
        throw UserError(fmt::format("{}: {} = {}: not a text; write {} = \"...\"", setting.where, setting.key,
                                    setting.value.text, setting.key));
    }
    return *text;
}

std::vector<std::string> header_list(const Setting& setting)
{
    const auto* texts = std::get_if<std::vector<std::string>>(&setting.value.data);
    if (texts == nullptr || texts->empty()) {
        throw UserError(fmt::format("{}: {} = {}: not a list of machines; write {} = [\"...\"]", setting.where,
                                    setting.key, setting.value.text, setting.key));
    }
    return *texts;
}

File read_file(const std::filesystem::path& path)
{
    File file;
    file.name = shown(path);
    for (Setting& setting : read_toml_file(path)) {
        if (setting.key == "machine") {
            file.header.machine = header_text(setting);
            file.machine_where = setting.where;
        } else if (setting.key == "description") {
            file.header.description = header_text(setting);
        } else if (setting.key == "based_on") {
            file.header.based_on = header_text(setting);
            file.based_on_where = setting.where;
        } else if (setting.key == "applies_to") {
            file.header.applies_to = header_list(setting);
            file.applies_to_where = setting.where;
        } else {
            file.settings.push_back(std::move(setting));
        }
    }
    return file;
}

/// "FILE:1: no description; ..." if there is none.
std::string missing_description(const File& file)
{
    if (!file.header.description.empty()) return {};
    return fmt::format("{}:1: no description; write description = \"one sentence\" at the top", file.name);
}

/// @param lines what is wrong already, a line each without the last end
void read_settings(const std::vector<Setting>& settings, const std::function<void(ParameterVisitor&)>& walk,
                   std::string lines = {})
{
    ParameterReader reader(settings);
    walk(reader);
    for (const Problem& problem : reader.problems()) lines += (lines.empty() ? "" : "\n") + problem.text;
    if (!lines.empty()) throw UserError(lines);
}

}  // namespace

Configuration Configuration::load(const std::filesystem::path& platform_file)
{
    File file = read_file(platform_file);
    if (!file.applies_to_where.empty()) {
        throw UserError(fmt::format("{}: applies_to belongs to overlays; remove it, or use this file as an overlay",
                                    file.applies_to_where));
    }
    if (file.machine_where.empty()) {
        throw UserError(
            fmt::format("{}: no machine; write machine = \"...\" at the top, as in the files of "
                        "`ringmesh list platforms`",
                        file.name));
    }
    Configuration configuration;
    if (!file.header.based_on.empty()) {
        const auto base = platform_file.parent_path() / file.header.based_on;
        if (!std::filesystem::exists(base)) {
            throw UserError(
                fmt::format("{}: based_on = \"{}\": there is no such file beside this one; name one that is",
                            file.based_on_where, file.header.based_on));
        }
        if (!read_file(base).header.based_on.empty()) {
            throw UserError(
                fmt::format("{}: based_on = \"{}\": that file is itself based on another; name the first one",
                            file.based_on_where, file.header.based_on));
        }
        configuration = load(base);
        if (configuration.machine() != file.header.machine) {
            throw UserError(
                fmt::format("{}: machine = \"{}\": the platform that this one is based on is a {}; write that",
                            file.machine_where, file.header.machine, configuration.machine()));
        }
    }
    configuration.add_header_problem(missing_description(file));
    configuration.platform_file_ = std::move(file.name);
    configuration.header_ = std::move(file.header);
    configuration.machine_where_ = std::move(file.machine_where);
    std::move(file.settings.begin(), file.settings.end(), std::back_inserter(configuration.settings_));
    return configuration;
}

void Configuration::overlay(const std::filesystem::path& overlay_file)
{
    File file = read_file(overlay_file);
    if (!file.machine_where.empty()) {
        throw UserError(fmt::format("{}: an overlay cannot choose the machine; write applies_to = [\"{}\"] instead",
                                    file.machine_where, file.header.machine));
    }
    const std::vector<std::string>& machines = file.header.applies_to;
    if (!machines.empty() && std::find(machines.begin(), machines.end(), machine()) == machines.end()) {
        throw UserError(
            fmt::format("{}: this overlay is for {}, and {} is a {}; leave the overlay out or choose "
                        "another platform",
                        file.applies_to_where, fmt::join(machines, ", "), platform_file_, machine()));
    }
    if (!file.based_on_where.empty()) {
        throw UserError(fmt::format("{}: based_on belongs to platform files; remove it and give several --overlay",
                                    file.based_on_where));
    }
    add_header_problem(missing_description(file));
    std::move(file.settings.begin(), file.settings.end(), std::back_inserter(settings_));
}

void Configuration::set(std::string_view assignment)
{
    for (Setting& setting : read_assignment(assignment, "--set")) {
        if (setting.key == "machine" || setting.key == "description" || setting.key == "applies_to" ||
            setting.key == "based_on") {
            throw UserError(fmt::format("{}: '{}' belongs to files alone; choose another platform or overlay",
                                        setting.where, setting.key));
        }
        settings_.push_back(std::move(setting));
    }
}

FileHeader Configuration::read_header(const std::filesystem::path& path)
{
    File file = read_file(path);
    if (const std::string problem = missing_description(file); !problem.empty()) throw UserError(problem);
    return std::move(file.header);
}

void Configuration::add_header_problem(const std::string& problem)
{
    if (!problem.empty()) header_problems_ += (header_problems_.empty() ? "" : "\n") + problem;
}

void Configuration::read_walk(const std::function<void(ParameterVisitor&)>& walk) const
{
    defaults_.clear();
    for (const ParameterRow& row : list_parameters_of(walk)) {
        defaults_[row.key] = row.quoted ? '"' + row.value + '"' : row.value;
    }
    read_settings(settings_, walk, header_problems_);
}

const Setting* Configuration::find(std::string_view key) const
{
    const auto last = std::find_if(settings_.rbegin(), settings_.rend(),
                                   [key](const Setting& setting) { return setting.key == key; });
    return last == settings_.rend() ? nullptr : &*last;
}

std::string Configuration::origin_of(std::string_view key) const
{
    if (key == "machine") return machine_where_;
    const Setting* setting = find(key);
    return setting == nullptr ? "default" : setting->where;
}

UserError Configuration::problem(std::string_view key, std::string_view what_and_cure) const
{
    const auto end = what_and_cure.find("; ");
    return problem(key, what_and_cure.substr(0, end), what_and_cure.substr(end + 2));
}

UserError Configuration::problem(std::string_view key, std::string_view what, std::string_view cure) const
{
    if (key == "machine") {
        return UserError(fmt::format("{}: machine = \"{}\": {}; {}", machine_where_, machine(), what, cure));
    }
    if (const Setting* setting = find(key)) {
        return UserError(fmt::format("{}: {} = {}: {}; {}", setting->where, key, setting->value.text, what, cure));
    }
    const auto found = defaults_.find(key);
    const std::string value = found == defaults_.end() ? "" : fmt::format(" = {} (default)", found->second);
    return UserError(fmt::format("{}: {}{}: {}; {}", platform_file_, key, value, what, cure));
}

void read_assignments(const std::vector<std::string>& assignments, std::string_view option,
                      const std::function<void(ParameterVisitor&)>& walk)
{
    std::vector<Setting> settings;
    for (const std::string& assignment : assignments) {
        for (Setting& setting : read_assignment(assignment, option)) settings.push_back(std::move(setting));
    }
    read_settings(settings, walk);
}

}  // namespace ringmesh::platforms
