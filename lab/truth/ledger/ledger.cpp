// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <variant>

#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

std::vector<std::string> finding_columns()
{
    std::vector<std::string> known{"id", "simulated", "analytic", "alternative", "remark", "published", "bar_as"};
    for (const PublishedText& text : published_texts()) {
        if (text.in_findings) known.emplace_back(text.name);
    }
    return known;
}

class Maker {
public:
    explicit Maker(const LedgerSources& sources) : sources_(&sources) {}

    Ledger make()
    {
        const auto& views = sources_->findings;
        if (views.empty() && sources_->published.rows().empty()) {
            throw UserError(
                "nothing to validate: the study has neither a view finding_* nor published.csv; "
                "docs/studies.md says what they hold");
        }
        for (const FoundView& found : views) read(found.view, found.rows);
        decide_roles();
        for (Entry& entry : entries_) finish(entry);
        require_all_found();
        if (!problems_.empty()) throw UserError(fmt::format("{}", fmt::join(problems_, "\n")));
        std::stable_sort(entries_.begin(), entries_.end(),
                         [](const Entry& a, const Entry& b) { return a.place < b.place; });
        for (Entry& entry : entries_) ledger_.rows.push_back(std::move(entry.row));
        return std::move(ledger_);
    }

private:
    struct Entry {
        Row row;
        PublishedRow words;
        std::string where;      ///< of the view
        std::size_t place = 0;  ///< in published.csv
    };

    template <class... Arguments>
    void wrong(const std::string& where, fmt::format_string<Arguments...> text, Arguments&&... arguments)
    {
        problems_.push_back(where + ": " + fmt::format(text, std::forward<Arguments>(arguments)...));
    }

    void read(const MadeViews::View& view, const workloads::Results& results)
    {
        const auto known = finding_columns();
        for (const workloads::Column& column : results.columns) {
            if (std::find(known.begin(), known.end(), column.name) != known.end()) continue;
            wrong(view.where, "{}: unknown column '{}'{}", view.name, column.name, suggestion(column.name, known));
        }
        if (results.rows.empty() && (sources_->with_long || !view.is_long)) {
            wrong(view.where, "{} has no row: a join or condition drops them all; try its parts with `study query`",
                  view.name);
        }
        for (const auto& cells : results.rows) read(view, NamedCells(results, cells));
    }

    void read(const MadeViews::View& view, const NamedCells& finding)
    {
        const auto id = finding.text("id");
        if (!id || id->empty()) {
            wrong(view.where, "{}: a row without an id", view.name);
            return;
        }
        for (const char* column : {"simulated", "analytic", "published"}) {
            const auto text = finding.text(column);
            if (!text) continue;
            wrong(view.where, "{}: {} of '{}' is a text: {}", view.name, column, *id, *text);
            return;
        }
        const bool simulates = finding.cell("simulated") != nullptr;
        if (simulates ? !finding.number("simulated") : !finding.number("analytic")) {
            wrong(view.where, "{}: {} of '{}' is NULL or not finite", view.name, simulates ? "simulated" : "analytic",
                  *id);
            return;
        }
        if (const auto same = found_by_.find(*id); same != found_by_.end()) {
            wrong(view.where, "{}: '{}' is already found by {}; find each id once, as by GROUP BY or a narrower join",
                  view.name, *id, same->second);
            return;
        }
        const auto& rows = sources_->published.rows();
        const PublishedRow* published = sources_->published.find(*id);
        const bool has_published = finding.cell("published") != nullptr;
        if (has_published && !finding.number("published") && !(published != nullptr && published->value)) {
            wrong(view.where, "{}: published of '{}' is NULL or not finite; leave the column out, or the row",
                  view.name, *id);
            return;
        }
        if (published == nullptr && has_published) {
            wrong(view.where, "{}: '{}' is no row of published.csv, where published numbers belong; add it", view.name,
                  *id);
            return;
        }
        if (published == nullptr && !(finding.text("quantity") && finding.text("unit"))) {
            std::vector<std::string> known;
            known.reserve(rows.size());
            for (const PublishedRow& row : rows) known.push_back(row.id);
            wrong(view.where, "{}: '{}' is no row of published.csv{}; add it, or give quantity and unit", view.name,
                  *id, known.empty() ? ", which is missing or empty" : suggestion(*id, known));
            return;
        }
        Entry entry{.row = {}, .words = {}, .where = view.where, .place = rows.size()};
        if (published != nullptr) {
            entry.words = published->of_series(*id);
            entry.place = static_cast<std::size_t>(published - rows.data());
        }
        entry.words.id = *id;
        if (const auto unit = finding.text("unit");
            unit && published != nullptr && published->value && !has_published && *unit != published->unit) {
            wrong(published->where, "unit = {}: {} ({}) finds '{}' in '{}'; write one and the same", published->unit,
                  view.name, view.where, *id, *unit);
            return;
        }
        fill(entry, finding);
        found_by_.emplace(*id, view.where);
        entries_.push_back(std::move(entry));
    }

    void fill(Entry& entry, const NamedCells& finding)
    {
        PublishedRow& words = entry.words;
        for (const PublishedText& column : published_texts()) {
            const auto text = column.in_findings ? finding.text(column.name) : std::nullopt;
            if (text) words.*column.member = *text;
        }
        if (const auto number = finding.number("published")) words.value = number;
        Row& row = entry.row;
        row.id = words.id;
        row.machine = words.machine();
        row.quantity = words.quantity_and_conditions();
        row.unit = words.unit;
        row.published = words.value;
        row.simulated = finding.number("simulated");
        row.analytic = finding.number("analytic");
        static_cast<PublishedWords&>(row) = words;
        if (const auto remark = finding.text("remark"); remark && !remark->empty()) {
            row.note += (row.note.empty() ? "" : "; ") + *remark;
        }
        row.bar_as = finding.text("bar_as").value_or("");
        if (const auto variant = finding.text("alternative")) {
            row.role = Role::kAlternative;
            row.because = "variant " + *variant;
            if (!sources_->alternatives.contains(*variant)) {
                wrong(entry.where, "'{}': alternative = {}: no variant but a base has this name{}", row.id, *variant,
                      suggestion(*variant, std::vector<std::string>(sources_->alternatives.begin(),
                                                                    sources_->alternatives.end())));
            }
        }
    }

    void decide_roles()
    {
        for (Entry& entry : entries_) {
            if (entry.row.role == Role::kAlternative) continue;
            decide(entry.row, entry.words);
            const bool is_judged_by_formula = entry.row.role == Role::kFormula || entry.row.role == Role::kUnpublished;
            if (entry.words.chose.empty() || !is_judged_by_formula) continue;
            wrong(entry.words.where.empty() ? entry.where : entry.words.where,
                  "'{}' says what it chose, but not what was in sight; give its value, and a simulated number",
                  entry.row.id);
        }
    }

    void decide(Row& row, const PublishedRow& words)
    {
        if (const auto sets = sources_->calibrations.find(words.id); sets != sources_->calibrations.end()) {
            row.role = Role::kCalibration;
            row.because = fmt::format("sets {}", fmt::join(sets->second, ", "));
        } else if (!words.repeats.empty()) {
            const PublishedRow* other = sources_->published.find(words.repeats);
            if (other == nullptr) return;  // Published has told
            decide(row, other->of_series(words.repeats));
            row.because =
                fmt::format("repeats {}{}", words.repeats, row.because.empty() ? "" : ", which " + row.because);
        } else if (!row.published || !row.simulated) {
            row.role = row.analytic ? Role::kFormula : Role::kUnpublished;
        } else if (!words.chose.empty()) {
            row.role = Role::kSeen;
            row.because = "chose " + words.chose;
        } else {
            row.role = Role::kPrediction;
        }
    }

    void finish(Entry& entry)
    {
        Row& row = entry.row;
        const auto expected = reference(row);
        if (row.role == Role::kAlternative) return;
        const std::string& where = entry.words.where.empty() ? entry.where : entry.words.where;
        if (!row.miss.empty() && (entry.words.tolerance.empty() || !expected)) {
            wrong(where, "'{}' states a miss, but is not judged; give it a tolerance, or write a note", row.id);
        }
        if (entry.words.tolerance.empty()) {
            if (row.published && row.simulated) {
                wrong(where,
                      "tolerance of '{}' is empty, but it was published and is simulated; write one from the source's "
                      "own uncertainty: 0.25 %",
                      row.id);
            }
            return;
        }
        if (!expected) {
            wrong(where, "'{}' has a tolerance, but nothing that it could be judged by", row.id);
            return;
        }
        try {
            const Tolerance tolerance = tolerance_of(entry.words.tolerance, *expected, row.unit);
            row.low = tolerance.low;
            row.high = tolerance.high;
            if (!tolerance.note.empty()) row.note += (row.note.empty() ? "" : "; ") + tolerance.note;
        } catch (const UserError& error) {
            wrong(where, "'{}': tolerance = {}: {}", row.id, entry.words.tolerance, error.what());
        }
    }

    void require_all_found()
    {
        if (!sources_->whole) return;
        std::set<std::size_t> places;
        for (const Entry& entry : entries_) places.insert(entry.place);
        const auto& rows = sources_->published.rows();
        for (std::size_t place = 0; place < rows.size(); ++place) {
            const PublishedRow& row = rows[place];
            const bool found = places.contains(place);
            if (found && !row.why_not.empty()) {
                wrong(row.where, "'{}' has why_not, but is found; remove it", row.id);
            } else if (found || !row.why_not.empty()) {
                continue;
            } else if (row.is_long && !sources_->with_long) {
                ledger_.left_out.push_back(row.id);
            } else {
                wrong(row.where, "'{}' has neither a finding nor why_not; add one to a view finding_*", row.id);
            }
        }
    }

    const LedgerSources* sources_;
    std::vector<Entry> entries_;
    std::map<std::string, std::string> found_by_;  ///< from the id to the view
    std::vector<std::string> problems_;
    Ledger ledger_;
};

}  // namespace

Ledger ledger_of(const LedgerSources& sources) { return Maker(sources).make(); }

}  // namespace ringmesh::lab
