// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "lab/commands/line/command.h"
#include "lab/compare/sides.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/report/report_file.h"
#include "lab/run/record/run_record.h"
#include "lab/study/description/catalog.h"
#include "lab/table/writers/text_table.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kReport{.name = "report",
                              .meaning = "Write what has been run as a page for the browser",
                              .arguments = "report STUDY|POINT|STORE -o FILE [OPTIONS]",
                              .examples = R"(Examples:
  ringmesh report wulfkit -o wulfkit.html        charts, tables and ledger of a study, as far as it has run
  ringmesh report my-study/ -o report.html       a file charts.toml in its folder chooses the charts
  ringmesh report 90f7 -o point.html             a point; `ringmesh study list STUDY` shows keys
  ringmesh report my-store/ -o store.html        all points of a store
  ringmesh sweep mesh-8x8 --workload traffic --axis options.load=0.1,0.2,0.3 --report sweep.html

A report is one file, which a browser opens without a network. `report` runs nothing. The commands run, sweep, validate,
whatif, saturate and explain write a report of their own results with --report FILE; see also
docs/reference/results/report.md.
)"};

class ReportCommand final : public Command {
public:
    const CommandHelp& help() const override { return kReport; }
    void describe(OptionList& list) override
    {
        list.argument(
            "STUDY", subject_,
            "A study, by name or folder; a point, by its key or the beginning of it; or the folder of a store");
        list.need("no subject; write a study, a point's key or its beginning, or the folder of a store");
        add_report(list, file_, "-o,--output", "The report to write");
        list.need("no file; write -o report.html");
        list.flag("--full", full_, "For a validated study: include the points that take minutes");
        add_folder(list, store_);
    }
    int execute() override;

private:
    std::string subject_;  ///< a study, a point's key or its beginning, or the folder of a store
    bool full_ = false;
    std::string store_;
    std::string file_;
};

bool is_key(const std::string& text)
{
    constexpr std::size_t kLeast = 4;
    constexpr std::size_t kMost = 32;
    return text.size() >= kLeast && text.size() <= kMost &&
           text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Page page_of_store(const Store& store)
{
    Page page{.title = "Store " + store.folder().filename().string()};
    if (store.keys().empty()) {
        throw UserError(
            fmt::format("report: {} has no points; run something, such as ringmesh run wulfkit-ring "
                        "--workload ping-pong --store {}",
                        store.folder().string(), store.folder().string()));
    }
    add_store(page, store);
    return page;
}

Page page_of_point(const Store& store, const std::string& key)
{
    const Point point = point_with(store, key, "report");
    Page page{.title = title_of(point.record)};
    page.question.emplace_back("point", point.header.key);
    page.question.emplace_back("model", point.header.model);
    add_run(page, point.record);
    return page;
}

}  // namespace

int ReportCommand::execute()
{
    ReportFile report({file_, command_line});  // opened before anything is read
    const auto write = [&report](Page page) {
        report.write(std::move(page));
        return 0;
    };
    Store points = Store::at(store_);
    if (is_there(std::filesystem::path(subject_) / "store.json"))
        return write(page_of_store(Store::existing(subject_)));
    const auto names = list_studies();
    const bool known = std::find(names.begin(), names.end(), subject_) != names.end();
    if (!known && !is_there(subject_)) {
        if (is_key(subject_)) return write(page_of_point(points, subject_));
        throw UserError(fmt::format("report: '{}' is no study, no point's key and no store{}", subject_,
                                    suggestion(subject_, names)));
    }
    Findings findings(read_study(find_study(subject_)), "");
    findings.check();
    const bool with_long = full_ || !findings.has_published();
    AskedPoints asked{&findings.study(), findings.points(with_long), {}};
    find_keys(asked.points);
    asked.granted = look_up(asked.points, points);
    return write(study_page(asked, points, findings, subject_, with_long));
}

std::unique_ptr<Command> make_report() { return std::make_unique<ReportCommand>(); }

}  // namespace ringmesh::lab
