// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/validation/scc_parts.h"

/// Settings that the thesis does not state: core clock, copy method of the libraries, version of RCCE. All combinations
/// are compared with the cells of 50000 and 190000 bytes.
namespace ringmesh::lab::scc {
namespace {

struct Clock {
    const char* name;
    const char* setting;
};
constexpr std::array<Clock, 2> kCoreClocks{
    {{"533 MHz", "clock.tile_dividers=3"}, {"800 MHz", "clock.tile_dividers=2"}}};

/// The copy method of the algorithm's library: RCCE for Cube, iRCCE for DOPL.
struct Copying {
    const char* name;
    const char* copies;
    int width;
};
constexpr std::array<Copying, 4> kCopyings{{{"plain, by bytes", "plain", 1},
                                            {"plain, by 4 bytes", "plain", 4},
                                            {"prefetching, by 4 bytes", "prefetching", 4},
                                            {"pipelined, by 4 bytes", "pipelined", 4}}};

constexpr std::array<const char*, 2> kVersions{"1.1", "1.0.13"};

struct Combination {
    Clock clock;
    Copying copying;
    const char* version = nullptr;
    std::string name() const { return fmt::format("{}, {}, RCCE {}", clock.name, copying.name, version); }
};

std::vector<Combination> combinations()
{
    std::vector<Combination> all;
    for (const Clock& clock : kCoreClocks) {
        for (const Copying& copying : kCopyings) {
            for (const char* version : kVersions) all.push_back({clock, copying, version});
        }
    }
    return all;
}

/// The cells of one column of a table, run in one process.
struct Column {
    PublishedTable table;
    std::string_view prefix;  ///< of the library's options
    std::int64_t size;
    std::string_view cuts;
};
constexpr std::array<Column, 4> kColumns{{{PublishedTable::kPartSizes, "", 190'000, "256,1024,4096,16384,65536"},
                                          {PublishedTable::kPipeSizes, "ircce_", 190'000, "256..8192 x2"},
                                          {PublishedTable::kPartSizes, "", 50'000, "256..32768 x2"},
                                          {PublishedTable::kPipeSizes, "ircce_", 50'000, "256..8192 x2"}}};

std::string name_of(const Combination& combination, const Column& column)
{
    return fmt::format("scc grid: {}, {} of {} B", combination.name(), info_of(column.table).word, column.size);
}

/// Of an algorithm's cells.
struct Errors {
    double sum = 0;  ///< of their sizes, in percent
    int cells = 0;
    double worst = 0;  ///< with its sign
    double mean() const { return sum / cells; }
    void add(double error)
    {
        sum += std::abs(error);
        ++cells;
        if (std::abs(error) > std::abs(worst)) worst = error;
    }
};

Errors errors_of(const Experiments& experiments, const Combination& combination, PublishedTable table)
{
    const TableInfo info = info_of(table);
    Errors errors;
    for (const Column& cells : kColumns) {
        if (cells.table != table) continue;
        const Outcome& outcome = experiments.outcome(name_of(combination, cells));
        const auto cuts = column(outcome, fmt::format("{}_bytes", info.cut));
        const auto times = column(outcome, "declared_min_s");
        for (const PublishedTime& published : info.times) {
            if (published.size != cells.size) continue;
            for (std::size_t i = 0; i < cuts.size(); ++i) {
                if (cuts[i] != static_cast<double>(published.cut)) continue;
                errors.add(100 * (times.at(i) / published.seconds - 1));
            }
        }
    }
    return errors;
}

/// The combination with the least mean error so far.
struct Closest {
    std::string name;
    double mean = 0;
    void look_at(const Combination& combination, const Errors& errors)
    {
        if (!name.empty() && errors.mean() >= mean) return;
        name = combination.name();
        mean = errors.mean();
    }
    std::string text(std::string_view algorithm) const
    {
        return fmt::format("Closest for {}: {}, {:.1f} % off in the mean.", algorithm, name, mean);
    }
};

}  // namespace

void plan_grid(Experiments& experiments)
{
    for (const Column& column : kColumns) {
        const TableInfo info = info_of(column.table);
        for (const Combination& combination : combinations()) {
            experiments.plan(name_of(combination, column),
                             over(fmt::format("{0}:version={1},{2}copies={3},{2}copy_width={4}", library_for(info.word),
                                              combination.version, column.prefix, combination.copying.copies,
                                              combination.copying.width),
                                  request(fmt::format("broadcast:algorithm={},size={},{}={},{},repetitions=1",
                                                      info.word, column.size, info.cut, column.cuts, info.options),
                                          {combination.clock.setting})));
        }
    }
}

void add_grid(Findings& findings, const Experiments& experiments)
{
    // Checking one is enough: they are planned together
    if (experiments.find(name_of(combinations().front(), kColumns[0])) == nullptr) {
        findings.left_out.emplace_back("scc.grid");
        return;
    }
    TextTable table({{"cores"},
                     {"the algorithm's library copies"},
                     {"RCCE"},
                     {"Cube, mean", Align::kRight, "%"},
                     {"worst", Align::kRight, "%"},
                     {"DOPL, mean", Align::kRight, "%"},
                     {"worst", Align::kRight, "%"}});
    Closest cube;
    Closest dopl;
    for (const Combination& combination : combinations()) {
        const Errors of_cube = errors_of(experiments, combination, PublishedTable::kPartSizes);
        const Errors of_dopl = errors_of(experiments, combination, PublishedTable::kPipeSizes);
        cube.look_at(combination, of_cube);
        dopl.look_at(combination, of_dopl);
        table.row({combination.clock.name, combination.copying.name, combination.version,
                   fmt::format("{:.1f}", of_cube.mean()), fmt::format("{:+.1f}", of_cube.worst),
                   fmt::format("{:.1f}", of_dopl.mean()), fmt::format("{:+.1f}", of_dopl.worst)});
    }
    findings.tables.push_back(
        {"What the thesis does not say: clock of the cores, copies, version of RCCE [004 5.5, 6.3]",
         std::move(table),
         {"Simulated against published, cells of 50000 and 190000 bytes: mean of the errors' sizes, "
          "and the largest with its sign.",
          "RCCE copies for Cube, iRCCE for DOPL.", cube.text("Cube"), dopl.text("DOPL")}});
}

}  // namespace ringmesh::lab::scc
