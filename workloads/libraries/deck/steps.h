// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/parameters/names.h"
#include "tlm/units/duration.h"

namespace ringmesh::workloads::deck {

/// The steps of a message at its sender and at its receiver [002 III]. Each step of a rank begins at the end of its
/// previous one.
enum class Step : std::uint8_t {
    kCall,                ///< of the sender
    kPacketStored,        ///< protocol 1
    kRequestStored,       ///< protocol 3
    kAnswerStored,        ///< protocol 3, at the receiver
    kDataStored,          ///< by the card's DMA engine: and in the receiver's memory
    kSettled,             ///< flush, and completion of all transactions
    kControlStored,       ///< protocol 2
    kEndStored,           ///< protocol 3
    kArrived,             ///< a block of the other rank has arrived and was found: from the end of that rank's store on
    kControlRead,         ///< at the receiver, as all below
    kHeaderRead,          ///< protocol 2
    kCopied,              ///< to the user's buffer
    kReadPositionStored,  ///< to the sender
    kReturned,            ///< the receiver's call
};
inline constexpr NameTable<Step, 14> kStepNames{{{{"call", Step::kCall},
                                                  {"packet stored", Step::kPacketStored},
                                                  {"request stored", Step::kRequestStored},
                                                  {"answer with the address stored", Step::kAnswerStored},
                                                  {"data stored", Step::kDataStored},
                                                  {"barrier: flush, all transactions complete", Step::kSettled},
                                                  {"control packet stored", Step::kControlStored},
                                                  {"end stored", Step::kEndStored},
                                                  {"on the way, polled", Step::kArrived},
                                                  {"control packet read", Step::kControlRead},
                                                  {"header read", Step::kHeaderRead},
                                                  {"copy to the user's buffer", Step::kCopied},
                                                  {"read position written back", Step::kReadPositionStored},
                                                  {"call of the receiver", Step::kReturned}}}};

/// Called when a step has ended. Takes no simulated time.
class StepListener {
public:
    virtual ~StepListener() = default;
    virtual void ended(unsigned rank, Step step, Duration now) = 0;
};

}  // namespace ringmesh::workloads::deck
