// SPDX-License-Identifier: Apache-2.0
#include "tests/workloads/fakes/fake_scc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::test {

namespace {

constexpr std::uint64_t kBuffers = 0x8000'0000;
constexpr std::uint64_t kRegisters = 0xc000'0000;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint32_t kAll = ~std::uint32_t{0};

constexpr std::uint64_t line_of(std::uint64_t address) { return address / SccProcessor::kLine * SccProcessor::kLine; }
constexpr std::uint32_t to_line_end(std::uint64_t address)
{
    return static_cast<std::uint32_t>(line_of(address) + SccProcessor::kLine - address);
}

}  // namespace

struct FakeSccProcessor::Delay {
    FakeSccProcessor& core;
    Duration span = {};
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> operation) const
    {
        core.machine_.agenda.at(now() + span + std::exchange(core.owed_, Duration()),
                                [&self = core, operation] { self.continue_operation(operation); });
    }
    void await_resume() const noexcept {}
};

struct FakeSccProcessor::Change {
    FakeSccProcessor& core;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> operation) const { core.waiting_ = operation; }
    void await_resume() const noexcept {}
};

Clock FakeSccProcessor::clock() const { return Clock(machine_.costs.clock); }

std::uint64_t FakeSccProcessor::message_buffer(unsigned core, std::uint32_t offset) const
{
    if (core >= machine_.nodes() || offset >= kMessageBuffer) throw UserError(fmt::format("no core {}", core));
    return kBuffers + std::uint64_t{core} * kMessageBuffer + offset;
}

std::uint64_t FakeSccProcessor::test_and_set(unsigned core) const
{
    if (core >= machine_.nodes()) throw UserError(fmt::format("no core {}", core));
    return kRegisters + std::uint64_t{core} * kLine;
}

std::uint64_t FakeSccProcessor::allocate(std::uint64_t size, PageKind)
{
    const std::uint64_t address = memory_.size() + kPage;  // nothing lies at 0
    memory_.resize(memory_.size() + (size + kPage - 1) / kPage * kPage);
    return address;
}

std::uint64_t FakeSccProcessor::shared_memory(unsigned controller, std::uint32_t size, PageKind kind)
{
    if (controller >= machine_.memory_controllers()) throw UserError(fmt::format("no controller {}", controller));
    return allocate(size, kind);
}

bool FakeSccProcessor::is_buffer(std::uint64_t address) const
{
    return address >= kBuffers && address < kBuffers + machine_.buffers.size();
}

bool FakeSccProcessor::is_register(std::uint64_t address) const
{
    return address >= kRegisters && address < kRegisters + std::uint64_t{machine_.nodes()} * kLine;
}

std::byte* FakeSccProcessor::bytes(std::uint64_t address, std::uint64_t size)
{
    if (is_buffer(address)) return &machine_.buffers.at(address - kBuffers + size - 1) - (size - 1);
    if (address >= kPage && address + size <= kPage + memory_.size()) return &memory_[address - kPage];
    throw UserError(fmt::format("core {}: nothing at address {:#x}", core_, address));
}

const std::byte* FakeSccProcessor::bytes(std::uint64_t address, std::uint64_t size) const
{
    return const_cast<FakeSccProcessor*>(this)->bytes(address, size);
}

void FakeSccProcessor::peek(std::uint64_t address, std::span<std::byte> into) const
{
    if (!into.empty()) std::copy_n(bytes(address, into.size()), into.size(), into.begin());
}

void FakeSccProcessor::poke(std::uint64_t address, std::span<const std::byte> from)
{
    if (!from.empty()) std::copy(from.begin(), from.end(), bytes(address, from.size()));
}

FakeSccProcessor::FakeSccProcessor(FakeScc& machine, unsigned core)
    : machine_(machine), core_(core), program_runner_(machine.simulation(), *this)
{}

void FakeSccProcessor::run(Task<> program, std::string name)
{
    program_runner_.give(std::move(program), std::move(name));
    machine_.agenda.at(now(), [this] { program_runner_.resume(program_); });
}

void FakeSccProcessor::start(Task<> operation)
{
    operation_ = std::move(operation);
    operation_.start();
    if (!operation_.done()) return;
    done_in_begin_ = true;
    operation_.result();
}

/// Resumes an operation, and the program when the operation has ended.
void FakeSccProcessor::continue_operation(std::coroutine_handle<> operation)
{
    operation.resume();
    if (!operation_.done()) return;
    try {
        operation_.result();
    } catch (...) {
        program_runner_.fail();
        return;
    }
    program_runner_.resume(program_);
}

Duration FakeSccProcessor::away(std::uint64_t address) const
{
    const auto owner = is_register(address) ? (address - kRegisters) / kLine : (address - kBuffers) / kMessageBuffer;
    return cycles(machine_.costs.line + machine_.costs.hop * machine_.hops(core_, static_cast<unsigned>(owner)));
}

Task<> FakeSccProcessor::spend(Duration span) { co_await Delay{*this, span}; }

void FakeSccProcessor::begin(const CopyRequest& request)
{
    copies.push_back(request);
    start(copy_all(request));
}

void FakeSccProcessor::begin(InvalidateRequest)
{
    cached_.clear();
    start(spend(cycles(machine_.costs.instruction)));
}

void FakeSccProcessor::owe(std::uint32_t size, std::uint32_t width, std::uint32_t accesses)
{
    owed_ += cycles(machine_.costs.instruction) * (accesses * load_instructions(size, width));
}

Task<> FakeSccProcessor::load_all(LoadRequest request)
{
    for (std::uint32_t done = 0; done < request.size;) {
        const std::uint32_t size = std::min(request.size - done, to_line_end(request.address + done));
        if (!loads_at_once(request.address + done, request.data + done, size)) {
            co_await load_line(request.address + done, request.data + done, size);
        }
        owe(size, request.width);
        done += size;
    }
    co_await Delay{*this};
}

Task<> FakeSccProcessor::store_all(StoreRequest request)
{
    for (std::uint32_t done = 0; done < request.size;) {
        const std::uint32_t size = std::min(request.size - done, to_line_end(request.address + done));
        owe(size, request.width);
        if (!stores_at_once(request.address + done, request.data + done, size)) {
            co_await store_line(request.address + done, request.data + done, size);
        }
        done += size;
    }
    if (owed_ > Duration()) co_await Delay{*this};
}

Task<> FakeSccProcessor::copy_all(CopyRequest request)
{
    Line line;
    for (std::uint32_t done = 0; done < request.size;) {
        const std::uint32_t size =
            std::min({request.size - done, to_line_end(request.from + done), to_line_end(request.to + done)});
        if (!loads_at_once(request.from + done, line.data(), size)) {
            co_await load_line(request.from + done, line.data(), size);
        }
        owe(size, request.width, 2);
        if (!stores_at_once(request.to + done, line.data(), size)) {
            co_await store_line(request.to + done, line.data(), size);
        }
        done += size;
    }
    if (owed_ > Duration()) co_await Delay{*this};
}

bool FakeSccProcessor::loads_at_once(std::uint64_t address, std::byte* into, std::uint32_t size) const
{
    if (is_register(address)) return false;
    const std::byte* from = bytes(address, size);
    if (is_buffer(address)) {
        const auto found = cached_.find(line_of(address));
        if (found == cached_.end()) return false;
        from = found->second.data() + (address - line_of(address));
    }
    std::copy_n(from, size, into);
    return true;
}

Task<> FakeSccProcessor::load_line(std::uint64_t address, std::byte* into, std::uint32_t size)
{
    co_await Delay{*this, away(address)};
    if (is_register(address)) {
        const auto number = (address - kRegisters) / kLine;
        std::fill_n(into, size, std::byte{0});
        into[0] = std::byte{machine_.taken[number] ? std::uint8_t{0} : std::uint8_t{1}};
        machine_.taken[number] = true;
        co_return;
    }
    const std::uint64_t begin = line_of(address);
    Line& line = cached_[begin];
    std::copy_n(bytes(begin, kLine), kLine, line.begin());
    std::copy_n(line.data() + (address - begin), size, into);
}

bool FakeSccProcessor::stores_at_once(std::uint64_t address, const std::byte* from, std::uint32_t size)
{
    if (is_register(address) || is_buffer(address)) return false;
    std::copy_n(from, size, bytes(address, size));
    return true;
}

Task<> FakeSccProcessor::store_line(std::uint64_t address, const std::byte* from, std::uint32_t size)
{
    if (is_register(address)) {
        co_await Delay{*this, away(address)};
        machine_.taken[(address - kRegisters) / kLine] = false;
        machine_.changed();
        co_return;
    }
    bytes(address, size);  // throws where nothing is
    const std::uint64_t begin = line_of(address);
    const auto place = static_cast<std::ptrdiff_t>(address - begin);
    if (gathered_.mask != 0 && gathered_.line != begin) co_await flush();
    gathered_.line = begin;
    std::copy_n(from, size, gathered_.bytes.begin() + place);
    gathered_.mask |= (size == kLine ? kAll : (std::uint32_t{1} << size) - 1) << place;
    const auto found = cached_.find(begin);
    if (found != cached_.end()) std::copy_n(from, size, found->second.begin() + place);
    if (gathered_.mask == kAll) co_await flush();
}

Task<> FakeSccProcessor::flush()
{
    co_await Delay{*this, away(gathered_.line)};
    std::byte* to = bytes(gathered_.line, kLine);
    for (std::uint32_t i = 0; i < kLine; ++i) {
        if ((gathered_.mask >> i & 1) != 0) to[i] = gathered_.bytes[i];
    }
    gathered_.mask = 0;
    machine_.changed();
}

Task<> FakeSccProcessor::poll_all(PollAnyRequest request)
{
    polled_.assign(request.places, request.places + request.count);
    for (;;) {
        for (found_ = 0; found_ < polled_.size(); ++found_) {
            const bool ended = co_await look(polled_[found_]);
            if (ended) co_return;
        }
        // Changes made while the other places were polled
        const auto ends = [this](const PollRequest& place) { return would_end(place); };
        if (std::none_of(polled_.begin(), polled_.end(), ends)) co_await Change{*this};
    }
}

Task<bool> FakeSccProcessor::look(PollRequest place)
{
    ++looks;
    if (is_buffer(place.address)) cached_.clear();
    std::array<std::byte, 8> into{};
    if (!loads_at_once(place.address, into.data(), place.size)) {
        co_await load_line(place.address, into.data(), place.size);
    }
    std::uint64_t value = 0;
    for (std::uint32_t i = place.size; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(into[i]);
    co_return (value == place.value) != place.until_other;
}

/// Whether the current bytes end the poll. Values are of one byte.
bool FakeSccProcessor::would_end(const PollRequest& place) const
{
    std::uint64_t value = 0;
    if (is_register(place.address)) {
        value = machine_.taken[(place.address - kRegisters) / kLine] ? 0 : 1;
    } else {
        value = std::to_integer<std::uint64_t>(*bytes(place.address, 1));
    }
    return (value == place.value) != place.until_other;
}

void FakeSccProcessor::changed()
{
    const auto ends = [this](const PollRequest& place) { return would_end(place); };
    if (!waiting_ || std::none_of(polled_.begin(), polled_.end(), ends)) return;
    machine_.agenda.at(now(), [this, poll = std::exchange(waiting_, {})] { continue_operation(poll); });
}

FakeScc::FakeScc(Simulation& simulation, unsigned cores, const FakeSccCosts& fake_costs)
    : costs(fake_costs),
      buffers(std::size_t{cores} * SccProcessor::kMessageBuffer),
      taken(cores),
      agenda(sc_core::sc_gen_unique_name("machine")),
      simulation_(simulation)
{
    for (unsigned core = 0; core < cores; ++core) {
        processors_.push_back(std::make_unique<FakeSccProcessor>(*this, core));
    }
}

unsigned FakeScc::hops(unsigned from, unsigned to) const
{
    const auto x = [](unsigned core) { return static_cast<int>(core / 2 % 6); };
    const auto y = [](unsigned core) { return static_cast<int>(core / 12); };
    return static_cast<unsigned>(std::abs(x(from) - x(to)) + std::abs(y(from) - y(to)));
}

unsigned FakeScc::memory_controller(unsigned core) const { return core / 24 * 2 + core % 12 / 6; }

unsigned FakeScc::hops_to_memory(unsigned core, unsigned controller) const
{
    const auto away = [](unsigned from, unsigned to) { return from < to ? to - from : from - to; };
    return away(core / 2 % 6, controller % 2 * 5) + away(core / 12, controller / 2 * 2);
}

void FakeScc::changed()
{
    for (const auto& processor : processors_) processor->changed();
}

}  // namespace ringmesh::test
