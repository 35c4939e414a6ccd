// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/program.h"
#include "tests/traces/read_vcd.h"

/// The words for the states of a PC and its card in a waveform.
namespace {

using namespace ringmesh::test;
using Words = std::set<std::string>;

/// The values of each signal, by its full name.
std::map<std::string, Words> words_of_run(const std::string& arguments)
{
    const TemporaryFolder folder;
    const Ended ended =
        ringmesh::test::ringmesh(words("run deck-cluster --vcd run.vcd --trace *.cpu,*.psb --workload " + arguments));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    std::map<std::string, Words> values;
    for (const auto& [signal, changes] : read_vcd("run.vcd")) {
        for (const auto& [time, value] : changes) values[signal].insert(value);
    }
    return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(waveform_words)

BOOST_AUTO_TEST_CASE(stores_barriers_and_loads_are_distinguished)
{
    auto words = words_of_run("remote-write:from=0,to=1,sizes=1024,repetitions=2");
    BOOST_TEST((words["node0.cpu.state"] == Words{"computing", "storing", "barrier", "idle"}));
    BOOST_TEST((words["node0.psb.load"] == Words{"empty"}));
    BOOST_TEST((words["node0.psb.dma"] == Words{"idle"}));
}

BOOST_AUTO_TEST_CASE(a_load_waits_for_its_response_in_the_read_buffer)
{
    auto words = words_of_run("remote-read:from=0,to=1,sizes=64,widths=8");
    BOOST_TEST(words["node0.cpu.state"].contains("loading"));
    BOOST_TEST((words["node0.psb.load"] == Words{"empty", "waiting", "full"}));
    BOOST_TEST((words["node1.psb.load"] == Words{"empty"}));
}

BOOST_AUTO_TEST_CASE(a_dma_copy_is_shown_at_the_card_and_at_the_waiting_processor)
{
    auto words = words_of_run("ping-pong:from=0,to=1,sizes=1024,repetitions=1 --library deck:protocol=2,transfer=dma");
    BOOST_TEST(words["node0.cpu.state"].contains("DMA"));
    BOOST_TEST((words["node0.psb.dma"] == Words{"idle", "copying", "status"}));
}

BOOST_AUTO_TEST_CASE(a_receiver_notified_by_interrupt_does_not_poll)
{
    const std::string options = "ping-pong:from=0,to=1,sizes=0,repetitions=1 --library deck:protocol=1,notification=";
    BOOST_TEST(words_of_run(options + "interrupt")["node1.cpu.state"].contains("waiting"));
    BOOST_TEST(!words_of_run(options + "polling")["node1.cpu.state"].contains("waiting"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
