// SPDX-License-Identifier: Apache-2.0
#include "platforms/files/provenance.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/parameters/names.h"

namespace ringmesh::platforms {
namespace {

constexpr std::string_view kTables = "provenance.";

/// Takes an entry over into the origin. @return what is wrong with it; empty if nothing
std::string take(const Setting& entry, Origin& origin)
{
    static const std::vector<std::string> names{"from", "source", "set_by", "low", "high", "alternatives", "note"};
    const std::string& name = entry.key;
    const auto* text = std::get_if<std::string>(&entry.value.data);
    if (name == "from") {
        const Provenance* from = text == nullptr ? nullptr : kProvenanceNames.find(*text);
        if (from == nullptr) {
            return fmt::format("no such word; write one of {}", fmt::join(kProvenanceNames.names(), ", "));
        }
        origin.from = *from;
    } else if (name == "source" || name == "note") {
        if (text == nullptr) return "not a text; write it in quotes";
        (name == "source" ? origin.source : origin.note) = trimmed(*text);
    } else if (name == "set_by" || name == "alternatives") {
        const auto* list = std::get_if<std::vector<std::string>>(&entry.value.data);
        if (list == nullptr) return "not a list of texts; write it such as [\"...\"]";
        (name == "set_by" ? origin.set_by : origin.alternatives) = *list;
    } else if (name == "low" || name == "high") {
        (name == "low" ? origin.low : origin.high) = text != nullptr ? *text : entry.value.text;
    } else {
        return "unknown entry" + suggestion(name, names);
    }
    return "";
}

}  // namespace

const Setting* ProvenanceOfSetting::entry(std::string_view name) const
{
    const auto same = [name](const Setting& each) { return each.key == name; };
    const auto found = std::find_if(entries.begin(), entries.end(), same);
    return found == entries.end() ? nullptr : &*found;
}

std::string ProvenanceOfSetting::problem(std::string_view name, std::string_view what) const
{
    const Setting* at = entry(name);
    return fmt::format("{}: provenance.\"{}\": {}", at == nullptr ? where : at->where, key, what);
}

std::vector<std::string> ProvenanceOfSetting::problems(std::string_view kind) const
{
    const auto is = [this](auto... words) { return ((origin.from == words) || ...); };
    using enum Provenance;
    const bool low = !origin.low.empty();
    const bool high = !origin.high.empty();
    const bool alternatives = !origin.alternatives.empty();
    const std::string word(kProvenanceNames.name(origin.from));
    const struct {
        bool wrong;
        std::string_view at;  // an entry
        std::string what;
    } rules[] = {
        {is(kSeed, kSpec, kDerived) && origin.source.empty(), "from",
         word + " without a source; write source = \"TAG place\" with a tag of docs/reference/evidence/sources.md"},
        {is(kCalibrated) && origin.set_by.empty(), "from",
         "calibrated by no row; write set_by = [\"ID\"] with the published rows that set the value"},
        {!is(kCalibrated) && !origin.set_by.empty(), "set_by",
         "set_by is for calibrated values; write from = \"calibrated\", or remove set_by"},
        {is(kDerived, kCalibrated, kAssumed) && kind.empty() && !low && !high, "from",
         word + " without a range; write low and high, between which the value could physically lie"},
        {is(kModel, kWhatIf) && (low || high), low ? "low" : "high",
         "a " + word + " has no range; remove low and high"},
        {is(kModel) && kind.empty(), "from",
         "a number is the machine's; \"model\" is for choices of how it is simulated"},
        {!kind.empty() && (low || high), low ? "low" : "high",
         fmt::format("{} has no range; remove low and high", kind)},
        {low != high, low ? "low" : "high", "half a range; write both low and high"},
        {is(kSeed, kSpec) && (low || high || alternatives), "from",
         "what a source states leaves nothing open; write derived or assumed, or remove the range"},
        {alternatives && kind != kChoice, "alternatives", "alternatives are for choices; write low and high"},
        {(is(kDerived, kCalibrated, kAssumed, kModel, kWhatIf) || low || high || alternatives) && origin.note.empty(),
         "from", (low || high || alternatives ? "a range" : word) + " without a reason; write note = \"...\""},
    };
    if (entry("from") == nullptr) {
        return {problem("", fmt::format("no from; write one of {}", fmt::join(kProvenanceNames.names(), ", ")))};
    }
    std::vector<std::string> all;
    for (const auto& rule : rules) {
        if (rule.wrong) all.push_back(problem(rule.at, rule.what));
    }
    return all;
}

bool ProvenanceTables::has(const Setting& setting)
{
    return setting.key.starts_with(kTables) || setting.key == kTables.substr(0, kTables.size() - 1);
}

ProvenanceOfSetting& ProvenanceTables::table_of(const std::string& key, std::size_t line)
{
    const auto same = [&key](const ProvenanceOfSetting& each) { return each.key == key; };
    const auto found = std::find_if(tables.begin(), tables.end(), same);
    if (found != tables.end()) return *found;
    return tables.emplace_back(ProvenanceOfSetting{.key = key, .where = fmt::format("{}:{}", file_, line)});
}

void ProvenanceTables::add(Setting setting)
{
    const bool empty_table = setting.value.text == "{}";
    const std::string path = empty_table ? setting.key : setting.table;
    if (path.size() <= kTables.size()) {
        const bool keyed = setting.key.starts_with(kTables);
        const std::string shown =
            keyed ? fmt::format("provenance.\"{}\"", setting.key.substr(kTables.size())) : setting.key;
        problems.push_back(fmt::format("{}: {} = {}: write [provenance.\"KEY\"] with from = \"...\"", setting.where,
                                       shown, setting.value.text));
        return;
    }
    ProvenanceOfSetting& table = table_of(path.substr(kTables.size()), empty_table ? setting.line : setting.table_line);
    if (empty_table) return;
    setting.key = setting.key.substr(path.size() + 1);
    const std::string wrong = take(setting, table.origin);
    table.entries.push_back(std::move(setting));
    if (wrong.empty()) return;
    table.faulty = true;
    const Setting& entry = table.entries.back();
    problems.push_back(table.problem(entry.key, fmt::format("{} = {}: {}", entry.key, entry.value.text, wrong)));
}

}  // namespace ringmesh::platforms
