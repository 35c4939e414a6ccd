// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace ringmesh {

/// A FIFO in contiguous memory. It doubles when full, so the steady state allocates nothing; a model of a bounded queue
/// checks size() against its bound.
template <class T>
class RingBuffer {
public:
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    T& front() { return slots_[head_]; }
    const T& front() const { return slots_[head_]; }
    T& operator[](std::size_t i) { return slots_[(head_ + i) & mask_]; }
    const T& operator[](std::size_t i) const { return slots_[(head_ + i) & mask_]; }

    void push_back(T value)
    {
        if (size_ > mask_ || slots_.empty()) grow();
        slots_[(head_ + size_) & mask_] = std::move(value);
        ++size_;
    }
    T pop_front()
    {
        T value = std::move(slots_[head_]);
        head_ = (head_ + 1) & mask_;
        --size_;
        return value;
    }

private:
    [[gnu::cold, gnu::noinline]] void grow()
    {
        std::vector<T> larger(slots_.empty() ? 4 : slots_.size() * 2);
        for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move((*this)[i]);
        slots_ = std::move(larger);
        mask_ = slots_.size() - 1;
        head_ = 0;
    }

    std::vector<T> slots_;  // its size is zero or a power of two
    std::size_t mask_ = 0;
    std::size_t head_ = 0;
    std::size_t size_ = 0;
};

}  // namespace ringmesh
