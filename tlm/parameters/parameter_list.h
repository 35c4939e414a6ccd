// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tlm/parameters/parameters.h"

/// The parameters of a struct as rows of text: for `ringmesh list parameters`, its page, and the
/// effective configuration beside every result.
namespace ringmesh {

struct ParameterRow {
    std::string key;  ///< with the names of its groups, "link.symbol_time"
    std::string
        kind;  ///< duration, frequency, size, length, cycles, integer, integers, number, boolean, text or choice
    std::string value;   ///< a quantity with its unit
    bool quoted = true;  ///< in TOML and JSON; false for integers, their lists, numbers and booleans
    std::string low;     ///< smallest and largest allowed value; empty for booleans, texts and choices
    std::string high;
    std::vector<std::string> choices;  ///< empty but for a choice
    PolicyKind policy;                 ///< empty but for a choice of policies
    std::string meaning;
    Origin origin;
    std::string group_meaning;  ///< of the innermost group; empty at the top
    std::string not_in_use;     ///< why it has no effect, such as `memory.order = "fcfs"`; empty if it has one
    std::string cure;           ///< what would give it one, such as `set memory.order=row-hit-first`
};

/// Shortest text that reads back as the same number, in TOML and JSON alike.
std::string number_text(double value);

/// The dotted key of the field that a walk has come to.
class KeyPath {
public:
    void enter(std::string_view name) { prefix_.append(name).append("."); }
    void leave();
    std::string key(std::string_view name) const { return prefix_ + std::string(name); }

private:
    std::string prefix_;
};

/// Of a key in a numbered group: 3 of "node3.host.clock" for the group "node".
std::optional<unsigned> number_of_group(std::string_view key, std::string_view group);

/// A number "3" or a range "3..5", both ends included; empty if it is neither.
std::optional<std::pair<unsigned, unsigned>> range_of(std::string_view text);

/// Rows of whatever `walk` shows to the visitor it is given.
/// @throws ModelError if a key is declared twice or a value lies outside its bounds or choices.
std::vector<ParameterRow> list_parameters_of(const std::function<void(ParameterVisitor&)>& walk,
                                             const NodeUse& nodes = {});

/// Rows of a struct of parameters, in their order of declaration.
template <class Params>
std::vector<ParameterRow> list_parameters(Params params)
{
    return list_parameters_of([&params](ParameterVisitor& visitor) { params.visit(visitor); });
}

}  // namespace ringmesh
