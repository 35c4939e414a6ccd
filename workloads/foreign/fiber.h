// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace ringmesh::workloads {

/// A routine with a stack of its own, below which lies room that cannot be touched. It is resumed until it has ended
/// or is abandoned: then its stack goes without unwinding, because frames of foreign programs know nothing of it.
class Fiber {
public:
    struct Stack {
        std::size_t bytes = 0;    ///< what is never touched takes no memory
        bool executable = false;  ///< nested functions of GNU C have code on it
    };
    /// @throws UserError if there is no such room
    Fiber(const Stack& stack, std::function<void()> body);
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;
    ~Fiber();

    /// Runs it until it suspends itself or ends.
    void resume();
    /// Back to what resumed it. @pre it runs
    void suspend();
    bool ended() const { return ended_; }
    /// Whether an address is in the room below its stack.
    bool guards(const void* address) const;

private:
    void switch_to(void*& other);
    [[noreturn]] void run();

    std::byte* memory_ = nullptr;
    std::size_t size_ = 0;  // with the room below
    std::function<void()> body_;
    void* inside_ = nullptr;   // where it goes on
    void* outside_ = nullptr;  // where its resumer does
    bool ended_ = false;
    struct Exceptions {
        void* caught = nullptr;
        unsigned uncaught = 0;
    } exceptions_;  // of the C++ runtime, of the side that does not run
    // Address sanitizer's
    [[maybe_unused]] void* fake_ = nullptr;
    [[maybe_unused]] const void* outer_ = nullptr;
    [[maybe_unused]] std::size_t outer_size_ = 0;
};

}  // namespace ringmesh::workloads
