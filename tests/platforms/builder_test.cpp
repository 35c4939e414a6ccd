// SPDX-License-Identifier: Apache-2.0
#include "platforms/builder.h"

#include <ostream>
#include <string>
#include <vector>

#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using platforms::Configuration;

/// Settings on a platform, and what is wrong with the last one; "" if nothing is.
struct Rule {
    std::vector<std::string> settings;
    std::string problem;
    std::string platform = "wulfkit-ring";

    friend std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.settings.back(); }
};

const std::string k128 = "psb.stream_bytes=128 B";
const std::string kLongBypass = "lc2.bypass_capacity=96";
const std::string kBlocks = "cards have stream buffers and transactions of 64 or 128 bytes; write 64 B or 128 B";
const std::string kSwitch =
    "a switch joins 2 to 8 rings of equal size; write [nodes on each ring, rings], such as [2, 4]";

const std::vector<Rule> kRules{
    {{"host.memcpy_gather=24 B"}, "a transaction must not cross a 64-byte block; write 4 B, 8 B, 16 B, 32 B or 64 B"},
    {{"host.memcpy_gather=4 B"}, ""},
    {{"host.memcpy_gather=64 B"}, ""},
    {{"psb.att_page=5000 B"}, "a block of 64 bytes must lie in one page; write a multiple of 64 B"},
    {{"psb.att_page=4160 B"}, ""},
    {{k128, "psb.att_page=4160 B"}, "a block of 128 bytes must lie in one page; write a multiple of 128 B"},
    {{"psb.stream_bytes=96 B"}, kBlocks},
    {{"psb.stream_bytes=64 B"}, ""},
    {{kLongBypass, k128}, ""},
    {{k128, "psb.transaction_bytes=96 B"}, kBlocks},
    {{k128, kLongBypass, "psb.transaction_bytes=64 B"}, ""},
    {{k128, kLongBypass, "psb.transaction_bytes=128 B"}, ""},
    {{"psb.transaction_bytes=128 B"},
     "a stream buffer of 64 B cannot fill it; write 64 B, or psb.stream_bytes = 128 B as well"},
    {{k128, "psb.transaction_bytes=128 B", "lc2.bypass_capacity=74"}, ""},
    {{k128, "psb.transaction_bytes=128 B", "lc2.bypass_capacity=73"},
     "74 symbols arrive while the longest packet and its 2 idles leave; write 74 or more"},
    {{"link.idle_symbols=24"}, ""},
    {{"link.idle_symbols=25"},
     "65 symbols arrive while the longest packet and its 25 idles leave; write 65 or more, or a lower "
     "link.idle_symbols"},
    {{"pci.width=6 B"}, "a PCI bus has 32 or 64 bits; write 4 B or 8 B"},
    {{"pci.width=8 B"}, ""},
    {{"node3.pci.width=6 B"}, "a PCI bus has 32 or 64 bits; write 4 B or 8 B"},
    {{"node3.lc2.bypass_capacity=50", "link.idle_symbols=12"},
     "52 symbols arrive while the longest packet and its 12 idles leave; write 52 or more"},
    {{kLongBypass, "node3.lc2.bypass_capacity=73", "node2.psb.stream_bytes=128 B", "node2.psb.transaction_bytes=128 B"},
     "74 symbols arrive while the longest packet and its 2 idles leave; write 74 or more"},
    {{"topology.dimensions=2x2x2x2"}, ""},
    {{"topology.dimensions=4096,16"}, ""},
    {{"topology.dimensions=16x16x16x16"}, ""},
    {{"topology.dimensions=2x2x2x2x2"},
     "a torus has 1 to 4 dimensions; write such as [8] for a ring, [4, 4] for a torus"},
    {{"topology.dimensions=[256, 257]"},
     "more than 65536 nodes, which node numbers of 16 bits cannot tell apart; write smaller dimensions"},
    {{"topology.dimensions=2x2"}, "", "wulfkit-switch"},
    {{"topology.dimensions=4096x8"}, "", "wulfkit-switch"},
    {{"topology.dimensions=8"}, kSwitch, "wulfkit-switch"},
    {{"topology.dimensions=2x9"}, kSwitch, "wulfkit-switch"},
    {{"topology.dimensions=2x2x2"}, kSwitch, "wulfkit-switch"},
};

Configuration platform(const std::string& name)
{
    return Configuration::load(RINGMESH_SOURCE_DIR "/platforms/machines/" + name + ".toml");
}

}  // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(ringmesh::NodeKind)

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(builder)

BOOST_AUTO_TEST_CASE(a_bare_mesh_has_packet_sources_only)
{
    Simulation simulation(1);
    const Configuration configuration = platform("mesh-8x8");
    const std::string error = test::error_of(
        [&] { platforms::machine_kind(configuration).build(configuration, NodeKind::kProcessor, simulation); });
    BOOST_TEST(error.ends_with(": machine = \"mesh\": a bare mesh has no processors; choose workload traffic"));
}

BOOST_DATA_TEST_CASE(values_that_do_not_go_together_are_refused_with_their_cure, data::make(kRules), rule)
{
    const std::string error = test::error_of([&] {
        Configuration configuration = platform(rule.platform);
        for (const std::string& setting : rule.settings) configuration.set(setting);
        platforms::machine_kind(configuration).effective_parameters(configuration);
    });
    if (rule.problem.empty()) {
        BOOST_TEST(error == "no error");
    } else {
        BOOST_TEST(error.find(": " + rule.problem) != std::string::npos, error);
    }
}

/// All else of that node is as everywhere, and is not repeated.
BOOST_AUTO_TEST_CASE(a_value_of_one_node_alone_is_listed_beside_that_of_all)
{
    Configuration configuration = platform("wulfkit-ring");
    configuration.set("node3.blink.clock=10 MHz");
    std::vector<std::string> clocks;
    for (const ParameterRow& row : platforms::machine_kind(configuration).effective_parameters(configuration)) {
        if (row.key == "blink.clock") clocks.push_back(row.value);
        if (row.key.starts_with("node")) clocks.push_back(row.key + " = " + row.value);
    }
    BOOST_TEST(clocks == (std::vector<std::string>{"50 MHz", "node3.blink.clock = 10 MHz"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
