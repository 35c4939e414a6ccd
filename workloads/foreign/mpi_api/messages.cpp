// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "tlm/error.h"
#include "tlm/machine/processor.h"
#include "workloads/foreign/mpi_api/process.h"

namespace ringmesh::workloads::mpi_api {
namespace {

constexpr std::uint32_t kLeastRoom = 64;  // of a message

Task<> passing(Processor& processor, Duration time) { co_await processor.compute(time); }

/// A rank of the world, or any.
int source_of(const Request& request)
{
    return request.peer == MPI_ANY_SOURCE ? MPI_ANY_SOURCE : static_cast<int>(request.comm->world_rank(request.peer));
}

}  // namespace

Process::Process(Host& host, Rank& rank, unsigned ranks, const CallCosts& costs, const Algorithms& algorithms,
                 MessageListener* listener)
    : listener_(listener),
      host_(host),
      rank_(rank),
      messages_(*rank.labelled()),
      me_(rank.processor().rank()),
      costs_(costs),
      algorithms_(algorithms),
      ranks_(ranks),
      card_(CardMemory::of(rank.processor()))
{
    messages_.deliver_to(*this);
    auto world = std::make_shared<Communicator>();
    for (unsigned each = 0; each < ranks; ++each) world->members.push_back(each);
    world->rank = static_cast<int>(me_);
    world->name = "MPI_COMM_WORLD";
    auto self = std::make_shared<Communicator>();
    self->context = kContexts;
    self->members = {me_};
    self->name = "MPI_COMM_SELF";
    communicators.add(world);
    communicators.add(self);
    groups.add(std::make_shared<Members>());
}

void Process::initialize()
{
    initialized_ = true;
    await(rank_.begin());
}

void Process::finalize()
{
    const auto self = communicators.find(MPI_COMM_SELF);
    delete_attributes(self->attributes, MPI_COMM_SELF);
    int size = 0;
    detach_buffer(size);  // and other sends that nobody waits for
    const Comm world = communicators.find(MPI_COMM_WORLD);
    begin_collective(world);
    barrier(world);
    await(rank_.end());
    finalized_ = true;
}

void Process::sleep(Duration time)
{
    if (time > Duration::zero()) await(passing(rank_.processor(), time));
}

std::uint64_t Process::take_room(std::uint32_t size)
{
    const std::uint32_t bytes = std::bit_ceil(std::max(size, kLeastRoom));
    auto& free = free_[bytes];
    if (free.empty()) return messages_.allocate(bytes);
    const std::uint64_t address = free.back();
    free.pop_back();
    return address;
}

std::uint64_t Process::nothing()
{
    if (!nothing_) nothing_ = take_room(0);
    return *nothing_;
}

void Process::free_room(std::uint64_t address, std::uint32_t size)
{
    free_[std::bit_ceil(std::max(size, kLeastRoom))].push_back(address);
}

void Process::stage(Request& request, std::uint32_t size)
{
    request.staged_bytes = size;
    const std::pair place{request.is_send ? request.from : request.into, request.type.get()};
    const auto found = staged_.find(place);
    // What is buffered may change in the program before it has left
    if (!request.buffered && found != staged_.end() && found->second.bytes >= size) {
        ++found->second.users;
        request.staged = found->second.address;
        return;
    }
    request.staged = take_room(size);
    if (!request.buffered && found == staged_.end()) staged_[place] = {request.staged, size, 1};
}

void Process::unstage(Request& request)
{
    const auto found = staged_.find({request.is_send ? request.from : request.into, request.type.get()});
    if (found == staged_.end() || found->second.address != request.staged) {
        free_room(request.staged, request.staged_bytes);
    } else if (--found->second.users == 0) {
        free_room(found->second.address, found->second.bytes);
        staged_.erase(found);
    }
}

bool Process::matches(const Request& request, const Arrival& arrival)
{
    const bool is_source = request.peer == MPI_ANY_SOURCE || request.comm->world_rank(request.peer) == arrival.from;
    const bool is_tag = request.tag == MPI_ANY_TAG || request.tag == arrival.label.tag;
    return is_source && is_tag && request.context == arrival.label.context;
}

Sources Process::sources(const Sources& more) const
{
    Sources all = more;
    all.all = all.all || !open_windows_.empty();
    for (const auto& each : posted_) {
        const int from = each.first;
        if (from == MPI_ANY_SOURCE) {
            all.all = true;
        } else if (static_cast<unsigned>(from) != me_) {
            all.ranks.push_back(static_cast<unsigned>(from));
        }
    }
    return all;
}

void Process::wait_until(const std::function<bool()>& is_so, const Sources& more)
{
    if (strand_ != nullptr) {
        Strand& strand = *strand_;
        while (!is_so()) {
            strand.until = &is_so;
            strand.fiber->suspend();
        }
        strand.until = nullptr;
        return;
    }
    for (;;) {
        unpack_landed();
        serve();
        tell_senders();
        run_strands();
        if (is_so()) return;
        if (!serve()) await(messages_.wait(sources(more)));
    }
}

void Process::look(const Sources& more)
{
    await(passing(rank_.processor(), costs_.test));
    await(messages_.advance(sources(more)));
    if (strand_ != nullptr) return;
    unpack_landed();
    serve();
    tell_senders();
    run_strands();
}

void Process::holds(const Arrival& arrival, bool came)
{
    if (arrival.from == me_ || arrival.waits) return;
    OfSender& sender = held_[arrival.from];
    const std::uint64_t bytes = std::max(arrival.size, kLeastRoom);
    sender.bytes = came ? sender.bytes + bytes : sender.bytes - bytes;
    const auto most = static_cast<std::uint64_t>(costs_.unexpected.count());
    const bool is_full = sender.bytes > (sender.is_full ? most / 2 : most);
    if (is_full != sender.is_full) untold_.push_back(arrival.from);
    sender.is_full = is_full;
}

void Process::tell_senders()
{
    while (!untold_.empty()) {
        const unsigned to = untold_.back();
        untold_.pop_back();
        OfSender& sender = held_.at(to);
        if (std::exchange(sender.knows_full, sender.is_full) == sender.is_full) continue;
        std::erase_if(telling_, [](const Sending& each) { return each.done; });
        const Label label{sender.is_full ? 0 : 1, kRoomContext};
        await(messages_.begin(telling_.emplace_back(Sending{.to = to, .from = nothing(), .label = label})));
    }
}

bool Process::has_room(const Sending& sending)
{
    ToReceiver& to = to_receivers_[sending.to];
    const auto most = static_cast<std::uint64_t>(costs_.unexpected.count());
    const std::uint64_t bytes = std::max(sending.size, kLeastRoom);
    to.unheard += bytes;
    if (to.unheard > most / 4) {
        to.unheard = 0;
        await(messages_.advance({.all = false, .ranks = {sending.to}}));
        tell_senders();  // of what came meanwhile
    }
    return !full_.contains(sending.to) && to.under_way + bytes <= most;
}

void Process::renew(Request& request)
{
    request.active = true;
    request.complete = false;
    request.strand = strand_;
    request.matched.reset();
    request.error.clear();
    request.error_class = MPI_ERR_TRUNCATE;
    request.status = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
}

void Process::start(Request& request, const Message& message)
{
    renew(request);
    if (listener_ != nullptr) request.recorded = listener_->expects(me_);
    take(request, message);
}

void Process::start(Request& request)
{
    renew(request);
    if (request.peer == MPI_PROC_NULL) {
        request.status.MPI_SOURCE = MPI_PROC_NULL;
        request.complete = true;
        return;
    }
    if (!request.is_send) {
        post(request);
        return;
    }
    if (request.room() > std::numeric_limits<std::uint32_t>::max() / 2) {
        // No error that a program may go on after: of the same call a receive may wait for its message
        throw UserError(fmt::format("rank {} sends {} bytes to rank {}; a message can have 2 GiB: send it in parts",
                                    me_, request.room(), request.peer));
    }
    if (request.buffered) {
        tidy();
        std::uint64_t held = 0;
        for (const auto& other : abandoned_) held += other->buffered ? other->room() + MPI_BSEND_OVERHEAD : 0;
        if (held + request.room() + MPI_BSEND_OVERHEAD > static_cast<std::uint64_t>(buffer_bytes_)) {
            throw Failure{MPI_ERR_BUFFER,
                          fmt::format("the attached buffer of {} bytes has no room for {} more and {} of overhead",
                                      buffer_bytes_, request.room(), MPI_BSEND_OVERHEAD)};
        }
    }
    // One that is buffered goes on by itself
    auto copy = request.buffered ? std::make_shared<Request>(request) : nullptr;
    Request& sent = copy ? *copy : request;
    const auto size = static_cast<std::uint32_t>(sent.room());
    stage(sent, size);
    std::vector<std::byte> bytes(size);
    pack(*sent.type, sent.count, sent.from, bytes.data());
    rank_.processor().poke(sent.staged, bytes);
    sent.sending = {.to = sent.comm->world_rank(sent.peer),
                    .from = sent.staged,
                    .size = size,
                    .label = {sent.tag, sent.context},
                    .synchronous = sent.synchronous};
    if (copy) {
        abandoned_.push_back(copy);
        await(messages_.copy(sent.staged, sent.staged, size));
        request.complete = true;
    }
    if (sent.sending.to == me_) {
        send_to_self(sent);
    } else {
        sent.sending.synchronous = !has_room(sent.sending) || sent.synchronous;
        if (listener_ != nullptr) sent.recorded = listener_->sends(me_, sent.sending.to, size);
        await(messages_.begin(sent.sending));
        if (!sent.sending.synchronous && !sent.sending.done) {
            to_receivers_[sent.sending.to].under_way += std::max(size, kLeastRoom);
            under_way_.insert(&sent.sending);
        }
    }
    if (strand_ != nullptr && !sent.sending.done) unsent_[&sent.sending] = strand_;
}

void Process::send_to_self(Request& request)
{
    await(messages_.call());
    const Arrival arrival{.from = me_,
                          .size = request.sending.size,
                          .label = request.sending.label,
                          .number = ++self_number_,
                          .waits = request.synchronous};
    request.sending.number = arrival.number;
    const auto into = arrived(arrival);
    if (arrival.waits) {
        to_self_.push_back(&request);
        if (into) call_for(arrival, *into);
        return;
    }
    await(messages_.copy(request.staged, into.value(), arrival.size));
    request.sending.done = true;
    left(request.sending);
    delivered(arrival);
}

void Process::call_for(const Arrival& arrival, std::uint64_t into)
{
    if (arrival.from != me_) {
        await(messages_.call_for(arrival, into));
        return;
    }
    const auto found = std::find_if(to_self_.begin(), to_self_.end(),
                                    [&](const Request* each) { return each->sending.number == arrival.number; });
    Request& request = **found;
    to_self_.erase(found);
    await(messages_.copy(request.staged, into, arrival.size));
    request.sending.done = true;
    left(request.sending);
    delivered(arrival);
}

void Process::post(Request& request)
{
    if (listener_ != nullptr) request.recorded = listener_->expects(me_);
    const auto found = std::find_if(unexpected_.begin(), unexpected_.end(),
                                    [&](const Unexpected& each) { return matches(request, each.arrival); });
    if (found == unexpected_.end()) {
        posted_[source_of(request)].push_back({++posts_, &request});
        return;
    }
    const Message message{request.comm, found->arrival, found->place};
    unexpected_.erase(found);
    take(request, message);
}

Request* Process::take_posted(const Arrival& arrival)
{
    auto first_from = posted_.end();
    std::list<Posted>::iterator first;
    for (const int source : {static_cast<int>(arrival.from), MPI_ANY_SOURCE}) {
        const auto from = posted_.find(source);
        if (from == posted_.end()) continue;
        const auto found = std::find_if(from->second.begin(), from->second.end(),
                                        [&](const Posted& each) { return matches(*each.request, arrival); });
        if (found == from->second.end() || (first_from != posted_.end() && first->number < found->number)) continue;
        first_from = from;
        first = found;
    }
    if (first_from == posted_.end()) return nullptr;
    Request* const request = first->request;
    first_from->second.erase(first);
    if (first_from->second.empty()) posted_.erase(first_from);
    return request;
}

void Process::take(Request& request, const Message& message)
{
    request.matched = message.arrival;
    stage(request, message.arrival.size);
    if (message.arrival.waits) {
        incoming_.push_back({message.arrival.from, message.arrival.number, &request});
        call_for(message.arrival, request.staged);
        return;
    }
    await(messages_.copy(message.place, request.staged, message.arrival.size));
    free_room(message.place, message.arrival.size);
    holds(message.arrival, false);
    receive_into(request, message.arrival);
}

std::optional<std::uint64_t> Process::arrived(const Arrival& came)
{
    Arrival arrival = came;
    if (arrival.label.context == kRoomContext) {
        if (arrival.label.tag == 0) {
            full_.insert(arrival.from);
        } else {
            full_.erase(arrival.from);
        }
        return nothing();
    }
    if (listener_ != nullptr && arrival.from != me_) arrival.order = ++heard_of_[arrival.from];
    if (open_windows_.contains(arrival.label.context)) {
        // Of long ones of a sender only the first gets room
        heard_.push_back({.arrival = arrival});
        if (!arrival.waits) heard_.back().place = take_room(arrival.size);
        return heard_.back().place;
    }
    if (Request* const found = take_posted(arrival); found != nullptr) {
        Request& request = *found;
        request.matched = arrival;
        stage(request, arrival.size);
        incoming_.push_back({arrival.from, arrival.number, &request});
        return request.staged;
    }
    unexpected_.push_back({.arrival = arrival});
    if (arrival.waits) return std::nullopt;
    unexpected_.back().place = take_room(arrival.size);
    holds(arrival, true);
    return unexpected_.back().place;
}

void Process::delivered(const Arrival& arrival)
{
    const auto found = std::find_if(incoming_.begin(), incoming_.end(), [&](const Incoming& each) {
        return each.from == arrival.from && each.number == arrival.number;
    });
    if (found == incoming_.end()) {
        for (Heard& each : heard_) {
            if (each.arrival.from == arrival.from && each.arrival.number == arrival.number) each.is_here = true;
        }
        return;  // nobody has asked for it yet
    }
    landed_.push_back(found->request);
    if (found->request->strand != nullptr) wake(*found->request->strand);
    incoming_.erase(found);
}

void Process::left(const Sending& sending)
{
    if (under_way_.erase(&sending) > 0) to_receivers_[sending.to].under_way -= std::max(sending.size, kLeastRoom);
    const auto found = unsent_.find(&sending);
    if (found == unsent_.end()) return;
    wake(*found->second);
    unsent_.erase(found);
}

void Process::unpack_landed()
{
    for (Request* const each : std::exchange(landed_, {})) receive_into(*each, *each->matched);
}

void Process::receive_into(Request& request, const Arrival& arrival)
{
    const auto bytes_taken = static_cast<std::uint32_t>(std::min<std::uint64_t>(arrival.size, request.room()));
    std::vector<std::byte> bytes(bytes_taken);
    rank_.processor().peek(request.staged, bytes);
    unpack(*request.type, bytes, request.into);
    unstage(request);
    if (request.recorded != 0 && arrival.from != me_) {  // 0 in a window: no receive of the program's
        listener_->gets(me_, request.recorded, arrival.from, arrival.order, arrival.size);
    }
    request.status = status_of(arrival, *request.comm);
    request.status.ringmesh_bytes = bytes_taken;
    if (bytes_taken < arrival.size) {
        request.status.MPI_ERROR = MPI_ERR_TRUNCATE;
        request.error = fmt::format("a message of {} bytes from rank {}, tag {}, is larger than the {} of the receive",
                                    arrival.size, request.status.MPI_SOURCE, request.status.MPI_TAG, request.room());
    }
    request.complete = true;
}

bool Process::settled(Request& request)
{
    unpack_landed();
    if (!request.active) return true;
    if (!request.complete && request.is_send && request.sending.done) {
        unstage(request);
        request.complete = true;
    }
    if (request.complete && request.recorded != 0) listener_->knows(me_, std::exchange(request.recorded, 0));
    return request.complete;
}

void Process::wait(Request& request)
{
    wait_until([&] { return settled(request); });
}

void Process::tidy()
{
    std::erase_if(abandoned_, [this](const auto& each) { return settled(*each); });
}

void Process::abandon(std::shared_ptr<Request> request)
{
    tidy();
    if (!settled(*request)) abandoned_.push_back(std::move(request));
}

const Arrival* Process::waiting(const Communicator& comm, int source, int tag) const
{
    for (const Unexpected& each : unexpected_) {
        const Arrival& arrival = each.arrival;
        if (arrival.label.context != comm.context || (tag != MPI_ANY_TAG && arrival.label.tag != tag)) continue;
        if (source == MPI_ANY_SOURCE || comm.world_rank(source) == arrival.from) return &arrival;
    }
    return nullptr;
}

MPI_Status Process::status_of(const Arrival& arrival, const Communicator& comm) const
{
    return {comm.rank_of(arrival.from), arrival.label.tag, MPI_SUCCESS, 0, arrival.size};
}

void Process::probe(const Comm& comm, int source, int tag, MPI_Status& status)
{
    Sources from;
    from.all = source == MPI_ANY_SOURCE;
    if (!from.all) from.ranks.push_back(comm->world_rank(source));
    wait_until([&] { return waiting(*comm, source, tag) != nullptr; }, from);
    status = status_of(*waiting(*comm, source, tag), *comm);
}

bool Process::iprobe(const Comm& comm, int source, int tag, MPI_Status& status)
{
    Sources from;
    from.all = source == MPI_ANY_SOURCE;
    if (!from.all) from.ranks.push_back(comm->world_rank(source));
    look(from);
    const Arrival* const found = waiting(*comm, source, tag);
    if (found != nullptr) status = status_of(*found, *comm);
    return found != nullptr;
}

std::shared_ptr<Process::Message> Process::take_waiting(const Comm& comm, int source, int tag)
{
    const Arrival* const arrival = waiting(*comm, source, tag);
    const auto found = std::find_if(unexpected_.begin(), unexpected_.end(),
                                    [arrival](const Unexpected& each) { return &each.arrival == arrival; });
    auto message = std::make_shared<Message>(Message{comm, found->arrival, found->place});
    unexpected_.erase(found);
    return message;
}

void Process::cancel(Request& request)
{
    if (request.own) {
        if (request.own->cancel == nullptr) return;
        const int code = request.own->cancel(request.own->extra, request.complete ? 1 : 0);
        if (code != MPI_SUCCESS) throw Failure{code, "the function that cancels a request failed"};
        return;
    }
    const auto from = std::find_if(posted_.begin(), posted_.end(), [&](auto& each) {
        return std::erase_if(each.second, [&](const Posted& posted) { return posted.request == &request; }) > 0;
    });
    if (from == posted_.end()) return;  // it is too late, or a send, which cannot be called back
    if (from->second.empty()) posted_.erase(from);
    request.status = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 1, 0};
    request.complete = true;
}

void Process::let_go(MPI_Request handle)
{
    const auto sent = requests.find(handle);
    if (settled(*sent)) return;
    auto done = std::make_shared<Request>(*sent);
    done->complete = true;
    done->recorded = 0;
    // A later send of the same place has bytes of its own
    const auto found = staged_.find({sent->from, sent->type.get()});
    if (found != staged_.end() && found->second.address == sent->staged && found->second.users == 1) {
        staged_.erase(found);
    }
    abandon(requests.exchange(handle, std::move(done)));
}

void Process::attach_buffer(void* buffer, int size)
{
    if (buffer_ != nullptr) throw Failure{MPI_ERR_BUFFER, "a buffer is attached already"};
    buffer_ = buffer;
    buffer_bytes_ = size;
}

void* Process::detach_buffer(int& size)
{
    for (const auto& each : abandoned_) {
        if (!each->is_send) continue;
        wait_until([&] { return each->sending.done; });
    }
    void* const buffer = buffer_;
    size = buffer_bytes_;
    buffer_ = nullptr;
    buffer_bytes_ = 0;
    return buffer;
}

}  // namespace ringmesh::workloads::mpi_api
