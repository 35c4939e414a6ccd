// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "traces/changes/change_log.h"

namespace ringmesh {

/// Works on the blocks of a log in a thread of its own, which begins with the first block; few blocks wait, then the
/// giver does. Short recordings never start the thread.
class Background {
public:
    using Work = std::function<void(RecordBlock)>;
    explicit Background(Work work) : work_(std::move(work)) {}
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    /// Gives up what waits.
    ~Background();

    /// @return an empty block. After an error blocks are not worked on.
    ChangeLog::Block take(ChangeLog::Block block, std::size_t size);

    bool started() const { return thread_.joinable(); }
    /// Throws the error of the work, if there was one.
    void check() const
    {
        if (failed_.load(std::memory_order_acquire)) std::rethrow_exception(error_);
    }
    /// Waits until all blocks have been worked on, then check().
    void finish();

private:
    static constexpr std::size_t kMostWaiting = 8;

    struct Full {
        ChangeLog::Block block;
        std::size_t size = 0;
    };

    void run();
    void stop(bool give_up);

    Work work_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Full> waiting_;
    std::vector<ChangeLog::Block> empty_;
    bool ending_ = false;
    std::exception_ptr error_;
    std::atomic<bool> failed_{false};
};

}  // namespace ringmesh
