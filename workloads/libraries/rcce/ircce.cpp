// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/rcce/ircce.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads::rcce {
namespace {

constexpr std::uint8_t kFlagSet = 1;

}  // namespace

Ircce::Ircce(Simulation& simulation, Rcce& rcce) : rcce_(rcce), receives_(rcce.num_ues())
{
    rcce.on_pending(*this);
    simulation.add(*this);
}

Ircce::~Ircce()
{
    receives_.push_back(sends_);
    receives_.push_back(any_);
    for (const Queue& queue : receives_) {
        for (Request* request = queue.head; request != nullptr; request = request->next_) request->queued_at_ = nullptr;
    }
}

Request::~Request()
{
    if (queued_at_ != nullptr) queued_at_->give_up(*this);
}

void Ircce::give_up(const Request& request)
{
    const Transfer& transfer = request.transfer_;
    const bool sends = sends_.remove(request);
    if (!sends && !any_.remove(request)) receives_[transfer.peer].remove(request);
    if (!given_up_.empty()) return;
    given_up_ =
        fmt::format("{} of {} bytes {} core {} was given up without a wait; {} bytes are transferred",
                    sends ? "isend" : "irecv", transfer.size, sends ? "to" : "from", transfer.peer, transfer.done);
}

bool Ircce::cancel(Request& request)
{
    if (request.queued_at_ == nullptr || request.begun()) return false;
    if (!sends_.remove(request) && !any_.remove(request)) receives_[request.transfer_.peer].remove(request);
    request.queued_at_ = nullptr;
    request.issued_ = false;
    return true;
}

bool Ircce::is_head(const Request& request) const
{
    const unsigned peer = request.transfer_.peer;
    return sends_.head == &request || (peer != kAnySource && receives_[peer].head == &request);
}

void Ircce::Queue::append(Request& request)
{
    if (head == nullptr) {
        head = &request;
    } else {
        tail->next_ = &request;
    }
    tail = &request;
}

void Ircce::Queue::pop()
{
    head->queued_at_ = nullptr;
    head = head->next_;
}

bool Ircce::Queue::remove(const Request& request)
{
    Request* before = nullptr;
    for (Request* at = head; at != nullptr; before = at, at = at->next_) {
        if (at != &request) continue;
        (before == nullptr ? head : before->next_) = at->next_;
        if (tail == at) tail = before;
        return true;
    }
    return false;
}

void Ircce::require_issued(const Request& request, std::string_view call) const
{
    if (request.issued_) return;
    throw UserError(fmt::format("core {}: {} a request that was never issued", rcce_.ue(), call));
}

void Ircce::issue(Request& request, std::string_view call, const Transfer& transfer)
{
    if (request.issued_ && !request.finished()) {
        throw UserError(
            fmt::format("core {}: {} with a request that is under way, a message of {} bytes with core {}; "
                        "wait for it before, or take another",
                        rcce_.ue(), call, request.transfer_.size, request.transfer_.peer));
    }
    request.transfer_ = transfer;
    request.issued_ = true;
    request.queued_at_ = nullptr;
    request.offered_ = false;
    request.next_ = nullptr;
}

Task<bool> Ircce::isend(std::uint64_t buffer, std::uint32_t size, unsigned to, SendRequest& request)
{
    rcce_.require_peer("isend", to);
    issue(request, "isend", {.buffer = buffer, .size = size, .peer = to, .way = rcce_.way(rcce_.ue(), to)});
    ++sends_issued_;
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().ircce_call), "library call"});
    if (request.finished()) co_return true;
    sends_.append(request);
    request.queued_at_ = this;
    if (sends_.head == &request) co_await move_send(false);
    co_return request.finished();
}

Task<bool> Ircce::irecv(std::uint64_t buffer, std::uint32_t size, unsigned from, RecvRequest& request)
{
    if (from != kAnySource) rcce_.require_peer("irecv", from);
    issue(request, "irecv", {.buffer = buffer, .size = size, .peer = from});
    if (from != kAnySource) request.transfer_.way = rcce_.way(from, rcce_.ue());
    ++receives_issued_;
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().ircce_call), "library call"});
    if (request.finished()) co_return true;
    request.queued_at_ = this;
    if (from == kAnySource) {
        any_.append(request);
        co_await adopt();
        co_return request.finished();
    }
    receives_[from].append(request);
    if (receives_[from].head == &request) co_await move_receive(from, false);
    co_return request.finished();
}

void Ircce::adopt(unsigned source)
{
    Request& request = *any_.head;
    any_.pop();
    request.queued_at_ = this;
    request.next_ = nullptr;
    request.transfer_.peer = source;
    request.transfer_.way = rcce_.way(source, rcce_.ue());
    receives_[source].append(request);
}

Task<> Ircce::adopt()
{
    while (any_.head != nullptr) {
        const unsigned source = co_await search();
        if (source == kAnySource) co_return;
        adopt(source);
        co_await move_receive(source, true);
    }
}

Task<unsigned> Ircce::search()
{
    for (unsigned source = 0; source < receives_.size(); ++source) {
        if (!is_free(source)) continue;
        const std::uint8_t flag = co_await rcce_.flag_read(rcce_.layout().sent(source), rcce_.ue());
        if (flag == kFlagSet) co_return source;
    }
    co_return kAnySource;
}

Task<unsigned> Ircce::iprobe(unsigned from)
{
    if (from == kAnySource) {
        const unsigned found = co_await search();
        co_return found;
    }
    rcce_.require_peer("probe", from);
    const std::uint8_t flag = co_await rcce_.flag_read(rcce_.layout().sent(from), rcce_.ue());
    co_return flag == kFlagSet ? from : kAnySource;
}

Task<unsigned> Ircce::probe(unsigned from)
{
    if (from != kAnySource) rcce_.require_peer("probe", from);
    places_.clear();
    sources_.clear();
    poll_all(from);
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().step), "library wait"});
    const PollAnyRequest any{places_.data(), static_cast<std::uint32_t>(places_.size())};
    const std::uint32_t found = co_await rcce_.processor().poll_any(any);
    co_return sources_[found];
}

Task<bool> Ircce::isend_test(const SendRequest& request)
{
    require_issued(request, "a test of");
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().step), "library test"});
    if (is_head(request)) co_await move_send(false);
    co_return request.finished();
}

Task<bool> Ircce::irecv_test(const RecvRequest& request)
{
    require_issued(request, "a test of");
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().step), "library test"});
    if (request.peer() == kAnySource) {
        co_await adopt();
    } else if (is_head(request)) {
        co_await move_receive(request.peer(), false);
    }
    co_return request.finished();
}

Task<> Ircce::isend_push()
{
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().step), "library push"});
    if (sends_.head != nullptr) co_await move_send(false);
}

Task<> Ircce::irecv_push()
{
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().step), "library push"});
    co_await adopt();
    for (unsigned source = 0; source < receives_.size(); ++source) {
        if (receives_[source].head != nullptr) co_await move_receive(source, false);
    }
}

/// @param seen its ready flag was seen set @return whether the head is finished, so that the next one follows
Task<bool> Ircce::move_send(bool seen)
{
    Request& head = *sends_.head;
    for (;;) {
        if (!head.offered_) co_await rcce_.offer(head.transfer_, rcce_.options().ircce_copying());
        head.offered_ = true;
        if (!seen) {
            const std::uint8_t flag = co_await rcce_.flag_read(rcce_.layout().ready(head.transfer_.peer), rcce_.ue());
            if (flag != kFlagSet) break;
        }
        seen = false;
        co_await rcce_.conclude(head.transfer_);
        head.offered_ = false;
        if (!head.finished()) continue;
        sends_.pop();
        co_return true;
    }
    ++looks_in_vain_;
    co_return false;
}

/// Likewise. @param seen its sent flag was seen set
Task<bool> Ircce::move_receive(unsigned source, bool seen)
{
    Request& head = *receives_[source].head;
    for (;;) {
        if (!seen) {
            const std::uint8_t flag = co_await rcce_.flag_read(rcce_.layout().sent(source), rcce_.ue());
            if (flag != kFlagSet) break;
        }
        seen = false;
        if (head.transfer_.size == kAnyLength) {
            head.transfer_.size = rcce_.offered_by(source);
            if (head.room_) head.transfer_.buffer = head.room_(head.transfer_.size);
        }
        co_await rcce_.take(head.transfer_, rcce_.options().ircce_copying());
        if (!head.finished()) continue;
        receives_[source].pop();
        co_return true;
    }
    ++looks_in_vain_;
    co_return false;
}

Task<bool> Ircce::move_all()
{
    bool ended = false;
    if (sends_.head != nullptr) {
        const bool send_ended = co_await move_send(false);
        ended = send_ended;
    }
    co_await adopt();
    for (unsigned source = 0; source < receives_.size(); ++source) {
        if (receives_[source].head == nullptr) continue;
        const bool receive_ended = co_await move_receive(source, false);
        ended = ended || receive_ended;
    }
    co_return ended;
}

Task<> Ircce::irecv_wait(RecvRequest& request)
{
    single_.requests.assign(1, &request);
    co_await wait_all(single_);
}

void Ircce::add_to_wait_list(WaitList& list, const SendRequest* send, const RecvRequest* recv) const
{
    if (send != nullptr) list.requests.push_back(send);
    if (recv != nullptr) list.requests.push_back(recv);
}

Task<> Ircce::wait_all(WaitList& list)
{
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().ircce_call), "library call"});
    auto& requests = list.requests;
    for (const Request* request : requests) require_issued(*request, "a wait for");
    for (bool fresh_heads = true;;) {
        while (!requests.empty() && requests.back()->finished()) requests.pop_back();
        if (requests.empty()) co_return;
        if (fresh_heads) {
            const bool ended = co_await move_all();
            fresh_heads = ended;
        } else {
            co_await poll_heads();
            fresh_heads = true;
        }
    }
}

Task<> Ircce::wait_any(const WaitList& list)
{
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().ircce_call), "library call"});
    for (const Request* request : list.requests) require_issued(*request, "a wait for");
    const auto is_finished = [](const Request* request) { return request->finished(); };
    for (bool fresh_heads = true; std::none_of(list.requests.begin(), list.requests.end(), is_finished);) {
        if (fresh_heads) {
            const bool ended = co_await move_all();
            fresh_heads = ended;
        } else {
            co_await poll_heads();
            fresh_heads = true;
        }
    }
}

/// The flags of sources, to which receives from any are given.
void Ircce::poll_all(unsigned from)
{
    for (unsigned source = 0; source < receives_.size(); ++source) {
        if (from == kAnySource ? !is_free(source) : source != from) continue;
        places_.push_back(rcce_.poll_for(rcce_.layout().sent(source), kFlagSet, rcce_.ue()));
        sources_.push_back(source);
    }
    // With nothing to come it waits for ever
    if (places_.empty()) places_.push_back(rcce_.poll_for(rcce_.layout().sent(rcce_.ue()), kFlagSet, rcce_.ue()));
}

/// Waits until one of the heads can progress, and advances it.
Task<> Ircce::poll_heads()
{
    places_.clear();
    sources_.clear();
    const auto add = [this](Flag flag, unsigned source) {
        places_.push_back(rcce_.poll_for(flag, kFlagSet, rcce_.ue()));
        sources_.push_back(source);
    };
    if (sends_.head != nullptr) add(rcce_.layout().ready(sends_.head->transfer_.peer), rcce_.num_ues());
    for (unsigned source = 0; source < receives_.size(); ++source) {
        if (receives_[source].head != nullptr) add(rcce_.layout().sent(source), source);
    }
    if (any_.head != nullptr) poll_all(kAnySource);
    const Duration begin = rcce_.processor().time();
    const PollAnyRequest any{places_.data(), static_cast<std::uint32_t>(places_.size())};
    const std::uint32_t found = co_await rcce_.processor().poll_any(any);
    waited_.add(rcce_.processor().time() - begin);
    const unsigned source = sources_[found];
    if (source == rcce_.num_ues()) {
        co_await move_send(true);
    } else {
        if (receives_[source].head == nullptr) adopt(source);
        co_await move_receive(source, true);
    }
}

std::string Ircce::component_name() const { return fmt::format("core{}.ircce", rcce_.processor().node()); }

void Ircce::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("isends", sends_issued_, "messages", "messages sent without waiting");
    visitor.counter("irecvs", receives_issued_, "messages", "messages received without waiting");
    visitor.counter("looks_in_vain", looks_in_vain_, "", "looks at a flag of a head that was not set yet, polls aside");
    visitor.time("waited", waited_, "time in which waits polled");
}

std::string Ircce::pending() const
{
    std::string all = given_up_;
    const auto add = [&](std::string_view call, std::string_view to, std::string_view flag, const Transfer& transfer) {
        if (!all.empty()) all += "; ";
        all += fmt::format("{} of {} bytes {} core {} has not seen core {}'s {} flag; {} bytes are transferred", call,
                           transfer.size, to, transfer.peer, transfer.peer, flag, transfer.done);
    };
    if (sends_.head != nullptr) add("isend", "to", "ready", sends_.head->transfer_);
    for (const Queue& queue : receives_) {
        if (queue.head != nullptr) add("irecv", "from", "sent", queue.head->transfer_);
    }
    if (any_.head != nullptr)
        all += fmt::format("{}irecv from any core has seen no sent flag", all.empty() ? "" : "; ");
    return all;
}

}  // namespace ringmesh::workloads::rcce
