// SPDX-License-Identifier: Apache-2.0
#include "traces/formats/fst_writer.h"

#include <sysc/datatypes/fx/fx.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/traces/read_vcd.h"
#include "tests/traces/waveform_bench.h"
#include "tlm/error.h"
#include "traces/recorder.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

/// A number without its leading zeros, high impedance and unknown once; numbers with a point by their value.
std::string plain(const std::string& value)
{
    if (value.find_first_not_of("z") == std::string::npos) return "z";
    if (value.find('.') != std::string::npos) return std::to_string(std::stod(value));
    const std::size_t first = value.find_first_not_of('0');
    return first == std::string::npos ? "0" : value.substr(first);
}

using Signals = std::map<std::string, Changes>;

/// What GTKWave's own reader finds in run.fst.
Signals read_fst()
{
    BOOST_REQUIRE(std::system("fst2vcd -f run.fst -o back.vcd > /dev/null") == 0);
    return read_vcd("back.vcd");
}

Signals plain(Signals signals)
{
    for (auto& [name, changes] : signals) {
        for (auto& [time, value] : changes) value = plain(value);
    }
    return signals;
}

std::vector<std::unique_ptr<WaveWriter>> to_both(std::size_t section_bytes)
{
    auto writers = to_vcd("run.vcd");
    writers.push_back(std::make_unique<FstWriter>("run.fst", section_bytes));
    return writers;
}

void check_same(const Signals& expected, const Signals& found)
{
    BOOST_TEST(expected.size() == found.size());
    for (const auto& [name, changes] : expected) {
        BOOST_REQUIRE(found.contains(name));
        const Changes& other = found.at(name);
        BOOST_TEST(changes.size() == other.size(), name);
        for (std::size_t i = 0; i < std::min(changes.size(), other.size()); ++i) {
            BOOST_TEST_REQUIRE((changes[i] == other[i]), name << " at " << changes[i].first.ps() << ": "
                                                              << changes[i].second << ", not " << other[i].second);
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(fst_writer)

BOOST_DATA_TEST_CASE(another_reader_finds_what_the_vcd_has, data::make({std::size_t{1} << 20, std::size_t{100}}),
                     section_bytes)
{
    const TemporaryFolder folder;
    Block block("node10");
    Block other("node2");
    double load = 0.25;
    int balance = 0;
    std::uint64_t large = 0;
    sc_dt::sc_bv<12> bits;
    sc_dt::sc_logic level;
    Recorder file(to_both(section_bytes));
    block.trace(&file);
    other.trace(&file);
    sc_core::sc_trace(&file, load, "node2.load");
    sc_core::sc_trace(&file, balance, "node2.balance");
    sc_core::sc_trace(&file, large, "large");
    sc_core::sc_trace(&file, bits, "node2.deep.er.bits");
    sc_core::sc_trace(&file, level, "node2.level");
    std::uint64_t count = 0;
    const std::function<void()> act = [&] {
        ++count;
        block.link.busy(now() + 1_ns, now() + 2_ns, count % 3 == 0 ? "response" : "request", count << (count % 60));
        if (count % 7 == 0) other.link.busy(now(), now() + 5_ns, "echo", count);
        block.busy = !block.busy;
        block.fill = static_cast<std::uint32_t>(count * 2654435761U);
        other.phase = count % 2 == 0 ? "sending" : "waiting for an answer";
        load = 1.0 / static_cast<double>(count);
        balance = -static_cast<int>(count);
        large = ~(count * 0x9E3779B97F4A7C15U);
        bits = static_cast<int>(count);
        if (count % 5 == 0) bits[3] = sc_dt::SC_LOGIC_X;
        level = sc_dt::sc_logic(static_cast<int>(count % 4));
        if (count < 300) block.at(now() + Duration::picoseconds(1000 + 300 * static_cast<std::int64_t>(count)), act);
    };
    block.at(3_ns, act);
    sc_core::sc_start(to_kernel(100_us));
    file.close();
    check_same(plain(read_vcd("run.vcd")), plain(read_fst()));
}

BOOST_AUTO_TEST_CASE(a_window_begins_with_the_state_at_its_start_and_ends_where_it_ends)
{
    const TemporaryFolder folder;
    Block block("block");
    Recorder file(to_both(1 << 20), {10_ns, 20_ns});
    block.trace(&file);
    block.at(2_ns, [&] { block.fill = 5; });
    block.at(12_ns, [&] { block.fill = 6; });
    sc_core::sc_start(to_kernel(30_ns));
    file.close();
    const auto found = read_fst();
    check_same(plain(read_vcd("run.vcd")), plain(found));
    BOOST_TEST((found.at("block.fill").front().first == 10_ns));
    BOOST_TEST(text_of("back.vcd").ends_with("#20000\n"));
}

BOOST_AUTO_TEST_CASE(without_values_no_file_remains)
{
    const TemporaryFolder folder;
    Block block("block");
    {
        Recorder file(to_both(1 << 20), {10_ns, 20_ns});
        block.trace(&file);
        file.close();
    }
    BOOST_TEST(files_in(".") == 0u);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_noticed)
{
    FstWriter writer("/dev/full");
    SignalTable signals;
    signals.declare({"bit"});
    writer.begin(signals, Duration::zero());
    BOOST_CHECK_THROW(writer.finish(signals, {}, {}), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
