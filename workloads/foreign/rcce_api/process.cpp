// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/rcce_api/process.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>

#include "tlm/error.h"

namespace ringmesh::workloads::rcce_api {
namespace {

constexpr std::uint32_t kRcceLine = SccProcessor::kLine;
constexpr std::size_t kBuffers = std::size_t{RCCE_MAXNP} * SccProcessor::kMessageBuffer;
constexpr std::uint32_t kLeastRcceRoom = 64;
constexpr std::uint32_t kSlab = 64 * 1024;
constexpr std::uint32_t kLargestMessage = std::numeric_limits<std::int32_t>::max();

std::byte* reserve(std::size_t size, int access)
{
    void* const at = ::mmap(nullptr, size, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw UserError("no memory is left for what RCCE's ranks share");
    return static_cast<std::byte*>(at);
}

template <class T>
void combine(int op, std::size_t count, const std::byte* from, void* into)
{
    auto* const to = static_cast<T*>(into);
    for (std::size_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, from + i * sizeof value, sizeof value);
        switch (op) {
            case RCCE_SUM: to[i] = static_cast<T>(to[i] + value); break;
            case RCCE_MIN: to[i] = std::min(to[i], value); break;
            case RCCE_MAX: to[i] = std::max(to[i], value); break;
            default: to[i] = static_cast<T>(to[i] * value); break;
        }
    }
}

std::size_t size_of(int type)
{
    switch (type) {
        case RCCE_INT: return sizeof(int);
        case RCCE_LONG: return sizeof(long);
        case RCCE_FLOAT: return sizeof(float);
        case RCCE_DOUBLE: return sizeof(double);
        default: return 0;
    }
}

}  // namespace

Task<> Process::store(Task<bool> work, bool& value)
{
    const bool result = co_await std::move(work);
    value = result;
}
Task<> Process::store(Task<unsigned> work, unsigned& value)
{
    const unsigned result = co_await std::move(work);
    value = result;
}
Task<> Process::store(Task<std::uint8_t> work, std::uint8_t& value)
{
    const std::uint8_t result = co_await std::move(work);
    value = result;
}

CommonMemory::CommonMemory()
    : buffers_(reserve(kBuffers, PROT_NONE)), shared_(reserve(RCCE_SHM_SIZE_MAX, PROT_READ | PROT_WRITE))
{}

CommonMemory::~CommonMemory()
{
    ::munmap(buffers_, kBuffers);
    ::munmap(shared_, RCCE_SHM_SIZE_MAX);
}

std::optional<unsigned> CommonMemory::buffer_of(const void* address) const
{
    const auto at = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(buffers_);
    if (at >= kBuffers) return std::nullopt;
    return static_cast<unsigned>(at / SccProcessor::kMessageBuffer);
}

void Blocks::add(std::uint32_t offset, std::uint32_t size)
{
    const auto [at, is_new] = free_.emplace(offset, size);
    if (const auto next = std::next(at); next != free_.end() && offset + at->second == next->first) {
        at->second += next->second;
        free_.erase(next);
    }
    if (at == free_.begin()) return;
    const auto before = std::prev(at);
    if (before->first + before->second != offset) return;
    before->second += at->second;
    free_.erase(at);
}

std::optional<std::uint32_t> Blocks::take(std::uint32_t size)
{
    const auto found =
        std::find_if(free_.begin(), free_.end(), [size](const auto& each) { return each.second >= size; });
    if (found == free_.end()) return std::nullopt;
    const auto [offset, left] = *found;
    free_.erase(found);
    if (left > size) free_[offset + size] = left - size;
    taken_[offset] = size;
    return offset;
}

bool Blocks::give_back(std::uint32_t offset)
{
    const auto found = taken_.find(offset);
    if (found == taken_.end()) return false;
    add(offset, found->second);
    taken_.erase(found);
    return true;
}

Process::Process(mpi_api::Host& host, Rank& rank, rcce::RcceRank& library, const CommonMemory& memory)
    : host_(host), rank_(rank), library_(library), rcce_(library.rcce()), memory_(memory)
{
    shared_.add(0, RCCE_SHM_SIZE_MAX);
}

int Process::init(RCCE_COMM& world)
{
    if (initialized_) throw UserError(fmt::format("rank {}: RCCE_init a second time; call it once", ue()));
    if (rcce_.num_ues() > RCCE_MAXNP) {
        throw UserError(fmt::format("RCCE's communicators have room for {} ranks; take --ranks {} or fewer", RCCE_MAXNP,
                                    RCCE_MAXNP));
    }
    initialized_ = true;
    world = {};
    world.size = num_ues();
    world.my_rank = ue();
    world.initialized = RCCE_COMM_INITIALIZED;
    for (int each = 0; each < num_ues(); ++each) world.member[each] = each;
    const rcce::Communicator all = rcce_.world();
    world.gather = handle_of(all.gather);
    world.release = handle_of(all.release);
    for (const rcce::Flag flag : {all.gather, all.release}) flags_[rcce_.layout().offset(flag)] = flag;
    await(rank_.begin());
    return RCCE_SUCCESS;
}

int Process::finalize()
{
    await(rank_.end());
    finalized_ = true;
    return RCCE_SUCCESS;
}

double Process::time() const { return static_cast<double>(rcce_.processor().time().ps()) * 1e-12; }

int Process::acquire_lock(int ue)
{
    if (!is_ue(ue)) return RCCE_ERROR_ID;
    await(rcce_.acquire_lock(static_cast<unsigned>(ue)));
    return RCCE_SUCCESS;
}

int Process::release_lock(int ue)
{
    if (!is_ue(ue)) return RCCE_ERROR_ID;
    await(rcce_.release_lock(static_cast<unsigned>(ue)));
    return RCCE_SUCCESS;
}

std::uint64_t Process::carve(std::uint32_t size)
{
    // A get reads one line more than it copies
    if (size >= kSlab) return rcce_.processor().allocate(std::uint64_t{size} + kRcceLine);
    if (slab_left_ < size) {
        slab_ = rcce_.processor().allocate(kSlab + kRcceLine);
        slab_left_ = kSlab;
    }
    slab_left_ -= size;
    return std::exchange(slab_, slab_ + size);
}

Process::Room& Process::room(const void* of, std::size_t size)
{
    constexpr std::uint32_t kOfOneSize = 4 * 1024 * 1024;
    const std::uint32_t bytes = std::bit_ceil(std::max(static_cast<std::uint32_t>(size), kLeastRcceRoom));
    auto& rooms = rooms_[bytes];
    auto found = std::find_if(rooms.begin(), rooms.end(), [of](const auto& each) { return each->of == of; });
    if (found == rooms.end() && rooms.size() >= std::clamp(kOfOneSize / bytes, 4U, 256U)) {
        found = std::min_element(rooms.begin(), rooms.end(), [](const auto& one, const auto& other) {
            return std::pair(one->users, one->used) < std::pair(other->users, other->used);
        });
        if ((*found)->users > 0) found = rooms.end();
    }
    if (found == rooms.end()) {
        rooms.push_back(std::make_unique<Room>(Room{.address = carve(bytes)}));
        found = std::prev(rooms.end());
    }
    (*found)->of = of;
    (*found)->used = ++uses_;
    return **found;
}

Process::Room& Process::filled_room(const void* from, std::size_t size)
{
    Room& one = room(from, size);
    if (size > 0) rcce_.processor().poke(one.address, std::span(static_cast<const std::byte*>(from), size));
    return one;
}

void Process::fetch(void* into, std::size_t size, const Room& room) const
{
    if (size > 0) rcce_.processor().peek(room.address, std::span(static_cast<std::byte*>(into), size));
}

std::optional<std::uint32_t> Process::offset_of(const volatile void* at) const
{
    const auto offset =
        reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(memory_.buffer(rcce_.ue()));
    if (offset >= SccProcessor::kMessageBuffer) return std::nullopt;
    return static_cast<std::uint32_t>(offset);
}

t_vcharp Process::malloc(std::size_t size)
{
    if (size == 0 || size % kRcceLine != 0 || size > SccProcessor::kMessageBuffer) return nullptr;
    const auto bytes = static_cast<std::uint32_t>(size);
    auto offset = blocks_.take(bytes);
    if (!offset) {
        const std::uint32_t more = rcce_.malloc(bytes);
        if (more == 0) return nullptr;
        blocks_.add(more, bytes);
        offset = blocks_.take(bytes);
    }
    return reinterpret_cast<t_vcharp>(memory_.buffer(rcce_.ue()) + *offset);
}

void Process::free(t_vcharp at)
{
    if (at == nullptr) return;
    const auto offset = offset_of(at);
    if (offset && blocks_.give_back(*offset)) return;
    throw UserError(fmt::format("rank {}: RCCE_free of what RCCE_malloc has not given", ue()));
}

int Process::require_lines(std::uint32_t size, std::uint32_t offset) const
{
    if (offset + size > SccProcessor::kMessageBuffer) return RCCE_ERROR_MESSAGE_LENGTH;
    return offset % kRcceLine == 0 ? RCCE_SUCCESS : RCCE_ERROR_ALIGNMENT;
}

int Process::put(t_vcharp target, t_vcharp source, int size, int ue, By by)
{
    const auto to = offset_of(target);
    if (!to) return RCCE_ERROR_TARGET;
    if (source == nullptr) return RCCE_ERROR_SOURCE;
    if (!is_ue(ue)) return RCCE_ERROR_ID;
    if (size < 0 || static_cast<std::uint32_t>(size) % kRcceLine != 0) return RCCE_ERROR_MESSAGE_LENGTH;
    const auto bytes = static_cast<std::uint32_t>(size);
    if (const int code = require_lines(bytes, *to); code != RCCE_SUCCESS || bytes == 0) return code;
    const std::uint64_t there = rcce_.message_buffer(static_cast<unsigned>(ue), *to);
    const rcce::Copying copying = by == By::kIrcce ? rcce_.options().ircce_copying() : rcce_.options().copying();
    if (const auto from = offset_of(source)) {
        if (const int code = require_lines(bytes, *from); code != RCCE_SUCCESS) return code;
        if (ue == this->ue() && *from < *to + bytes && *to < *from + bytes) return RCCE_ERROR_DATA_OVERLAP;
        await(rcce_.put(there, rcce_.message_buffer(rcce_.ue(), *from), bytes, CopyKind::kPlain, copying.width));
        return RCCE_SUCCESS;
    }
    const Room& mine = filled_room(const_cast<const unsigned char*>(source), bytes);
    await(rcce_.put(there, mine.address, bytes, copying.put(bytes), copying.width));
    return RCCE_SUCCESS;
}

int Process::get(t_vcharp target, t_vcharp source, int size, int ue, By by)
{
    const auto from = offset_of(source);
    if (!from) return RCCE_ERROR_SOURCE;
    if (target == nullptr) return RCCE_ERROR_TARGET;
    if (!is_ue(ue)) return RCCE_ERROR_ID;
    if (size < 0 || static_cast<std::uint32_t>(size) % kRcceLine != 0) return RCCE_ERROR_MESSAGE_LENGTH;
    const auto bytes = static_cast<std::uint32_t>(size);
    if (const int code = require_lines(bytes, *from); code != RCCE_SUCCESS || bytes == 0) return code;
    const std::uint64_t there = rcce_.message_buffer(static_cast<unsigned>(ue), *from);
    const rcce::Copying copying = by == By::kIrcce ? rcce_.options().ircce_copying() : rcce_.options().copying();
    if (const auto to = offset_of(target)) {
        if (const int code = require_lines(bytes, *to); code != RCCE_SUCCESS) return code;
        if (ue == this->ue() && *from < *to + bytes && *to < *from + bytes) return RCCE_ERROR_DATA_OVERLAP;
        await(rcce_.get(rcce_.message_buffer(rcce_.ue(), *to), there, bytes, CopyKind::kPlain, copying.width));
        return RCCE_SUCCESS;
    }
    void* const mine = const_cast<unsigned char*>(target);
    const Room& into = room(mine, bytes);
    await(rcce_.get(into.address, there, bytes, copying.get(), copying.width));
    fetch(mine, bytes, into);
    return RCCE_SUCCESS;
}

RCCE_FLAG Process::handle_of(rcce::Flag flag) const
{
    return reinterpret_cast<RCCE_FLAG>(memory_.buffer(rcce_.ue()) + rcce_.layout().offset(flag));
}

const rcce::Flag* Process::flag_of(RCCE_FLAG flag) const
{
    const auto offset = offset_of(flag);
    const auto found = offset ? flags_.find(*offset) : flags_.end();
    return found == flags_.end() ? nullptr : &found->second;
}

int Process::flag_alloc(RCCE_FLAG& flag)
{
    rcce::Flag made = 0;
    if (free_flags_.empty()) {
        made = rcce_.flag_alloc();
    } else {
        made = free_flags_.back();
        free_flags_.pop_back();
    }
    flag = handle_of(made);
    flags_[rcce_.layout().offset(made)] = made;
    return RCCE_SUCCESS;
}

int Process::flag_free(RCCE_FLAG& flag)
{
    const rcce::Flag* const found = flag_of(flag);
    if (found == nullptr) return RCCE_ERROR_FLAG_NOT_ALLOCATED;
    free_flags_.push_back(*found);
    flags_.erase(rcce_.layout().offset(*found));
    flag = nullptr;
    return RCCE_SUCCESS;
}

int Process::flag_write(RCCE_FLAG flag, RCCE_FLAG_STATUS value, int ue)
{
    const rcce::Flag* const found = flag_of(flag);
    if (found == nullptr) return RCCE_ERROR_FLAG_UNDEFINED;
    if (!is_ue(ue)) return RCCE_ERROR_ID;
    if (value != RCCE_FLAG_SET && value != RCCE_FLAG_UNSET) return RCCE_ERROR_FLAG_STATUS_UNDEFINED;
    await(rcce_.flag_write(*found, static_cast<std::uint8_t>(value), static_cast<unsigned>(ue)));
    return RCCE_SUCCESS;
}

int Process::flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS& value, int ue)
{
    const rcce::Flag* const found = flag_of(flag);
    if (found == nullptr) return RCCE_ERROR_FLAG_UNDEFINED;
    if (!is_ue(ue)) return RCCE_ERROR_ID;
    value = await_value(rcce_.flag_read(*found, static_cast<unsigned>(ue)));
    return RCCE_SUCCESS;
}

int Process::wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS value)
{
    const rcce::Flag* const found = flag_of(flag);
    if (found == nullptr) return RCCE_ERROR_FLAG_UNDEFINED;
    if (value != RCCE_FLAG_SET && value != RCCE_FLAG_UNSET) return RCCE_ERROR_FLAG_STATUS_UNDEFINED;
    await(rcce_.wait_until(*found, static_cast<std::uint8_t>(value)));
    return RCCE_SUCCESS;
}

int Process::find_way(const OwnWay* way, unsigned from, unsigned to, rcce::Way& found) const
{
    if (way == nullptr) {
        found = rcce_.way(from, to);
        return RCCE_SUCCESS;
    }
    const auto offset = offset_of(way->buffer);
    if (!offset) return RCCE_ERROR_TARGET;
    const rcce::Flag* const ready = way->ready == nullptr ? nullptr : flag_of(*way->ready);
    const rcce::Flag* const sent = way->sent == nullptr ? nullptr : flag_of(*way->sent);
    if (ready == nullptr || sent == nullptr) return RCCE_ERROR_FLAG_UNDEFINED;
    if (way->room == 0 || way->room % kRcceLine != 0 || way->room > SccProcessor::kMessageBuffer) {
        return RCCE_ERROR_MESSAGE_LENGTH;
    }
    found = {.offset = *offset, .room = static_cast<std::uint32_t>(way->room), .sent = *sent, .ready = *ready};
    return require_lines(found.room, found.offset);
}

int Process::send(const void* data, std::size_t size, int ue, const OwnWay* way)
{
    if (!is_ue(ue)) return RCCE_ERROR_ID;
    if (size > kLargestMessage) return RCCE_ERROR_MESSAGE_LENGTH;
    const auto to = static_cast<unsigned>(ue);
    rcce::Way by;
    if (const int code = find_way(way, rcce_.ue(), to, by); code != RCCE_SUCCESS) return code;
    await(rcce_.send(filled_room(data, size).address, static_cast<std::uint32_t>(size), to, by));
    return RCCE_SUCCESS;
}

int Process::recv(void* data, std::size_t size, int ue, const OwnWay* way)
{
    if (!is_ue(ue)) return RCCE_ERROR_ID;
    if (size > kLargestMessage) return RCCE_ERROR_MESSAGE_LENGTH;
    const auto from = static_cast<unsigned>(ue);
    rcce::Way by;
    if (const int code = find_way(way, from, rcce_.ue(), by); code != RCCE_SUCCESS) return code;
    const Room& mine = room(data, size);
    await(rcce_.recv(mine.address, static_cast<std::uint32_t>(size), from, by));
    fetch(data, size, mine);
    last_source_ = ue;
    last_length_ = static_cast<int>(size);
    return RCCE_SUCCESS;
}

int Process::recv_test(void* data, std::size_t size, int ue, int& done, const OwnWay* way)
{
    done = 0;
    if (!is_ue(ue)) return RCCE_ERROR_ID;
    if (size > kLargestMessage) return RCCE_ERROR_MESSAGE_LENGTH;
    const auto from = static_cast<unsigned>(ue);
    rcce::Way by;
    if (const int code = find_way(way, from, rcce_.ue(), by); code != RCCE_SUCCESS) return code;
    const Room& mine = room(data, size);
    done = await_value(rcce_.recv_test(mine.address, static_cast<std::uint32_t>(size), from, by)) ? 1 : 0;
    if (done != 0) fetch(data, size, mine);
    return RCCE_SUCCESS;
}

rcce::Communicator Process::communicator(const RCCE_COMM& comm, std::array<unsigned, RCCE_MAXNP>& members) const
{
    const rcce::Flag* const gather = flag_of(comm.gather);
    const rcce::Flag* const release = flag_of(comm.release);
    const bool is_one = comm.initialized == RCCE_COMM_INITIALIZED && comm.size > 0 && comm.size <= num_ues();
    if (!is_one || gather == nullptr || release == nullptr) return {};
    for (std::size_t i = 0; i < members.size(); ++i) members[i] = static_cast<unsigned>(comm.member[i]);
    return {
        .size = static_cast<unsigned>(comm.size), .gather = *gather, .release = *release, .members = members.data()};
}

int Process::bcast(void* data, std::size_t size, int root, const RCCE_COMM& comm)
{
    std::array<unsigned, RCCE_MAXNP> members{};
    const rcce::Communicator group = communicator(comm, members);
    if (group.size == 0) return RCCE_ERROR_COMM_UNDEFINED;
    if (root < 0 || root >= comm.size) return RCCE_ERROR_ID;
    if (size > kLargestMessage) return RCCE_ERROR_MESSAGE_LENGTH;
    const bool is_root = rcce_.ue() == group.core(static_cast<unsigned>(root));
    const Room& mine = is_root ? filled_room(data, size) : room(data, size);
    await(rcce_.bcast(mine.address, static_cast<std::uint32_t>(size), static_cast<unsigned>(root), group));
    if (!is_root) fetch(data, size, mine);
    return RCCE_SUCCESS;
}

/// Linear: the root receives from one after the other.
int Process::reduce(void* from, void* into, int count, Reduction how, int root, bool all, const RCCE_COMM& comm)
{
    const std::size_t each = size_of(how.type);
    if (each == 0) return RCCE_ERROR_ILLEGAL_TYPE;
    if (how.op < RCCE_SUM || how.op > RCCE_PROD) return RCCE_ERROR_ILLEGAL_OP;
    std::array<unsigned, RCCE_MAXNP> members{};
    if (communicator(comm, members).size == 0) return RCCE_ERROR_COMM_UNDEFINED;
    if (root < 0 || root >= comm.size) return RCCE_ERROR_ID;
    if (count < 0) return RCCE_ERROR_MESSAGE_LENGTH;
    const auto elements = static_cast<std::size_t>(count);
    const std::size_t size = elements * each;
    if (ue() != comm.member[root]) {
        const int sent = send(from, size, comm.member[root]);
        return sent != RCCE_SUCCESS || !all ? sent : recv(into, size, comm.member[root]);
    }
    if (size > 0) std::memmove(into, from, size);
    scratch_.resize(std::max(size, scratch_.size()));
    for (int rank = 0; rank < comm.size; ++rank) {
        if (rank == root) continue;
        if (const int code = recv(scratch_.data(), size, comm.member[rank]); code != RCCE_SUCCESS) return code;
        switch (how.type) {
            case RCCE_INT: combine<int>(how.op, elements, scratch_.data(), into); break;
            case RCCE_LONG: combine<long>(how.op, elements, scratch_.data(), into); break;
            case RCCE_FLOAT: combine<float>(how.op, elements, scratch_.data(), into); break;
            default: combine<double>(how.op, elements, scratch_.data(), into); break;
        }
    }
    for (int rank = 0; all && rank < comm.size; ++rank) {
        if (rank == root) continue;
        if (const int code = send(into, size, comm.member[rank]); code != RCCE_SUCCESS) return code;
    }
    return RCCE_SUCCESS;
}

int Process::comm_split(int (*color)(int, void*), void* more, RCCE_COMM& comm)
{
    await(rcce_.barrier(rcce_.world()));
    const int mine = color(ue(), more);
    comm.size = 0;
    for (int each = 0; each < num_ues(); ++each) {
        if (color(each, more) != mine) continue;
        if (each == ue()) comm.my_rank = comm.size;
        comm.member[comm.size++] = each;
    }
    if (comm.initialized == RCCE_COMM_INITIALIZED && flag_of(comm.gather) != nullptr) return RCCE_SUCCESS;
    comm.initialized = RCCE_COMM_INITIALIZED;
    flag_alloc(comm.gather);
    return flag_alloc(comm.release);
}

int Process::comm_free(RCCE_COMM& comm)
{
    if (comm.initialized != RCCE_COMM_INITIALIZED) return RCCE_ERROR_COMM_INITIALIZED;
    comm.initialized = RCCE_COMM_NOT_INITIALIZED;
    flag_free(comm.gather);
    return flag_free(comm.release);
}

int Process::barrier(const RCCE_COMM& comm)
{
    std::array<unsigned, RCCE_MAXNP> members{};
    const rcce::Communicator group = communicator(comm, members);
    if (group.size == 0) return RCCE_ERROR_COMM_UNDEFINED;
    await(rcce_.barrier(group));
    return RCCE_SUCCESS;
}

t_vcharp Process::shmalloc(std::size_t size)
{
    if (size == 0 || size > RCCE_SHM_SIZE_MAX) return nullptr;
    const auto lines = static_cast<std::uint32_t>((size + kRcceLine - 1) / kRcceLine);
    const auto offset = shared_.take(lines * kRcceLine);
    return offset ? reinterpret_cast<t_vcharp>(memory_.shared() + *offset) : nullptr;
}

void Process::shfree(t_vcharp at)
{
    if (at == nullptr) return;
    const auto offset = reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(memory_.shared());
    if (offset < RCCE_SHM_SIZE_MAX && shared_.give_back(static_cast<std::uint32_t>(offset))) return;
    throw UserError(fmt::format("rank {}: RCCE_shfree of what RCCE_shmalloc has not given it", ue()));
}

}  // namespace ringmesh::workloads::rcce_api
