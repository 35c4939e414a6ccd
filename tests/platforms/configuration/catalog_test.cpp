// SPDX-License-Identifier: Apache-2.0
#include "platforms/files/catalog.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"

using namespace ringmesh;
using namespace ringmesh::platforms;
using ringmesh::test::error_of;

namespace {

struct Fixture {
    ringmesh::test::TemporaryFolder folder;

    Fixture()
    {
        folder.write("p/wulfkit-ring.toml", "machine = \"wulfkit\"\ndescription = \"A ring\"\n");
        folder.write("p/wulfkit.toml", "machine = \"wulfkit\"\ndescription = \"A card\"\n");
        folder.write("p/notes.md", "no platform");
        folder.write("p/overlays/fast-link.toml", "description = \"Fast\"\napplies_to = [\"wulfkit\"]\n");
        folder.write("p/deeper/hidden.toml", "machine = \"scc\"\ndescription = \"Hidden\"\n");
        use("p");
    }
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;
    ~Fixture() { ::unsetenv("RINGMESH_PLATFORMS"); }

    void use(const std::string& platforms) const
    {
        ::setenv("RINGMESH_PLATFORMS", (folder.path() / platforms).c_str(), 1);
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_FIXTURE_TEST_SUITE(catalog, Fixture)

BOOST_AUTO_TEST_CASE(platforms_are_the_toml_files_directly_in_the_folder_by_name)
{
    const std::vector<CatalogEntry> platforms = list_platforms();
    BOOST_TEST_REQUIRE(platforms.size() == 2u);
    BOOST_TEST(platforms[0].name == "wulfkit");
    BOOST_TEST(platforms[0].description == "A card");
    BOOST_TEST(platforms[1].name == "wulfkit-ring");
    BOOST_TEST(platforms[1].path == folder.path() / "p/wulfkit-ring.toml");
}

BOOST_AUTO_TEST_CASE(overlays_are_the_toml_files_of_their_own_folder)
{
    const std::vector<CatalogEntry> overlays = list_overlays();
    BOOST_TEST_REQUIRE(overlays.size() == 1u);
    BOOST_TEST(overlays[0].name == "fast-link");
    BOOST_TEST(overlays[0].description == "Fast");
    BOOST_TEST(overlays[0].applies_to == std::vector<std::string>{"wulfkit"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_file_that_is_wrong_is_listed_with_its_mistake)
{
    folder.write("p/broken.toml", "machine = \n");
    const std::vector<CatalogEntry> platforms = list_platforms();
    BOOST_TEST_REQUIRE(platforms.size() == 3u);
    BOOST_TEST(platforms[0].description.find("p/broken.toml:1:11: Error while parsing") == 0u);
    BOOST_TEST(platforms[1].description == "A card");
}

BOOST_AUTO_TEST_CASE(a_name_finds_its_file)
{
    BOOST_TEST(find_platform("wulfkit-ring") == folder.path() / "p/wulfkit-ring.toml");
    BOOST_TEST(find_overlay("fast-link") == folder.path() / "p/overlays/fast-link.toml");
}

BOOST_DATA_TEST_CASE(a_path_is_left_as_it_is, data::make({"mine.toml", "./mine", "../a/b.toml", "/a/mine.toml"}), path)
{
    BOOST_TEST(find_platform(path).string() == path);
    BOOST_TEST(find_overlay(path).string() == path);
}

/// Not the folder that a user may have in mind.
const std::string kElsewhere = "; RINGMESH_PLATFORMS is 'p'";

BOOST_AUTO_TEST_CASE(an_unknown_name_is_told_with_the_nearest_known_one)
{
    BOOST_TEST(error_of([] { find_platform("wulfkit-rign"); }) ==
               "unknown platform 'wulfkit-rign'; did you mean 'wulfkit-ring'?" + kElsewhere);
    BOOST_TEST(error_of([] { find_platform("scc"); }) ==
               "unknown platform 'scc'; known: wulfkit, wulfkit-ring" + kElsewhere);
    BOOST_TEST(error_of([] { find_overlay("fast_lnk"); }) ==
               "unknown overlay 'fast_lnk'; did you mean 'fast-link'?" + kElsewhere);
}

BOOST_AUTO_TEST_CASE(without_a_folder_of_overlays_there_are_none)
{
    use("p/deeper");
    BOOST_TEST(list_overlays().empty());
    BOOST_TEST(error_of([] { find_overlay("fast-link"); }) ==
               "unknown overlay 'fast-link'; none is known; RINGMESH_PLATFORMS is 'p/deeper'");
}

BOOST_AUTO_TEST_CASE(without_a_platforms_folder_the_cure_is_told)
{
    use("q");
    BOOST_TEST(error_of([] { list_platforms(); }) ==
               "cannot read the platforms folder 'q': No such file or directory; set RINGMESH_PLATFORMS to a folder of "
               "platform files");
}

BOOST_AUTO_TEST_CASE(without_the_variable_the_folder_is_that_of_the_source_tree)
{
    ::unsetenv("RINGMESH_PLATFORMS");
    const std::vector<CatalogEntry> platforms = list_platforms();
    BOOST_TEST(!platforms.empty());
    for (const CatalogEntry& platform : platforms) {
        BOOST_TEST(platform.path.parent_path() == std::filesystem::path(RINGMESH_SOURCE_DIR "/platforms/machines"));
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
