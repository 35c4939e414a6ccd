// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define RINGMESH_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RINGMESH_SANITIZED 1
#endif
#endif

namespace ringmesh {

/// Reused objects: acquiring one in the steady state allocates nothing. Under a sanitizer every object comes from the
/// heap and goes back to it, so that a use after release is found. The pool's destructor frees objects still in use, as
/// after a stopped run.
template <class T>
class Pool {
public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
#ifdef RINGMESH_SANITIZED
    ~Pool()
    {
        for (T* object : live_) delete object;
    }
#endif

    /// An object with unspecified old contents; the caller sets all fields that it uses.
    T& acquire()
    {
        ++in_use_;
#ifdef RINGMESH_SANITIZED
        return **live_.insert(new T()).first;
#else
        if (free_.empty()) grow();
        T* object = free_.back();
        free_.pop_back();
        return *object;
#endif
    }

    void release(T& object)
    {
        --in_use_;
#ifdef RINGMESH_SANITIZED
        live_.erase(&object);
        delete &object;
#else
        free_.push_back(&object);
#endif
    }

    std::size_t in_use() const { return in_use_; }

    /// Calls `visit` with each object in use, in no order. Slow: for reports.
    template <class Visit>
    void for_each_in_use(const Visit& visit) const
    {
#ifdef RINGMESH_SANITIZED
        for (const T* object : live_) visit(*object);
#else
        const std::unordered_set<const T*> free(free_.begin(), free_.end());
        for (const auto& chunk : chunks_) {
            for (std::size_t i = 0; i < kChunk; ++i) {
                if (!free.contains(&chunk[i])) visit(chunk[i]);
            }
        }
#endif
    }

private:
    static constexpr std::size_t kChunk = 64;

    void grow()
    {
        chunks_.push_back(std::make_unique<T[]>(kChunk));
        free_.reserve(chunks_.size() * kChunk);
        for (std::size_t i = kChunk; i-- > 0;) free_.push_back(&chunks_.back()[i]);
    }

#ifdef RINGMESH_SANITIZED
    std::unordered_set<T*> live_;
#endif
    std::vector<std::unique_ptr<T[]>> chunks_;
    std::vector<T*> free_;
    std::size_t in_use_ = 0;
};

}  // namespace ringmesh
