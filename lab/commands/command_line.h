// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "platforms/builder.h"
#include "platforms/files/data_folder.h"
#include "tlm/parameters/additions.h"
#include "tlm/parameters/policy.h"
#include "workloads/libraries/library.h"

/// The whole command line for a program outside of the source tree:
///
///     int main(int argc, char** argv)
///     {
///         return ringmesh::command_line(argc, argv, {over_ranks<TokenRing>("token-ring", {Offer::kOneSided}, "...")});
///     }
///
/// What it adds is listed, run, swept, traced, explained and kept by studies as what is shipped.
namespace ringmesh {

/// Whether rows of this type can be added: a program or a library (workloads/libraries/library.h), a kind of machine
/// (platforms/builder.h, by pointer), or a policy, made by `SomePolicy::of<Mine>()`.
template <class Row>
concept TableRow = std::is_same_v<Row, workloads::WorkloadInfo> || std::is_same_v<Row, workloads::LibraryInfo> ||
    std::is_same_v<Row, const platforms::MachineKind*> ||
    (std::derived_from<Row, PolicyName>&& requires { Row::table(); });

/// A row for one of the library's tables.
class Addition {
public:
    template <TableRow Row>
    Addition(Row row) : add_([row = std::move(row)] { Additions<Row>::add(row); })
    {}
    /// @throws ModelError if the table has been read
    void add() const { add_(); }

private:
    std::function<void()> add_;
};

/// Runs the command of the arguments and reports its errors on standard error. What was simulated stays in memory:
/// taking a big machine apart takes seconds, and the process is about to end.
/// @param data folder of platforms, studies and skeletons if none is found beside the executable; the default is that
/// of the Ringmesh that this header belongs to
/// @return the exit status: 0; 1 if a validation failed; 2 for a mistake of the user; 3 for one of the model; 128 and a
/// signal's number if one interrupted it
[[nodiscard]] int command_line(int argc, const char* const* argv, const std::vector<Addition>& additions = {},
                               const char* data = RINGMESH_DATA);

}  // namespace ringmesh

/// SystemC's library wants it. Nothing calls it: commands that simulate start the kernel by themselves.
[[gnu::weak]] int sc_main(int, char**) { return 1; }  // NOLINT(misc-definitions-in-headers): it is weak
