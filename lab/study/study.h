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
};

/// Reads FOLDER/study.toml, or the file, and the CSV files whose rows are its cells. Paths of platforms and overlays
/// are taken from the study's folder.
/// @throws UserError with every problem found, one a line
Study read_study(const std::filesystem::path& path);

/// "60 s". @param example for the message @throws UserError "not a time; ..."
std::chrono::duration<double> time_limit(const std::string& text, std::string_view example);

}  // namespace ringmesh::lab
