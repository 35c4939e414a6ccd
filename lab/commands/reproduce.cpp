// SPDX-License-Identifier: Apache-2.0
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

#include "lab/commands/command.h"
#include "lab/commands/program.h"
#include "lab/process/child_process.h"
#include "lab/process/output_file.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/report/report_file.h"
#include "lab/run/experiment.h"
#include "lab/store/content.h"
#include "lab/store/point.h"
#include "lab/study/catalog.h"
#include "lab/study/execution.h"
#include "lab/study/tables.h"
#include "lab/table/json.h"
#include "lab/table/text_table.h"
#include "lab/truth/findings.h"
#include "platforms/configuration.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kReproduce{.name = "reproduce",
                                 .meaning = "Run a whole study again into a new folder, with inputs, hashes and times",
                                 .arguments = "reproduce STUDY|FOLDER -o FOLDER [OPTIONS]",
                                 .examples = R"(Examples:
  ringmesh reproduce ncube -o ncube-again           runs every point; writes tables, ledger, report, inputs, hashes
  ringmesh reproduce my-study/ -o for-the-paper
  ringmesh reproduce for-the-paper/ -o checked      repeats that reproduction, and shows what differs

The command takes no result from the store. The new folder holds a copy of the study, a store with its points, tables as
CSV, the ledger, a report, and reproduction.json with the versions of program and model, and the hash of each input and
result. After an interruption, the same command continues. docs/studies.md has more.

The exit status is 1 if a row is out of its tolerance, or a result differs from that of the earlier folder.
)"};

class ReproduceCommand final : public Command {
public:
    const CommandHelp& help() const override { return kReproduce; }
    void describe(OptionList& list) override;
    int execute() override;

private:
    std::string study;   ///< a name or a folder, or the folder that an earlier one has made
    std::string output;  ///< the folder that is made
    bool full = false;
    StoreOptions store;  ///< jobs
};

void ReproduceCommand::describe(OptionList& list)
{
    list.argument("STUDY", study, "A study, by name or by folder; or the folder of an earlier reproduction");
    list.text("-o,--output", output, "The folder to make", "FOLDER");
    list.flag("--full", full, "For a validated study: include the points that take minutes");
    add_jobs(list, store.jobs);
}

namespace files = std::filesystem;

constexpr int kOtherNumbers = 1;
constexpr std::string_view kManifest = "reproduction.json";
constexpr std::string_view kPoints = "points";
constexpr std::string_view kTests = "tests";

bool stands(const files::path& path)
{
    std::error_code error;
    return files::exists(files::symlink_status(path, error));
}

[[noreturn]] void fail(const files::path& path, const std::error_code& error)
{
    throw UserError(fmt::format("reproduce: {}: {}; name another folder by -o", path.string(), error.message()));
}

/// A copy would not have what lies elsewhere.
void require_self_contained(const Study& study)
{
    const auto require_inside = [](const std::string& where, std::string_view what, const std::string& file) {
        const files::path path = files::path(file).lexically_normal();
        if (path.is_relative() && *path.begin() != "..") return;
        throw UserError(
            fmt::format("{}: {} {}: lies outside of the study's folder, so what is reproduced would not "
                        "have it; move it into the folder",
                        where, what, file));
    };
    const auto require = [&](const StudyWord& word, std::string_view what) {
        if (!word.empty() && platforms::is_path(word.text)) require_inside(word.where, what, word.text);
    };
    const auto require_traces = [&](const std::vector<StudySetting>& options) {
        for (const StudySetting& option : options) {
            if (option.key == "goal" || option.key == "packets") require_inside(option.where, option.key, option.value);
        }
    };
    for (const StudyTest& test : study.tests) {
        require(test.platform, "platform");
        for (const StudyWord& overlay : test.overlays) require(overlay, "overlay");
        require_traces(test.options);
        for (const Axis& axis : test.axes) {
            if (axis.name != "options.goal" && axis.name != "options.packets") continue;
            for (std::size_t i = 0; i < axis.values.size(); ++i) {
                require_inside(axis.place_of(i), axis.name, axis.values[i]);
            }
        }
        for (const Variant& variant : test.variants) {
            require_traces(variant.options);
            require(variant.platform, "platform");
            for (const StudyWord& overlay : variant.overlays) require(overlay, "overlay");
        }
    }
}

/// The regular files of a folder and below it, sorted.
std::vector<files::path> files_below(const files::path& folder)
{
    std::vector<files::path> found;
    std::error_code error;
    for (files::recursive_directory_iterator entry(folder, error); !error && entry != files::end(entry);
         entry.increment(error)) {
        if (entry->is_regular_file()) found.push_back(entry->path());
    }
    if (error) fail(folder, error);
    std::sort(found.begin(), found.end());
    return found;
}

void copy_study(const files::path& from, const files::path& to)
{
    std::error_code error;
    files::create_directories(to, error);
    if (error) fail(to, error);
    for (const files::path& file : files_below(from)) {
        const files::path target = to / file.lexically_relative(from);
        files::create_directories(target.parent_path(), error);
        if (!error) files::copy_file(file, target, files::copy_options::overwrite_existing, error);
        if (error) fail(target, error);
    }
}

/// A file as the manifest names it, and its hash.
using Hashes = std::map<std::string, std::string>;

Hashes hashes_below(const files::path& folder, const std::string& name)
{
    Hashes hashes;
    for (const files::path& file : files_below(folder)) {
        hashes[(files::path(name) / file.lexically_relative(folder)).generic_string()] =
            hash_of_file(file).value_or("");
    }
    return hashes;
}

/// The platforms and overlays that the points are built from and that lie outside of the study, by their names.
Hashes hashes_of_machines(const std::vector<StudyPoint>& points, const files::path& study)
{
    Hashes hashes;
    std::set<std::pair<std::string, std::vector<std::string>>> seen;
    for (const StudyPoint& point : points) {
        ExperimentRequest request;
        request.platform = point.wish.request.platform;
        request.overlays = point.wish.request.overlays;
        if (!seen.emplace(request.platform, request.overlays).second) continue;
        const platforms::Configuration configuration = configuration_of(request);
        for (const files::path& file : configuration.files()) {
            const files::path within = file.lexically_normal().lexically_relative(study.lexically_normal());
            if (!within.empty() && *within.begin() != "..") continue;
            const std::string name =
                fmt::format("{}/{}", file.parent_path().filename().string(), file.filename().string());
            hashes[name] = hash_of_file(file).value_or("");
        }
    }
    return hashes;
}

Json json_of(const Hashes& hashes)
{
    Json json = Json::object();
    for (const auto& [file, hash] : hashes) json[file] = hash;
    return json;
}

Hashes hashes_from(const Json& json)
{
    Hashes hashes;
    for (const auto& [file, hash] : json.members()) hashes[file] = hash.as_text();
    return hashes;
}

/// What a folder says of the reproduction that it holds.
struct Manifest {
    std::string study;  ///< the folder's name
    bool full = false;
    std::string version;
    std::string commit;
    std::string model;
    Hashes inputs;
    Hashes outputs;
};

Manifest read_manifest(const files::path& folder)
{
    const files::path path = folder / kManifest;
    try {
        const Json json = Json::parse(content_of(path).value_or(""));
        Manifest manifest{.study = json.at("study").as_text(),
                          .full = json.at("full").as_flag(),
                          .version = json.at("ringmesh").at("version").as_text(),
                          .commit = json.at("commit").as_text(),
                          .model = json.at("model").as_text(),
                          .inputs = hashes_from(json.at("inputs")),
                          .outputs = hashes_from(json.at("outputs"))};
        if (files::path(manifest.study).filename() != manifest.study || manifest.study.empty()) {
            throw ModelError("the study's name is a path");
        }
        return manifest;
    } catch (const std::exception& problem) {
        throw UserError(
            fmt::format("reproduce: {}: cannot be read: {}; take the file as it was written, or name the study in "
                        "place of the folder",
                        path.string(), problem.what()));
    }
}

/// Keys of points hold the version of the model: equal numbers of two versions would differ in them.
workloads::Results without_keys(workloads::Results table)
{
    table.columns.erase(table.columns.begin());
    for (auto& row : table.rows) row.erase(row.begin());
    return table;
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
        made.outputs.emplace_back(
            fmt::format("tests/{}.csv", study.tests[test].name),
            results_csv(without_keys(whole_table(study, test, asked.points, asked.granted, store))));
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
            if (verdict(row) == Verdict::kFail) made.shown += fmt::format("fail {}\n", row.id);
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

std::string now_text()
{
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                       utc.tm_hour, utc.tm_min, utc.tm_sec);
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
std::vector<std::string> changed(const Hashes& was, const Hashes& is)
{
    std::vector<std::string> names;
    for (const auto& [file, hash] : was) {
        const auto other = is.find(file);
        if (other == is.end() || other->second != hash) names.push_back(file);
    }
    for (const auto& [file, hash] : is) {
        if (!was.contains(file)) names.push_back(file);
    }
    return names;
}

/// Says what differs from an earlier reproduction. @return whether its results do, or its files are not what it wrote
bool differs(const Manifest& was, const files::path& was_in, const Manifest& is, const files::path& is_in)
{
    const auto note = [](std::string_view what, const std::string& a, const std::string& b) {
        if (a != b) say(fmt::format("{} was {} and is {}", what, a, b));
    };
    note("the program", fmt::format("{} {}", was.version, was.commit), fmt::format("{} {}", is.version, is.commit));
    note("the model", was.model, is.model);
    const auto inputs = changed(was.inputs, is.inputs);
    if (!inputs.empty()) say(fmt::format("other inputs: {}", fmt::join(inputs, ", ")));
    bool damaged = false;
    for (const auto& [file, hash] : was.outputs) {
        const auto there = hash_of_file(was_in / file);
        if (there == hash) continue;
        damaged = true;
        say(fmt::format("{}: {}", (was_in / file).string(), there ? "is not what was written" : "is missing"));
    }
    const auto outputs = changed(was.outputs, is.outputs);
    for (const std::string& file : outputs) {
        const auto before = content_of(was_in / file);
        const auto now = content_of(is_in / file);
        say(fmt::format("{}: {}", file, before && now ? first_difference(*before, *now) : "is on one side alone"));
    }
    if (!outputs.empty()) {
        print(fmt::format("{} of {} differ from those of {}.\n", outputs.size(),
                          counted(was.outputs.size(), "result file"), was_in.string()));
    } else {
        print(fmt::format("All {} are what {} says, byte by byte{}.\n", counted(was.outputs.size(), "result file"),
                          (was_in / kManifest).string(), damaged ? "; files beside it are not" : ""));
    }
    return damaged || !outputs.empty();
}

/// What is to be made, from what.
struct Task {
    std::optional<Manifest> earlier;  ///< if an earlier reproduction is the source
    files::path source;               ///< of the study
    std::string name;                 ///< of the study's copy
    bool full = false;
};

/// @throws UserError if the source cannot be copied, or the folder holds something else
Task task_of(const std::string& subject, const std::string& output, bool full)
{
    Task task{.earlier = {}, .source = {}, .name = {}, .full = full};
    if (stands(files::path(subject) / kManifest)) {
        task.earlier = read_manifest(subject);
        task.source = files::path(subject) / task.earlier->study;
        task.full = task.full || task.earlier->full;
    } else {
        task.source = find_study(subject);
    }
    const files::path into(output);
    if (stands(into / kManifest)) {
        throw UserError(fmt::format(
            "reproduce: {}: holds a reproduction already, and nothing is replaced; name another folder by -o",
            into.string()));
    }
    const files::path within = files::weakly_canonical(into).lexically_relative(files::weakly_canonical(task.source));
    if (!within.empty() && *within.begin() != "..") {
        throw UserError(
            fmt::format("reproduce: {}: lies in what is copied into it; name a folder elsewhere by -o", into.string()));
    }
    const Study study = read_study(task.source);
    require_self_contained(study);
    task.source = study.folder;
    task.name = files::absolute(study.folder).lexically_normal().filename().string();
    if (task.name.empty()) task.name = files::canonical(study.folder).filename().string();
    // What was interrupted has points, a copy of this very study, and nothing else
    const bool begun = stands(into / kPoints / "store.json") && stands(into / task.name) &&
                       changed(hashes_below(task.source, task.name), hashes_below(into / task.name, task.name)).empty();
    if (stands(into) && !begun) {
        throw UserError(
            fmt::format("reproduce: {}: is there already, and is no interrupted reproduction of this study; "
                        "name a folder that is not there by -o",
                        into.string()));
    }
    if (task.name == kTests || task.name == kPoints) {
        throw UserError(
            fmt::format("reproduce: {}: results have a folder of that name; rename the study", task.source.string()));
    }
    return task;
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

Json tests_json(const workloads::Results& times)
{
    Json json = Json::object();
    for (const auto& row : times.rows) {
        json[std::get<std::string>(row[0])] = Json({{"points", cell_json(row[1])}, {"seconds", cell_json(row[2])}});
    }
    return json;
}

}  // namespace

int ReproduceCommand::execute()
{
    if (study.empty()) {
        throw UserError("reproduce: what; write a study, or the folder of an earlier reproduction" +
                        see_help("reproduce"));
    }
    if (output.empty()) throw UserError("reproduce: into which folder; write -o FOLDER" + see_help("reproduce"));
    const Task task = task_of(study, output, full);
    const files::path into(output);
    const auto start = std::chrono::steady_clock::now();
    const std::string begun = now_text();
    const bool goes_on = stands(into);
    if (goes_on) say(fmt::format("{}: goes on where it was interrupted", into.string()));
    const files::path copy = into / task.name;
    copy_study(task.source, copy);
    std::optional<Findings> read;
    AskedPoints asked{};
    try {
        read.emplace(read_study(copy), "");  // from the copy, so that it is proven to be enough
        read->check();
        asked = {&read->study(), read->points(task.full || !read->has_published()), {}};
        KeyFinder finder;
        for (StudyPoint& point : asked.points) point.wish.key = finder.key_of(point.wish);
    } catch (...) {
        if (!goes_on) files::remove_all(into);
        throw;
    }
    Findings& findings = *read;
    const bool with_long = task.full || !findings.has_published();
    Store points(into / kPoints);
    asked.granted = run_all(asked, store, points);
    if (const std::size_t failed = report_failures(asked); failed > 0) {
        throw UserError(
            fmt::format("reproduce: {} of {} did not finish; what has run stays in {}, and the same "
                        "command goes on",
                        failed, counted(asked.points.size(), "point"), into.string()));
    }

    const Made made = make_outputs(asked, points, findings, with_long);
    Manifest manifest{.study = task.name,
                      .full = task.full,
                      .version = program_json().at("version").as_text(),
                      .commit = program_commit(),
                      .model = model_version(),
                      .inputs = hashes_below(copy, task.name),
                      .outputs = {}};
    manifest.inputs.merge(hashes_of_machines(asked.points, copy));
    std::error_code error;
    files::create_directories(into / kTests, error);
    if (error) fail(into, error);
    for (const auto& [file, text] : made.outputs) {
        OutputFile((into / file).string()).write(text);
        manifest.outputs[file] = hash_of(text);
    }
    Findings of_page(read_study(copy), "");
    ReportFile({(into / "report.html").string(), command_line})
        .write(study_page(asked, points, of_page, copy.string(), with_long));

    const workloads::Results times = times_of(asked, points);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    OutputFile((into / kManifest).string())
        .write(json_text(Json({{"ringmesh", program_json()},
                               {"commit", manifest.commit},
                               {"model", manifest.model},
                               {"systemc", std::string(sc_core::sc_version_string)},
                               {"compiler", __VERSION__},
                               {"processors", available_processors()},
                               {"study", task.name},
                               {"title", asked.study->title},
                               {"full", task.full},
                               {"begun", begun},
                               {"seconds", passed.count()},
                               {"hash", "XXH3, 128 bits"},
                               {"inputs", json_of(manifest.inputs)},
                               {"tests", tests_json(times)},
                               {"outputs", json_of(manifest.outputs)}})));

    print(made.shown + results_text(times, output_room()) + '\n');
    const bool other = task.earlier && differs(*task.earlier, study, manifest, into);
    say(fmt::format("{}: {} in {:.1f} s; {} names all inputs and results with their hashes", into.string(),
                    counted(asked.points.size(), "point"), passed.count(), kManifest));
    return task.earlier ? (other ? kOtherNumbers : 0) : made.within ? 0 : kOtherNumbers;
}

std::unique_ptr<Command> make_reproduce() { return std::make_unique<ReproduceCommand>(); }

}  // namespace ringmesh::lab
