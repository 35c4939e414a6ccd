// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>

/// 64-bit arithmetic that throws instead of wrapping: std::overflow_error, or std::domain_error for a division by zero.
namespace ringmesh::detail {

/// Apart, so that the arithmetic is small enough to be inlined everywhere.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_out_of_range()
{
    throw std::overflow_error("quantity out of the 64-bit range");
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_divided_by_zero()
{
    throw std::domain_error("quantity divided by zero");
}

constexpr std::int64_t checked_add(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) throw_out_of_range();
    return sum;
}
constexpr std::int64_t checked_subtract(std::int64_t a, std::int64_t b)
{
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a, b, &difference)) throw_out_of_range();
    return difference;
}
constexpr std::int64_t checked_multiply(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) throw_out_of_range();
    return product;
}
constexpr std::int64_t checked_divide(std::int64_t a, std::int64_t b)
{
    if (b == 0) throw_divided_by_zero();
    if (a == INT64_MIN && b == -1) throw_out_of_range();
    return a / b;
}
/// The value of a literal: `n` times the unit.
constexpr std::int64_t checked_literal(unsigned long long n, std::int64_t unit)
{
    if (n > static_cast<unsigned long long>(INT64_MAX)) {
        throw_out_of_range();
    }
    return checked_multiply(static_cast<std::int64_t>(n), unit);
}
__extension__ using Wide = __int128;

}  // namespace ringmesh::detail
