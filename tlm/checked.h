// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>

/// 64-bit arithmetic that throws instead of wrapping: std::overflow_error, or std::domain_error for a division by zero.
namespace ringmesh::detail {

constexpr std::int64_t checked_add(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) throw std::overflow_error("quantity out of the 64-bit range");
    return sum;
}
constexpr std::int64_t checked_subtract(std::int64_t a, std::int64_t b)
{
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a, b, &difference)) throw std::overflow_error("quantity out of the 64-bit range");
    return difference;
}
constexpr std::int64_t checked_multiply(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) throw std::overflow_error("quantity out of the 64-bit range");
    return product;
}
constexpr std::int64_t checked_divide(std::int64_t a, std::int64_t b)
{
    if (b == 0) throw std::domain_error("quantity divided by zero");
    if (a == INT64_MIN && b == -1) throw std::overflow_error("quantity out of the 64-bit range");
    return a / b;
}
/// The value of a literal: `n` times the unit.
constexpr std::int64_t checked_literal(unsigned long long n, std::int64_t unit)
{
    if (n > static_cast<unsigned long long>(INT64_MAX)) {
        throw std::overflow_error("quantity out of the 64-bit range");
    }
    return checked_multiply(static_cast<std::int64_t>(n), unit);
}
__extension__ using Wide = __int128;

}  // namespace ringmesh::detail
