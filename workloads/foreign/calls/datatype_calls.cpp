// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/calls/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ringmesh::workloads::foreign {
namespace {

/// A handle as it is told back: of a predefined type the same, of another one a new one.
TypeContents::Part kept(Process& process, MPI_Datatype handle)
{
    return {predefined_type(handle) ? handle : MPI_DATATYPE_NULL, type_of(process, handle)};
}

/// Whether it is what Fortran has for a precision or range: as a predefined type, it stays.
bool is_of_precision(const TypeContents& contents)
{
    return contents.combiner == MPI_COMBINER_F90_REAL || contents.combiner == MPI_COMBINER_F90_COMPLEX ||
           contents.combiner == MPI_COMBINER_F90_INTEGER;
}

MPI_Datatype add_type(Process& process, const TypePointer& type, TypeContents contents)
{
    auto made = std::make_shared<Type>(*type);
    const bool is_renamed = contents.combiner == MPI_COMBINER_DUP || is_of_precision(contents);
    made->basic = is_renamed ? type->basic : MPI_DATATYPE_NULL;
    made->contents = std::make_shared<const TypeContents>(std::move(contents));
    return process.types.add(std::move(made));
}

int make(std::string_view name, MPI_Datatype* made, bool pad,
         const std::function<std::vector<TypeBlock>(Process&, TypeContents&)>& blocks)
{
    return call(name, [&](Process& process) {
        TypeContents contents;
        const TypePointer type = make_type(blocks(process, contents), pad);
        *made = add_type(process, type, std::move(contents));
    });
}

std::vector<TypeBlock> strided(const TypePointer& type, int count, int length, MPI_Aint stride)
{
    count_of(count);
    count_of(length);
    std::vector<TypeBlock> all;
    for (int i = 0; i < count; ++i) all.push_back({i * stride, length, type});
    return all;
}

template <class Index>
std::vector<TypeBlock> indexed(const TypePointer& type, int count, const int* lengths, int length, const Index* places,
                               MPI_Aint unit)
{
    count_of(count);
    std::vector<TypeBlock> all;
    for (int i = 0; i < count; ++i) {
        const int here = lengths == nullptr ? length : lengths[i];
        count_of(here);
        all.push_back({places[i] * unit, here, type});
    }
    return all;
}

std::vector<TypeBlock> structure(Process& process, int count, const int* lengths, const MPI_Aint* places,
                                 const MPI_Datatype* types)
{
    count_of(count);
    std::vector<TypeBlock> all;
    for (int i = 0; i < count; ++i) {
        count_of(lengths[i]);
        all.push_back({places[i], lengths[i], type_of(process, types[i])});
    }
    return all;
}

std::vector<int> with_counts(std::vector<int> first, const int* rest, int count)
{
    first.insert(first.end(), rest, rest + count);
    return first;
}

/// The indices of one dimension of an array that this place of a grid has.
std::vector<int> share_of(int size, int distribution, int argument, int places, int place)
{
    std::vector<int> all;
    const bool has_default = argument == MPI_DISTRIBUTE_DFLT_DARG;
    int block = has_default ? 1 : argument;
    if (distribution == MPI_DISTRIBUTE_NONE) {
        if (places != 1) throw Failure{MPI_ERR_ARG, "a dimension that is not distributed, over several"};
        block = size;
    } else if (distribution == MPI_DISTRIBUTE_BLOCK) {
        if (has_default) block = (size + places - 1) / places;
        if (static_cast<std::int64_t>(block) * places < size) throw Failure{MPI_ERR_ARG, "blocks that are too small"};
    } else if (distribution != MPI_DISTRIBUTE_CYCLIC) {
        throw Failure{MPI_ERR_ARG, "no such distribution"};
    }
    if (block < 1) throw Failure{MPI_ERR_ARG, fmt::format("a block of {}", block)};
    for (std::int64_t begin = static_cast<std::int64_t>(block) * place; begin < size;
         begin += static_cast<std::int64_t>(block) * places) {
        for (std::int64_t i = begin; i < std::min<std::int64_t>(begin + block, size); ++i) {
            all.push_back(static_cast<int>(i));
        }
    }
    return all;
}

/// Runs of indices, each one block.
std::vector<TypeBlock> runs_of(const std::vector<int>& indices, MPI_Aint stride, const TypePointer& type,
                               bool are_dense)
{
    std::vector<TypeBlock> all;
    for (const int index : indices) {
        if (are_dense && !all.empty() && all.back().at + all.back().length * stride == index * stride) {
            ++all.back().length;
        } else {
            all.push_back({index * stride, 1, type});
        }
    }
    return all;
}

void put_elements(Process& process, const MPI_Status& status, MPI_Datatype type, MPI_Count* count)
{
    const TypePointer elements = type_of(process, type);
    std::size_t left = status.ringmesh_bytes;
    std::size_t all = 0;
    if (elements->size > 0) {
        std::size_t in_one = 0;
        for (const auto& each : elements->basics) in_one += each.count;
        all = left / elements->size * in_one;
        left %= elements->size;
    }
    for (const auto& each : elements->basics) {
        if (left == 0) break;
        const std::size_t here = std::min<std::size_t>(each.count, left / each.bytes);
        all += here;
        left -= here * each.bytes;
        if (here < each.count) break;
    }
    *count = left == 0 ? static_cast<MPI_Count>(all) : MPI_UNDEFINED;
}

int type_extent(std::string_view name, MPI_Datatype type, MPI_Count* lb, MPI_Count* extent, bool is_true)
{
    return call(name, [&](Process& process) {
        const TypePointer found = type_of(process, type);
        *lb = is_true ? found->true_lb : found->lb;
        *extent = is_true ? found->true_ub - found->true_lb : found->extent();
    });
}

struct NamedType {
    MPI_Datatype type;
    const char* name;
};
#define RINGMESH_NAMED(type) \
    {                        \
        type, #type          \
    }
constexpr NamedType kNamedTypes[] = {RINGMESH_NAMED(MPI_CHAR),
                                     RINGMESH_NAMED(MPI_SIGNED_CHAR),
                                     RINGMESH_NAMED(MPI_UNSIGNED_CHAR),
                                     RINGMESH_NAMED(MPI_BYTE),
                                     RINGMESH_NAMED(MPI_PACKED),
                                     RINGMESH_NAMED(MPI_SHORT),
                                     RINGMESH_NAMED(MPI_UNSIGNED_SHORT),
                                     RINGMESH_NAMED(MPI_INT),
                                     RINGMESH_NAMED(MPI_UNSIGNED),
                                     RINGMESH_NAMED(MPI_LONG),
                                     RINGMESH_NAMED(MPI_UNSIGNED_LONG),
                                     RINGMESH_NAMED(MPI_LONG_LONG_INT),
                                     RINGMESH_NAMED(MPI_UNSIGNED_LONG_LONG),
                                     RINGMESH_NAMED(MPI_FLOAT),
                                     RINGMESH_NAMED(MPI_DOUBLE),
                                     RINGMESH_NAMED(MPI_LONG_DOUBLE),
                                     RINGMESH_NAMED(MPI_FLOAT_INT),
                                     RINGMESH_NAMED(MPI_DOUBLE_INT),
                                     RINGMESH_NAMED(MPI_LONG_INT),
                                     RINGMESH_NAMED(MPI_2INT),
                                     RINGMESH_NAMED(MPI_SHORT_INT),
                                     RINGMESH_NAMED(MPI_LONG_DOUBLE_INT),
                                     RINGMESH_NAMED(MPI_WCHAR),
                                     RINGMESH_NAMED(MPI_INT8_T),
                                     RINGMESH_NAMED(MPI_INT16_T),
                                     RINGMESH_NAMED(MPI_INT32_T),
                                     RINGMESH_NAMED(MPI_INT64_T),
                                     RINGMESH_NAMED(MPI_UINT8_T),
                                     RINGMESH_NAMED(MPI_UINT16_T),
                                     RINGMESH_NAMED(MPI_UINT32_T),
                                     RINGMESH_NAMED(MPI_UINT64_T),
                                     RINGMESH_NAMED(MPI_AINT),
                                     RINGMESH_NAMED(MPI_C_BOOL),
                                     RINGMESH_NAMED(MPI_LB),
                                     RINGMESH_NAMED(MPI_UB),
                                     RINGMESH_NAMED(MPI_C_COMPLEX),
                                     RINGMESH_NAMED(MPI_C_DOUBLE_COMPLEX),
                                     RINGMESH_NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
                                     RINGMESH_NAMED(MPI_COUNT),
                                     RINGMESH_NAMED(MPI_OFFSET),
                                     RINGMESH_NAMED(MPI_LOGICAL),
                                     RINGMESH_NAMED(MPI_INTEGER),
                                     RINGMESH_NAMED(MPI_REAL),
                                     RINGMESH_NAMED(MPI_DOUBLE_PRECISION),
                                     RINGMESH_NAMED(MPI_COMPLEX),
                                     RINGMESH_NAMED(MPI_DOUBLE_COMPLEX),
                                     RINGMESH_NAMED(MPI_CHARACTER),
                                     RINGMESH_NAMED(MPI_INTEGER1),
                                     RINGMESH_NAMED(MPI_INTEGER2),
                                     RINGMESH_NAMED(MPI_INTEGER4),
                                     RINGMESH_NAMED(MPI_INTEGER8),
                                     RINGMESH_NAMED(MPI_REAL4),
                                     RINGMESH_NAMED(MPI_REAL8),
                                     RINGMESH_NAMED(MPI_REAL16),
                                     RINGMESH_NAMED(MPI_COMPLEX8),
                                     RINGMESH_NAMED(MPI_COMPLEX16),
                                     RINGMESH_NAMED(MPI_COMPLEX32),
                                     RINGMESH_NAMED(MPI_2REAL),
                                     RINGMESH_NAMED(MPI_2DOUBLE_PRECISION),
                                     RINGMESH_NAMED(MPI_2INTEGER)};
#undef RINGMESH_NAMED

std::string name_of_type(MPI_Datatype type)
{
    for (const NamedType& each : kNamedTypes) {
        if (each.type == type) return each.type == MPI_LONG_LONG_INT ? "MPI_LONG_LONG_INT" : each.name;
    }
    return "";
}

void require_external(const char* representation)
{
    if (std::strcmp(representation, "external32") != 0) throw Failure{MPI_ERR_ARG, "no such representation"};
}

void require_room(std::size_t bytes, MPI_Aint position, MPI_Aint size)
{
    if (position < 0) throw Failure{MPI_ERR_ARG, fmt::format("a position of {}", position)};
    if (position + static_cast<MPI_Aint>(bytes) > size) {
        throw Failure{MPI_ERR_TRUNCATE, fmt::format("{} bytes at {} of a buffer of {}", bytes, position, size)};
    }
}

/// What has at least so many decimal digits and so large an exponent.
struct Precision {
    int digits;
    int range;
    MPI_Datatype type;
};

/// The same handle each time. @param all the smallest first
int of_precision(std::string_view name, int combiner, std::span<const Precision> all, int digits, int range,
                 MPI_Datatype* made)
{
    return call(name, [&](Process& process) {
        MPI_Datatype& known = process.types_of_precision[{combiner, digits, range}];
        for (const Precision& each : all) {
            if (known != MPI_DATATYPE_NULL || each.digits < digits || each.range < range) continue;
            std::vector<int> wanted{digits, range};
            if (combiner == MPI_COMBINER_F90_INTEGER) wanted.erase(wanted.begin());
            known = add_type(process, predefined_type(each.type), {combiner, std::move(wanted), {}, {}});
        }
        if (known == MPI_DATATYPE_NULL) throw Failure{MPI_ERR_ARG, "no type is so precise"};
        *made = known;
    });
}

}  // namespace

namespace calls {

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* made)
{
    return make("MPI_Type_contiguous", made, false,
                [&](Process& process, TypeContents& contents) -> std::vector<TypeBlock> {
                    count_of(count);
                    contents = {MPI_COMBINER_CONTIGUOUS, {count}, {}, {kept(process, type)}};
                    return {{0, count, type_of(process, type)}};
                });
}
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype* made)
{
    return make("MPI_Type_vector", made, false, [&](Process& process, TypeContents& contents) {
        contents = {MPI_COMBINER_VECTOR, {count, length, stride}, {}, {kept(process, type)}};
        const TypePointer elements = type_of(process, type);
        return strided(elements, count, length, stride * elements->extent());
    });
}
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made)
{
    return make("MPI_Type_create_hvector", made, false, [&](Process& process, TypeContents& contents) {
        contents = {MPI_COMBINER_HVECTOR, {count, length}, {stride}, {kept(process, type)}};
        return strided(type_of(process, type), count, length, stride);
    });
}
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made)
{
    return MPI_Type_create_hvector(count, length, stride, type, made);
}
int MPI_Type_indexed(int count, const int* lengths, const int* places, MPI_Datatype type, MPI_Datatype* made)
{
    return make("MPI_Type_indexed", made, false, [&](Process& process, TypeContents& contents) {
        count_of(count);
        contents = {MPI_COMBINER_INDEXED,
                    with_counts(with_counts({count}, lengths, count), places, count),
                    {},
                    {kept(process, type)}};
        const TypePointer elements = type_of(process, type);
        return indexed(elements, count, lengths, 0, places, elements->extent());
    });
}
int MPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* places, MPI_Datatype type,
                             MPI_Datatype* made)
{
    return make("MPI_Type_create_hindexed", made, false, [&](Process& process, TypeContents& contents) {
        count_of(count);
        contents = {MPI_COMBINER_HINDEXED,
                    with_counts({count}, lengths, count),
                    {places, places + count},
                    {kept(process, type)}};
        return indexed(type_of(process, type), count, lengths, 0, places, 1);
    });
}
int MPI_Type_hindexed(int count, int* lengths, MPI_Aint* places, MPI_Datatype type, MPI_Datatype* made)
{
    return MPI_Type_create_hindexed(count, lengths, places, type, made);
}
int MPI_Type_create_indexed_block(int count, int length, const int* places, MPI_Datatype type, MPI_Datatype* made)
{
    return make("MPI_Type_create_indexed_block", made, false, [&](Process& process, TypeContents& contents) {
        count_of(count);
        contents = {MPI_COMBINER_INDEXED_BLOCK, with_counts({count, length}, places, count), {}, {kept(process, type)}};
        const TypePointer elements = type_of(process, type);
        return indexed(elements, count, nullptr, length, places, elements->extent());
    });
}
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint* places, MPI_Datatype type, MPI_Datatype* made)
{
    return make("MPI_Type_create_hindexed_block", made, false, [&](Process& process, TypeContents& contents) {
        count_of(count);
        contents = {MPI_COMBINER_HINDEXED_BLOCK, {count, length}, {places, places + count}, {kept(process, type)}};
        return indexed(type_of(process, type), count, nullptr, length, places, 1);
    });
}
int MPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* places, const MPI_Datatype* types,
                           MPI_Datatype* made)
{
    return make("MPI_Type_create_struct", made, true, [&](Process& process, TypeContents& contents) {
        count_of(count);
        contents = {MPI_COMBINER_STRUCT, with_counts({count}, lengths, count), {places, places + count}, {}};
        for (int i = 0; i < count; ++i) contents.types.push_back(kept(process, types[i]));
        return structure(process, count, lengths, places, types);
    });
}
int MPI_Type_struct(int count, int* lengths, MPI_Aint* places, MPI_Datatype* types, MPI_Datatype* made)
{
    return MPI_Type_create_struct(count, lengths, places, types, made);
}
int MPI_Type_create_subarray(int dimensions, const int* sizes, const int* subsizes, const int* starts, int order,
                             MPI_Datatype type, MPI_Datatype* made)
{
    return call("MPI_Type_create_subarray", [&](Process& process) {
        TypePointer part = type_of(process, type);
        const MPI_Aint extent = part->extent();
        MPI_Aint whole = 1;  // elements of the dimensions so far
        MPI_Aint begin = 0;
        count_of(dimensions);
        if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) throw Failure{MPI_ERR_ARG, "no such order"};
        for (int i = 0; i < dimensions; ++i) {
            const int d = order == MPI_ORDER_C ? dimensions - 1 - i : i;
            if (subsizes[d] < 1 || starts[d] < 0 || starts[d] > sizes[d] - subsizes[d]) {
                throw Failure{MPI_ERR_ARG, fmt::format("dimension {} of the part is not inside the array", d)};
            }
            part = make_type(strided(part, subsizes[d], 1, whole * extent), false);
            begin += starts[d] * whole;
            whole *= sizes[d];
        }
        const TypePointer moved = make_type({{begin * extent, 1, part}}, false);
        TypeContents contents{MPI_COMBINER_SUBARRAY, {dimensions}, {}, {kept(process, type)}};
        for (const int* each : {sizes, subsizes, starts}) {
            contents.integers = with_counts(std::move(contents.integers), each, dimensions);
        }
        contents.integers.push_back(order);
        *made = add_type(process, resized(*moved, 0, whole * extent), std::move(contents));
    });
}
int MPI_Type_create_darray(int size, int rank, int dimensions, const int* sizes, const int* distributions,
                           const int* arguments, const int* grid, int order, MPI_Datatype type, MPI_Datatype* made)
{
    return call("MPI_Type_create_darray", [&](Process& process) {
        TypePointer part = type_of(process, type);
        const MPI_Aint extent = part->extent();
        count_of(dimensions);
        if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) throw Failure{MPI_ERR_ARG, "no such order"};
        int places = 1;
        for (int i = 0; i < dimensions; ++i) places *= grid[i];
        if (places != size || rank < 0 || rank >= size) throw Failure{MPI_ERR_ARG, "a rank outside of the grid"};
        // Ranks are in the order of C whatever that of the array is
        const std::vector<int> coords =
            Cartesian{{grid, grid + dimensions}, std::vector<int>(static_cast<std::size_t>(dimensions))}.coords_of(
                rank);
        MPI_Aint whole = 1;
        for (int i = 0; i < dimensions; ++i) {
            const int d = order == MPI_ORDER_C ? dimensions - 1 - i : i;
            const std::vector<int> share =
                share_of(sizes[d], distributions[d], arguments[d], grid[d], coords[static_cast<std::size_t>(d)]);
            part = make_type(runs_of(share, whole * extent, part, i == 0), false);
            whole *= sizes[d];
        }
        TypeContents contents{MPI_COMBINER_DARRAY, {size, rank, dimensions}, {}, {kept(process, type)}};
        for (const int* each : {sizes, distributions, arguments, grid}) {
            contents.integers = with_counts(std::move(contents.integers), each, dimensions);
        }
        contents.integers.push_back(order);
        *made = add_type(process, resized(*part, 0, whole * extent), std::move(contents));
    });
}
int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lb, MPI_Aint extent, MPI_Datatype* made)
{
    return call("MPI_Type_create_resized", [&](Process& process) {
        *made = add_type(process, resized(*type_of(process, type), lb, extent),
                         {MPI_COMBINER_RESIZED, {}, {lb, extent}, {kept(process, type)}});
    });
}
int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* made)
{
    *made = MPI_DATATYPE_NULL;
    return call("MPI_Type_dup", [&](Process& process) {
        const TypePointer found = type_of(process, type);
        Attributes attributes;
        if (const auto notes = process.type_notes.find(type); notes != process.type_notes.end()) {
            attributes = process.copies_of(notes->second.attributes, type);
        }
        *made = add_type(process, found, {MPI_COMBINER_DUP, {}, {}, {kept(process, type)}});
        process.type_notes[*made] = {"", std::move(attributes)};
    });
}
int MPI_Type_get_envelope(MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner)
{
    return call("MPI_Type_get_envelope", [&](Process& process) {
        const TypePointer found = type_of(process, type);
        static const TypeContents named{MPI_COMBINER_NAMED, {}, {}, {}};
        const TypeContents& contents = found->contents ? *found->contents : named;
        *integers = static_cast<int>(contents.integers.size());
        *addresses = static_cast<int>(contents.addresses.size());
        *types = static_cast<int>(contents.types.size());
        *combiner = contents.combiner;
    });
}
int MPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types, int* integers,
                          MPI_Aint* addresses, MPI_Datatype* types)
{
    return call("MPI_Type_get_contents", [&](Process& process) {
        const TypePointer found = type_of(process, type);
        if (!found->contents) throw Failure{MPI_ERR_TYPE, "a predefined datatype has no contents"};
        const TypeContents& contents = *found->contents;
        if (contents.integers.size() > count_of(most_integers) ||
            contents.addresses.size() > count_of(most_addresses) || contents.types.size() > count_of(most_types)) {
            throw Failure{MPI_ERR_ARG, "too little room for the contents"};
        }
        std::copy(contents.integers.begin(), contents.integers.end(), integers);
        std::copy(contents.addresses.begin(), contents.addresses.end(), addresses);
        for (std::size_t i = 0; i < contents.types.size(); ++i) {
            const auto& part = contents.types[i];
            types[i] = part.predefined != MPI_DATATYPE_NULL ? part.predefined : process.types.add(part.type);
        }
    });
}
int MPI_Type_set_name(MPI_Datatype type, const char* name)
{
    return call("MPI_Type_set_name", [&](Process& process) {
        type_of(process, type);
        process.type_notes.try_emplace(type, TypeNotes{name_of_type(type), {}}).first->second.name =
            std::string(name).substr(0, MPI_MAX_OBJECT_NAME - 1);
    });
}
int MPI_Type_get_name(MPI_Datatype type, char* name, int* length)
{
    return call("MPI_Type_get_name", [&](Process& process) {
        type_of(process, type);
        const auto notes = process.type_notes.find(type);
        put_text(notes == process.type_notes.end() ? name_of_type(type) : notes->second.name, name, length);
    });
}
int MPI_Type_match_size(int type_class, int size, MPI_Datatype* type)
{
    return call("MPI_Type_match_size", [&](Process&) {
        static constexpr MPI_Datatype kReal[] = {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE};
        static constexpr MPI_Datatype kInteger[] = {MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG};
        static constexpr MPI_Datatype kComplex[] = {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX,
                                                    MPI_C_LONG_DOUBLE_COMPLEX};
        std::vector<MPI_Datatype> all;
        if (type_class == MPI_TYPECLASS_REAL) all.assign(std::begin(kReal), std::end(kReal));
        if (type_class == MPI_TYPECLASS_INTEGER) all.assign(std::begin(kInteger), std::end(kInteger));
        if (type_class == MPI_TYPECLASS_COMPLEX) all.assign(std::begin(kComplex), std::end(kComplex));
        for (const MPI_Datatype each : all) {
            if (predefined_type(each)->size != static_cast<std::size_t>(size)) continue;
            *type = each;
            return;
        }
        throw Failure{MPI_ERR_ARG, fmt::format("no such type of {} bytes", size)};
    });
}
int MPI_Type_create_f90_integer(int range, MPI_Datatype* made)
{
    static constexpr Precision kAll[] = {
        {0, 2, MPI_INTEGER1}, {0, 4, MPI_INTEGER2}, {0, 9, MPI_INTEGER4}, {0, 18, MPI_INTEGER8}};
    return of_precision("MPI_Type_create_f90_integer", MPI_COMBINER_F90_INTEGER, kAll, MPI_UNDEFINED, range, made);
}
int MPI_Type_create_f90_real(int precision, int range, MPI_Datatype* made)
{
    static constexpr Precision kAll[] = {{6, 37, MPI_REAL4},
                                         {15, 307, MPI_REAL8},
                                         {std::numeric_limits<long double>::digits10, 4931, MPI_LONG_DOUBLE},
                                         {33, 4931, MPI_REAL16}};
    return of_precision("MPI_Type_create_f90_real", MPI_COMBINER_F90_REAL, kAll, precision, range, made);
}
int MPI_Type_create_f90_complex(int precision, int range, MPI_Datatype* made)
{
    static constexpr Precision kAll[] = {{6, 37, MPI_COMPLEX8},
                                         {15, 307, MPI_COMPLEX16},
                                         {std::numeric_limits<long double>::digits10, 4931, MPI_C_LONG_DOUBLE_COMPLEX},
                                         {33, 4931, MPI_COMPLEX32}};
    return of_precision("MPI_Type_create_f90_complex", MPI_COMBINER_F90_COMPLEX, kAll, precision, range, made);
}
int MPI_Type_create_keyval(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* remove, int* key,
                           void* extra)
{
    return create_keyval("MPI_Type_create_keyval", copy, remove, key, extra);
}
int MPI_Type_free_keyval(int* key) { return free_keyval("MPI_Type_free_keyval", key); }
int MPI_Type_set_attr(MPI_Datatype type, int key, void* value)
{
    return call("MPI_Type_set_attr", [&](Process& process) {
        type_of(process, type);
        auto& notes = process.type_notes.try_emplace(type, TypeNotes{name_of_type(type), {}}).first->second;
        set_attribute(process, notes.attributes, type, key, value);
    });
}
int MPI_Type_get_attr(MPI_Datatype type, int key, void* value, int* flag)
{
    return call("MPI_Type_get_attr", [&](Process& process) {
        type_of(process, type);
        if (!process.keyvals.find(key)) throw Failure{MPI_ERR_KEYVAL, "no such key"};
        const auto notes = process.type_notes.find(type);
        void* const* const found =
            notes == process.type_notes.end() ? nullptr : find_attribute(notes->second.attributes, key);
        *flag = found == nullptr ? 0 : 1;
        if (found != nullptr) *static_cast<void**>(value) = *found;
    });
}
int MPI_Type_delete_attr(MPI_Datatype type, int key)
{
    return call("MPI_Type_delete_attr", [&](Process& process) {
        type_of(process, type);
        if (!process.keyvals.find(key)) throw Failure{MPI_ERR_KEYVAL, "no such key"};
        const auto notes = process.type_notes.find(type);
        if (notes != process.type_notes.end()) process.delete_attribute(notes->second.attributes, type, key);
    });
}
int MPI_Type_size_x(MPI_Datatype type, MPI_Count* size)
{
    return call("MPI_Type_size_x",
                [&](Process& process) { *size = static_cast<MPI_Count>(type_of(process, type)->size); });
}
int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count* lb, MPI_Count* extent)
{
    return type_extent("MPI_Type_get_extent_x", type, lb, extent, false);
}
int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count* lb, MPI_Count* extent)
{
    return type_extent("MPI_Type_get_true_extent_x", type, lb, extent, true);
}
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint displacement) { return base + displacement; }
MPI_Aint MPI_Aint_diff(MPI_Aint one, MPI_Aint other) { return one - other; }
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count)
{
    return call("MPI_Get_count", [&](Process& process) {
        const std::size_t each = type_of(process, type)->size;
        const std::size_t bytes = status->ringmesh_bytes;
        const std::size_t all = each == 0 ? 0 : bytes / each;
        const bool is_told = each == 0 ? bytes == 0 : bytes % each == 0;
        const bool fits = all <= static_cast<std::size_t>(std::numeric_limits<int>::max());
        *count = is_told && fits ? static_cast<int>(all) : MPI_UNDEFINED;
    });
}
int MPI_Get_elements(const MPI_Status* status, MPI_Datatype type, int* count)
{
    return call("MPI_Get_elements", [&](Process& process) {
        MPI_Count all = 0;
        put_elements(process, *status, type, &all);
        *count = all > std::numeric_limits<int>::max() ? MPI_UNDEFINED : static_cast<int>(all);
    });
}
int MPI_Get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* count)
{
    return call("MPI_Get_elements_x", [&](Process& process) { put_elements(process, *status, type, count); });
}
int MPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype type, MPI_Count count)
{
    return call("MPI_Status_set_elements_x", [&](Process& process) {
        if (status == MPI_STATUS_IGNORE) return;
        const TypePointer elements = type_of(process, type);
        std::size_t in_one = 0;
        for (const auto& each : elements->basics) in_one += each.count;
        if (in_one == 0) {
            status->ringmesh_bytes = 0;
            return;
        }
        auto left = static_cast<std::size_t>(count);
        status->ringmesh_bytes = left / in_one * elements->size;
        left %= in_one;
        for (const auto& each : elements->basics) {
            const std::size_t here = std::min<std::size_t>(left, each.count);
            status->ringmesh_bytes += here * each.bytes;
            left -= here;
        }
    });
}
int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype type, int count)
{
    return MPI_Status_set_elements_x(status, type, count);
}
int MPI_Status_set_cancelled(MPI_Status* status, int flag)
{
    if (status != MPI_STATUS_IGNORE) status->ringmesh_cancelled = flag;
    return MPI_SUCCESS;
}
int MPI_Pack_external_size(const char* representation, int count, MPI_Datatype type, MPI_Aint* size)
{
    return call("MPI_Pack_external_size", [&](Process& process) {
        require_external(representation);
        const TypePointer elements = type_of(process, type);
        *size = static_cast<MPI_Aint>(external_size(*elements) * count_of(count));
    });
}
int MPI_Pack_external(const char* representation, const void* in, int count, MPI_Datatype type, void* out,
                      MPI_Aint size, MPI_Aint* position)
{
    return call("MPI_Pack_external", [&](Process& process) {
        require_external(representation);
        const TypePointer elements = type_of(process, type);
        const std::size_t bytes = external_size(*elements) * count_of(count);
        require_room(bytes, *position, size);
        std::vector<std::byte> packed(elements->size * count_of(count));
        pack(*elements, count_of(count), in, packed.data());
        const std::vector<std::byte> external = to_external(*elements, packed);
        std::copy(external.begin(), external.end(), static_cast<std::byte*>(out) + *position);
        *position += static_cast<MPI_Aint>(bytes);
    });
}
int MPI_Unpack_external(const char* representation, const void* in, MPI_Aint size, MPI_Aint* position, void* out,
                        int count, MPI_Datatype type)
{
    return call("MPI_Unpack_external", [&](Process& process) {
        require_external(representation);
        const TypePointer elements = type_of(process, type);
        const std::size_t bytes = external_size(*elements) * count_of(count);
        require_room(bytes, *position, size);
        unpack(*elements, from_external(*elements, {static_cast<const std::byte*>(in) + *position, bytes}), out);
        *position += static_cast<MPI_Aint>(bytes);
    });
}
int MPI_Type_commit(MPI_Datatype* type)
{
    return call("MPI_Type_commit", [&](Process& process) { type_of(process, *type); });
}
int MPI_Type_free(MPI_Datatype* type)
{
    return call("MPI_Type_free", [&](Process& process) {
        const auto found = process.types.find(*type);
        if (!found || (found->contents && is_of_precision(*found->contents))) {
            throw Failure{MPI_ERR_TYPE, "no datatype of the program's own"};
        }
        if (const auto notes = process.type_notes.find(*type); notes != process.type_notes.end()) {
            process.delete_attributes(notes->second.attributes, *type);
            process.type_notes.erase(*type);
        }
        process.types.remove(*type);
        *type = MPI_DATATYPE_NULL;
    });
}
int MPI_Type_size(MPI_Datatype type, int* size)
{
    return call("MPI_Type_size", [&](Process& process) { *size = static_cast<int>(type_of(process, type)->size); });
}
int MPI_Type_extent(MPI_Datatype type, MPI_Aint* extent)
{
    return call("MPI_Type_extent", [&](Process& process) { *extent = type_of(process, type)->extent(); });
}
int MPI_Type_lb(MPI_Datatype type, MPI_Aint* lb)
{
    return call("MPI_Type_lb", [&](Process& process) { *lb = type_of(process, type)->lb; });
}
int MPI_Type_ub(MPI_Datatype type, MPI_Aint* ub)
{
    return call("MPI_Type_ub", [&](Process& process) { *ub = type_of(process, type)->ub; });
}
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* lb, MPI_Aint* extent)
{
    return call("MPI_Type_get_extent", [&](Process& process) {
        const TypePointer found = type_of(process, type);
        *lb = found->lb;
        *extent = found->extent();
    });
}
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lb, MPI_Aint* extent)
{
    return call("MPI_Type_get_true_extent", [&](Process& process) {
        const TypePointer found = type_of(process, type);
        *lb = found->true_lb;
        *extent = found->true_ub - found->true_lb;
    });
}
int MPI_Address(void* location, MPI_Aint* address) { return MPI_Get_address(location, address); }
int MPI_Get_address(const void* location, MPI_Aint* address)
{
    *address = reinterpret_cast<MPI_Aint>(location);
    return MPI_SUCCESS;
}
int MPI_Pack(const void* in, int count, MPI_Datatype type, void* out, int size, int* position, MPI_Comm comm)
{
    return call("MPI_Pack", comm, [&](Process& process) {
        const TypePointer elements = type_of(process, type);
        const std::size_t bytes = elements->size * count_of(count);
        require_room(bytes, *position, size);
        pack(*elements, count_of(count), in, static_cast<std::byte*>(out) + *position);
        *position += static_cast<int>(bytes);
    });
}
int MPI_Unpack(const void* in, int size, int* position, void* out, int count, MPI_Datatype type, MPI_Comm comm)
{
    return call("MPI_Unpack", comm, [&](Process& process) {
        const TypePointer elements = type_of(process, type);
        const std::size_t bytes = elements->size * count_of(count);
        require_room(bytes, *position, size);
        unpack(*elements, {static_cast<const std::byte*>(in) + *position, bytes}, out);
        *position += static_cast<int>(bytes);
    });
}
int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int* size)
{
    return call("MPI_Pack_size", comm,
                [&](Process& process) { *size = static_cast<int>(type_of(process, type)->size * count_of(count)); });
}

}  // namespace calls
}  // namespace ringmesh::workloads::foreign
