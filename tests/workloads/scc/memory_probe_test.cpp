// SPDX-License-Identifier: Apache-2.0
#include "workloads/scc/memory_probe.h"

#include <map>
#include <string>
#include <vector>

#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_scc.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using scc::MemoryProbe;
using scc::ProbeBy;
using scc::ProbeOperation;
using scc::ProbeOptions;
using scc::ProbePage;
using scc::ProbeTarget;
using test::FakeScc;

struct Bench {
    Simulation simulation{1};
    FakeScc machine;
    MemoryProbe workload;

    explicit Bench(ProbeOptions options, unsigned cores = 48) : machine(simulation, cores), workload(std::move(options))
    {}
    Results run() { return test::run_workload(workload, machine); }
};

double number(const Results& results, std::size_t row, const std::string& column)
{
    for (std::size_t i = 0; i < results.columns.size(); ++i) {
        if (results.columns[i].name != column) continue;
        const Cell& value = results.rows.at(row).at(i);
        if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
        return std::get<double>(value);
    }
    throw ModelError("no column " + column);
}

const auto kClose = boost::test_tools::tolerance(1e-9);

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(memory_probe)

BOOST_DATA_TEST_CASE(a_buffer_is_read_at_every_distance_once, data::make({0, 17, 47}), core)
{
    Bench bench({.core = core, .accesses = 5});
    const Results results = bench.run();
    const auto reader = static_cast<unsigned>(core);
    unsigned farthest = 0;
    for (unsigned other = 0; other < 48; ++other) farthest = std::max(farthest, bench.machine.hops(reader, other));
    BOOST_TEST_REQUIRE(results.rows.size() == farthest + 1);
    const auto& costs = bench.machine.costs;
    for (unsigned hops = 0; hops <= farthest; ++hops) {
        BOOST_TEST(number(results, hops, "hops") == hops);
        const auto owner = static_cast<unsigned>(number(results, hops, "owner"));
        BOOST_TEST(bench.machine.hops(reader, owner) == hops);
        BOOST_TEST(number(results, hops, "accesses") == 5);
        const Cycles each = costs.instruction + costs.line + costs.hop * std::int64_t{hops};
        BOOST_TEST(number(results, hops, "mean_cycles") == static_cast<double>(each.count()), kClose);
    }
}

BOOST_AUTO_TEST_CASE(memory_is_read_by_one_core_after_the_other_at_every_distance_from_the_controller)
{
    Bench bench({.target = ProbeTarget::kMemory, .core = 40, .accesses = 300});
    const Results results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() > 1u);
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
        const auto core = static_cast<unsigned>(number(results, row, "core"));
        BOOST_TEST(bench.machine.memory_controller(core) == bench.machine.memory_controller(40));
        BOOST_TEST(bench.machine.hops_to_memory(core) == number(results, row, "hops"));
        BOOST_TEST(number(results, row, "accesses") == 300);
    }
}

BOOST_DATA_TEST_CASE(what_is_written_is_found_at_its_owner, data::make({1, 2, 4, 32}), bytes)
{
    Bench bench({.operation = ProbeOperation::kWrite, .bytes = bytes, .accesses = 10});
    BOOST_TEST(bench.run().rows.size() == 9u);
}

BOOST_AUTO_TEST_CASE(the_buffers_of_the_chosen_tiles_are_accessed_in_the_order_written)
{
    Bench bench({.core = 17, .tile = "23,0,8", .accesses = 3});
    const Results results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 3u);
    const std::vector<unsigned> owners{46, 0, 17};  // of its own tile the core itself
    for (std::size_t row = 0; row < owners.size(); ++row) {
        BOOST_TEST(number(results, row, "core") == 17);
        BOOST_TEST(number(results, row, "owner") == owners[row]);
        BOOST_TEST(number(results, row, "hops") == bench.machine.hops(17, owners[row]));
    }
}

// Kinds of pages and operations by number, because Boost prints them.
BOOST_DATA_TEST_CASE(memory_behind_the_chosen_controllers_is_accessed_through_any_page,
                     data::make({1, 2, 3}) * data::make({0, 1}), page, operation)
{
    Bench bench({.target = ProbeTarget::kMemory,
                 .operation = static_cast<ProbeOperation>(operation),
                 .page = static_cast<ProbePage>(page),
                 .core = 5,
                 .controller = "3,0",
                 .bytes = 32,
                 .accesses = 300});
    const Results results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 2u);
    for (const auto& [row, controller] : std::map<std::size_t, unsigned>{{0, 3}, {1, 0}}) {
        BOOST_TEST(number(results, row, "core") == 5);
        BOOST_TEST(number(results, row, "owner") == controller);
        BOOST_TEST(number(results, row, "hops") == bench.machine.hops_to_memory(5, controller));
        BOOST_TEST(number(results, row, "accesses") == 300);
    }
}

BOOST_AUTO_TEST_CASE(no_line_of_a_cached_page_is_accessed_twice_by_distance)
{
    Bench bench(
        {.target = ProbeTarget::kMemory, .by = ProbeBy::kDistance, .page = ProbePage::kCached, .accesses = 300});
    const Results results = bench.run();
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
        BOOST_TEST(number(results, row, "size_bytes") == 300 * 32);
    }
}

BOOST_AUTO_TEST_CASE(a_row_for_each_size_and_each_stride)
{
    Bench bench({.target = ProbeTarget::kMemory,
                 .by = ProbeBy::kSize,
                 .page = ProbePage::kCached,
                 .accesses = 4,
                 .sizes = "64,128,4096"});
    const Results results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 3u);
    BOOST_TEST(number(results, 2, "size_bytes") == 4096);
    BOOST_TEST(number(results, 0, "accesses") == 4);          // the buffer of two lines was walked twice
    BOOST_TEST(number(results, 2, "accesses") == 4096 / 32);  // the larger one once
}

BOOST_AUTO_TEST_CASE(strides_are_taken_from_the_list)
{
    Bench bench({.target = ProbeTarget::kMemory,
                 .by = ProbeBy::kStride,
                 .page = ProbePage::kCached,
                 .accesses = 2,
                 .size = 1024,
                 .strides = "4,64"});
    const Results results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 2u);
    BOOST_TEST(number(results, 0, "stride_bytes") == 4);
    BOOST_TEST(number(results, 1, "stride_bytes") == 64);
}

BOOST_AUTO_TEST_CASE(contenders_stop_when_the_probe_has_ended)
{
    Bench bench({.accesses = 50, .contenders = 3});
    BOOST_TEST(bench.run().rows.size() == 9u);
    for (unsigned core = 1; core <= 3; ++core) BOOST_TEST(bench.machine.processor(core).finished());
}

BOOST_AUTO_TEST_CASE(a_byte_that_is_wrong_ends_the_run)
{
    Bench bench({.accesses = 5});
    bench.workload.start(bench.machine);
    for (std::byte& byte : bench.machine.buffers) byte ^= std::byte{0x40};
    BOOST_CHECK_THROW(bench.simulation.run(), ModelError);
}

BOOST_AUTO_TEST_CASE(a_write_that_does_not_arrive_is_found)
{
    Bench bench({.operation = ProbeOperation::kWrite, .accesses = 5});
    bench.workload.start(bench.machine);
    bench.simulation.run();
    for (std::byte& byte : bench.machine.buffers) byte = std::byte{0xEE};
    BOOST_CHECK_THROW(bench.workload.check(), ModelError);
}

namespace {

struct Mistake {
    ProbeOptions options;
    std::string message;
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.message; }

const std::vector<Mistake> kMistakes{
    {{.core = 48}, "memory-probe: core = 48: this machine has cores 0 to 47; choose one of them"},
    {{.bytes = 3}, "memory-probe: bytes = 3: no access has so many; write 1, 2, 4, 8, 12, ... or 32"},
    {{.target = ProbeTarget::kMemory, .by = ProbeBy::kDistance, .page = ProbePage::kCached, .accesses = 600'000},
     "memory-probe: accesses = 600000: by distance each needs a line that no cache has, and there are 524288; write "
     "that or less"},
    {{.tile = "24"}, "memory-probe: tile = 24 is out of bounds; a list of tiles has 0 to 23 tiles"},
    {{.target = ProbeTarget::kMemory, .controller = "4"},
     "memory-probe: controller = 4 is out of bounds; a list of controllers has 0 to 3 controllers"},
    {{.target = ProbeTarget::kMemory, .tile = "2"},
     "memory-probe: tile = 2: memory is behind a controller and on no tile; write controller, or target=mpb"},
    {{.controller = "2"},
     "memory-probe: controller = 2: no message-passing buffer is behind one; write target=memory, or tile for a "
     "buffer"},
    {{.by = ProbeBy::kSize, .tile = "2"},
     "memory-probe: tile is looked at by distance alone, and this probe goes by size; write by=distance, or leave it "
     "out"},
    {{.page = ProbePage::kCached},
     "memory-probe: page = cached: a message-passing buffer has pages mpbt; leave it out, or write target=memory"},
    {{.by = ProbeBy::kStride, .size = 16384},
     "memory-probe: size = 16384: a core's message-passing buffer has 8192 bytes; write that or less"},
    {{.by = ProbeBy::kStride, .strides = "4,6"},
     "memory-probe: strides = 6: accesses of 4 bytes would not stay in their lines; write a multiple of 4"},
    {{.by = ProbeBy::kSize, .bytes = 12, .stride = 24},
     "memory-probe: stride = 24: accesses of 12 bytes would not stay in their lines; write a multiple of 16"},
    {{.target = ProbeTarget::kMemory, .by = ProbeBy::kSize, .stride = 128, .sizes = "64"},
     "memory-probe: stride = 128: larger than the smallest buffer; write less, or larger sizes"},
    {{.sizes = "64"},
     "memory-probe: sizes is looked at by size alone, and this probe goes by distance; write by=size, or leave it out"},
    {{.target = ProbeTarget::kMemory, .page = ProbePage::kCached, .size = 64},
     "memory-probe: size is looked at by stride alone, and this probe goes by size; write by=stride, or leave it out"},
    {{.contenders = 48},
     "memory-probe: contenders = 48: only 47 other cores can access the buffer; write that or less"},
};

}  // namespace

BOOST_DATA_TEST_CASE(errors_of_options_say_what_to_write_instead, data::make(kMistakes), mistake)
{
    Bench bench(mistake.options);
    BOOST_TEST(test::error_of([&] { bench.workload.start(bench.machine); }) == mistake.message);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
