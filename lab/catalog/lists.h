// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "tlm/parameters/policy.h"

/// What there is: policies and signals, and the forms in which lists of it are written.
namespace ringmesh::lab {

enum class Format : std::uint8_t { kText, kMarkdown, kJson, kCsv };

/// Not for JSON.
std::string list_text(const TextTable& table, Format format);
/// Under a title; `mark` makes it one in Markdown.
std::string headed(const std::string& title, const TextTable& table, Format format, const char* mark = "##");

/// A column of a list: its heading, the member of each entry that it shows, and what it shows of an empty array.
struct EntryColumn {
    const char* title;
    const char* member;
    const char* otherwise = "-";
};
TextTable entry_table(const std::vector<EntryColumn>& columns, const Json& entries);
/// {ringmesh, KEY: entries} as JSON, or else a table of these columns.
std::string list_text(const char* key, const Json& entries, const std::vector<EntryColumn>& columns, Format format);

/// "a, b"
std::string joined(const std::vector<std::string>& names);

// Policies of machines and workloads, found by walking their parameters: `ringmesh list policies`.

/// A parameter that selects a policy of a kind.
struct PolicyParameter {
    std::string owner;     ///< name of the machine or workload
    std::string key;       ///< "mesh.arbitration"
    std::string standard;  ///< name of its default policy
    std::vector<std::string> choices;
};

struct ListedKind {
    PolicyKind kind;
    std::string meaning;  ///< the decision, one sentence without full stop
    std::vector<PolicyParameter> parameters;
};

/// In the order of machines, then workloads.
std::vector<ListedKind> policy_kinds();

/// The file of a policy, from the top of the source tree.
std::string policy_file(const PolicyKind& kind, const PolicyName& policy);

/// @param name of a single kind, in detail; empty: all, a line for each policy
/// @throws UserError for an unknown kind
std::string list_policies(const std::string& name, Format format);

/// The signals of a platform's machines: with processors and with packet sources in place of them, as far as it has
/// both.
/// @param pattern as of --trace: each of these by itself; empty: all, numbered ones in one row
/// @throws UserError for an unknown platform, and for a pattern that matches nothing
std::string list_signals(const std::string& platform, const std::string& pattern, Format format);

/// Those of every platform that is not based on another.
std::string list_signals_of_platforms(Format format);

}  // namespace ringmesh::lab
