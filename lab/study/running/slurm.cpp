// SPDX-License-Identifier: Apache-2.0
#include "lab/study/running/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>

#include "lab/process/output_file.h"
#include "lab/process/outside.h"
#include "lab/table/writers/json.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

std::filesystem::path absolute_path(const std::filesystem::path& path)
{
    const auto absolute = std::filesystem::absolute(path);  // of what is not there yet, weakly_canonical() makes none
    std::error_code error;
    const auto whole = std::filesystem::weakly_canonical(absolute, error);
    return error ? absolute : whole;
}

/// Name of the study's folder, in letters that may stand in a file's and a job's name, and all of its path.
std::string name_of(const std::filesystem::path& study)
{
    const auto path = absolute_path(study);
    std::string name = std::filesystem::is_directory(path) ? path.filename() : path.parent_path().filename();
    const auto is_odd = [](char c) {
        return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_');
    };
    std::replace_if(name.begin(), name.end(), is_odd, '_');
    return fmt::format("{}-{:08x}", name, std::hash<std::string>{}(path.string()) & 0xffffffff);
}

std::filesystem::path file_for(const std::filesystem::path& study, const std::filesystem::path& store,
                               std::string_view suffix)
{
    return absolute_path(store) / "slurm" / (name_of(study) + std::string(suffix));
}

void write_file(const std::filesystem::path& path, const std::string& text, std::string_view mark = {})
{
    std::error_code error;  // AtomicFile tells what is wrong
    std::filesystem::create_directories(path.parent_path(), error);
    write_whole(path, text, mark);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::string batch_script(const SlurmJob& job)
{
    const std::string log = file_for(job.study, job.store, "-%A_%a.log").string();
    std::string text = fmt::format(
        "#!/bin/sh\n"
        "#SBATCH --job-name=ringmesh-{}\n"
        "#SBATCH --array=1-{}\n"
        "#SBATCH --requeue\n"
        "#SBATCH --open-mode=append\n"
        "#SBATCH --output=\"{}\"\n",
        name_of(job.study), job.tasks, log);
    for (const std::string& option : job.options) text += fmt::format("#SBATCH {}\n", option);
    text += "# Finished points are kept: a task that is killed or preempted goes on from there when it is run again\n";
    // A site may start tasks with an environment of its own
    const auto pass = [&text](const char* name, const auto& value_of) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0')
            text += fmt::format("export {}={}\n", name, shell_quoted(value_of(value)));
    };
    pass("LD_LIBRARY_PATH", [](const char* folders) { return std::string(folders); });
    for (const char* name : {"RINGMESH_DATA", "RINGMESH_PLATFORMS"}) {
        pass(name, [](const char* folder) { return absolute_path(folder).string(); });
    }
    const auto program = std::filesystem::read_symlink("/proc/self/exe");
    text += fmt::format(
        "{} study run {} --store {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --jobs "
        "\"${{SLURM_CPUS_PER_TASK:-1}}\"",
        shell_quoted(program.string()), shell_quoted(absolute_path(job.study).string()),
        shell_quoted(absolute_path(job.store).string()), job.tasks);
    for (const std::string& argument : job.arguments) text += " " + shell_quoted(argument);
    // Slurm puts a task into the queue again when its node fails or it is preempted, not when its program is killed
    return text +
           "\n"
           "status=$?\n"
           "if [ $status -eq 137 ] && [ \"${SLURM_RESTART_COUNT:-0}\" -lt 20 ]; then\n"
           "    scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"  # killed, by a lack of memory above "
           "all\n"
           "fi\n"
           "exit $status\n";
}

std::string submit(const SlurmJob& job)
{
    const auto script = file_for(job.study, job.store, ".sbatch");
    write_file(script, batch_script(job), "#SBATCH --job-name=ringmesh-");
    const OutsideEnd end = run_outside({"sbatch", "--parsable", script.string()});
    if (!end.started) {
        throw UserError(
            fmt::format("study submit: no sbatch on this machine; submit {} where Slurm is, or look at it "
                        "with --dry-run",
                        script.string()));
    }
    if (end.status != 0) {
        throw UserError(fmt::format("study submit: sbatch refuses {}: {}; change its options by --sbatch",
                                    script.string(), first_line(end.output)));
    }
    // NUMBER or NUMBER;CLUSTER
    std::string number = end.output.substr(0, end.output.find_first_of(";\n"));
    write_file(
        file_for(job.study, job.store, ".json"),
        Json({{"job", number}, {"tasks", job.tasks}, {"study", absolute_path(job.study).string()}}).line() + '\n');
    return number;
}

std::optional<std::string> job_state(const std::filesystem::path& study, const std::filesystem::path& store)
{
    const auto file = file_for(study, store, ".json");
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return std::nullopt;
    std::string job;
    std::int64_t tasks = 0;
    try {
        const Json json = Json::parse(platforms::read_text(file));
        job = json.at("job").as_text();
        tasks = json.at("tasks").as_integer();
    } catch (const std::exception&) {
        return fmt::format("Slurm job: {} cannot be read", file.string());
    }
    const OutsideEnd end = run_outside({"squeue", "--noheader", "--array", "--format=%T", "--jobs", job});
    if (!end.started) return fmt::format("Slurm job {}: no squeue on this machine", job);
    std::map<std::string, std::int64_t> states;
    std::int64_t queued = 0;
    if (end.status == 0) {
        std::istringstream lines(end.output);
        for (std::string state; std::getline(lines, state); ++queued) ++states[state];
    } else if (end.output.find("Invalid job id") == std::string::npos) {
        return fmt::format("Slurm job {}: {}", job, first_line(end.output));
    }
    std::string text = fmt::format("Slurm job {}: {} task{}", job, tasks, tasks == 1 ? "" : "s");
    for (const auto& [state, count] : states) {
        text += fmt::format(", {} ", count);
        for (const char c : state) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text + fmt::format(", {} ended", std::max<std::int64_t>(0, tasks - queued));
}

}  // namespace ringmesh::lab
