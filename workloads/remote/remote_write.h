// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tlm/pc/pc_machine.h"
#include "workloads/ranks/message.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// How the bandwidth of stores to remote memory is measured. A barrier ends the measured time in all of them.
enum class WriteMethod : std::uint8_t {
    kSamePlace,  ///< consecutive blocks to one address: each stream buffer must be answered before it is used
                 ///< again
    kStreaming,  ///< consecutive blocks to consecutive addresses, each from the next 64-byte boundary on
    kSingle,     ///< one block at a time, with a barrier after each: size by latency
};

inline constexpr NameTable<WriteMethod, 3> kWriteMethodNames{{{{"same-place", WriteMethod::kSamePlace},
                                                               {"streaming", WriteMethod::kStreaming},
                                                               {"single", WriteMethod::kSingle}}}};

/// Who writes a block.
enum class WriteTransfer : std::uint8_t {
    kStores,  ///< the processor; a barrier ends it
    kDma,     ///< the card's DMA engine, from local memory; it ends when all bytes have arrived
};
inline constexpr NameTable<WriteTransfer, 2> kWriteTransferNames{
    {{{"stores", WriteTransfer::kStores}, {"dma", WriteTransfer::kDma}}}};

struct RemoteWriteOptions {
    std::int64_t from = 0;
    std::int64_t to = -1;
    std::string sizes = "4..256 step 4,512..16384 x2";
    std::int64_t repetitions = 100;
    std::int64_t series = 1;
    WriteTransfer transfer = WriteTransfer::kStores;
    Stores stores = Stores::kMmx;
    WriteMethod method = WriteMethod::kSamePlace;

    void visit(ParameterVisitor& visitor);
};

/// One node writes blocks to a segment of another, which has no program of its own [002 Fig. 1, 2]: by stores, or by
/// DMA in sizes that are multiples of 64 bytes. For each size:
///
/// - latency: one block and a barrier, again and again: from the first store until all bytes are in the other memory
/// and
///   the sender knows it, so with the way of the last answer and the barrier's own cost;
/// - bandwidth: blocks one after another without waiting, one barrier at the end, by `method`.
///
/// A DMA transfer needs no barrier, and the next one begins when it has ended. After each barrier or transfer every
/// byte must be in the other node's memory.
class RemoteWrite final : public WorkloadWith<PcMachine, RemoteWriteOptions> {
public:
    using WorkloadWith::WorkloadWith;

    ProgramUse uses() override
    {
        ProgramUse use = use_of(options_.stores);
        if (by_dma()) use.single_stores = use.memcpy_stores = use.mmx_stores = false;
        use.dma = by_dma();
        use.barriers = !by_dma();
        return use;
    }
    void start_on(PcMachine& machine) override;
    bool finished() const override { return sender_->finished(); }
    /// @throws ModelError if the program did not finish, or a byte of the segment is not what was stored there
    void check() const override;
    Results results() const override;

private:
    struct Measured {
        std::uint32_t size = 0;
        std::vector<double> latencies_ns;      ///< one per series
        std::vector<double> bytes_per_second;  ///< one per series
    };
    Task<> measure();
    Task<> measure_latency(std::uint32_t size);
    Task<> measure_bandwidth(std::uint32_t size);
    bool by_dma() const { return options_.transfer == WriteTransfer::kDma; }
    /// Writes a block of bytes that differ from those of the last 255 series.
    Task<> write_block(std::uint64_t offset, std::uint32_t size);
    /// Until all bytes have arrived.
    Task<> settle();
    void fill_block(std::uint32_t size);
    /// @throws UserError if the sender has no engine, or for a size that it cannot copy
    void require_dma() const;
    void require_stored(std::uint64_t bytes) const;

    std::vector<std::uint32_t> sizes_;
    Simulation* simulation_ = nullptr;
    PcProcessor* sender_ = nullptr;
    PcProcessor* owner_ = nullptr;
    std::uint64_t segment_ = 0;  // its address at the owner
    std::uint64_t window_ = 0;   // its address at the sender
    std::uint64_t source_ = 0;   // of blocks that DMA reads, in the sender's memory
    std::uint64_t fillings_ = 0;
    std::vector<std::byte> block_;
    std::vector<std::byte> expected_;  // contents of the segment after all stores
    std::vector<Measured> measured_;
};

}  // namespace ringmesh::workloads
