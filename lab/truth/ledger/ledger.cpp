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
#include "tlm/parameters/names.h"

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
        for (Entry& entry : entries_) finish(entry);
        require_all_found();
        if (!problems_.empty()) throw UserError(fmt::format("{}", fmt::join(problems_, "\n")));
        std::ranges::stable_sort(entries_, [](const Entry& a, const Entry& b) { return a.place < b.place; });
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
            if (std::ranges::find(known, column.name) != known.end()) continue;
            wrong(view.where, "{}: unknown column '{}'{}", view.name, column.name, suggestion(column.name, known));
        }
        if (results.rows.empty() && (sources_->with_long || !view.is_long)) {
            wrong(view.where, "{} has no row: a join or condition drops them all; try its parts with `study query`",
                  view.name);
        }
        for (const auto& cells : results.rows) {
            try {
                read(view, NamedCells(results, cells));
            } catch (const UserError& problem) {
                problems_.emplace_back(problem.what());
            }
        }
    }

    void read(const MadeViews::View& view, const NamedCells& finding)
    {
        const auto refuse = [&view]<class... Arguments>(bool wrong, fmt::format_string<Arguments...> text,
                                                        Arguments&&... arguments) {
            if (!wrong) return;
            throw UserError(fmt::format("{}: {}: {}", view.where, view.name,
                                        fmt::format(text, std::forward<Arguments>(arguments)...)));
        };
        const std::string id = finding.text("id").value_or("");
        refuse(id.empty(), "a row without an id");
        for (const char* column : {"simulated", "analytic", "published"}) {
            const auto text = finding.text(column);
            refuse(text.has_value(), "{} of '{}' is a text: {}", column, id, text.value_or(""));
        }
        const char* tested = finding.cell("simulated") != nullptr ? "simulated" : "analytic";
        refuse(!finding.number(tested), "{} of '{}' is NULL or not finite", tested, id);
        const auto same = found_by_.find(id);
        refuse(same != found_by_.end(),
               "'{}' is already found by {}; find each id once, as by GROUP BY or a narrower join", id,
               same == found_by_.end() ? "" : same->second);
        const auto& rows = sources_->published.rows();
        const PublishedRow* published = sources_->published.find(id);
        const bool has_published = finding.cell("published") != nullptr;
        refuse(has_published && !finding.number("published") && !(published != nullptr && published->value),
               "published of '{}' is NULL or not finite; leave the column out, or the row", id);
        if (published == nullptr) {
            refuse(has_published, "'{}' is no row of published.csv, where published numbers belong; add it", id);
            refuse(!(finding.text("quantity") && finding.text("unit")),
                   "'{}' is no row of published.csv{}; add it, or give quantity and unit", id,
                   rows.empty() ? ", which is missing or empty" : suggestion(id, sources_->published.ids()));
        }
        Entry entry{.row = {}, .words = {}, .where = view.where, .place = rows.size()};
        if (published != nullptr) {
            entry.words = published->of_series(id);
            entry.place = static_cast<std::size_t>(published - rows.data());
        }
        entry.words.id = id;
        const auto unit = finding.text("unit");
        if (unit && published != nullptr && published->value && !has_published && *unit != published->unit) {
            throw UserError(fmt::format("{}: unit = {}: {} ({}) finds '{}' in '{}'; write one and the same",
                                        published->where, published->unit, view.name, view.where, id, *unit));
        }
        fill(entry, finding);
        found_by_.emplace(id, view.where);
        entries_.push_back(std::move(entry));
    }

    static void add_note(Row& row, const std::string& text)
    {
        if (!text.empty()) row.note += (row.note.empty() ? "" : "; ") + text;
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
        const PublishedWords& as_published = words;
        static_cast<PublishedWords&>(row) = as_published;
        row.id = words.id;
        row.machine = words.machine();
        row.quantity = words.quantity_and_conditions();
        row.unit = words.unit;
        row.published = words.value;
        row.simulated = finding.number("simulated");
        row.analytic = finding.number("analytic");
        add_note(row, finding.text("remark").value_or(""));
        row.bar_as = finding.text("bar_as").value_or("");
        const auto variant = finding.text("alternative");
        if (!variant) return;
        row.role = Role::kAlternative;
        row.because = "variant " + *variant;
        const auto& known = sources_->alternatives;
        if (known.contains(*variant)) return;
        wrong(entry.where, "'{}': alternative = {}: no variant but a base has this name{}", row.id, *variant,
              suggestion(*variant, std::vector<std::string>(known.begin(), known.end())));
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
        if (row.role == Role::kAlternative) return;
        decide(row, entry.words);
        const auto expected = reference(row);
        const std::string& where = entry.words.where.empty() ? entry.where : entry.words.where;
        const std::string& tolerance = entry.words.tolerance;
        if (!entry.words.chose.empty() && (row.role == Role::kFormula || row.role == Role::kUnpublished)) {
            wrong(where, "'{}' says what it chose, but not what was in sight; give its value, and a simulated number",
                  row.id);
        }
        if (!row.miss.empty() && (tolerance.empty() || !expected)) {
            wrong(where, "'{}' states a miss, but is not judged; give it a tolerance, or write a note", row.id);
        }
        if (tolerance.empty()) {
            if (!row.published || !row.simulated) return;
            wrong(where,
                  "tolerance of '{}' is empty, but it was published and is simulated; write one from the source's own "
                  "uncertainty: 0.25 %",
                  row.id);
        } else if (!expected) {
            wrong(where, "'{}' has a tolerance, but nothing that it could be judged by", row.id);
        } else {
            try {
                const Tolerance found = tolerance_of(tolerance, *expected, row.unit);
                row.low = found.low;
                row.high = found.high;
                add_note(row, found.note);
            } catch (const UserError& error) {
                wrong(where, "'{}': tolerance = {}: {}", row.id, tolerance, error.what());
            }
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
