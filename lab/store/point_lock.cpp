// SPDX-License-Identifier: Apache-2.0
#include "lab/store/point_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "lab/store/content.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kLocks = "locks";

/// Whether the file that was opened still has this name: who had the lock may have removed it meanwhile.
bool is_named(int descriptor, const std::filesystem::path& file)
{
    struct stat opened {};
    struct stat named {};
    return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

}  // namespace

std::optional<PointLock> PointLock::take(const Store& store, const std::string& key)
{
    std::filesystem::path file = store.folder() / kLocks / key;
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    while (true) {
        const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0) return PointLock({}, -1);
        // Child processes share the lock: it is freed by hand, or when this process and they have died
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            const bool taken = errno == EWOULDBLOCK;
            ::close(descriptor);
            if (taken) return std::nullopt;
            return PointLock({}, -1);
        }
        if (is_named(descriptor, file)) return PointLock(std::move(file), descriptor);
        ::close(descriptor);
    }
}

PointLock::PointLock(PointLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1))
{}

PointLock::~PointLock()
{
    if (descriptor_ < 0) return;
    ::unlink(file_.c_str());
    ::flock(descriptor_, LOCK_UN);
    ::close(descriptor_);
}

void remove_free_locks(const Store& store)
{
    std::error_code error;
    std::vector<std::string> keys;
    std::filesystem::directory_iterator entry(store.folder() / kLocks, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        keys.push_back(entry->path().filename().string());
    }
    for (const std::string& key : keys) {
        if (is_hash(key)) PointLock::take(store, key);
    }
}

}  // namespace ringmesh::lab
