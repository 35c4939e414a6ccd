// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/calls/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringmesh::workloads::foreign {
namespace {

int put_group(std::string_view name, MPI_Group* made, const std::function<Members(Process&)>& members)
{
    return call(name, [&](Process& process) {
        Members all = members(process);
        *made = all.empty() ? MPI_GROUP_EMPTY : process.groups.add(std::make_shared<Members>(std::move(all)));
    });
}

bool has(const Members& members, unsigned rank)
{
    return std::find(members.begin(), members.end(), rank) != members.end();
}

int compare_members(const Members& one, const Members& other)
{
    if (one == other) return MPI_IDENT;
    const bool is_permuted = one.size() == other.size() && std::is_permutation(one.begin(), one.end(), other.begin());
    return is_permuted ? MPI_SIMILAR : MPI_UNEQUAL;
}

std::vector<int> ranks_in(const int (*ranges)[3], int count, std::size_t size)
{
    std::vector<int> all;
    count_of(count);
    for (int i = 0; i < count; ++i) {
        const int step = ranges[i][2];
        if (step == 0) throw Failure{MPI_ERR_ARG, "a stride of 0"};
        for (int rank = ranges[i][0]; step > 0 ? rank <= ranges[i][1] : rank >= ranges[i][1]; rank += step) {
            if (rank < 0 || static_cast<std::size_t>(rank) >= size) throw Failure{MPI_ERR_RANK, "a rank out of range"};
            all.push_back(rank);
        }
    }
    return all;
}

Members chosen(const Members& group, const std::vector<int>& ranks, bool are_left_out)
{
    Members all;
    for (const int rank : ranks) {
        if (rank < 0 || static_cast<std::size_t>(rank) >= group.size()) {
            throw Failure{MPI_ERR_RANK, fmt::format("rank {} of a group of {}", rank, group.size())};
        }
        if (!are_left_out) all.push_back(group[static_cast<std::size_t>(rank)]);
    }
    if (!are_left_out) return all;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (std::find(ranks.begin(), ranks.end(), static_cast<int>(i)) == ranks.end()) all.push_back(group[i]);
    }
    return all;
}

int place_in(const Members& members, unsigned rank)
{
    const auto found = std::find(members.begin(), members.end(), rank);
    return found == members.end() ? MPI_UNDEFINED : static_cast<int>(found - members.begin());
}

Comm inter_of(Process& process, MPI_Comm handle)
{
    Comm comm = comm_of(process, handle);
    if (!comm->is_inter()) throw Failure{MPI_ERR_COMM, "a communicator of one group"};
    return comm;
}

/// What a program promises of its messages; other keys are nobody's.
Info known_hints(const Info& info)
{
    static constexpr std::string_view kKnown[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                                                  "mpi_assert_exact_length", "mpi_assert_allow_overtaking"};
    Info known;
    for (const auto& each : info) {
        if (std::find(std::begin(kKnown), std::end(kKnown), each.first) != std::end(kKnown)) known.push_back(each);
    }
    return known;
}

int duplicate(const Collective& what, MPI_Info info, MPI_Comm* made)
{
    *made = MPI_COMM_NULL;
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        const Attributes attributes = process.copies_of(comm->attributes, what.comm);
        std::optional<Info> hints;
        if (info != MPI_INFO_NULL) hints = known_hints(info_of(process, info));
        // One that comes later has its handle already
        const auto place = std::make_shared<Communicator>();
        *made = process.communicators.add(place);
        return [=, &process] {
            *place = *process.duplicate(comm, attributes);
            if (hints) place->info = *hints;
        };
    });
}

int free_comm(std::string_view name, MPI_Comm* handle)
{
    return call(name, *handle, [&](Process& process) {
        const Comm comm = comm_of(process, *handle);
        if (*handle == MPI_COMM_WORLD || *handle == MPI_COMM_SELF) {
            throw Failure{MPI_ERR_COMM, "a communicator that stays"};
        }
        process.free(comm, *handle);
        *handle = MPI_COMM_NULL;
    });
}

int set_comm_attribute(std::string_view name, MPI_Comm handle, int key, void* value)
{
    return call(name, handle, [&](Process& process) {
        set_attribute(process, comm_of(process, handle)->attributes, handle, key, value);
    });
}

int get_comm_attribute(std::string_view name, MPI_Comm handle, int key, void* value, int* flag)
{
    return call(name, handle, [&](Process& process) {
        static int highest = 0x7fffffff;
        static int nobody = MPI_PROC_NULL;
        static int anybody = MPI_ANY_SOURCE;
        static int yes = 1;
        static int first = 0;
        static int all = 0;
        const Comm comm = comm_of(process, handle);
        void* found = nullptr;
        switch (key) {
            case MPI_TAG_UB: found = &highest; break;
            case MPI_HOST: found = &nobody; break;
            case MPI_IO: found = &anybody; break;
            case MPI_WTIME_IS_GLOBAL: found = &yes; break;
            case MPI_LASTUSEDCODE: found = &process.last_code; break;
            case MPI_APPNUM: found = &first; break;
            case MPI_UNIVERSE_SIZE:
                all = comm_of(process, MPI_COMM_WORLD)->size();
                found = &all;
                break;
            default: {
                if (!process.keyvals.find(key)) throw Failure{MPI_ERR_KEYVAL, "no such key"};
                void* const* const place = find_attribute(comm->attributes, key);
                *flag = place == nullptr ? 0 : 1;
                if (place != nullptr) *static_cast<void**>(value) = *place;
                return;
            }
        }
        *flag = 1;
        *static_cast<void**>(value) = found;
    });
}

int delete_comm_attribute(std::string_view name, MPI_Comm handle, int key)
{
    return call(name, handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        if (!process.keyvals.find(key)) throw Failure{MPI_ERR_KEYVAL, "no such key"};
        process.delete_attribute(comm->attributes, handle, key);
    });
}

}  // namespace

namespace calls {

int MPI_Comm_size(MPI_Comm comm, int* size)
{
    return call("MPI_Comm_size", comm, [&](Process& process) { *size = comm_of(process, comm)->size(); });
}
int MPI_Comm_rank(MPI_Comm comm, int* rank)
{
    return call("MPI_Comm_rank", comm, [&](Process& process) { *rank = comm_of(process, comm)->rank; });
}
int MPI_Comm_compare(MPI_Comm one, MPI_Comm other, int* result)
{
    return call("MPI_Comm_compare", one, [&](Process& process) {
        const Comm first = comm_of(process, one);
        const Comm second = comm_of(process, other);
        if (first->is_inter() != second->is_inter()) {
            *result = MPI_UNEQUAL;
            return;
        }
        const int own = compare_members(first->members, second->members);
        const int remote = first->is_inter() ? compare_members(*first->remote, *second->remote) : MPI_IDENT;
        *result = std::max(own, remote);
        if (*result == MPI_IDENT && one != other) *result = MPI_CONGRUENT;
    });
}
int MPI_Comm_dup(MPI_Comm handle, MPI_Comm* made) { return duplicate({"MPI_Comm_dup", handle}, MPI_INFO_NULL, made); }
int MPI_Comm_dup_with_info(MPI_Comm handle, MPI_Info info, MPI_Comm* made)
{
    return duplicate({"MPI_Comm_dup_with_info", handle}, info, made);
}
int MPI_Comm_idup(MPI_Comm handle, MPI_Comm* made, MPI_Request* request)
{
    return duplicate({"MPI_Comm_idup", handle, kNoRoot, request}, MPI_INFO_NULL, made);
}
int MPI_Comm_idup_with_info(MPI_Comm handle, MPI_Info info, MPI_Comm* made, MPI_Request* request)
{
    return duplicate({"MPI_Comm_idup_with_info", handle, kNoRoot, request}, info, made);
}
int MPI_Comm_set_info(MPI_Comm handle, MPI_Info info)
{
    return call("MPI_Comm_set_info", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        if (info != MPI_INFO_NULL) comm->info = known_hints(info_of(process, info));
    });
}
int MPI_Comm_get_info(MPI_Comm handle, MPI_Info* info)
{
    return call("MPI_Comm_get_info", handle, [&](Process& process) {
        *info = process.infos.add(std::make_shared<Info>(comm_of(process, handle)->info));
    });
}
int MPI_Comm_create(MPI_Comm handle, MPI_Group group, MPI_Comm* made)
{
    return collective_now({"MPI_Comm_create", handle}, [&](Process& process, const Comm& comm) {
        const auto members = group_of(process, group);
        for (const unsigned member : *members) {
            if (!has(comm->members, member)) throw Failure{MPI_ERR_GROUP, "a group with others than the members"};
        }
        if (!comm->is_inter()) {
            put_comm(process, made, process.make_communicator(*comm, comm, *members));
            return;
        }
        const int place = place_in(*members, static_cast<unsigned>(process.rank()));
        const int color = place == MPI_UNDEFINED ? MPI_UNDEFINED : 0;
        put_comm(process, made, process.split(comm, color, std::max(place, 0)));
    });
}
int MPI_Comm_create_group(MPI_Comm handle, MPI_Group group, int tag, MPI_Comm* made)
{
    return call("MPI_Comm_create_group", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        require_tag(tag);
        put_comm(process, made, process.make_of_group(comm, *group_of(process, group), tag));
    });
}
int MPI_Comm_split_type(MPI_Comm handle, int type, int key, MPI_Info, MPI_Comm* made)
{
    return collective_now({"MPI_Comm_split_type", handle}, [&](Process& process, const Comm& comm) {
        if (type != MPI_COMM_TYPE_SHARED && type != MPI_UNDEFINED) throw Failure{MPI_ERR_ARG, "no such type"};
        const int color = type == MPI_UNDEFINED ? MPI_UNDEFINED : static_cast<int>(process.node());
        put_comm(process, made, process.split(comm, color, key));
    });
}
int MPI_Comm_remote_size(MPI_Comm handle, int* size)
{
    return call("MPI_Comm_remote_size", handle,
                [&](Process& process) { *size = static_cast<int>(inter_of(process, handle)->remote->size()); });
}
int MPI_Comm_remote_group(MPI_Comm handle, MPI_Group* group)
{
    return put_group("MPI_Comm_remote_group", group,
                     [&](Process& process) { return *inter_of(process, handle)->remote; });
}
int MPI_Intercomm_create(MPI_Comm handle, int leader, MPI_Comm bridge, int remote_leader, int tag, MPI_Comm* made)
{
    return collective_now({"MPI_Intercomm_create", handle}, [&](Process& process, const Comm& local) {
        require_rank(*local, leader);
        Comm link;
        if (local->rank == leader) {
            link = comm_of(process, bridge);
            require_rank(*link, remote_leader);
            require_tag(tag);
        }
        put_comm(process, made, process.make_inter(local, leader, link, remote_leader, tag));
    });
}
int MPI_Intercomm_merge(MPI_Comm handle, int high, MPI_Comm* made)
{
    return collective_now({"MPI_Intercomm_merge", handle}, [&](Process& process, const Comm& comm) {
        if (!comm->is_inter()) throw Failure{MPI_ERR_COMM, "a communicator of one group"};
        put_comm(process, made, process.merge(comm, high != 0));
    });
}
int MPI_Comm_split(MPI_Comm handle, int color, int key, MPI_Comm* made)
{
    return collective_now({"MPI_Comm_split", handle}, [&](Process& process, const Comm& comm) {
        if (color < 0 && color != MPI_UNDEFINED) throw Failure{MPI_ERR_ARG, fmt::format("a color of {}", color)};
        put_comm(process, made, process.split(comm, color, key));
    });
}
int MPI_Comm_free(MPI_Comm* handle) { return free_comm("MPI_Comm_free", handle); }
int MPI_Comm_disconnect(MPI_Comm* handle) { return free_comm("MPI_Comm_disconnect", handle); }
int MPI_Comm_group(MPI_Comm comm, MPI_Group* group)
{
    return call("MPI_Comm_group", comm, [&](Process& process) {
        *group = process.groups.add(std::make_shared<Members>(comm_of(process, comm)->members));
    });
}
int MPI_Comm_test_inter(MPI_Comm comm, int* flag)
{
    return call("MPI_Comm_test_inter", comm,
                [&](Process& process) { *flag = comm_of(process, comm)->is_inter() ? 1 : 0; });
}
int MPI_Comm_set_name(MPI_Comm comm, const char* name)
{
    return call("MPI_Comm_set_name", comm, [&](Process& process) {
        comm_of(process, comm)->name = std::string(name).substr(0, MPI_MAX_OBJECT_NAME - 1);
    });
}
int MPI_Comm_get_name(MPI_Comm comm, char* name, int* length)
{
    return call("MPI_Comm_get_name", comm,
                [&](Process& process) { put_text(comm_of(process, comm)->name, name, length); });
}
int MPI_Group_size(MPI_Group group, int* size)
{
    return call("MPI_Group_size",
                [&](Process& process) { *size = static_cast<int>(group_of(process, group)->size()); });
}
int MPI_Group_rank(MPI_Group group, int* rank)
{
    return call("MPI_Group_rank", [&](Process& process) {
        const auto members = group_of(process, group);
        const auto found = std::find(members->begin(), members->end(), static_cast<unsigned>(process.rank()));
        *rank = found == members->end() ? MPI_UNDEFINED : static_cast<int>(found - members->begin());
    });
}
int MPI_Group_translate_ranks(MPI_Group one, int count, const int* ranks, MPI_Group other, int* others)
{
    return call("MPI_Group_translate_ranks", [&](Process& process) {
        const auto from = group_of(process, one);
        const auto to = group_of(process, other);
        for (int i = 0; i < count; ++i) {
            if (ranks[i] == MPI_PROC_NULL) {
                others[i] = MPI_PROC_NULL;
                continue;
            }
            const unsigned world = chosen(*from, {ranks[i]}, false).front();
            const auto found = std::find(to->begin(), to->end(), world);
            others[i] = found == to->end() ? MPI_UNDEFINED : static_cast<int>(found - to->begin());
        }
    });
}
int MPI_Group_compare(MPI_Group one, MPI_Group other, int* result)
{
    return call("MPI_Group_compare", [&](Process& process) {
        *result = compare_members(*group_of(process, one), *group_of(process, other));
    });
}
int MPI_Group_union(MPI_Group one, MPI_Group other, MPI_Group* made)
{
    return put_group("MPI_Group_union", made, [&](Process& process) {
        Members all = *group_of(process, one);
        for (const unsigned rank : *group_of(process, other)) {
            if (!has(all, rank)) all.push_back(rank);
        }
        return all;
    });
}
int MPI_Group_intersection(MPI_Group one, MPI_Group other, MPI_Group* made)
{
    return put_group("MPI_Group_intersection", made, [&](Process& process) {
        Members all = *group_of(process, one);
        const auto others = group_of(process, other);
        std::erase_if(all, [&](unsigned rank) { return !has(*others, rank); });
        return all;
    });
}
int MPI_Group_difference(MPI_Group one, MPI_Group other, MPI_Group* made)
{
    return put_group("MPI_Group_difference", made, [&](Process& process) {
        Members all = *group_of(process, one);
        const auto others = group_of(process, other);
        std::erase_if(all, [&](unsigned rank) { return has(*others, rank); });
        return all;
    });
}
int MPI_Group_incl(MPI_Group group, int count, const int* ranks, MPI_Group* made)
{
    return put_group("MPI_Group_incl", made, [&](Process& process) {
        return chosen(*group_of(process, group), std::vector<int>(ranks, ranks + count_of(count)), false);
    });
}
int MPI_Group_excl(MPI_Group group, int count, const int* ranks, MPI_Group* made)
{
    return put_group("MPI_Group_excl", made, [&](Process& process) {
        return chosen(*group_of(process, group), std::vector<int>(ranks, ranks + count_of(count)), true);
    });
}
int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made)
{
    return put_group("MPI_Group_range_incl", made, [&](Process& process) {
        const auto members = group_of(process, group);
        return chosen(*members, ranks_in(ranges, count, members->size()), false);
    });
}
int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made)
{
    return put_group("MPI_Group_range_excl", made, [&](Process& process) {
        const auto members = group_of(process, group);
        return chosen(*members, ranks_in(ranges, count, members->size()), true);
    });
}
int MPI_Group_free(MPI_Group* group)
{
    return call("MPI_Group_free", [&](Process& process) {
        group_of(process, *group);
        if (*group != MPI_GROUP_EMPTY) process.groups.remove(*group);
        *group = MPI_GROUP_NULL;
    });
}

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove, int* key,
                           void* extra)
{
    return create_keyval("MPI_Comm_create_keyval", copy, remove, key, extra);
}
int MPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* remove, int* key, void* extra)
{
    return create_keyval("MPI_Keyval_create", copy, remove, key, extra);
}
int MPI_Comm_free_keyval(int* key) { return free_keyval("MPI_Comm_free_keyval", key); }
int MPI_Keyval_free(int* key) { return free_keyval("MPI_Keyval_free", key); }
int MPI_Comm_set_attr(MPI_Comm comm, int key, void* value)
{
    return set_comm_attribute("MPI_Comm_set_attr", comm, key, value);
}
int MPI_Attr_put(MPI_Comm comm, int key, void* value) { return set_comm_attribute("MPI_Attr_put", comm, key, value); }
int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* flag)
{
    return get_comm_attribute("MPI_Comm_get_attr", comm, key, value, flag);
}
int MPI_Attr_get(MPI_Comm comm, int key, void* value, int* flag)
{
    return get_comm_attribute("MPI_Attr_get", comm, key, value, flag);
}
int MPI_Comm_delete_attr(MPI_Comm comm, int key) { return delete_comm_attribute("MPI_Comm_delete_attr", comm, key); }
int MPI_Attr_delete(MPI_Comm comm, int key) { return delete_comm_attribute("MPI_Attr_delete", comm, key); }

}  // namespace calls
}  // namespace ringmesh::workloads::foreign
