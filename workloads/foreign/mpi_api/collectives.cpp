// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "workloads/broadcast/cube_schedule.h"
#include "workloads/broadcast/dopl_schedule.h"
#include "workloads/broadcast/parts.h"
#include "workloads/foreign/mpi_api/process.h"

/// Collective calls, made of messages by the algorithms that Algorithms chooses.
namespace ringmesh::workloads::mpi_api {
namespace {

/// Elements in front of a rank's, if they are divided as evenly as can be.
std::size_t part_begin(std::size_t all, int ranks, int rank)
{
    const std::size_t each = (all + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks);
    return std::min(all, each * static_cast<std::size_t>(rank));
}

constexpr int kNobody = -2;  // of no pair

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
    const BcastBy by = algorithms_.bcast(bytes, size);
    if (by == BcastBy::kCube || by == BcastBy::kDopl) {
        by == BcastBy::kCube ? bcast_by_cube(data, root, comm) : bcast_by_dopl(data, root, comm);
        if (relative != 0) unpack(*type, data, buffer);
        return;
    }
    const bool is_whole = by == BcastBy::kBinomial;
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
    const Blocks parts{data.data(), [&](int block) { return part(block); }};
    if (by == BcastBy::kScatterDoubling) double_blocks(parts, relative, rank_at, comm);
    if (by == BcastBy::kScatterRing) pass_blocks_on(parts, relative, rank_at, comm);
    if (relative != 0) unpack(*type, data, buffer);
}

void Process::bcast_by_cube(std::span<std::byte> data, int root, const Comm& comm)
{
    const int size = comm->size();
    const TypePointer byte = predefined_type(MPI_BYTE);
    const broadcast::Cut parts = broadcast::cut(static_cast<std::int64_t>(data.size()), broadcast::kCubePart);
    const int place = (comm->rank - root + size) % size;
    const broadcast::CubeSchedule schedule(static_cast<unsigned>(size), static_cast<unsigned>(place), parts.count,
                                           broadcast::FinalExchange::kCorrect);
    for (std::int64_t step = 0; step < schedule.steps(); ++step) {
        for (const broadcast::Transfer& each : schedule.at(step)) {
            const int peer = (static_cast<int>(each.peer) + root) % size;
            std::byte* const at = data.data() + parts.offset(each.part);
            const auto bytes = static_cast<std::size_t>(parts.size(each.part));
            if (each.sends) {
                send(comm, peer, at, bytes, byte);
            } else {
                receive(comm, peer, at, bytes, byte);
            }
        }
    }
}

/// In each round all receives are posted at once, and each piece goes on when it has come.
void Process::bcast_by_dopl(std::span<std::byte> data, int root, const Comm& comm)
{
    const TypePointer byte = predefined_type(MPI_BYTE);
    const broadcast::Cut parts = broadcast::cut(static_cast<std::int64_t>(data.size()), broadcast::kDoplPart);
    const broadcast::DoplSchedule schedule(*algorithms_.grid_of(comm->size()), static_cast<unsigned>(comm->rank),
                                           parts.count, static_cast<unsigned>(root));
    const auto pieces_of = [&](std::int64_t part, bool in_one_piece) {
        if (part < 0) return broadcast::Cut{};
        const std::int64_t bytes = parts.size(part);
        return in_one_piece ? broadcast::whole(bytes) : broadcast::cut(bytes, broadcast::kDoplPipe);
    };
    for (std::int64_t i = 0; i < schedule.rounds(); ++i) {
        const broadcast::DoplRound round = schedule.at(i);
        const broadcast::Cut in = pieces_of(round.received, round.receives_whole);
        const broadcast::Cut out = pieces_of(round.sent, round.sends_whole);
        std::vector<Request> coming;
        std::vector<Request> going;
        coming.reserve(static_cast<std::size_t>(in.count));  // a request that is under way stays where it is
        going.reserve(static_cast<std::size_t>(out.count));
        for (std::int64_t k = 0; k < in.count; ++k) {
            std::byte* const at = data.data() + parts.offset(round.received) + in.offset(k);
            start(coming.emplace_back(
                receiving(comm, static_cast<int>(round.previous), at, static_cast<std::size_t>(in.size(k)), byte)));
        }
        for (std::int64_t k = 0; k < out.count; ++k) {
            if (round.sent == round.received) wait(coming[static_cast<std::size_t>(k)]);
            const std::byte* const at = data.data() + parts.offset(round.sent) + out.offset(k);
            start(going.emplace_back(
                sending(comm, static_cast<int>(round.next), at, static_cast<std::size_t>(out.size(k)), byte)));
        }
        wait_for_all(coming);
        wait_for_all(going);
    }
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
        wait_for_all(all);
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
                        const TypePointer& to, const Comm& comm)
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
    std::size_t bytes = 0;
    for (const Place& piece : pieces) bytes += to->size * piece.count;
    const AllgatherBy by = algorithms_.allgather(bytes, size);
    // Block 0 is that of rank `first`: in Bruck's algorithm each rank begins with its own
    const int first = by == AllgatherBy::kBruck ? comm->rank : 0;
    const auto rank_at = [&](int block) { return (first + block) % size; };
    std::vector<std::size_t> begins{0};
    for (int block = 0; block < size; ++block) {
        begins.push_back(begins.back() + to->size * pieces[static_cast<std::size_t>(rank_at(block))].count);
    }
    std::vector<std::byte> data(bytes);
    const Blocks blocks{data.data(), [&](int block) { return begins[static_cast<std::size_t>(block)]; }};
    const Place& own = pieces[static_cast<std::size_t>(comm->rank)];
    const std::vector<std::byte> sent =
        mine.at == MPI_IN_PLACE ? packed(*to, own.count, own.at) : packed(*type, mine.count, mine.at);
    std::copy(sent.begin(), sent.end(), data.begin() + static_cast<std::ptrdiff_t>(blocks.begin(comm->rank - first)));
    switch (by) {
        case AllgatherBy::kBruck:
            for (int have = 1; have < size; have *= 2) {
                const int more = std::min(have, size - have);
                exchange(comm, (comm->rank - have + size) % size, {blocks.at(0), blocks.bytes(0, more)},
                         (comm->rank + have) % size, {blocks.at(have), blocks.bytes(have, have + more)},
                         predefined_type(MPI_BYTE));
            }
            break;
        case AllgatherBy::kDoubling: double_blocks(blocks, comm->rank, rank_at, comm); break;
        default: pass_blocks_on(blocks, comm->rank, rank_at, comm);
    }
    for (int block = 0; block < size; ++block) {
        const int rank = rank_at(block);
        if (rank == comm->rank && mine.at == MPI_IN_PLACE) continue;
        unpack(*to, {blocks.at(block), blocks.bytes(block, block + 1)}, pieces[static_cast<std::size_t>(rank)].at);
    }
}

void Process::double_blocks(const Blocks& blocks, int mine, const RankAt& rank_at, const Comm& comm)
{
    const TypePointer byte = predefined_type(MPI_BYTE);
    for (int distance = 1; distance < comm->size(); distance *= 2) {
        const int other = mine ^ distance;
        const int ours = mine / distance * distance;
        const int theirs = other / distance * distance;
        exchange(comm, rank_at(other), {blocks.at(ours), blocks.bytes(ours, ours + distance)}, rank_at(other),
                 {blocks.at(theirs), blocks.bytes(theirs, theirs + distance)}, byte);
    }
}

void Process::pass_blocks_on(const Blocks& blocks, int mine, const RankAt& rank_at, const Comm& comm)
{
    const TypePointer byte = predefined_type(MPI_BYTE);
    const int size = comm->size();
    for (int step = 0; step + 1 < size; ++step) {
        const int out = (mine - step + size) % size;
        const int in = (out - 1 + size) % size;
        exchange(comm, rank_at((mine + 1) % size), {blocks.at(out), blocks.bytes(out, out + 1)},
                 rank_at((mine - 1 + size) % size), {blocks.at(in), blocks.bytes(in, in + 1)}, byte);
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
    wait_for_all(all);
}

void Process::wait_for_all(std::vector<Request>& all)
{
    std::string error;
    for (Request& each : all) {
        wait(each);
        if (!each.error.empty()) error = each.error;
    }
    if (!error.empty()) throw Failure{MPI_ERR_TRUNCATE, error};
}

void Process::alltoallw(const std::vector<Piece>& pieces, const std::vector<Slot>& slots, const Comm& comm, int window)
{
    const int size = comm->peer_count();
    int begin = 0;
    if (!comm->is_inter()) {
        const Piece& piece = pieces[static_cast<std::size_t>(comm->rank)];
        const Slot& slot = slots[static_cast<std::size_t>(comm->rank)];
        unpack(*slot.type, packed(*piece.type, piece.count, piece.at), slot.at);
        begin = 1;
    }
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
                       const TypePointer& to, const Comm& comm, bool is_regular)
{
    const std::size_t each = is_regular && !pieces.empty() ? type->size * pieces.front().count : 0;
    const AlltoallBy by =
        is_regular && !comm->is_inter() ? algorithms_.alltoall(each, comm->size()) : AlltoallBy::kScattered;
    if (by == AlltoallBy::kBruck) {
        alltoall_by_bruck(pieces, type, places, to, comm);
        return;
    }
    std::vector<Piece> out;
    std::vector<Slot> in;
    for (int peer = 0; peer < comm->peer_count(); ++peer) {
        const ConstPlace& piece = pieces[static_cast<std::size_t>(peer)];
        const Place& place = places[static_cast<std::size_t>(peer)];
        out.push_back({peer, piece.at, piece.count, type});
        in.push_back({peer, place.at, place.count, to});
    }
    alltoallw(out, in, comm, by == AlltoallBy::kPairwise ? 1 : kWindow);
}

void Process::alltoall_by_bruck(const std::vector<ConstPlace>& pieces, const TypePointer& type,
                                const std::vector<Place>& places, const TypePointer& to, const Comm& comm)
{
    const int size = comm->size();
    const std::size_t each = type->size * pieces.front().count;
    const TypePointer byte = predefined_type(MPI_BYTE);
    // Block i has yet to go i ranks on: in round k, those with bit k go 2^k
    std::vector<std::byte> data(each * pieces.size());
    const auto block = [&](int i) { return data.data() + each * static_cast<std::size_t>(i); };
    for (int i = 0; i < size; ++i) {
        const ConstPlace& piece = pieces[static_cast<std::size_t>((comm->rank + i) % size)];
        pack(*type, piece.count, piece.at, block(i));
    }
    for (int distance = 1; distance < size; distance *= 2) {
        std::vector<std::byte> going;
        for (int i = 0; i < size; ++i) {
            if ((i & distance) != 0) going.insert(going.end(), block(i), block(i) + each);
        }
        std::vector<std::byte> coming(going.size());
        exchange(comm, (comm->rank + distance) % size, {going.data(), going.size()},
                 (comm->rank - distance + size) % size, {coming.data(), coming.size()}, byte);
        const std::byte* next = coming.data();
        for (int i = 0; i < size; ++i) {
            if ((i & distance) == 0) continue;
            std::copy_n(next, each, block(i));
            next += each;
        }
    }
    for (int i = 0; i < size; ++i) {
        unpack(*to, {block(i), each}, places[static_cast<std::size_t>((comm->rank - i + size) % size)].at);
    }
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
    // The program may have freed it since it began the call
    const bool is_freed = !predefined_type(handle) && types.find(handle) != how.type;
    if (is_freed) handle = types.add(how.type);
    const MPI_Datatype known = handle;
    how.op->function(in, inout, &elements, &handle);
    if (is_freed) types.remove(known);
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

/// Ranks folded to 2^k places: of each of the first pairs one steps back, which hands in what it has before.
struct Process::Fold {
    Fold(int ranks, int kept)
        : whole(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))), rest(ranks - whole), kept_(kept)
    {}

    int whole;  ///< places
    int rest;   ///< pairs
    int rank_of(int place) const { return place < rest ? keeper(place) : place + rest; }
    /// -1: it has stepped back
    int place_of(int rank) const
    {
        if (rank >= 2 * rest) return rank - rest;
        return keeper(rank / 2) == rank ? rank / 2 : -1;
    }
    bool is_in_pair(int rank) const { return rank < 2 * rest; }

private:
    int keeper(int pair) const { return kept_ / 2 == pair ? kept_ : 2 * pair + 1; }
    int kept_;  // this rank does not step back
};

bool Process::halves(const Reduction& how, std::size_t count, int ranks)
{
    return ranks > 1 && how.op->function == nullptr && how.op->commutes &&
           count >= std::bit_floor(static_cast<unsigned>(ranks));
}

int Process::fold_in(const Fold& fold, Elements& mine, Elements& other, std::size_t count, const Reduction& how,
                     const Comm& comm)
{
    const int me = comm->rank;
    const int place = fold.place_of(me);
    if (!fold.is_in_pair(me)) return place;
    const int partner = me ^ 1;
    if (place < 0) {
        send(comm, partner, mine.place(), count, how.type);
        return place;
    }
    receive(comm, partner, other.place(), count, how.type);
    combine_in_order(how, count, partner < me ? other : mine, partner < me ? mine : other, partner < me);
    return place;
}

void Process::fold_out(const Fold& fold, Elements& mine, std::size_t first, std::size_t count, const Reduction& how,
                       const Comm& comm)
{
    if (!fold.is_in_pair(comm->rank)) return;
    if (fold.place_of(comm->rank) < 0) {
        receive(comm, comm->rank ^ 1, mine.element(first), count, how.type);
    } else {
        send(comm, comm->rank ^ 1, mine.element(first), count, how.type);
    }
}

void Process::halve(const Fold& fold, int place, const Begins& begins, Elements& mine, Elements& other,
                    const Reduction& how, const Comm& comm)
{
    for (int distance = fold.whole / 2; distance > 0; distance /= 2) {
        const int partner = place ^ distance;
        const int rank = fold.rank_of(partner);
        const std::size_t out = begins(partner / distance * distance);
        const std::size_t out_end = begins(partner / distance * distance + distance);
        const std::size_t in = begins(place / distance * distance);
        const std::size_t in_end = begins(place / distance * distance + distance);
        exchange(comm, rank, {mine.element(out), out_end - out}, rank, {other.element(in), in_end - in}, how.type);
        combine(how, in_end - in, other.element(in), mine.element(in));
    }
}

void Process::reduce(const void* from, void* into, std::size_t count, const Reduction& how, int root, const Comm& comm)
{
    if (comm->is_inter()) {
        reduce_inter(from, into, count, how, root, comm);
        return;
    }
    const int size = comm->size();
    Elements mine(*how.type, count, from == MPI_IN_PLACE ? into : from);
    Elements other(*how.type, count);
    if (algorithms_.reduce(count * how.type->size, halves(how, count, size)) == ReduceBy::kScatterGather) {
        const Fold fold(size, root);
        const Begins begins = [&](int place) { return part_begin(count, fold.whole, place); };
        const int place = fold_in(fold, mine, other, count, how, comm);
        if (place >= 0) {
            halve(fold, place, begins, mine, other, how, comm);
            const int top = fold.place_of(root);
            for (int distance = 1; distance < fold.whole; distance *= 2) {
                const int partner = place ^ distance;
                const int at = (place & distance) == (top & distance) ? partner : place;
                const std::size_t first = begins(at / distance * distance);
                const std::size_t end = begins(at / distance * distance + distance);
                if (at == place) {
                    send(comm, fold.rank_of(partner), mine.element(first), end - first, how.type);
                    break;
                }
                receive(comm, fold.rank_of(partner), mine.element(first), end - first, how.type);
            }
        }
        if (comm->rank == root) mine.copy_to(into);
        return;
    }
    // An operation that does not commute is applied in the order of ranks
    const int top = how.op->commutes ? root : 0;
    const int relative = (comm->rank - top + size) % size;
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
    const Fold fold(size, kNobody);
    const int place = fold_in(fold, mine, other, count, how, comm);
    const bool divides =
        algorithms_.allreduce(count * how.type->size, halves(how, count, size)) == AllreduceBy::kScatterAllgather;
    if (place >= 0 && divides) {
        const Begins begins = [&](int at) { return part_begin(count, fold.whole, at); };
        halve(fold, place, begins, mine, other, how, comm);
        for (int distance = 1; distance < fold.whole; distance *= 2) {
            const int partner = place ^ distance;
            const std::size_t ours = begins(place / distance * distance);
            const std::size_t ours_end = begins(place / distance * distance + distance);
            const std::size_t theirs = begins(partner / distance * distance);
            const std::size_t theirs_end = begins(partner / distance * distance + distance);
            exchange(comm, fold.rank_of(partner), {mine.element(ours), ours_end - ours}, fold.rank_of(partner),
                     {mine.element(theirs), theirs_end - theirs}, how.type);
        }
    } else if (place >= 0) {  // recursive doubling
        for (int distance = 1; distance < fold.whole; distance *= 2) {
            const int rank = fold.rank_of(place ^ distance);
            exchange(comm, rank, {mine.place(), count}, rank, {other.place(), count}, how.type);
            const bool is_above = rank < comm->rank;
            combine_in_order(how, count, is_above ? other : mine, is_above ? mine : other, is_above);
        }
    }
    fold_out(fold, mine, 0, count, how, comm);
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
    std::vector<std::size_t> begins{0};
    for (const std::size_t count : counts) begins.push_back(begins.back() + count);
    const auto begin = [&](int rank) { return begins[static_cast<std::size_t>(rank)]; };
    const auto* const data = static_cast<const std::byte*>(from == MPI_IN_PLACE ? into : from);
    const auto block = [&](int rank) { return data + static_cast<std::ptrdiff_t>(begin(rank)) * how.type->extent(); };
    const std::size_t own = counts[static_cast<std::size_t>(comm->rank)];
    if (algorithms_.reduce_scatter(begins.back() * how.type->size, how.op->commutes) == ReduceScatterBy::kHalving) {
        Elements mine(*how.type, begins.back(), data);
        Elements other(*how.type, begins.back());
        const Fold fold(size, kNobody);
        const int place = fold_in(fold, mine, other, begins.back(), how, comm);
        const Begins first = [&](int at) { return begin(std::min(at, fold.rest) + at); };
        if (place >= 0) halve(fold, place, first, mine, other, how, comm);
        const int served = place < 0 ? comm->rank : comm->rank ^ 1;
        if (fold.is_in_pair(comm->rank)) {
            fold_out(fold, mine, begin(served), counts[static_cast<std::size_t>(served)], how, comm);
        }
        Elements result(*how.type, own, mine.element(begin(comm->rank)));
        result.copy_to(into);
        return;
    }
    // Pairwise: each rank gets all parts of its block, and combines them in the order of ranks
    std::vector<Elements> parts;
    parts.reserve(static_cast<std::size_t>(size));
    for (int each = 0; each < size; ++each) parts.emplace_back(*how.type, own);
    parts[static_cast<std::size_t>(comm->rank)].copy_from(block(comm->rank));
    for (int step = 1; step < size; ++step) {
        const int to = (comm->rank + step) % size;
        const int source = (comm->rank - step + size) % size;
        exchange(comm, to, {block(to), counts[static_cast<std::size_t>(to)]}, source,
                 {parts[static_cast<std::size_t>(source)].place(), own}, how.type);
    }
    for (int each = 1; each < size; ++each) {
        combine(how, own, parts[static_cast<std::size_t>(each) - 1].place(),
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
