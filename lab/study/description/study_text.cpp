// SPDX-License-Identifier: Apache-2.0
#include "lab/study/description/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ringmesh::lab {
namespace {

std::string list_text(const std::vector<std::string>& values)
{
    std::vector<std::string> all;
    for (const std::string& value : values) all.push_back(toml_text(value));
    return fmt::format("[{}]", fmt::join(all, ", "));
}

std::string words_text(const std::vector<StudyWord>& words)
{
    std::vector<std::string> all;
    for (const StudyWord& word : words) all.push_back(toml_text(word.text));
    return fmt::format("[{}]", fmt::join(all, ", "));
}

std::string table_text(const std::vector<StudySetting>& settings)
{
    std::vector<std::string> all;
    for (const StudySetting& setting : settings)
        all.push_back(fmt::format("{} = {}", toml_text(setting.key), toml_text(setting.value)));
    return fmt::format("{{ {} }}", fmt::join(all, ", "));
}

}  // namespace

std::string toml_text(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string study_text(const Study& study)
{
    std::string text = study.title.empty() ? "" : fmt::format("title = {}\n\n", toml_text(study.title));
    for (const StudyTest& test : study.tests) {
        text += fmt::format("[test.{}]\nplatform = {}\nprogram = {}\n", test.name, toml_text(test.platform.text),
                            toml_text(test.program.text));
        if (!test.library.empty()) text += fmt::format("library = {}\n", toml_text(test.library.text));
        if (!test.options.empty()) text += fmt::format("options = {}\n", table_text(test.options));
        if (!test.library_options.empty())
            text += fmt::format("library_options = {}\n", table_text(test.library_options));
        if (!test.set.empty()) text += fmt::format("set = {}\n", table_text(test.set));
        if (!test.overlays.empty()) text += fmt::format("overlays = {}\n", words_text(test.overlays));
        if (!test.together.empty()) {
            std::vector<std::string> groups;
            for (const auto& names : test.together) groups.push_back(fmt::format("{}", fmt::join(names, ", ")));
            text += fmt::format("together = {}\n", list_text(groups));
        }
        if (!test.constraint.empty()) text += fmt::format("where = {}\n", toml_text(test.constraint.text));
        if (!test.long_points.empty()) text += fmt::format("long = {}\n", toml_text(test.long_points.text));
        if (!test.varied_points.empty()) text += fmt::format("vary = {}\n", toml_text(test.varied_points.text));
        if (test.repeat != 1) text += fmt::format("repeat = {}\n", test.repeat);
        if (test.seed != 1) text += fmt::format("seed = {}\n", test.seed);
        if (test.every_block) text += "every_block = true\n";
        if (test.limit.count() > 0) text += fmt::format("limit = \"{} s\"\n", test.limit.count());
        if (!test.axes.empty()) text += fmt::format("\n[test.{}.axes]\n", test.name);
        for (const Axis& axis : test.axes)
            text += fmt::format("{} = {}\n", toml_text(axis.name), list_text(axis.values));
        text += fmt::format("\n[test.{}.variants]  # the first is the base\n", test.name);
        for (const Variant& variant : test.variants) {
            std::vector<std::string> parts;
            if (!variant.platform.empty()) parts.push_back("platform = " + toml_text(variant.platform.text));
            if (!variant.library.empty()) parts.push_back("library = " + toml_text(variant.library.text));
            if (!variant.overlays.empty()) parts.push_back("overlays = " + words_text(variant.overlays));
            if (!variant.set.empty()) parts.push_back("set = " + table_text(variant.set));
            if (!variant.options.empty()) parts.push_back("options = " + table_text(variant.options));
            if (!variant.library_options.empty()) {
                parts.push_back("library_options = " + table_text(variant.library_options));
            }
            text += fmt::format("{} = {{ {} }}\n", toml_text(variant.name), fmt::join(parts, ", "));
        }
        text += '\n';
    }
    return text;
}

}  // namespace ringmesh::lab
