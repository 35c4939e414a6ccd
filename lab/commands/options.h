// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/commands/commands.h"

namespace ringmesh::lab {

/// The options of all commands as given on the command line; make_command() turns them into a command.
struct CommandOptions {
    std::string subject;
    std::vector<std::string> names;  ///< of help: a command and its action
    bool manual = false;
    bool markdown = false;
    bool json = false;
    std::string seed = "1";
    bool no_wall_time = false;
    std::string sample;
    ListCommand list;
    RunCommand run;
    ValidateCommand validate;
    SensitivityCommand sensitivity;
    CalibrateCommand calibrate;
    std::string leave_out;  ///< of calibrate
    std::string samples;    ///< of validate and whatif
    std::string sizes;      ///< of whatif, as the next ones
    VariantQuestion question;
    bool smaller = false;
    bool larger = false;
    std::string test;
    ExplainCommand explain;
    std::string from;
    std::string to;
    std::string bytes;
    std::string slowest;
    SaturateCommand saturate;
    std::string longest;
    std::string width;
    StudyCommand study;
    StoreCommand store;
    CompareCommand compare;
    ReportCommand report_of;
    ReproduceCommand reproduce;
    CheckCommand check;
    NewCommand made;
    std::string report;        ///< --report of any command
    std::string command_line;  ///< as a shell takes it again
    ExperimentRequest sweep;   ///< of a sweep or a whatif, without its axes
    std::vector<std::string> faults;
    std::string memory;
    std::vector<std::string> axes;
    std::vector<std::string> together;
    std::vector<std::string> variants;
    std::string repeat = "1";
    std::string jobs;
    std::string action;
    std::string shard;
    std::string tasks;
};

/// Checks the options together and moves them out. @pre `name` is a command
/// @throws UserError for options that are missing, wrong or do not go together
Command make_command(const std::string& name, CommandOptions& options);

}  // namespace ringmesh::lab
