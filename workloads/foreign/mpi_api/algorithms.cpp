// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/mpi_api/algorithms.h"

#include <fmt/format.h>

#include <bit>
#include <string_view>

namespace ringmesh::workloads::mpi_api {
namespace {

constexpr NameTable<BcastBy, 6> kBcastNames{{{{"table", BcastBy::kTable},
                                              {"binomial", BcastBy::kBinomial},
                                              {"scatter-doubling", BcastBy::kScatterDoubling},
                                              {"scatter-ring", BcastBy::kScatterRing},
                                              {"cube", BcastBy::kCube},
                                              {"dopl", BcastBy::kDopl}}}};
constexpr NameTable<ReduceBy, 3> kReduceNames{
    {{{"table", ReduceBy::kTable}, {"binomial", ReduceBy::kBinomial}, {"scatter-gather", ReduceBy::kScatterGather}}}};
constexpr NameTable<AllreduceBy, 3> kAllreduceNames{{{{"table", AllreduceBy::kTable},
                                                      {"doubling", AllreduceBy::kDoubling},
                                                      {"scatter-allgather", AllreduceBy::kScatterAllgather}}}};
constexpr NameTable<AllgatherBy, 4> kAllgatherNames{{{{"table", AllgatherBy::kTable},
                                                      {"doubling", AllgatherBy::kDoubling},
                                                      {"bruck", AllgatherBy::kBruck},
                                                      {"ring", AllgatherBy::kRing}}}};
constexpr NameTable<AlltoallBy, 4> kAlltoallNames{{{{"table", AlltoallBy::kTable},
                                                    {"bruck", AlltoallBy::kBruck},
                                                    {"scattered", AlltoallBy::kScattered},
                                                    {"pairwise", AlltoallBy::kPairwise}}}};
constexpr NameTable<ReduceScatterBy, 3> kReduceScatterNames{{{{"table", ReduceScatterBy::kTable},
                                                              {"halving", ReduceScatterBy::kHalving},
                                                              {"pairwise", ReduceScatterBy::kPairwise}}}};

// Bytes, of MPICH 4's table
constexpr std::size_t kShortBcast = 12'288;
constexpr std::size_t kLongBcast = 524'288;
constexpr int kFewRanks = 8;  // below, a broadcast is binomial and an alltoall not Bruck's
constexpr std::size_t kShortReduce = 2048;
constexpr std::size_t kShortAllreduce = 8;
constexpr std::size_t kShortAllgather = 81'920;
constexpr std::size_t kLongAllgather = 524'288;
constexpr std::size_t kShortAlltoall = 256;
constexpr std::size_t kMediumAlltoall = 32'768;
constexpr std::size_t kLongReduceScatter = 524'288;

bool is_power_of_two(int ranks) { return std::has_single_bit(static_cast<unsigned>(ranks)); }

}  // namespace

void Algorithms::visit(ParameterVisitor& visitor)
{
    const auto info = [](std::string_view key, std::string_view meaning) {
        return ParameterInfo{key, meaning, assumed()};
    };
    visitor.choice(
        info("bcast",
             "algorithm of MPI_Bcast; table: as MPICH 4 by size and ranks; cube, dopl: those of [004], with its parts"),
        bcast_by, kBcastNames);
    visitor.choice(info("reduce", "algorithm of MPI_Reduce"), reduce_by, kReduceNames);
    visitor.choice(info("allreduce", "algorithm of MPI_Allreduce"), allreduce_by, kAllreduceNames);
    visitor.choice(info("allgather", "algorithm of MPI_Allgather and MPI_Allgatherv"), allgather_by, kAllgatherNames);
    visitor.choice(info("alltoall", "algorithm of MPI_Alltoall"), alltoall_by, kAlltoallNames);
    visitor.choice(info("reduce_scatter", "algorithm of MPI_Reduce_scatter and MPI_Reduce_scatter_block"),
                   reduce_scatter_by, kReduceScatterNames);
}

BcastBy Algorithms::bcast(std::size_t bytes, int ranks) const
{
    const bool doubles = is_power_of_two(ranks);
    const bool can_be =
        bcast_by == BcastBy::kScatterDoubling ? doubles : bcast_by != BcastBy::kDopl || grid_of(ranks).has_value();
    if (bcast_by != BcastBy::kTable && can_be) return bcast_by;
    if (bytes <= kShortBcast || ranks < kFewRanks) return BcastBy::kBinomial;
    return doubles && bytes <= kLongBcast ? BcastBy::kScatterDoubling : BcastBy::kScatterRing;
}

std::optional<broadcast::DoplGrid> Algorithms::grid_of(int ranks) const
{
    const auto places = static_cast<unsigned>(ranks);
    if (grid && grid->rows() * grid->columns() == places) return grid;
    return broadcast::square_grid(places);
}

std::vector<std::string> Algorithms::replaced(int ranks) const
{
    std::vector<std::string> all;
    const auto note = [&](std::string_view key, std::string_view asked) {
        all.push_back(
            fmt::format("{} = {}: not possible with {} ranks; the table's algorithms do it", key, asked, ranks));
    };
    if (bcast_by != BcastBy::kTable && bcast(0, ranks) != bcast_by) note("bcast", kBcastNames.name(bcast_by));
    if (allgather_by != AllgatherBy::kTable && allgather(0, ranks) != allgather_by) {
        note("allgather", kAllgatherNames.name(allgather_by));
    }
    return all;
}

ReduceBy Algorithms::reduce(std::size_t bytes, bool halves) const
{
    if (!halves) return ReduceBy::kBinomial;
    if (reduce_by != ReduceBy::kTable) return reduce_by;
    return bytes <= kShortReduce ? ReduceBy::kBinomial : ReduceBy::kScatterGather;
}

AllreduceBy Algorithms::allreduce(std::size_t bytes, bool halves) const
{
    if (!halves) return AllreduceBy::kDoubling;
    if (allreduce_by != AllreduceBy::kTable) return allreduce_by;
    return bytes <= kShortAllreduce ? AllreduceBy::kDoubling : AllreduceBy::kScatterAllgather;
}

AllgatherBy Algorithms::allgather(std::size_t bytes, int ranks) const
{
    const bool doubles = is_power_of_two(ranks);
    if (allgather_by != AllgatherBy::kTable && (allgather_by != AllgatherBy::kDoubling || doubles)) return allgather_by;
    if (doubles) return bytes < kLongAllgather ? AllgatherBy::kDoubling : AllgatherBy::kRing;
    return bytes < kShortAllgather ? AllgatherBy::kBruck : AllgatherBy::kRing;
}

AlltoallBy Algorithms::alltoall(std::size_t bytes, int ranks) const
{
    if (alltoall_by != AlltoallBy::kTable) return alltoall_by;
    if (ranks >= kFewRanks && bytes <= kShortAlltoall) return AlltoallBy::kBruck;
    return bytes <= kMediumAlltoall ? AlltoallBy::kScattered : AlltoallBy::kPairwise;
}

ReduceScatterBy Algorithms::reduce_scatter(std::size_t bytes, bool commutes) const
{
    if (!commutes) return ReduceScatterBy::kPairwise;
    if (reduce_scatter_by != ReduceScatterBy::kTable) return reduce_scatter_by;
    return bytes < kLongReduceScatter ? ReduceScatterBy::kHalving : ReduceScatterBy::kPairwise;
}

}  // namespace ringmesh::workloads::mpi_api
