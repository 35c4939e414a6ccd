// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platforms/toml_document.h"
#include "tlm/parameter_list.h"

namespace ringmesh::platforms {

/// What a file says about where the value of one of its settings comes from: its table [provenance."KEY"].
struct ProvenanceOfSetting {
    std::string key;
    Origin origin;
    std::string where;        ///< "FILE:LINE" of the table
    std::size_t setting = 0;  ///< place among all settings of the one that it is about
    Value low, high;          ///< as written; empty text if the file gives none
};

/// A problem and its setting.
struct Problem {
    std::size_t setting = 0;  ///< its index among all settings
    std::string text;
};

/// Visits parameters and gives each the last of its settings; checks type, unit, bounds and choices, and that the range
/// which a file gives a value contains it. A setting with a problem leaves its parameter unchanged, and the walk
/// continues.
class ParameterReader final : public ParameterVisitor {
public:
    explicit ParameterReader(const std::vector<Setting>& settings, std::vector<ProvenanceOfSetting> provenance = {})
        : settings_(settings), provenance_(std::move(provenance))
    {}

    using ParameterVisitor::field;
    void field(const ParameterInfo& info, bool& value) override;
    void field(const ParameterInfo& info, std::vector<std::int64_t>& value, Bounds<std::int64_t> bounds) override;
    void text(const ParameterInfo& info, std::string& value) override;
    using ParameterVisitor::choice;
    void choice(const ParameterInfo& info, std::string& value, const std::vector<std::string>& names) override;

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
    void report(const ProvenanceOfSetting& provenance, std::string_view what);
    /// What files say about the parameter that the walk has come to.
    std::vector<const ProvenanceOfSetting*> provenance_of_this() const;
    std::string unknown_key(const Setting& setting) const;
    template <class Quantity>
    void read_bounded(std::string_view name, Quantity& value, Bounds<Quantity> bounds);
    template <class Quantity>
    void check_ranges(const Quantity& example, Bounds<Quantity> bounds);
    /// For parameters that have none: what the file gives is a problem.
    void refuse_ranges(std::string_view kind);
    void check_alternatives(const std::vector<std::string>& names);
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
