// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
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

/// Reused objects: acquiring one in the steady state allocates nothing. So that a use after release is found, every
/// object comes from the heap and goes back to it under a sanitizer, and is overwritten in other debug builds. The
/// pool's destructor frees objects still in use, as after a stopped run.
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

    /// A clean object: nothing is left of its last life. A type that cannot be assigned, or of which only a part is
    /// read, cleans itself by its renew().
    T& acquire()
    {
        T& object = acquire_unset();
        if constexpr (requires { object.renew(); }) {
            object.renew();
        } else {
            object = T{};
        }
        return object;
    }
    /// One with unspecified contents, for callers that write all of it.
    T& acquire_unset()
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
#ifndef NDEBUG
        poison(object);
#endif
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

    /// So that whoever reads a released object, or one that was not cleaned, reads nonsense.
    static void poison(T& object)
    {
        constexpr int kPoison = 0xD5;
        if constexpr (std::is_trivially_copyable_v<T>) std::memset(static_cast<void*>(&object), kPoison, sizeof(T));
    }
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
