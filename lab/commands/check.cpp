// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lab/commands/line/command.h"
#include "lab/process/standard_streams.h"
#include "lab/run/experiment.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "platforms/builder.h"
#include "tlm/error.h"
#include "tlm/machine/traffic_machine.h"
#include "tlm/simulation/simulation.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kCheck{
    .name = "check",
    .meaning = "Check whether packets of a machine can wait for each other in a circle (deadlock)",
    .arguments = "check PLATFORM [OPTIONS]",
    .examples = R"(Examples:
  ringmesh check wulfkit-torus-2d                             queues of the whole machine, requests and responses
  ringmesh check mesh-8x8 --set mesh.holes=r2_3 --set mesh.routes_by=up-down
  ringmesh check scc --set mesh.detail=flit --set mesh.reserved_channels=0       a circle, channel by channel

The command simulates nothing.
docs/reference/machines/deadlock.md has more.
)",
    .status_1 = "there is a circle, in which packets can wait for ever"};

class CheckCommand final : public Command {
public:
    const CommandHelp& help() const override { return kCheck; }
    void describe(OptionList& list) override
    {
        add_machine(list, request_);
        list.flag("--sources", sources_,
                  "Check the machine with packet sources in place of processors, as the workload traffic uses it");
        add_format(list, format_);
    }
    int execute() override;

private:
    ExperimentRequest request_;  ///< the machine alone
    bool sources_ = false;       ///< packet sources in place of processors
    FormatOptions format_;
};

constexpr int kCircle = 1;

/// The circle, and what the verdict rests on.
std::string notes_of(const platforms::WaitCheck& check)
{
    std::string text;
    const auto add = [&text](const std::string& words) {
        text += '\n' + wrapped(words, 0, output_room().prose()) + '\n';
    };
    if (!check.names.empty()) {
        add(fmt::format("A circle in the {}: {} -> {}", check.network, fmt::join(check.names, " -> "),
                        check.names.front()));
    }
    add(fmt::format("{}: {}", check.network, check.rests_on));
    return text;
}

/// Which block knows a fault shows when the machine is built.
void require_faults_found(const platforms::MachineKind& kind, const platforms::Configuration& configuration,
                          NodeKind nodes, const std::string& platform)
{
    const auto rows = kind.effective_parameters(configuration, {nodes});
    if (std::none_of(rows.begin(), rows.end(), [](const auto& row) { return row.key.starts_with("fault."); })) return;
    require_room(kind, configuration, nodes, platform);
    // Not destroyed, as in a run: destroying a big machine takes seconds
    auto& simulation = *new Simulation(1);
    [[maybe_unused]] auto* machine = kind.build(configuration, nodes, simulation).release();
}

}  // namespace

int CheckCommand::execute()
{
    const Format format = format_.chosen("check");
    const auto configuration = configuration_of(request_);
    const platforms::MachineKind& kind = platforms::machine_kind(configuration);
    const auto offers = kind.offers();
    const bool processors = !sources_ && std::any_of(offers.begin(), offers.end(),
                                                     [](std::string_view sort) { return sort != TrafficMachine::kIs; });
    const NodeKind nodes = processors ? NodeKind::kProcessor : NodeKind::kPacketSource;
    require_faults_found(kind, configuration, nodes, request_.platform);
    const auto checks = kind.waits(configuration, nodes);
    if (checks.empty()) {
        throw UserError(
            fmt::format("check: {}: the machine {} does not say what its packets wait for; its kind must "
                        "have waits() (docs/reference/adding_a_module.md)",
                        request_.platform, kind.name()));
    }
    bool circle = false;
    Json all = Json::array();
    TextTable table({{"network"}, {"what can wait"}, {"channels"}, {"waits"}, {"verdict"}});
    std::string notes;
    for (const platforms::WaitCheck& check : checks) {
        circle = circle || !check.names.empty();
        all.push_back({{"network", check.network},
                       {"channels_are", check.channels},
                       {"channels", check.graph.channels()},
                       {"waits", check.graph.waits()},
                       {"circle", check.names},
                       {"rests_on", check.rests_on}});
        table.row({check.network, check.channels, std::to_string(check.graph.channels()),
                   std::to_string(check.graph.waits()),
                   check.names.empty() ? "no circle" : fmt::format("a circle of {}", check.names.size())});
        notes += notes_of(check);
    }
    print(format == Format::kJson
              ? json_text({{"ringmesh", program_json()}, {"name", request_.platform}, {"networks", all}})
              : list_text(table, format) + (format == Format::kCsv ? "" : notes));
    return circle ? kCircle : 0;
}

std::unique_ptr<Command> make_check() { return std::make_unique<CheckCommand>(); }

}  // namespace ringmesh::lab
