// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringmesh::lab {

/// Key and value as text, and where it was written, for messages.
struct StudySetting {
    std::string key;
    std::string value;
    std::string where;
};

/// A text and where it was written, for messages.
struct StudyWord {
    std::string text = {};
    std::string where = {};

    bool empty() const { return text.empty(); }
};

/// Values that a test runs over: of a parameter ("link.symbol_time"), of an option of the program ("options.load") or
/// of the library ("library_options.call"), or of a name that others use as ${name}.
struct Axis {
    std::string name;
    std::vector<std::string> values;
    std::string where;
    std::vector<std::string> places = {};  ///< of each value; empty: all stand at `where`

    const std::string& place_of(std::size_t value) const { return places.empty() ? where : places[value]; }
};

/// What a test changes as a whole. The first of a test is the base, with which the others are compared.
struct Variant {
    std::string name;
    StudyWord platform = {};  ///< empty: the test's
    StudyWord library = {};   ///< likewise
    std::vector<StudyWord> overlays = {};
    std::vector<StudySetting> set = {};
    std::vector<StudySetting> options = {};
    std::vector<StudySetting> library_options = {};
    std::string where = {};
};

/// A program and library on a platform, over axes, variants and repetitions. Values may hold ${expression}.
struct StudyTest {
    std::string name;
    std::string where;
    StudyWord platform;
    StudyWord program;
    StudyWord library;  ///< empty: the first that will do
    std::vector<StudySetting> options;
    std::vector<StudySetting> library_options;
    std::vector<StudySetting> set;
    std::vector<StudyWord> overlays;
    std::vector<Axis> axes;
    std::vector<std::vector<std::string>> together;  ///< names of axes that go in step
    std::vector<Variant> variants;                   ///< at least one
    StudyWord constraint;                            ///< over axes, variant and repetition; empty: all
    unsigned repeat = 1;
    std::uint64_t seed = 1;  ///< of the first repetition; each other has the next
    bool every_block = false;
    /// Points that take long, an SQL expression like the constraint: `validate` leaves them out without --full.
    StudyWord long_points;
    /// Points that error bars and sensitivities vary, an SQL expression like the constraint; empty: all.
    StudyWord varied_points;
    std::chrono::duration<double> limit{0};  ///< of each run; zero: none
};

/// An option of a program that is a choice of the measurement, and what else it could be.
struct NumericalChoice {
    std::string program;
    std::string option;
    std::vector<std::string> values;
    std::string where;
};

/// What of the measurement is varied to see how far it decides a result (u_num): seeds, repetitions, warm-up.
struct Numerical {
    unsigned seeds = 4;  ///< other ones than the study's
    std::vector<NumericalChoice> choices = {};
};

/// What is asked: a folder with study.toml, or the options of `ringmesh sweep`.
struct Study {
    std::string title;
    std::filesystem::path folder;             ///< "." if it is the current one; empty: not from files
    std::vector<std::string> notes;           ///< shown below what was found
    std::map<std::string, StudyWord> titles;  ///< of views table_NAME, by NAME in small letters
    Numerical numerical = {};
    std::vector<StudyTest> tests;

    /// Of its folder.
    std::string name() const;
};

/// The name of a folder, however its path is written: that of "." is the current folder's.
std::string folder_name(const std::filesystem::path& folder);

/// Reads FOLDER/study.toml, or the file, and the CSV files whose rows are its cells. Paths of platforms and overlays
/// are taken from the study's folder.
/// @throws UserError with every problem found, one a line
Study read_study(const std::filesystem::path& path);

/// "60 s". @param example for the message @throws UserError "not a time; ..."
std::chrono::duration<double> time_limit(const std::string& text, std::string_view example);

/// The values of an axis as people write them, commas between items:
///
///     5 ns,half             values as they stand
///     64..512 step 64       from the first to the last or just below it, each 64 more (also 64..512/64)
///     0.1..0.3 step 0.1     likewise with decimals: 0.1, 0.2, 0.3
///     2ns..6ns step 500ps   with a unit, the same at both ends and one of its kind for the step: 2ns, 2.5ns, ...
///     1us..100us x10        each ten times the one before
///
/// @throws UserError if there are none, or a range cannot be read, has ends in different units, leads nowhere or to
/// more than 10,000 values; messages begin with `where`
std::vector<std::string> axis_values(const std::string& text, const std::string& where);

/// A text as TOML has it, in quotation marks.
std::string toml_text(std::string_view text);

/// As study.toml has it; read_study() gives the same study back.
std::string study_text(const Study& study);

/// Writes FOLDER/study.toml, making the folder, and copies into it the files that the study names: platforms with what
/// they are based on, overlays, inputs of programs. @throws UserError if it is there already, or cannot be written
void save_study(Study study, const std::filesystem::path& folder);

// Names of a test, and what its axes set: checked without its points.

/// Axes with these names set options of the program and of the library.
inline constexpr std::string_view kOptions = "options.";
inline constexpr std::string_view kLibraryOptions = "library_options.";

/// @throws UserError if the test or an axis has a name that the tables have already, or as require_one_source()
void check_names(const Study& study, const StudyTest& test);

/// A value that an axis gives has no other source. @throws UserError, with both places, if the test or a variant sets
/// it, too: the axis would hide that without a word
void require_one_source(const StudyTest& test);

/// A test's own axis wins over the options and settings that stand above the tests: takes these out of the test.
void drop_inherited(StudyTest& test, const StudyTest& above);

/// @throws UserError for an axis that is no parameter and no option, and that no value uses
void require_use_of_axes(const StudyTest& test);

}  // namespace ringmesh::lab
