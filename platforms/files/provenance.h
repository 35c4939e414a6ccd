// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platforms/files/toml_document.h"
#include "tlm/parameters/parameters.h"

namespace ringmesh::platforms {

/// Where the value of one setting of a file comes from, by the file's table [provenance."KEY"].
struct ProvenanceOfSetting {
    static constexpr std::string_view kChoice = "a choice";

    std::string key;
    std::string where;  ///< "FILE:LINE" of the table
    Origin origin = {};
    std::vector<Setting> entries = {};  ///< as written; the key of each is the entry's own name
    bool faulty = false;                ///< an entry is wrong whatever the parameter is, and was reported
    std::size_t setting = 0;            ///< place among all settings of the one that it is about

    /// @return null if the table has no such entry
    const Setting* entry(std::string_view name) const;
    /// "FILE:LINE: provenance."KEY": what" with the line of the entry, or of the table if it has no such entry.
    std::string problem(std::string_view name, std::string_view what) const;
    /// What the table lacks and what it must not have, in view of its `from`: a line each.
    /// @param kind such as kChoice or "a boolean" for a value that has no range; empty for a number
    std::vector<std::string> problems(std::string_view kind) const;
};

/// Takes the entries of all tables [provenance."KEY"] out of the settings of a file.
class ProvenanceTables {
public:
    /// @param file its name in messages
    explicit ProvenanceTables(std::string file) : file_(std::move(file)) {}

    static bool has(const Setting& setting);
    /// @pre has(setting)
    void add(Setting setting);

    std::vector<ProvenanceOfSetting> tables;
    std::vector<std::string> problems;  ///< what is wrong whatever the parameter is

private:
    ProvenanceOfSetting& table_of(const std::string& key, std::size_t line);

    std::string file_;
};

}  // namespace ringmesh::platforms
