// SPDX-License-Identifier: Apache-2.0
#include "lab/catalog/signal_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "lab/process/standard_streams.h"
#include "lab/run/experiment.h"
#include "lab/run/place_use.h"
#include "lab/table/json.h"
#include "lab/table/text_table.h"
#include "platforms/builder.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/simulation.h"
#include "tlm/traffic_machine.h"
#include "traces/recorder.h"
#include "traces/trace_selection.h"

namespace ringmesh::lab {
namespace {

/// The kernel keeps the names of processes of machines that are gone.
void build_machines_in_turn()
{
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_INSTANCE_EXISTS_, sc_core::SC_DO_NOTHING);
}

struct SignalRow {
    std::string name;
    WaveSignal signal;
    std::size_t count = 0;
    bool of_programs = false;
    bool of_sources = false;
};

/// In the order of waveforms; those of packet sources alone behind.
class SignalRows {
public:
    explicit SignalRows(bool together) : together_(together) {}
    void add(const WaveSignal& signal, NodeKind nodes)
    {
        const std::string name = together_ ? without_numbers(signal.name) : signal.name;
        const auto [at, is_new] = places_.emplace(name, all_.size());
        if (is_new) all_.push_back({name, signal});
        SignalRow& row = all_[at->second];
        (nodes == NodeKind::kProcessor ? row.of_programs : row.of_sources) = true;
        counts_[{name, nodes}].insert(signal.name);
        row.count = std::max(row.count, counts_[{name, nodes}].size());
    }
    const std::vector<SignalRow>& all() const { return all_; }

private:
    bool together_;
    std::vector<SignalRow> all_;
    std::map<std::string, std::size_t> places_;
    std::map<std::pair<std::string, NodeKind>, std::set<std::string>> counts_;
};

void add_signals(SignalRows& rows, const platforms::MachineKind& kind, const platforms::Configuration& configuration,
                 NodeKind nodes, const std::string& pattern)
{
    Simulation simulation(1);
    const auto machine = kind.build(configuration, nodes, simulation);
    Recorder recorder({});
    trace_selected(recorder, "*");
    // Told with its activity
    std::set<std::uint32_t> numbers;
    for (const ActivitySignals& activity : recorder.activities()) numbers.insert(activity.id);
    for (const std::uint32_t number : recorder.signals().order()) {
        const WaveSignal& signal = recorder.signals()[number];
        if (numbers.contains(number) || (!pattern.empty() && !selects(pattern, signal.name))) continue;
        rows.add(signal, nodes);
    }
}

SignalRows rows_of(const std::string& platform, const std::string& pattern)
{
    ExperimentRequest request;
    request.platform = platform;
    const auto configuration = configuration_of(request);
    const auto& kind = platforms::machine_kind(configuration);
    SignalRows rows(pattern.empty());
    const auto offers = kind.offers();
    const bool sources = std::find(offers.begin(), offers.end(), TrafficMachine::kIs) != offers.end();
    if (offers.size() > (sources ? 1U : 0U)) add_signals(rows, kind, configuration, NodeKind::kProcessor, pattern);
    if (sources) add_signals(rows, kind, configuration, NodeKind::kPacketSource, pattern);
    if (rows.all().empty()) {
        ObjectNames names;
        SignalRows every(false);
        for (const NodeKind nodes : {NodeKind::kProcessor, NodeKind::kPacketSource}) {
            if (nodes == NodeKind::kProcessor ? offers.size() > (sources ? 1U : 0U) : sources) {
                add_signals(every, kind, configuration, nodes, "");
            }
        }
        for (const SignalRow& row : every.all()) add_names(row.name, names);
        throw UserError(fmt::format("list signals {} {}: no signal of this name; {}", platform, pattern,
                                    cure_for_pattern(pattern, names)));
    }
    return rows;
}

std::string_view machines(const SignalRow& row)
{
    if (row.of_programs && row.of_sources) return "any";
    return row.of_programs ? "programs" : "traffic";
}

TextTable table_of(const SignalRows& rows)
{
    TextTable table({{"signal"}, {"number"}, {"values or unit"}, {"shows"}, {"runs"}});
    for (const SignalRow& row : rows.all()) {
        table.row(
            {row.name, std::to_string(row.count), row.signal.values, row.signal.meaning, std::string(machines(row))});
    }
    return table;
}

Json json_of(const SignalRows& rows)
{
    Json all = Json::array();
    for (const SignalRow& row : rows.all()) {
        all.push_back({{"name", row.name},
                       {"signals", row.count},
                       {"meaning", row.signal.meaning},
                       {"values", row.signal.values},
                       {"runs", std::string(machines(row))}});
    }
    return all;
}

constexpr std::string_view kPage = R"(<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by `ringmesh list signals --markdown`: change the code, not this page. -->

# Signals of waveforms

What `--vcd`, `--fst` and `--timeline` record ([waveforms.md](waveforms.md)). A star stands for numbers; the names are
patterns for `--trace`. A signal with the word `idle` has a second one beside it, NAME_id: the number of its packet, and
none (z) while it is idle. "Number" is how many there are on this platform; "runs" says whether they are there when
programs run, under traffic from packet sources, or under any workload. `ringmesh list signals PLATFORM PATTERN` has
each by itself, also of the platforms that are left out here because they are based on one of these: they have the same
signals of other numbers of nodes (`lc2_*` for `lc2` where a card has several).
)";

}  // namespace

std::string list_signals(const std::string& platform, const std::string& pattern, Format format)
{
    build_machines_in_turn();
    const SignalRows rows = rows_of(platform, pattern);
    if (format == Format::kJson) {
        return json_text({{"ringmesh", program_json()}, {"name", platform}, {"signals", json_of(rows)}});
    }
    if (format == Format::kMarkdown) return table_of(rows).markdown();
    return table_of(rows).text(0, output_room());
}

std::string list_signals_of_platforms(Format format)
{
    build_machines_in_turn();
    std::string text = format == Format::kMarkdown ? std::string(kPage) : std::string();
    Json json = Json::array();
    for (const auto& entry : platforms::list_platforms()) {
        const auto configuration = platforms::Configuration::load(platforms::find_platform(entry.name));
        if (!configuration.based_on().empty()) continue;
        const SignalRows rows = rows_of(entry.name, "");
        json.push_back({{"name", entry.name}, {"signals", json_of(rows)}});
        text +=
            fmt::format("{}{}{}\n\n", text.empty() ? "" : "\n", format == Format::kMarkdown ? "## " : "", entry.name);
        text += format == Format::kMarkdown ? table_of(rows).markdown() : table_of(rows).text(0, output_room());
    }
    return format == Format::kJson ? json_text({{"ringmesh", program_json()}, {"platforms", json}}) : text;
}

}  // namespace ringmesh::lab
