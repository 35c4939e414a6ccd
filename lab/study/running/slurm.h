// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ringmesh::lab {

/// An array job that runs a study over a store on a folder that all its machines see.
struct SlurmJob {
    std::filesystem::path study;  ///< folder or file
    std::filesystem::path store;
    unsigned tasks = 1;
    std::vector<std::string> options;    ///< of sbatch, such as "--partition=long"
    std::vector<std::string> arguments;  ///< further ones of `ringmesh study run`
};

/// The batch script: task i of n runs share i/n. A task that is killed or preempted is put into the queue again and
/// runs what is not yet done.
std::string batch_script(const SlurmJob& job);

/// Writes the script into STORE/slurm and submits it. @return the job's number
/// @throws UserError if it cannot be written, or sbatch is not there or refuses
std::string submit(const SlurmJob& job);

/// What squeue says of the job that was submitted last for this study and store; nothing if none was.
std::optional<std::string> job_state(const std::filesystem::path& study, const std::filesystem::path& store);

}  // namespace ringmesh::lab
