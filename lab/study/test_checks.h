// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lab/study/study.h"

/// Names of a test, and what its axes set: checked without its points.
namespace ringmesh::lab {

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
