// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/study/points/points.h"
#include "lab/study/running/scripts.h"
#include "lab/truth/ledger/ledger.h"
#include "lab/truth/ledger/report.h"
#include "lab/truth/rows/published.h"

namespace ringmesh::lab {

/// From the provenance of all that the points' machines and programs have.
Calibrated calibrations_of(std::span<const StudyPoint> points);

/// What is made of the points of a study: its tables, its scripts, its ledger.
class Findings {
public:
    /// @param part of the scripts; empty: all
    /// @throws UserError for mistakes in the study's files, titles and notes of tables that there are not among them
    Findings(Study study, std::string part);

    /// The points that the part needs. Those that take long only if `with_long`.
    std::vector<StudyPoint> points(bool with_long) const;

    /// @throws UserError for mistakes in scripts and CSV files that can be told before anything has run
    void check() const;
    /// Makes tables of what the points gave, and runs the scripts.
    /// @param granted as long as `points`
    /// @param question SQL that will be asked: tables NAME_statistics have rows if it or a script mentions them
    void find(std::span<const StudyPoint> points, std::span<const Granted> granted, const Store& store,
              std::string_view question = "");

    const Study& study() const { return study_; }
    const Published& published() const { return published_; }
    bool has_published() const { return !published_.rows().empty(); }
    /// @pre found
    Database& database() { return database_; }
    const Database& database() const { return database_; }
    const MadeViews& views() const { return views_; }
    /// The simulated numbers of the views finding_* and prediction_*, by id, but those that are NULL. @pre found
    std::map<std::string, double> simulated() const;
    /// Their rows without an error bar of their own: they take that of another one, or are alternatives. @pre found
    std::set<std::string> without_own_bar() const;
    /// The tests that each of their rows hangs on. @pre found
    std::map<std::string, std::set<std::string>> tests_of_rows() const;
    /// Names of all that the scripts make, also those that are not of the part, in small letters.
    std::vector<std::string> made_by_scripts() const;

    /// What the view `answer` says: a sentence a row; empty without one. @pre found
    Answer answer() const;
    /// The views table_* of the part with their titles and notes. @pre found
    std::vector<Report::Table> tables() const;

    /// The ledger with the bars that the study keeps, which becomes a table of the database; the predictions; the views
    /// table_*. @pre found, once
    /// @throws UserError as ledger_of()
    Report report(std::span<const StudyPoint> points, bool with_long);

private:
    struct Finding {
        const MadeViews::View& view;
        const std::string& id;
        std::optional<double> simulated;
        bool has_own_bar;
    };
    /// Each view is asked once. @pre found
    const std::vector<FoundView>& views_finding() const;
    const std::vector<FoundView>& views_prediction() const;
    /// Whether a view prediction_* hangs on a test of which points take long.
    bool predictions_take_long() const;
    void for_each_finding(const std::function<void(const Finding& finding)>& visit) const;

    Study study_;
    std::string part_;
    std::vector<Script> scripts_;
    Published published_;
    Database database_;
    MadeViews views_;
    mutable std::optional<std::vector<FoundView>> findings_;
    mutable std::optional<std::vector<FoundView>> predictions_;
};

}  // namespace ringmesh::lab
