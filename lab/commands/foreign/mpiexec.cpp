// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lab/commands/line/command.h"
#include "lab/run/experiment.h"
#include "lab/run/record/run_status.h"
#include "lab/run/workload_spec.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kMpiexec{
    .name = "mpiexec",
    .meaning = "Run an MPI program on a simulated machine; prints only what the program prints",
    .arguments = "mpiexec [OPTIONS] PROGRAM [ARGUMENTS]",
    .examples = R"(Examples:
  ringmesh mpiexec -n 4 ./stencil 100 100
  ringmesh mpiexec -n 16 --platform wulfkit-ring --library sci-mpich --prefix ./stencil

PROGRAM is what ringmesh cc has made. The exit status is the program's. ringmesh run PLATFORM --program shows what the
machine did.
)",
    .status_1 = "the program ends with it"};

class MpiexecCommand final : public Command {
public:
    const CommandHelp& help() const override { return kMpiexec; }
    bool passes_words_on() const override { return true; }
    void describe(OptionList& list) override
    {
        add_program(list, program_, "Number of ranks; 1 if not given", "-n,--ranks");
        list.text("--platform", request_.platform,
                  "Name of a platform, or a TOML file; scc for a program of RCCE, else wulfkit-torus-2d if not given",
                  "PLATFORM");
        list.text("--library", request_.library, "Message passing library, with its options", "NAME[:KEY=VALUE,...]");
        list.text("--map", map_, "Node of each rank, as for run", "MAP");
        list.repeated("--set", request_.settings, "Set a parameter of the machine", "KEY=VALUE");
        list.parsed("--limit", limit_, &parse_limit, "Stop the run if it takes longer than this, such as 600s", "TIME");
        list.arguments("PROGRAM", words_, "What ringmesh cc has made, and its arguments");
        list.need("no program; write such as mpiexec -n 4 ./program");
    }
    int execute() override
    {
        program_.file = words_.front();
        program_.arguments.assign(words_.begin() + 1, words_.end());
        if (request_.platform.empty()) {
            request_.platform = calls_rcce(program_.file) ? "scc" : "wulfkit-torus-2d";
        }
        request_.workload = with_map(workload_of(program_), map_);
        experiment_ = std::make_unique<Experiment>(request_);
        experiment_->workload().let_print();
        experiment_->prepare_simulation();
        experiment_->build();
        run_watched(*experiment_, "mpiexec", "", false, limit_);
        return experiment_->workload().exit_status();
    }

private:
    /// By what RCCE.h puts into it. What cannot be read is told later.
    static bool calls_rcce(const std::string& file)
    {
        std::ifstream stream(file, std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(stream), {}};
        return content.find("ringmesh_rcce_program") != std::string::npos;
    }

    ExperimentRequest request_{.platform = {}, .overlays = {}, .settings = {}, .workload = {}};
    ProgramOfRun program_{.file = {}, .arguments = {}, .ranks = "1", .named_by = "mpiexec"};
    std::string map_;
    std::chrono::duration<double> limit_{};
    std::vector<std::string> words_;
    std::unique_ptr<Experiment> experiment_;  // left standing: the process is about to end
};

}  // namespace

std::unique_ptr<Command> make_mpiexec() { return std::make_unique<MpiexecCommand>(); }

}  // namespace ringmesh::lab
