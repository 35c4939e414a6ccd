// SPDX-License-Identifier: Apache-2.0
#include "platforms/toml_document.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <tuple>

#include "tlm/error.h"

namespace ringmesh::platforms {
namespace {

std::string in_quotes(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n') {
            result += "\\n";
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string printed(const toml::node& node)
{
    if (const auto* text = node.as_string()) return in_quotes(text->get());
    if (const auto* number = node.as_floating_point()) {
        const std::string shortest = fmt::format("{}", number->get());
        return shortest.find_first_not_of("-0123456789") == std::string::npos ? shortest + ".0" : shortest;
    }
    if (node.is_table()) return "{}";  // other tables have been flattened
    std::ostringstream stream;
    node.visit([&stream](const auto& concrete) { stream << concrete; });
    return stream.str();
}

/// The values of a homogeneous array.
template <class Element>
std::optional<std::vector<Element>> elements_of(const toml::array& array)
{
    std::vector<Element> elements;
    for (const toml::node& node : array) {
        const auto* element = node.as<Element>();
        if (element == nullptr) return std::nullopt;
        elements.push_back(element->get());
    }
    return elements;
}

Value value_of(const toml::node& node)
{
    Value value;
    value.text = printed(node);
    if (const auto* text = node.as_string()) {
        value.data = text->get();
    } else if (const auto* integer = node.as_integer()) {
        value.data = integer->get();
    } else if (const auto* number = node.as_floating_point()) {
        value.data = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
        value.data = boolean->get();
    } else if (const auto* array = node.as_array()) {
        if (auto texts = elements_of<std::string>(*array)) value.data = std::move(*texts);
        if (auto integers = elements_of<std::int64_t>(*array); integers && !integers->empty()) {
            value.data = std::move(*integers);
        } else if (auto numbers = elements_of<double>(*array); numbers && !numbers->empty()) {
            value.data = std::move(*numbers);
        }
    }
    return value;
}

/// @param parent the key of the table in which the node stands
void flatten(const toml::node& node, const std::string& key, const Setting& parent, std::vector<Setting>& settings)
{
    const auto* table = node.as_table();
    const std::size_t line = node.source().begin.line;
    if (table == nullptr || (table->empty() && !key.empty())) {
        settings.push_back({key, value_of(node), "", line, parent.key, parent.line, node.source().begin.column});
        return;
    }
    for (const auto& [name, child] : *table) {
        flatten(child, (key.empty() ? "" : key + ".") + std::string(name.str()), {.key = key, .line = line}, settings);
    }
}

/// The cure of a syntax error; the two most frequent have their own.
std::string_view cure_of(std::string_view description)
{
    const auto has = [description](std::string_view part) { return description.find(part) != std::string_view::npos; };
    if (has("cannot redefine")) return "keep one of the two";
    if (has("comment or whitespace, saw") || has("parsing boolean") || has("could not determine value type")) {
        return "write texts and quantities in quotes, as in \"5 ns\"";
    }
    return "write lines such as [table], key = 5 or key = \"5 ns\"";
}

/// The text as a TOML value, or the text itself. Parsed as the only element of an array, which excludes comments and
/// further lines.
void flatten_command_line_value(const std::string& key, std::string_view text, std::vector<Setting>& settings)
{
    try {
        const toml::table document = toml::parse("value = [" + std::string(text) + "]");
        const toml::array* array = document["value"].as_array();
        const bool trailing_comma = !text.empty() && text.back() == ',';
        if (!trailing_comma && document.size() == 1 && array != nullptr && array->size() == 1) {
            flatten(*array->get(0), key, {}, settings);
            if (!array->get(0)->is_table()) settings.back().value.typed = text;
            return;
        }
    } catch (const toml::parse_error&) {
        // Not a TOML value: a text
    }
    settings.push_back({key, {std::string(text), in_quotes(text), std::string(text)}, ""});
}

}  // namespace

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string shown(const std::filesystem::path& path)
{
    const std::filesystem::path near = path.lexically_proximate(std::filesystem::current_path());
    const bool below = !near.empty() && *near.begin() != ".." && *near.begin() != ".";
    return path.is_absolute() && below ? near.string() : path.string();
}

std::string read_text(const std::filesystem::path& path)
{
    const auto fail = [&path](int error) {
        throw UserError(fmt::format("cannot read '{}': {}", shown(path), std::strerror(error)));
    };
    if (std::filesystem::is_directory(path)) fail(EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) fail(errno != 0 ? errno : ENOENT);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) fail(EIO);
    return text;
}

std::vector<Setting> read_toml_file(const std::filesystem::path& path)
{
    const std::string text = read_text(path);
    std::vector<Setting> settings;
    try {
        flatten(toml::parse(text), "", {}, settings);
    } catch (const toml::parse_error& error) {
        const auto at = error.source().begin;
        throw UserError(fmt::format("{}:{}:{}: {}; {}", shown(path), at.line, at.column, error.description(),
                                    cure_of(error.description())));
    }
    for (Setting& setting : settings) setting.where = fmt::format("{}:{}", shown(path), setting.line);
    std::stable_sort(settings.begin(), settings.end(), [](const Setting& a, const Setting& b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    return settings;
}

std::vector<Setting> read_assignment(std::string_view assignment, std::string_view option)
{
    const std::size_t equals = assignment.find('=');
    const std::string key(trimmed(assignment.substr(0, equals)));
    if (equals == std::string_view::npos || key.empty()) {
        throw UserError(fmt::format("{0} {1}: not an assignment; write {0} KEY=VALUE", option, assignment));
    }
    std::vector<Setting> settings;
    flatten_command_line_value(key, trimmed(assignment.substr(equals + 1)), settings);
    for (Setting& setting : settings) {
        setting.where = fmt::format("{} {}", option, assignment);
        setting.line = 0;
    }
    return settings;
}

}  // namespace ringmesh::platforms
