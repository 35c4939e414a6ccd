// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/line/command.h"

namespace ringmesh::lab {

std::unique_ptr<Command> make_list();
std::unique_ptr<Command> make_run();
std::unique_ptr<Command> make_validate();
std::unique_ptr<Command> make_sensitivity();
std::unique_ptr<Command> make_calibrate();
std::unique_ptr<Command> make_whatif();
std::unique_ptr<Command> make_explain();
std::unique_ptr<Command> make_saturate();
std::unique_ptr<Command> make_sweep();
std::unique_ptr<Command> make_study();
std::unique_ptr<Command> make_store();
std::unique_ptr<Command> make_compare();
std::unique_ptr<Command> make_report();
std::unique_ptr<Command> make_reproduce();
std::unique_ptr<Command> make_check();
std::unique_ptr<Command> make_new();
std::unique_ptr<Command> make_help();
std::unique_ptr<Command> make_version();
std::unique_ptr<Command> make_completion();

std::vector<std::unique_ptr<Command>> all_commands()
{
    std::vector<std::unique_ptr<Command>> all;
    for (auto* make :
         {&make_list, &make_run, &make_validate, &make_sensitivity, &make_calibrate, &make_whatif, &make_explain,
          &make_saturate, &make_sweep, &make_study, &make_store, &make_compare, &make_report, &make_reproduce,
          &make_check, &make_new, &make_help, &make_version, &make_completion}) {
        all.push_back(make());
    }
    return all;
}

}  // namespace ringmesh::lab
