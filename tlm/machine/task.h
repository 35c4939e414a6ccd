// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include "tlm/pools/frame_pool.h"

/// Software runs as coroutines. `Task<T>` is a routine that another one awaits, or a program that a processor starts.
///
/// A child starts inside `await_suspend`, which returns false when it is already done: g++ 12 makes no tail call in
/// symmetric transfer when it does not optimise, and a million awaits would overflow the stack. Await alone or as a
/// plain initialiser, with trivially copyable requests or named locals: g++ 12 destroys temporaries of other await
/// expressions twice.
namespace ringmesh {

template <class T>
class Task;

namespace detail {

struct PromiseBase {
    std::coroutine_handle<> continuation{};
    std::exception_ptr error{};
    bool started_inline = false;

    struct Final {
        bool await_ready() noexcept { return false; }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept
        {
            auto& promise = self.promise();
            if (promise.started_inline) {
                promise.started_inline = false;
                return std::noop_coroutine();
            }
            return promise.continuation ? promise.continuation : std::noop_coroutine();
        }
        void await_resume() noexcept {}
    };

    std::suspend_always initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {}; }
    void unhandled_exception() noexcept { error = std::current_exception(); }

    static void* operator new(std::size_t size) { return allocate_frame(size); }
    static void operator delete(void* frame, std::size_t size) noexcept { release_frame(frame, size); }
};

template <class T>
struct Promise : PromiseBase {
    std::optional<T> value;
    Task<T> get_return_object();
    template <class U>
    void return_value(U&& result)
    {
        value.emplace(std::forward<U>(result));
    }
    T take()
    {
        if (error) std::rethrow_exception(error);
        return std::move(*value);
    }
};

template <>
struct Promise<void> : PromiseBase {
    Task<void> get_return_object();
    void return_void() noexcept {}
    void take() const
    {
        if (error) std::rethrow_exception(error);
    }
};

}  // namespace detail

template <class T = void>
class [[nodiscard]] Task {
public:
    using promise_type = detail::Promise<T>;
    using Handle = std::coroutine_handle<promise_type>;

    Task() = default;
    explicit Task(Handle handle) : handle_(handle) {}
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    Task& operator=(Task&& other) noexcept
    {
        if (this != &other) {
            if (handle_) handle_.destroy();
            handle_ = std::exchange(other.handle_, {});
        }
        return *this;
    }
    ~Task()
    {
        if (handle_) handle_.destroy();
    }

    struct Awaiter {
        Handle handle;
        bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<> caller) noexcept
        {
            auto& promise = handle.promise();
            promise.continuation = caller;
            promise.started_inline = true;
            handle.resume();
            if (handle.done()) return false;
            promise.started_inline = false;
            return true;
        }
        T await_resume() { return handle.promise().take(); }
    };
    Awaiter operator co_await() && noexcept { return {handle_}; }

    /// Runs a program up to its first wait. For processors only.
    void start() { handle_.resume(); }
    bool done() const { return !handle_ || handle_.done(); }
    /// Throws what the finished program threw.
    void result() { handle_.promise().take(); }

private:
    Handle handle_{};
};

namespace detail {
template <class T>
Task<T> Promise<T>::get_return_object()
{
    return Task<T>{std::coroutine_handle<Promise<T>>::from_promise(*this)};
}
inline Task<void> Promise<void>::get_return_object()
{
    return Task<void>{std::coroutine_handle<Promise<void>>::from_promise(*this)};
}
}  // namespace detail

}  // namespace ringmesh
