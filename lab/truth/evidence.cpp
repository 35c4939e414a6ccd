// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/evidence.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "lab/study/description/catalog.h"
#include "lab/table/writers/cells.h"
#include "lab/table/writers/csv.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/ledger/accuracy.h"
#include "lab/truth/rows/frozen.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

std::vector<std::string> words_of(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

bool matches_any(const std::string& patterns, const std::string& name)
{
    const auto words = words_of(patterns);
    return words.empty() || std::ranges::any_of(words, [&name](const std::string& word) {
               return fnmatch(word.c_str(), name.c_str(), 0) == 0;
           });
}

bool holds(const EvidenceScope& line, const EvidenceScope& asked)
{
    const auto asks = [&line, &asked](const std::string& option) {
        return matches_any(line.program, fmt::format("{}:{}", asked.program, option));
    };
    return matches_any(line.platform, asked.platform) &&
           (matches_any(line.program, asked.program) || std::ranges::any_of(asked.options, asks)) &&
           matches_any(line.library, asked.library);
}

/// Those of counted.csv; without it all.
std::set<std::string> counted_ids(const std::filesystem::path& study, const FrozenNumbers& frozen)
{
    std::set<std::string> ids;
    std::error_code error;
    if (!std::filesystem::exists(study / kCountedFile, error)) {
        for (const auto& [id, number] : frozen) ids.insert(id);
        return ids;
    }
    const CsvTable table = read_csv(study / kCountedFile);
    for (const CsvTable::Row& row : table.rows) ids.insert(CsvCells(table, row, "").text("id"));
    return ids;
}

/// "64" or "64..512"
void read_bytes(const CsvCells& cells, PublishedEvidence& evidence)
{
    const std::string& text = cells.text("bytes");
    if (text.empty()) return;
    const std::size_t dots = text.find("..");
    const auto low = number_from<std::int64_t>(std::string_view(text).substr(0, dots));
    const auto high =
        dots == std::string::npos ? low : number_from<std::int64_t>(std::string_view(text).substr(dots + 2));
    if (!low || !high || *low < 0 || *high < *low || *high == 0) {
        throw cells.wrong("bytes", "not sizes of messages such as 64 or 64..512");
    }
    evidence.from_bytes = *low;
    evidence.to_bytes = *high;
}

/// Ids of a study's published numbers that repeat what others say; a * in one stands for several.
std::vector<std::string> repeating_ids(const std::filesystem::path& study)
{
    constexpr std::string_view kRepeats = "repeats";
    std::vector<std::string> ids;
    std::error_code error;
    const auto file = study / "published.csv";
    if (!std::filesystem::exists(file, error)) return ids;
    const CsvTable table = read_csv(file);
    if (std::ranges::find(table.columns, kRepeats) == table.columns.end()) return ids;
    for (const CsvTable::Row& row : table.rows) {
        const CsvCells cells(table, row, "");
        if (!cells.text(kRepeats).empty()) ids.push_back(cells.text("id"));
    }
    return ids;
}

/// "1 set a parameter, 3 repeat others"; empty: none of these.
std::string weakness_text(const PublishedEvidence& evidence)
{
    std::vector<std::string> texts;
    if (evidence.calibrated > 0) texts.push_back(fmt::format("{} set a parameter", evidence.calibrated));
    if (evidence.repeated > 0)
        texts.push_back(fmt::format("{} {} others", evidence.repeated, evidence.repeated == 1 ? "repeats" : "repeat"));
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// "3, typical error 2 % (1 of them set a parameter)"
std::string errors_text(const PublishedEvidence& evidence)
{
    if (evidence.errors.empty()) return "none";
    std::string text = fmt::format("{}, typical error {}", evidence.errors.size(), evidence.typical_error());
    if (const std::string weakness = weakness_text(evidence); !weakness.empty()) text += " (" + weakness + ")";
    return text;
}

/// Of the studies with names, and of those within them.
std::vector<std::filesystem::path> folders_with_evidence()
{
    std::vector<std::filesystem::path> folders;
    std::error_code error;
    const auto add = [&](const std::filesystem::path& folder) {
        if (std::filesystem::exists(folder / kEvidenceFile, error)) folders.push_back(folder);
    };
    for (const std::string& name : list_studies()) {
        const std::filesystem::path study = find_study(name);
        add(study);
        std::set<std::filesystem::path> within;  // in the same order everywhere
        for (const auto& entry : std::filesystem::directory_iterator(study, error)) within.insert(entry.path());
        for (const auto& each : within) add(each);
    }
    return folders;
}

/// "pattern=transpose"
std::set<std::string> patterns_of(const RunRecord& record, const workloads::Results& table)
{
    std::set<std::string> patterns;
    if (const auto column = column_place(table, "options_pattern")) {
        for (const auto& row : table.rows) patterns.insert("pattern=" + cell_text(row[*column], 0));
        return patterns;
    }
    for (const ParameterRow& option : record.workload_options) {
        if (option.key == "pattern") patterns.insert("pattern=" + option.value);
    }
    return patterns;
}

std::string sizes_text(const std::vector<std::int64_t>& bytes)
{
    const auto [low, high] = std::ranges::minmax(bytes);
    return low == high ? fmt::format("{} B", with_thousands(low))
                       : fmt::format("{} to {} B", with_thousands(low), with_thousands(high));
}

}  // namespace

std::string PublishedEvidence::typical_error() const
{
    return errors.empty() ? "-" : two_digits(median(errors)) + " %";
}

std::vector<PublishedEvidence> evidence_of(const std::filesystem::path& study, const EvidenceScope* asked)
{
    std::vector<PublishedEvidence> all;
    std::error_code error;
    const auto file = study / kEvidenceFile;
    if (!std::filesystem::exists(file, error)) return all;
    const CsvTable table = read_csv(file);
    FrozenNumbers frozen;
    std::set<std::string> counted;
    std::vector<std::string> repeating;
    for (const CsvTable::Row& row : table.rows) {
        const CsvCells cells(table, row, "docs/studies.md has the columns");
        PublishedEvidence evidence;
        evidence.study = folder_name(study);
        evidence.about = cells.text("about");
        evidence.scope = {cells.text("platform"), cells.text("program"), cells.text("library")};
        if (asked != nullptr && !holds(evidence.scope, *asked)) continue;
        if (counted.empty()) {  // what takes time is read for lines that are wanted alone
            frozen = read_frozen(study).rows;
            counted = counted_ids(study, frozen);
            repeating = repeating_ids(study);
        }
        evidence.use = cells.text("use");
        read_bytes(cells, evidence);
        if (evidence.about.empty()) throw cells.wrong("about", "missing; say what the numbers are of");
        for (const std::string& pattern : words_of(cells.text("rows"))) {
            bool any = false;
            for (const std::string& id : counted) {
                if (!matches_any(pattern, id)) continue;
                const auto number = frozen.find(id);
                if (number == frozen.end() || !number->second.published || *number->second.published == 0) continue;
                any = true;
                evidence.errors.push_back(100 * std::abs(number->second.value / *number->second.published - 1));
                const auto names_it = [&id](const std::string& name) { return matches_any(name, id); };
                if (number->second.role == kRoleNames.name(Role::kCalibration)) {
                    ++evidence.calibrated;
                } else if (std::ranges::any_of(repeating, names_it)) {
                    ++evidence.repeated;
                }
            }
            if (!any) {
                throw cells.wrong("rows",
                                  fmt::format("no counted and frozen row is '{}': bounds do not count", pattern));
            }
        }
        all.push_back(std::move(evidence));
    }
    return all;
}

std::vector<std::string> evidence_lines(const EvidenceScope& asked, const std::vector<std::int64_t>& bytes,
                                        bool changed)
{
    std::vector<std::string> texts;
    std::vector<std::int64_t> outside = bytes;
    bool any_number = false;
    for (const std::filesystem::path& study : folders_with_evidence()) {
        for (const PublishedEvidence& evidence : evidence_of(study, &asked)) {
            const auto covered = [&evidence](std::int64_t size) { return evidence.covers(size); };
            if (!bytes.empty() && std::ranges::none_of(bytes, covered)) continue;
            if (!evidence.errors.empty()) {
                any_number = true;
                std::erase_if(outside, covered);
            }
            texts.push_back(fmt::format("{}: {}", evidence.about, errors_text(evidence)));
        }
    }
    if (texts.empty()) {
        texts.push_back(fmt::format("{}{} on {}{}: none", asked.program,
                                    asked.library.empty() ? "" : " over " + asked.library, asked.platform,
                                    bytes.empty() ? "" : ", " + sizes_text(bytes)));
    } else if (any_number && !outside.empty()) {
        texts.push_back(sizes_text(outside) + ": none");
    }
    std::string line = fmt::format("Published numbers: {}", fmt::join(texts, "; "));
    if (changed) line += "; of the changed machine: none";
    return {line + '.'};
}

std::vector<std::string> evidence_lines(const RunRecord& record, const workloads::Results& table, bool changed)
{
    std::set<std::int64_t> bytes;
    if (const auto column = column_place(table, "size_bytes")) {
        for (const auto& row : table.rows) {
            if (const auto* size = std::get_if<std::int64_t>(&row[*column])) bytes.insert(*size);
        }
    }
    const ExperimentRequest& request = record.request;
    const auto patterns = patterns_of(record, table);
    auto lines =
        evidence_lines({request.platform, record.workload, record.library, {patterns.begin(), patterns.end()}},
                       {bytes.begin(), bytes.end()}, changed || !request.overlays.empty() || !request.settings.empty());
    const auto of_background = [](const ParameterRow& option) { return option.key.starts_with("background"); };
    if (std::ranges::any_of(record.workload_options, of_background)) {
        lines.emplace_back("Beside background traffic: none.");
    }
    return lines;
}

std::string evidence_markdown(const std::vector<std::filesystem::path>& studies)
{
    TextTable table({{"what I want to know"}, {"typical error", Align::kRight}, {"evidence"}, {"use it"}});
    for (const auto& study : studies) {
        for (const PublishedEvidence& evidence : evidence_of(study)) {
            if (evidence.use.empty()) continue;
            const std::size_t numbers = evidence.errors.size();
            std::string text = numbers == 0 ? "none" : counted(numbers, "published number");
            if (const std::string weakness = weakness_text(evidence); !weakness.empty()) text += ", " + weakness;
            table.row(
                {fmt::format("{}: {}", evidence.study, evidence.about), evidence.typical_error(), text, evidence.use});
        }
    }
    return table.empty() ? "" : table.markdown();
}

}  // namespace ringmesh::lab
