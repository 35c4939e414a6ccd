// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "tlm/error.h"
#include "workloads/foreign/rcce_api/process.h"

/// Messages of iRCCE.
namespace ringmesh::workloads::rcce_api {
namespace {

constexpr ssize_t kMostBytes = 0x7fffffff;

template <class All, class Request>
auto* find_in(const All& all, const Request* request)
{
    const auto found = std::find_if(all.begin(), all.end(), [=](const auto& each) { return each->request == request; });
    return found == all.end() ? nullptr : found->get();
}

template <class Request>
constexpr bool kSends = std::is_same_v<Request, iRCCE_SEND_REQUEST>;

void tell(int* to, bool is_so)
{
    if (to != nullptr) *to = is_so ? 1 : 0;
}

}  // namespace

Process::Outgoing* Process::find(const iRCCE_SEND_REQUEST* request) const { return find_in(outgoing_, request); }
Process::Incoming* Process::find(const iRCCE_RECV_REQUEST* request) const { return find_in(incoming_, request); }

void Process::settle()
{
    std::erase_if(outgoing_, [](const auto& each) {
        if (!each->sent.finished()) return false;
        each->request->finished = 1;
        --each->room->users;
        return true;
    });
    std::erase_if(incoming_, [this](const auto& each) {
        iRCCE_RECV_REQUEST& request = *each->request;
        request.started = each->received.begun() ? 1 : 0;
        if (each->received.peer() != rcce::kAnySource) request.source = static_cast<int>(each->received.peer());
        if (!each->received.finished()) return false;
        request.size = each->received.size();
        request.finished = 1;
        if (each->room != nullptr) {
            fetch(request.privbuf, request.size, *each->room);
            --each->room->users;
        }
        last_source_ = request.source;
        last_length_ = static_cast<int>(request.size);
        return true;
    });
}

void Process::end()
{
    for (const auto& each : incoming_) library_.ircce()->cancel(each->received);
}

int Process::isend(char* data, ssize_t size, int ue, iRCCE_SEND_REQUEST* request)
{
    if (request == nullptr) {
        iRCCE_SEND_REQUEST own{};
        const int code = isend(data, size, ue, &own);
        return code == iRCCE_PENDING || code == iRCCE_RESERVED ? wait(&own) : code;
    }
    if (!is_ue(ue)) return RCCE_ERROR_ID;
    if (size > kMostBytes) return RCCE_ERROR_MESSAGE_LENGTH;
    if (find(request) != nullptr) {
        throw UserError(
            fmt::format("rank {}: iRCCE_isend with a request that is under way; wait for it before, or take "
                        "another",
                        this->ue()));
    }
    const auto bytes = static_cast<std::uint32_t>(std::max<ssize_t>(size, 0));
    *request = {.privbuf = data, .size = bytes, .dest = ue, .finished = 0};
    auto& made = *outgoing_.emplace_back(std::make_unique<Outgoing>());
    made.request = request;
    made.room = &filled_room(data, bytes);
    ++made.room->users;
    await_value(library_.ircce()->isend(made.room->address, bytes, static_cast<unsigned>(ue), made.sent));
    settle();
    return state_of(*request);
}

int Process::irecv(char* data, ssize_t size, int ue, iRCCE_RECV_REQUEST* request)
{
    if (request == nullptr) {
        iRCCE_RECV_REQUEST own{};
        const int code = irecv(data, size, ue, &own);
        return code == iRCCE_PENDING || code == iRCCE_RESERVED ? wait(&own) : code;
    }
    if (!is_ue(ue) && ue != iRCCE_ANY_SOURCE) return RCCE_ERROR_ID;
    if (size > kMostBytes) return RCCE_ERROR_MESSAGE_LENGTH;
    if (find(request) != nullptr) {
        throw UserError(
            fmt::format("rank {}: iRCCE_irecv with a request that is under way; wait for it before, or take "
                        "another",
                        this->ue()));
    }
    const bool any_length = size == iRCCE_ANY_LENGTH;
    const auto bytes = static_cast<std::uint32_t>(std::max<ssize_t>(size, 0));
    *request = {.privbuf = data, .size = bytes, .source = ue, .finished = 0, .started = 0};
    auto& made = *incoming_.emplace_back(std::make_unique<Incoming>());
    made.request = request;
    const auto take_room = [this, &made](std::uint32_t length) {
        made.room = &room(made.request->privbuf, length);
        ++made.room->users;
        return made.room->address;
    };
    if (any_length) made.received.make_room_by(take_room);
    const std::uint64_t address = any_length ? 0 : take_room(bytes);
    const unsigned from = ue == iRCCE_ANY_SOURCE ? rcce::kAnySource : static_cast<unsigned>(ue);
    await_value(library_.ircce()->irecv(address, any_length ? rcce::kAnyLength : bytes, from, made.received));
    settle();
    return state_of(*request);
}

template <class Request>
bool Process::is_under_way(const Request& request) const
{
    if (find(&request) != nullptr) return true;
    if (request.finished == 1) return false;
    throw UserError(fmt::format("rank {}: a request of iRCCE that was never begun, or was cancelled", ue()));
}

template <class Request>
int Process::state_of(const Request& request) const
{
    const auto* const one = find(&request);
    if (one == nullptr) return iRCCE_SUCCESS;
    const rcce::Ircce& ircce = *library_.ircce();
    if constexpr (kSends<Request>) {
        return ircce.is_head(one->sent) ? iRCCE_PENDING : iRCCE_RESERVED;
    } else {
        return ircce.is_head(one->received) ? iRCCE_PENDING : iRCCE_RESERVED;
    }
}

int Process::status(const iRCCE_SEND_REQUEST* request) const { return state_of(*request); }
int Process::status(const iRCCE_RECV_REQUEST* request) const { return state_of(*request); }

int Process::test(iRCCE_SEND_REQUEST* request, int* done)
{
    if (request == nullptr) {
        push_sends();
        tell(done, outgoing_.empty());
        return outgoing_.empty() ? iRCCE_SUCCESS : iRCCE_PENDING;
    }
    if (is_under_way(*request)) await_value(library_.ircce()->isend_test(find(request)->sent));
    settle();
    const int state = state_of(*request);
    tell(done, state == iRCCE_SUCCESS);
    return state;
}

int Process::test(iRCCE_RECV_REQUEST* request, int* done)
{
    if (request == nullptr) {
        const int code = push_receives();
        tell(done, code == iRCCE_SUCCESS);
        return code;
    }
    if (is_under_way(*request)) await_value(library_.ircce()->irecv_test(find(request)->received));
    settle();
    const int state = state_of(*request);
    tell(done, state == iRCCE_SUCCESS);
    return state;
}

template <class Request>
int Process::wait_for(const Request* request)
{
    rcce::Ircce& ircce = *library_.ircce();
    rcce::WaitList list;
    if (request != nullptr && !is_under_way(*request)) return iRCCE_SUCCESS;
    if constexpr (kSends<Request>) {
        for (const auto& each : outgoing_) {
            if (request == nullptr || each->request == request) ircce.add_to_wait_list(list, &each->sent, nullptr);
        }
    } else {
        for (const auto& each : incoming_) {
            if (request == nullptr || each->request == request) ircce.add_to_wait_list(list, nullptr, &each->received);
        }
    }
    await(ircce.wait_all(list));
    settle();
    return iRCCE_SUCCESS;
}

int Process::wait(iRCCE_SEND_REQUEST* request) { return wait_for(request); }
int Process::wait(iRCCE_RECV_REQUEST* request) { return wait_for(request); }

int Process::push_sends()
{
    const std::size_t before = outgoing_.size();
    await(library_.ircce()->isend_push());
    settle();
    return before == 0 || outgoing_.size() < before ? iRCCE_SUCCESS : iRCCE_PENDING;
}

int Process::push_receives()
{
    await(library_.ircce()->irecv_push());
    settle();
    if (incoming_.empty()) return iRCCE_SUCCESS;
    const bool any = std::any_of(incoming_.begin(), incoming_.end(),
                                 [](const auto& each) { return each->received.peer() == rcce::kAnySource; });
    return any ? iRCCE_RESERVED : iRCCE_PENDING;
}

template <class Request>
int Process::cancel_one(const Request* request, int* done)
{
    tell(done, false);
    auto* const one = find(request);
    if (one == nullptr) return iRCCE_NOT_ENQUEUED;
    rcce::Request* moving = nullptr;
    if constexpr (kSends<Request>) {
        moving = &one->sent;
    } else {
        moving = &one->received;
    }
    if (!library_.ircce()->cancel(*moving)) return iRCCE_PENDING;
    if (one->room != nullptr) --one->room->users;
    const auto is_it = [=](const auto& each) { return each->request == request; };
    if constexpr (kSends<Request>) {
        std::erase_if(outgoing_, is_it);
    } else {
        std::erase_if(incoming_, is_it);
    }
    tell(done, true);
    return iRCCE_SUCCESS;
}

int Process::cancel(const iRCCE_SEND_REQUEST* request, int* done) { return cancel_one(request, done); }
int Process::cancel(const iRCCE_RECV_REQUEST* request, int* done) { return cancel_one(request, done); }

int Process::srecv(void* data, ssize_t size, int ue)
{
    const bool any_length = size == iRCCE_ANY_LENGTH;
    if (ue == iRCCE_ANY_SOURCE || any_length) {
        if (const int code = probe(ue, ue); code != iRCCE_SUCCESS) return code;
    }
    const auto bytes = any_length ? last_length_ : static_cast<int>(std::clamp<ssize_t>(size, 0, kMostBytes));
    return recv(data, static_cast<std::size_t>(bytes), ue);
}

int Process::iprobe(int ue, int& source)
{
    if (!is_ue(ue) && ue != iRCCE_ANY_SOURCE) return RCCE_ERROR_ID;
    const unsigned from = ue == iRCCE_ANY_SOURCE ? rcce::kAnySource : static_cast<unsigned>(ue);
    const unsigned found = await_value(library_.ircce()->iprobe(from));
    source = iRCCE_ANY_SOURCE;
    if (found == rcce::kAnySource) return iRCCE_SUCCESS;
    source = last_source_ = static_cast<int>(found);
    last_length_ = static_cast<int>(rcce_.offered_by(found));
    return iRCCE_SUCCESS;
}

int Process::probe(int ue, int& source)
{
    if (!is_ue(ue) && ue != iRCCE_ANY_SOURCE) return RCCE_ERROR_ID;
    const unsigned from = ue == iRCCE_ANY_SOURCE ? rcce::kAnySource : static_cast<unsigned>(ue);
    const unsigned found = await_value(library_.ircce()->probe(from));
    source = last_source_ = static_cast<int>(found);
    last_length_ = static_cast<int>(rcce_.offered_by(found));
    return iRCCE_SUCCESS;
}

int Process::test_one(const iRCCE_WAIT_LISTELEM& element)
{
    if (element.type == iRCCE_WAIT_LIST_SEND_TYPE) return test(static_cast<iRCCE_SEND_REQUEST*>(element.req), nullptr);
    return test(static_cast<iRCCE_RECV_REQUEST*>(element.req), nullptr);
}

/// @return null: it is finished
const rcce::Request* Process::add_to(rcce::WaitList& list, const iRCCE_WAIT_LISTELEM& element) const
{
    const rcce::Request* one = nullptr;
    if (element.type == iRCCE_WAIT_LIST_SEND_TYPE) {
        const auto& request = *static_cast<const iRCCE_SEND_REQUEST*>(element.req);
        if (is_under_way(request)) one = &find(&request)->sent;
    } else {
        const auto& request = *static_cast<const iRCCE_RECV_REQUEST*>(element.req);
        if (is_under_way(request)) one = &find(&request)->received;
    }
    if (one != nullptr) list.requests.push_back(one);
    return one;
}

void Process::take_out(iRCCE_WAIT_LIST& list, iRCCE_WAIT_LISTELEM* before, iRCCE_SEND_REQUEST** send,
                       iRCCE_RECV_REQUEST** recv)
{
    iRCCE_WAIT_LISTELEM* const one = before == nullptr ? list.first : before->next;
    (before == nullptr ? list.first : before->next) = one->next;
    if (list.last == one) list.last = before;
    const bool is_send = one->type == iRCCE_WAIT_LIST_SEND_TYPE;
    if (send != nullptr) *send = is_send ? static_cast<iRCCE_SEND_REQUEST*>(one->req) : nullptr;
    if (recv != nullptr) *recv = is_send ? nullptr : static_cast<iRCCE_RECV_REQUEST*>(one->req);
    delete one;
}

int Process::test_all(iRCCE_WAIT_LIST& list, int* done)
{
    iRCCE_WAIT_LISTELEM* before = nullptr;
    for (iRCCE_WAIT_LISTELEM* each = list.first; each != nullptr;) {
        iRCCE_WAIT_LISTELEM* const next = each->next;
        if (test_one(*each) == iRCCE_SUCCESS) {
            take_out(list, before, nullptr, nullptr);
        } else {
            before = each;
        }
        each = next;
    }
    tell(done, list.first == nullptr);
    return list.first == nullptr ? iRCCE_SUCCESS : iRCCE_PENDING;
}

int Process::wait_all(iRCCE_WAIT_LIST& list)
{
    rcce::WaitList all;
    for (const iRCCE_WAIT_LISTELEM* each = list.first; each != nullptr; each = each->next) add_to(all, *each);
    await(library_.ircce()->wait_all(all));
    settle();
    while (list.first != nullptr) take_out(list, nullptr, nullptr, nullptr);
    return iRCCE_SUCCESS;
}

int Process::test_any(iRCCE_WAIT_LIST& list, iRCCE_SEND_REQUEST** send, iRCCE_RECV_REQUEST** recv)
{
    if (send != nullptr) *send = nullptr;
    if (recv != nullptr) *recv = nullptr;
    iRCCE_WAIT_LISTELEM* before = nullptr;
    for (iRCCE_WAIT_LISTELEM* each = list.first; each != nullptr; before = each, each = each->next) {
        if (test_one(*each) != iRCCE_SUCCESS) continue;
        take_out(list, before, send, recv);
        return iRCCE_SUCCESS;
    }
    return iRCCE_PENDING;
}

int Process::wait_any(iRCCE_WAIT_LIST& list, iRCCE_SEND_REQUEST** send, iRCCE_RECV_REQUEST** recv)
{
    if (list.first == nullptr) {
        throw UserError(fmt::format("rank {}: iRCCE_wait_any on an empty list waits for ever", ue()));
    }
    rcce::WaitList all;
    bool waits = true;
    for (const iRCCE_WAIT_LISTELEM* each = list.first; each != nullptr; each = each->next) {
        waits = add_to(all, *each) != nullptr && waits;
    }
    if (waits) await(library_.ircce()->wait_any(all));
    settle();
    iRCCE_WAIT_LISTELEM* before = nullptr;
    rcce::WaitList under_way;
    for (iRCCE_WAIT_LISTELEM* each = list.first; add_to(under_way, *each) != nullptr; each = each->next) before = each;
    take_out(list, before, send, recv);
    return iRCCE_SUCCESS;
}

}  // namespace ringmesh::workloads::rcce_api
