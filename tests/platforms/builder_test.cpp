// SPDX-License-Identifier: Apache-2.0
#include "platforms/builder.h"

#include <boost/test/unit_test.hpp>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <string>
#include <vector>

#include "tests/platforms/user_error.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using platforms::Configuration;

Configuration platform(const std::string& name)
{
    return Configuration::load(RINGMESH_SOURCE_DIR "/platforms/" + name + ".toml");
}

Configuration ring_with(const std::string& setting)
{
    Configuration configuration = platform("wulfkit-ring");
    configuration.set(setting);
    return configuration;
}

std::string error_with(const std::string& setting, const std::vector<std::string>& more = {})
{
    return test::error_of([&] {
        Configuration configuration = ring_with(setting);
        for (const std::string& other : more) configuration.set(other);
        platforms::machine_kind(configuration).effective_parameters(configuration);
    });
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

BOOST_AUTO_TEST_CASE(a_gathered_transaction_that_crosses_a_block_is_refused)
{
    BOOST_TEST(error_with("host.memcpy_gather=24 B") ==
               "--set host.memcpy_gather=24 B: host.memcpy_gather = \"24 B\": a transaction must not cross a 64-byte "
               "block; write 4 B, 8 B, 16 B, 32 B or 64 B");
    for (const char* fine : {"4 B", "8 B", "16 B", "32 B", "64 B"}) {
        BOOST_TEST(error_with(std::string("host.memcpy_gather=") + fine) == "no error");
    }
}

BOOST_AUTO_TEST_CASE(a_page_that_splits_a_block_is_refused)
{
    BOOST_TEST(
        error_with("psb.att_page=5000 B") ==
        "--set psb.att_page=5000 B: psb.att_page = \"5000 B\": a block of 64 bytes must lie in one page; write a "
        "multiple of 64 B");
}

BOOST_AUTO_TEST_CASE(stream_buffers_and_transactions_have_64_or_128_bytes)
{
    const std::vector<std::string> long_bypass{"psb.stream_bytes=128 B", "lc2.bypass_capacity=96"};
    for (const std::string key : {"psb.stream_bytes", "psb.transaction_bytes"}) {
        BOOST_TEST(
            error_with(key + "=96 B", {"psb.stream_bytes=128 B", key + "=96 B"}) ==
            "--set " + key + "=96 B: " + key +
                " = \"96 B\": cards have stream buffers and transactions of 64 or 128 bytes; write 64 B or 128 B");
        BOOST_TEST(error_with(key + "=64 B", key == "psb.stream_bytes" ? std::vector<std::string>{} : long_bypass) ==
                   "no error");
        BOOST_TEST(error_with(key + "=128 B", long_bypass) == "no error");
    }
}

BOOST_AUTO_TEST_CASE(a_transaction_longer_than_its_stream_buffer_is_refused)
{
    BOOST_TEST(error_with("psb.transaction_bytes=128 B") ==
               "--set psb.transaction_bytes=128 B: psb.transaction_bytes = \"128 B\": a stream buffer of 64 B cannot "
               "fill it; write 64 B, or psb.stream_bytes = 128 B as well");
}

BOOST_AUTO_TEST_CASE(a_page_that_splits_a_longer_stream_buffer_is_refused)
{
    BOOST_TEST(error_with("psb.att_page=4160 B") == "no error");
    BOOST_TEST(error_with("psb.att_page=4160 B", {"psb.stream_bytes=128 B"}) ==
               "--set psb.att_page=4160 B: psb.att_page = \"4160 B\": a block of 128 bytes must lie in one page; write "
               "a multiple of 128 B");
}

BOOST_AUTO_TEST_CASE(a_bypass_fifo_has_to_hold_a_packet_of_128_bytes_if_there_are_any)
{
    const std::vector<std::string> packets_of_128{"psb.stream_bytes=128 B", "psb.transaction_bytes=128 B"};
    BOOST_TEST(error_with("lc2.bypass_capacity=74", packets_of_128) == "no error");
    BOOST_TEST(error_with("lc2.bypass_capacity=73", packets_of_128)
                   .find("lc2.bypass_capacity = 73: 74 symbols arrive while the longest packet and its 2 idles leave; "
                         "write 74 or more") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_pci_bus_has_32_or_64_bits)
{
    BOOST_TEST(error_with("pci.width=6 B") ==
               "--set pci.width=6 B: pci.width = \"6 B\": a PCI bus has 32 or 64 bits; write 4 B or 8 B");
    for (const char* fine : {"4 B", "8 B"}) BOOST_TEST(error_with(std::string("pci.width=") + fine) == "no error");
}

BOOST_DATA_TEST_CASE(a_torus_of_four_dimensions_and_65536_nodes_is_the_largest,
                     data::make({"2x2x2x2", "256x256", "4096,16", "16x16x16x16"}), dimensions)
{
    BOOST_TEST(error_with(std::string("topology.dimensions=") + dimensions) == "no error");
}

BOOST_AUTO_TEST_CASE(more_dimensions_or_nodes_are_refused)
{
    BOOST_TEST(error_with("topology.dimensions=2x2x2x2x2") ==
               "--set topology.dimensions=2x2x2x2x2: topology.dimensions = \"2x2x2x2x2\": a torus has 1 to 4 "
               "dimensions; write such as [8] for a ring, [4, 4] for a torus");
    BOOST_TEST(error_with("topology.dimensions=[256, 257]") ==
               "--set topology.dimensions=[256, 257]: topology.dimensions = [ 256, 257 ]: more than 65536 nodes, which "
               "node numbers of 16 bits cannot tell apart; write smaller dimensions");
}

BOOST_AUTO_TEST_CASE(a_switch_has_two_dimensions_and_up_to_eight_rings)
{
    const auto error_of_switch = [](const std::string& dimensions) {
        return test::error_of([&] {
            Configuration configuration = Configuration::load(RINGMESH_SOURCE_DIR "/platforms/wulfkit-switch.toml");
            configuration.set("topology.dimensions=" + dimensions);
            platforms::machine_kind(configuration).effective_parameters(configuration);
        });
    };
    for (const char* fine : {"2x2", "2x8", "4096x8"}) BOOST_TEST(error_of_switch(fine) == "no error");
    for (const std::string wrong : {"8", "2x9", "2x2x2"}) {
        const std::string written = wrong == "8" ? wrong : '"' + wrong + '"';
        BOOST_TEST(error_of_switch(wrong) == "--set topology.dimensions=" + wrong +
                                                 ": topology.dimensions = " + written +
                                                 ": a switch joins 2 to 8 rings of equal size; write [nodes on each "
                                                 "ring, rings], such as [2, 4]");
    }
}

BOOST_AUTO_TEST_CASE(a_bypass_fifo_smaller_than_the_longest_packet_and_its_idles_is_refused)
{
    BOOST_TEST(error_with("link.idle_symbols=24") == "no error");
    BOOST_TEST(
        error_with("link.idle_symbols=25")
            .find("lc2.bypass_capacity = 64: 65 symbols arrive while the longest packet and its 25 idles leave; write "
                  "65 or more, or a lower link.idle_symbols") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
