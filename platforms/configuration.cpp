// SPDX-License-Identifier: Apache-2.0
#include "platforms/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/machine/torus_shape.h"
#include "tlm/parameters/parameter_list.h"
#include "tlm/units/quantity.h"

namespace ringmesh::platforms {
namespace {

/// The header and the settings of a file.
struct File {
    std::string name;
    FileHeader header;
    std::string machine_where;  ///< "FILE:LINE" of the key, empty if it is not there
    std::string applies_to_where;
    std::string based_on_where;
    std::vector<Setting> settings;
    std::vector<ProvenanceOfSetting> provenance;
    std::string problems;  ///< a line each
};

void add_line(std::string& lines, const std::string& line)
{
    if (!line.empty()) lines += (lines.empty() ? "" : "\n") + line;
}

/// "node3..5.lc2.bypass" and the key of [node."3..5".lc2] name several nodes: the key of each of them.
/// @throws UserError if the range is none
std::vector<std::string> keys_of(const std::string& key, const std::string& where)
{
    std::size_t begin = kOneNode.size();
    if (!key.starts_with(kOneNode) || key.find_first_not_of("0123456789.", begin) == begin) return {key};
    if (key.size() > begin && key[begin] == '.') ++begin;
    const std::size_t dots = key.find("..", begin);
    if (dots == std::string::npos && begin == kOneNode.size()) return {key};
    const std::size_t end = key.find('.', dots == std::string::npos ? begin : dots + 2);
    const std::string pattern = key.substr(begin, end - begin);
    const auto range = range_of(pattern);
    if (!range || end == std::string::npos || range->second >= TorusShape::kMaxNodes) {
        throw UserError(
            fmt::format("{}: {}: '{}' is neither a node's number nor a range of them; write such as "
                        "[node.\"3..5\".lc2], or --set node3..5.lc2.bypass=...",
                        where, key, pattern));
    }
    std::vector<std::string> keys;
    for (unsigned node = range->first; node <= range->second; ++node) {
        keys.push_back(fmt::format("{}{}{}", kOneNode, node, key.substr(end)));
    }
    return keys;
}

constexpr std::string_view kFaults = "fault.";

/// The first setting of the table, named by the user, in which a key is not set; null if the user made none.
const Setting* beside_in_table(const std::vector<Setting>& settings, std::string_view key)
{
    const std::string_view table = key.substr(0, key.rfind('.') + 1);
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&](const Setting& each) { return each.key.starts_with(table); });
    return table.empty() || found == settings.end() ? nullptr : &*found;
}

void add_expanded(std::vector<Setting>& settings, Setting setting)
{
    for (std::string& key : keys_of(setting.key, setting.where)) {
        settings.push_back(setting);
        settings.back().key = std::move(key);
    }
}

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
    ProvenanceTables provenance(file.name);
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
        } else if (ProvenanceTables::has(setting)) {
            provenance.add(std::move(setting));
        } else {
            add_expanded(file.settings, std::move(setting));
        }
    }
    for (ProvenanceOfSetting& table : provenance.tables) {
        for (std::string& key : keys_of(table.key, table.where)) {
            file.provenance.push_back(table);
            file.provenance.back().key = std::move(key);
        }
    }
    file.problems = fmt::format("{}", fmt::join(provenance.problems, "\n"));
    return file;
}

/// "FILE:1: no description; ..." if there is none.
std::string missing_description(const File& file)
{
    if (!file.header.description.empty()) return {};
    return fmt::format("{}:1: no description; write description = \"one sentence\" at the top", file.name);
}

/// A file beside the platform's, or a platform by its name.
std::filesystem::path base_of(const std::filesystem::path& platform_file, const std::string& based_on,
                              const std::string& where)
{
    std::filesystem::path beside = platform_file.parent_path() / based_on;
    if (std::filesystem::is_regular_file(beside)) return beside;
    try {
        if (!based_on.ends_with(".toml")) return find_platform(based_on);
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}: based_on = \"{}\": {}", where, based_on, error.what()));
    }
    throw UserError(
        fmt::format("{}: based_on = \"{}\": no such file beside this one; name an existing one, or a "
                    "platform of `ringmesh list platforms`",
                    where, based_on));
}

}  // namespace

Configuration Configuration::load(const std::filesystem::path& platform_file) { return load(platform_file, 0); }

Configuration Configuration::load(const std::filesystem::path& platform_file, int depth)
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
        const auto base = base_of(platform_file, file.header.based_on, file.based_on_where);
        constexpr int kMostBases = 8;
        if (depth == kMostBases) {
            throw UserError(
                fmt::format("{}: based_on = \"{}\": {} files are based on each other, or on themselves; "
                            "write the settings into fewer",
                            file.based_on_where, file.header.based_on, kMostBases));
        }
        configuration = load(base, depth + 1);
        if (configuration.machine() != file.header.machine) {
            throw UserError(
                fmt::format("{}: machine = \"{}\": this file is based on one with machine = \"{}\"; write the same",
                            file.machine_where, file.header.machine, configuration.machine()));
        }
    }
    configuration.add_header_problem(missing_description(file));
    configuration.add_header_problem(file.problems);
    configuration.files_.push_back(platform_file);
    configuration.platform_file_ = std::move(file.name);
    configuration.header_ = std::move(file.header);
    configuration.machine_where_ = std::move(file.machine_where);
    configuration.add(std::move(file.settings), std::move(file.provenance));
    configuration.of_platform_ = configuration.settings_.size();
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
            fmt::format("{}: this overlay is for machine {}, and {} has machine = \"{}\"; leave the overlay out or "
                        "choose another platform",
                        file.applies_to_where, fmt::join(machines, " or "), platform_file_, machine()));
    }
    if (!file.based_on_where.empty()) {
        throw UserError(fmt::format("{}: based_on belongs to platform files; remove it and give several --overlay",
                                    file.based_on_where));
    }
    files_.push_back(overlay_file);
    add_header_problem(missing_description(file));
    add_header_problem(file.problems);
    add(std::move(file.settings), std::move(file.provenance));
}

bool is_typed_fault(std::string_view text)
{
    constexpr std::string_view kName = "fault.fault";
    if (!text.starts_with(kName)) return false;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", kName.size()), text.size());
    return end > kName.size() && (end == text.size() || text[end] == '.' || text[end] == '=');
}

void Configuration::set(std::string_view assignment)
{
    for (Setting& setting : read_assignment(assignment, "--set")) {
        const std::size_t key = assignment.find('.', kFaults.size());
        if (is_typed_fault(assignment) && key < assignment.find('=')) {
            setting.where = fmt::format("--fault {}", assignment.substr(key + 1));
        }
        if (setting.key == "machine" || setting.key == "description" || setting.key == "applies_to" ||
            setting.key == "based_on") {
            throw UserError(fmt::format("{}: '{}' belongs to files alone; choose another platform or overlay",
                                        setting.where, setting.key));
        }
        add_expanded(settings_, std::move(setting));
    }
}

FileHeader Configuration::read_header(const std::filesystem::path& path)
{
    File file = read_file(path);
    if (const std::string problem = missing_description(file); !problem.empty()) throw UserError(problem);
    return std::move(file.header);
}

void Configuration::add(std::vector<Setting> settings, std::vector<ProvenanceOfSetting> provenance)
{
    constexpr std::size_t kMostFaults = 1000;
    std::set<std::string_view> faults;
    for (const Setting& setting : settings) {
        const std::string_view key = setting.key;
        if (!key.starts_with(kFaults) || !faults.insert(key.substr(0, key.find('.', kFaults.size()))).second) continue;
        if (faults.size() > kMostFaults) {
            throw UserError(fmt::format("{}: more than {} faults; let some of them strike more blocks, by where",
                                        setting.where, kMostFaults));
        }
        if (is_typed_fault(key)) {
            add_header_problem(fmt::format(
                "{}: {}: --fault gives such names; give the fault another, such as [fault.noise]", setting.where, key));
        }
    }
    const std::size_t before = settings_.size();
    for (ProvenanceOfSetting& each : provenance) {
        const auto same = [&each](const Setting& setting) { return setting.key == each.key; };
        const auto found = std::find_if(settings.begin(), settings.end(), same);
        if (found == settings.end()) {
            std::vector<std::string> keys;
            keys.reserve(settings.size());
            for (const Setting& setting : settings) keys.push_back(setting.key);
            const bool typo = !nearest_name(each.key, keys).empty();
            add_header_problem(fmt::format("{}: provenance.\"{}\": this file does not set that key{}", each.where,
                                           each.key,
                                           typo ? suggestion(each.key, keys) : "; set it, or remove the table"));
            continue;
        }
        each.setting = before + static_cast<std::size_t>(found - settings.begin());
        provenance_.push_back(std::move(each));
    }
    std::move(settings.begin(), settings.end(), std::back_inserter(settings_));
    of_files_ = settings_.size();
}

std::set<std::string, std::less<>> Configuration::assigned_keys() const
{
    std::set<std::string, std::less<>> keys;
    for (std::size_t i = of_files_; i < settings_.size(); ++i) keys.insert(settings_[i].key);
    return keys;
}

void Configuration::add_header_problem(const std::string& problem) { add_line(header_problems_, problem); }

void Configuration::read_walk(const std::function<void(ParameterVisitor&)>& walk, const NodeUse& nodes) const
{
    defaults_.clear();
    for (const ParameterRow& row : list_parameters_of(walk)) {
        defaults_[row.key] = row.quoted ? '"' + row.value + '"' : row.value;
    }
    ParameterReader reader(settings_, provenance_);
    walk(reader);
    std::string lines = header_problems_;
    for (const Problem& problem : reader.problems()) add_line(lines, problem.text);
    if (!lines.empty()) throw UserError(lines);

    for (const ParameterRow& row : list_parameters_of(walk, nodes)) {
        const Setting* setting = row.not_in_use.empty() ? nullptr : find(row.key);
        if (setting == nullptr || setting < settings_.data() + of_platform_ || is_as_of_platform(row)) continue;
        add_line(lines,
                 problem(row.key, "has no effect while " + row.not_in_use, row.cure + ", or leave it out").what());
    }
    if (!lines.empty()) throw UserError(lines);
}

bool Configuration::is_as_of_platform(const ParameterRow& row) const
{
    const auto own = std::find_if(settings_.rend() - static_cast<std::ptrdiff_t>(of_platform_), settings_.rend(),
                                  [&row](const Setting& setting) { return setting.key == row.key; });
    const auto found = defaults_.find(row.key);
    std::string_view value;
    if (own != settings_.rend()) {
        value = own->value.text;
    } else if (found != defaults_.end()) {
        value = found->second;
    }
    if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
    return one_form(value) == one_form(row.value);
}

std::vector<ParameterRow> Configuration::list_walk(const std::function<void(ParameterVisitor&)>& walk,
                                                   const NodeUse& nodes) const
{
    auto rows = list_parameters_of(walk, nodes);
    // Of one node alone: what was set
    std::erase_if(rows, [this](const ParameterRow& row) {
        return number_of_group(row.key, kOneNode) && find(row.key) == nullptr;
    });
    for (ParameterRow& row : rows) {
        const Setting* setting = find(row.key);
        if (setting == nullptr) {
            row.origin.source = "no file sets it";
            continue;
        }
        const auto index = static_cast<std::size_t>(setting - settings_.data());
        const auto same = [index](const ProvenanceOfSetting& each) { return each.setting == index; };
        const auto found = std::find_if(provenance_.begin(), provenance_.end(), same);
        if (found != provenance_.end()) {
            row.origin = found->origin;
        } else {
            row.origin.source = setting->where;
            if (setting->line == 0) row.origin.from = Provenance::kWhatIf;  // typed to see its effect
        }
    }
    return rows;
}

std::optional<UserError> Configuration::problem_of_calibration(std::string_view row, std::string_view what) const
{
    for (const ProvenanceOfSetting& table : provenance_) {
        const auto& rows = table.origin.set_by;
        if (std::find(rows.begin(), rows.end(), row) != rows.end()) return UserError(table.problem("set_by", what));
    }
    return std::nullopt;
}

const Setting* Configuration::find(std::string_view key) const
{
    const auto last = std::find_if(settings_.rbegin(), settings_.rend(),
                                   [key](const Setting& setting) { return setting.key == key; });
    return last == settings_.rend() ? nullptr : &*last;
}

bool Configuration::set_by_platform_itself(std::string_view key) const
{
    const Setting* setting = find(key);
    return setting != nullptr && setting->where.starts_with(platform_file_ + ':');
}

std::string Configuration::origin_of(std::string_view key) const
{
    if (key == "machine") return machine_where_;
    const Setting* setting = find(key);
    return setting == nullptr ? "default" : setting->where;
}

UserError Configuration::problem(std::string_view key, std::string_view what, std::string_view cure) const
{
    return problem(key, fmt::format("{}; {}", what, cure));
}

UserError Configuration::problem(std::string_view key, std::string_view what_and_cure) const
{
    std::string where = platform_file_;
    std::string value;
    if (key == "machine") {
        where = machine_where_;
        value = " = \"" + machine() + '"';
    } else if (const Setting* setting = find(key)) {
        where = setting->where;
        value = " = " + setting->value.text;
    } else if (const auto below =
                   std::find_if(settings_.begin(), settings_.end(),
                                [&key](const Setting& each) { return each.key.starts_with(std::string(key) + '.'); });
               below != settings_.end()) {
        where = below->where;  // the key is a group
    } else if (const auto found = defaults_.find(key); found != defaults_.end()) {
        value = " = " + found->second + " (default)";
    } else if (const Setting* beside = beside_in_table(settings_, key)) {
        where = beside->where;
    }
    return UserError(fmt::format("{}: {}{}: {}", where, key, value, what_and_cure));
}

std::string Configuration::last_set(const std::vector<std::string>& keys) const
{
    // Of settings and null alike the address tells which came last
    return *std::max_element(keys.begin(), keys.end(), [this](const std::string& a, const std::string& b) {
        return std::less<>()(find(a), find(b));
    });
}

void read_assignments(const std::vector<std::string>& assignments, std::string_view option,
                      const std::function<void(ParameterVisitor&)>& walk)
{
    std::vector<Setting> settings;
    for (const std::string& assignment : assignments) {
        for (Setting& setting : read_assignment(assignment, option)) settings.push_back(std::move(setting));
    }
    ParameterReader reader(settings);
    walk(reader);
    std::string lines;
    for (const Problem& problem : reader.problems()) add_line(lines, problem.text);
    if (!lines.empty()) throw UserError(lines);
}

void require_effects(const std::vector<std::string>& assignments, std::string_view option,
                     const std::function<void(ParameterVisitor&)>& walk)
{
    std::string lines;
    for (const ParameterRow& row : list_parameters_of(walk)) {
        const auto assigned = std::find_if(assignments.begin(), assignments.end(), [&row](const auto& assignment) {
            return std::string_view(assignment).substr(0, assignment.find('=')) == row.key;
        });
        if (row.not_in_use.empty() || assigned == assignments.end()) continue;
        add_line(lines, fmt::format("{} {}: has no effect while {}; {}, or leave it out", option, *assigned,
                                    row.not_in_use, row.cure));
    }
    if (!lines.empty()) throw UserError(lines);
}

}  // namespace ringmesh::platforms
