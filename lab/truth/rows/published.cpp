// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/rows/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "lab/table/writers/csv.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

constexpr std::array kTexts{
    PublishedText{"id", &PublishedRow::id, true, false},
    PublishedText{"section", &PublishedRow::section},
    PublishedText{"quantity", &PublishedRow::quantity, true},
    PublishedText{"conditions", &PublishedRow::conditions, false, false},
    PublishedText{"unit", &PublishedRow::unit, true},
    PublishedText{"tolerance", &PublishedRow::tolerance},
    PublishedText{"kind", &PublishedRow::kind},
    PublishedText{"source", &PublishedRow::source},
    PublishedText{"chose", &PublishedRow::chose},
    PublishedText{"repeats", &PublishedRow::repeats, false, false},
    PublishedText{"miss", &PublishedRow::miss},
    PublishedText{"why_not", &PublishedRow::why_not, false, false},
    PublishedText{"note", &PublishedRow::note},
};
constexpr const char* kValue = "value";
constexpr const char* kLong = "long";
constexpr std::array<std::string_view, 5> kKinds{"measured", "simulated", "derived", "figure", "claim"};

std::optional<double> printed_number(std::string_view text)
{
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
    return number;
}

std::string replaced(std::string text, std::string_view by)
{
    if (const std::size_t star = text.find('*'); star != std::string::npos) text.replace(star, 1, by);
    return text;
}

/// Reads rows and collects what is wrong.
class Reader {
public:
    std::vector<std::string> problems;

    explicit Reader(const CsvTable& table) : table_(&table)
    {
        std::vector<std::string> known{kValue, kLong};
        for (const PublishedText& column : kTexts) known.emplace_back(column.name);
        for (const std::string& name : table.columns) {
            if (std::ranges::find(known, name) != known.end()) continue;
            problems.push_back(fmt::format("{}:1: unknown column '{}'{}", platforms::shown(table.path), name,
                                           suggestion(name, known)));
        }
        const std::size_t unknown = problems.size();
        for (const PublishedText& column : kTexts) {
            if (!column.required || has(column.name)) continue;
            problems.push_back(
                fmt::format("{}:1: column '{}' is missing; write it into the first line, and a cell of it into each "
                            "row",
                            platforms::shown(table.path), column.name));
        }
        if (problems.size() > unknown) throw_problems();
    }

    /// @throws UserError if there are any
    void throw_problems() const
    {
        if (!problems.empty()) throw UserError(fmt::format("{}", fmt::join(problems, "\n")));
    }

    PublishedRow read(const CsvTable::Row& row, const std::string& section)
    {
        PublishedRow read;
        read.where = table_->where(row);
        const auto require = [&](bool right, std::string_view column, std::string_view value, std::string_view what) {
            if (!right) wrong(read, column, value, what);
        };
        for (const PublishedText& column : kTexts) read.*column.member = cell(row, column.name);
        if (read.section.empty()) read.section = section;
        const std::string value = cell(row, kValue);
        read.value = printed_number(value);
        require(read.value || value.empty(), kValue, value,
                "not a number; write it without unit or separators, with a point: 4177.5");
        const std::string is_long = cell(row, kLong);
        read.is_long = is_long == "yes";
        require(read.is_long || is_long.empty(), kLong, is_long, "write yes, or nothing");
        require(!read.id.empty(), "id", "", "a row without an id; write one that begins with the machine");
        require(std::ranges::count(read.id, '*') <= 1, "id", read.id,
                "more than one *; write printf()'s other parts out");
        require(read.kind.empty() || std::ranges::find(kKinds, read.kind) != kKinds.end(), "kind", read.kind,
                fmt::format("unknown; write one of {}", fmt::join(kKinds, ", ")));
        // Of a row without a value the reference is the formula's, which is not known here
        const bool is_known = read.value || read.tolerance.find("..") == std::string::npos;
        if (read.tolerance.empty() || !is_known) return read;
        try {
            tolerance_of(read.tolerance, read.value.value_or(1), read.unit);
        } catch (const UserError& error) {
            wrong(read, "tolerance", read.tolerance, error.what());
        }
        return read;
    }

    void wrong(const PublishedRow& row, std::string_view column, std::string_view value, std::string_view what)
    {
        problems.push_back(fmt::format("{}: {} = {}: {}", row.where, column, value, what));
    }

private:
    bool has(std::string_view name) const { return std::ranges::find(table_->columns, name) != table_->columns.end(); }

    std::string cell(const CsvTable::Row& row, std::string_view name) const
    {
        return has(name) ? std::string(platforms::trimmed(row.cells[table_->column(name)])) : "";
    }

    const CsvTable* table_;
};

}  // namespace

std::span<const PublishedText> published_texts() { return kTexts; }

const Listing<PublishedRow>& published_columns()
{
    static const Listing<PublishedRow> columns([] {
        std::vector<ListedColumn<PublishedRow>> all;
        for (const PublishedText& text : kTexts) {
            if (text.member == &PublishedRow::unit) {
                all.push_back(listed<PublishedRow>(kValue, &PublishedRow::value));
            }
            all.push_back(listed<PublishedRow>(text.name, text.member));
        }
        return all;
    }());
    return columns;
}

std::string PublishedRow::quantity_and_conditions() const
{
    return conditions.empty() ? quantity : fmt::format("{}; {}", quantity, conditions);
}

bool PublishedRow::matches(std::string_view other_id) const
{
    const std::size_t star = id.find('*');
    if (star == std::string::npos) return other_id == id;
    const std::string_view all = id;
    return other_id.size() > all.size() - 1 && other_id.starts_with(all.substr(0, star)) &&
           other_id.ends_with(all.substr(star + 1));
}

PublishedRow PublishedRow::of_series(std::string_view member) const
{
    PublishedRow row = *this;
    const std::size_t star = id.find('*');
    if (star == std::string::npos) return row;
    const std::string_view part = member.substr(star, member.size() - (id.size() - 1));
    row.id = member;
    row.quantity = replaced(row.quantity, part);
    row.conditions = replaced(row.conditions, part);
    return row;
}

Published::Published(const std::filesystem::path& file) : file_(file)
{
    const CsvTable table = read_csv(file);
    Reader reader(table);
    std::map<std::string, std::string> ids;  // and where they stand
    for (const CsvTable::Row& cells : table.rows) {
        rows_.push_back(reader.read(cells, rows_.empty() ? "" : rows_.back().section));
        const PublishedRow& row = rows_.back();
        const auto [first, is_new] = ids.emplace(row.id, row.where);
        if (!row.id.empty() && !is_new) {
            reader.wrong(row, "id", row.id,
                         fmt::format("is that of {}, too; give each row an id of its own", first->second));
        }
    }
    for (const PublishedRow& row : rows_) {
        if (row.repeats.empty() || find(row.repeats) != nullptr) continue;
        reader.wrong(row, "repeats", row.repeats, "no such row" + suggestion(row.repeats, this->ids()));
    }
    reader.throw_problems();
    for (const PublishedRow& row : rows_) {
        const PublishedRow* other = &row;
        for (std::size_t steps = 0; !other->repeats.empty(); ++steps) {
            other = find(other->repeats);
            if (other != &row && steps <= rows_.size()) continue;
            throw UserError(fmt::format("{}: repeats = {}: in a circle; let one of the rows stand for itself",
                                        row.where, row.repeats));
        }
    }
}

std::vector<std::string> Published::ids() const
{
    std::vector<std::string> all;
    for (const PublishedRow& row : rows_) all.push_back(row.id);
    return all;
}

const PublishedRow* Published::find(std::string_view id) const
{
    const auto exact = std::ranges::find_if(rows_, [id](const PublishedRow& row) { return row.id == id; });
    if (exact != rows_.end()) return &*exact;
    const PublishedRow* closest = nullptr;  // the series that says most of the id
    for (const PublishedRow& row : rows_) {
        if (row.matches(id) && (closest == nullptr || row.id.size() > closest->id.size())) closest = &row;
    }
    return closest;
}

double Published::value(std::string_view id) const
{
    const PublishedRow* row = find(id);
    if (row == nullptr) throw UserError(fmt::format("no row '{}' in {}", id, platforms::shown(file_)));
    if (!row->value) throw UserError(fmt::format("{}: '{}' has no value", row->where, id));
    return *row->value;
}

Tolerance tolerance_of(const std::string& text, double reference, const std::string& unit)
{
    const std::string behind = unit.empty() ? "" : " " + unit;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
    const std::string_view amount = platforms::trimmed(std::string_view(text).substr(0, end));
    const std::string own_unit(platforms::trimmed(std::string_view(text).substr(end)));
    const std::size_t dots = amount.find("..");
    const bool bounds = dots != std::string_view::npos;
    const auto low = printed_number(amount.substr(0, bounds ? dots : amount.size()));
    const auto high = bounds ? printed_number(amount.substr(dots + 2)) : low;
    if (!low || !high) {
        throw UserError(
            fmt::format("not a tolerance; write a percentage, an amount in the row's unit, or from where to "
                        "where: 0.25 %, 1{0}, 2..13{0}",
                        behind));
    }
    if (own_unit != unit && (bounds || own_unit != "%")) {
        throw UserError(fmt::format(
            "in {}, but the row's unit is {}; write {}{}{}", own_unit.empty() ? "no unit" : "'" + own_unit + "'",
            unit.empty() ? "empty" : "'" + unit + "'", amount, behind, bounds ? "" : fmt::format(" or {} %", amount)));
    }
    if (bounds) {
        if (!(*low <= reference && reference <= *high)) {
            throw UserError(
                fmt::format("bounds that do not hold {:g}, by which the row is judged; write wider ones", reference));
        }
        return {*low, *high, fmt::format("from {:.3g} to {:.3g}{} is asked", *low, *high, behind)};
    }
    if (*low < 0)
        throw UserError(fmt::format("less than nothing; write {:g}{}{}", -*low, own_unit.empty() ? "" : " ", own_unit));
    const bool part = own_unit == "%" && unit != "%";
    if (part && reference == 0) throw UserError(fmt::format("a percentage of 0; write an amount: 1{}", behind));
    const double room = part ? *low / 100 * std::abs(reference) : *low;
    return {reference - room, reference + room, ""};
}

}  // namespace ringmesh::lab
