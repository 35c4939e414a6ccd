// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <systemc>
#include <utility>
#include <vector>

#include "lab/commands/line/command.h"
#include "lab/commands/line/program.h"
#include "lab/process/child_process.h"
#include "lab/process/output_file.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/report/report_file.h"
#include "lab/run/experiment.h"
#include "lab/store/content.h"
#include "lab/store/point.h"
#include "lab/study/description/catalog.h"
#include "lab/study/running/execution.h"
#include "lab/study/tables.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/findings.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kReproduce{
    .name = "reproduce",
    .meaning = "Run a whole study again into a new folder, with inputs, hashes and times",
    .arguments = "reproduce STUDY|FOLDER -o FOLDER [OPTIONS]",
    .examples = R"(Examples:
  ringmesh reproduce ncube -o ncube-again           runs every point; writes tables, ledger, report, inputs, hashes
  ringmesh reproduce my-study/ -o for-the-paper
  ringmesh reproduce for-the-paper/ -o checked      repeats that reproduction, and shows what differs

The command takes no result from the store. The new folder holds a copy of the study, a store with its points, tables as
CSV, the ledger, a report, and reproduction.json with the versions of program and model, and the hash of each input and
result. After an interruption, the same command continues. docs/studies.md has more.
)",
    .status_1 = "a row is out of its tolerance, or a result differs from that of the earlier folder"};

namespace files = std::filesystem;

class ReproduceCommand final : public Command {
public:
    const CommandHelp& help() const override { return kReproduce; }
    void describe(OptionList& list) override
    {
        list.argument("STUDY", study_, "A study, by name or by folder; or the folder of an earlier reproduction");
        list.need("no study; write one, or the folder of an earlier reproduction");
        list.text("-o,--output", output_, "The folder to make", "FOLDER");
        list.need("no folder to make; write -o FOLDER");
        list.flag("--full", full_, "For a validated study: include the points that take minutes");
        add_jobs(list, store_.jobs);
    }
    int execute() override;

private:
    /// Finds the source, and what it is compared with. @throws UserError if it cannot be copied, or the folder that is
    /// to be made holds something else
    void prepare();

    std::string study_;   ///< a name or a folder, or the folder that an earlier one has made
    std::string output_;  ///< the folder that is made
    bool full_ = false;
    StoreOptions store_;           ///< jobs
    std::optional<Json> earlier_;  ///< what an earlier reproduction wrote, if that is the source
    files::path source_;           ///< folder of the study
    std::string name_;             ///< of its copy
};

constexpr int kOtherNumbers = 1;
constexpr std::string_view kManifest = "reproduction.json";
constexpr std::string_view kPoints = "points";
constexpr std::string_view kTests = "tests";

bool is_within(const files::path& path, const files::path& folder)
{
    const files::path way = path.lexically_normal().lexically_relative(folder.lexically_normal());
    return !way.empty() && *way.begin() != "..";
}

/// A copy would not have what lies elsewhere: platforms, overlays, traces.
void require_self_contained(const Study& study)
{
    for (const StudyPoint& point : points_of(study)) {
        for (const WishPart& part : point.wish.parts) {
            const bool is_trace = (part.key == "goal" || part.key == "packets") && !part.shown.empty();
            if (!is_trace && (!part.key.empty() || !platforms::is_path(part.text))) continue;
            const files::path file =
                is_trace ? study.folder / part.shown.substr(part.shown.find('=') + 1) : files::path(part.text);
            if (is_within(file, study.folder)) continue;
            throw UserError(
                fmt::format("{}: {}: lies outside of the study's folder, so what is reproduced would not have it; move "
                            "it into the folder",
                            part.where, file.string()));
        }
    }
}

/// Of files, by the names that the manifest gives them.
using Hashes = std::map<std::string, std::string>;

Hashes hashes_below(const files::path& folder, const std::string& name)
{
    Hashes hashes;
    for (const auto& entry : files::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        const files::path file = files::path(name) / entry.path().lexically_relative(folder);
        hashes[file.generic_string()] = hash_of_file(entry.path()).value_or("");
    }
    return hashes;
}

/// Adds the platforms and overlays that the points are built from and that lie outside of the study, by their names.
void add_machines(Hashes& hashes, const std::vector<StudyPoint>& points, const files::path& study)
{
    std::set<std::pair<std::string, std::vector<std::string>>> seen;
    for (const StudyPoint& point : points) {
        ExperimentRequest request;
        request.platform = point.wish.request.platform;
        request.overlays = point.wish.request.overlays;
        if (!seen.emplace(request.platform, request.overlays).second) continue;
        const platforms::Configuration configuration = configuration_of(request);
        for (const files::path& file : configuration.files()) {
            if (is_within(file, study)) continue;
            hashes[(file.parent_path().filename() / file.filename()).generic_string()] =
                hash_of_file(file).value_or("");
        }
    }
}

Json json_of(const Hashes& hashes)
{
    Json json = Json::object();
    for (const auto& [file, hash] : hashes) json.add(file, hash);
    return json;
}

Hashes hashes_from(const Json& json)
{
    Hashes hashes;
    for (const auto& [file, hash] : json.members()) hashes[file] = hash.as_text();
    return hashes;
}

/// "0.1.0 abc" and the model
std::pair<std::string, std::string> versions_in(const Json& manifest)
{
    return {fmt::format("{} {}", manifest.at("ringmesh").at("version").as_text(), manifest.at("commit").as_text()),
            manifest.at("model").as_text()};
}

/// What a folder says of the reproduction that it holds. @throws UserError unless it says all that is read of it
Json read_manifest(const files::path& folder)
{
    try {
        Json manifest = Json::parse(content_of(folder / kManifest).value_or(""));
        versions_in(manifest);
        manifest.at("full").as_flag();
        for (const char* part : {"inputs", "outputs"}) hashes_from(manifest.at(part));
        const files::path study(manifest.at("study").as_text());
        if (study.empty() || study.filename() != study) throw ModelError("the study's name is a path");
        return manifest;
    } catch (const std::exception& problem) {
        throw UserError(
            fmt::format("reproduce: {}: cannot be read: {}; take the file as it was written, or name the study in "
                        "place of the folder",
                        (folder / kManifest).string(), problem.what()));
    }
}

/// The files of the results, and what goes to the screen.
struct Made {
    std::vector<std::pair<std::string, std::string>> outputs;  ///< name and text
    std::string shown;
    bool within = true;
};

Made make_outputs(const AskedPoints& asked, const Store& store, Findings& findings, bool full)
{
    Made made;
    const Study& study = *asked.study;
    for (std::size_t test = 0; test < study.tests.size(); ++test) {
        // Keys of points hold the version of the model: equal numbers of two versions would differ in them
        workloads::Results table = whole_table(study, test, asked.points, asked.granted, store);
        table.columns.erase(table.columns.begin());
        for (auto& row : table.rows) row.erase(row.begin());
        made.outputs.emplace_back(fmt::format("tests/{}.csv", study.tests[test].name), results_csv(table));
    }
    findings.find(asked.points, asked.granted, store);
    Report report;
    if (findings.has_published()) {
        report = findings.report(asked.points, full);
        made.outputs.emplace_back("ledger.json", report_json({{report}}));
        made.outputs.emplace_back("ledger.md", report_markdown({{report}}));
        made.within = all_within({{report}});
        made.shown = wrapped(summary({{report}}), 0, output_room().prose()) + "\n\n";
        for (const Row& row : report.rows) {
            const auto found = verdict(row);
            if (found != Verdict::kFail && found != Verdict::kWorse) continue;
            made.shown += fmt::format("{} {}\n", kVerdicts.name(*found), row.id);
        }
    } else {
        report.tables = findings.tables();
    }
    if (const std::string tables = tables_csv({{report}}); !tables.empty()) {
        made.outputs.emplace_back("tables.csv", tables);
    }
    for (const Report::Table& table : report.tables) made.shown += table_text(table, output_room()) + '\n';
    return made;
}

/// The first line that differs: its number, and both.
std::string first_difference(std::string_view was, std::string_view is)
{
    for (std::size_t line = 1; !was.empty() || !is.empty(); ++line) {
        const auto take = [](std::string_view& text) {
            const std::string_view first = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(first.size() + 1, text.size()));
            return first;
        };
        const std::string_view a = take(was);
        const std::string_view b = take(is);
        if (a != b) return fmt::format("line {} was '{}' and is '{}'", line, a, b);
    }
    return "only in its length";
}

/// Names of what is on one side alone, or differs.
std::vector<std::string> changed(Hashes was, const Hashes& is)
{
    std::vector<std::string> names;
    for (const auto& [file, hash] : is) {
        const auto other = was.find(file);
        if (other == was.end() || other->second != hash) was[file] = "";
    }
    for (const auto& [file, hash] : was) {
        if (hash.empty() || !is.contains(file)) names.push_back(file);
    }
    return names;
}

/// Says what differs from an earlier reproduction. @return whether its results do, or its files are not what it wrote
bool differs(const Json& was, const files::path& was_in, const Json& is, const files::path& is_in)
{
    const auto note = [](std::string_view what, const std::string& a, const std::string& b) {
        if (a != b) say(fmt::format("{} was {} and is {}", what, a, b));
    };
    note("the program", versions_in(was).first, versions_in(is).first);
    note("the model", versions_in(was).second, versions_in(is).second);
    const auto inputs = changed(hashes_from(was.at("inputs")), hashes_from(is.at("inputs")));
    if (!inputs.empty()) say(fmt::format("other inputs: {}", fmt::join(inputs, ", ")));
    const Hashes written = hashes_from(was.at("outputs"));
    bool damaged = false;
    for (const auto& [file, hash] : written) {
        const auto there = hash_of_file(was_in / file);
        if (there == hash) continue;
        damaged = true;
        say(fmt::format("{}: {}", (was_in / file).string(), there ? "is not what was written" : "is missing"));
    }
    const auto outputs = changed(written, hashes_from(is.at("outputs")));
    for (const std::string& file : outputs) {
        const auto before = content_of(was_in / file);
        const auto now = content_of(is_in / file);
        say(fmt::format("{}: {}", file, before && now ? first_difference(*before, *now) : "is on one side alone"));
    }
    const std::string count = counted(written.size(), "result file");
    print(outputs.empty() ? fmt::format("All {} are what {} says, byte by byte{}.\n", count,
                                        (was_in / kManifest).string(), damaged ? "; files beside it are not" : "")
                          : fmt::format("{} of {} differ from those of {}.\n", outputs.size(), count, was_in.string()));
    return damaged || !outputs.empty();
}

/// A row for each test: how many points, seconds of their runs.
workloads::Results times_of(const AskedPoints& asked, const Store& store)
{
    workloads::Results times{.columns = {{"test", ""}, {"points", ""}, {"runs", "s"}}, .rows = {}, .notes = {}};
    for (const StudyTest& test : asked.study->tests) times.rows.push_back({test.name, std::int64_t{0}, 0.0});
    std::set<std::string> seen;
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        auto& row = times.rows[asked.points[i].test];
        ++std::get<std::int64_t>(row[1]);
        if (!seen.insert(asked.granted[i].key).second) continue;
        const auto point = store.find(asked.granted[i].key);
        if (point && point->record.wall_seconds) std::get<double>(row[2]) += *point->record.wall_seconds;
    }
    return times;
}

}  // namespace

void ReproduceCommand::prepare()
{
    if (is_there(files::path(study_) / kManifest)) {
        earlier_ = read_manifest(study_);
        full_ = full_ || earlier_->at("full").as_flag();
    }
    const Study study =
        read_study(earlier_ ? files::path(study_) / earlier_->at("study").as_text() : find_study(study_));
    const files::path into(output_);
    const auto refuse = [](const files::path& path, std::string_view what) {
        throw UserError(fmt::format("reproduce: {}: {}", path.string(), what));
    };
    if (is_there(into / kManifest)) {
        refuse(into, "holds a reproduction already, and nothing is replaced; name another folder by -o");
    }
    if (is_within(files::weakly_canonical(into), files::weakly_canonical(study.folder))) {
        refuse(into, "lies in what is copied into it; name a folder elsewhere by -o");
    }
    require_self_contained(study);
    source_ = study.folder;
    name_ = files::canonical(source_).filename().string();
    // What was interrupted has points, a copy of this very study, and nothing else
    const bool begun = is_there(into / kPoints / "store.json") && is_there(into / name_) &&
                       hashes_below(source_, name_) == hashes_below(into / name_, name_);
    if (is_there(into) && !begun) {
        refuse(into,
               "is there already, and is no interrupted reproduction of this study; name a folder that is not there by "
               "-o");
    }
    if (name_ == kTests || name_ == kPoints) {
        refuse(source_, "results have a folder of that name; rename the study");
    }
}

int ReproduceCommand::execute()
{
    prepare();
    const files::path into(output_);
    const auto start = std::chrono::steady_clock::now();
    const std::string begun = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    const bool goes_on = is_there(into);
    if (goes_on) say(fmt::format("{}: goes on where it was interrupted", into.string()));
    const files::path copy = into / name_;
    files::create_directories(copy);
    files::copy(source_, copy, files::copy_options::recursive | files::copy_options::overwrite_existing);
    std::optional<Findings> read;
    AskedPoints asked{};
    try {
        read.emplace(read_study(copy), "");  // from the copy, so that it is proven to be enough
        read->check();
        asked = {&read->study(), read->points(full_ || !read->has_published()), {}};
        find_keys(asked.points);
    } catch (...) {
        if (!goes_on) files::remove_all(into);
        throw;
    }
    const bool with_long = full_ || !read->has_published();
    Store points(into / kPoints);
    asked.granted = run_all(asked, store_, points);
    if (const std::size_t failed = report_failures(asked); failed > 0) {
        throw UserError(
            fmt::format("reproduce: {} of {} did not finish; what has run stays in {}, and the same "
                        "command goes on",
                        failed, counted(asked.points.size(), "point"), into.string()));
    }

    const Made made = make_outputs(asked, points, *read, with_long);
    Hashes inputs = hashes_below(copy, name_);
    add_machines(inputs, asked.points, copy);
    Hashes outputs;
    files::create_directories(into / kTests);
    for (const auto& [file, text] : made.outputs) {
        write_whole(into / file, text);
        outputs[file] = hash_of(text);
    }
    Findings of_page(read_study(copy), "");
    ReportFile({(into / "report.html").string(), command_line})
        .write(study_page(asked, points, of_page, copy.string(), with_long));

    const workloads::Results times = times_of(asked, points);
    Json tests = Json::object();
    for (const auto& row : times.rows) {
        tests.add(std::get<std::string>(row[0]), {{"points", cell_json(row[1])}, {"seconds", cell_json(row[2])}});
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    const Json manifest{{"ringmesh", program_json()},
                        {"commit", program_commit()},
                        {"model", model_version()},
                        {"systemc", sc_core::sc_version_string},
                        {"compiler", __VERSION__},
                        {"processors", available_processors()},
                        {"study", name_},
                        {"title", asked.study->title},
                        {"full", full_},
                        {"begun", begun},
                        {"seconds", passed.count()},
                        {"hash", "XXH3, 128 bits"},
                        {"inputs", json_of(inputs)},
                        {"tests", tests},
                        {"outputs", json_of(outputs)}};
    write_whole(into / kManifest, json_text(manifest));

    print(made.shown + results_text(times, output_room()) + '\n');
    const bool other = earlier_ ? differs(*earlier_, study_, manifest, into) : !made.within;
    say(fmt::format("{}: {} in {:.1f} s; {} names all inputs and results with their hashes", into.string(),
                    counted(asked.points.size(), "point"), passed.count(), kManifest));
    return other ? kOtherNumbers : 0;
}

std::unique_ptr<Command> make_reproduce() { return std::make_unique<ReproduceCommand>(); }

}  // namespace ringmesh::lab
