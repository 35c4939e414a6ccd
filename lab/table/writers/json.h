// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tlm/parameters/parameter_list.h"

namespace ringmesh::lab {

/// A JSON value. Keys of an object keep the order in which they were set.
///
/// The JSON library is used only in json.cpp, because of the compile time of its headers.
class Json {
public:
    using Member = std::pair<std::string, Json>;

    Json() = default;  ///< null
    Json(std::nullptr_t) {}
    Json(bool value) : value_(value) {}
    template <std::integral Integer>
    Json(Integer value) : value_(static_cast<Whole<Integer>>(value))
    {}
    Json(double value) : value_(value) {}
    Json(std::string value) : value_(std::move(value)) {}
    Json(std::string_view value) : value_(std::string(value)) {}
    Json(const char* value) : value_(std::string(value)) {}
    template <typename Element>
    Json(const std::vector<Element>& values) : value_(Array(values.begin(), values.end()))
    {}
    template <typename Value>
    Json(const std::optional<Value>& value)  ///< null for none
    {
        if (value) *this = Json(*value);
    }
    /// {{"key", value}, ...} is an object; {value, ...} an array.
    Json(std::initializer_list<Json> values);

    static Json array() { return Json(Array()); }
    static Json object() { return Json(Object()); }
    /// An array of what `convert` makes of each, a function or a member.
    template <typename Elements, typename Convert>
    static Json list(const Elements& all, const Convert& convert)
    {
        Array values;
        for (const auto& each : all) values.push_back(std::invoke(convert, each));
        return Json(std::move(values));
    }

    /// @param wanted members of the outermost object, the others are read over; empty: all
    /// @throws ModelError if the text is not JSON
    static Json parse(std::string_view text, std::initializer_list<std::string_view> wanted = {});
    /// Indented by two blanks, or on one line.
    /// @throws ModelError if a number anywhere is not finite: JSON cannot represent it, and null would hide it
    std::string text() const;
    std::string line() const;

    bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
    bool is_text() const { return std::holds_alternative<std::string>(value_); }
    bool is_object() const { return std::holds_alternative<Object>(value_); }
    bool is_unsigned() const { return std::holds_alternative<std::uint64_t>(value_); }
    bool is_float() const { return std::holds_alternative<double>(value_); }
    /// The value by its type. @throws std::bad_variant_access if it has another type
    const std::string& as_text() const { return std::get<std::string>(value_); }
    bool as_flag() const { return std::get<bool>(value_); }
    double as_number() const;
    std::int64_t as_integer() const;
    std::uint64_t as_unsigned() const;
    std::vector<std::string> as_texts() const;
    /// The same into a value of its type.
    void read(std::string& into) const { into = as_text(); }
    void read(double& into) const { into = as_number(); }
    template <std::integral Integer>
    void read(Integer& into) const
    {
        into = static_cast<Integer>(as_integer());
    }
    template <typename Element>
    void read(std::vector<Element>& into) const
    {
        for (const Json& value : values()) value.read(into.emplace_back());
    }
    /// Likewise a member of an object; without effect if there is none, or null.
    template <typename Value>
    void read(std::string_view key, Value& into) const
    {
        const Json* const value = find(key);
        if (value != nullptr && !value->is_null()) value->read(into);
    }
    const std::vector<Json>& values() const { return std::get<Array>(value_); }
    const std::vector<Member>& members() const { return std::get<Object>(value_); }

    /// Of an object. @throws std::out_of_range if it has no such key
    const Json& at(std::string_view key) const;
    /// Null if it has no such key.
    const Json* find(std::string_view key) const;
    /// Of an object, or of null, which becomes one; a new key gets null.
    Json& operator[](std::string_view key);
    /// A new member at the end of an object: unlike operator[] it looks for none of that name. @return the value
    Json& add(std::string key, Json value);
    /// Likewise before the member of this number. @pre there are as many
    void insert(std::size_t place, std::string key, Json value);
    /// Of an array, or of null, which becomes one.
    void push_back(Json value);

private:
    template <typename Integer>
    using Whole = std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>;
    using Array = std::vector<Json>;
    using Object = std::vector<Member>;
    using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

    Json& append(Json value);

    explicit Json(Array values) : value_(std::move(values)) {}
    explicit Json(Object members) : value_(std::move(members)) {}

    friend class JsonReader;
    friend class JsonText;

    Value value_;
};

/// The version of the format of JSON and CSV output; raised by incompatible changes.
inline constexpr int kOutputSchema = 3;

/// {"version": ..., "schema": ...}: the program that wrote the file.
Json program_json();
/// What each document begins with.
inline constexpr std::string_view kJsonMark = "{\n  \"ringmesh\": {\n    \"version\": \"";

/// Only the values, nested: "link.symbol_time" becomes {"link": {"symbol_time": ...}}. Quantities are texts with their
/// unit; whole numbers, numbers and booleans are JSON's own.
Json values_json(const std::vector<ParameterRow>& rows);

/// Back from values_json(): keys and values alone.
std::vector<ParameterRow> rows_of_values(const Json& json);

/// Indented text with a new line at the end.
/// @throws ModelError if a number anywhere is not finite: JSON cannot represent it, and null would hide it
std::string json_text(const Json& json);

}  // namespace ringmesh::lab
