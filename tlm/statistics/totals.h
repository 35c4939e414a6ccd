// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tlm/error.h"

/// What several processes have counted of one simulation.
namespace ringmesh {

/// Bytes from one process to another.
class Parcel {
public:
    template <class Value>
    void put(const Value& value)
    {
        static_assert(std::is_trivially_copyable_v<Value>);
        const std::size_t size = bytes_.size();
        bytes_.resize(size + sizeof value);
        std::memcpy(bytes_.data() + size, &value, sizeof value);
    }
    void put(const std::string& text)
    {
        put(text.size());
        put_bytes(std::as_bytes(std::span(text)));
    }
    void put_bytes(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    template <class Value>
    Value take()
    {
        static_assert(std::is_trivially_copyable_v<Value>);
        Value value;
        std::memcpy(&value, front(sizeof value), sizeof value);
        return value;
    }
    std::string take_text()
    {
        const auto size = take<std::size_t>();
        return {reinterpret_cast<const char*>(front(size)), size};
    }
    void take_bytes(std::span<std::byte> bytes) { std::copy_n(front(bytes.size()), bytes.size(), bytes.data()); }
    /// Whether all has been taken.
    bool empty() const { return taken_ == bytes_.size(); }
    std::vector<std::byte>& bytes() { return bytes_; }
    const std::vector<std::byte>& bytes() const { return bytes_; }

private:
    const std::byte* front(std::size_t size)
    {
        if (bytes_.size() - taken_ < size) throw ModelError("a parcel of another process is too short");
        taken_ += size;
        return bytes_.data() + taken_ - size;
    }

    std::vector<std::byte> bytes_;
    std::size_t taken_ = 0;
};

/// Adds up, number by number, what the processes have counted: process 0 gets the sums, the others keep their own.
class Totals {
public:
    /// Of a process other than 0, which gives its own. @param parcel outlives this
    static Totals giving(Parcel& parcel) { return Totals(parcel, true); }
    /// In process 0, which adds those of another one.
    static Totals adding(Parcel& parcel) { return Totals(parcel, false); }

    template <class Number>
    void sum(Number& number)
    {
        if (gives_) {
            parcel_.put(number);
        } else {
            number = static_cast<Number>(number + parcel_.take<Number>());
        }
    }
    /// Of each element. @param numbers as many in each process
    template <class Numbers>
    void sum_each(Numbers& numbers)
    {
        for (auto& number : numbers) sum(number);
    }
    /// For those who add up themselves. @return the other's list; of a process that gives, nothing
    template <class Number>
    std::vector<std::pair<std::string, Number>> theirs(const std::vector<std::pair<std::string_view, Number>>& own)
    {
        std::vector<std::pair<std::string, Number>> list;
        if (gives_) {
            parcel_.put(own.size());
            for (const auto& [text, number] : own) {
                parcel_.put(std::string(text));
                parcel_.put(number);
            }
            return list;
        }
        for (auto left = parcel_.take<std::size_t>(); left > 0; --left) {
            std::string text = parcel_.take_text();
            list.emplace_back(std::move(text), parcel_.take<Number>());
        }
        return list;
    }
    /// The same of lists that end where what follows is zero.
    template <class Number>
    void sum_list(std::vector<Number>& numbers)
    {
        std::size_t size = numbers.size();
        if (gives_) {
            parcel_.put(size);
        } else {
            size = parcel_.take<std::size_t>();
            numbers.resize(std::max(numbers.size(), size));
        }
        for (std::size_t i = 0; i < size; ++i) sum(numbers[i]);
    }
    /// What is told first, by number. @param told its number and text
    void first(std::pair<std::uint64_t, std::string>& told)
    {
        if (gives_) {
            parcel_.put(told.first);
            parcel_.put(told.second);
        } else {
            std::pair<std::uint64_t, std::string> other;
            other.first = parcel_.take<std::uint64_t>();
            other.second = parcel_.take_text();
            if (other.first < told.first) told = std::move(other);
        }
    }
    /// The smaller one.
    template <class Number>
    void lowest(Number& number)
    {
        if (gives_) {
            parcel_.put(number);
        } else {
            number = std::min(number, parcel_.take<Number>());
        }
    }
    /// The larger one.
    template <class Number>
    void highest(Number& number)
    {
        if (gives_) {
            parcel_.put(number);
        } else {
            number = std::max(number, parcel_.take<Number>());
        }
    }

private:
    Totals(Parcel& parcel, bool gives) : parcel_(parcel), gives_(gives) {}

    Parcel& parcel_;
    bool gives_;
};

}  // namespace ringmesh
