// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ringmesh::workloads {

/// Writes a trace of a run, which `replay` runs again.
class Recorder {
public:
    virtual ~Recorder() = default;
    /// "goal" or "packets": the option of `replay` that takes it.
    virtual std::string_view format() const = 0;
    /// Before the workload is started. @param file empty: of a divided run, another process writes it
    /// @throws UserError if the file cannot be written
    virtual void record_to(const std::string& file) = 0;
    /// After the run. @return how many messages or packets the trace has @throws UserError
    virtual std::uint64_t commit() = 0;
    /// The run has failed: no file remains.
    virtual void give_up() = 0;
};

}  // namespace ringmesh::workloads
