// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/names.h"
#include "tlm/policy.h"
#include "tlm/units.h"

/// Parameters are declared once: a struct's `visit()` names each field with its bounds, meaning and provenance. The
/// TOML reader, `--set`, `ringmesh list parameters`, the effective configuration beside every result and
/// docs/parameters.md all walk that one list.
namespace ringmesh {

/// Where a parameter's value comes from. docs/sources.md defines the tags.
enum class Provenance : std::uint8_t { kSeed, kSpec, kDerived, kCalibrated, kAssumed };

inline constexpr NameTable<Provenance, 5> kProvenanceNames{{{{"seed", Provenance::kSeed},
                                                             {"spec", Provenance::kSpec},
                                                             {"derived", Provenance::kDerived},
                                                             {"calibrated", Provenance::kCalibrated},
                                                             {"assumed", Provenance::kAssumed}}}};

struct Origin {
    Provenance provenance = Provenance::kAssumed;
    std::string_view source;  ///< a tag of docs/sources.md with a place in it, e.g. "000 ch.4"; empty if assumed
};

constexpr Origin seed(std::string_view source) { return {Provenance::kSeed, source}; }
constexpr Origin spec(std::string_view source) { return {Provenance::kSpec, source}; }
constexpr Origin derived(std::string_view source) { return {Provenance::kDerived, source}; }
constexpr Origin calibrated(std::string_view source) { return {Provenance::kCalibrated, source}; }
constexpr Origin assumed() { return {Provenance::kAssumed, ""}; }

/// Smallest and largest allowed value, both included.
template <class Quantity>
struct Bounds {
    Quantity low;
    Quantity high;
};

struct ParameterInfo {
    std::string_view name;
    std::string_view meaning;  ///< one sentence without full stop
    Origin origin;
};

/// Walks the parameters of a struct in their order of declaration.
class ParameterVisitor {
public:
    virtual ~ParameterVisitor() = default;

    virtual void field(const ParameterInfo& info, Duration& value, Bounds<Duration> bounds) = 0;
    virtual void field(const ParameterInfo& info, Frequency& value, Bounds<Frequency> bounds) = 0;
    virtual void field(const ParameterInfo& info, Bytes& value, Bounds<Bytes> bounds) = 0;
    virtual void field(const ParameterInfo& info, Length& value, Bounds<Length> bounds) = 0;
    virtual void field(const ParameterInfo& info, Cycles& value, Bounds<Cycles> bounds) = 0;
    virtual void field(const ParameterInfo& info, std::int64_t& value, Bounds<std::int64_t> bounds) = 0;
    virtual void field(const ParameterInfo& info, double& value, Bounds<double> bounds) = 0;
    virtual void field(const ParameterInfo& info, bool& value) = 0;
    /// A list of whole numbers, at least one; the bounds are those of each.
    virtual void field(const ParameterInfo& info, std::vector<std::int64_t>& value, Bounds<std::int64_t> bounds) = 0;
    /// Free text whose own grammar the owner checks, such as a list of sizes.
    virtual void text(const ParameterInfo& info, std::string& value) = 0;
    /// A value out of a list of names; `value` is always one of `names`.
    virtual void choice(const ParameterInfo& info, std::string& value, const std::vector<std::string>& names) = 0;
    /// The name of a policy out of those of its kind.
    virtual void policy(const ParameterInfo& info, std::string& name, const PolicyKind& kind)
    {
        std::vector<std::string> names;
        for (const PolicyName& each : kind.policies) names.emplace_back(each.name);
        choice(info, name, names);
    }

    /// A nested struct of parameters: a table in TOML, a dotted prefix for `--set`.
    template <class Params>
    void group(std::string_view name, std::string_view meaning, Params& params)
    {
        enter(name, meaning);
        params.visit(*this);
        leave();
    }

    /// A value of an enumeration, written by its name.
    template <class Value, std::size_t N>
    void choice(const ParameterInfo& info, Value& value, const NameTable<Value, N>& table)
    {
        std::string name(table.name(value));
        choice(info, name, table.names());
        if (const Value* found = table.find(name)) value = *found;
    }
    template <class Kind>
    void choice(const ParameterInfo& info, PolicyChoice<Kind>& value)
    {
        std::string name(value->name);
        policy(info, name, policy_kind<Kind>());
        if (name != value->name) value = PolicyChoice<Kind>(std::string_view(name));
    }

protected:
    virtual void enter(std::string_view name, std::string_view meaning) = 0;
    virtual void leave() = 0;
};

}  // namespace ringmesh
