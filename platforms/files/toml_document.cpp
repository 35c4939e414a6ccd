// SPDX-License-Identifier: Apache-2.0
#include "platforms/files/toml_document.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <tuple>

#include "tlm/error.h"
#include "tlm/files/input_file.h"

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

/// The TOML library follows the parts of a key by recursion, and takes memory with their square.
constexpr std::size_t kMostParts = 32;
constexpr std::uintmax_t kLargestToml = std::uintmax_t{16} << 20U;

/// The first line with a key of too many parts, such as a.b.c. Reads no more of TOML than it needs: texts in quotes,
/// comments, and dots.
std::optional<std::size_t> line_too_deep(std::string_view text)
{
    std::size_t line = 1;
    std::size_t dots = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') ++line;
        if (c == '.') {
            if (++dots >= kMostParts) return line;
        } else if (c == '#') {
            i = std::min(text.find('\n', i), text.size()) - 1;
            dots = 0;
        } else if (c == '"' || c == '\'') {
            const std::string three(3, c);
            const bool long_text = text.substr(i, 3) == three;
            const std::string_view end = long_text ? std::string_view(three) : std::string_view(three).substr(2);
            std::size_t at = i + end.size();
            for (; at < text.size() && text.substr(at, end.size()) != end; ++at) {
                if (c == '"' && text[at] == '\\') ++at;
                if (at < text.size() && text[at] == '\n') {
                    if (!long_text) break;
                    ++line;
                }
            }
            if (long_text || at >= text.size() || text[at] != '\n') at += end.size();
            i = at - 1;
        } else if (c != ' ' && c != '\t' && c != '_' && c != '-' && std::isalnum(static_cast<unsigned char>(c)) == 0) {
            dots = 0;
        }
    }
    return std::nullopt;
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
        if (line_too_deep(text))
            throw UserError(fmt::format("{}: a key of more than {} parts; write fewer", key, kMostParts));
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

std::string read_text(const std::filesystem::path& path) { return read_input(path); }

std::vector<Setting> read_toml_file(const std::filesystem::path& path)
{
    const std::string text = read_input(path, kLargestToml);
    if (const auto line = line_too_deep(text)) {
        throw UserError(fmt::format("{}:{}: a key of more than {} parts; write fewer", shown(path), *line, kMostParts));
    }
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
