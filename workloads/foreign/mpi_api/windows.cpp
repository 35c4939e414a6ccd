// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/mpi_api/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>

#include "tlm/machine/processor.h"
#include "workloads/foreign/mpi_api/process.h"

/// One-sided calls, made of messages: the target answers them in calls of its own. All that one rank sends to another
/// is done in its order, so that an answer to the last tells of all before it. What follows the wish for a lock waits
/// at the target with it.
///
/// Puts and short gets of memory that MPI gave out go through the cards, where there are any. The model has a copy of
/// such memory in the target's node. Either first brings the copy up to date, which takes no time, but for what others
/// are storing. When a store barrier has told that a put is there, its bytes come into the program's memory.
namespace ringmesh::workloads::mpi_api {
namespace {

constexpr std::size_t kMostAccesses = 256;          // that a rank has under way
constexpr std::size_t kMostUnderWay = 1024 * 1024;  // bytes of them
constexpr std::size_t kMemoryAlignment = 64;

/// In front of the bytes of an access; runs of pieces follow.
struct AccessHeader {
    MPI_Aint at = 0;  // bytes from the window's base
    std::uint64_t count = 0;
    MPI_Aint extent = 0;
    std::uint32_t runs = 0;    // 0: a type without holes, count is of its bytes
    std::uint32_t number = 0;  // of what comes back; 0: nothing does
    std::uint8_t op = 0;
    std::uint8_t element = 0;  // predefined type of all its elements
    std::uint8_t compares = 0;
};

/// Pieces of one size, at one distance from each other.
struct PieceRun {
    MPI_Aint at = 0;
    std::uint64_t bytes = 0;
    MPI_Aint step = 0;
    std::uint64_t times = 1;
};

std::vector<PieceRun> piece_runs(const Type& type)
{
    std::vector<PieceRun> runs;
    for (const Type::Piece& piece : type.pieces) {
        if (!runs.empty() && runs.back().bytes == piece.bytes) {
            PieceRun& last = runs.back();
            if (last.times == 1) last.step = piece.at - last.at;
            if (piece.at == last.at + last.step * static_cast<MPI_Aint>(last.times)) {
                ++last.times;
                continue;
            }
        }
        runs.push_back({.at = piece.at, .bytes = piece.bytes});
    }
    return runs;
}

template <class T>
void write_value(std::vector<std::byte>& bytes, const T& value)
{
    const auto* const from = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
}

template <class T>
T read_value(std::span<const std::byte>& bytes)
{
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
}

void write_packed(std::vector<std::byte>& bytes, const Type& type, std::size_t count, const void* from)
{
    const std::size_t begin = bytes.size();
    bytes.resize(begin + type.size * count);
    pack(type, count, from, bytes.data() + begin);
}

TypePointer read_type(const AccessHeader& header, std::span<const std::byte>& bytes)
{
    if (header.runs == 0) return predefined_type(MPI_BYTE);
    auto type = std::make_shared<Type>();
    for (std::uint32_t i = 0; i < header.runs; ++i) {
        const auto run = read_value<PieceRun>(bytes);
        for (std::uint64_t j = 0; j < run.times; ++j) {
            type->pieces.push_back({run.at + static_cast<MPI_Aint>(j) * run.step, run.bytes});
        }
        type->size += run.bytes * run.times;
    }
    type->ub = header.extent;
    return type;
}

/// The predefined type of all its elements; null if they differ.
MPI_Datatype element_of(const Type& type)
{
    if (type.basic != MPI_DATATYPE_NULL || !type.contents) return type.basic;
    MPI_Datatype found = MPI_DATATYPE_NULL;
    for (const TypeContents::Part& part : type.contents->types) {
        if (part.type->size == 0) continue;
        const MPI_Datatype element = element_of(*part.type);
        if (element == MPI_DATATYPE_NULL || (found != MPI_DATATYPE_NULL && found != element)) return MPI_DATATYPE_NULL;
        found = element;
    }
    return found;
}

/// What is there becomes that with these elements.
void combine_at(void* place, const Type& type, std::size_t count, std::span<const std::byte> data, MPI_Datatype basic,
                MPI_Op op)
{
    const TypePointer element = predefined_type(basic);
    const std::size_t elements = data.size() / element->size;
    std::vector<std::byte> there(type.size * count);
    pack(type, count, place, there.data());
    there.resize(data.size());
    Elements in(*element, elements);
    Elements inout(*element, elements);
    unpack(*element, data, in.place());
    unpack(*element, there, inout.place());
    apply_predefined(op, basic, elements, in.place(), inout.place());
    pack(*element, elements, inout.place(), there.data());
    unpack(type, there, place);
}

/// First byte and the one behind the last, of so many elements.
std::pair<MPI_Aint, MPI_Aint> reach_of(const Type& type, std::size_t count)
{
    const MPI_Aint far = static_cast<MPI_Aint>(count - 1) * type.extent();
    return {std::min(type.true_lb, type.true_lb + far), std::max(type.true_ub, type.true_ub + far)};
}

void require_reach(const Window& window, const Access& access)
{
    if (access.place < 0 && window.flavor != MPI_WIN_FLAVOR_DYNAMIC) {
        throw Failure{MPI_ERR_DISP, fmt::format("a displacement of {}", access.place)};
    }
    if (window.flavor == MPI_WIN_FLAVOR_DYNAMIC || access.type->size * access.count == 0) return;
    const Window::Peer& peer = window.peers[static_cast<std::size_t>(access.target)];
    auto [from, to] = reach_of(*access.type, access.count);
    from += access.place * peer.unit;
    to += access.place * peer.unit;
    if (from >= 0 && to <= peer.size) return;
    throw Failure{MPI_ERR_RMA_RANGE,
                  fmt::format("bytes {} to {} of rank {}, whose window has {}", from, to, access.target, peer.size)};
}

/// Each piece must be in memory that is attached.
void require_attached(const Window& window, const std::byte* place, const Type& type, std::size_t count, int rank)
{
    for (std::size_t i = 0; i < count; ++i, place += type.extent()) {
        for (const Type::Piece& piece : type.pieces) {
            const auto from = reinterpret_cast<std::uintptr_t>(place + piece.at);
            const bool is_inside = std::any_of(window.attached.begin(), window.attached.end(), [&](const auto& each) {
                const auto begin = reinterpret_cast<std::uintptr_t>(each.first);
                return from >= begin && from + piece.bytes <= begin + static_cast<std::size_t>(each.second);
            });
            if (is_inside) continue;
            throw Failure{MPI_ERR_RMA_RANGE,
                          fmt::format("{} bytes at address {:#x} of rank {}, which has not attached them", piece.bytes,
                                      from, rank)};
        }
    }
}

std::shared_ptr<void> memory_of(std::size_t bytes)
{
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + kMemoryAlignment - 1) / kMemoryAlignment;
    std::shared_ptr<void> memory(std::aligned_alloc(kMemoryAlignment, whole * kMemoryAlignment), std::free);
    if (!memory) throw Failure{MPI_ERR_NO_MEM, fmt::format("{} bytes", bytes)};
    return memory;
}

std::vector<int> all_ranks(const Window& window)
{
    std::vector<int> all(window.peers.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

void require_sync(bool is_so, const char* text)
{
    if (!is_so) throw Failure{MPI_ERR_RMA_SYNC, text};
}

/// A fence that nothing has followed may have ended the last epoch.
void require_no_epoch(Window& window)
{
    if (window.epoch == Window::Epoch::kFence && !window.accessed) window.epoch = Window::Epoch::kNone;
    require_sync(window.epoch == Window::Epoch::kNone, "within another epoch of the window");
}

void raise_failure(Window& window)
{
    if (!window.failure) return;
    const Failure failure = *window.failure;
    window.failure.reset();
    throw Failure(failure);
}

}  // namespace

void Process::open_window(const Comm& comm, const std::shared_ptr<Window>& window)
{
    if (listener_ != nullptr) listener_->refuse(fmt::format("program of rank {} makes a window", me_));
    if (window->flavor == MPI_WIN_FLAVOR_ALLOCATE) {
        window->memory = memory_of(static_cast<std::size_t>(window->size));
        window->base = static_cast<std::byte*>(window->memory.get());
    }
    // Alike in all ranks
    const bool by_card =
        card_ && (window->flavor == MPI_WIN_FLAVOR_ALLOCATE || window->flavor == MPI_WIN_FLAVOR_CREATE);
    if (by_card && is_given_out(*window)) {
        window->copy = card_->take(static_cast<std::uint64_t>(window->size));
        if (window->copy.segment == 0 && window->size > 0) ++card_accesses_.without_copy;
    }
    window->comm = make_communicator(*comm, comm, comm->members);
    window->peers.resize(comm->members.size());
    // Before others can know that all are there: some may be quicker
    open_windows_[window->comm->context] = window;
    struct Entry {
        std::int64_t size;
        std::int64_t unit;
        std::int64_t node;
        std::byte* base;
        CardMemory* card;
        CardMemory::Piece copy;
    };
    static_assert(sizeof(Entry) % sizeof(std::int64_t) == 0);
    const std::size_t words = by_card ? sizeof(Entry) / sizeof(std::int64_t) : 3;
    std::vector<Entry> all(window->peers.size());
    const Entry mine{window->size, window->unit, node(), window->base, card_.get(), window->copy};
    std::vector<Place> places;
    for (auto& each : all) places.push_back({&each, words});
    const TypePointer type = predefined_type(MPI_INT64_T);
    begin_collective(window->comm);
    allgather({&mine, words}, type, places, type, window->comm);
    bool is_one_node = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        window->peers[i].size = all[i].size;
        window->peers[i].unit = static_cast<int>(all[i].unit);
        is_one_node = is_one_node && all[i].node == mine.node;
        if (!by_card) continue;
        window->peers[i].base = all[i].base;
        window->peers[i].card = all[i].card;
        window->peers[i].copy = all[i].copy;
    }
    if (window->flavor != MPI_WIN_FLAVOR_SHARED) return;
    if (!is_one_node) {
        open_windows_.erase(window->comm->context);
        throw Failure{MPI_ERR_RMA_SHARED, "memory of ranks on several nodes; MPI_Comm_split_type tells those of one"};
    }
    share_memory(*window);
}

bool Process::is_given_out(const Window& window) const
{
    if (window.flavor == MPI_WIN_FLAVOR_ALLOCATE) return true;
    auto behind = given_out.upper_bound(window.base);
    if (behind == given_out.begin()) return false;
    --behind;
    return window.base + window.size <= behind->first + behind->second;
}

std::vector<Process::Stored> Process::reached_by_card(const Window& window, const Access& access, std::size_t bytes)
{
    const Window::Peer& peer = window.peers[static_cast<std::size_t>(access.target)];
    const unsigned world = window.comm->world_rank(access.target);
    std::vector<Stored> runs;
    const auto add = [&](std::uint64_t offset, std::uint64_t left) {
        while (left > 0) {
            const std::uint64_t in_mapping = offset % CardMemory::kMapping;
            const std::uint64_t size = std::min(left, CardMemory::kMapping - in_mapping);
            const std::uint64_t address = peer.copy.address + offset;
            if (in_mapping > 0 && !runs.empty() && runs.back().address + runs.back().bytes == address) {
                runs.back().bytes += size;
            } else {
                const auto mapped = card_->map(world, peer.copy, offset);
                if (!mapped) return false;
                runs.push_back({peer.base + offset, peer.card, address, size, *mapped});
            }
            offset += size;
            left -= size;
        }
        return true;
    };
    for (std::size_t i = 0; i < access.count; ++i) {
        const MPI_Aint at = access.place * peer.unit + static_cast<MPI_Aint>(i) * access.type->extent();
        for (const Type::Piece& piece : access.type->pieces) {
            const std::size_t size = std::min<std::size_t>(piece.bytes, bytes);
            if (!add(static_cast<std::uint64_t>(at + piece.at), size)) return {};
            bytes -= size;
        }
    }
    return runs;
}

bool Process::access_by_card(Window& window, const Access& access)
{
    Window::Peer& peer = window.peer(access.target);
    if (!access.is_plain || peer.copy.segment == 0 || access.target == window.comm->rank) return false;
    // A put may be shorter than the room that it names
    const std::size_t bytes =
        access.fetches ? access.type->size * access.count : access.from.type->size * access.from.count;
    if (access.fetches && bytes > static_cast<std::uint64_t>(costs_.card_get.count())) return false;
    const std::vector<Stored> runs = reached_by_card(window, access, bytes);
    if (runs.empty()) return false;
    if (peer.locks && !std::exchange(peer.granted, true)) {  // messages would wait at the target for the lock
        ask_for_ack(window, access.target, Window::kFlush);
        settle(window, {access.target});
    }
    await(messages_.call());
    std::vector<std::byte> packed(bytes);
    std::span<std::byte> rest(packed);
    if (access.fetches) {
        settle_card();  // a put of its own may be on its way to these bytes
        for (const Stored& run : runs) {
            peer.card->update(run.address, {run.into, run.bytes});
            await(card_->load(run.mapped, rest.first(run.bytes)));
            rest = rest.subspan(run.bytes);
        }
        unpack(*access.into.type, packed, access.into.at);
        ++card_accesses_.gets;
    } else {
        pack(*access.from.type, access.from.count, access.from.at, packed.data());
        for (const Stored& run : runs) {
            if (stored_.size() >= kMostAccesses) settle_card();
            peer.card->update(run.address, {run.into, run.bytes});
            peer.card->expect(run.address, run.bytes);
            stored_.push_back(run);
            await(card_->store(run.mapped, rest.first(run.bytes)));
            rest = rest.subspan(run.bytes);
        }
        ++card_accesses_.puts;
    }
    if (access.request) access.request->complete = true;
    return true;
}

void Process::settle_card()
{
    if (stored_.empty()) return;
    const std::vector<Stored> arrived = std::exchange(stored_, {});
    await(card_->settle());
    for (const Stored& each : arrived) each.card->arrived(each.address, {each.into, each.bytes});
}

/// One part after the other, as they have to be unless the program lets them be apart.
void Process::share_memory(Window& window)
{
    const bool are_apart =
        std::find(window.info.begin(), window.info.end(),
                  std::pair<std::string, std::string>{"alloc_shared_noncontig", "true"}) != window.info.end();
    std::vector<std::size_t> begins;
    std::size_t bytes = 0;
    for (const Window::Peer& peer : window.peers) {
        begins.push_back(bytes);
        bytes += static_cast<std::size_t>(peer.size);
        if (are_apart) bytes = (bytes + kMemoryAlignment - 1) / kMemoryAlignment * kMemoryAlignment;
    }
    if (window.comm->rank == 0) window.memory = memory_of(bytes);
    auto* memory = static_cast<std::byte*>(window.memory.get());
    begin_collective(window.comm);
    bcast(&memory, sizeof memory, predefined_type(MPI_BYTE), 0, window.comm);
    for (std::size_t i = 0; i < begins.size(); ++i) {
        window.peers[i].shared = memory + begins[i];
    }
    window.base = window.peer(window.comm->rank).shared;
    begin_collective(window.comm);
    barrier(window.comm);
}

void Process::close_window(const std::shared_ptr<Window>& window, MPI_Win handle)
{
    const bool is_idle = window->epoch == Window::Epoch::kNone || window->epoch == Window::Epoch::kFence;
    require_sync(is_idle && !window->posted, "an epoch of the window has not ended");
    delete_attributes(window->attributes, handle);
    settle(*window, all_ranks(*window));
    begin_collective(window->comm);
    barrier(window->comm);
    open_windows_.erase(window->comm->context);
    if (card_) card_->give_back(window->copy);
    windows.remove(handle);
}

void Process::limit_accesses(std::size_t bytes)
{
    wait_until([&] {
        const std::size_t under_way = told_bytes_ + fetched_bytes_;
        return under_way == 0 || (under_way + bytes <= kMostUnderWay && told_.size() + fetches_ < kMostAccesses);
    });
}

void Process::access(Window& window, const Access& access)
{
    if (access.request) {
        renew(*access.request);
        access.request->complete = access.target == MPI_PROC_NULL;
    }
    if (access.target == MPI_PROC_NULL) return;
    Window::Peer& peer = window.peer(access.target);
    require_sync(peer.allowed || window.epoch == Window::Epoch::kFence,
                 "no epoch in which this rank may access that one");
    const std::size_t bytes = access.type->size * access.count;
    const bool sends = access.op != MPI_NO_OP;
    const std::size_t sent = sends ? access.from.type->size * access.from.count : 0;
    const std::size_t room = access.fetches ? access.into.type->size * access.into.count : bytes;
    if (sent > bytes || bytes > room) {
        throw Failure{MPI_ERR_TRUNCATE,
                      fmt::format("{} bytes at the target, {} at the origin", bytes, sent > bytes ? sent : room)};
    }
    if (bytes > std::numeric_limits<std::uint32_t>::max() / 2) {
        throw Failure{MPI_ERR_COUNT, fmt::format("{} bytes; an access can have 2 GiB", bytes)};
    }
    MPI_Datatype element = MPI_DATATYPE_NULL;
    if (sends && access.op != MPI_REPLACE) {
        element = element_of(*access.type);
        if (element == MPI_DATATYPE_NULL) throw Failure{MPI_ERR_TYPE, "elements of different types"};
        const TypePointer one = predefined_type(element);
        Elements in(*one, 1);
        Elements inout(*one, 1);
        apply_predefined(access.op, element, 1, in.place(), inout.place());  // only whether there is such an operation
    }
    require_reach(window, access);
    window.accessed = true;
    if (bytes == 0) {
        if (access.request) access.request->complete = true;
        return;
    }
    if (std::exchange(peer.asks, false)) ask_for_lock(window, access.target, MPI_LOCK_SHARED);
    if (access_by_card(window, access)) return;
    limit_accesses(std::max(sent, access.fetches ? bytes : 0));

    AccessHeader header{.at = access.place * (window.flavor == MPI_WIN_FLAVOR_DYNAMIC ? 1 : peer.unit),
                        .count = access.count,
                        .extent = access.type->extent(),
                        .op = static_cast<std::uint8_t>(access.op),
                        .element = static_cast<std::uint8_t>(element),
                        .compares = access.compare != nullptr};
    std::vector<PieceRun> runs;
    if (access.type->is_contiguous()) {
        header.count = bytes;
    } else {
        runs = piece_runs(*access.type);
        header.runs = static_cast<std::uint32_t>(runs.size());
    }
    if (access.fetches) {
        header.number = ++window.fetch_number;
        if (header.number == 0) header.number = ++window.fetch_number;
        window.fetches[header.number] = {access.target, bytes, access.into, access.request};
        ++peer.fetches;
        ++fetches_;
        fetched_bytes_ += bytes;
    }
    peer.unconfirmed = !access.fetches;
    std::vector<std::byte> message;
    message.reserve(sizeof header + runs.size() * sizeof(PieceRun) + 2 * sent);
    write_value(message, header);
    for (const PieceRun& run : runs) write_value(message, run);
    if (access.compare != nullptr) write_packed(message, *access.type, 1, access.compare);
    if (sends) write_packed(message, *access.from.type, access.from.count, access.from.at);
    tell(window, access.target, Window::kAccess, std::move(message), access.fetches ? nullptr : access.request);
}

void Process::serve_access(Window& window, const Window::Message& message)
{
    std::span<const std::byte> bytes = message.bytes;
    const auto header = read_value<AccessHeader>(bytes);
    const TypePointer type = read_type(header, bytes);
    const auto count = static_cast<std::size_t>(header.count);
    std::byte* place = shifted(window.base, header.at);
    if (window.flavor == MPI_WIN_FLAVOR_DYNAMIC) {
        place = shifted(nullptr, header.at);
        try {
            require_attached(window, place, *type, count, window.comm->rank);
        } catch (const Failure& failure) {
            std::vector<std::byte> told;
            write_value(told, header.number);
            write_value(told, failure.error_class);
            for (const char c : failure.text) told.push_back(static_cast<std::byte>(c));
            tell(window, message.from, Window::kFailed, std::move(told));
            return;
        }
    }
    std::vector<std::byte> before;
    if (header.number != 0) {
        before.reserve(sizeof header.number + type->size * count);
        write_value(before, header.number);
        write_packed(before, *type, count, place);
    }
    bool is_as_compared = true;
    if (header.compares != 0) {
        const std::size_t size = type->size * count;
        is_as_compared = std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size),
                                    before.begin() + sizeof header.number);
        bytes = bytes.subspan(size);
    }
    if (header.op == MPI_REPLACE && is_as_compared) unpack(*type, bytes, place);
    if (header.op != MPI_REPLACE && header.op != MPI_NO_OP) {
        combine_at(place, *type, count, bytes, header.element, header.op);
    }
    if (header.number != 0) tell(window, message.from, Window::kData, std::move(before));
}

void Process::take_fetched(Window& window, const Window::Message& message)
{
    std::span<const std::byte> bytes = message.bytes;
    const auto found = window.fetches.find(read_value<std::uint32_t>(bytes));
    const Window::Fetch& fetch = found->second;
    unpack(*fetch.into.type, bytes, fetch.into.at);
    if (fetch.request) fetch.request->complete = true;
    --window.peer(fetch.target).fetches;
    --fetches_;
    fetched_bytes_ -= fetch.bytes;
    window.fetches.erase(found);
}

void Process::take_failure(Window& window, const Window::Message& message)
{
    std::span<const std::byte> bytes = message.bytes;
    const auto number = read_value<std::uint32_t>(bytes);
    Failure failure{read_value<int>(bytes), {}};
    for (const std::byte each : bytes) failure.text += static_cast<char>(each);
    const auto found = window.fetches.find(number);
    std::shared_ptr<Request> request;
    if (found != window.fetches.end()) {
        request = found->second.request;
        --window.peer(found->second.target).fetches;
        --fetches_;
        fetched_bytes_ -= found->second.bytes;
        window.fetches.erase(found);
    }
    if (request) {
        request->error_class = request->status.MPI_ERROR = failure.error_class;
        request->error = failure.text;
        request->complete = true;
    } else {
        window.failure = failure;
    }
}

void Process::tell(Window& window, int to, Window::Kind kind, std::vector<std::byte> bytes,
                   const std::shared_ptr<Request>& request)
{
    tidy_told();
    const auto size = static_cast<std::uint32_t>(bytes.size());
    const std::uint64_t place = take_room(size);
    rank_.processor().poke(place, bytes);
    if (const unsigned world = window.comm->world_rank(to); world != me_) {
        if (kind == Window::kAccess) ++window.peer(to).unsent;
        Told& told = told_.emplace_back(Told{.to = to, .request = request});
        told_bytes_ += size;
        told.sending = {.to = world, .from = place, .size = size, .label = {kind, window.comm->context}};
        await(messages_.begin(told.sending));
        return;
    }
    await(messages_.call());
    await(messages_.copy(place, place, size));
    free_room(place, size);
    hear(window, {to, kind, std::move(bytes)});
    if (request) request->complete = true;
}

void Process::tidy_told()
{
    std::erase_if(told_, [this](const Told& each) {
        if (!each.sending.done) return false;
        free_room(each.sending.from, each.sending.size);
        told_bytes_ -= each.sending.size;
        const auto window = open_windows_.find(each.sending.label.context);
        if (window != open_windows_.end() && each.sending.label.tag == Window::kAccess) {
            --window->second->peer(each.to).unsent;
        }
        if (each.request) each.request->complete = true;
        return true;
    });
}

bool Process::serve()
{
    tidy_told();
    bool served = false;
    for (auto each = heard_.begin(); each != heard_.end();) {
        const bool is_next = std::none_of(
            heard_.begin(), each, [&](const Heard& before) { return before.arrival.from == each->arrival.from; });
        if (is_next && !each->place) {
            each->place = take_room(each->arrival.size);
            await(messages_.call_for(each->arrival, *each->place));
            served = true;  // much may have come meanwhile
        }
        if (!is_next || !each->is_here) {
            ++each;
            continue;
        }
        const Arrival arrival = each->arrival;
        std::vector<std::byte> bytes(arrival.size);
        rank_.processor().peek(*each->place, bytes);
        free_room(*each->place, arrival.size);
        heard_.erase(each);
        if (const auto found = open_windows_.find(arrival.label.context); found != open_windows_.end()) {
            const std::shared_ptr<Window> window = found->second;
            hear(*window,
                 {window->comm->rank_of(arrival.from), static_cast<Window::Kind>(arrival.label.tag), std::move(bytes)});
        }
        each = heard_.begin();
        served = true;
    }
    return served;
}

void Process::hear(Window& window, Window::Message message)
{
    const auto behind = std::find_if(window.waiting.begin(), window.waiting.end(), [&](const Window::Waiting& each) {
        return message.kind < Window::kAck && each.lock.from == message.from;
    });
    if (behind != window.waiting.end()) {
        behind->held.push_back(std::move(message));
        return;
    }
    Window::Peer& peer = window.peer(message.from);
    switch (message.kind) {
        case Window::kAccess: serve_access(window, message); break;
        case Window::kLockShared:
        case Window::kLockExclusive:
            window.waiting.push_back({.lock = std::move(message)});
            grant(window);
            break;
        case Window::kUnlock:
            if (!std::exchange(window.owned, false)) --window.readers;
            tell(window, message.from, Window::kAck);
            grant(window);
            break;
        case Window::kFlush: tell(window, message.from, Window::kAck); break;
        case Window::kAck: --peer.acks; break;
        case Window::kData: take_fetched(window, message); break;
        case Window::kFailed: take_failure(window, message); break;
        case Window::kPost: ++peer.posts; break;
        case Window::kComplete: ++peer.completes; break;
    }
}

/// Locks in the order in which they were asked for.
void Process::grant(Window& window)
{
    while (!window.waiting.empty()) {
        const bool is_exclusive = window.waiting.front().lock.kind == Window::kLockExclusive;
        if (window.owned || (is_exclusive && window.readers > 0)) return;
        if (is_exclusive) {
            window.owned = true;
        } else {
            ++window.readers;
        }
        Window::Waiting next = std::move(window.waiting.front());
        window.waiting.pop_front();
        for (Window::Message& each : next.held) hear(window, std::move(each));
    }
}

void Process::ask_for_lock(Window& window, int target, int type)
{
    Window::Peer& peer = window.peer(target);
    peer.locks = true;
    tell(window, target, type == MPI_LOCK_SHARED ? Window::kLockShared : Window::kLockExclusive);
    // What plain loads and stores may follow is locked now
    if (target == window.comm->rank || window.flavor == MPI_WIN_FLAVOR_SHARED) {
        ask_for_ack(window, target, Window::kFlush);
        settle(window, {target});
    }
}

void Process::ask_for_ack(Window& window, int target, Window::Kind kind)
{
    Window::Peer& peer = window.peer(target);
    peer.unconfirmed = false;
    ++peer.acks;
    tell(window, target, kind);
}

void Process::settle(Window& window, const std::vector<int>& targets, bool is_local)
{
    if (!is_local) settle_card();
    for (const int target : targets) {
        if (window.peer(target).unconfirmed && !is_local) ask_for_ack(window, target, Window::kFlush);
    }
    const auto is_settled = [&] {
        return std::all_of(targets.begin(), targets.end(), [&](int target) {
            const Window::Peer& peer = window.peer(target);
            return peer.fetches == 0 && (is_local ? peer.unsent : peer.acks) == 0;
        });
    };
    if (is_settled()) {  // a program may call until something has changed
        await(messages_.call());
        await(messages_.advance(sources({})));
    }
    wait_until(is_settled);
}

void Process::fence(Window& window, int assertion)
{
    const bool is_idle = window.epoch == Window::Epoch::kNone || window.epoch == Window::Epoch::kFence;
    require_sync(is_idle && !window.posted, "within another epoch of the window");
    const bool precedes = (assertion & MPI_MODE_NOPRECEDE) == 0;
    const bool succeeds = (assertion & MPI_MODE_NOSUCCEED) == 0;
    if (precedes) settle(window, all_ranks(window));
    if (precedes || succeeds) {
        begin_collective(window.comm);
        barrier(window.comm);
    }
    window.epoch = succeeds ? Window::Epoch::kFence : Window::Epoch::kNone;
    window.accessed = false;
    raise_failure(window);
}

void Process::post(Window& window, std::vector<int> origins, int assertion)
{
    require_sync(!window.posted, "a second post before the exposure of the first has ended");
    const bool is_open = window.epoch == Window::Epoch::kFence && window.accessed;
    require_sync(!is_open, "within another epoch of the window");
    for (const int origin : origins) {
        if ((assertion & MPI_MODE_NOCHECK) == 0) tell(window, origin, Window::kPost);
    }
    window.posted = std::move(origins);
}

void Process::start(Window& window, std::vector<int> targets, int assertion)
{
    require_no_epoch(window);
    window.epoch = Window::Epoch::kStart;
    const bool waits = (assertion & MPI_MODE_NOCHECK) == 0;
    if (waits) {
        wait_until([&] {
            return std::all_of(targets.begin(), targets.end(), [&](int each) { return window.peer(each).posts > 0; });
        });
    }
    for (const int target : targets) {
        Window::Peer& peer = window.peer(target);
        if (waits) --peer.posts;
        peer.allowed = true;
    }
    window.started = std::move(targets);
}

void Process::complete(Window& window)
{
    require_sync(window.started.has_value(), "no start before it");
    const std::vector<int> targets = *window.started;
    settle_card();
    settle(window, targets, true);
    for (const int target : targets) {
        Window::Peer& peer = window.peer(target);
        peer.allowed = peer.unconfirmed = false;
        tell(window, target, Window::kComplete);
    }
    window.started.reset();
    window.epoch = Window::Epoch::kNone;
    raise_failure(window);
}

bool Process::exposure_ended(Window& window, bool waits)
{
    require_sync(window.posted.has_value(), "no post before it");
    const auto has_ended = [&] {
        return std::all_of(window.posted->begin(), window.posted->end(),
                           [&](int origin) { return window.peer(origin).completes > 0; });
    };
    if (waits) {
        wait_until(has_ended);
    } else {
        look();
    }
    if (!has_ended()) return false;
    for (const int origin : *window.posted) --window.peer(origin).completes;
    window.posted.reset();
    return true;
}

void Process::lock(Window& window, int type, int target, int assertion)
{
    if (window.epoch != Window::Epoch::kLock) require_no_epoch(window);
    if (target == MPI_PROC_NULL) return;
    Window::Peer& peer = window.peer(target);
    require_sync(!peer.allowed, "a second lock of one rank");
    window.epoch = Window::Epoch::kLock;
    peer.allowed = true;
    if ((assertion & MPI_MODE_NOCHECK) == 0) ask_for_lock(window, target, type);
}

/// Others than this rank are asked at the first access.
void Process::lock_all(Window& window, int assertion)
{
    require_no_epoch(window);
    window.epoch = Window::Epoch::kLockAll;
    for (const int target : all_ranks(window)) {
        Window::Peer& peer = window.peer(target);
        peer.allowed = true;
        if ((assertion & MPI_MODE_NOCHECK) != 0) continue;
        if (target == window.comm->rank || window.flavor == MPI_WIN_FLAVOR_SHARED) {
            ask_for_lock(window, target, MPI_LOCK_SHARED);
        } else {
            peer.asks = true;
        }
    }
}

void Process::release(Window& window, const std::vector<int>& targets)
{
    settle_card();
    for (const int target : targets) {
        Window::Peer& peer = window.peer(target);
        peer.granted = false;
        if (std::exchange(peer.locks, false)) ask_for_ack(window, target, Window::kUnlock);
        peer.allowed = peer.asks = false;
    }
    settle(window, targets);
    const bool any =
        std::any_of(window.peers.begin(), window.peers.end(), [](const auto& each) { return each.allowed; });
    if (!any) window.epoch = Window::Epoch::kNone;
    raise_failure(window);
}

void Process::unlock(Window& window, int target)
{
    if (target == MPI_PROC_NULL) return;
    require_sync(window.epoch == Window::Epoch::kLock && window.peer(target).allowed, "no lock before it");
    release(window, {target});
}

void Process::unlock_all(Window& window)
{
    require_sync(window.epoch == Window::Epoch::kLockAll, "no lock of all before it");
    release(window, all_ranks(window));
}

void Process::flush(Window& window, std::optional<int> target, bool is_local)
{
    require_sync(window.epoch == Window::Epoch::kLock || window.epoch == Window::Epoch::kLockAll,
                 "outside of an epoch of locks");
    require_sync(!target || window.peer(*target).allowed, "this rank is not locked");
    settle(window, target ? std::vector<int>{*target} : all_ranks(window), is_local);
    raise_failure(window);
}

}  // namespace ringmesh::workloads::mpi_api
