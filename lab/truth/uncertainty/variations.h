// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/store/options.h"
#include "lab/study/running/shard.h"
#include "lab/truth/findings.h"
#include "lab/truth/inputs/inputs.h"

namespace ringmesh::lab {

/// A way to run a study again.
struct Variation {
    std::string name;                                              ///< for messages
    std::vector<std::pair<std::size_t, std::string>> inputs = {};  ///< number and value of each that has another
    std::uint64_t seeds = 0;                                       ///< added to the seed of each point
    std::string program = {};                                      ///< of which an option is another
    std::string option = {};
    std::string value = {};
    bool varied_only = false;  ///< found without the points that the study does not vary
};

/// What a study found, by id of the row.
struct VariedFindings {
    std::map<std::string, double> simulated;
    std::string problem;  ///< why some of it is missing: a point that failed, SQL that has no answer
};

/// Answers by the points that a study varies alone, as the whole would be: changed in the same proportion.
/// @param whole, varied what both give without changes
void in_parts_of_whole(std::map<std::string, double>& found, const std::map<std::string, double>& whole,
                       const std::map<std::string, double>& varied);

/// Those of the inputs that act in a varied point of these tests, by their numbers.
std::vector<std::size_t> acting_inputs(const std::vector<Input>& inputs, const Study& study,
                                       const std::vector<StudyPoint>& points, const std::set<std::string>& tests);

/// How variations are run.
struct VariationRules {
    StoreOptions store = {};
    Shard shard = {};
    bool quiet = false;       ///< no line on what has run
    bool all_points = false;  ///< also those that the study does not vary
};

/// A question whose answers are numbers with names, and that can be asked again with other values of its inputs. All
/// runs are points of the store, with common random numbers: the seeds are the same.
class VariedQuestion {
public:
    virtual ~VariedQuestion() = default;

    virtual const std::vector<Input>& inputs() const = 0;
    virtual const Numerical& numerical() const = 0;
    /// Answers that need no bar of their own. @pre found at least once
    virtual std::set<std::string> without_own_bar() const { return {}; }
    /// What the answers hang on that can be left as it was, as names of tests. @pre found at least once
    virtual std::set<std::string> tests_of(const std::set<std::string>& answers) const = 0;
    /// Numbers of the inputs that act in these tests.
    virtual std::vector<std::size_t> inputs_of_tests(const std::set<std::string>& tests) const = 0;
    /// Runs what is missing and finds what each variation gives; without changes, what is.
    /// @pre of variations with changes, all points or varied_only
    /// @param tests the only ones that vary; empty: all
    /// @return nothing if the shard is not all and others have not run theirs
    /// @throws UserError
    virtual std::optional<std::vector<VariedFindings>> find(const std::vector<Variation>& variations,
                                                            const VariationRules& rules, Store& store,
                                                            const std::set<std::string>& tests = {}) = 0;
};

/// Numbers made of the points of a study.
class VariedStudy : public VariedQuestion {
public:
    const std::vector<Input>& inputs() const override { return inputs_; }
    const Numerical& numerical() const override { return study_.numerical; }
    std::set<std::string> tests_of(const std::set<std::string>& answers) const override;
    std::vector<std::size_t> inputs_of_tests(const std::set<std::string>& tests) const override;
    std::optional<std::vector<VariedFindings>> find(const std::vector<Variation>& variations,
                                                    const VariationRules& rules, Store& store,
                                                    const std::set<std::string>& tests = {}) override;

    const Study& study() const { return study_; }
    const std::vector<StudyPoint>& points() const { return points_; }
    /// What came of the points as the study has them. @pre found without changes
    const std::vector<Granted>& granted() const { return granted_; }

protected:
    VariedStudy(Study study, std::vector<StudyPoint> points);

private:
    std::vector<StudyPoint> varied(const Variation& variation, const std::set<std::string>& tests,
                                   bool all_points) const;
    VariedFindings findings_of(const Variation& variation, const std::vector<StudyPoint>& points,
                               std::vector<Granted> granted, const Store& store);
    /// @throws UserError if there are none
    virtual std::map<std::string, double> answers(const std::vector<StudyPoint>& points,
                                                  const std::vector<Granted>& granted, const Store& store) = 0;

    Study study_;
    std::vector<StudyPoint> points_;
    std::vector<Granted> granted_;
    std::vector<Input> inputs_;
};

/// The simulated numbers of a study's findings, by their ids.
class VariedFindingsOfStudy final : public VariedStudy {
public:
    /// @param path name or folder @param full also the points that take long
    /// @throws UserError for mistakes in the study's files
    VariedFindingsOfStudy(const std::string& path, std::string part, bool full);
    VariedFindingsOfStudy(Study study, std::string part, bool full);

    std::set<std::string> without_own_bar() const override { return without_own_bar_; }
    std::set<std::string> tests_of(const std::set<std::string>& answers) const override;

private:
    std::map<std::string, double> answers(const std::vector<StudyPoint>& points, const std::vector<Granted>& granted,
                                          const Store& store) override;

    std::string part_;
    std::map<std::string, std::set<std::string>> tests_of_row_;
    std::set<std::string> without_own_bar_;
};

}  // namespace ringmesh::lab
