// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/cases.h"
#include "tests/support/program.h"

using namespace ringmesh::test;

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(signals)

BOOST_DATA_TEST_CASE(every_signal_of_every_machine_says_what_it_shows,
                     data::make({"wulfkit-torus-3x3", "deck-cluster", "scc", "ncube-64", "mesh-8x8"}), platform)
{
    const auto json = nlohmann::json::parse(out_of("list signals " + std::string(platform) + " --json"));
    BOOST_TEST(json["signals"].size() > 3u);
    for (const auto& signal : json["signals"]) {
        BOOST_TEST(!signal["meaning"].get<std::string>().empty(), signal["name"]);
        BOOST_TEST(!signal["values"].get<std::string>().empty(), signal["name"]);
    }
}

BOOST_AUTO_TEST_CASE(a_pattern_shows_its_signals_one_by_one)
{
    const auto json = nlohmann::json::parse(out_of("list signals wulfkit-ring node1.lc2,*.blink --json"));
    bool link = false;
    for (const auto& signal : json["signals"]) {
        const std::string name = signal["name"];
        BOOST_TEST((name.starts_with("node1.lc2.") || name.find(".blink.") != std::string::npos), name);
        link = link || name == "node1.lc2.link_out";
    }
    BOOST_TEST(link);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
