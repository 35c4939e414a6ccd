// SPDX-License-Identifier: Apache-2.0
/// What README and the tutorial show is what the program prints.
///
/// A fenced block of a document is read line by line. `$ COMMAND` is run by a shell in an empty folder that has the
/// program as ./ringmesh; the lines below it, up to the next `$`, must begin the lines of its standard output, "..." a
/// line of its own standing for any number of lines. A command without such lines is run in the tutorial alone. A block
/// behind `<!-- file: NAME -->` is written to that file. One behind `<!-- from: FILE -->` quotes a file of the tree.
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using ringmesh::test::TemporaryFolder;

struct Step {
    std::size_t line = 0;
    std::string file;     ///< to write; empty: a command
    std::string content;  ///< of the file
    std::string source;   ///< quoted; its lines are the output
    std::string command;
    std::vector<std::string> output;
};

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        line.erase(line.find_last_not_of(" \t") + 1);
        lines.push_back(line);
    }
    return lines;
}

std::vector<Step> steps_of(const std::string& document)
{
    std::vector<Step> steps;
    bool inside = false;   // a block
    bool follows = false;  // a command in the same block
    std::string file;
    std::string source;
    const auto name_in = [](const std::string& line, std::string_view mark) {
        return line.starts_with(mark) ? line.substr(mark.size(), line.find(" -->") - mark.size()) : "";
    };
    const auto lines = lines_of(document);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        if (line.starts_with("<!-- ")) {
            file = name_in(line, "<!-- file: ");
            source = name_in(line, "<!-- from: ");
        }
        if (line.starts_with("```")) {
            inside = !inside;
            if (inside && !file.empty()) steps.push_back({.line = i + 1, .file = file});
            if (inside && !source.empty()) steps.push_back({.line = i + 1, .source = source});
            if (!inside) file.clear();
            if (!inside) source.clear();
            follows = false;
        } else if (inside && !source.empty()) {
            steps.back().output.push_back(line);
        } else if (inside && !file.empty()) {
            steps.back().content += line + '\n';
        } else if (inside && line.starts_with("$ ")) {
            steps.push_back({.line = i + 1, .command = line.substr(2)});
            follows = true;
        } else if (follows && steps.back().command.ends_with('\\') && steps.back().output.empty()) {
            steps.back().command.back() = ' ';
            steps.back().command += line;
        } else if (follows) {
            steps.back().output.push_back(line);
        }
    }
    return steps;
}

struct Printed {
    std::string out;
    int status = 0;
};

Printed run(const std::string& command)
{
    Printed printed;
    FILE* pipe = ::popen((command + " 2>stderr.txt").c_str(), "r");
    BOOST_TEST_REQUIRE(pipe != nullptr);
    std::array<char, 4096> part{};
    for (std::size_t read = 0; (read = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
        printed.out.append(part.data(), read);
    }
    printed.status = WEXITSTATUS(::pclose(pipe));
    return printed;
}

/// The first line of `shown` that is not there; its size if all are.
std::size_t first_difference(const std::vector<std::string>& shown, const std::vector<std::string>& printed)
{
    std::size_t at = 0;
    bool anywhere = false;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (shown[i] == "...") {
            anywhere = true;
            continue;
        }
        const auto matches = [&](std::size_t place) {
            return shown[i].empty() ? printed[place].empty() : printed[place].starts_with(shown[i]);
        };
        while (anywhere && at < printed.size() && !matches(at)) ++at;
        if (at == printed.size() || !matches(at)) return i;
        ++at;
        anywhere = false;
    }
    return shown.size();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(documents)

BOOST_DATA_TEST_CASE(a_document_shows_what_the_program_prints,
                     data::make({"README.md", "docs/tutorial.md", "docs/whatif.md", "docs/reference/cluster.md"}), name)
{
    const std::string document = ringmesh::test::read_file(std::string(RINGMESH_SOURCE_DIR "/") + name);
    const TemporaryFolder folder;
    std::filesystem::create_symlink(RINGMESH_EXECUTABLE, "ringmesh");
    const bool runs_all = std::string(name) == "docs/tutorial.md";
    std::size_t compared = 0;
    for (const Step& step : steps_of(document)) {
        BOOST_TEST_CONTEXT(name << ":" << step.line << ": " << step.command)
        {
            if (!step.source.empty()) continue;
            if (!step.file.empty()) {
                folder.write(step.file, step.content);
                continue;
            }
            auto shown = step.output;
            while (!shown.empty() && shown.back().empty()) shown.pop_back();
            if (shown.empty() && !runs_all) continue;
            const Printed printed = run(step.command);
            BOOST_TEST(printed.status == 0, ringmesh::test::read_file("stderr.txt"));
            const std::size_t differs = first_difference(shown, lines_of(printed.out));
            const std::string missing = differs < shown.size() ? shown[differs] : "";
            BOOST_TEST(differs == shown.size(), "not printed: " << missing << "\nbut:\n" << printed.out);
            if (!shown.empty()) ++compared;
        }
    }
    BOOST_TEST(compared > 0u);
}

BOOST_AUTO_TEST_CASE(a_recipe_quotes_what_its_files_say)
{
    const std::string top = RINGMESH_SOURCE_DIR "/";
    std::size_t quotes = 0;
    for (const Step& step : steps_of(ringmesh::test::read_file(top + "docs/reference/adding_a_module.md"))) {
        if (step.source.empty()) continue;
        std::vector<std::string> shown{"..."};
        shown.insert(shown.end(), step.output.begin(), step.output.end());
        const std::size_t differs = first_difference(shown, lines_of(ringmesh::test::read_file(top + step.source)));
        BOOST_TEST(differs == shown.size(),
                   step.line << ": not in " << step.source << ": " << shown.at(std::min(differs, shown.size() - 1)));
        ++quotes;
    }
    BOOST_TEST(quotes >= 5u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
