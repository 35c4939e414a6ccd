// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/mpi_api/datatypes.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <cwchar>

namespace ringmesh::workloads::mpi_api {
namespace {

void append(Type& type, MPI_Aint at, std::size_t bytes)
{
    if (bytes == 0) return;
    if (!type.pieces.empty()) {
        Type::Piece& last = type.pieces.back();
        if (last.at + static_cast<MPI_Aint>(last.bytes) == at) {
            last.bytes += bytes;
            return;
        }
    }
    type.pieces.push_back({at, bytes});
}

void append_basics(Type& type, const Type::Basics& more, std::size_t times = 1)
{
    if (more.count == 0 || times == 0) return;
    if (type.basics.empty() || type.basics.back().type != more.type) {
        type.basics.push_back({more.type, more.bytes, 0});
    }
    type.basics.back().count += more.count * times;
}

template <class T>
Type basic_of()
{
    Type type;
    append(type, 0, sizeof(T));
    type.size = sizeof(T);
    type.ub = type.true_ub = sizeof(T);
    type.alignment = alignof(T);
    return type;
}

/// A value and its index, as C lays them out.
template <class T, class Index = int>
Type pair_of(MPI_Datatype of_value, MPI_Datatype of_index = MPI_INT)
{
    struct Pair {
        T value;
        Index index;
    };
    Type type;
    append(type, 0, sizeof(T));
    append(type, offsetof(Pair, index), sizeof(Index));
    append_basics(type, {of_value, sizeof(T), 1});
    append_basics(type, {of_index, sizeof(Index), 1});
    type.size = sizeof(T) + sizeof(Index);
    type.ub = sizeof(Pair);
    type.true_ub = offsetof(Pair, index) + sizeof(Index);
    type.alignment = alignof(Pair);
    return type;
}

Type marker(bool is_lower)
{
    Type type;
    (is_lower ? type.has_lb : type.has_ub) = true;
    return type;
}

/// By handle, from 1.
std::vector<TypePointer> all_predefined()
{
    const Type all[] = {basic_of<char>(),
                        basic_of<signed char>(),
                        basic_of<unsigned char>(),
                        basic_of<unsigned char>(),
                        basic_of<unsigned char>(),
                        basic_of<short>(),
                        basic_of<unsigned short>(),
                        basic_of<int>(),
                        basic_of<unsigned>(),
                        basic_of<long>(),
                        basic_of<unsigned long>(),
                        basic_of<long long>(),
                        basic_of<unsigned long long>(),
                        basic_of<float>(),
                        basic_of<double>(),
                        basic_of<long double>(),
                        pair_of<float>(MPI_FLOAT),
                        pair_of<double>(MPI_DOUBLE),
                        pair_of<long>(MPI_LONG),
                        pair_of<int>(MPI_INT),
                        pair_of<short>(MPI_SHORT),
                        pair_of<long double>(MPI_LONG_DOUBLE),
                        basic_of<wchar_t>(),
                        basic_of<std::int8_t>(),
                        basic_of<std::int16_t>(),
                        basic_of<std::int32_t>(),
                        basic_of<std::int64_t>(),
                        basic_of<std::uint8_t>(),
                        basic_of<std::uint16_t>(),
                        basic_of<std::uint32_t>(),
                        basic_of<std::uint64_t>(),
                        basic_of<MPI_Aint>(),
                        basic_of<bool>(),
                        marker(true),
                        marker(false),
                        basic_of<std::complex<float>>(),
                        basic_of<std::complex<double>>(),
                        basic_of<std::complex<long double>>(),
                        basic_of<MPI_Count>(),
                        basic_of<MPI_Offset>(),
                        basic_of<std::int32_t>(),
                        basic_of<std::int32_t>(),
                        basic_of<float>(),
                        basic_of<double>(),
                        basic_of<std::complex<float>>(),
                        basic_of<std::complex<double>>(),
                        basic_of<char>(),
                        basic_of<std::int8_t>(),
                        basic_of<std::int16_t>(),
                        basic_of<std::int32_t>(),
                        basic_of<std::int64_t>(),
                        basic_of<float>(),
                        basic_of<double>(),
                        basic_of<Quad>(),
                        basic_of<std::complex<float>>(),
                        basic_of<std::complex<double>>(),
                        basic_of<std::array<Quad, 2>>(),
                        pair_of<float, float>(MPI_REAL, MPI_REAL),
                        pair_of<double, double>(MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION),
                        pair_of<int>(MPI_INTEGER, MPI_INTEGER)};
    std::vector<TypePointer> made{nullptr};
    for (Type type : all) {
        type.basic = static_cast<MPI_Datatype>(made.size());
        if (type.basics.empty())
            append_basics(type, {type.basic, static_cast<std::uint32_t>(type.size), type.size > 0});
        made.push_back(std::make_shared<const Type>(std::move(type)));
    }
    return made;
}

}  // namespace

TypePointer predefined_type(MPI_Datatype handle)
{
    static const std::vector<TypePointer> all = all_predefined();
    return handle > 0 && static_cast<std::size_t>(handle) < all.size() ? all[static_cast<std::size_t>(handle)]
                                                                       : nullptr;
}

TypePointer make_type(const std::vector<TypeBlock>& blocks, bool pad)
{
    auto made = std::make_shared<Type>();
    bool is_first = true;
    bool is_first_true = true;
    for (const TypeBlock& block : blocks) {
        const Type& type = *block.type;
        if (block.length == 0) continue;
        const MPI_Aint last = block.at + (block.length - 1) * type.extent();
        const bool is_plain = type.is_contiguous() && type.basics.size() == 1;  // however many: one piece
        if (is_plain) {
            const auto length = static_cast<std::size_t>(block.length);
            append(*made, block.at, type.size * length);
            append_basics(*made, type.basics.front(), length);
        }
        for (int i = 0; i < block.length && !is_plain; ++i) {
            const MPI_Aint at = block.at + i * type.extent();
            for (const Type::Piece& piece : type.pieces) append(*made, at + piece.at, piece.bytes);
            for (const Type::Basics& each : type.basics) append_basics(*made, each);
        }
        made->size += type.size * static_cast<std::size_t>(block.length);
        made->alignment = std::max(made->alignment, type.alignment);
        if (type.size > 0) {
            const MPI_Aint from = std::min(block.at, last) + type.true_lb;
            const MPI_Aint to = std::max(block.at, last) + type.true_ub;
            made->true_lb = is_first_true ? from : std::min(made->true_lb, from);
            made->true_ub = is_first_true ? to : std::max(made->true_ub, to);
            is_first_true = false;
        }
        // Of the blocks with a marker, if any has one, these alone set the bound
        const MPI_Aint lb = std::min(block.at, last) + type.lb;
        const MPI_Aint ub = std::max(block.at, last) + type.ub;
        const bool is_marker = type.size == 0 && (type.has_lb || type.has_ub);
        if (type.has_lb > made->has_lb || (is_first && !is_marker && !made->has_lb)) {
            made->lb = lb;
        } else if (type.has_lb == made->has_lb && !(is_marker && !type.has_lb)) {
            made->lb = std::min(made->lb, lb);
        }
        if (type.has_ub > made->has_ub || (is_first && !is_marker && !made->has_ub)) {
            made->ub = ub;
        } else if (type.has_ub == made->has_ub && !(is_marker && !type.has_ub)) {
            made->ub = std::max(made->ub, ub);
        }
        made->has_lb = made->has_lb || type.has_lb;
        made->has_ub = made->has_ub || type.has_ub;
        is_first = is_first && is_marker;
    }
    if (pad && !made->has_ub && !made->has_lb) {
        const auto alignment = static_cast<MPI_Aint>(made->alignment);
        const MPI_Aint over = made->extent() % alignment;
        if (over != 0) made->ub += alignment - over;
    }
    return made;
}

TypePointer resized(const Type& type, MPI_Aint lb, MPI_Aint extent)
{
    auto made = std::make_shared<Type>(type);
    made->lb = lb;
    made->ub = lb + extent;
    made->has_lb = made->has_ub = true;
    made->basic = MPI_DATATYPE_NULL;
    return made;
}

void pack(const Type& type, std::size_t count, const void* from, std::byte* into)
{
    if (type.is_contiguous()) {
        if (count > 0) std::memcpy(into, from, count * type.size);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const MPI_Aint element = static_cast<MPI_Aint>(i) * type.extent();
        for (const Type::Piece& piece : type.pieces) {
            std::memcpy(into, shifted(from, element + piece.at), piece.bytes);
            into += piece.bytes;
        }
    }
}

void unpack(const Type& type, std::span<const std::byte> from, void* into)
{
    if (type.is_contiguous()) {
        if (!from.empty()) std::memcpy(into, from.data(), from.size());
        return;
    }
    for (MPI_Aint element = 0; !from.empty() && type.size > 0; element += type.extent()) {
        for (const Type::Piece& piece : type.pieces) {
            const std::size_t bytes = std::min(piece.bytes, from.size());
            if (bytes == 0) return;
            std::memcpy(shifted(into, element + piece.at), from.data(), bytes);
            from = from.subspan(bytes);
        }
    }
}

Elements::Elements(const Type& type, std::size_t count) : type_(type), count_(count)
{
    if (count == 0 || type.size == 0) {
        bytes_.resize(1);
        return;
    }
    const MPI_Aint far = static_cast<MPI_Aint>(count - 1) * type.extent();
    // The extent too: an operation of the program may copy all of an element
    offset_ = std::min(type.lb, type.true_lb) + std::min<MPI_Aint>(far, 0);
    const MPI_Aint end = std::max(type.ub, type.true_ub) + std::max<MPI_Aint>(far, 0);
    bytes_.resize(static_cast<std::size_t>(end - offset_));
}

Elements::Elements(const Type& type, std::size_t count, const void* from) : Elements(type, count) { copy_from(from); }

void Elements::copy_from(const void* from)
{
    std::vector<std::byte> bytes(type_.size * count_);
    pack(type_, count_, from, bytes.data());
    unpack(type_, bytes, place());
}

void Elements::copy_to(void* to)
{
    std::vector<std::byte> bytes(type_.size * count_);
    pack(type_, count_, place(), bytes.data());
    unpack(type_, bytes, to);
}

}  // namespace ringmesh::workloads::mpi_api
