// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "workloads/foreign/mpi_api/datatypes.h"

namespace ringmesh::workloads::mpi_api {
namespace {

/// How a predefined type is represented: numbers, one or two, each of its highest byte first.
struct Represented {
    std::size_t numbers = 1;
    std::size_t bytes = 0;  // of each, at most as many as here
    bool is_signed = false;
    bool is_long_double = false;
};

Represented represented(const Type::Basics& basics)
{
    switch (basics.type) {
        case MPI_LONG: return {.bytes = 4, .is_signed = true};
        case MPI_UNSIGNED_LONG: return {.bytes = 4};
        case MPI_WCHAR: return {.bytes = 2};
        case MPI_LONG_DOUBLE: return {.bytes = sizeof(Quad), .is_long_double = true};
        case MPI_C_LONG_DOUBLE_COMPLEX: return {.numbers = 2, .bytes = sizeof(Quad), .is_long_double = true};
        case MPI_C_FLOAT_COMPLEX:
        case MPI_C_DOUBLE_COMPLEX:
        case MPI_COMPLEX:
        case MPI_DOUBLE_COMPLEX:
        case MPI_COMPLEX8:
        case MPI_COMPLEX16:
        case MPI_COMPLEX32: return {.numbers = 2, .bytes = basics.bytes / 2};
        default: return {.bytes = basics.bytes};
    }
}

template <class To, class From>
void convert(const std::byte* from, std::byte* into)
{
    From value;
    std::memcpy(&value, from, sizeof value);
    const auto converted = static_cast<To>(value);
    std::memcpy(into, &converted, sizeof converted);
}

/// What a shorter number is here if it goes on with this above it.
std::byte filling(const Represented& how, std::byte highest)
{
    return how.is_signed && (highest & std::byte{0x80}) != std::byte{0} ? std::byte{0xff} : std::byte{0};
}

/// Calls with each number, its bytes here, and where they are.
template <class Work>
void each_number(const Type& type, std::size_t elements, const Work& work)
{
    for (std::size_t i = 0; i < elements; ++i) {
        for (const Type::Basics& basics : type.basics) {
            const Represented how = represented(basics);
            for (std::size_t j = 0; j < basics.count * how.numbers; ++j) work(how, basics.bytes / how.numbers);
        }
    }
}

}  // namespace

std::size_t external_size(const Type& type)
{
    std::size_t all = 0;
    for (const Type::Basics& basics : type.basics) {
        const Represented how = represented(basics);
        all += basics.count * how.numbers * how.bytes;
    }
    return all;
}

std::vector<std::byte> to_external(const Type& type, std::span<const std::byte> packed)
{
    const std::size_t elements = type.size == 0 ? 0 : packed.size() / type.size;
    std::vector<std::byte> bytes(elements * external_size(type));
    std::byte* into = bytes.data();
    const std::byte* from = packed.data();
    each_number(type, elements, [&](const Represented& how, std::size_t here) {
        if (how.is_long_double) {
            convert<Quad, long double>(from, into);
        } else {
            const std::byte rest = filling(how, from[how.bytes - 1]);
            if (!std::all_of(from + how.bytes, from + here, [&](std::byte each) { return each == rest; })) {
                throw Failure{MPI_ERR_ARG, fmt::format("a number that has no room in {} bytes", how.bytes)};
            }
            std::copy_n(from, how.bytes, into);
        }
        std::reverse(into, into + how.bytes);
        from += here;
        into += how.bytes;
    });
    return bytes;
}

std::vector<std::byte> from_external(const Type& type, std::span<const std::byte> bytes)
{
    const std::size_t size = external_size(type);
    const std::size_t elements = size == 0 ? 0 : bytes.size() / size;
    std::vector<std::byte> packed(elements * type.size);
    std::byte* into = packed.data();
    const std::byte* from = bytes.data();
    each_number(type, elements, [&](const Represented& how, std::size_t here) {
        if (how.is_long_double) {
            std::vector<std::byte> number(from, from + how.bytes);
            std::reverse(number.begin(), number.end());
            convert<long double, Quad>(number.data(), into);
        } else {
            std::reverse_copy(from, from + how.bytes, into);
            std::fill(into + how.bytes, into + here, filling(how, from[0]));
        }
        from += how.bytes;
        into += here;
    });
    return packed;
}

}  // namespace ringmesh::workloads::mpi_api
