// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "lab/commands/line/command.h"
#include "lab/commands/line/outputs.h"
#include "lab/process/standard_streams.h"
#include "lab/run/record/run_record.h"
#include "lab/store/index.h"
#include "lab/store/memo.h"
#include "lab/store/point_lock.h"
#include "lab/study/description/catalog.h"
#include "lab/study/running/execution.h"
#include "lab/table/results.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/findings.h"
#include "lab/truth/ledger/report.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kStore{.name = "store",
                             .meaning = "Look at the store of finished points, index it for SQL, clean it",
                             .arguments = "store ACTION [OPTIONS]",
                             .examples = R"(Examples:
  ringmesh store status                                 how many points there are, by model version and state
  ringmesh store index wulfkit my-study/                writes index.sqlite, with the ledgers of these studies
  ringmesh store clean --other-models                   removes the points of other versions of the model

docs/reference/results/store.md describes the files and the tables of the index.
)"};

class StoreCommand final : public Command {
public:
    const CommandHelp& help() const override { return kStore; }
    void describe(OptionList& list) override
    {
        OptionList& status = list.action("status", "Count the points by model version and state", action_);
        add_folder(status, folder_);
        add_outputs(status, files_, "the counts", "the counts");
        OptionList& index = list.action("index", "Bring the SQLite index beside the points up to date", action_);
        add_folder(index, folder_);
        index.arguments("STUDY", studies_, "Studies to index as well: members, axes, published numbers, ledger");
        index.text("--sqlite", database_, "File of the index; index.sqlite in the store if not given", "FILE");
        OptionList& clean = list.action("clean", "Remove points that are no longer wanted, and damaged files", action_);
        add_folder(clean, folder_);
        clean.flag("--other-models", other_models_, "Remove points of other versions of the model");
        clean.flag("--failed", failed_, "Remove points that failed, were refused, got stuck or ran out of time");
    }
    int execute() override;

private:
    std::string action_;
    std::string folder_;                ///< empty for the usual one
    std::string database_;              ///< of the index; empty for index.sqlite in the folder
    std::vector<std::string> studies_;  ///< to index with the points
    bool other_models_ = false;         ///< clean: points of other model versions
    bool failed_ = false;               ///< clean: points that are not done
    OutputOptions files_;
};

/// What a store holds, by model version and state.
workloads::Results status_of(const Store& store)
{
    struct Kind {
        std::int64_t points = 0;
        std::uintmax_t bytes = 0;
        std::string latest;
    };
    std::map<std::pair<std::string, std::string>, Kind> kinds;
    for (const std::string& key : store.keys()) {
        const auto header = store.find_header(key);
        const bool this_model = header && header->model == model_version();
        Kind& kind = kinds[{!header      ? "-"
                            : this_model ? "this program's"
                                         : header->model,
                            header ? std::string(kPointStates.name(header->state)) : "damaged"}];
        ++kind.points;
        std::error_code ignored;
        const std::uintmax_t bytes = std::filesystem::file_size(store.file_of(key), ignored);
        if (!ignored) kind.bytes += bytes;
        if (header) kind.latest = std::max(kind.latest, header->finished);
    }
    workloads::Results status{
        .columns = {{"model_version", ""}, {"state", ""}, {"points", ""}, {"size", "kB"}, {"latest", ""}},
        .rows = {},
        .notes = {}};
    for (const auto& [what, kind] : kinds) {
        status.rows.push_back({what.first, what.second, kind.points, static_cast<std::int64_t>(kind.bytes / 1000),
                               kind.latest.empty() ? std::string("-") : kind.latest});
    }
    return status;
}

/// A study with what the store has of it. The ledger is made only if nothing is missing.
IndexedStudy indexed(const std::string& name_or_path, const Store& store)
{
    const auto path = find_study(name_or_path);
    const std::string name = study_name(path);
    Findings findings(read_study(path), "");
    auto points = findings.points(true);
    find_keys(points);
    auto granted = look_up(points, store);
    IndexedStudy study{.name = name,
                       .members = {},
                       .published = published_columns().results(findings.published().rows(), kInSql),
                       .ledger = {}};
    bool whole = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const StudyTest& test = findings.study().tests[points[i].test];
        IndexedStudy::Member member{test.name, points[i].variant, points[i].repetition, granted[i].key, {}};
        for (std::size_t a = 0; a < test.axes.size(); ++a) {
            member.axes.emplace_back(test.axes[a].name, points[i].axes[a]);
        }
        study.members.push_back(std::move(member));
        whole = whole && granted[i].done();
    }
    bool with_long = whole;
    if (!whole) {  // perhaps all but those that take long are there
        points = findings.points(false);
        find_keys(points);
        granted = look_up(points, store);
        whole = std::all_of(granted.begin(), granted.end(), [](const Granted& one) { return one.done(); });
    }
    if (!whole || !findings.has_published()) {
        say(fmt::format("{}: no ledger: {}", name,
                        whole ? "it has no published.csv" : "points are missing; run `ringmesh validate` first"));
        return study;
    }
    findings.find(points, granted, store);
    study.ledger = ledger_columns().results(findings.report(points, with_long).rows, kInSql);
    return study;
}

}  // namespace

int StoreCommand::execute()
{
    Store store = folder_.empty() ? Store(Store::usual_folder()) : Store::existing(folder_);
    if (action_ == "status") {
        Outputs outputs(files_, command_line);
        const auto status = status_of(store);
        outputs.write([&] { return json_text(results_document(status)); }, [&] { return results_csv(status); },
                      [&] { return results_text(status, output_room()); });
        return 0;
    }
    if (action_ == "index") {
        store.require_writable();
        StoreIndex index(database_.empty() ? store.folder() / "index.sqlite" : std::filesystem::path(database_));
        const auto changes = index.refresh(store);
        say(fmt::format("{} added, {} removed{}", counted(changes.added, "point"), changes.removed,
                        changes.damaged == 0 ? "" : fmt::format(", {} damaged and left out", changes.damaged)));
        for (const std::string& study : studies_) index.put(indexed(study, store));
        return 0;
    }
    if (!other_models_ && !failed_) {
        throw UserError(
            "store clean: says not what; write --other-models, --failed or both; to take a study's points "
            "out write study clean STUDY");
    }
    if (!store.is_made()) {
        say(fmt::format("{}: no store, it has no store.json; nothing is removed", store.folder().string()));
        return 0;
    }
    remove_memos(store);
    remove_free_locks(store);
    std::size_t removed = 0;
    for (const std::string& key : store.keys()) {
        const auto header = store.find_header(key);
        const bool goes = !header || (other_models_ && header->model != model_version()) ||
                          (failed_ && header->state != PointState::kDone);
        if (goes && store.remove(key)) ++removed;
    }
    say(fmt::format("{} removed from {}", counted(removed, "point"), store.folder().string()));
    return 0;
}

std::unique_ptr<Command> make_store() { return std::make_unique<StoreCommand>(); }

}  // namespace ringmesh::lab
