// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "workloads/mpi_api/process.h"

/// Collective calls, made of messages: the algorithms that MPICH has for these sizes, where docs name no other.
namespace ringmesh::workloads::mpi_api {
namespace {

constexpr std::size_t kShortBroadcast = 12'288;   // bytes; MPICH 4: scatter and allgather above
constexpr int kFewRanks = 8;                      // below, a broadcast is binomial at any size
constexpr std::size_t kShortAllgather = 524'288;  // bytes of all; recursive doubling below, if ranks are 2^k
constexpr std::size_t kShortAlltoall = 32'768;    // bytes a pair; pairwise above
constexpr int kWindow = 32;                       // messages that a short alltoall has under way

/// Elements in front of a rank's, if they are divided as evenly as can be.
std::size_t part_begin(std::size_t all, int ranks, int rank)
{
    const std::size_t each = (all + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks);
    return std::min(all, each * static_cast<std::size_t>(rank));
}

std::vector<std::byte> packed(const Type& type, std::size_t count, const void* from)
{
    std::vector<std::byte> bytes(type.size * count);
    pack(type, count, from, bytes.data());
    return bytes;
}

}  // namespace

Request Process::sending(const Comm& comm, int to, const void* bytes, std::size_t count, const TypePointer& type) const
{
    Request request;
    request.is_send = true;
    request.from = bytes;
    request.count = count;
    request.type = type;
    request.comm = comm;
    request.context = comm->context + 1;
    request.tag = tag_;
    request.peer = to;
    return request;
}

Request Process::receiving(const Comm& comm, int from, void* bytes, std::size_t count, const TypePointer& type) const
{
    Request request;
    request.into = bytes;
    request.count = count;
    request.type = type;
    request.comm = comm;
    request.context = comm->context + 1;
    request.tag = tag_;
    request.peer = from;
    return request;
}

void Process::send(const Comm& comm, int to, const void* at, std::size_t count, const TypePointer& type)
{
    Request out = sending(comm, to, at, count, type);
    start(out);
    wait(out);
}

void Process::receive(const Comm& comm, int from, void* at, std::size_t count, const TypePointer& type)
{
    Request in = receiving(comm, from, at, count, type);
    start(in);
    wait(in);
    if (!in.error.empty()) throw Failure{MPI_ERR_TRUNCATE, in.error};
}

void Process::exchange(const Comm& comm, int to, ConstPlace out, int from, Place in, const TypePointer& type)
{
    Request coming = receiving(comm, from, in.at, in.count, type);
    start(coming);
    Request going = sending(comm, to, out.at, out.count, type);
    start(going);
    wait_until([&] { return settled(going) && settled(coming); });
    if (!coming.error.empty()) throw Failure{MPI_ERR_TRUNCATE, coming.error};
}

std::int32_t Process::begin_collective(const Comm& comm)
{
    tag_ = comm->collectives;
    comm->collectives = (comm->collectives + 1) & std::numeric_limits<std::int32_t>::max();
    return tag_;
}

void Process::barrier(const Comm& comm)
{
    if (comm->is_inter()) {
        barrier(comm->local);
        trade(comm, {}, {}, predefined_type(MPI_BYTE));
        return;
    }
    const int size = comm->size();
    const TypePointer byte = predefined_type(MPI_BYTE);
    for (int distance = 1; distance < size; distance *= 2) {
        exchange(comm, (comm->rank + distance) % size, {}, (comm->rank + size - distance) % size, {}, byte);
    }
}

void Process::bcast(void* buffer, std::size_t count, const TypePointer& type, int root, const Comm& comm)
{
    if (comm->is_inter()) {
        bcast_inter(buffer, count, type, root, comm);
        return;
    }
    const int size = comm->size();
    const std::size_t bytes = type->size * count;
    if (size == 1 || bytes == 0) return;
    const TypePointer byte = predefined_type(MPI_BYTE);
    const int relative = (comm->rank - root + size) % size;
    const auto rank_at = [&](int other) { return (other + root) % size; };
    std::vector<std::byte> data(bytes);
    if (relative == 0) pack(*type, count, buffer, data.data());
    const bool is_whole = bytes <= kShortBroadcast || size < kFewRanks;
    // Binomial: of a long one, each subtree gets its parts alone
    const auto part = [&](int rank) { return part_begin(bytes, size, std::min(rank, size)); };
    const auto lowest = [&] {
        return relative == 0 ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(size))) : relative & -relative;
    }();
    if (relative != 0) {
        const std::size_t from = is_whole ? 0 : part(relative);
        const std::size_t to = is_whole ? bytes : part(relative + lowest);
        if (is_whole || to > from) receive(comm, rank_at(relative - lowest), data.data() + from, to - from, byte);
    }
    for (int distance = lowest / 2; distance > 0; distance /= 2) {
        const int other = relative + distance;
        if (other >= size) continue;
        const std::size_t from = is_whole ? 0 : part(other);
        const std::size_t to = is_whole ? bytes : part(other + distance);
        if (is_whole || to > from) send(comm, rank_at(other), data.data() + from, to - from, byte);
    }
    if (!is_whole) {  // each hands all parts on in the ring
        for (int step = 0; step + 1 < size; ++step) {
            const int out = (relative - step + size) % size;
            const int in = (out - 1 + size) % size;
            exchange(comm, rank_at((relative + 1) % size), {data.data() + part(out), part(out + 1) - part(out)},
                     rank_at((relative - 1 + size) % size), {data.data() + part(in), part(in + 1) - part(in)}, byte);
        }
    }
    if (relative != 0) unpack(*type, data, buffer);
}

void Process::gather(ConstPlace mine, const TypePointer& type, const std::vector<Place>& pieces, const TypePointer& to,
                     int root, const Comm& comm, bool is_regular)
{
    if (comm->is_inter()) {
        gather_inter(mine, type, pieces, to, root, comm);
        return;
    }
    const int size = comm->size();
    const bool is_root = comm->rank == root;
    if (!is_regular) {  // linear
        if (!is_root) {
            if (mine.count > 0) send(comm, root, mine.at, mine.count, type);
            return;
        }
        std::vector<Request> all;
        all.reserve(pieces.size());
        for (int each = 0; each < size; ++each) {
            const Place& piece = pieces[static_cast<std::size_t>(each)];
            if (each == root || piece.count == 0) continue;
            start(all.emplace_back(receiving(comm, each, piece.at, piece.count, to)));
        }
        if (mine.at != MPI_IN_PLACE) {
            unpack(*to, packed(*type, mine.count, mine.at), pieces[static_cast<std::size_t>(root)].at);
        }
        for (Request& each : all) {
            wait(each);
            if (!each.error.empty()) throw Failure{MPI_ERR_TRUNCATE, each.error};
        }
        return;
    }
    // Binomial: a rank has the parts of its subtree, in the order of relative ranks
    const TypePointer byte = predefined_type(MPI_BYTE);
    const Place own = is_root ? pieces[static_cast<std::size_t>(root)] : Place{};
    const std::size_t each = is_root ? to->size * own.count : type->size * mine.count;
    if (each == 0) return;
    const int relative = (comm->rank - root + size) % size;
    const auto rank_at = [&](int other) { return (other + root) % size; };
    std::vector<std::byte> data =
        mine.at == MPI_IN_PLACE ? packed(*to, own.count, own.at) : packed(*type, mine.count, mine.at);
    for (int distance = 1; distance < size; distance *= 2) {
        if ((relative & distance) != 0) {
            send(comm, rank_at(relative - distance), data.data(), data.size(), byte);
            break;
        }
        const int other = relative + distance;
        if (other >= size) continue;
        const auto parts = static_cast<std::size_t>(std::min(distance, size - other));
        const std::size_t before = data.size();
        data.resize(before + parts * each);
        receive(comm, rank_at(other), data.data() + before, parts * each, byte);
    }
    if (!is_root) return;
    for (int other = 0; other < size; ++other) {
        if (other == 0 && mine.at == MPI_IN_PLACE) continue;
        unpack(*to, std::span(data).subspan(static_cast<std::size_t>(other) * each, each),
               pieces[static_cast<std::size_t>(rank_at(other))].at);
    }
}

void Process::scatter(const std::vector<ConstPlace>& pieces, const TypePointer& type, Place mine, const TypePointer& to,
                      int root, const Comm& comm, bool is_regular)
{
    if (comm->is_inter()) {
        scatter_inter(pieces, type, mine, to, root, comm);
        return;
    }
    const int size = comm->size();
    const bool is_root = comm->rank == root;
    if (!is_regular) {  // linear
        if (!is_root) {
            if (mine.count > 0) receive(comm, root, mine.at, mine.count, to);
            return;
        }
        std::vector<Request> all;
        all.reserve(pieces.size());
        for (int each = 0; each < size; ++each) {
            const ConstPlace& piece = pieces[static_cast<std::size_t>(each)];
            if (each == root || piece.count == 0) continue;
            start(all.emplace_back(sending(comm, each, piece.at, piece.count, type)));
        }
        const ConstPlace& own = pieces[static_cast<std::size_t>(root)];
        if (mine.at != MPI_IN_PLACE) unpack(*to, packed(*type, own.count, own.at), mine.at);
        for (Request& each : all) wait(each);
        return;
    }
    const TypePointer byte = predefined_type(MPI_BYTE);
    const std::size_t each =
        is_root ? type->size * pieces[static_cast<std::size_t>(root)].count : to->size * mine.count;
    if (each == 0) return;
    const int relative = (comm->rank - root + size) % size;
    const auto rank_at = [&](int other) { return (other + root) % size; };
    const int lowest =
        relative == 0 ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(size))) : relative & -relative;
    const auto parts = static_cast<std::size_t>(std::min(lowest, size - relative));
    std::vector<std::byte> data(parts * each);
    if (is_root) {
        for (int other = 0; other < size; ++other) {
            const ConstPlace& piece = pieces[static_cast<std::size_t>(rank_at(other))];
            pack(*type, piece.count, piece.at, data.data() + static_cast<std::size_t>(other) * each);
        }
    } else {
        receive(comm, rank_at(relative - lowest), data.data(), data.size(), byte);
    }
    for (int distance = lowest / 2; distance > 0; distance /= 2) {
        const int other = relative + distance;
        if (other >= size) continue;
        const auto its = static_cast<std::size_t>(std::min(distance, size - other));
        send(comm, rank_at(other), data.data() + static_cast<std::size_t>(distance) * each, its * each, byte);
    }
    if (mine.at != MPI_IN_PLACE) unpack(*to, std::span(data).first(each), mine.at);
}

void Process::allgather(ConstPlace mine, const TypePointer& type, const std::vector<Place>& pieces,
                        const TypePointer& to, const Comm& comm, bool is_regular)
{
    if (comm->is_inter()) {
        std::vector<Piece> all;
        std::vector<Slot> slots;
        for (int each = 0; each < comm->peer_count(); ++each) {
            const Place& place = pieces[static_cast<std::size_t>(each)];
            all.push_back({each, mine.at, mine.count, type});
            slots.push_back({each, place.at, place.count, to});
        }
        exchange_all(all, slots, comm);
        return;
    }
    const int size = comm->size();
    const TypePointer byte = predefined_type(MPI_BYTE);
    std::vector<std::size_t> begins{0};
    for (const Place& piece : pieces) begins.push_back(begins.back() + to->size * piece.count);
    std::vector<std::byte> data(begins.back());
    const auto at = [&](int rank) { return begins[static_cast<std::size_t>(rank)]; };
    const auto size_of = [&](int from, int until) { return at(until) - at(from); };
    const Place& own = pieces[static_cast<std::size_t>(comm->rank)];
    const std::vector<std::byte> sent =
        mine.at == MPI_IN_PLACE ? packed(*to, own.count, own.at) : packed(*type, mine.count, mine.at);
    std::copy(sent.begin(), sent.end(), data.begin() + static_cast<std::ptrdiff_t>(at(comm->rank)));
    const bool doubles =
        is_regular && std::has_single_bit(static_cast<unsigned>(size)) && data.size() < kShortAllgather;
    if (doubles) {
        for (int distance = 1; distance < size; distance *= 2) {
            const int other = comm->rank ^ distance;
            const int first = comm->rank / distance * distance;
            const int others = other / distance * distance;
            exchange(comm, other, {data.data() + at(first), size_of(first, first + distance)}, other,
                     {data.data() + at(others), size_of(others, others + distance)}, byte);
        }
    } else {
        for (int step = 0; step + 1 < size; ++step) {
            const int out = (comm->rank - step + size) % size;
            const int in = (out - 1 + size) % size;
            exchange(comm, (comm->rank + 1) % size, {data.data() + at(out), size_of(out, out + 1)},
                     (comm->rank - 1 + size) % size, {data.data() + at(in), size_of(in, in + 1)}, byte);
        }
    }
    for (int each = 0; each < size; ++each) {
        if (each == comm->rank && mine.at == MPI_IN_PLACE) continue;
        unpack(*to, std::span(data).subspan(at(each), size_of(each, each + 1)),
               pieces[static_cast<std::size_t>(each)].at);
    }
}

void Process::exchange_all(const std::vector<Piece>& pieces, const std::vector<Slot>& slots, const Comm& comm)
{
    std::vector<Request> all;
    all.reserve(pieces.size() + slots.size());
    for (const Slot& slot : slots) start(all.emplace_back(receiving(comm, slot.peer, slot.at, slot.count, slot.type)));
    for (const Piece& piece : pieces) {
        start(all.emplace_back(sending(comm, piece.peer, piece.at, piece.count, piece.type)));
    }
    std::string error;
    for (Request& each : all) {
        wait(each);
        if (!each.error.empty()) error = each.error;
    }
    if (!error.empty()) throw Failure{MPI_ERR_TRUNCATE, error};
}

void Process::alltoallw(const std::vector<Piece>& pieces, const std::vector<Slot>& slots, const Comm& comm)
{
    const int size = comm->peer_count();
    int begin = 0;
    if (!comm->is_inter()) {
        const Piece& piece = pieces[static_cast<std::size_t>(comm->rank)];
        const Slot& slot = slots[static_cast<std::size_t>(comm->rank)];
        unpack(*slot.type, packed(*piece.type, piece.count, piece.at), slot.at);
        begin = 1;
    }
    std::size_t longest = 0;
    for (const Piece& each : pieces) longest = std::max(longest, each.count * each.type->size);
    const int window = longest <= kShortAlltoall || comm->is_inter() ? kWindow : 1;
    for (; begin < size; begin += window) {
        std::vector<Piece> out;
        std::vector<Slot> in;
        for (int step = begin; step < std::min(size, begin + window); ++step) {
            // Of two groups both may be of another size, so that there is no order in which pairs meet
            const int from = comm->is_inter() ? step : (comm->rank - step + size) % size;
            const int to = comm->is_inter() ? step : (comm->rank + step) % size;
            in.push_back(slots[static_cast<std::size_t>(from)]);
            out.push_back(pieces[static_cast<std::size_t>(to)]);
        }
        exchange_all(out, in, comm);
    }
}

void Process::alltoall(const std::vector<ConstPlace>& pieces, const TypePointer& type, const std::vector<Place>& places,
                       const TypePointer& to, const Comm& comm)
{
    std::vector<Piece> out;
    std::vector<Slot> in;
    for (int each = 0; each < comm->peer_count(); ++each) {
        const ConstPlace& piece = pieces[static_cast<std::size_t>(each)];
        const Place& place = places[static_cast<std::size_t>(each)];
        out.push_back({each, piece.at, piece.count, type});
        in.push_back({each, place.at, place.count, to});
    }
    alltoallw(out, in, comm);
}

void Process::combine(const Reduction& how, std::size_t count, void* in, void* inout)
{
    if (count == 0) return;
    if (how.op->function == nullptr) {
        apply_predefined(how.op->predefined, how.type->basic, count, in, inout);
        return;
    }
    int elements = static_cast<int>(count);
    MPI_Datatype handle = how.handle;
    how.op->function(in, inout, &elements, &handle);
}

void Process::combine_in_order(const Reduction& how, std::size_t count, Elements& lower, Elements& upper,
                               bool into_upper)
{
    if (into_upper) {
        combine(how, count, lower.place(), upper.place());
    } else if (how.op->commutes) {
        combine(how, count, upper.place(), lower.place());
    } else {
        Elements result(*how.type, count, upper.place());
        combine(how, count, lower.place(), result.place());
        lower.copy_from(result.place());
    }
}

void Process::reduce(const void* from, void* into, std::size_t count, const Reduction& how, int root, const Comm& comm)
{
    if (comm->is_inter()) {
        reduce_inter(from, into, count, how, root, comm);
        return;
    }
    const int size = comm->size();
    // An operation that does not commute is applied in the order of ranks
    const int top = how.op->commutes ? root : 0;
    const int relative = (comm->rank - top + size) % size;
    Elements mine(*how.type, count, from == MPI_IN_PLACE ? into : from);
    Elements other(*how.type, count);
    for (int distance = 1; distance < size; distance *= 2) {
        if ((relative & distance) != 0) {
            send(comm, (relative - distance + top) % size, mine.place(), count, how.type);
            break;
        }
        if (relative + distance >= size) continue;
        receive(comm, (relative + distance + top) % size, other.place(), count, how.type);
        combine_in_order(how, count, mine, other, false);
    }
    if (top != root) {
        if (comm->rank == top) send(comm, root, mine.place(), count, how.type);
        if (comm->rank == root) receive(comm, top, mine.place(), count, how.type);
    }
    if (comm->rank == root) mine.copy_to(into);
}

void Process::allreduce(const void* from, void* into, std::size_t count, const Reduction& how, const Comm& comm)
{
    if (comm->is_inter()) {
        allreduce_inter(from, into, count, how, comm);
        return;
    }
    const int size = comm->size();
    Elements mine(*how.type, count, from == MPI_IN_PLACE ? into : from);
    Elements other(*how.type, count);
    // Recursive doubling among 2^k; of the first pairs the even ranks step back
    const int whole = static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
    const int rest = size - whole;
    const int me = comm->rank;
    int place = me < 2 * rest ? me / 2 : me - rest;
    if (me < 2 * rest) {
        if (me % 2 == 0) {
            send(comm, me + 1, mine.place(), count, how.type);
            place = -1;
        } else {
            receive(comm, me - 1, other.place(), count, how.type);
            combine_in_order(how, count, other, mine, true);
        }
    }
    for (int distance = 1; place >= 0 && distance < whole; distance *= 2) {
        const int partner = place ^ distance;
        const int rank = partner < rest ? 2 * partner + 1 : partner + rest;
        Request coming = receiving(comm, rank, other.place(), count, how.type);
        start(coming);
        Request going = sending(comm, rank, mine.place(), count, how.type);
        start(going);
        wait_until([&] { return settled(going) && settled(coming); });
        if (rank < me) {
            combine_in_order(how, count, other, mine, true);
        } else {
            combine_in_order(how, count, mine, other, false);
        }
    }
    if (me < 2 * rest) {
        if (me % 2 == 0) {
            receive(comm, me + 1, mine.place(), count, how.type);
        } else {
            send(comm, me - 1, mine.place(), count, how.type);
        }
    }
    mine.copy_to(into);
}

void Process::reduce_scatter(const void* from, void* into, const std::vector<std::size_t>& counts, const Reduction& how,
                             const Comm& comm)
{
    if (comm->is_inter()) {
        reduce_scatter_inter(from, into, counts, how, comm);
        return;
    }
    const int size = comm->size();
    std::vector<std::ptrdiff_t> begins{0};
    for (const std::size_t count : counts) begins.push_back(begins.back() + static_cast<std::ptrdiff_t>(count));
    const auto* const data = static_cast<const std::byte*>(from == MPI_IN_PLACE ? into : from);
    const auto block = [&](int rank) { return data + begins[static_cast<std::size_t>(rank)] * how.type->extent(); };
    const std::size_t mine = counts[static_cast<std::size_t>(comm->rank)];
    // Pairwise: each rank gets all parts of its block, and combines them in the order of ranks
    std::vector<Elements> parts;
    parts.reserve(static_cast<std::size_t>(size));
    for (int each = 0; each < size; ++each) parts.emplace_back(*how.type, mine);
    parts[static_cast<std::size_t>(comm->rank)].copy_from(block(comm->rank));
    for (int step = 1; step < size; ++step) {
        const int to = (comm->rank + step) % size;
        const int source = (comm->rank - step + size) % size;
        exchange(comm, to, {block(to), counts[static_cast<std::size_t>(to)]}, source,
                 {parts[static_cast<std::size_t>(source)].place(), mine}, how.type);
    }
    for (int each = 1; each < size; ++each) {
        combine(how, mine, parts[static_cast<std::size_t>(each) - 1].place(),
                parts[static_cast<std::size_t>(each)].place());
    }
    parts.back().copy_to(into);
}

void Process::scan(const void* from, void* into, std::size_t count, const Reduction& how, const Comm& comm,
                   bool exclusive)
{
    // Recursive doubling: `all` is that of the ranks met so far, `result` of those below among them
    Elements all(*how.type, count, from == MPI_IN_PLACE ? into : from);
    Elements other(*how.type, count);
    Elements result(*how.type, count, from == MPI_IN_PLACE ? into : from);
    bool has_result = !exclusive;
    for (int distance = 1; distance < comm->size(); distance *= 2) {
        const int partner = comm->rank ^ distance;
        if (partner >= comm->size()) continue;
        exchange(comm, partner, {all.place(), count}, partner, {other.place(), count}, how.type);
        if (partner > comm->rank) {
            combine_in_order(how, count, all, other, false);
            continue;
        }
        if (has_result) {
            combine_in_order(how, count, other, result, true);
        } else {
            result.copy_from(other.place());
            has_result = true;
        }
        combine_in_order(how, count, other, all, true);
    }
    if (has_result) result.copy_to(into);
}

}  // namespace ringmesh::workloads::mpi_api
