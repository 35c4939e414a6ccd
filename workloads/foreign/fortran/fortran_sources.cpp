// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/foreign/fortran/fortran.h"
#include "workloads/foreign/fortran/fortran_calls.h"

namespace ringmesh::workloads::foreign {
namespace {

constexpr std::size_t kStatusSize = sizeof(MPI_Status) / sizeof(int);

bool one_of(std::string_view name, const std::vector<std::string_view>& names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string in_c(const FortranCall& call, std::size_t number)
{
    std::string lower(call.name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string types;
    std::string declared;
    std::string passed;
    for (std::size_t i = 0; i < call.arguments; ++i) {
        const char* const comma = i == 0 ? "" : ", ";
        types += fmt::format("{}any", comma);
        declared += fmt::format("{}any a{}", comma, i);
        passed += fmt::format("{}a{}", comma, i);
    }
    const std::string_view result = call.result == "int" ? "void" : call.result;
    return fmt::format(
        "{0} p{1}_({2});\n{0} p{1}_({2}) {{ {3}(({0} (*)({4}))ringmesh_fortran_calls[{5}])({6}); }}\n"
        "{0} {1}_({2}) __attribute__((weak, alias(\"p{1}_\")));\n",
        result, lower, declared, result == "void" ? "" : "return ", types, number, passed);
}

/// The numbers that a header of C defines, by name; some of them by another's.
std::vector<std::pair<std::string, int>> numbers_of(std::string_view header)
{
    std::vector<std::pair<std::string, int>> all;
    std::map<std::string, int> known;
    constexpr std::string_view kDefine = "#define MPI_";
    for (std::size_t at = header.find(kDefine); at != std::string_view::npos; at = header.find(kDefine, at + 1)) {
        const std::string_view line = header.substr(at + 8, header.find('\n', at) - at - 8);
        const std::string name(line.substr(0, line.find_first_of(" (")));
        if (line.size() <= name.size() || line[name.size()] != ' ') continue;
        std::string value(line.substr(name.size() + 1));
        if (value.starts_with('(') && value.ends_with(')')) value = value.substr(1, value.size() - 2);
        int number = 0;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
        if (read.ec != std::errc() || read.ptr != value.data() + value.size()) {
            const auto other = known.find(value);
            if (other == known.end()) continue;  // no number
            number = other->second;
        }
        known[name] = number;
        // Texts have no zero at their end
        all.emplace_back(name, name.starts_with("MPI_MAX_") ? number - 1 : number);
    }
    return all;
}

std::string constants_text(std::string_view mpi_h)
{
    std::string text;
    const auto add = [&text](std::string_view name, int number) {
        text += fmt::format("      integer {0}\n      parameter ({0}={1})\n", name, number);
    };
    for (const auto& [name, number] : numbers_of(mpi_h)) add(name, number);
    add("MPI_STATUS_SIZE", kStatusSize);
    add("MPI_SOURCE", 1);
    add("MPI_TAG", 2);
    add("MPI_ERROR", 3);
    add("MPI_INTEGER_KIND", sizeof(int));
    add("MPI_ADDRESS_KIND", sizeof(MPI_Aint));
    add("MPI_OFFSET_KIND", sizeof(MPI_Offset));
    add("MPI_COUNT_KIND", sizeof(MPI_Count));
    for (const char* name : {"MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"}) {
        text += fmt::format("      logical {0}\n      parameter ({0}=.false.)\n", name);
    }
    text +=
        "! Each stands for a constant by its address: table.h, ringmesh_constants\n"
        "      integer MPI_BOTTOM, MPI_IN_PLACE\n"
        "      integer MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)\n"
        "      integer MPI_ERRCODES_IGNORE(1)\n"
        "      integer MPI_STATUS_IGNORE(MPI_STATUS_SIZE)\n"
        "      integer MPI_STATUSES_IGNORE(MPI_STATUS_SIZE,1)\n"
        "      common /ringmesh_constants/ MPI_BOTTOM, MPI_IN_PLACE\n"
        "      common /ringmesh_constants/ MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY\n"
        "      common /ringmesh_constants/ MPI_ERRCODES_IGNORE\n"
        "      common /ringmesh_constants/ MPI_STATUS_IGNORE\n"
        "      common /ringmesh_constants/ MPI_STATUSES_IGNORE\n"
        "      external MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, MPI_DUP_FN\n"
        "      external MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN\n"
        "      external MPI_COMM_DUP_FN\n"
        "      external MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN\n"
        "      external MPI_TYPE_DUP_FN\n"
        "      external MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN\n"
        "      external MPI_WIN_DUP_FN\n";
    return text;
}

/// How Fortran declares an argument of C's.
struct Declared {
    std::string name;
    std::string text;  ///< with a line's end
};

Declared declared(const FortranCall& call, std::string_view parameter)
{
    // MPI-1's addresses and attributes
    static const std::vector<std::string_view> kShort{
        "MPI_Address", "MPI_Type_hvector", "MPI_Type_hindexed", "MPI_Type_struct", "MPI_Type_extent",
        "MPI_Type_lb", "MPI_Type_ub",      "MPI_Keyval_create", "MPI_Attr_put",    "MPI_Attr_get"};
    static const std::vector<std::string_view> kTruths{"flag",   "reorder", "commutes", "high",
                                                       "remain", "periods", "weighted"};
    static const std::vector<std::string_view> kNoArrays{"address",     "commutes", "dimensions",
                                                         "error_class", "nodes",    "status"};
    const std::size_t before = parameter.find_last_of(" *") + 1;
    std::string_view name = parameter.substr(before);
    const bool is_constant = parameter.starts_with("const ");
    std::string_view type = parameter.substr(is_constant ? 6 : 0);
    type = type.substr(0, type.find_first_of(" *"));
    const bool is_pointer = parameter.find('*') != std::string_view::npos;
    if (name.ends_with("[][3]")) {
        name.remove_suffix(5);
        return {std::string(name), fmt::format("integer :: {}(3, *)\n", name)};
    }
    std::string own(name == "type" ? "datatype" : name);
    const std::string_view wide = one_of(call.name, kShort) ? "integer" : "integer(8)";
    const bool is_attribute = one_of(name, {"value", "extra"});
    if (type.ends_with("function")) return {own, fmt::format("external :: {}\n", own)};
    if (type == "void" && is_attribute) return {own, fmt::format("{} :: {}\n", wide, own)};
    if (type == "void") {
        return {own, fmt::format("!GCC$ ATTRIBUTES NO_ARG_CHECK :: {0}\n      type(*), dimension(*) :: {0}\n", own)};
    }
    if (type == "char") return {own, fmt::format("character(len=*) :: {}\n", own)};
    const bool names_several = name.ends_with('s') && !one_of(name, kNoArrays) &&
                               !one_of(call.name, {"MPI_Graphdims_get", "MPI_Type_get_envelope"});
    const bool is_array = is_pointer && (is_constant || names_several || call.name == "MPI_Graph_get");
    if (type == "MPI_Status") {
        return {own, fmt::format("integer :: {}({}{})\n", own, kStatusSize, names_several ? ", *" : "")};
    }
    std::string_view kind = one_of(name, kTruths) ? "logical" : "integer";
    if (one_of(type, {"MPI_Count", "MPI_Offset"})) kind = "integer(8)";
    if (type == "MPI_Aint") kind = wide;
    return {own, fmt::format("{} :: {}{}\n", kind, own, is_array ? "(*)" : "")};
}

std::string interface_of(const FortranCall& call)
{
    const bool is_function = call.result != "int";
    std::string names;
    std::string lines;
    std::string_view rest = call.parameters.substr(1, call.parameters.size() - 2);
    while (!rest.empty() && rest != "void") {
        const std::size_t comma = rest.find(", ");
        const std::string_view parameter = rest.substr(0, comma);
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
        if (one_of(parameter, {"int *argc", "char ***argv"})) continue;
        const Declared each = declared(call, parameter);
        names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
        lines += "      " + each.text;
    }
    std::string text;
    for (const char* const prefix : {"", "P"}) {
        if (is_function) {
            text +=
                fmt::format("    function {}{}({})\n{}      {} :: {}{}\n    end function\n", prefix, call.name, names,
                            lines, call.result == "double" ? "double precision" : "integer(8)", prefix, call.name);
        } else {
            text += fmt::format("    subroutine {}{}({}{}ierror)\n{}      integer :: ierror\n    end subroutine\n",
                                prefix, call.name, names, names.empty() ? "" : ", ", lines);
        }
    }
    return text;
}

}  // namespace

FortranSources fortran_sources(std::string_view mpi_h)
{
    FortranSources sources;
    sources.constants = constants_text(mpi_h);
    sources.mpif = sources.constants;
    for (const FortranCall& call : known_fortran_calls()) {
        sources.calls += in_c(call, static_cast<std::size_t>(&call - known_fortran_calls().data()));
        sources.interfaces += interface_of(call);
        if (call.result == "int") continue;
        for (const char* const prefix : {"", "P"}) {
            sources.mpif += fmt::format("      {0} {1}{2}\n      external {1}{2}\n",
                                        call.result == "double" ? "double precision" : "integer*8", prefix, call.name);
        }
    }
    return sources;
}

}  // namespace ringmesh::workloads::foreign
