// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/calls/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace ringmesh::workloads::foreign {
namespace {

/// Its place; end() if it is not there.
Info::iterator place_of_key(Info& info, const char* key)
{
    return std::find_if(info.begin(), info.end(), [key](const auto& each) { return each.first == key; });
}

void require_key(const char* key)
{
    if (key == nullptr || *key == 0 || std::strlen(key) > MPI_MAX_INFO_KEY) {
        throw Failure{MPI_ERR_INFO_KEY, "no key, or one that is too long"};
    }
}

}  // namespace

namespace calls {

int MPI_Info_create(MPI_Info* info)
{
    return call("MPI_Info_create", [&](Process& process) { *info = process.infos.add(std::make_shared<Info>()); });
}
int MPI_Info_dup(MPI_Info info, MPI_Info* made)
{
    return call("MPI_Info_dup",
                [&](Process& process) { *made = process.infos.add(std::make_shared<Info>(info_of(process, info))); });
}
int MPI_Info_free(MPI_Info* info)
{
    return call("MPI_Info_free", [&](Process& process) {
        info_of(process, *info);
        process.infos.remove(*info);
        *info = MPI_INFO_NULL;
    });
}
int MPI_Info_set(MPI_Info handle, const char* key, const char* value)
{
    return call("MPI_Info_set", [&](Process& process) {
        Info& info = info_of(process, handle);
        require_key(key);
        if (value == nullptr || std::strlen(value) > MPI_MAX_INFO_VAL) {
            throw Failure{MPI_ERR_INFO_VALUE, "no value, or one that is too long"};
        }
        const auto place = place_of_key(info, key);
        if (place == info.end()) {
            info.emplace_back(key, value);
        } else {
            place->second = value;
        }
    });
}
int MPI_Info_get(MPI_Info handle, const char* key, int most, char* value, int* flag)
{
    return call("MPI_Info_get", [&](Process& process) {
        Info& info = info_of(process, handle);
        require_key(key);
        const auto place = place_of_key(info, key);
        *flag = place == info.end() ? 0 : 1;
        if (*flag == 0) return;
        const std::string text = place->second.substr(0, count_of(most));
        std::memcpy(value, text.c_str(), text.size() + 1);
    });
}
int MPI_Info_delete(MPI_Info handle, const char* key)
{
    return call("MPI_Info_delete", [&](Process& process) {
        Info& info = info_of(process, handle);
        require_key(key);
        const auto place = place_of_key(info, key);
        if (place == info.end()) throw Failure{MPI_ERR_INFO_NOKEY, fmt::format("no key {}", key)};
        info.erase(place);
    });
}
int MPI_Info_get_nkeys(MPI_Info info, int* count)
{
    return call("MPI_Info_get_nkeys",
                [&](Process& process) { *count = static_cast<int>(info_of(process, info).size()); });
}
int MPI_Info_get_nthkey(MPI_Info handle, int number, char* key)
{
    return call("MPI_Info_get_nthkey", [&](Process& process) {
        const Info& info = info_of(process, handle);
        if (number < 0 || static_cast<std::size_t>(number) >= info.size()) {
            throw Failure{MPI_ERR_ARG, fmt::format("key {} of {}", number, info.size())};
        }
        int length = 0;
        put_text(info[static_cast<std::size_t>(number)].first, key, &length);
    });
}
int MPI_Info_get_valuelen(MPI_Info handle, const char* key, int* length, int* flag)
{
    return call("MPI_Info_get_valuelen", [&](Process& process) {
        Info& info = info_of(process, handle);
        require_key(key);
        const auto place = place_of_key(info, key);
        *flag = place == info.end() ? 0 : 1;
        if (*flag != 0) *length = static_cast<int>(place->second.size());
    });
}

int MPI_Alloc_mem(MPI_Aint size, MPI_Info, void* memory)
{
    return call("MPI_Alloc_mem", [&](Process& process) {
        if (size < 0) throw Failure{MPI_ERR_ARG, fmt::format("{} bytes", size)};
        void* const made = std::malloc(std::max<std::size_t>(static_cast<std::size_t>(size), 1));
        if (made == nullptr) throw Failure{MPI_ERR_NO_MEM, fmt::format("{} bytes", size)};
        *static_cast<void**>(memory) = made;
        process.given_out[static_cast<std::byte*>(made)] = size;
    });
}
int MPI_Free_mem(void* memory)
{
    return call("MPI_Free_mem", [&](Process& process) {
        process.given_out.erase(static_cast<std::byte*>(memory));
        std::free(memory);
    });
}

}  // namespace calls
}  // namespace ringmesh::workloads::foreign
