// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tlm/parameters/parameters.h"

namespace ringmesh {

/// Values under names that the user chose, in the order in which they were written.
template <class Value>
using NamedValues = std::vector<std::pair<std::string, Value>>;

/// Adds the names that settings have in this group. @param groups each is a group itself, else a parameter
template <class Value>
void add_names(ParameterVisitor& visitor, NamedValues<Value>& all, bool groups, const Value& initial)
{
    for (std::string& name : visitor.names_here(groups)) {
        const auto same = [&name](const auto& each) { return each.first == name; };
        if (std::none_of(all.begin(), all.end(), same)) all.emplace_back(std::move(name), initial);
    }
}

/// A group of texts under any names.
struct TextsByName {
    std::string_view meaning;
    NamedValues<std::string>& all;
    void visit(ParameterVisitor& visitor)
    {
        add_names(visitor, all, false, std::string());
        for (auto& [name, text] : all) visitor.text({name, meaning}, text);
    }
};

/// A group of numbers or quantities under any names.
template <class Quantity>
struct ValuesByName {
    std::string_view meaning;
    Bounds<Quantity> bounds;
    Quantity initial;
    NamedValues<Quantity>& all;
    void visit(ParameterVisitor& visitor)
    {
        add_names(visitor, all, false, initial);
        for (auto& [name, value] : all) visitor.field({name, meaning}, value, bounds);
    }
};

}  // namespace ringmesh
