// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tlm/parameters/names.h"
#include "tlm/parameters/node_kind.h"
#include "tlm/parameters/policy.h"
#include "tlm/units/units.h"

/// Parameters are declared once: a struct's `visit()` names each field with its bounds and meaning, and says on which
/// other parameters it depends whether the field has an effect. The TOML reader, `--set`, `ringmesh list parameters`,
/// the effective configuration beside every result and `list parameters` all walk that one list. Where a
/// machine's value comes from stands beside the value, in its platform file; a workload's options say it in `visit()`.
namespace ringmesh {

/// Prefix of the groups of parameters that hold for one node alone: "node3".
inline constexpr std::string_view kOneNode = "node";

/// Where a parameter's value comes from. docs/reference/evidence/sources.md defines the words and the tags of sources.
enum class Provenance : std::uint8_t { kSeed, kSpec, kDerived, kCalibrated, kAssumed, kModel, kWhatIf };

inline constexpr NameTable<Provenance, 7> kProvenanceNames{{{{"seed", Provenance::kSeed},
                                                             {"spec", Provenance::kSpec},
                                                             {"derived", Provenance::kDerived},
                                                             {"calibrated", Provenance::kCalibrated},
                                                             {"assumed", Provenance::kAssumed},
                                                             {"model", Provenance::kModel},
                                                             {"what-if", Provenance::kWhatIf}}}};

struct Origin {
    Provenance from = Provenance::kAssumed;
    std::string source = {};  ///< a tag of docs/reference/evidence/sources.md with a place in it, e.g. "000 ch.4"
    std::vector<std::string> set_by = {};  ///< ids of the published rows that set a calibrated value
    std::string low = {};                  ///< range within which the value could physically lie; empty: not said
    std::string high = {};
    std::vector<std::string> alternatives = {};  ///< of a choice: what it could be as well
    std::string note = {};                       ///< the reason for the value, its range or alternatives

    /// The same with a range.
    Origin between(std::string smallest, std::string largest, std::string reason) const
    {
        Origin origin = *this;
        origin.low = std::move(smallest);
        origin.high = std::move(largest);
        origin.note = std::move(reason);
        return origin;
    }
};

inline Origin seed(std::string_view source) { return {.from = Provenance::kSeed, .source = std::string(source)}; }
inline Origin spec(std::string_view source) { return {.from = Provenance::kSpec, .source = std::string(source)}; }
inline Origin derived(std::string_view source) { return {.from = Provenance::kDerived, .source = std::string(source)}; }
/// @param row id of the published row that set the value
inline Origin calibrated(std::string_view row)
{
    return {.from = Provenance::kCalibrated, .set_by = {std::string(row)}};
}
inline Origin assumed() { return {}; }

/// Smallest and largest allowed value, both included.
template <class Quantity>
struct Bounds {
    Quantity low;
    Quantity high;
};

template <class Quantity>
struct BoundedValue {
    Quantity& value;
    Bounds<Quantity> bounds;
};
/// A parameter that is a quantity or a number; lists and readers name the kinds in this order.
using AnyBounded =
    std::variant<BoundedValue<Duration>, BoundedValue<Frequency>, BoundedValue<Bytes>, BoundedValue<Length>,
                 BoundedValue<Cycles>, BoundedValue<std::int64_t>, BoundedValue<double>>;

struct ParameterInfo {
    std::string_view name;
    std::string_view meaning;  ///< one sentence without full stop
    Origin origin = {};        ///< of a workload's option; a machine's parameters have theirs from files
};

/// Walks the parameters of a struct in their order of declaration.
class ParameterVisitor {
public:
    /// @param nodes on which the effect of some parameters depends
    explicit ParameterVisitor(const NodeUse& nodes = {}) : nodes_(nodes) {}
    virtual ~ParameterVisitor() = default;

    template <class Quantity>
    void field(const ParameterInfo& info, Quantity& value, Bounds<Quantity> bounds)
    {
        bounded(info, BoundedValue<Quantity>{value, bounds});
    }
    virtual void field(const ParameterInfo& info, bool& value) = 0;
    /// A list of whole numbers, at least one; the bounds are those of each.
    virtual void field(const ParameterInfo& info, std::vector<std::int64_t>& value, Bounds<std::int64_t> bounds) = 0;
    /// Free text whose own grammar the owner checks, such as a list of sizes.
    virtual void text(const ParameterInfo& info, std::string& value) = 0;
    /// The same of numbers and quantities, of lists and of ranges of them: read into the form that does not depend on
    /// how they are written, of one_form().
    virtual void numbers(const ParameterInfo& info, std::string& value) { text(info, value); }
    /// A value out of a list of names; `value` is always one of `names`.
    virtual void choice(const ParameterInfo& info, std::string& value, const std::vector<std::string>& names) = 0;
    /// The name of a policy out of those of its kind.
    virtual void policy(const ParameterInfo& info, std::string& name, const PolicyKind& kind)
    {
        choice(info, name, kind.names());
    }

    /// A nested struct of parameters: a table in TOML, a dotted prefix for `--set`.
    template <class Params>
    void group(std::string_view name, std::string_view meaning, Params& params)
    {
        enter(name, meaning);
        params.visit(*this);
        leave();
    }

    /// The parameters that `walk` visits have an effect only if `key`, beside them, has one of these values:
    ///     visitor.when("order", {"row-hit-first"}, [&] { visitor.field({"patience", ...}, ...); });
    template <class Walk>
    void when(std::string_view key, std::vector<std::string> values, const Walk& walk)
    {
        depend_on(key, std::move(values));
        walk();
        depend_no_more();
    }

    /// The parameters that `walk` visits have an effect only if `met`.
    /// @param why_not and its cure: "packet sources stand in place of the hosts; choose a workload that runs programs"
    template <class Walk>
    void only_if(bool met, std::string_view why_not, const Walk& walk)
    {
        depend_on(met, why_not);
        walk();
        depend_no_more();
    }

    /// Nodes below `count` of which settings name a parameter, such as 3 for "node3.host.clock"; none in a walk without
    /// settings.
    virtual std::vector<unsigned> nodes_named(unsigned /*count*/) { return {}; }

    /// Names directly in the current group that settings name, in the order of their first mention, with all that
    /// follows, "0..3" for "nodes.0..3", or up to the next dot if it is a `group_of_groups`; none in a walk without
    /// settings.
    virtual std::vector<std::string> names_here(bool /*group_of_groups*/) { return {}; }

    NodeKind nodes() const { return nodes_.kind; }
    const ProgramUse& programs() const { return nodes_.programs; }

    /// A value of an enumeration, written by its name.
    template <class Value, std::size_t N>
    void choice(const ParameterInfo& info, Value& value, const NameTable<Value, N>& table)
    {
        std::string name(table.name(value));
        choice(info, name, table.names());
        if (const Value* found = table.find(name)) value = *found;
    }
    /// @param kind its policies that are allowed
    template <class Kind>
    void choice(const ParameterInfo& info, PolicyChoice<Kind>& value, const PolicyKind& kind = policy_kind<Kind>())
    {
        std::string name(value->name);
        policy(info, name, kind);
        if (name != value->name) value = name;
    }

protected:
    virtual void bounded(const ParameterInfo& info, const AnyBounded& field) = 0;
    virtual void enter(std::string_view name, std::string_view meaning) = 0;
    virtual void leave() = 0;
    /// Conditions nest. Only a walk over final values can tell whether they are met, so most visitors ignore them.
    virtual void depend_on(std::string_view /*key*/, std::vector<std::string> /*values*/) {}
    virtual void depend_on(bool /*met*/, std::string_view /*why_not*/) {}
    virtual void depend_no_more() {}

private:
    NodeUse nodes_;
};

}  // namespace ringmesh
