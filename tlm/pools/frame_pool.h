// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ringmesh::detail {

/// Memory for coroutine frames from free lists by size, so that programs allocate nothing in the steady state. Plain
/// heap under sanitizers. The lists are per thread and are freed when it ends.
void* allocate_frame(std::size_t size);
void release_frame(void* frame, std::size_t size) noexcept;

}  // namespace ringmesh::detail
