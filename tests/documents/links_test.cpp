// SPDX-License-Identifier: Apache-2.0
/// Links of the README and docs/ lead to files and headings that exist; drawings name parameters that exist.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace ringmesh::test::links_test {
namespace {

using Path = std::filesystem::path;

const Path kRoot = RINGMESH_SOURCE_DIR;

std::vector<Path> files(const std::string& extension)
{
    std::vector<Path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "docs")) {
        if (entry.path().extension() == extension) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Without fenced blocks, in which brackets are code.
std::vector<std::string> prose(const Path& page)
{
    std::vector<std::string> lines;
    std::istringstream stream(read_file(page));
    bool fenced = false;
    for (std::string line; std::getline(stream, line);) {
        const bool fence = line.starts_with("```");
        if (fence) fenced = !fenced;
        lines.push_back(fenced || fence ? "" : line);
    }
    return lines;
}

/// What a heading is called behind a "#" on GitHub.
std::string anchor(const std::string& heading)
{
    std::string name;
    for (const char letter : heading.substr(heading.find_first_not_of("# "))) {
        const auto c = static_cast<unsigned char>(letter);
        if (c == ' ') name += '-';
        if (std::isalnum(c) != 0 || c == '-' || c == '_' || c >= 0x80) name += static_cast<char>(std::tolower(c));
    }
    return name;
}

std::set<std::string> anchors(const Path& page)
{
    std::set<std::string> names;
    for (const std::string& line : prose(page)) {
        if (line.starts_with('#')) names.insert(anchor(line));
    }
    return names;
}

std::vector<std::string> matches(const std::string& text, const std::regex& expression)
{
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match) {
        found.push_back((*match)[1].matched ? (*match)[1] : (*match)[2]);
    }
    return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(links)

BOOST_AUTO_TEST_CASE(every_link_and_picture_of_a_page_is_there)
{
    const std::regex link(R"re(\]\(([^) ]+)\)|(?:src|srcset|href)="([^"]+)")re");
    auto pages = files(".md");
    pages.push_back(kRoot / "README.md");
    std::size_t followed = 0;
    for (const Path& page : pages) {
        const auto lines = prose(page);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            for (const std::string& target : matches(lines[i], link)) {
                if (contains(target, "://")) continue;
                const std::size_t hash = std::min(target.find('#'), target.size());
                const Path file = hash == 0 ? page : page.parent_path() / target.substr(0, hash);
                const std::string where = page.string() + ":" + std::to_string(i + 1) + ": " + target;
                ++followed;
                BOOST_TEST(std::filesystem::exists(file), where);
                if (hash == target.size() || !std::filesystem::exists(file)) continue;
                BOOST_TEST(anchors(file).contains(target.substr(hash + 1)), where << ": no such heading");
            }
        }
    }
    BOOST_TEST(followed > 100u);
}

BOOST_AUTO_TEST_CASE(every_parameter_in_a_drawing_is_one)
{
    const std::regex parameter(R"re(class="p(?: [em])?">([^<]+)<)re");
    const std::string parameters = out_of("list parameters --markdown");
    std::size_t named = 0;
    for (const Path& drawing : files(".svg")) {
        for (const std::string& name : matches(read_file(drawing), parameter)) {
            BOOST_TEST(contains(parameters, "\n| " + name + " |"), drawing.string() << ": " << name);
            ++named;
        }
    }
    BOOST_TEST(named > 50u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::links_test
