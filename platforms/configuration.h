// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/files/parameter_reader.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/parameters/parameters.h"

/// The configuration of a machine: platform file, overlays and settings, checked and with the origin of each value.
namespace ringmesh::platforms {

/// The header of a file.
struct FileHeader {
    std::string machine;                  ///< which builder; platform files only
    std::string description;              ///< one sentence
    std::string based_on;                 ///< another platform file, whose settings come first; platform files only
    std::vector<std::string> applies_to;  ///< machines; overlays only, empty: any
};

/// The settings of a run in layers: a platform file, overlay files, `--set` assignments. The last setting of a key
/// counts.
///
/// Every mistake is a UserError "WHERE: KEY = VALUE: what; cure" or similar, with WHERE = FILE:LINE or the assignment.
class Configuration {
public:
    /// A file with based_on = "OTHER.toml" changes the platform of that file in the same folder, or of a shipped one;
    /// that one may be based on another.
    /// @throws UserError if a file cannot be read, is not TOML or lacks `machine`. A missing `description` is reported
    /// by read_into with the mistakes in the settings.
    static Configuration load(const std::filesystem::path& platform_file);
    /// @throws UserError like load, and if the overlay is not for this machine.
    void overlay(const std::filesystem::path& overlay_file);
    /// Takes "link.symbol_time=4 ns", the value of `--set`.
    void set(std::string_view assignment);

    /// Keys that set() was given, once each; of a range of nodes that of each node.
    std::set<std::string, std::less<>> assigned_keys() const;

    const std::string& machine() const { return header_.machine; }
    const std::string& description() const { return header_.description; }
    const std::string& based_on() const { return header_.based_on; }  ///< empty if the platform stands alone
    /// Those that were read: platforms, the one that others are based on first, then overlays.
    const std::vector<std::filesystem::path>& files() const { return files_; }

    /// Writes the settings into `params`, all of the machine's parameters: a key that is none of them is an error. So
    /// is a parameter that an overlay or `--set` gives another value than the platform file, or than its default, if it
    /// has no effect.
    /// @param nodes of the machine, and what will be used of them
    /// @throws UserError with every problem found, one a line, in the order of layers and lines; then `params` is as
    /// before.
    template <class Params>
    void read_into(Params& params, const NodeUse& nodes = {}) const
    {
        Params read = params;
        read_walk([&read](ParameterVisitor& visitor) { read.visit(visitor); }, nodes);
        params = std::move(read);
    }

    /// Rows of `params`, which were read, with the provenance that files give their values. A value without one is
    /// assumed by the file or `--set` that gives it.
    template <class Params>
    std::vector<ParameterRow> rows_of(Params params, const NodeUse& nodes = {}) const
    {
        return list_walk([&params](ParameterVisitor& visitor) { params.visit(visitor); }, nodes);
    }

    /// Whether the value that counts stands in the platform's file, not in the one that it is based on.
    bool set_by_platform_itself(std::string_view key) const;
    /// "FILE:LINE" or "--set KEY=VALUE" of the effective setting, "default" if the key is not set.
    std::string origin_of(std::string_view key) const;
    /// For checks of one key against others, after read_into: "FILE:LINE: KEY = VALUE: what; cure". If the key is not
    /// set the text names the platform file and the default; if it is a group, the first setting in it. Knows the key
    /// "machine", too.
    UserError problem(std::string_view key, std::string_view what, std::string_view cure) const;
    /// The same for a text "what; cure" from code without a configuration.
    UserError problem(std::string_view key, std::string_view what_and_cure) const;
    /// For a calibrated value whose file says that a row set it, which is wrong: "FILE:LINE: provenance."KEY": what".
    /// None if no file names this row.
    std::optional<UserError> problem_of_calibration(std::string_view row, std::string_view what) const;
    /// Of keys that do not fit together the one to change: the one that was set last, the first if none is set.
    std::string last_set(const std::vector<std::string>& keys) const;

    /// The header alone, of a platform or overlay file.
    static FileHeader read_header(const std::filesystem::path& path);

private:
    Configuration() = default;
    /// @param depth of files that are based on this one
    static Configuration load(const std::filesystem::path& platform_file, int depth);
    void read_walk(const std::function<void(ParameterVisitor&)>& walk, const NodeUse& nodes) const;
    std::vector<ParameterRow> list_walk(const std::function<void(ParameterVisitor&)>& walk, const NodeUse& nodes) const;
    const Setting* find(std::string_view key) const;
    /// Whether the value is the one without overlays and `--set`: written out, which is no mistake.
    bool is_as_of_platform(const ParameterRow& row) const;
    /// Of another layer. Provenance that lacks its value is a problem.
    void add(std::vector<Setting> settings, std::vector<ProvenanceOfSetting> provenance);
    /// No-op if the problem is empty.
    void add_header_problem(const std::string& problem);

    std::string platform_file_;  ///< as shown in messages
    std::vector<std::filesystem::path> files_;
    FileHeader header_;
    std::string machine_where_;
    std::string header_problems_;    ///< a line each
    std::vector<Setting> settings_;  ///< of all layers in turn
    std::size_t of_platform_ = 0;    ///< as many of them, the first ones, are the platform's
    std::size_t of_files_ = 0;       ///< likewise: of the files
    std::vector<ProvenanceOfSetting> provenance_;
    /// As texts, for messages, after read_into.
    mutable std::map<std::string, std::string, std::less<>> defaults_;
};

/// Whether a key, or an assignment, is of a fault as --fault numbers them: "fault.fault1.what".
bool is_typed_fault(std::string_view text);

/// For parameters of no machine, such as the options of a workload: writes "key=value" assignments of the option
/// `option` into the parameters visited by `walk`. Messages begin "OPTION KEY=VALUE: ".
/// @throws UserError with every problem found, one a line
void read_assignments(const std::vector<std::string>& assignments, std::string_view option,
                      const std::function<void(ParameterVisitor&)>& walk);

/// Once other parameters are final. @throws UserError if an assigned parameter has no effect
void require_effects(const std::vector<std::string>& assignments, std::string_view option,
                     const std::function<void(ParameterVisitor&)>& walk);

}  // namespace ringmesh::platforms
