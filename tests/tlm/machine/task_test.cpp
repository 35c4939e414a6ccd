// SPDX-License-Identifier: Apache-2.0
#include "tlm/machine/task.h"

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/cases.h"
#include "tlm/pc/pc_processor.h"
#include "tlm/pools/pool.h"

namespace {

using namespace ringmesh::literals;
using ringmesh::Task;

/// Replaces the processor: programs wait here until the test resumes them.
struct Gate {
    std::coroutine_handle<> waiting{};
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> program) { waiting = program; }
    void await_resume() const noexcept {}
    void open() { std::exchange(waiting, {}).resume(); }
};

struct GateRef {
    Gate& gate;
    int value;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> program) { gate.waiting = program; }
    int await_resume() const noexcept { return value; }
};

/// Counts its living copies.
struct Tracked {
    inline static int living = 0;
    int value = 0;
    explicit Tracked(int number) : value(number) { ++living; }
    Tracked(const Tracked& other) : value(other.value) { ++living; }
    Tracked& operator=(const Tracked&) = default;
    ~Tracked() { --living; }
};

Task<int> at_once(int value) { co_return value; }

Task<int> after(Gate& gate, int value)
{
    co_await GateRef{gate, value};
    co_return value;
}

Task<> sum_of(int count, long& sum)
{
    for (int i = 0; i < count; ++i) sum += co_await at_once(i);
}

Task<> sum_after(Gate& gate, int count, long& sum)
{
    for (int i = 0; i < count; ++i) sum += co_await after(gate, i);
}

Task<int> nested(Gate& gate, int depth)
{
    if (depth == 0) {
        const int value = co_await GateRef{gate, 1};
        co_return value;
    }
    const int below = co_await nested(gate, depth - 1);
    co_return below + 1;
}

Task<> store_depth(Gate& gate, int depth, int& result) { result = co_await nested(gate, depth); }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(task)

BOOST_AUTO_TEST_CASE(a_program_does_not_begin_before_it_is_started)
{
    long sum = 0;
    Task<> program = sum_of(3, sum);
    BOOST_TEST(sum == 0);
    BOOST_TEST(!program.done());
    program.start();
    BOOST_TEST(program.done());
    BOOST_TEST(sum == 0 + 1 + 2);
}

BOOST_AUTO_TEST_CASE(a_million_awaits_of_children_that_finish_at_once_do_not_overflow_the_stack)
{
    constexpr int kAwaits = 1'000'000;
    long sum = 0;
    Task<> program = sum_of(kAwaits, sum);
    program.start();
    BOOST_TEST(program.done());
    BOOST_TEST(sum == static_cast<long>(kAwaits) * (kAwaits - 1) / 2);
}

BOOST_AUTO_TEST_CASE(a_million_awaits_of_children_that_wait_do_not_overflow_the_stack)
{
    constexpr int kAwaits = 1'000'000;
    Gate gate;
    long sum = 0;
    Task<> program = sum_after(gate, kAwaits, sum);
    program.start();
    while (gate.waiting) gate.open();
    BOOST_TEST(program.done());
    BOOST_TEST(sum == static_cast<long>(kAwaits) * (kAwaits - 1) / 2);
}

BOOST_DATA_TEST_CASE(a_chain_of_children_returns_through_all_its_parents, data::make({0, 1, 2, 100}), depth)
{
    Gate gate;
    int result = 0;
    Task<> program = store_depth(gate, depth, result);
    program.start();
    BOOST_TEST(result == 0);
    gate.open();
    BOOST_TEST(program.done());
    BOOST_TEST(result == depth + 1);
}

namespace {

Task<> thrower(Gate& gate, bool waits)
{
    if (waits) co_await gate;
    throw std::runtime_error("child");
}

Task<> passes_on(Gate& gate, bool waits) { co_await thrower(gate, waits); }

Task<> catches(Gate& gate, bool waits, std::string& caught)
{
    try {
        co_await thrower(gate, waits);
    } catch (const std::runtime_error& error) {
        caught = error.what();
    }
}

}  // namespace

BOOST_DATA_TEST_CASE(an_exception_passes_through_parents_to_the_result, data::make({false, true}), waits)
{
    Gate gate;
    Task<> program = passes_on(gate, waits);
    program.start();
    if (waits) gate.open();
    BOOST_TEST(program.done());
    BOOST_CHECK_THROW(program.result(), std::runtime_error);
}

BOOST_DATA_TEST_CASE(a_parent_may_catch_what_its_child_threw, data::make({false, true}), waits)
{
    Gate gate;
    std::string caught;
    Task<> program = catches(gate, waits, caught);
    program.start();
    if (waits) gate.open();
    BOOST_TEST(caught == "child");
    BOOST_CHECK_NO_THROW(program.result());
}

namespace {

// The ways in which our programs use co_await: alone or as a plain initialiser; arguments are named locals, trivially
// copyable, or moved into parameters. g++ 12 destroys temporaries of other expressions twice.
Task<Tracked> echo_back(Gate& gate, Tracked tracked)
{
    const Tracked kept = tracked;
    co_await gate;
    co_return kept;
}

Task<> wait_with(Gate& gate, const Tracked& tracked)
{
    co_await gate;
    if (tracked.value < 0) throw std::runtime_error("negative");
}

Task<> uses(Gate& gate, std::vector<int>& seen)
{
    const Tracked local(7);
    const Tracked copy = co_await echo_back(gate, local);
    seen.push_back(copy.value);
    for (int i = 0; i < 3; ++i) {
        const Tracked inner(i);
        co_await wait_with(gate, inner);
        const Tracked again = co_await echo_back(gate, inner);
        seen.push_back(again.value);
    }
    const Tracked bad(-1);
    co_await wait_with(gate, bad);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_object_of_a_program_is_destroyed_once_when_it_finishes)
{
    Gate gate;
    std::vector<int> seen;
    {
        Task<> program = uses(gate, seen);
        program.start();
        BOOST_TEST(Tracked::living > 0);
        while (gate.waiting) {
            gate.open();
            BOOST_TEST(Tracked::living >= 0);
        }
        BOOST_TEST(program.done());
        BOOST_CHECK_THROW(program.result(), std::runtime_error);
    }
    const std::vector<int> expected{7, 0, 1, 2};
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
    BOOST_TEST(Tracked::living == 0);
}

BOOST_DATA_TEST_CASE(every_object_of_a_program_is_destroyed_once_when_it_is_given_up, data::xrange(8), steps)
{
    Gate gate;
    std::vector<int> seen;
    {
        Task<> program = uses(gate, seen);
        program.start();
        for (int i = 0; i < steps && gate.waiting; ++i) gate.open();
    }
    BOOST_TEST(Tracked::living == 0);
}

namespace {

/// A processor whose operations all wait for the test.
class HeldProcessor final : public ringmesh::PcProcessor {
public:
    unsigned node() const override { return 0; }
    ringmesh::Duration time() const override { return {}; }
    ringmesh::Clock clock() const override { return ringmesh::Clock(1000_MHz); }
    std::uint32_t largest_transaction() const override { return 64; }
    std::uint32_t gathered_block() const override { return 64; }
    bool barrier_waits() const override { return true; }
    bool has_dma_engine() const override { return true; }
    ringmesh::SegmentDriver& segments() override { throw std::logic_error("none"); }
    void peek(std::uint64_t, std::span<std::byte>) const override {}
    void poke(std::uint64_t, std::span<const std::byte>) override {}
    void run(Task<> program, std::string) override
    {
        task_ = std::move(program);
        task_.start();
    }
    bool finished() const override { return task_.done(); }
    void step() { program_.resume(); }

    std::vector<std::uint64_t> addresses;

protected:
    void begin(const ringmesh::StoreRequest& request) override { addresses.push_back(request.address); }
    void begin(const ringmesh::LoadRequest& request) override { addresses.push_back(request.address); }
    void begin(const ringmesh::PollAnyRequest& request) override
    {
        addresses.push_back(request.places->address);
        found_ = request.count - 1;
    }
    void begin(ringmesh::BarrierRequest) override { addresses.push_back(7); }
    void begin(ringmesh::FlushRequest) override { addresses.push_back(8); }
    void begin(ringmesh::InterruptRequest) override { addresses.push_back(9); }
    void begin(const ringmesh::DmaRequest& request) override { addresses.push_back(request.from); }
    void begin(const ringmesh::ComputeRequest& request) override
    {
        addresses.push_back(static_cast<std::uint64_t>(request.span.ps()));
    }
    ringmesh::Duration library_cost() const override { return ringmesh::Duration::picoseconds(5); }

private:
    Task<> task_;
};

Task<> operations(HeldProcessor& cpu)
{
    const ringmesh::StoreRequest store{.address = 1};
    co_await cpu.store(store);
    const ringmesh::LoadRequest load{.address = 2};
    co_await cpu.load(load);
    const ringmesh::PollRequest poll{.address = 3};
    co_await cpu.poll(poll);
    co_await cpu.compute(ringmesh::Duration::picoseconds(4));
    co_await cpu.library_call();
    const std::array<ringmesh::PollRequest, 3> places{{{.address = 6}, {}, {}}};
    const ringmesh::PollAnyRequest any{.places = places.data(), .count = 3};
    const std::uint32_t found = co_await cpu.poll_any(any);
    if (found != 2) co_return;
    co_await cpu.barrier();
    co_await cpu.flush();
    co_await cpu.interrupt();
    const ringmesh::DmaRequest copy{.from = 10};
    co_await cpu.dma(copy);
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_operation_of_a_processor_suspends_the_program_once)
{
    HeldProcessor cpu;
    cpu.run(operations(cpu), "operations");
    for (std::uint64_t done = 1; done <= 10; ++done) {
        BOOST_TEST(cpu.addresses.size() == done);
        BOOST_TEST(cpu.addresses.back() == done);
        BOOST_TEST(!cpu.finished());
        cpu.step();
    }
    BOOST_TEST(cpu.finished());
}

#ifndef RINGMESH_SANITIZED

BOOST_DATA_TEST_CASE(a_frame_that_was_given_back_is_used_again, data::make({1, 64, 65, 500, 4096}), size)
{
    const auto bytes = static_cast<std::size_t>(size);
    void* first = ringmesh::detail::allocate_frame(bytes);
    void* second = ringmesh::detail::allocate_frame(bytes);
    BOOST_TEST(first != second);
    ringmesh::detail::release_frame(first, bytes);
    ringmesh::detail::release_frame(second, bytes);
    BOOST_TEST(ringmesh::detail::allocate_frame(bytes) == second);
    BOOST_TEST(ringmesh::detail::allocate_frame(bytes) == first);
    ringmesh::detail::release_frame(first, bytes);
    ringmesh::detail::release_frame(second, bytes);
}

namespace {

struct Address {
    void* frame = nullptr;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> program) noexcept
    {
        frame = program.address();
        return false;
    }
    void* await_resume() const noexcept { return frame; }
};

Task<> note_frame(std::set<void*>& frames)
{
    void* frame = co_await Address{};
    frames.insert(frame);
}

Task<> call_repeatedly(std::set<void*>& frames, int times)
{
    for (int i = 0; i < times; ++i) co_await note_frame(frames);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_thousand_calls_of_a_child_use_one_frame)
{
    std::set<void*> frames;
    Task<> program = call_repeatedly(frames, 1000);
    program.start();
    BOOST_TEST(program.done());
    BOOST_TEST(frames.size() == 1u);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
