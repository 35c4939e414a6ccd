// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/messaging/parted_segment.h"

#include <fmt/format.h>

#include <bit>

#include "tlm/error.h"

namespace ringmesh::workloads {
namespace {

constexpr std::uint64_t kMiB = 1024 * 1024;

}  // namespace

void PartedSegment::create(std::string_view what, std::string_view options)
{
    if (others_ == 0) return;
    const std::uint64_t bytes = others_ * part_bytes_;
    try {
        address_ = processor_.segments().create_segment(id_, bytes);
    } catch (const UserError& error) {
        // Half as much again for the other contents of the memory.
        throw UserError(fmt::format("{} for {} other rank{} has {:.1f} MiB, {}, or --set host.memory={}MiB: {}", what,
                                    others_, others_ == 1 ? "" : "s",
                                    static_cast<double>(bytes) / static_cast<double>(kMiB), options,
                                    std::bit_ceil((bytes + bytes / 2) / kMiB + 1), error.what()));
    }
}

std::uint64_t PartedSegment::map_part_of(unsigned owner) const
{
    SegmentDriver& driver = processor_.segments();
    const RemoteSegment segment = driver.import_segment(processor_.node_of(owner), id_);
    return driver.map_segment(segment, number(owner, processor_.rank()) * part_bytes_, part_bytes_);
}

void no_connection(std::string_view library, unsigned self, unsigned rank)
{
    throw UserError(fmt::format("{}: rank {} has no connection to rank {}", library, self, rank));
}

void refuse_to_divide(std::uint64_t bytes)
{
    throw UserError(fmt::format(
        "a node's memory has no room for the buffers of all ranks: two of them connect when one first sends "
        "to the other, in one process only; leave --processes out, or write --set host.memory={}MiB",
        std::bit_ceil(2 * bytes / kMiB + 1)));
}

void no_room_to_connect(std::string_view library, unsigned self, unsigned rank, std::string_view options,
                        std::string_view why)
{
    throw UserError(fmt::format("{}: rank {} has no room to connect to rank {}: {}; {}, or --set host.memory to more",
                                library, self, rank, why, options));
}

}  // namespace ringmesh::workloads
