// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lab/study/study.h"

namespace ringmesh::lab {

/// A text as TOML has it, in quotation marks.
std::string toml_text(std::string_view text);

/// As study.toml has it; read_study() gives the same study back.
std::string study_text(const Study& study);

/// Writes FOLDER/study.toml, making the folder. @throws UserError if it is there already, or cannot be written
void save_study(const Study& study, const std::filesystem::path& folder);

}  // namespace ringmesh::lab
