// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/libraries/rcce/rcce.h"

namespace ringmesh::workloads::rcce {

class Ircce;

/// An outstanding request; the caller owns it. If it is destroyed before it is finished, the message is given up and
/// reported at the end of the run.
class Request {
public:
    Request() = default;
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;
    ~Request();
    bool finished() const { return issued_ && transfer_.finished(); }

private:
    friend class Ircce;
    Transfer transfer_;
    Ircce* queued_at_ = nullptr;  // while it is in a queue
    bool issued_ = false;
    bool offered_ = false;     // of a send: the piece is in the payload, ready has not been seen
    Request* next_ = nullptr;  // in its queue
};
class SendRequest : public Request {};
class RecvRequest : public Request {};

/// Requests to wait for together; each at most once.
struct WaitList {
    std::vector<const Request*> requests;
};

/// One core's iRCCE: non-blocking messages [iRCCE]. The protocol is RCCE's, so that a blocking call on one side matches
/// a non-blocking one on the other.
///
/// Progress is made only inside calls: isend and irecv try at once; waits continue. All sends of a core
/// are in one queue, receives in one queue per source; only heads progress. A call advances each head concerned as far
/// as possible without waiting. Waits poll the flags of the heads in turn, in the own message-passing buffer.
class Ircce final : public Component, private PendingRequests {
public:
    /// @param rcce outlives it
    Ircce(Simulation& simulation, Rcce& rcce);
    Ircce(const Ircce&) = delete;
    Ircce& operator=(const Ircce&) = delete;
    ~Ircce() override;

    /// @throws UserError if there is no such rank, it is the own one, or the request is under way. No bytes: finished
    /// at once.
    /// @return whether it is finished already
    Task<bool> isend(std::uint64_t buffer, std::uint32_t size, unsigned to, SendRequest& request);
    Task<bool> irecv(std::uint64_t buffer, std::uint32_t size, unsigned from, RecvRequest& request);

    /// Advances the heads of all queues until the request is finished. @throws UserError if it was never issued
    Task<> irecv_wait(RecvRequest& request);
    /// Either may be null.
    void add_to_wait_list(WaitList& list, const SendRequest* send, const RecvRequest* recv) const;
    /// Advances the heads of all queues until all requests of the list are finished, then empties the list.
    Task<> wait_all(WaitList& list);

    std::string component_name() const override;
    void statistics(StatisticsVisitor& visitor) const override;
    std::string pending() const override;

private:
    struct Queue {
        Request* head = nullptr;
        Request* tail = nullptr;

        void append(Request& request);
        void pop();
        /// @return whether it was in a queue
        bool remove(const Request& request);
    };
    /// @throws UserError if it was not: nothing would ever finish it
    void require_issued(const Request& request, std::string_view call) const;
    void issue(Request& request, std::string_view call, const Transfer& transfer);
    Task<bool> move_send(bool seen);
    Task<bool> move_receive(unsigned source, bool seen);
    Task<bool> move_all();
    Task<> poll_heads();
    friend class Request;
    void give_up(const Request& request);
    bool sending() const override { return sends_.head != nullptr; }
    bool receiving_from(unsigned core) const override { return receives_[core].head != nullptr; }

    Rcce& rcce_;
    Queue sends_;
    std::vector<Queue> receives_;  // by source
    std::vector<PollRequest> places_;
    std::vector<unsigned> sources_;  // the queue of each polled flag; num_ues: the sends'
    WaitList single_;
    std::string given_up_;  // the first such message
    Counter sends_issued_, receives_issued_, looks_in_vain_;
    BusyTime waited_;
};

}  // namespace ringmesh::workloads::rcce
