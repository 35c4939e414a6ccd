// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/commands.h"
#include "lab/study/findings.h"
#include "lab/uncertainty/inputs.h"

namespace ringmesh::lab {

/// A way to run a study once more.
struct Variation {
    std::string name;                                           ///< for messages
    std::vector<std::pair<std::size_t, std::string>> inputs = {};  ///< number and value of each that has another
    std::uint64_t seeds = 0;                                    ///< added to the seed of each point
    std::string program = {};                                   ///< of which an option is another
    std::string option = {};
    std::string value = {};
};

/// What a study found, by id of the row.
struct VariedFindings {
    std::map<std::string, double> simulated;
    std::string problem;  ///< why some of it is missing: a point that failed, SQL that has no answer
};

/// A study that is run again and again with other values of what it hangs on. All runs are points of the store, with
/// common random numbers: the seeds of the study.
class VariedStudy {
public:
    /// @param full also the points that take long
    /// @throws UserError for mistakes in the study's files
    VariedStudy(std::string path, std::string part, bool full);

    const Study& study() const { return study_; }
    const std::vector<StudyPoint>& points() const { return points_; }
    const std::vector<Input>& inputs() const { return inputs_; }
    /// What came of the points as the study has them. @pre found without changes
    const std::vector<Granted>& granted() const { return granted_; }

    /// The tests that rows hang on. @pre found at least once
    std::set<std::string> tests_of(const std::set<std::string>& rows) const;

    /// Runs what is missing and finds what each variation gives; without changes, what the study gives.
    /// @param tests the only ones that vary; empty: all
    /// @return nothing if the shard of `rules` is not all and others have not run theirs
    /// @throws UserError for what is wrong in a point
    std::optional<std::vector<VariedFindings>> find(const std::vector<Variation>& variations,
                                                    const StoreOptions& options, const Shard& shard, Store& store,
                                                    const std::set<std::string>& tests = {});

private:
    std::vector<StudyPoint> varied(const Variation& variation, const std::set<std::string>& tests) const;
    VariedFindings findings_of(const Variation& variation, const std::vector<StudyPoint>& points,
                               std::vector<Granted> granted, const Store& store);

    std::string path_;
    std::string part_;
    Study study_;
    std::vector<StudyPoint> points_;
    std::vector<Granted> granted_;
    std::vector<Input> inputs_;
    std::map<std::string, std::set<std::string>> tests_of_row_;
};

}  // namespace ringmesh::lab
