// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lab/truth/ledger/kept_bars.h"
#include "lab/truth/uncertainty/bars.h"

/// An analysis as a study keeps it.
namespace ringmesh::lab {

/// The files, by name. @param judged ids of rows with a published and a simulated number
std::map<std::string, std::string> bar_files(const Analysis& analysis, const std::set<std::string>& judged);
/// What they say.
KeptBars kept_bars(const Analysis& analysis, const std::set<std::string>& judged);
/// Writes them into the study's folder, each whole or not at all. @throws UserError
void keep_bars(const std::filesystem::path& study, const std::map<std::string, std::string>& files);

/// What all other studies of the catalog keep of the rows that set their inputs. @throws UserError as read_bars
std::vector<KeptSettings> settings_of_others(const std::filesystem::path& study);

/// Inputs that are not what they were when the bars were kept, each with what it was and is.
/// @param inputs that act in what the rows hang on
std::vector<std::string> changed_inputs(const VariedInputs& kept, const std::vector<Input>& inputs);

/// How the rows with a published and a simulated number are met, by id.
SettingRows published_rows(const Report& report);

}  // namespace ringmesh::lab
