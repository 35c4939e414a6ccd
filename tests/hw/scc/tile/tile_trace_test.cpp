// SPDX-License-Identifier: Apache-2.0
/// What a tile and a memory controller show in a waveform.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/hw/scc/tile/tile_bench.h"
#include "tests/platforms/temporary_folder.h"
#include "traces/vcd_file.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

using Changes = std::vector<std::pair<Duration, std::string>>;

/// The changes of each signal by its full name.
std::map<std::string, Changes> read_vcd(const std::string& path)
{
    std::ifstream file(path);
    std::map<std::string, std::string> names;
    std::map<std::string, Changes> changes;
    std::string scope, line;
    Duration time;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string first, kind, width, id, name;
        words >> first;
        if (first == "$scope") {
            words >> kind >> name;
            scope += name + ".";
        } else if (first == "$upscope") {
            scope.resize(scope.find_last_of('.', scope.size() - 2) + 1);
        } else if (first == "$var") {
            words >> kind >> width >> id >> name;
            names[id] = scope + name;
        } else if (first[0] == '#') {
            time = Duration::picoseconds(std::stoll(first.substr(1)));
        } else if (first[0] == 'b' || first[0] == 's') {
            words >> id;
            changes[names[id]].emplace_back(time, first.substr(1));
        } else if (first[0] == '0' || first[0] == '1') {
            changes[names[first.substr(1)]].emplace_back(time, first.substr(0, 1));
        }
    }
    return changes;
}

Duration first_time(const Changes& changes, const std::string& value)
{
    for (const auto& [time, what] : changes) {
        if (what == value) return time;
    }
    return Duration::never();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_tile_trace)

BOOST_AUTO_TEST_CASE(a_waveform_shows_flags_ports_and_locks_when_they_change)
{
    const TemporaryFolder folder;
    TileBench bench;
    VcdFile file("run.vcd");
    bench.tiles[1]->trace(&file);
    bench.controller.trace(&file);
    bench.write(0, bench.mpb(1, hw::MessageBuffer::kHalf + 32 + 8), {std::byte{5}}, 1_us);
    bench.read(1, bench.registers(1, 0x400), 4, 1_us);
    bench.read(2, bench.memory(0), 32, 1_us);
    bench.run();
    file.close();
    auto signals = read_vcd("run.vcd");

    const Duration access = bench.cycles(1, bench.options.tile.mpb.access);
    const Duration effect = bench.over_mesh(0, 1, 1_us, bench.options.tile.mpb.access).effect;
    BOOST_TEST(first_time(signals["tile1.mpb.core1_line1_word1"], "101") == effect);
    BOOST_TEST(signals["tile1.mpb.core0_line1_word1"].size() == 1u);  // never changes
    BOOST_TEST(first_time(signals["tile1.mpb.port"], "write") == effect - access);
    BOOST_TEST(signals["tile1.mpb.port"].back().second == "idle");
    BOOST_TEST(signals["tile1.mpb.port"].back().first == effect);
    BOOST_TEST(first_time(signals["tile1.registers.test_and_set1"], "1") != Duration::never());
    BOOST_TEST(first_time(signals["tile1.registers.test_and_set0"], "1") == Duration::never());
    BOOST_TEST(first_time(signals["tile1.miu.core0_requests"], "1") == 1_us);
    BOOST_TEST(first_time(signals["mc0.data_bus"], "row_empty_read") != Duration::never());
    BOOST_TEST(first_time(signals["mc0.slots_taken"], "1") == bench.mesh.passages.at(2).arrived);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
