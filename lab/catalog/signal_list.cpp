// SPDX-License-Identifier: Apache-2.0
#include "lab/catalog/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "lab/run/experiment.h"
#include "lab/run/record/place_use.h"
#include "platforms/builder.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/machine/traffic_machine.h"
#include "tlm/simulation/simulation.h"
#include "traces/recorder.h"
#include "traces/trace_selection.h"

namespace ringmesh::lab {
namespace {

/// Signals of one name, numbers apart, with those that have it in machines of either kind of nodes.
struct SignalRow {
    std::string name;
    WaveSignal signal;
    std::map<NodeKind, std::set<std::string>> names = {};
};

/// What the machine records with these nodes, without the signals of activities.
void add_signals(std::vector<SignalRow>& rows, const platforms::Configuration& configuration, NodeKind nodes,
                 const std::string& pattern)
{
    Simulation simulation(1);
    const auto machine = platforms::machine_kind(configuration).build(configuration, nodes, simulation);
    Recorder recorder({});
    trace_selected(recorder, "*");
    std::set<std::uint32_t> numbers;
    for (const ActivitySignals& activity : recorder.activities()) numbers.insert(activity.id);
    std::map<std::string, std::size_t> places;
    for (const SignalRow& row : rows) places.emplace(row.name, places.size());
    for (const std::uint32_t number : recorder.signals().order()) {
        const WaveSignal& signal = recorder.signals()[number];
        if (numbers.contains(number) || (!pattern.empty() && !selects(pattern, signal.name))) continue;
        const std::string name = pattern.empty() ? without_numbers(signal.name) : signal.name;
        const auto [at, is_new] = places.emplace(name, rows.size());
        if (is_new) rows.push_back({name, signal});
        rows[at->second].names[nodes].insert(signal.name);
    }
}

/// In the order of waveforms; those of packet sources alone behind. Without a pattern numbered ones are together.
std::vector<SignalRow> rows_of(const std::string& platform, const std::string& pattern)
{
    // The kernel keeps the names of processes of machines that are gone
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_INSTANCE_EXISTS_, sc_core::SC_DO_NOTHING);
    ExperimentRequest request;
    request.platform = platform;
    const auto configuration = configuration_of(request);
    std::set<NodeKind> kinds;
    for (const std::string_view offer : platforms::machine_kind(configuration).offers()) {
        kinds.insert(offer == TrafficMachine::kIs ? NodeKind::kPacketSource : NodeKind::kProcessor);
    }
    std::vector<SignalRow> rows;
    for (const NodeKind nodes : {NodeKind::kProcessor, NodeKind::kPacketSource}) {
        if (kinds.contains(nodes)) add_signals(rows, configuration, nodes, pattern);
    }
    if (!rows.empty()) return rows;
    for (const NodeKind nodes : kinds) add_signals(rows, configuration, nodes, "*");
    ObjectNames names;
    for (const SignalRow& row : rows) add_names(row.name, names);
    throw UserError(fmt::format("list signals {} {}: no signal of this name; {}", platform, pattern,
                                cure_for_pattern(pattern, names)));
}

Json signals_of(const std::string& platform, const std::string& pattern)
{
    Json all = Json::array();
    for (const SignalRow& row : rows_of(platform, pattern)) {
        std::size_t most = 0;
        for (const auto& [nodes, names] : row.names) most = std::max(most, names.size());
        const bool of_programs = row.names.contains(NodeKind::kProcessor);
        all.push_back({{"name", row.name},
                       {"signals", most},
                       {"meaning", row.signal.meaning},
                       {"values", row.signal.values},
                       {"runs", row.names.size() == 2 ? "any"
                                : of_programs         ? "programs"
                                                      : "traffic"}});
    }
    return all;
}

TextTable table_of_signals(const Json& signals)
{
    return entry_table({{"signal", "name"},
                        {"number", "signals"},
                        {"values or unit", "values"},
                        {"shows", "meaning"},
                        {"runs", "runs"}},
                       signals);
}

}  // namespace

std::string list_signals(const std::string& platform, const std::string& pattern, Format format)
{
    const Json signals = signals_of(platform, pattern);
    if (format != Format::kJson) return list_text(table_of_signals(signals), format);
    return json_text({{"ringmesh", program_json()}, {"name", platform}, {"signals", signals}});
}

std::string list_signals_of_platforms(Format format)
{
    std::string text;
    Json json = Json::array();
    for (const auto& entry : platforms::list_platforms()) {
        if (!platforms::Configuration::load(entry.path).based_on().empty()) continue;
        const Json signals = signals_of(entry.name, "");
        json.push_back({{"name", entry.name}, {"signals", signals}});
        if (format == Format::kJson) continue;
        text += (text.empty() ? "" : "\n") + headed(entry.name, table_of_signals(signals), format);
    }
    return format == Format::kJson ? json_text({{"ringmesh", program_json()}, {"platforms", json}}) : text;
}

}  // namespace ringmesh::lab
