// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "lab/store/store.h"

namespace ringmesh::lab {

/// The right to run a point of a store, which one process has at a time: a lock on a file in the store's folder locks.
/// The file goes with the lock; if the process dies, the file stays and is free.
class PointLock {
public:
    /// None if another process has it. Where the file system has no locks, or nothing can be written, everybody gets
    /// it: points are then run twice, and stay right.
    static std::optional<PointLock> take(const Store& store, const std::string& key);

    PointLock(const PointLock&) = delete;
    PointLock& operator=(const PointLock&) = delete;
    PointLock(PointLock&& other) noexcept;
    PointLock& operator=(PointLock&&) = delete;
    ~PointLock();

private:
    PointLock(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}

    std::filesystem::path file_;
    int descriptor_;  // -1: none
};

/// Of processes that died.
void remove_free_locks(const Store& store);

}  // namespace ringmesh::lab
