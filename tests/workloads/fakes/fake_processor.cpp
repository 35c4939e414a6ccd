// SPDX-License-Identifier: Apache-2.0
#include "tests/workloads/fakes/fake_processor.h"

#include <algorithm>
#include <utility>

#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"

namespace ringmesh::test {

namespace {

constexpr unsigned kRankShift = 40;
constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kRankShift) - 1;
constexpr std::uint64_t kDoorbell = kOffsetMask - 63;

std::uint64_t address_at(unsigned rank, std::uint64_t offset) { return std::uint64_t{rank + 1} << kRankShift | offset; }
unsigned rank_of(std::uint64_t address) { return static_cast<unsigned>(address >> kRankShift) - 1; }
bool is_local(std::uint64_t address) { return address >> kRankShift == 0; }

}  // namespace

std::uint64_t FakeDriver::memory_left() const { return FakeProcessor::kMemory - next_free_; }

std::uint64_t FakeDriver::allocate(std::uint64_t size)
{
    const std::uint64_t address = next_free_;
    next_free_ += (size + 63) / 64 * 64;
    if (next_free_ > FakeProcessor::kMemory) throw UserError("the fake processor's memory is full");
    return address;
}

std::uint64_t FakeDriver::create_segment(SegmentId id, std::uint64_t size)
{
    if (segments_.count(id) != 0) throw UserError("segment " + std::to_string(id) + " exists");
    segments_[id] = {allocate(size), size, false};
    return segments_[id].address;
}

const FakeDriver::Segment& FakeDriver::segment_of(unsigned rank, SegmentId id) const
{
    return static_cast<FakeDriver&>(machine_.processor(rank).segments()).segments_.at(id);
}

RemoteSegment FakeDriver::import_segment(unsigned rank, SegmentId id) const
{
    const Segment& segment = segment_of(rank, id);
    if (!segment.exported || rank == rank_) throw UserError("segment " + std::to_string(id) + " is not exported");
    return {rank, id, segment.size};
}

std::uint64_t FakeDriver::map_segment(const RemoteSegment& segment, std::uint64_t offset, std::uint64_t size)
{
    if (offset + size > segment.size) throw UserError("a mapping outside its segment");
    FakeProcessor& peer = machine_.processor(segment.rank);
    peer.mapped = std::max(peer.mapped, size);
    return address_at(segment.rank, segment_of(segment.rank, segment.id).address + offset);
}

std::uint64_t FakeDriver::map_doorbell(unsigned rank) { return address_at(rank, kDoorbell); }

void FakeProcessor::peek(std::uint64_t address, std::span<std::byte> into) const
{
    for (auto& byte : into) byte = memory_.at(address++);
}

void FakeProcessor::poke(std::uint64_t address, std::span<const std::byte> from)
{
    for (const auto byte : from) memory_.at(address++) = byte;
}

FakeProcessor::FakeProcessor(FakeMachine& machine, unsigned rank)
    : machine_(machine),
      rank_(rank),
      memory_(kMemory),
      driver_(machine, rank),
      program_runner_(machine.simulation(), *this)
{}

void FakeProcessor::run(Task<> program, std::string name)
{
    program_runner_.give(std::move(program), std::move(name));
    begin(ComputeRequest{});
}

void FakeProcessor::land(std::uint64_t address, const std::vector<std::byte>& bytes)
{
    if (address == kDoorbell) {
        ++interrupts_;
        if (interruptible_) begin(InterruptRequest{});
        return;
    }
    poke(address, bytes);
    if (!polling_ || !found()) return;
    polling_ = false;
    begin(ComputeRequest{machine_.costs.poll});
}

void FakeProcessor::fly(std::uint64_t address, std::vector<std::byte> bytes, Duration start)
{
    auto& peer = machine_.processor(rank_of(address));
    const auto number = machine_.stores_made++;
    machine_.costs.spoil(number, bytes);
    const Duration landing = start + machine_.costs.flight(number);
    last_landing_ = std::max(last_landing_, landing);
    machine_.agenda.at(landing, [&peer, offset = address & kOffsetMask, bytes] { peer.land(offset, bytes); });
}

void FakeProcessor::begin(const StoreRequest& request)
{
    stores.push_back(request);
    std::vector<std::byte> bytes(request.data, request.data + request.size);
    if (is_local(request.address)) {
        poke(request.address, bytes);
    } else {
        fly(request.address, std::move(bytes), now() + machine_.costs.store);
    }
    begin(ComputeRequest{machine_.costs.store});
}

void FakeProcessor::begin(const LoadRequest& request)
{
    if (is_local(request.address)) {
        peek(request.address, {request.data, request.size});
        begin(ComputeRequest{machine_.costs.poll});
        return;
    }
    machine_.processor(rank_of(request.address)).peek(request.address & kOffsetMask, {request.data, request.size});
    begin(ComputeRequest{machine_.costs.load * load_instructions(request.size, request.width)});
}

void FakeProcessor::begin(const PollAnyRequest& request)
{
    polled_.assign(request.places, request.places + request.count);
    polling_ = !found();
    if (!polling_) begin(ComputeRequest{machine_.costs.poll});
}

void FakeProcessor::begin(BarrierRequest)
{
    ++barriers;
    begin(ComputeRequest{std::max(last_landing_, now()) - now()});
}

void FakeProcessor::begin(FlushRequest) { begin(ComputeRequest{machine_.costs.store}); }

void FakeProcessor::begin(InterruptRequest)
{
    interruptible_ = interrupts_ == 0;
    if (interruptible_) return;
    --interrupts_;
    begin(ComputeRequest{machine_.costs.poll});
}

void FakeProcessor::begin(const DmaRequest& request)
{
    std::vector<std::byte> bytes(request.size);
    peek(request.from, bytes);
    fly(request.to, std::move(bytes), now());
    begin(ComputeRequest{last_landing_ - now()});
}

void FakeProcessor::begin(const ComputeRequest& request)
{
    machine_.agenda.at(now() + request.span, [this] { program_runner_.resume(program_); });
}

std::uint32_t FakeProcessor::largest_transaction() const { return machine_.costs.largest_transaction; }

Duration FakeProcessor::library_cost() const { return machine_.costs.library; }

bool FakeProcessor::found()
{
    for (found_ = 0; found_ < polled_.size(); ++found_) {
        if (holds(polled_[found_])) return true;
    }
    return false;
}

bool FakeProcessor::holds(const PollRequest& request) const
{
    std::uint64_t value = 0;
    for (std::uint32_t i = request.size; i-- > 0;) {
        value = value << 8 | std::to_integer<std::uint64_t>(memory_.at(request.address + i));
    }
    return (value == request.value) != request.until_other;
}

}  // namespace ringmesh::test
