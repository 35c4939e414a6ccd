// SPDX-License-Identifier: Apache-2.0
#include "platforms/builder.h"

#include <boost/test/unit_test.hpp>

#include <boost/test/data/test_case.hpp>
#include <string>

#include "tests/platforms/user_error.h"

namespace {

using namespace ringmesh;
using platforms::Configuration;

Configuration ring_with(const std::string& setting)
{
    Configuration configuration = Configuration::load(RINGMESH_SOURCE_DIR "/platforms/wulfkit-ring.toml");
    configuration.set(setting);
    return configuration;
}

std::string error_with(const std::string& setting)
{
    return test::error_of([&] {
        const Configuration configuration = ring_with(setting);
        platforms::machine_kind(configuration).effective_parameters(configuration);
    });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(builder)

BOOST_AUTO_TEST_CASE(the_platform_file_sets_every_parameter)
{
    const Configuration configuration = Configuration::load(RINGMESH_SOURCE_DIR "/platforms/wulfkit-ring.toml");
    for (const ParameterRow& row : platforms::machine_kind(configuration).effective_parameters(configuration)) {
        BOOST_TEST(configuration.origin_of(row.key) != "default", row.key << " is not in wulfkit-ring.toml");
    }
}

BOOST_AUTO_TEST_CASE(the_platform_file_and_the_code_agree_on_every_default)
{
    const Configuration configuration = Configuration::load(RINGMESH_SOURCE_DIR "/platforms/wulfkit-ring.toml");
    const auto& kind = platforms::machine_kind(configuration);
    const auto file = kind.effective_parameters(configuration);
    const auto code = kind.default_parameters();
    BOOST_TEST_REQUIRE(file.size() == code.size());
    for (std::size_t i = 0; i < code.size(); ++i) {
        BOOST_TEST(file[i].value == code[i].value, code[i].key << ": " << file[i].value << ", " << code[i].value);
    }
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
