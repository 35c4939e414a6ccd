// SPDX-License-Identifier: Apache-2.0
#include "lab/table/writers/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "tlm/error.h"

namespace ringmesh::lab {

using nlohmann::ordered_json;

/// To the library's values.
class JsonText {
public:
    static ordered_json to_library(const Json& json, const std::string& path)
    {
        return std::visit([&](const auto& value) { return to_library(value, path); }, json.value_);
    }

private:
    template <typename Value>
    static ordered_json to_library(const Value& value, const std::string& path)
    {
        if constexpr (std::is_same_v<Value, std::monostate>) {
            return nullptr;
        } else if constexpr (std::is_same_v<Value, Json::Array>) {
            ordered_json result = ordered_json::array();
            for (std::size_t i = 0; i < value.size(); ++i) {
                result.push_back(to_library(value[i], fmt::format("{}.{}", path, i)));
            }
            return result;
        } else if constexpr (std::is_same_v<Value, Json::Object>) {
            ordered_json result = ordered_json::object();
            // Keys differ, and operator[] would look through them each time
            auto& members = result.get_ref<ordered_json::object_t&>();
            members.reserve(value.size());
            for (const auto& [key, member] : value) {
                members.Container::emplace_back(key, to_library(member, fmt::format("{}.{}", path, key)));
            }
            return result;
        } else {
            if constexpr (std::is_same_v<Value, double>) {
                if (!std::isfinite(value)) {
                    throw ModelError(fmt::format("the result {} is {}, not a number", path.substr(1), value));
                }
            }
            return value;
        }
    }
};

Json::Json(std::initializer_list<Json> values)
{
    const auto is_member = [](const Json& json) {
        const auto* pair = std::get_if<Array>(&json.value_);
        return pair != nullptr && pair->size() == 2 && pair->front().is_text();
    };
    if (!std::all_of(values.begin(), values.end(), is_member)) {
        value_ = Array(values);
        return;
    }
    Object members;
    for (const Json& json : values) members.emplace_back(json.values().front().as_text(), json.values().back());
    value_ = std::move(members);
}

/// Makes values from the library's events, without the library's own tree between.
class JsonReader {
public:
    /// @param wanted members of the outermost object; empty: all
    explicit JsonReader(std::span<const std::string_view> wanted) : wanted_(wanted) {}

    Json take() { return std::move(result_); }

    // Names that the library calls
    bool null() { return add({}); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(std::int64_t value) { return add(value); }
    bool number_unsigned(std::uint64_t value) { return add(value); }
    bool number_float(double value, const std::string& /*text*/) { return add(value); }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(ordered_json::binary_t& /*value*/) { return false; }
    bool start_object(std::size_t /*size*/) { return open(Json::object()); }
    bool start_array(std::size_t /*size*/) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& key)
    {
        if (depth_ == 1) {
            skipping_ = !wanted_.empty() && std::find(wanted_.begin(), wanted_.end(), key) == wanted_.end();
        }
        key_ = std::move(key);
        return true;
    }
    [[noreturn]] bool parse_error(std::size_t /*place*/, const std::string& /*token*/,
                                  const ordered_json::exception& error)
    {
        throw ModelError(fmt::format("not JSON: {}", error.what()));
    }

private:
    bool add(Json value)
    {
        if (skipping_) return true;
        place(std::move(value));
        return true;
    }

    bool open(Json value)
    {
        ++depth_;
        if (!skipping_) open_.push_back(place(std::move(value)));
        return true;
    }

    bool close()
    {
        --depth_;
        if (depth_ == 0) skipping_ = false;
        if (!skipping_) open_.pop_back();
        return true;
    }

    /// The innermost open value gets it; its place stays until another one is added to the same.
    Json* place(Json value)
    {
        if (open_.empty()) {
            result_ = std::move(value);
            return &result_;
        }
        Json& around = *open_.back();
        return around.is_object() ? &around.add(std::move(key_), std::move(value)) : &around.append(std::move(value));
    }

    std::span<const std::string_view> wanted_;
    Json result_;
    std::vector<Json*> open_;  ///< an open value is the last of the one around it, so these places stay
    std::string key_;
    std::size_t depth_ = 0;
    bool skipping_ = false;
};

Json Json::parse(std::string_view text, std::initializer_list<std::string_view> wanted)
{
    JsonReader reader({wanted.begin(), wanted.size()});
    ordered_json::sax_parse(text, &reader);
    return reader.take();
}

Json& Json::add(std::string key, Json value)
{
    return std::get<Object>(value_).emplace_back(std::move(key), std::move(value)).second;
}

void Json::insert(std::size_t place, std::string key, Json value)
{
    auto& members = std::get<Object>(value_);
    members.emplace(members.begin() + static_cast<std::ptrdiff_t>(place), std::move(key), std::move(value));
}

Json& Json::append(Json value) { return std::get<Array>(value_).emplace_back(std::move(value)); }

std::string Json::text() const
{
    return JsonText::to_library(*this, "").dump(2, ' ', false, ordered_json::error_handler_t::replace);
}
std::string Json::line() const
{
    return JsonText::to_library(*this, "").dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

double Json::as_number() const
{
    if (is_float()) return std::get<double>(value_);
    return static_cast<double>(as_integer());
}

std::int64_t Json::as_integer() const
{
    if (const auto* number = std::get_if<std::uint64_t>(&value_)) return static_cast<std::int64_t>(*number);
    return std::get<std::int64_t>(value_);
}

std::uint64_t Json::as_unsigned() const
{
    if (const auto* number = std::get_if<std::int64_t>(&value_)) return static_cast<std::uint64_t>(*number);
    return std::get<std::uint64_t>(value_);
}

std::vector<std::string> Json::as_texts() const
{
    std::vector<std::string> texts;
    for (const Json& value : values()) texts.push_back(value.as_text());
    return texts;
}

const Json* Json::find(std::string_view key) const
{
    for (const auto& [name, value] : members()) {
        if (name == key) return &value;
    }
    return nullptr;
}

const Json& Json::at(std::string_view key) const
{
    if (const Json* value = find(key)) return *value;
    throw std::out_of_range(fmt::format("no JSON key '{}'", key));
}

Json& Json::operator[](std::string_view key)
{
    if (is_null()) value_ = Object();
    auto& members = std::get<Object>(value_);
    for (auto& [name, value] : members) {
        if (name == key) return value;
    }
    return members.emplace_back(std::string(key), Json()).second;
}

void Json::push_back(Json value)
{
    if (is_null()) value_ = Array();
    std::get<Array>(value_).push_back(std::move(value));
}

Json values_json(const std::vector<ParameterRow>& rows)
{
    Json json = Json::object();
    for (const ParameterRow& row : rows) {
        Json* place = &json;
        std::size_t begin = 0;
        for (std::size_t dot = 0; (dot = row.key.find('.', begin)) != std::string::npos; begin = dot + 1) {
            place = &(*place)[row.key.substr(begin, dot - begin)];
        }
        (*place)[row.key.substr(begin)] = row.quoted ? Json(row.value) : Json::parse(row.value);
    }
    return json;
}

std::vector<ParameterRow> rows_of_values(const Json& json)
{
    std::vector<ParameterRow> rows;
    const auto flatten = [&rows](const auto& self, const Json& value, const std::string& key) -> void {
        if (!value.is_object()) {
            ParameterRow& row = rows.emplace_back();
            row.key = key;
            row.quoted = value.is_text();
            row.value = value.is_text() ? value.as_text() : value.line();
            return;
        }
        const std::string prefix = key.empty() ? "" : key + ".";
        for (const auto& [name, member] : value.members()) self(self, member, prefix + name);
    };
    flatten(flatten, json, "");
    return rows;
}

Json program_json() { return {{"version", RINGMESH_VERSION}, {"schema", kOutputSchema}}; }

std::string json_text(const Json& json) { return json.text() + '\n'; }

}  // namespace ringmesh::lab
