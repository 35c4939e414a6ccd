// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/platforms/configuration/temporary_folder.h"

namespace {

using ringmesh::test::TemporaryFolder;

std::string contents(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The command of traces/golden/README.md, with another output file.
int trace_one_request(const std::filesystem::path& vcd)
{
    const std::string command =
        std::string(RINGMESH_EXECUTABLE) +
        " run wulfkit-ring --set topology.dimensions=3 --workload ping-pong:to=1,sizes=64,repetitions=1,series=1 "
        "--trace 'node*.lc2,node*.blink' --window 2us..4700ns --vcd '" +
        vcd.string() + "' > /dev/null 2>&1";
    return std::system(command.c_str());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(golden)
BOOST_AUTO_TEST_SUITE(vcd)

BOOST_AUTO_TEST_CASE(the_waveform_of_one_request_is_the_golden_one)
{
    const TemporaryFolder folder;
    const auto vcd = folder.path() / "ring_request.vcd";
    BOOST_TEST_REQUIRE(trace_one_request(vcd) == 0);
    const std::filesystem::path golden = RINGMESH_SOURCE_DIR "/traces/golden/ring_request.vcd";
    const std::string expected = contents(golden);
    BOOST_TEST_REQUIRE(expected.size() > 1000u);
    BOOST_TEST((contents(vcd) == expected), "the waveform differs from " << golden);
    const std::filesystem::path view = RINGMESH_SOURCE_DIR "/traces/golden/ring_request.gtkw";
    BOOST_TEST((contents(folder.path() / "ring_request.gtkw") == contents(view)), "the view differs from " << view);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
