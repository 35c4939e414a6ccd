// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/memory/dram.h"

#include "hw/scc/memory/memory_controller.h"
#include "tests/support/cases.h"
#include "tlm/error.h"
#include "tlm/simulation/random.h"

using namespace ringmesh;
using hw::Dram;
using hw::RowState;

namespace {

constexpr std::int64_t kEarly = 1000;

/// Timings in whole nanoseconds and a clock of 1 ns: all differ.
hw::DramParams distinct()
{
    hw::DramParams params;
    params.t_rcd = 13_ns;
    params.t_rp = 17_ns;
    params.t_cl = 11_ns;
    params.t_rc = 67_ns;
    params.t_cwl = 7_ns;
    params.t_wr = 23_ns;
    params.t_wtr = 5_ns;
    params.burst = 4_cycles;
    params.t_ccd = 9_cycles;
    params.banks = 4;
    params.row = Bytes(1024);
    return params;
}

constexpr std::uint64_t at(std::uint64_t row, std::uint64_t bank, std::uint64_t byte = 0)
{
    return (row * 4 + bank) * 1024 + byte;
}

struct Fixture {
    hw::DramParams params = distinct();
    Dram dram{params, Clock::of_period(1_ns)};
    const Dram::Timing t = dram.timing();

    Dram::Service read(std::uint64_t offset, std::int64_t earliest)
    {
        return dram.serve({offset, false, false}, earliest);
    }
    Dram::Service write(std::uint64_t offset, std::int64_t earliest, bool partial = false)
    {
        return dram.serve({offset, true, partial}, earliest);
    }
    // The turnaround separates read data from write data.
    std::int64_t read_to_write() const { return std::max(t.ccd, t.cl + t.ccd + t.turn - t.cwl); }
    std::int64_t write_to_read() const { return t.cwl + t.ccd + t.wtr; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(scc_dram)

BOOST_AUTO_TEST_CASE(timings_are_rounded_up_to_whole_cycles)
{
    const Dram dram({}, Clock::of_period(1250_ps));  // 15 ns are 12 cycles exactly, 52.5 ns are 42
    BOOST_TEST(dram.timing().rcd == 12);
    BOOST_TEST(dram.timing().rc == 42);
    hw::DramParams longer;
    longer.t_rcd += 1_ps;
    BOOST_TEST(Dram(longer, Clock::of_period(1250_ps)).timing().rcd == 13);
}

BOOST_AUTO_TEST_CASE(an_empty_bank_opens_the_row)
{
    Fixture f;
    const auto service = f.read(at(3, 2), kEarly);
    BOOST_TEST((service.row == RowState::kEmpty));
    BOOST_TEST(service.begin == kEarly);
    BOOST_TEST(service.column == kEarly + f.t.rcd);
    BOOST_TEST(service.end == kEarly + f.t.rcd + f.t.cl + f.t.burst);
}

BOOST_DATA_TEST_CASE(an_open_row_is_hit_anywhere_in_it, data::make({0u, 32u, 992u}), byte)
{
    Fixture f;
    f.read(at(3, 2), 0);
    const auto service = f.read(at(3, 2, byte), kEarly);
    BOOST_TEST((service.row == RowState::kHit));
    BOOST_TEST(service.begin == kEarly);
    BOOST_TEST(service.end == kEarly + f.t.cl + f.t.burst);
}

BOOST_AUTO_TEST_CASE(another_row_is_closed_first)
{
    Fixture f;
    f.read(at(3, 2), 0);
    const auto service = f.read(at(4, 2), kEarly);
    BOOST_TEST((service.row == RowState::kConflict));
    BOOST_TEST(service.begin == kEarly);
    BOOST_TEST(service.end == kEarly + f.t.rp + f.t.rcd + f.t.cl + f.t.burst);
    BOOST_TEST((f.dram.row_state(at(3, 2)) == RowState::kConflict));
    BOOST_TEST((f.dram.row_state(at(4, 2)) == RowState::kHit));
}

BOOST_AUTO_TEST_CASE(each_bank_keeps_its_own_row_open)
{
    Fixture f;
    for (std::uint64_t bank = 0; bank < 4; ++bank) f.read(at(bank, bank), 0);
    for (std::uint64_t bank = 0; bank < 4; ++bank) BOOST_TEST((f.dram.row_state(at(bank, bank)) == RowState::kHit));
}

/// A conflict right after an activate: t_rc applies, as t_rc - t_rp until the precharge and t_rp for it.
BOOST_DATA_TEST_CASE(two_openings_of_a_bank_are_t_rc_apart, data::make({0, 49, 50, 51, 66, 67, 68, 200}), after)
{
    Fixture f;
    const auto first = f.read(at(0, 0), kEarly);
    const auto second = f.read(at(1, 0), kEarly + after);
    const std::int64_t close = std::max(kEarly + f.t.rc - f.t.rp, kEarly + after);
    BOOST_TEST(second.begin == close);
    BOOST_TEST(second.column == close + f.t.rp + f.t.rcd);
    BOOST_TEST(second.column - f.t.rcd - (first.column - f.t.rcd) >= f.t.rc);
}

/// Write recovery: a row that was written is closed t_wr after the last byte.
BOOST_DATA_TEST_CASE(a_row_is_closed_t_wr_after_a_write, data::make({0, 1, 37, 38, 39, 100}), after)
{
    Fixture f;
    f.read(at(0, 0), 0);
    const auto first = f.write(at(0, 0), kEarly);  // long after the opening
    const auto second = f.read(at(1, 0), kEarly + after);
    BOOST_TEST(second.begin == std::max(first.end + f.t.wr, kEarly + after));
    Fixture g;
    g.read(at(0, 0), 0);
    g.read(at(0, 0), kEarly);
    BOOST_TEST(g.read(at(1, 0), kEarly).begin == kEarly + g.t.ccd);  // after a read, when the next could have gone
}

BOOST_DATA_TEST_CASE(reads_and_writes_of_all_banks_are_t_ccd_apart, data::make({0, 1}) * data::make({0, 1}), write,
                     bank)
{
    Fixture f;
    f.read(at(0, 0), 0);
    f.read(at(0, 1), 0);
    f.read(at(0, 0), kEarly / 2);
    if (write == 1) f.write(at(0, 0), kEarly / 2);
    std::int64_t column = 0;
    for (std::int64_t i = 0; i < 10; ++i) {
        const auto where = at(0, bank == 1 ? static_cast<std::uint64_t>(i % 2) : 0);
        const auto service = write == 1 ? f.write(where, kEarly) : f.read(where, kEarly);
        if (i > 0) BOOST_TEST(service.column == column + f.t.ccd);
        column = service.column;
    }
    BOOST_TEST(column == kEarly + 9 * f.t.ccd);
}

/// While bank 0's data are on the bus, bank 1 opens its row.
BOOST_AUTO_TEST_CASE(a_bank_is_made_ready_while_another_one_transfers)
{
    Fixture f;
    f.read(at(0, 0), 0);
    for (int i = 0; i < 3; ++i) f.read(at(0, 0), kEarly);
    const auto other = f.read(at(5, 1), kEarly);
    BOOST_TEST(other.begin == kEarly);
    BOOST_TEST(other.column == std::max(kEarly + f.t.rcd, kEarly + 3 * f.t.ccd));
}

BOOST_DATA_TEST_CASE(partial_writes_read_first_if_they_have_to, data::make({false, true}) * data::make({false, true}),
                     read_first, partial)
{
    Fixture f;
    f.params.partial_write = read_first ? hw::PartialWrite("read-modify-write") : hw::PartialWrite("masked");
    f.dram = Dram(f.params, Clock::of_period(1_ns));
    f.read(at(0, 0), 0);
    const auto service = f.write(at(0, 0), kEarly, partial);
    const std::int64_t old_bytes = read_first && partial ? std::max(f.t.cl + f.t.burst, f.read_to_write()) : 0;
    BOOST_TEST(service.column == kEarly + old_bytes);
    BOOST_TEST(service.end == service.column + f.t.cwl + f.t.burst);
    BOOST_TEST(f.read(at(0, 0), kEarly).column == service.column + f.write_to_read());
}

/// A read waits until the last written burst has left its slot, and t_wtr more; a write until its data come behind
/// those of the last read.
BOOST_DATA_TEST_CASE(the_bus_is_turned_between_reads_and_writes, data::make({0, 1}) * data::make({0, 1}), write, bank)
{
    Fixture f;
    f.read(at(0, 0), 0);
    f.read(at(0, 1), 0);
    const auto other = at(0, static_cast<std::uint64_t>(bank));
    if (write == 1) {
        const auto first = f.write(at(0, 0), kEarly);
        BOOST_TEST(f.read(other, kEarly).column == first.column + f.write_to_read());
    } else {
        const auto first = f.read(at(0, 0), kEarly);
        const auto second = f.write(other, kEarly);
        BOOST_TEST(second.column == first.column + f.read_to_write());
        BOOST_TEST(second.end - f.t.burst >= first.end);
    }
}

BOOST_AUTO_TEST_CASE(a_t_rc_that_is_too_short_is_refused)
{
    auto params = distinct();
    params.t_rc = params.t_rcd + params.t_rp;
    BOOST_CHECK_NO_THROW(Dram(params, Clock::of_period(1_ns)));
    params.t_rc -= 1_ns;
    BOOST_CHECK_THROW(Dram(params, Clock::of_period(1_ns)), UserError);
}

BOOST_AUTO_TEST_CASE(two_lines_cannot_be_on_the_data_bus_at_once)
{
    auto params = distinct();
    params.t_ccd = params.burst;
    BOOST_CHECK_NO_THROW(Dram(params, Clock::of_period(1_ns)));
    params.burst = params.t_ccd + 1_cycles;
    BOOST_CHECK_THROW(Dram(params, Clock::of_period(1_ns)), UserError);
}

/// For any requests, the timing rules of bank and bus hold, and requests end in order.
BOOST_DATA_TEST_CASE(random_requests_violate_no_timing_rule, data::xrange(4), seed)
{
    Fixture f;
    f.params.partial_write = seed % 2 == 0 ? hw::PartialWrite("masked") : hw::PartialWrite("read-modify-write");
    f.dram = Dram(f.params, Clock::of_period(1_ns));
    Random random(static_cast<std::uint64_t>(seed));
    std::int64_t now = 0, last_column = -100, last_end = 0;
    bool last_write = false;
    std::int64_t opened[4] = {-1000, -1000, -1000, -1000};
    std::uint64_t open[4] = {99, 99, 99, 99};
    for (int i = 0; i < 2000; ++i) {
        now += static_cast<std::int64_t>(random.below(30));
        const std::uint64_t bank = random.below(4), row = random.below(3);
        const bool write = random.below(2) == 0;
        const auto service = f.dram.serve({at(row, bank, 32 * random.below(32)), write, random.below(3) == 0}, now);
        BOOST_TEST(service.begin >= now);
        BOOST_TEST(service.column >= last_column + f.t.ccd);
        BOOST_TEST(service.end == service.column + (write ? f.t.cwl : f.t.cl) + f.t.burst);
        if (write != last_write) {
            BOOST_TEST(service.column >= last_column + (write ? f.read_to_write() : f.write_to_read()));
        }
        BOOST_TEST(service.end > last_end);
        BOOST_TEST((service.row == RowState::kHit) == (open[bank] == row));
        if (service.row != RowState::kHit) {
            const std::int64_t opening = service.begin + (service.row == RowState::kConflict ? f.t.rp : 0);
            BOOST_TEST(opening >= opened[bank] + f.t.rc);
            BOOST_TEST(service.column >= opening + f.t.rcd);
            opened[bank] = opening;
            open[bank] = row;
        }
        last_column = service.column;
        last_write = write;
        last_end = service.end;
    }
}

BOOST_AUTO_TEST_CASE(fcfs_never_reorders)
{
    Fixture f;
    f.read(at(0, 0), 0);
    hw::MemoryQueue queue(hw::MemoryOrder("fcfs"), 100);
    for (const std::uint64_t row : {1u, 0u, 0u}) queue.push({nullptr, {at(row, 0)}, 0, 0});
    for (const std::uint64_t row : {1u, 0u, 0u}) BOOST_TEST(queue.pop(f.dram).request.offset == at(row, 0));
    BOOST_TEST(queue.empty());
}

BOOST_DATA_TEST_CASE(the_oldest_is_bypassed_at_most_patience_times, data::make({0, 1, 3}), patience)
{
    Fixture f;
    f.read(at(0, 0), 0);
    hw::MemoryQueue queue(hw::MemoryOrder("row-hit-first"), patience);
    queue.push({nullptr, {at(1, 0)}, 0, 0});
    for (int i = 0; i < 5; ++i) queue.push({nullptr, {at(0, 0)}, 0, 0});
    for (int i = 0; i < patience; ++i) BOOST_TEST(queue.pop(f.dram).request.offset == at(0, 0));
    BOOST_TEST(queue.pop(f.dram).request.offset == at(1, 0));
}

BOOST_AUTO_TEST_CASE(without_a_row_hit_the_oldest_is_served)
{
    Fixture f;
    hw::MemoryQueue queue(hw::MemoryOrder("row-hit-first"), 100);
    for (const std::uint64_t row : {2u, 1u, 2u}) queue.push({nullptr, {at(row, 0)}, 0, 0});
    BOOST_TEST(queue.pop(f.dram).request.offset == at(2, 0));
    f.read(at(2, 0), 0);
    BOOST_TEST(queue.pop(f.dram).request.offset == at(2, 0));
    BOOST_TEST(queue.pop(f.dram).request.offset == at(1, 0));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
