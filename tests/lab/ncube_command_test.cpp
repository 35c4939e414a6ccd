// SPDX-License-Identifier: Apache-2.0
/// The NCUBE as a user meets it: mistakes word for word, and the signals of a waveform.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

#include "tests/lab/program.h"
#include "tests/platforms/temporary_folder.h"

namespace {

namespace data = boost::unit_test::data;
using ringmesh::test::Ended;
using ringmesh::test::read_file;
using ringmesh::test::TemporaryFolder;
using ringmesh::test::words;

struct Mistake {
    const char* arguments;
    const char* message;
};

std::ostream& operator<<(std::ostream& stream, const Mistake& mistake) { return stream << mistake.arguments; }

const std::vector<Mistake> kMistakes{
    {"run ncube-64 --set topology.dimension=11 --workload vertex-timing",
     "--set topology.dimension=11: topology.dimension = 11 is above 10, the largest allowed value; write a value from "
     "0 "
     "to 10"},
    {"run ncube-64 --set vertex.buffer_memory=300KiB --workload vertex-timing",
     "--set vertex.buffer_memory=300KiB: vertex.buffer_memory = \"300KiB\": programs need at least half of "
     "memory.size; "
     "write 256 KiB or less"},
    {"run ncube-64 --workload ping-pong",
     "this workload runs on PCs with SCI cards, and this platform is something else; `ringmesh list workloads` says "
     "what "
     "runs on what"},
    {"run wulfkit-ring --workload vertex-timing",
     "this workload runs on an NCUBE hypercube, and this platform is something else; `ringmesh list workloads` says "
     "what "
     "runs on what"},
    {"run ncube-64 --set vertex.buffer_memory=1KiB --workload vertex-timing:trials=2",
     "nwrite on node 0 to 1: a message of 1500 bytes is longer than the memory for buffers, 1024 bytes; write a "
     "shorter "
     "one, or raise vertex.buffer_memory"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(ncube)

BOOST_DATA_TEST_CASE(a_mistake_is_named_with_its_cure, data::make(kMistakes), mistake)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(words(mistake.arguments));
    BOOST_TEST(ended.err == "ringmesh: " + std::string(mistake.message) + "\n");
    BOOST_TEST(ended.out == "");
    BOOST_TEST(ended.status == 2);
}

BOOST_AUTO_TEST_CASE(a_waveform_shows_channels_dma_and_interrupt_service_and_its_view_lists_them)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        words("run ncube-64 --set topology.dimension=1 --workload vertex-program:sizes=100,length=1 --vcd run.vcd"));
    BOOST_TEST(ended.status == 0);
    const std::string wave = read_file("run.vcd");
    const std::string view = read_file("run.gtkw");
    for (const char* word : {"sdata ", "scontrol ", "sinterrupt ", "ssystem "}) {
        BOOST_TEST_CONTEXT(word) { BOOST_TEST((wave.find(word) != std::string::npos)); }
    }
    for (const char* signal : {"node0.channels.out_0", "node1.channels.in_0", "node1.cpu.interrupt_service",
                               "node1.channels.active_dma", "node0.cpu.state"}) {
        BOOST_TEST_CONTEXT(signal) { BOOST_TEST((view.find(signal) != std::string::npos)); }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
