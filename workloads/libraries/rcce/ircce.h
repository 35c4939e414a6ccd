// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workloads/libraries/rcce/rcce.h"

namespace ringmesh::workloads::rcce {

class Ircce;

inline constexpr unsigned kAnySource = ~0U;
inline constexpr std::uint32_t kAnyLength = ~0U;

/// An outstanding request; the caller owns it. If it is destroyed before it is finished, the message is given up and
/// reported at the end of the run.
class Request {
public:
    Request() = default;
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;
    ~Request();
    bool finished() const { return issued_ && transfer_.finished(); }
    /// Bytes of it have moved.
    bool begun() const { return offered_ || transfer_.done > 0; }
    unsigned peer() const { return transfer_.peer; }
    std::uint32_t size() const { return transfer_.size; }
    /// Says where a message goes whose length was not known.
    void make_room_by(std::function<std::uint64_t(std::uint32_t size)> room) { room_ = std::move(room); }

private:
    friend class Ircce;
    Transfer transfer_;
    Ircce* queued_at_ = nullptr;  // while it is in a queue
    bool issued_ = false;
    bool offered_ = false;     // of a send: the piece is in the payload, ready has not been seen
    Request* next_ = nullptr;  // in its queue
    std::function<std::uint64_t(std::uint32_t)> room_;
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
/// are in one queue, receives in one queue per source, those from any source in one more, whose head joins the first
/// source that has sent to an empty queue; only heads progress. A call advances each head concerned as far
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
    /// @param size kAnyLength: that of the message @param from may be kAnySource
    Task<bool> irecv(std::uint64_t buffer, std::uint32_t size, unsigned from, RecvRequest& request);

    /// A look, and what can be done without waiting. @return whether the request is finished
    Task<bool> isend_test(const SendRequest& request);
    Task<bool> irecv_test(const RecvRequest& request);
    /// Advances the head of the sends, and those of the receives, as far as possible without waiting.
    Task<> isend_push();
    Task<> irecv_push();
    /// @return whether it was withdrawn: not if bytes of it have moved
    bool cancel(Request& request);
    /// Whether it is the first in its queue.
    bool is_head(const Request& request) const;
    /// Looks for a message. @param from may be kAnySource @return its source, kAnySource if there is none
    Task<unsigned> iprobe(unsigned from);
    /// Waits for one.
    Task<unsigned> probe(unsigned from);

    /// Advances the heads of all queues until the request is finished. @throws UserError if it was never issued
    Task<> irecv_wait(RecvRequest& request);
    /// Either may be null.
    void add_to_wait_list(WaitList& list, const SendRequest* send, const RecvRequest* recv) const;
    /// Advances the heads of all queues until all requests of the list are finished, then empties the list.
    Task<> wait_all(WaitList& list);
    /// Until one of them is finished. @pre there is one
    Task<> wait_any(const WaitList& list);

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
    void poll_all(unsigned from);
    /// Gives the first receives from any source to the sources that have sent.
    Task<> adopt();
    void adopt(unsigned source);
    /// A source with a message that no receive from it awaits. @return kAnySource: none
    Task<unsigned> search();
    bool is_free(unsigned source) const { return source != rcce_.ue() && receives_[source].head == nullptr; }
    friend class Request;
    void give_up(const Request& request);
    bool sending() const override { return sends_.head != nullptr; }
    bool receiving_from(unsigned core) const override { return receives_[core].head != nullptr; }

    Rcce& rcce_;
    Queue sends_;
    std::vector<Queue> receives_;  // by source
    Queue any_;                    // from any source
    std::vector<PollRequest> places_;
    std::vector<unsigned> sources_;  // the queue of each polled flag; num_ues: the sends'
    WaitList single_;
    std::string given_up_;  // the first such message
    Counter sends_issued_, receives_issued_, looks_in_vain_;
    BusyTime waited_;
};

}  // namespace ringmesh::workloads::rcce
