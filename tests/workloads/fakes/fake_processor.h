// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tlm/machine/program_runner.h"
#include "tlm/pc/pc_processor.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

/// Costs of the fake processors' operations, and injected errors.
struct FakeCosts {
    Duration library = 300_ns;
    Duration store = 50_ns;  ///< of each store request
    Duration load = 40_ns;   ///< of each load of remote memory
    Duration poll = 20_ns;   ///< from the change of the polled location to the program
    std::uint32_t largest_transaction = 64;
    /// From the end of the n-th store of the run (from 0) until its bytes are in the peer's memory.
    std::function<Duration(std::uint64_t)> flight = [](std::uint64_t) { return 2_us; };
    /// Changes the bytes of the n-th store in transit.
    std::function<void(std::uint64_t, std::vector<std::byte>&)> spoil = [](std::uint64_t, std::vector<std::byte>&) {};
};

class FakeMachine;

/// Segments in the upper half of a fake processor's memory; checks only that they exist and are exported.
class FakeDriver final : public SegmentDriver {
public:
    /// Local address of the first allocation.
    static constexpr std::uint64_t kFirst = 8 * 1024 * 1024;

    FakeDriver(FakeMachine& machine, unsigned rank) : machine_(machine), rank_(rank) {}

    std::uint64_t memory_left() const override;
    std::uint64_t allocate(std::uint64_t size) override;
    std::uint64_t create_segment(SegmentId id, std::uint64_t size) override;
    void export_segment(SegmentId id) override { segments_.at(id).exported = true; }
    void withdraw_segment(SegmentId id) override { segments_.at(id).exported = false; }
    RemoteSegment import_segment(unsigned rank, SegmentId id) const override;
    std::uint64_t map_segment(const RemoteSegment& segment, std::uint64_t offset, std::uint64_t size) override;
    void unmap_segment(std::uint64_t) override {}
    std::uint64_t map_doorbell(unsigned rank) override;

private:
    struct Segment {
        std::uint64_t address = 0;
        std::uint64_t size = 0;
        bool exported = false;
    };
    const Segment& segment_of(unsigned rank, SegmentId id) const;

    FakeMachine& machine_;
    unsigned rank_;
    std::uint64_t next_free_ = kFirst;
    std::map<SegmentId, Segment> segments_;
};

/// A processor with operations of constant time.
class FakeProcessor final : public PcProcessor {
public:
    static constexpr std::uint64_t kMemory = 16 * 1024 * 1024;

    FakeProcessor(FakeMachine& machine, unsigned rank);

    unsigned node() const override { return rank_; }
    Duration time() const override { return now(); }
    Clock clock() const override { return Clock(500_MHz); }
    std::uint32_t largest_transaction() const override;
    std::uint32_t gathered_block() const override { return gathers; }
    bool barrier_waits() const override { return waits_at_barriers; }
    bool has_dma_engine() const override { return copies_by_dma; }
    SegmentDriver& segments() override { return driver_; }
    void peek(std::uint64_t address, std::span<std::byte> into) const override;
    void poke(std::uint64_t address, std::span<const std::byte> from) override;
    void run(Task<> program, std::string name) override;
    bool finished() const override { return program_runner_.finished(); }

    /// Bytes arrive from the network; resumes a program that polls for them.
    void land(std::uint64_t address, const std::vector<std::byte>& bytes);

    std::vector<StoreRequest> stores;  ///< all that the program made; their data is gone
    std::uint32_t gathers = 64;        ///< bytes
    bool waits_at_barriers = true;     ///< what it says, not what it does
    bool copies_by_dma = true;         ///< likewise
    std::uint64_t barriers = 0;        ///< that the program made
    std::uint64_t mapped = 0;          ///< bytes that others mapped

protected:
    void begin(const StoreRequest& request) override;
    void begin(const LoadRequest& request) override;
    void begin(const PollAnyRequest& request) override;
    /// Ends when the bytes of all earlier stores have arrived.
    void begin(BarrierRequest request) override;
    void begin(FlushRequest request) override;
    void begin(InterruptRequest request) override;
    void begin(const DmaRequest& request) override;
    void begin(const ringmesh::ComputeRequest& request) override;
    Duration library_cost() const override;

private:
    bool found();
    bool holds(const PollRequest& request) const;
    void fly(std::uint64_t address, std::vector<std::byte> bytes, Duration start);

    FakeMachine& machine_;
    unsigned rank_;
    std::vector<std::byte> memory_;
    FakeDriver driver_;
    bool polling_ = false;
    std::vector<PollRequest> polled_;
    Duration last_landing_;
    std::uint64_t interrupts_ = 0;
    bool interruptible_ = false;
    ProgramRunner program_runner_;  // last
};

}  // namespace ringmesh::test
