// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/fiber.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tlm/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define RINGMESH_TELL_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RINGMESH_TELL_SANITIZER
#endif
#endif
#ifdef RINGMESH_TELL_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace ringmesh::workloads {
namespace {

/// What a library's routine may skip at once, whose compiler did not look at each page of the stack.
constexpr std::size_t kGuard = 1024 * 1024;

}  // namespace

Fiber::Fiber(const Stack& stack, std::function<void()> body) : body_(std::move(body))
{
    namespace context = boost::context::detail;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    size_ = (stack.bytes + page - 1) / page * page + kGuard;
    // Shared: private memory would count against the limit of a run before it is touched
    const int access = PROT_READ | PROT_WRITE | (stack.executable ? PROT_EXEC : 0);
    void* const memory = ::mmap(nullptr, size_, access, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED || ::mprotect(memory, kGuard, PROT_NONE) != 0) {
        if (memory != MAP_FAILED) ::munmap(memory, size_);
        throw UserError(
            fmt::format("stack = {}: there is no room for such a stack for each rank and each non-blocking collective "
                        "call that is under way; take smaller stacks, fewer ranks, or complete calls earlier",
                        stack.bytes));
    }
    memory_ = static_cast<std::byte*>(memory);
    inside_ = context::make_fcontext(memory_ + size_, size_ - kGuard, [](context::transfer_t from) {
        auto* const self = static_cast<Fiber*>(from.data);
        self->outside_ = from.fctx;
        self->run();
    });
}

Fiber::~Fiber() { ::munmap(memory_, size_); }

void Fiber::run()
{
#ifdef RINGMESH_TELL_SANITIZER
    __sanitizer_finish_switch_fiber(nullptr, &outer_, &outer_size_);
#endif
    body_();
    ended_ = true;
    suspend();
    std::abort();  // nothing resumes it again
}

void Fiber::switch_to(void*& other)
{
    namespace context = boost::context::detail;
    // What is being caught here is not what the other side catches
    auto* const globals = abi::__cxa_get_globals();
    Exceptions here;
    std::memcpy(&here, static_cast<void*>(globals), sizeof here);
    std::memcpy(static_cast<void*>(globals), &exceptions_, sizeof here);
    exceptions_ = here;
    other = context::jump_fcontext(other, this).fctx;
}

void Fiber::resume()
{
#ifdef RINGMESH_TELL_SANITIZER
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, memory_ + kGuard, size_ - kGuard);
#endif
    switch_to(inside_);
#ifdef RINGMESH_TELL_SANITIZER
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

void Fiber::suspend()
{
#ifdef RINGMESH_TELL_SANITIZER
    __sanitizer_start_switch_fiber(ended_ ? nullptr : &fake_, outer_, outer_size_);
#endif
    switch_to(outside_);
#ifdef RINGMESH_TELL_SANITIZER
    __sanitizer_finish_switch_fiber(fake_, &outer_, &outer_size_);
#endif
}

bool Fiber::guards(const void* address) const
{
    const auto* const byte = static_cast<const std::byte*>(address);
    return byte >= memory_ && byte < memory_ + kGuard;
}

}  // namespace ringmesh::workloads
