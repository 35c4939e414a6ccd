// SPDX-License-Identifier: Apache-2.0
#include "traces/changes/background.h"

#include <csignal>
#include <utility>

namespace ringmesh {

Background::~Background() { stop(true); }

ChangeLog::Block Background::take(ChangeLog::Block block, std::size_t size)
{
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) {
        // Signals belong to the thread of the simulation
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        thread_ = std::thread([this] { run(); });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
    waiting_.push_back({std::move(block), size});
    ChangeLog::Block next;
    if (!empty_.empty()) {
        next = std::move(empty_.back());
        empty_.pop_back();
    }
    lock.unlock();
    changed_.notify_all();
    return next ? std::move(next) : std::make_unique_for_overwrite<std::uint64_t[]>(ChangeLog::kBlockWords);
}

void Background::run()
{
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        Full full = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        changed_.notify_all();
        if (!failed_.load(std::memory_order_relaxed)) {
            try {
                work_({full.block.get(), full.size});
            } catch (...) {
                error_ = std::current_exception();
                failed_.store(true, std::memory_order_release);
            }
        }
        lock.lock();
        empty_.push_back(std::move(full.block));
    }
}

void Background::stop(bool give_up)
{
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
        if (give_up) waiting_.clear();
    }
    changed_.notify_all();
    thread_.join();
}

void Background::finish()
{
    stop(false);
    check();
}

}  // namespace ringmesh
