// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "workloads/broadcast/dopl_grid.h"

namespace ringmesh::workloads::mpi_api {

enum class BcastBy : std::uint8_t { kTable, kBinomial, kScatterDoubling, kScatterRing, kCube, kDopl };
enum class ReduceBy : std::uint8_t { kTable, kBinomial, kScatterGather };
enum class AllreduceBy : std::uint8_t { kTable, kDoubling, kScatterAllgather };
enum class AllgatherBy : std::uint8_t { kTable, kDoubling, kBruck, kRing };
enum class AlltoallBy : std::uint8_t { kTable, kBruck, kScattered, kPairwise };
enum class ReduceScatterBy : std::uint8_t { kTable, kHalving, kPairwise };

/// The algorithms of collective calls over one group. kTable: by the size of the message and the number of ranks, as
/// MPICH 4 chooses where it knows of no levels in the machine (maint/tuning/coll/mpir/generic.json).
struct Algorithms {
    BcastBy bcast_by = BcastBy::kTable;
    ReduceBy reduce_by = ReduceBy::kTable;
    AllreduceBy allreduce_by = AllreduceBy::kTable;
    AllgatherBy allgather_by = AllgatherBy::kTable;
    AlltoallBy alltoall_by = AlltoallBy::kTable;
    ReduceScatterBy reduce_scatter_by = ReduceScatterBy::kTable;
    std::optional<broadcast::DoplGrid> grid = {};  ///< for DOPL, of all ranks of the program

    void visit(ParameterVisitor& visitor);

    /// What a call is done by: where the asked one cannot be, by the table's.
    /// @name @param bytes of all ranks together, but for bcast, reduce, allreduce (of the vector) and alltoall (a pair)
    /// @{
    BcastBy bcast(std::size_t bytes, int ranks) const;
    /// For DOPL: of the machine for all ranks of the program, else a square one, if there is one.
    std::optional<broadcast::DoplGrid> grid_of(int ranks) const;
    /// @param halves its operation commutes and is a predefined one, on at least as many elements as ranks
    ReduceBy reduce(std::size_t bytes, bool halves) const;
    AllreduceBy allreduce(std::size_t bytes, bool halves) const;
    AllgatherBy allgather(std::size_t bytes, int ranks) const;
    AlltoallBy alltoall(std::size_t bytes, int ranks) const;
    ReduceScatterBy reduce_scatter(std::size_t bytes, bool commutes) const;
    /// @}
    /// A sentence for each that was asked for and cannot be with so many ranks, whatever the size.
    std::vector<std::string> replaced(int ranks) const;
};

}  // namespace ringmesh::workloads::mpi_api
