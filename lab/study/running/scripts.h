// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lab/sql/database.h"
#include "lab/study/description/study.h"

namespace ringmesh::lab {

/// A *.sql of a study. What its statements mention is found by their words alone, before anything has run.
struct Script {
    struct Statement {
        std::string text;
        std::size_t line = 0;         ///< where it begins, from 1
        std::string makes;            ///< name of the view or table, in small letters; empty: nothing
        std::set<std::string> words;  ///< names in it, those in quotation marks included
    };

    std::string
        part;  ///< name of the file without ".sql" and without the number that orders it: "10_rings.sql" is "rings"
    std::filesystem::path file;
    std::vector<Statement> statements;

    /// "FILE:LINE", for messages.
    std::string where(const Statement& statement) const;
};

/// The *.sql of a folder in the order of their names.
std::vector<std::filesystem::path> script_files(const std::filesystem::path& folder);
/// Script::part of a file.
std::string part_name(const std::filesystem::path& file);

/// The scripts of a study in the order of their names. @throws UserError
std::vector<Script> scripts_of(const Study& study);

/// The tests that a part needs, directly or over other views; those of all scripts if `part` is empty.
std::set<std::string> tests_for(const std::string& part, const Study& study, const std::vector<Script>& scripts);

/// The tests that a view needs, directly or over other views.
std::set<std::string> tests_behind(const std::string& view, const Study& study, const std::vector<Script>& scripts);

/// What has been made.
struct MadeViews {
    struct View {
        std::string name;  ///< in small letters
        std::string part;
        std::string where;     ///< "FILE:LINE"
        bool is_long = false;  ///< it needs a test with points that take long
    };
    std::vector<View> views;            ///< those of the part that was asked for
    std::vector<std::string> left_out;  ///< of it, because tests are missing

    std::vector<View> beginning(std::string_view prefix) const;
};

/// Runs the statements that a part needs (all if it is empty), but none that needs one of the tests in `missing`.
/// Each view is tried as it is made. @param long_tests those with points that take long
/// @throws UserError "FILE:LINE: ..." of the statement that fails
MadeViews run_scripts(Database& database, const std::vector<Script>& scripts, const std::string& part,
                      const std::set<std::string>& missing, const std::set<std::string>& long_tests = {});

/// What a view holds. @throws UserError "FILE:LINE: ..."
workloads::Results rows_of(const Database& database, const MadeViews::View& view);

/// A view with what it holds.
struct FoundView {
    MadeViews::View view;
    workloads::Results rows;
};
/// Those whose names begin so. @throws UserError as rows_of()
std::vector<FoundView> found_views(const Database& database, const MadeViews& views, std::string_view prefix);

}  // namespace ringmesh::lab
