// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tlm/pc/pc_processor.h"
#include "workloads/ranks/message.h"

namespace ringmesh::workloads {

/// Stores consecutive bytes: one request, or with single stores one for each assignment of up to 8 bytes.
/// @param bytes live until the task is done
Task<> store_in_a_row(PcProcessor& processor, Stores stores, std::uint64_t address, std::span<const std::byte> bytes);

}  // namespace ringmesh::workloads
