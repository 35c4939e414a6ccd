// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/line/command.h"

namespace ringmesh::lab {

std::vector<std::unique_ptr<Command>> all_commands()
{
    std::vector<std::unique_ptr<Command>> all;
    for (auto* make : {&make_list,   &make_run,       &make_validate,    &make_sensitivity,     &make_calibrate,
                       &make_whatif, &make_explain,   &make_saturate,    &make_sweep,           &make_study,
                       &make_store,  &make_compare,   &make_report,      &make_reproduce,       &make_check,
                       &make_new,    &make_compile_c, &make_compile_cxx, &make_compile_fortran, &make_mpiexec,
                       &make_help,   &make_version,   &make_completion}) {
        all.push_back(make());
    }
    return all;
}

}  // namespace ringmesh::lab
