// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

#include "tlm/division/division.h"
#include "tlm/ncube/channel.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

/// A channel that leads to a node in another process. The receiver hears of a transfer after it has begun, and before
/// its end.
class CutChannel final : public sc_core::sc_module, private CutCables::Cable {
public:
    ncube::ChannelTargetIfBound<CutChannel> in{"in"};       ///< in the process of its sender
    ncube::ChannelInitiatorIfBound<CutChannel> out{"out"};  ///< in that of its receiver

    /// @param node to which it leads
    CutChannel(const sc_core::sc_module_name& module_name, CutCables& cables, std::size_t node)
        : sc_module(module_name), cables_(cables), number_(cables.add(*this, node))
    {
        in.register_nb_transport_fw(this, &CutChannel::leave, 0);
    }

private:
    ::tlm::tlm_sync_enum leave(int, ncube::Transfer& transfer, ncube::ChannelPhase&, sc_core::sc_time& delay)
    {
        Parcel& parcel = cables_.send(number_, now() + from_kernel(delay));
        ncube::Transfer alone = transfer;
        alone.data = {};
        parcel.put(alone);
        parcel.put(transfer.data.size());
        parcel.put_bytes(transfer.data);
        return ::tlm::TLM_COMPLETED;
    }
    void arrives(Parcel& parcel, Duration end) override
    {
        auto transfer = parcel.take<ncube::Transfer>();
        data_.resize(parcel.take<std::size_t>());
        parcel.take_bytes(data_);
        transfer.data = data_;
        auto phase = ncube::ChannelPhase::kBegin;
        sc_core::sc_time delay = to_kernel(end - now());
        out->nb_transport_fw(transfer, phase, delay);
    }

    CutCables& cables_;
    const std::uint32_t number_;
    std::vector<std::byte> data_;
};

}  // namespace ringmesh::hw
