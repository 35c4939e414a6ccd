// SPDX-License-Identifier: Apache-2.0
#include "traces/changes/value_table.h"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/statistics/activity.h"
#include "traces/changes/record_reader.h"

namespace ringmesh {
namespace {

/// The changes of a block of records: "2=7 " for each number, "3:sending " for each word.
struct ChangeText {
    void step(Duration) {}
    void number(std::uint32_t signal, std::uint64_t value) { out += fmt::format("{}={} ", signal, value); }
    void real(std::uint32_t signal, double value) { out += fmt::format("{}={} ", signal, value); }
    void word(std::uint32_t signal, std::uint32_t word) { out += fmt::format("{}:{} ", signal, words.at(word)); }
    void trigger(std::uint32_t signal) { out += fmt::format("{}! ", signal); }
    void text(std::uint32_t signal, std::string_view value) { out += fmt::format("{}:{} ", signal, value); }
    void busy(std::uint32_t, Duration, Duration, std::uint32_t, std::uint64_t) {}
    void new_word(std::string_view word) { words.emplace_back(word); }
    void comment(std::string_view) {}
    void stage(std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, Duration, Duration) {}

    std::string out;
    std::vector<std::string> words;
};

struct TableBench {
    std::string changes()
    {
        ChangeLog log([](ChangeLog::Block block, std::size_t) { return block; });
        table.log_changes(log);
        ChangeText text;
        read_records(log.rest(), text);
        return text.out;
    }
    ValueTable table;
};

constexpr auto kTold = ValueTable::Told::kYes;
constexpr auto kNumber = SignalKind::kUnsigned;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(value_table)

BOOST_AUTO_TEST_CASE(a_value_that_tells_is_looked_at_when_it_has_told)
{
    TableBench bench;
    std::uint32_t fill = 0;
    std::string_view state = "idle";
    const std::uint32_t of_fill = bench.table.add(fill, 0, kNumber, kTold);
    const std::uint32_t of_state = bench.table.add(state, 1, kTold);
    fill = 3;
    state = "sending";
    BOOST_TEST(bench.changes() == "");
    bench.table.changed(of_fill);
    bench.table.changed(of_fill);
    BOOST_TEST(bench.changes() == "0=3 ");
    bench.table.changed(of_state);
    bench.table.changed(of_fill);
    BOOST_TEST(bench.changes() == "1:sending ");
    BOOST_TEST(bench.changes() == "");
}

BOOST_AUTO_TEST_CASE(changes_of_a_step_come_in_the_order_of_the_signals_whoever_tells_first)
{
    TableBench bench;
    std::uint32_t values[4] = {};
    const std::uint32_t first = bench.table.add(values[0], 0, kNumber, kTold);
    bench.table.add(values[1], 1, kNumber);
    const std::uint32_t third = bench.table.add(values[2], 2, kNumber, kTold);
    bench.table.add(values[3], 3, kNumber);
    for (std::uint32_t& value : values) value = 9;
    bench.table.changed(third);
    bench.table.changed(first);
    BOOST_TEST(bench.changes() == "0=9 1=9 2=9 3=9 ");
}

BOOST_AUTO_TEST_CASE(values_of_all_sizes_tell)
{
    TableBench bench;
    bool flag = false;
    std::int32_t tag = 0;
    std::uint64_t bytes = 0;
    const std::uint32_t of_flag = bench.table.add(flag, 0, SignalKind::kBit, kTold);
    const std::uint32_t of_tag = bench.table.add(tag, 1, SignalKind::kSigned, kTold);
    const std::uint32_t of_bytes = bench.table.add(bytes, 2, kNumber, kTold);
    flag = true;
    tag = 5;
    bytes = std::uint64_t{1} << 40U;
    for (const std::uint32_t each : {of_flag, of_tag, of_bytes}) bench.table.changed(each);
    BOOST_TEST(bench.changes() == "0=1 1=5 2=1099511627776 ");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh
