// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/fortran/fortran.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "workloads/foreign/calls/calls.h"
#include "workloads/foreign/fortran/fortran_calls.h"

namespace ringmesh::workloads::foreign {
namespace {

const ringmesh_constants& constants() { return *Guest::current().constants(); }

/// What C gets for an argument of Fortran's, which is an address: of a number that C takes by value, of an array, or
/// of a function. Handles are the same, and so are functions that combine elements or handle errors, truth values (of
/// GNU Fortran: 0 and 1), and ranges.
template <class T>
struct FromFortran {
    FromFortran(void* given, std::size_t) : address(given) {}
    T value() const
    {
        if constexpr (std::is_arithmetic_v<T>) {
            T number{};
            std::memcpy(&number, address, sizeof number);
            return number;
        } else {
            return reinterpret_cast<T>(address);
        }
    }
    void* address;
};

template <class T>
requires std::is_same_v<T, void*> || std::is_same_v<T, const void*>
struct FromFortran<T> {
    FromFortran(void* given, std::size_t) : address(given) {}
    T value() const
    {
        if (address == &constants().bottom) return MPI_BOTTOM;
        return address == &constants().in_place ? MPI_IN_PLACE : address;
    }
    void* address;
};

template <class T>
requires std::is_same_v<T, int*> || std::is_same_v<T, const int*>
struct FromFortran<T> {
    FromFortran(void* given, std::size_t) : address(given) {}
    T value() const
    {
        if (address == &constants().unweighted) return MPI_UNWEIGHTED;
        if (address == &constants().weights_empty) return MPI_WEIGHTS_EMPTY;
        return static_cast<T>(address);
    }
    void* address;
};

template <>
struct FromFortran<MPI_Status*> {
    FromFortran(void* given, std::size_t) : address(given) {}
    MPI_Status* value() const
    {
        const bool is_ignored = address == &constants().status_ignore || address == &constants().statuses_ignore;
        return is_ignored ? MPI_STATUS_IGNORE : static_cast<MPI_Status*>(address);
    }
    void* address;
};

std::string without_last_blanks(const void* given, std::size_t length)
{
    std::string text(static_cast<const char*>(given), length);
    return text.erase(text.find_last_not_of(' ') + 1);
}

/// Blanks before and after it are none of the text.
template <>
struct FromFortran<const char*> {
    FromFortran(void* given, std::size_t length) : text(without_last_blanks(given, length))
    {
        text.erase(0, text.find_first_not_of(' '));
    }
    const char* value() const { return text.c_str(); }
    std::string text;
};

/// Filled up with blanks.
template <>
struct FromFortran<char*> {
    FromFortran(void* given, std::size_t length)
        : address(static_cast<char*>(given)), room(length), text(std::max<std::size_t>(length, MPI_MAX_INFO_VAL) + 1)
    {
        const std::string before = without_last_blanks(given, length);
        std::copy(before.begin(), before.end(), text.begin());
    }
    FromFortran(const FromFortran&) = delete;
    FromFortran& operator=(const FromFortran&) = delete;
    ~FromFortran()
    {
        const std::size_t size = std::min(std::strlen(text.data()), room);
        std::fill(std::copy_n(text.data(), size, address), address + room, ' ');
    }
    char* value() { return text.data(); }
    char* address;
    std::size_t room;
    std::vector<char> text;
};

template <class T>
constexpr bool kIsText = std::is_same_v<T, char*> || std::is_same_v<T, const char*>;

template <std::size_t>
using Given = void*;
template <std::size_t>
using Length = std::size_t;

/// The lengths of texts come after all arguments.
template <auto kCall, class Function, class Arguments, class Texts>
struct Bound;
template <auto kCall, class Result, class... T, std::size_t... kAt, std::size_t... kText>
struct Bound<kCall, Result (*)(T...), std::index_sequence<kAt...>, std::index_sequence<kText...>> {
    static constexpr std::size_t texts_before(std::size_t at)
    {
        const std::array<bool, sizeof...(T) + 1> are_texts{kIsText<T>..., false};
        return static_cast<std::size_t>(std::count(are_texts.begin(), are_texts.begin() + at, true));
    }
    static void call(Given<kAt>... given, int* error, Length<kText>... lengths)
    {
        [[maybe_unused]] const std::array<std::size_t, sizeof...(kText) + 1> all{lengths..., 0};
        *error = kCall(FromFortran<T>(given, all[texts_before(kAt)]).value()...);
    }
};
/// One that returns a value is a function.
template <auto kCall, class Result, class... T, std::size_t... kAt, std::size_t... kText>
requires(!std::is_same_v<Result, int>) struct Bound<kCall, Result (*)(T...), std::index_sequence<kAt...>,
                                                    std::index_sequence<kText...>> {
    static Result call(Given<kAt>... given) { return kCall(FromFortran<T>(given, 0).value()...); }
};

template <class>
struct Signature;
template <class Result, class... T>
struct Signature<Result (*)(T...)> {
    static constexpr std::size_t kArguments = sizeof...(T);
    static constexpr std::size_t kTexts = (std::size_t{kIsText<T>} + ... + 0);
};

template <auto kCall>
struct Fortran : Bound<kCall, decltype(kCall), std::make_index_sequence<Signature<decltype(kCall)>::kArguments>,
                       std::make_index_sequence<Signature<decltype(kCall)>::kTexts>> {};

/// @name Those that are called otherwise
/// @{
template <>
struct Fortran<&calls::MPI_Init> {
    static void call(int* error) { *error = calls::MPI_Init(nullptr, nullptr); }
};
template <>
struct Fortran<&calls::MPI_Init_thread> {
    static void call(const int* required, int* provided, int* error)
    {
        *error = calls::MPI_Init_thread(nullptr, nullptr, *required, provided);
    }
};
template <>
struct Fortran<&calls::MPI_Buffer_detach> {
    static void call(const void*, int* size, int* error)
    {
        void* ours = nullptr;
        *error = calls::MPI_Buffer_detach(static_cast<void*>(&ours), size);
    }
};

/// Blanks before it are part of a name.
template <auto kCall>
struct SetName {
    static void call(const int* handle, const char* name, int* error, std::size_t length)
    {
        *error = kCall(*handle, without_last_blanks(name, length).c_str());
    }
};
template <>
struct Fortran<&calls::MPI_Comm_set_name> : SetName<&calls::MPI_Comm_set_name> {};
template <>
struct Fortran<&calls::MPI_Type_set_name> : SetName<&calls::MPI_Type_set_name> {};
template <>
struct Fortran<&calls::MPI_Add_error_string> : SetName<&calls::MPI_Add_error_string> {};
template <>
struct Fortran<&calls::MPI_Win_set_name> : SetName<&calls::MPI_Win_set_name> {};

/// Indices begin with 1.
void count_from_one(int* index)
{
    if (*index != MPI_UNDEFINED) ++*index;
}
template <>
struct Fortran<&calls::MPI_Waitany> {
    static void call(const int* count, MPI_Request* requests, int* index, void* status, int* error)
    {
        *error = calls::MPI_Waitany(*count, requests, index, FromFortran<MPI_Status*>(status, 0).value());
        count_from_one(index);
    }
};
template <>
struct Fortran<&calls::MPI_Testany> {
    static void call(const int* count, MPI_Request* requests, int* index, int* flag, void* status, int* error)
    {
        *error = calls::MPI_Testany(*count, requests, index, flag, FromFortran<MPI_Status*>(status, 0).value());
        count_from_one(index);
    }
};
template <auto kCall>
struct SomeOfThem {
    static void call(const int* count, MPI_Request* requests, int* done, int* indices, void* statuses, int* error)
    {
        *done = 0;
        *error = kCall(*count, requests, done, indices, FromFortran<MPI_Status*>(statuses, 0).value());
        for (int i = 0; i < *done; ++i) count_from_one(indices + i);
    }
};
template <>
struct Fortran<&calls::MPI_Waitsome> : SomeOfThem<&calls::MPI_Waitsome> {};
template <>
struct Fortran<&calls::MPI_Testsome> : SomeOfThem<&calls::MPI_Testsome> {};

/// MPI-1's addresses are of type INTEGER, which holds half of one. Differences are right also then, and what the call
/// has told stands for the whole address in a datatype.
template <>
struct Fortran<&calls::MPI_Address> {
    static void call(void* location, int* address, int* error)
    {
        MPI_Aint all = 0;
        *error = calls::MPI_Address(FromFortran<void*>(location, 0).value(), &all);
        *address = static_cast<int>(all);
        Guest::current().short_addresses()[*address] = all;
    }
};
template <>
struct Fortran<&calls::MPI_Type_hvector> {
    static void call(const int* count, const int* length, const int* stride, const MPI_Datatype* type,
                     MPI_Datatype* made, int* error)
    {
        *error = calls::MPI_Type_hvector(*count, *length, *stride, *type, made);
    }
};
std::vector<MPI_Aint> long_ones(const int* places, int count)
{
    const auto& told = Guest::current().short_addresses();
    std::vector<MPI_Aint> all(places, places + std::max(count, 0));
    for (MPI_Aint& place : all) {
        if (const auto whole = told.find(static_cast<int>(place)); whole != told.end()) place = whole->second;
    }
    return all;
}
template <>
struct Fortran<&calls::MPI_Type_hindexed> {
    static void call(const int* count, int* lengths, const int* places, const MPI_Datatype* type, MPI_Datatype* made,
                     int* error)
    {
        *error = calls::MPI_Type_hindexed(*count, lengths, long_ones(places, *count).data(), *type, made);
    }
};
template <>
struct Fortran<&calls::MPI_Type_struct> {
    static void call(const int* count, int* lengths, const int* places, MPI_Datatype* types, MPI_Datatype* made,
                     int* error)
    {
        *error = calls::MPI_Type_struct(*count, lengths, long_ones(places, *count).data(), types, made);
    }
};
template <auto kCall>
struct ShortExtent {
    static void call(const MPI_Datatype* type, int* bytes, int* error)
    {
        MPI_Aint all = 0;
        *error = kCall(*type, &all);
        *bytes = static_cast<int>(all);
    }
};
template <>
struct Fortran<&calls::MPI_Type_extent> : ShortExtent<&calls::MPI_Type_extent> {};
template <>
struct Fortran<&calls::MPI_Type_lb> : ShortExtent<&calls::MPI_Type_lb> {};
template <>
struct Fortran<&calls::MPI_Type_ub> : ShortExtent<&calls::MPI_Type_ub> {};

/// An attribute is a number, of type INTEGER in MPI-1 and as long as an address otherwise. What Fortran has set is a
/// pointer to the number in C, and what C has set is its pointer as a number.
void* pointer_of(MPI_Aint number)
{
    auto kept = std::make_shared<MPI_Aint>(number);
    Guest::current().keep(kept);
    return kept.get();
}
template <class Number>
Number number_of(const void* pointer)
{
    const bool is_ours = Guest::current().keeps(pointer);
    return static_cast<Number>(is_ours ? *static_cast<const MPI_Aint*>(pointer) : reinterpret_cast<MPI_Aint>(pointer));
}
template <class Number>
struct FortranKeyval {
    void (*copy)(int* handle, int* key, Number* extra, Number* value, Number* copy, int* flag, int* error);
    void (*remove)(int* handle, int* key, Number* value, Number* extra, int* error);
    Number extra;
};
template <class Number>
int copy_fortran(int handle, int key, void* extra, void* value, void* copy, int* flag)
{
    auto& keyval = *static_cast<FortranKeyval<Number>*>(extra);
    auto number = number_of<Number>(value);
    Number copied = number;
    int error = MPI_SUCCESS;
    keyval.copy(&handle, &key, &keyval.extra, &number, &copied, flag, &error);
    *static_cast<void**>(copy) = pointer_of(copied);
    return error;
}
template <class Number>
int remove_fortran(int handle, int key, void* value, void* extra)
{
    auto& keyval = *static_cast<FortranKeyval<Number>*>(extra);
    auto number = number_of<Number>(value);
    int error = MPI_SUCCESS;
    keyval.remove(&handle, &key, &number, &keyval.extra, &error);
    return error;
}
template <auto kCall, class Number>
struct CreateKeyval {
    static void call(decltype(FortranKeyval<Number>::copy) copy, decltype(FortranKeyval<Number>::remove) remove,
                     int* key, const Number* extra, int* error)
    {
        const auto keyval = std::make_shared<FortranKeyval<Number>>(FortranKeyval<Number>{copy, remove, *extra});
        Guest::current().keep(keyval);
        *error = kCall(&copy_fortran<Number>, &remove_fortran<Number>, key, keyval.get());
    }
};
template <auto kCall, class Number>
struct SetAttribute {
    static void call(const int* handle, const int* key, const Number* value, int* error)
    {
        *error = kCall(*handle, *key, pointer_of(*value));
    }
};
/// In C, the library's own are addresses of numbers, but for the base of a window.
MPI_Aint own_or_number_of(int key, const void* found)
{
    if (key == MPI_WIN_SIZE) return *static_cast<const MPI_Aint*>(found);
    const bool is_own = key >= MPI_TAG_UB && key <= MPI_WIN_MODEL && key != MPI_WIN_BASE;
    return is_own ? *static_cast<const int*>(found) : number_of<MPI_Aint>(found);
}
template <auto kCall, class Number>
struct GetAttribute {
    static void call(const int* handle, const int* key, Number* value, int* flag, int* error)
    {
        void* found = nullptr;
        *error = kCall(*handle, *key, static_cast<void*>(&found), flag);
        if (*error != MPI_SUCCESS || *flag == 0) return;
        *value = static_cast<Number>(own_or_number_of(*key, found));
    }
};
template <>
struct Fortran<&calls::MPI_Comm_create_keyval> : CreateKeyval<&calls::MPI_Comm_create_keyval, MPI_Aint> {};
template <>
struct Fortran<&calls::MPI_Comm_set_attr> : SetAttribute<&calls::MPI_Comm_set_attr, MPI_Aint> {};
template <>
struct Fortran<&calls::MPI_Comm_get_attr> : GetAttribute<&calls::MPI_Comm_get_attr, MPI_Aint> {};
template <>
struct Fortran<&calls::MPI_Type_create_keyval> : CreateKeyval<&calls::MPI_Type_create_keyval, MPI_Aint> {};
template <>
struct Fortran<&calls::MPI_Type_set_attr> : SetAttribute<&calls::MPI_Type_set_attr, MPI_Aint> {};
template <>
struct Fortran<&calls::MPI_Type_get_attr> : GetAttribute<&calls::MPI_Type_get_attr, MPI_Aint> {};
template <>
struct Fortran<&calls::MPI_Win_create_keyval> : CreateKeyval<&calls::MPI_Win_create_keyval, MPI_Aint> {};
template <>
struct Fortran<&calls::MPI_Win_set_attr> : SetAttribute<&calls::MPI_Win_set_attr, MPI_Aint> {};
template <>
struct Fortran<&calls::MPI_Win_get_attr> : GetAttribute<&calls::MPI_Win_get_attr, MPI_Aint> {};
template <>
struct Fortran<&calls::MPI_Keyval_create> : CreateKeyval<&calls::MPI_Keyval_create, int> {};
template <>
struct Fortran<&calls::MPI_Attr_put> : SetAttribute<&calls::MPI_Attr_put, int> {};
template <>
struct Fortran<&calls::MPI_Attr_get> : GetAttribute<&calls::MPI_Attr_get, int> {};

/// Its functions have the program's own variable, which they may change.
struct FortranRequest {
    void (*query)(MPI_Aint* extra, MPI_Status* status, int* error);
    void (*release)(MPI_Aint* extra, int* error);
    void (*cancel)(MPI_Aint* extra, int* complete, int* error);
    MPI_Aint* extra;
};
FortranRequest& fortran_request(void* extra) { return *static_cast<FortranRequest*>(extra); }
template <>
struct Fortran<&calls::MPI_Grequest_start> {
    static void call(decltype(FortranRequest::query) query, decltype(FortranRequest::release) release,
                     decltype(FortranRequest::cancel) cancel, MPI_Aint* extra, MPI_Request* request, int* error)
    {
        const auto own = std::make_shared<FortranRequest>(FortranRequest{query, release, cancel, extra});
        Guest::current().keep(own);
        *error = calls::MPI_Grequest_start(
            [](void* of, MPI_Status* status) {
                int code = MPI_SUCCESS;
                fortran_request(of).query(fortran_request(of).extra, status, &code);
                return code;
            },
            [](void* of) {
                int code = MPI_SUCCESS;
                fortran_request(of).release(fortran_request(of).extra, &code);
                return code;
            },
            [](void* of, int complete) {
                int code = MPI_SUCCESS;
                fortran_request(of).cancel(fortran_request(of).extra, &complete, &code);
                return code;
            },
            own.get(), request);
    }
};
/// @}

template <class Result, class... T>
constexpr std::size_t count_arguments(Result (*)(T...))
{
    return sizeof...(T);
}

}  // namespace

ringmesh_fortran_call* fortran_calls()
{
    static ringmesh_fortran_call all[] = {
#define CALL(result, name, parameters, arguments) reinterpret_cast<ringmesh_fortran_call>(&Fortran<&calls::name>::call),
#include "workloads/foreign/program/mpi_calls.inc"
#undef CALL
    };
    return all;
}

const std::vector<FortranCall>& known_fortran_calls()
{
    static const std::vector<FortranCall> all{
#define CALL(result, name, parameters, arguments) \
    {#name, #result, #parameters, count_arguments(&Fortran<&calls::name>::call)},
#include "workloads/foreign/program/mpi_calls.inc"
#undef CALL
    };
    return all;
}

}  // namespace ringmesh::workloads::foreign
