// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "workloads/foreign/program/table.h"

/// The semantics of MPI, once, over messages with labels.
namespace ringmesh::workloads::mpi_api {

struct Communicator;

/// What a call found wrong; error handlers decide what becomes of it.
struct Failure {
    int error_class = MPI_ERR_OTHER;
    std::string text;
    std::shared_ptr<Communicator> comm = {};  ///< whose handler is asked; null: that of the call
};

/// Fortran's REAL(16).
#if __LDBL_MANT_DIG__ == 113
using Quad = long double;
#else
__extension__ using Quad = __float128;
#endif

struct Type;
using TypePointer = std::shared_ptr<const Type>;

/// What a datatype was made of: how, and with which arguments.
struct TypeContents {
    struct Part {
        MPI_Datatype predefined = MPI_DATATYPE_NULL;  ///< null: one of the program's own
        TypePointer type;
    };
    int combiner = MPI_COMBINER_NAMED;
    std::vector<int> integers;
    std::vector<MPI_Aint> addresses;
    std::vector<Part> types;
};

/// A datatype: its type map, flattened, and its bounds. Never changed, so that messages may outlive its handle.
struct Type {
    struct Piece {
        MPI_Aint at = 0;
        std::size_t bytes = 0;
    };
    /// So many elements of one predefined type.
    struct Basics {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        std::uint32_t bytes = 0;  ///< of each
        std::size_t count = 0;
    };
    std::vector<Piece> pieces;   ///< in the order of the type map; neighbours are one
    std::vector<Basics> basics;  ///< in that order too
    std::size_t size = 0;
    MPI_Aint lb = 0, ub = 0, true_lb = 0, true_ub = 0;
    std::size_t alignment = 1;
    bool has_lb = false, has_ub = false;                ///< markers
    MPI_Datatype basic = MPI_DATATYPE_NULL;             ///< which predefined type it is
    std::shared_ptr<const TypeContents> contents = {};  ///< null: predefined

    MPI_Aint extent() const { return ub - lb; }
    bool is_contiguous() const
    {
        return pieces.size() == 1 && pieces.front().at == 0 && size == static_cast<std::size_t>(extent());
    }
};

/// `length` elements of a type at a place, as in the general constructor.
struct TypeBlock {
    MPI_Aint at = 0;
    int length = 0;
    TypePointer type;
};
/// @param pad as a C compiler pads a struct
TypePointer make_type(const std::vector<TypeBlock>& blocks, bool pad);
TypePointer resized(const Type& type, MPI_Aint lb, MPI_Aint extent);
/// Null if there is no such predefined type.
TypePointer predefined_type(MPI_Datatype handle);

/// @name The portable representation of MPI
/// Each element has the size that MPI gives it, and its highest byte comes first.
/// @{
std::size_t external_size(const Type& type);
/// Of elements as pack() leaves them. @throws Failure of a number that has no room
std::vector<std::byte> to_external(const Type& type, std::span<const std::byte> packed);
std::vector<std::byte> from_external(const Type& type, std::span<const std::byte> bytes);
/// @}

/// `by` bytes on; also from MPI_BOTTOM, which is null.
inline std::byte* shifted(const void* place, MPI_Aint by)
{
    // NOLINTNEXTLINE(performance-no-int-to-ptr): null and a number are no pointer that may be moved
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(place) + static_cast<std::uintptr_t>(by));
}
/// @pre into has room for count elements
void pack(const Type& type, std::size_t count, const void* from, std::byte* into);
/// As many bytes as there are.
void unpack(const Type& type, std::span<const std::byte> from, void* into);

/// Room for elements that a reduction works on.
class Elements {
public:
    Elements(const Type& type, std::size_t count);
    /// Filled with those at another place.
    Elements(const Type& type, std::size_t count, const void* from);
    void* place() { return bytes_.data() - offset_; }
    void* element(std::size_t i) { return bytes_.data() - offset_ + static_cast<std::ptrdiff_t>(i) * type_.extent(); }
    void copy_from(const void* from);
    void copy_to(void* to);

private:
    const Type& type_;
    std::size_t count_;
    std::ptrdiff_t offset_ = 0;
    std::vector<std::byte> bytes_;
};

}  // namespace ringmesh::workloads::mpi_api
