// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "tlm/ncube/ncube_processor.h"

namespace ringmesh::workloads::vertex {

/// Fills a node's memory with the pattern of its messages. Takes no time.
void fill_pattern(NcubeProcessor& cpu, std::uint64_t address, std::uint32_t size);
/// @return the first byte that differs from the pattern of node `source`; empty if none does
std::optional<std::uint32_t> wrong_byte(const NcubeProcessor& cpu, std::uint64_t address, std::uint32_t size,
                                        int source);

}  // namespace ringmesh::workloads::vertex
