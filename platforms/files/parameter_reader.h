// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platforms/files/provenance.h"
#include "platforms/files/toml_document.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::platforms {

/// A problem and its setting.
struct Problem {
    std::size_t setting = 0;  ///< its index among all settings
    std::string text;
};

/// Reads settings into parameters: each gets the last of its settings. Checks type, unit, bounds, choices and
/// provenance. A setting with a problem leaves its parameter unchanged, and the walk continues.
class ParameterReader final : public ParameterVisitor {
public:
    explicit ParameterReader(const std::vector<Setting>& settings, std::vector<ProvenanceOfSetting> provenance = {})
        : settings_(settings), provenance_(std::move(provenance))
    {}

    using ParameterVisitor::field;
    void field(const ParameterInfo& info, bool& value) override;
    void field(const ParameterInfo& info, std::vector<std::int64_t>& value, Bounds<std::int64_t> bounds) override;
    void text(const ParameterInfo& info, std::string& value) override;
    void numbers(const ParameterInfo& info, std::string& value) override;
    using ParameterVisitor::choice;
    void choice(const ParameterInfo& info, std::string& value, const std::vector<std::string>& names) override;
    void policy(const ParameterInfo& info, std::string& name, const PolicyKind& kind) override;

    /// A number that is too high is a problem.
    std::vector<unsigned> nodes_named(unsigned count) override;
    std::vector<std::string> names_here(bool group_of_groups) override;

    /// Problems of the walk and unknown keys, in the order of the settings.
    std::vector<Problem> problems() const;

protected:
    void bounded(const ParameterInfo& info, const AnyBounded& field) override;
    void enter(std::string_view name, std::string_view meaning) override;
    void leave() override { path_.leave(); }

private:
    /// The last setting of a key; npos if there is none. Marks the key as known.
    std::size_t take(std::string_view name);
    void report(std::size_t setting, std::string_view what);
    /// @param own_name of a text that may be an alias
    template <class OwnName>
    void read_choice(const ParameterInfo& info, std::string& value, const std::vector<std::string>& names,
                     const OwnName& own_name);
    std::string unknown_key(const Setting& setting) const;
    template <class Quantity>
    void read_bounded(std::string_view name, Quantity& value, Bounds<Quantity> bounds);
    /// Checks what files say about the parameter that the walk has come to.
    /// @param kind such as "a boolean" for values that have no range; empty for numbers
    /// @param check finds what is wrong with an entry of a table about this setting: (table, setting) -> Wrong
    template <class Check>
    void check_provenance(std::string_view kind, Check check);
    void check_provenance(std::string_view kind);
    template <class Quantity>
    void report_outside(std::size_t setting, bool below, Bounds<Quantity> bounds);

    const std::vector<Setting>& settings_;
    const std::vector<ProvenanceOfSetting> provenance_;
    KeyPath path_;
    std::vector<std::string> keys_;
    std::vector<std::string> groups_;
    std::vector<Problem> problems_;
};

}  // namespace ringmesh::platforms
