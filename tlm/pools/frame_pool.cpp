// SPDX-License-Identifier: Apache-2.0
#include "tlm/pools/frame_pool.h"

#include <array>
#include <new>

#include "tlm/pools/pool.h"

namespace ringmesh::detail {

#ifdef RINGMESH_SANITIZED

void* allocate_frame(std::size_t size) { return ::operator new(size); }
void release_frame(void* frame, std::size_t) noexcept { ::operator delete(frame); }

#else

namespace {

constexpr std::size_t kGrain = 64;
constexpr std::size_t kLargest = 4096;

struct FreeFrame {
    FreeFrame* next;
};

struct FreeLists {
    std::array<FreeFrame*, kLargest / kGrain + 1> lists{};
    ~FreeLists()
    {
        for (FreeFrame* frame : lists) {
            while (frame != nullptr) ::operator delete(std::exchange(frame, frame->next));
        }
    }
};

thread_local FreeLists free_lists;

}  // namespace

void* allocate_frame(std::size_t size)
{
    if (size > kLargest) return ::operator new(size);
    const std::size_t row = (size + kGrain - 1) / kGrain;
    FreeFrame*& list = free_lists.lists[row];
    if (list == nullptr) return ::operator new(row* kGrain);
    return std::exchange(list, list->next);
}

void release_frame(void* frame, std::size_t size) noexcept
{
    if (size > kLargest) return ::operator delete(frame);
    FreeFrame*& list = free_lists.lists[(size + kGrain - 1) / kGrain];
    list = ::new (frame) FreeFrame{list};
}

#endif

}  // namespace ringmesh::detail
