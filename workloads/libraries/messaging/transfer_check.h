// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/pc/pc_processor.h"

namespace ringmesh::workloads {

/// A library's check whether its stores to a rank have arrived: it asks after a store barrier, with a count for each
/// rank. Without faults that software repairs it is off, and the library does neither.
class TransferCheck {
public:
    /// @param library its name in messages
    TransferCheck(PcProcessor& processor, std::string_view library, unsigned ranks)
        : processor_(processor), library_(library), tries_(processor.check_transfers()), seen_(tries_ > 0 ? ranks : 0)
    {}

    bool on() const { return tries_ > 0; }
    /// Whether something failed since the last call for this rank, so that it has to be stored again.
    /// @param what it belongs to, "message" or "acknowledgement of message" @param number of that message
    /// @param tried how often it was stored, counted here @throws FaultError if that is often enough
    bool failed(unsigned to, std::string_view what, std::uint64_t number, unsigned& tried);
    /// Transfers that were stored again.
    std::uint64_t again() const { return again_; }

private:
    PcProcessor& processor_;
    std::string library_;
    unsigned tries_;
    std::vector<std::uint64_t> seen_;  // failures, by rank
    std::uint64_t again_ = 0;
};

}  // namespace ringmesh::workloads
