// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/command_line.h"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <systemc>

#include "lab/commands/line/command.h"
#include "lab/commands/line/program.h"
#include "lab/commands/line/shapes.h"
#include "lab/process/interruption.h"
#include "lab/process/mpi/processes.h"
#include "lab/process/standard_streams.h"
#include "lab/store/point.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"

namespace ringmesh::lab {
namespace {

constexpr int kEndedByFault = 1;
constexpr int kUsersMistake = 2;
constexpr int kModelsMistake = 3;

/// Runs `work` and turns what it throws into a message and an exit status.
template <class Work>
int guarded(const Work& work)
{
    try {
        return work();
    } catch (const ProgramError& error) {
        say_each_line(error.what());
        return error.status();
    } catch (const UserError& error) {
        say_each_line(error.what());
        return kUsersMistake;
    } catch (const FaultError& error) {
        say_failure(fmt::format("the run ended by a fault: {}", error.what()));
        return kEndedByFault;
    } catch (const std::filesystem::filesystem_error& error) {
        say(fmt::format("{}: {}", error.path1().empty() ? "the current folder" : shown(error.path1()),
                        error.code().message()));
        return kUsersMistake;
    } catch (const Interrupted& interrupted) {
        say(fmt::format("interrupted {}", interrupted.what()));
        return 128 + interrupted.signal();
    } catch (const StuckError& error) {
        say_failure(error.what());
    } catch (const ModelError& error) {
        say_failure(fmt::format("an invariant of the model is violated: {}", error.what()));
    } catch (const sc_core::sc_report& report) {
        say(fmt::format("an invariant of the model is violated: {}", report.get_msg()));
    } catch (const std::exception& error) {
        say(fmt::format("internal error: {}", error.what()));
    } catch (const ReaderGone&) {
        end_by_broken_pipe();
    } catch (...) {
        say("internal error");
    }
    return kModelsMistake;
}

}  // namespace

const char* program_commit() { return ""; }

}  // namespace ringmesh::lab

namespace ringmesh {

int command_line(int argc, const char* const* argv, const std::vector<Addition>& additions, const char* data)
{
    using namespace lab;
    prepare_process();
    if (argc > 1 && std::string_view(argv[1]) == "run") silence_other_processes();  // other commands do not join
    const int status = guarded([&] {
        platforms::use_data_folder(data);
        for (const Addition& addition : additions) addition.add();
        if (!additions.empty()) count_program_as_model();
        // Never destroyed: destroying a big machine takes seconds
        Command* const command = parse_command_line(argc, argv).release();
        const int result = command == nullptr ? 0 : command->execute();
        finish_printing();
        return result;
    });
    end_pager();
    leave_processes();
    return status;
}

}  // namespace ringmesh
