// SPDX-License-Identifier: Apache-2.0
#include "lab/store/index.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <system_error>
#include <type_traits>
#include <variant>

#include "lab/sql/calls.h"
#include "lab/sql/sqlite_file.h"
#include "lab/table/writers/cells.h"
#include "lab/table/writers/json.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

constexpr int kIndexVersion = 5;
constexpr int kPatienceMs = 2000;

constexpr const char* kSchema = R"(
CREATE TABLE points (
    point         INTEGER PRIMARY KEY,
    key           TEXT NOT NULL UNIQUE,
    platform      TEXT NOT NULL,
    configuration INTEGER NOT NULL,
    program       TEXT NOT NULL,
    library       TEXT,
    seed          NOT NULL,  -- no type, because SQLite would round a text of more than 2^63 - 1
    model         TEXT NOT NULL,
    state         TEXT NOT NULL,
    message       TEXT,
    doubt         TEXT,
    simulated_ps  INTEGER,
    wall_s        REAL,
    machine       TEXT,
    finished      TEXT,
    record_hash   TEXT NOT NULL
);
CREATE TABLE configurations (configuration INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE parameters (
    configuration INTEGER NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, number REAL, unit TEXT,
    PRIMARY KEY (configuration, name)
) WITHOUT ROWID;
CREATE TABLE options (
    point INTEGER NOT NULL REFERENCES points, name TEXT NOT NULL, text TEXT NOT NULL, number REAL, unit TEXT,
    PRIMARY KEY (point, name)
) WITHOUT ROWID;
CREATE TABLE results (
    point INTEGER NOT NULL REFERENCES points, row INTEGER NOT NULL, name TEXT NOT NULL, value, unit TEXT,
    PRIMARY KEY (point, row, name)
) WITHOUT ROWID;
CREATE TABLE columns (
    program TEXT NOT NULL, name TEXT NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (program, name)
);
CREATE TABLE statistics (
    point INTEGER NOT NULL REFERENCES points, modules TEXT NOT NULL, name TEXT NOT NULL,
    count INTEGER NOT NULL, mean REAL, minimum REAL, maximum REAL, unit TEXT,
    PRIMARY KEY (point, modules, name)
) WITHOUT ROWID;
CREATE TABLE module_statistics (
    point INTEGER NOT NULL REFERENCES points, module TEXT NOT NULL, name TEXT NOT NULL, value REAL,
    PRIMARY KEY (point, module, name)
) WITHOUT ROWID;
CREATE TABLE places (
    point INTEGER NOT NULL REFERENCES points, name TEXT NOT NULL, kind TEXT NOT NULL, busy_ns REAL, bytes INTEGER,
    packets INTEGER, waits INTEGER NOT NULL, waited_ns REAL NOT NULL, longest_wait_ns REAL NOT NULL,
    refused INTEGER NOT NULL, queue_mean REAL, queue_highest INTEGER, queue_room INTEGER, PRIMARY KEY (point, name)
) WITHOUT ROWID;
CREATE TABLE place_samples (
    point INTEGER NOT NULL REFERENCES points, name TEXT NOT NULL, from_ns REAL NOT NULL, to_ns REAL NOT NULL,
    busy REAL NOT NULL, bytes INTEGER NOT NULL, packets INTEGER NOT NULL, queue REAL NOT NULL,
    PRIMARY KEY (point, name, from_ns)
) WITHOUT ROWID;
CREATE TABLE statistic_names (modules TEXT NOT NULL, name TEXT NOT NULL, meaning TEXT NOT NULL,
    PRIMARY KEY (modules, name, meaning));
CREATE TABLE provenance (
    platform TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, provenance TEXT NOT NULL, source TEXT, set_by TEXT,
    UNIQUE (platform, name, value, set_by)
);
CREATE TABLE members (
    member INTEGER PRIMARY KEY, study TEXT NOT NULL, test TEXT NOT NULL, variant TEXT NOT NULL,
    repetition INTEGER NOT NULL, place INTEGER NOT NULL, key TEXT NOT NULL, UNIQUE (study, test, place)
);
CREATE TABLE axes (
    member INTEGER NOT NULL REFERENCES members, name TEXT NOT NULL, text TEXT NOT NULL, number REAL, unit TEXT,
    PRIMARY KEY (member, name)
) WITHOUT ROWID;
CREATE TABLE published (
    study TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (study, id)
) WITHOUT ROWID;
CREATE TABLE ledger (
    study TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (study, id)
) WITHOUT ROWID;
CREATE INDEX points_by_program ON points (program, platform);
CREATE INDEX members_by_key ON members (key);
)";

/// Of every version, and of those from 3 on.
constexpr std::array kTablesOfAll{"points",  "configurations", "parameters",        "options",         "results",
                                  "columns", "statistics",     "module_statistics", "statistic_names", "provenance",
                                  "members", "axes",           "published",         "ledger"};
constexpr std::array kTablesSince3{"places", "place_samples"};
constexpr std::uint32_t kLastWithoutMark = 3;

/// A row that ends in a value, with its number in the base unit and that unit behind it.
std::vector<Cell> with_quantity(std::vector<Cell> row, const std::string& value)
{
    struct Unit {
        const char* name;
        double units;  ///< of base_quantity() in one
    };
    constexpr Unit kUnits[]{{"ps", 1}, {"Hz", 1}, {"bytes", 1}, {"m", 1e6}, {"cycles", 1}};
    Cell number = std::monostate();
    Cell unit = std::monostate();
    if (const auto plain = number_from<double>(value)) {
        number = *plain;
    } else if (const auto quantity = base_quantity(value)) {
        const Unit& base = kUnits[static_cast<std::size_t>(quantity->sort)];
        number = static_cast<double>(quantity->units) / base.units;
        unit = std::string(base.name);
    }
    row.insert(row.end(), {number, unit});
    return row;
}

Cell text_or_null(const std::string& text) { return text.empty() ? Cell(std::monostate()) : Cell(text); }
Cell count_cell(std::size_t number) { return static_cast<std::int64_t>(number); }

[[noreturn]] void fail(const std::filesystem::path& file, const SQLite::Exception& error)
{
    if (error.getErrorCode() == SQLITE_BUSY) {
        throw UserError(
            fmt::format("{}: another process writes to it; wait for it, then write the same again", file.string()));
    }
    throw UserError(fmt::format("{}: {}; delete the file and make it again, or choose another with --sqlite",
                                file.string(), error.what()));
}

}  // namespace

struct StoreIndex::Connection {
    explicit Connection(const std::filesystem::path& path)
        : file(path), sqlite(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kPatienceMs)
    {}

    /// A row of a table, whose columns the values are.
    void insert(const char* table, const std::vector<Cell>& values, const char* or_else = "")
    {
        std::string marks(3 * values.size(), '?');
        for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = "?, "[i % 3];
        marks.resize(marks.size() - 2);
        run(fmt::format("INSERT {} INTO {} VALUES ({})", or_else, table, marks), values);
    }
    /// The same, unless there is such a row.
    void insert_once(const char* table, const std::vector<Cell>& values) { insert(table, values, "OR IGNORE"); }
    /// Runs one statement with these values, prepared once.
    void run(const std::string& sql, const std::vector<Cell>& values)
    {
        auto [place, is_new] = prepared.try_emplace(sql);
        if (is_new) place->second = std::make_unique<SQLite::Statement>(sqlite, sql);
        SQLite::Statement& statement = *place->second;
        for (std::size_t i = 0; i < values.size(); ++i) bind(statement, static_cast<int>(i) + 1, values[i]);
        statement.exec();
        statement.reset();
    }
    std::int64_t last_row() const { return sqlite.getLastInsertRowid(); }

    std::filesystem::path file;
    SQLite::Database sqlite;
    std::map<std::string, std::unique_ptr<SQLite::Statement>> prepared;  // end before the connection
};

namespace {

/// What is known of the configurations so far, so that points with the same parameters share them.
class Configurations {
public:
    explicit Configurations(StoreIndex::Connection& connection) : connection_(&connection)
    {
        SQLite::Statement all(connection.sqlite, "SELECT text, configuration FROM configurations");
        while (all.executeStep()) known_[all.getColumn(0).getString()] = all.getColumn(1).getInt64();
    }

    std::int64_t of(const std::vector<ParameterRow>& parameters)
    {
        std::string text;
        for (const ParameterRow& row : parameters) text += fmt::format("{}={}\n", row.key, row.value);
        const auto [place, is_new] = known_.try_emplace(text, static_cast<std::int64_t>(known_.size()) + 1);
        if (!is_new) return place->second;
        connection_->insert("configurations", {place->second, text});
        for (const ParameterRow& row : parameters) {
            connection_->insert("parameters", with_quantity({place->second, row.key, row.value}, row.value));
        }
        return place->second;
    }

private:
    StoreIndex::Connection* connection_;
    std::map<std::string, std::int64_t> known_;
};

void add_results(StoreIndex::Connection& connection, std::int64_t id, const RunRecord& record)
{
    const Results& results = record.outcome.results;
    for (std::size_t c = 0; c < results.columns.size(); ++c) {
        connection.insert_once("columns", {record.workload, results.columns[c].name, count_cell(c)});
    }
    for (std::size_t r = 0; r < results.rows.size(); ++r) {
        for (std::size_t c = 0; c < results.columns.size(); ++c) {
            connection.insert("results", {id, count_cell(r), results.columns[c].name, results.rows[r][c],
                                          text_or_null(results.columns[c].unit)});
        }
    }
    for (const StatisticRow& row : record.outcome.statistics) {
        connection.insert("statistics", {id, row.blocks, row.name, count_cell(row.count), row.mean, row.minimum,
                                         row.maximum, text_or_null(row.unit)});
        connection.insert_once("statistic_names", {row.blocks, row.name, row.meaning});
        for (const StatisticRow::Value& each : row.values) {
            connection.insert("module_statistics", {id, each.block, row.name, each.value});
        }
    }
}

void add_use(StoreIndex::Connection& connection, std::int64_t id, const PlaceUseTable& use)
{
    for (const PlaceRow& place : use.places) {
        std::vector<Cell> cells{id};
        for (const auto& column : place_columns().columns()) {
            if (column.shown & kInSql) cells.push_back(column.value({&place, 0}));
        }
        connection.insert("places", cells);
    }
    for (const PlaceUseTable::Series& series : use.series) {
        const std::size_t samples =
            std::max({series.busy.size(), series.bytes.size(), series.packets.size(), series.queue.size()});
        const auto at = [](const auto& values, std::size_t i) {
            return i < values.size() ? values[i] : typename std::remove_cvref_t<decltype(values)>::value_type{};
        };
        for (std::size_t i = 0; i < samples; ++i) {
            connection.insert("place_samples", {id, series.name, static_cast<double>(i) * use.every_ns,
                                                static_cast<double>(i + 1) * use.every_ns, at(series.busy, i),
                                                count_cell(at(series.bytes, i)), count_cell(at(series.packets, i)),
                                                at(series.queue, i)});
        }
    }
}

void add_provenance(StoreIndex::Connection& connection, const std::string& platform, const RunRecord& record,
                    const Json& origins)
{
    for (const ParameterRow& row : record.parameters) {
        const Json* origin = origins.find(row.key);
        if (origin == nullptr || origin->find("provenance") == nullptr) continue;
        const Json* source = origin->find("source");
        std::vector<std::string> ids{""};
        if (const Json* set_by = origin->find("set_by")) ids = set_by->as_texts();
        for (const std::string& id : ids) {
            connection.insert_once("provenance",
                                   {platform, row.key, row.value, origin->at("provenance").as_text(),
                                    source == nullptr ? Cell(std::monostate()) : Cell(source->as_text()), id});
        }
    }
}

void add_point(StoreIndex::Connection& connection, Configurations& configurations, const Point& point,
               const Json& origins)
{
    const RunRecord& record = point.record;
    const bool done = point.header.state == PointState::kDone;
    const std::int64_t configuration = configurations.of(record.parameters);
    connection.insert(
        "points", {std::monostate(), point.header.key, record.request.platform, configuration, record.workload,
                   text_or_null(record.library), unsigned_cell(record.request.seed), point.header.model,
                   std::string(kPointStates.name(point.header.state)), text_or_null(point.header.message),
                   text_or_null(record.outcome.results.doubt),
                   done ? Cell(record.outcome.simulated.ps()) : Cell(std::monostate()),
                   record.wall_seconds ? Cell(*record.wall_seconds) : Cell(std::monostate()),
                   text_or_null(point.header.machine), text_or_null(point.header.finished), point.header.record_hash});
    const std::int64_t id = connection.last_row();
    const auto add_options = [&](const std::string& prefix, const std::vector<ParameterRow>& options) {
        for (const ParameterRow& row : options) {
            connection.insert("options", with_quantity({id, prefix + row.key, row.value}, row.value));
        }
    };
    add_options("", record.workload_options);
    add_options("library.", record.library_options);
    if (done) add_results(connection, id, record);
    if (record.outcome.use) add_use(connection, id, *record.outcome.use);
    add_provenance(connection, record.request.platform, record, origins);
}

/// Gives a table of studies the columns that it lacks: its listing alone knows them.
void add_columns(StoreIndex::Connection& connection, const std::string& table, const Results& content)
{
    std::set<std::string> known;
    SQLite::Statement all(connection.sqlite, fmt::format("SELECT name FROM pragma_table_info('{}')", table));
    while (all.executeStep()) known.insert(all.getColumn(0).getString());
    for (const workloads::Column& column : content.columns) {
        if (known.contains(column.name)) continue;
        connection.sqlite.exec(fmt::format("ALTER TABLE {} ADD COLUMN {}", table, column.name));
    }
}

/// Differs if the point's file is another one, even when both were written within a second.
std::string stamp_of(const PointHeader& header)
{
    return header.finished + std::string(kPointStates.name(header.state)) + header.record_hash;
}

/// Indexes of older programs have no application_id; they are known by their version and tables.
bool is_unmarked_index(const std::filesystem::path& file, const SqliteHeader& header)
{
    if (header.application_id != 0 || header.user_version == 0 || header.user_version > kLastWithoutMark) return false;
    try {
        SQLite::Database database(file.string(), SQLite::OPEN_READONLY, kPatienceMs);
        const auto has_point_column = [&database](const char* name) {
            SQLite::Statement found(database, "SELECT 1 FROM pragma_table_info('points') WHERE name = ?");
            found.bind(1, name);
            return found.executeStep();
        };
        return std::all_of(kTablesOfAll.begin(), kTablesOfAll.end(),
                           [&database](const char* table) { return database.tableExists(table); }) &&
               has_point_column("configuration") && has_point_column("record_hash");
    } catch (const SQLite::Exception& error) {
        fail(file, error);
    }
}

void remove_point(StoreIndex::Connection& connection, std::int64_t id)
{
    for (const char* table :
         {"options", "results", "statistics", "module_statistics", "places", "place_samples", "points"}) {
        connection.run(fmt::format("DELETE FROM {} WHERE point = ?", table), {id});
    }
}

}  // namespace

StoreIndex::StoreIndex(const std::filesystem::path& file)
{
    const auto header = sqlite_header(file);
    if (header && !header->is(SqliteKind::kIndex) && !is_unmarked_index(file, *header)) {
        refuse_foreign(file, "the index of a store");
    }
    const std::uint32_t version = header ? header->user_version : 0;
    if (version > kIndexVersion) {
        throw UserError(
            fmt::format("{}: user_version = {}: the index of a newer ringmesh, this one knows {}; choose "
                        "another file with --sqlite",
                        file.string(), version, kIndexVersion));
    }
    try {
        connection_ = std::make_unique<Connection>(file);
        if (version == kIndexVersion) return;
        SQLite::Database& sqlite = connection_->sqlite;
        SQLite::Transaction transaction(sqlite, SQLite::TransactionBehavior::IMMEDIATE);
        // Another process may have made it by now
        if (sqlite.execAndGet("PRAGMA user_version").getInt() == kIndexVersion) return;
        if (header) {  // all of an older one can be made again
            for (const char* table : kTablesOfAll) sqlite.exec(fmt::format("DROP TABLE IF EXISTS {}", table));
            for (const char* table : kTablesSince3) sqlite.exec(fmt::format("DROP TABLE IF EXISTS {}", table));
        }
        sqlite.exec(kSchema);
        sqlite.exec(fmt::format("PRAGMA application_id = {}", static_cast<std::uint32_t>(SqliteKind::kIndex)));
        sqlite.exec(fmt::format("PRAGMA user_version = {}", kIndexVersion));
        transaction.commit();
    } catch (const SQLite::Exception& error) {
        fail(file, error);
    }
}

StoreIndex::~StoreIndex() = default;

StoreIndex::Changes StoreIndex::refresh(const Store& store)
{
    Changes changes;
    try {
        SQLite::Transaction transaction(connection_->sqlite, SQLite::TransactionBehavior::IMMEDIATE);
        std::map<std::string, std::pair<std::int64_t, std::string>> known;  // key to point and stamp
        SQLite::Statement all(connection_->sqlite, "SELECT key, point, finished || state || record_hash FROM points");
        while (all.executeStep()) {
            known[all.getColumn(0).getString()] = {all.getColumn(1).getInt64(), all.getColumn(2).getString()};
        }
        Configurations configurations(*connection_);
        for (const std::string& key : store.keys()) {
            const auto header = store.find_header(key);
            const auto found = known.find(key);
            if (found != known.end() && header && stamp_of(*header) == found->second.second) {
                known.erase(found);  // as it was
                continue;
            }
            const auto text = header ? store.find_text(key) : std::nullopt;
            if (!text) {
                ++changes.damaged;
                continue;
            }
            if (found != known.end()) {
                remove_point(*connection_, found->second.first);
                known.erase(found);
            }
            const Json record = Json::parse(std::string_view(*text).substr(text->find('\n') + 1));
            add_point(*connection_, configurations, {*header, record_from(record)}, record.at("provenance"));
            ++changes.added;
        }
        for (const auto& [key, point] : known) remove_point(*connection_, point.first);
        changes.removed = known.size();
        transaction.commit();
    } catch (const SQLite::Exception& error) {
        fail(connection_->file, error);
    }
    return changes;
}

void StoreIndex::put(const IndexedStudy& study)
{
    try {
        SQLite::Transaction transaction(connection_->sqlite, SQLite::TransactionBehavior::IMMEDIATE);
        connection_->run("DELETE FROM axes WHERE member IN (SELECT member FROM members WHERE study = ?)", {study.name});
        for (const char* table : {"members", "published", "ledger"}) {
            connection_->run(fmt::format("DELETE FROM {} WHERE study = ?", table), {study.name});
        }
        std::map<std::string, std::size_t> places;
        for (const IndexedStudy::Member& member : study.members) {
            connection_->insert(
                "members", {std::monostate(), study.name, member.test, member.variant, count_cell(member.repetition),
                            count_cell(places[member.test]++), member.key});
            const std::int64_t id = connection_->last_row();
            for (const auto& [name, text] : member.axes) {
                connection_->insert("axes", with_quantity({id, name, text}, text));
            }
        }
        for (const auto& [table, content] : {std::pair{"published", &study.published}, {"ledger", &study.ledger}}) {
            add_columns(*connection_, table, *content);
            std::string names = "study, place";
            std::string marks = "?, ?";
            for (const workloads::Column& column : content->columns) {
                names += ", " + column.name;
                marks += ", ?";
            }
            for (std::size_t r = 0; r < content->rows.size(); ++r) {
                std::vector<Cell> values{study.name, count_cell(r)};
                values.insert(values.end(), content->rows[r].begin(), content->rows[r].end());
                connection_->run(fmt::format("INSERT INTO {} ({}) VALUES ({})", table, names, marks), values);
            }
        }
        transaction.commit();
    } catch (const SQLite::Exception& error) {
        fail(connection_->file, error);
    }
}

}  // namespace ringmesh::lab
