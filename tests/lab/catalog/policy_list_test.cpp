// SPDX-License-Identifier: Apache-2.0
#include "lab/catalog/lists.h"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "platforms/builder.h"
#include "platforms/files/catalog.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh;
using lab::ListedKind;
using test::contains;
using test::out_of;

std::string top_of_the_tree() { return RINGMESH_SOURCE_DIR "/"; }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(policy_list)

/// `ls` of a kind's folder shows its policies: those of its table, and no others.
BOOST_AUTO_TEST_CASE(each_policy_of_a_table_is_a_file_and_each_file_is_in_the_table)
{
    for (const ListedKind& listed : lab::policy_kinds()) {
        const std::string folder(listed.kind.kind.folder);
        std::set<std::string> expected;
        for (const auto& policy : listed.kind.policies) expected.insert(lab::policy_file(listed.kind, policy));
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(top_of_the_tree() + folder)) {
            found.insert(folder + '/' + entry.path().filename().string());
        }
        BOOST_TEST(found == expected, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(policies_of_a_kind_have_different_names_and_say_what_they_do)
{
    std::set<std::string_view> kinds;
    for (const ListedKind& listed : lab::policy_kinds()) {
        BOOST_TEST(kinds.insert(listed.kind.kind.name).second, listed.kind.kind.name);
        std::set<std::string_view> names;
        std::set<std::string> kept;
        for (const auto& policy : listed.kind.policies) {
            BOOST_TEST(names.insert(policy.name).second, policy.name);
            std::istringstream aliases{std::string(policy.aliases)};
            for (std::string alias; aliases >> alias;) {
                BOOST_TEST(kept.insert(alias).second, alias);
                BOOST_TEST(listed.kind.own_name(alias) == policy.name, alias);
            }
            kept.insert(std::string(policy.name));
            BOOST_TEST(policy.sentence.size() > 5u, policy.name);
            BOOST_TEST(!policy.sentence.ends_with('.'), policy.sentence);
        }
        BOOST_TEST(names.size() >= 2u, listed.kind.kind.name);
    }
    BOOST_TEST(kinds.size() >= 12u);
}

/// On a platform of each machine, each policy by the parameter that the list names.
BOOST_AUTO_TEST_CASE(each_listed_policy_can_be_chosen)
{
    std::map<std::string, std::string> platform_of;
    for (const auto& entry : platforms::list_platforms()) platform_of.emplace(entry.name, entry.name);
    int chosen = 0;
    for (const ListedKind& listed : lab::policy_kinds()) {
        for (const auto& parameter : listed.parameters) {
            const auto platform = platform_of.find(parameter.owner);
            if (platform == platform_of.end()) continue;  // an option of a workload
            for (const auto& policy : listed.kind.policies) {
                auto configuration = platforms::Configuration::load(platforms::find_platform(platform->second));
                if (parameter.key.starts_with("mesh.")) configuration.set("mesh.detail=flit");  // path ignores most
                if (parameter.key == "mesh.ring_classes")
                    configuration.set("mesh.wrap=true");  // else there are no rings
                configuration.set(fmt::format("{}={}", parameter.key, policy.name));
                for (const auto& row : platforms::machine_kind(configuration).effective_parameters(configuration)) {
                    if (row.key != parameter.key) continue;
                    BOOST_TEST(row.value == policy.name);
                    ++chosen;
                }
            }
        }
    }
    BOOST_TEST(chosen >= 30);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(policy_list)

BOOST_AUTO_TEST_CASE(the_list_shows_each_policy_with_the_setting_that_chooses_it)
{
    const std::string text = out_of("list policies --markdown");
    for (const ListedKind& listed : lab::policy_kinds()) {
        for (const auto& policy : listed.kind.policies) {
            BOOST_TEST(contains(text, fmt::format("\n| {} ", policy.name)), policy.name);
            BOOST_TEST(contains(text, fmt::format(" = \"{}\"", policy.name)), policy.name);
        }
    }
    BOOST_TEST(contains(text, "| mesh.arbitration = \"oldest\" | mesh-8x8, scc |"));
    BOOST_TEST(contains(text, "| core.l1.replacement, core.l2.replacement = \"lru\" | scc |"));
}

BOOST_AUTO_TEST_CASE(a_kind_is_shown_with_its_files_and_the_value_on_each_platform)
{
    const std::string text = out_of("list policies switch-hold");
    BOOST_TEST(contains(text, "hw/mesh/policies/switch_holds/packet.h"));
    BOOST_TEST(!contains(text, "round-robin"));
    const auto json = nlohmann::ordered_json::parse(out_of("list policies switch-hold --json"));
    BOOST_TEST_REQUIRE(json["policies"].size() == 1u);
    std::map<std::string, std::string> defaults;
    for (const auto& parameter : json["policies"][0]["parameters"]) {
        defaults[parameter["of"].get<std::string>()] = parameter["default"].get<std::string>();
    }
    BOOST_TEST(defaults["mesh-8x8"] == "flit");
    BOOST_TEST(defaults["scc"] == "packet");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
