// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/mpi_api/operations.h"

#include <complex>
#include <cstdint>
#include <type_traits>

namespace ringmesh::workloads::mpi_api {
namespace {

template <class T, class Index>
struct Located {
    T value;
    Index index;
};

template <class T>
void each(std::size_t count, const void* in, void* inout, T (*combine)(T, T))
{
    const T* const a = static_cast<const T*>(in);
    T* const b = static_cast<T*>(inout);
    for (std::size_t i = 0; i < count; ++i) b[i] = combine(a[i], b[i]);
}

template <class T>
bool apply_to_number(MPI_Op op, std::size_t count, const void* in, void* inout)
{
    const auto with = [&](T (*combine)(T, T)) {
        each<T>(count, in, inout, combine);
        return true;
    };
    switch (op) {
        case MPI_MAX: return with([](T a, T b) { return a > b ? a : b; });
        case MPI_MIN: return with([](T a, T b) { return a < b ? a : b; });
        case MPI_SUM: return with([](T a, T b) { return static_cast<T>(a + b); });
        case MPI_PROD: return with([](T a, T b) { return static_cast<T>(a * b); });
        case MPI_REPLACE: return with([](T a, T) { return a; });
        default: break;
    }
    if constexpr (std::is_integral_v<T>) {
        switch (op) {
            case MPI_LAND: return with([](T a, T b) { return static_cast<T>(a != 0 && b != 0); });
            case MPI_LOR: return with([](T a, T b) { return static_cast<T>(a != 0 || b != 0); });
            case MPI_LXOR: return with([](T a, T b) { return static_cast<T>((a != 0) != (b != 0)); });
            case MPI_BAND: return with([](T a, T b) { return static_cast<T>(a & b); });
            case MPI_BOR: return with([](T a, T b) { return static_cast<T>(a | b); });
            case MPI_BXOR: return with([](T a, T b) { return static_cast<T>(a ^ b); });
            default: break;
        }
    }
    return false;
}

template <class T>
bool apply_to_complex(MPI_Op op, std::size_t count, const void* in, void* inout)
{
    using Number = std::complex<T>;
    switch (op) {
        case MPI_SUM: each<Number>(count, in, inout, [](Number a, Number b) { return a + b; }); return true;
        case MPI_PROD: each<Number>(count, in, inout, [](Number a, Number b) { return a * b; }); return true;
        case MPI_REPLACE: each<Number>(count, in, inout, [](Number a, Number) { return a; }); return true;
        default: return false;
    }
}

bool apply_to_bool(MPI_Op op, std::size_t count, const void* in, void* inout)
{
    const auto with = [&](bool (*combine)(bool, bool)) {
        each<bool>(count, in, inout, combine);
        return true;
    };
    switch (op) {
        case MPI_LAND:
        case MPI_BAND: return with([](bool a, bool b) { return a && b; });
        case MPI_LOR:
        case MPI_BOR: return with([](bool a, bool b) { return a || b; });
        case MPI_LXOR:
        case MPI_BXOR: return with([](bool a, bool b) { return a != b; });
        case MPI_REPLACE: return with([](bool a, bool) { return a; });
        default: return false;
    }
}

/// Standard C++ knows no complex numbers of this type.
bool apply_to_quad_complex(MPI_Op op, std::size_t count, const void* in, void* inout)
{
    struct Number {
        Quad real, imaginary;
    };
    switch (op) {
        case MPI_SUM:
            each<Number>(count, in, inout, [](Number a, Number b) {
                return Number{a.real + b.real, a.imaginary + b.imaginary};
            });
            return true;
        case MPI_PROD:
            each<Number>(count, in, inout, [](Number a, Number b) {
                return Number{a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
            });
            return true;
        case MPI_REPLACE: each<Number>(count, in, inout, [](Number a, Number) { return a; }); return true;
        default: return false;
    }
}

template <class T, class Index = int>
bool apply_to_pair(MPI_Op op, std::size_t count, const void* in, void* inout)
{
    using Pair = Located<T, Index>;
    if (op != MPI_MAXLOC && op != MPI_MINLOC && op != MPI_REPLACE) return false;
    const auto* const a = static_cast<const Pair*>(in);
    auto* const b = static_cast<Pair*>(inout);
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_better = op == MPI_MAXLOC ? a[i].value > b[i].value : a[i].value < b[i].value;
        const bool is_equal = a[i].value == b[i].value;
        if (op == MPI_REPLACE || is_better || (is_equal && a[i].index < b[i].index)) {
            b[i].value = a[i].value;
            b[i].index = a[i].index;
        }
    }
    return true;
}

bool apply_to(MPI_Op op, MPI_Datatype basic, std::size_t count, const void* in, void* inout)
{
    switch (basic) {
        case MPI_CHAR: return apply_to_number<char>(op, count, in, inout);
        case MPI_SIGNED_CHAR:
        case MPI_INTEGER1:
        case MPI_INT8_T: return apply_to_number<std::int8_t>(op, count, in, inout);
        case MPI_UNSIGNED_CHAR:
        case MPI_UINT8_T: return apply_to_number<std::uint8_t>(op, count, in, inout);
        case MPI_BYTE:
            return op >= MPI_BAND && op <= MPI_BXOR && op != MPI_LOR && op != MPI_LXOR &&
                   apply_to_number<std::uint8_t>(op, count, in, inout);
        case MPI_SHORT:
        case MPI_INTEGER2:
        case MPI_INT16_T: return apply_to_number<std::int16_t>(op, count, in, inout);
        case MPI_UNSIGNED_SHORT:
        case MPI_UINT16_T: return apply_to_number<std::uint16_t>(op, count, in, inout);
        case MPI_INT:
        case MPI_WCHAR:
        case MPI_INTEGER:
        case MPI_INTEGER4:
        case MPI_INT32_T: return apply_to_number<std::int32_t>(op, count, in, inout);
        case MPI_UNSIGNED:
        case MPI_UINT32_T: return apply_to_number<std::uint32_t>(op, count, in, inout);
        case MPI_LONG:
        case MPI_LONG_LONG:
        case MPI_AINT:
        case MPI_COUNT:
        case MPI_OFFSET:
        case MPI_INTEGER8:
        case MPI_INT64_T: return apply_to_number<std::int64_t>(op, count, in, inout);
        case MPI_UNSIGNED_LONG:
        case MPI_UNSIGNED_LONG_LONG:
        case MPI_UINT64_T: return apply_to_number<std::uint64_t>(op, count, in, inout);
        case MPI_REAL:
        case MPI_REAL4:
        case MPI_FLOAT: return apply_to_number<float>(op, count, in, inout);
        case MPI_DOUBLE_PRECISION:
        case MPI_REAL8:
        case MPI_DOUBLE: return apply_to_number<double>(op, count, in, inout);
        case MPI_LONG_DOUBLE: return apply_to_number<long double>(op, count, in, inout);
        case MPI_REAL16: return apply_to_number<Quad>(op, count, in, inout);
        case MPI_C_BOOL: return apply_to_bool(op, count, in, inout);
        case MPI_LOGICAL:
            return (op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR || op == MPI_REPLACE) &&
                   apply_to_number<std::int32_t>(op, count, in, inout);
        case MPI_COMPLEX:
        case MPI_COMPLEX8:
        case MPI_C_FLOAT_COMPLEX: return apply_to_complex<float>(op, count, in, inout);
        case MPI_DOUBLE_COMPLEX:
        case MPI_COMPLEX16:
        case MPI_C_DOUBLE_COMPLEX: return apply_to_complex<double>(op, count, in, inout);
        case MPI_C_LONG_DOUBLE_COMPLEX: return apply_to_complex<long double>(op, count, in, inout);
        case MPI_COMPLEX32: return apply_to_quad_complex(op, count, in, inout);
        case MPI_FLOAT_INT: return apply_to_pair<float>(op, count, in, inout);
        case MPI_DOUBLE_INT: return apply_to_pair<double>(op, count, in, inout);
        case MPI_LONG_INT: return apply_to_pair<long>(op, count, in, inout);
        case MPI_2INTEGER:
        case MPI_2INT: return apply_to_pair<int>(op, count, in, inout);
        case MPI_SHORT_INT: return apply_to_pair<short>(op, count, in, inout);
        case MPI_LONG_DOUBLE_INT: return apply_to_pair<long double>(op, count, in, inout);
        case MPI_2REAL: return apply_to_pair<float, float>(op, count, in, inout);
        case MPI_2DOUBLE_PRECISION: return apply_to_pair<double, double>(op, count, in, inout);
        default: return false;
    }
}

}  // namespace

void require_defined(MPI_Op op, MPI_Datatype basic)
{
    if (!apply_to(op, basic, 0, nullptr, nullptr)) {
        throw Failure{MPI_ERR_OP, "this operation is not defined for this datatype"};
    }
}

void apply_predefined(MPI_Op op, MPI_Datatype basic, std::size_t count, const void* in, void* inout)
{
    require_defined(op, basic);
    apply_to(op, basic, count, in, inout);
}

}  // namespace ringmesh::workloads::mpi_api
