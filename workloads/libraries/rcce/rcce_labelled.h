// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "workloads/libraries/rcce/rcce.h"
#include "workloads/ranks/labelled.h"

namespace ringmesh::workloads::rcce {

/// Labelled messages over RCCE's puts, gets and flags; assumed, because RCCE has none. Each piece has a line of its own
/// in front, with size, tag and communicator:
///
///     message    and its bytes, if all of them fit in the payload
///     request    of a longer one, or one whose sender waits for its receive
///     ready      the answer of the receiver, when it has called for it
///     chunk      of these bytes
///
/// A core offers one piece at a time, in order; a core that waits takes what any other offers, because others may wait
/// behind it.
class RcceLabelled final : public LabelledMessages {
public:
    /// @param rcce outlives it
    explicit RcceLabelled(Rcce& rcce);

    void deliver_to(Addressee& addressee) override { addressee_ = &addressee; }
    std::uint64_t allocate(std::uint32_t size) override;
    Task<> begin(Sending& sending) override;
    Task<> call_for(Arrival arrival, std::uint64_t into) override;
    Task<> wait(const Sources& sources) override;
    Task<> advance(const Sources& sources) override;
    Task<> copy(std::uint64_t from, std::uint64_t to, std::uint32_t size) override;
    Task<> call() override;

private:
    enum class Kind : std::uint32_t { kMessage = 1, kRequest, kReady, kChunk };
    struct Header {
        Kind kind = Kind::kMessage;
        std::uint32_t size = 0;
        Label label = {};
        std::uint64_t number = 0;
    };
    /// A piece that is offered, or will be.
    struct Piece {
        unsigned to = 0;
        Header header = {};
        std::uint64_t from = 0;  ///< address of its bytes
        std::uint32_t size = 0;  ///< in this piece
        Sending* sending = nullptr;
    };
    struct Called {
        Arrival arrival;
        std::uint64_t into = 0;
        std::uint32_t done = 0;
    };

    /// Offers the first piece, unless it is.
    Task<> offer();
    /// After the receiver has fetched it.
    Task<> conclude();
    Task<> take(unsigned from);
    void add_chunk(Sending& sending);
    bool is_set(Flag flag) const;
    std::uint32_t most() const { return rcce_.layout().payload() - SccProcessor::kLine; }

    Rcce& rcce_;
    Addressee* addressee_ = nullptr;
    std::uint64_t line_;  // address of a header in private memory
    std::deque<Piece> pieces_;
    bool offered_ = false;
    std::vector<Sending*> asked_;
    std::vector<Called> called_;
    std::uint64_t numbers_ = 0;
    std::vector<PollRequest> places_;
};

}  // namespace ringmesh::workloads::rcce
