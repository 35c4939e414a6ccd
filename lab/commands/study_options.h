// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/commands/options.h"

/// The commands that run points over axes: sweep, study, whatif.
namespace ringmesh::lab {

/// The one test that the options say. @param command for messages, and the name of the test @throws UserError
StudyTest test_of(const std::string& command, CommandOptions& options);

/// Gives all tests the limit of the command line. @throws UserError
void apply_limit(const std::string& name, StudyCommand& command);

/// Of `sweep` and `study`. @throws UserError
StudyCommand study_command(const std::string& name, CommandOptions& options);

/// Of `whatif`: the papers' question, or a comparison of variants. @throws UserError
Command whatif_command(CommandOptions& options);

}  // namespace ringmesh::lab
