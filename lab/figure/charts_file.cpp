// SPDX-License-Identifier: Apache-2.0
#include "lab/figure/charts_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <system_error>
#include <utility>
#include <variant>

#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

using platforms::Setting;

constexpr const char* kChartsFile = "charts.toml";
const std::string kChartTable = "chart.";
const std::string kPublishedTable = "published.";

/// Keys of one text, and where they go.
const std::map<std::string, StudyWord ChartRequest::*> kTextKeys{
    {"table", &ChartRequest::table},
    {"title", &ChartRequest::title},
    {"x", &ChartRequest::x},
    {"interval", &ChartRequest::interval},
    {"low", &ChartRequest::low},
    {"high", &ChartRequest::high},
    {"x_title", &ChartRequest::x_title},
    {"y_title", &ChartRequest::y_title},
    {"x_unit", &ChartRequest::x_unit},
    {"y_unit", &ChartRequest::y_unit},
    {"beneath", &ChartRequest::beneath},
    {"beneath_unit", &ChartRequest::beneath_unit},
};
/// Keys of one text or several.
const std::map<std::string, std::vector<StudyWord> ChartRequest::*> kListKeys{
    {"y", &ChartRequest::y}, {"series", &ChartRequest::series}, {"facets", &ChartRequest::facets}};

std::vector<std::string> known_keys()
{
    std::vector<std::string> keys{"x_scale", "y_scale", "form", "crossings", "lines", "notes", "points", "published"};
    for (const auto& [key, member] : kTextKeys) keys.push_back(key);
    for (const auto& [key, member] : kListKeys) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    return keys;
}

class ChartsReader {
public:
    std::vector<std::string> problems;
    ChartsFile file;

    void add(const Setting& setting)
    {
        if (setting.key == "derived") {
            return read_flag(setting, "derived", file.derived);
        }
        const std::string rest = setting.key.starts_with(kChartTable) ? setting.key.substr(kChartTable.size()) : "";
        const std::size_t dot = rest.find('.');
        if (dot == std::string::npos || dot == 0) {
            return wrong(setting, "unknown key; a chart is a table [chart.NAME], and beside these there is `derived`");
        }
        add(chart(rest.substr(0, dot), setting), rest.substr(dot + 1), setting);
    }

    void finish()
    {
        for (const ChartRequest& chart : file.charts) {
            const auto require = [&](bool there, const char* key, const char* cure) {
                if (there) return;
                problems.push_back(fmt::format("{}: chart.{}: no {}; write {}", chart.where, chart.name, key, cure));
            };
            require(!chart.table.empty(), "table", "table = \"NAME\", a test, a view or a table of the study");
            require(!chart.x.empty(), "x", "x = \"COLUMN\"");
            require(!chart.y.empty(), "y", "y = \"COLUMN\", or a list of columns of one unit");
            if (chart.low.empty() != chart.high.empty()) {
                const StudyWord& one = chart.low.empty() ? chart.high : chart.low;
                problems.push_back(
                    fmt::format("{}: chart.{}: low and high go together; write both, or interval = "
                                "\"COLUMN\" of half the interval",
                                one.where, chart.name));
            }
            if (!chart.interval.empty() && !chart.low.empty()) {
                problems.push_back(fmt::format("{}: chart.{}: interval and low, high say the same; leave one out",
                                               chart.interval.where, chart.name));
            }
        }
    }

private:
    ChartRequest& chart(const std::string& name, const Setting& setting)
    {
        for (ChartRequest& each : file.charts) {
            if (each.name == name) return each;
        }
        ChartRequest& added = file.charts.emplace_back();
        added.name = name;
        added.where = setting.where;
        return added;
    }

    void add(ChartRequest& chart, const std::string& key, const Setting& setting)
    {
        if (const auto text = kTextKeys.find(key); text != kTextKeys.end()) {
            if (const auto* value = as_text(setting)) chart.*text->second = {*value, setting.where};
        } else if (const auto list = kListKeys.find(key); list != kListKeys.end()) {
            for (const std::string& value : as_texts(setting)) (chart.*list->second).push_back({value, setting.where});
        } else if (key == "notes") {
            chart.notes = as_texts(setting);
        } else if (key == "lines") {
            chart.lines = as_texts(setting);
        } else if (key == "points") {
            chart.points = as_texts(setting);
        } else if (key == "crossings") {
            read_flag(setting, "crossings", chart.crossings);
        } else if (key == "x_scale") {
            read_word(setting, kScales, chart.x_scale);
        } else if (key == "y_scale") {
            read_word(setting, kScales, chart.y_scale);
        } else if (key == "form") {
            read_word(setting, kChartForms, chart.form);
        } else if (key.starts_with(kPublishedTable)) {
            add_published(chart, key.substr(kPublishedTable.size()), setting);
        } else {
            const bool is_scale = key == "log" || key == "scale";  // as the command line has it
            wrong(setting, fmt::format("unknown key '{}'{}", key,
                                       is_scale ? "; write x_scale = \"log\" or y_scale = \"log\""
                                                : suggestion(key, known_keys())));
        }
    }

    void add_published(ChartRequest& chart, const std::string& id, const Setting& setting)
    {
        ChartRequest::Reference reference{.id = {id, setting.where}, .x = setting.value.text};
        if (const auto* text = std::get_if<std::string>(&setting.value.data)) reference.x = *text;
        if (const auto* texts = std::get_if<std::vector<std::string>>(&setting.value.data)) {
            if (texts->empty() || texts->size() > 3) {
                return wrong(setting, "not one to three texts; write [\"64\", \"CURVE\", \"PANEL\"]");
            }
            reference.x = texts->at(0);
            if (texts->size() > 1) reference.series = texts->at(1);
            if (texts->size() > 2) reference.facet = texts->at(2);
        }
        const bool number = reference.x.find_first_not_of("+-.0123456789eE") == std::string::npos;
        const bool star = reference.x == "*" && id.find('*') != std::string::npos;
        if (reference.x.empty() || (!number && !star && reference.x != "level" && reference.x != "x")) {
            return wrong(setting,
                         "is no place on the x axis; write a number, \"*\" for what the * of the id stands "
                         "for, \"level\" for a line, or \"x\" if it is itself such a place");
        }
        chart.published.push_back(std::move(reference));
    }

    const std::string* as_text(const Setting& setting)
    {
        const auto* text = std::get_if<std::string>(&setting.value.data);
        if (text == nullptr || text->empty()) {
            wrong(setting, "not a text; write it in quotes");
            return nullptr;
        }
        return text;
    }

    std::vector<std::string> as_texts(const Setting& setting)
    {
        if (const auto* text = std::get_if<std::string>(&setting.value.data)) return {*text};
        if (const auto* texts = std::get_if<std::vector<std::string>>(&setting.value.data)) return *texts;
        wrong(setting, "not a text and not a list of texts; write [\"a\", \"b\"]");
        return {};
    }

    void read_flag(const Setting& setting, const char* key, bool& flag)
    {
        const auto* value = std::get_if<bool>(&setting.value.data);
        if (value == nullptr) return wrong(setting, fmt::format("neither true nor false; write {} = true", key));
        flag = *value;
    }

    template <class Table, class Value>
    void read_word(const Setting& setting, const Table& names, std::optional<Value>& value)
    {
        const auto* text = std::get_if<std::string>(&setting.value.data);
        const auto* found = text == nullptr ? nullptr : names.find(*text);
        if (found == nullptr) {
            return wrong(setting, fmt::format("write one of: {}", fmt::join(names.names(), ", ")));
        }
        value = *found;
    }

    void wrong(const Setting& setting, const std::string& what)
    {
        problems.push_back(fmt::format("{}: {} = {}: {}", setting.where, setting.key, setting.value.text, what));
    }
};

}  // namespace

std::optional<ChartsFile> read_charts(const std::filesystem::path& folder)
{
    std::error_code error;
    if (folder.empty() || !std::filesystem::exists(folder / kChartsFile, error)) return std::nullopt;
    ChartsReader reader;
    for (const Setting& setting : platforms::read_toml_file(folder / kChartsFile)) reader.add(setting);
    reader.finish();
    if (!reader.problems.empty()) throw UserError(fmt::format("{}", fmt::join(reader.problems, "\n")));
    return std::move(reader.file);
}

}  // namespace ringmesh::lab
