// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/scc/scc_machine.h"
#include "tlm/statistics/component.h"
#include "workloads/libraries/rcce/options.h"
#include "workloads/libraries/rcce/transfer.h"

namespace ringmesh::workloads::rcce {

/// The first cores of the program, or others, which call bcast and barrier together.
struct Communicator {
    unsigned size = 0;
    Flag gather = 0;                    ///< at each member: it has reached the barrier
    Flag release = 0;                   ///< at each member: all have
    const unsigned* members = nullptr;  ///< in the order of their ranks; null: the first cores

    unsigned core(unsigned rank) const { return members == nullptr ? rank : members[rank]; }
    bool has(unsigned core) const;
};

/// One core's RCCE: two-sided messages and synchronisation over the message-passing buffers [RCCE]. Names are the
/// library's own. Buffers are addresses of the core's private memory; bytes really move.
///
///     send, of each piece:  put into the own payload, set sent[me] there, wait for ready[there] here, clear it
///     recv, of each piece:  wait for sent[there] here, clear it, get from the sender's payload, set ready[me] there
///
/// Timing: each call computes `call` cycles, each put, get, read or write of a flag `step`; the rest is loads, stores
/// and CL1INVMB of the processor. Waits poll. Not modelled: power management, receives from any source, error codes.
/// Calls without a message buffer (ue, num_ues) take no time.
class Rcce final : public Component {
public:
    /// @param core the rank @param cores that run the program, whose ranks are their numbers for it
    /// @pre core is one of their ranks, and they are no more than the machine has
    Rcce(SccMachine& machine, unsigned core, const Placement& cores, const LibraryOptions& options);
    Rcce(const Rcce&) = delete;
    Rcce& operator=(const Rcce&) = delete;

    Task<> init();
    /// A barrier of all, then the core clears its flags and its lock.
    Task<> finalize();
    unsigned ue() const { return core_; }
    unsigned num_ues() const { return cores_; }
    /// RCCE_COMM_WORLD.
    const Communicator& world() const { return world_; }
    /// The first cores as a communicator. Call it before any message, on all cores alike.
    /// @throws UserError if there are not so many
    Communicator comm_split(unsigned first);
    /// The flags of a communicator of other cores. Call it on all cores alike. @throws UserError like flag_alloc
    Communicator comm_alloc();

    /// Returns when the receiver has fetched all. With 0 bytes it returns without a handshake, and so does recv.
    /// @throws UserError if there is no such rank or it is the own one
    Task<> send(std::uint64_t buffer, std::uint32_t size, unsigned to)
    {
        return send(buffer, size, to, way(core_, to));
    }
    Task<> recv(std::uint64_t buffer, std::uint32_t size, unsigned from)
    {
        return recv(buffer, size, from, way(from, core_));
    }
    /// Receives if a look at the sent flag finds it set. @return whether it has
    Task<bool> recv_test(std::uint64_t buffer, std::uint32_t size, unsigned from)
    {
        return recv_test(buffer, size, from, way(from, core_));
    }
    /// @name The same by a buffer and flags of the program's own
    /// @{
    Task<> send(std::uint64_t buffer, std::uint32_t size, unsigned to, Way way);
    Task<> recv(std::uint64_t buffer, std::uint32_t size, unsigned from, Way way);
    Task<bool> recv_test(std::uint64_t buffer, std::uint32_t size, unsigned from, Way way);
    /// @}
    Way way(unsigned from, unsigned to) const
    {
        return {layout_.payload_offset(), layout_.payload(), layout_.sent(from), layout_.ready(to)};
    }
    /// The root, by its rank, sends to all others in turn. @throws UserError if the root or this core is no member
    Task<> bcast(std::uint64_t buffer, std::uint32_t size, unsigned root, Communicator group);
    /// Linear: rank 0 of the communicator sweeps the others' gather flags until all are set, then writes their release
    /// flags.
    Task<> barrier(Communicator group);

    /// Acquires the test-and-set register of a core, retrying until it is free.
    Task<> acquire_lock(unsigned core);
    Task<> release_lock(unsigned core);

    /// RCCE's "gory" interface: the primitives of the calls above.
    /// All cores make the same calls. @throws UserError if it takes a line of the payload after a message
    Flag flag_alloc();
    /// Takes whole lines of the payload, before any message that uses it. All cores make the same calls.
    /// @return their offset in each message-passing buffer; 0 if there are not so many @throws UserError as above
    std::uint32_t malloc(std::uint32_t size);
    /// Of all message-passing buffers, as this core sees them.
    std::uint64_t message_buffer(unsigned core, std::uint32_t offset = 0) const
    {
        return processor_.message_buffer(processor_.node_of(core), offset);
    }
    const Layout& layout() const { return layout_; }
    std::uint64_t payload(unsigned core, std::uint32_t offset = 0) const;
    /// Drop stale lines, then copy; an address of a message-passing buffer on one side or on both. A get that fetches
    /// its destination reads a word behind it, too, as the libraries' do. @pre that is mapped
    Task<> put(std::uint64_t to, std::uint64_t from, std::uint32_t size, CopyKind kind, std::uint32_t width);
    Task<> get(std::uint64_t to, std::uint64_t from, std::uint32_t size, CopyKind kind, std::uint32_t width);
    /// Drop stale lines, store the byte, then store to the own dummy line, so that the byte leaves: the dummy line
    /// leaves with the next store to another one, two writes in all. RCCE 1.0.13: put a whole line, one write.
    Task<> flag_write(Flag flag, std::uint8_t value, unsigned at);
    Task<std::uint8_t> flag_read(Flag flag, unsigned at);
    /// Polls the own buffer's flag until it has the value.
    Task<> wait_until(Flag flag, std::uint8_t value);
    PollRequest poll_for(Flag flag, std::uint8_t value, unsigned at) const;

    /// Steps of a transfer, as send, recv and iRCCE take them.
    Task<> offer(Transfer& transfer, Copying copying);  ///< put, set sent
    Task<> conclude(Transfer& transfer);                ///< after ready was seen: clear it
    Task<> take(Transfer& transfer, Copying copying);   ///< after sent was seen: clear it, get, set ready
    void require_peer(std::string_view call, unsigned peer) const;

    /// The cores' ends, by their ranks; they outlive the run.
    void meet(const std::vector<const Rcce*>& all) { all_ = &all; }
    /// Bytes of the message that a core offers, whole; a flag of more than a byte tells it [iRCCE].
    std::uint32_t offered_by(unsigned core) const { return (*all_)[core]->offered_; }

    SccProcessor& processor() { return processor_; }
    const LibraryOptions& options() const { return options_; }
    /// iRCCE's outstanding requests, with which send and recv would interfere. Called by iRCCE.
    void on_pending(const PendingRequests& requests) { requests_ = &requests; }

    std::string component_name() const override;
    void statistics(StatisticsVisitor& visitor) const override;
    std::string pending() const override;

private:
    enum class Waits : std::uint8_t { kNot, kToSend, kToReceive, kToGather, kForRelease };

    Task<> wait_until(Flag flag, std::uint8_t value, Waits waits, const Transfer& transfer);
    Task<> gather(Communicator group, std::uint8_t phase);
    Flag add_flag(std::string_view call);
    void require_no_message(std::string_view call) const;
    Task<> recv_rest(Transfer transfer);
    void note_use(const Transfer& transfer);
    void require_member(std::string_view call, const Communicator& group) const;

    SccProcessor& processor_;
    unsigned core_;
    unsigned cores_;
    LibraryOptions options_;
    Layout layout_;
    Communicator world_;
    std::uint64_t padded_line_ = 0;  // in private memory
    std::uint64_t flag_line_ = 0;    // likewise, for flags of a line
    bool communicated_ = false;      // by the payload, whose place is fixed from then on
    std::uint32_t offered_ = 0;      // bytes of the message that was offered last
    const std::vector<const Rcce*>* all_ = nullptr;
    Waits waits_ = Waits::kNot;
    Transfer waiting_;  // the transfer that it waits for
    std::vector<PollRequest> places_;
    Counter sent_, received_, handshakes_, barriers_, sent_bytes_, received_bytes_;
    BusyTime waited_;
    const PendingRequests* requests_ = nullptr;
};

}  // namespace ringmesh::workloads::rcce
