// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/whatif/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analytic/sci_components.h"
#include "hw/sci/params.h"
#include "tlm/error.h"
#include "tlm/quantity.h"

namespace ringmesh::lab {
namespace {

constexpr std::string_view kKind = "topology.kind";
constexpr std::string_view kDimensionsKey = "topology.dimensions";
/// Any workload serves to read a platform's parameters.
constexpr const char* kAnyWorkload = "latency-map";

template <class Quantity>
Quantity required(const Parsed<Quantity>& parsed, std::string_view key)
{
    if (!parsed.value) throw ModelError(fmt::format("parameter {} cannot be read back: {}", key, parsed.problem));
    return *parsed.value;
}

const ParameterRow* find(const std::vector<ParameterRow>& rows, std::string_view key)
{
    const auto row = std::find_if(rows.begin(), rows.end(), [key](const auto& each) { return each.key == key; });
    return row == rows.end() ? nullptr : &*row;
}

}  // namespace

System::System(ExperimentRequest request) : request_(std::move(request))
{
    request_.workload = kAnyWorkload;
    parameters_ = Experiment(request_).parameters();
    const ParameterRow* kind = find(parameters_, kKind);
    if (kind == nullptr || find(parameters_, kDimensionsKey) == nullptr) {
        throw UserError(fmt::format("whatif: {} is not made of rings; choose a platform such as wulfkit-torus-2d",
                                    request_.platform));
    }
    if (kind->value == "switch") {
        throw UserError(
            fmt::format("whatif: {} joins its rings by a switch, so that there are no dimensions to compare; "
                        "use 'ringmesh run {} --workload latency-map'",
                        request_.platform, request_.platform));
    }
    has_equations_ = kind->value == "torus";
}

System System::overlaid(const std::string& overlay) const
{
    ExperimentRequest request = request_;
    request.overlays.push_back(overlay);
    return System(std::move(request));
}

ExperimentRequest System::with(const std::vector<std::int64_t>& dimensions, std::string workload) const
{
    ExperimentRequest request = request_;
    request.settings.push_back(fmt::format("{}=[{}]", kDimensionsKey, fmt::join(dimensions, ", ")));
    request.workload = std::move(workload);
    return request;
}

std::string_view System::value(std::string_view key) const
{
    const ParameterRow* row = find(parameters_, key);
    if (row == nullptr) throw ModelError(fmt::format("there is no parameter {}", key));
    return row->value;
}

analytic::SwitchStages System::stages() const
{
    const auto duration = [this](std::string_view key) { return required(parse_duration(value(key)), key); };
    const auto cycles = [this](std::string_view key) {
        return static_cast<double>(required(parse_cycles(value(key)), key).count());
    };
    hw::LinkControllerParams chip;
    chip.link_clocked = *hw::kLinkClockedNames.find(value("lc2.link_clocked"));
    const Duration symbol = duration("link.symbol_time");
    chip.decode = duration("lc2.decode");
    analytic::SwitchStages stages;
    stages.decode_ns = chip.decode_time(symbol).ns();
    stages.symbol_ns = symbol.ns();
    stages.in_fifo_ns = chip.fifo_time(duration("lc2.in_fifo_to_blink"), symbol).ns();
    stages.out_fifo_ns = chip.fifo_time(duration("lc2.blink_to_out_fifo"), symbol).ns();
    const auto hertz = static_cast<double>(required(parse_frequency(value("blink.clock")), "blink.clock").hz());
    stages.blink.cycle_ns = 1e9 / hertz;
    stages.blink.arbitration_cycles = cycles("blink.arbitration");
    stages.blink.header_cycles = cycles("blink.header");
    stages.blink.trailer_cycles = cycles("blink.trailer");
    stages.blink.bytes_per_cycle = required(parse_bytes(value("blink.bytes_per_cycle")), "blink.bytes_per_cycle");
    return stages;
}

analytic::SwitchMode System::switch_mode() const
{
    const auto mode = value("lc2.switching");
    if (mode == "cut-through") return analytic::SwitchMode::kFullCutThrough;
    if (mode == "cut-through-receive") return analytic::SwitchMode::kCutThroughOnReceive;
    return analytic::SwitchMode::kStoreAndForward;
}

double System::propagation_ns() const
{
    constexpr double kHalfTheSpeedOfLight = 0.5;  // assumed by analytic::propagation_ns
    const double factor = std::stod(std::string(value("cable.velocity_factor")));
    const Length length = required(parse_length(value("cable.length")), "cable.length");
    return analytic::propagation_ns(length) * kHalfTheSpeedOfLight / factor;
}

std::vector<Change> changes(const System& current, const System& changed)
{
    std::vector<Change> all;
    for (const ParameterRow& row : current.parameters()) {
        const ParameterRow* other = find(changed.parameters(), row.key);
        if (row.key == kDimensionsKey || other == nullptr || other->value == row.value) continue;
        all.push_back({row.key, row.value, other->value, row.meaning});
    }
    return all;
}

void require_comparable(const System& current, const System& changed)
{
    if (find(current.parameters(), kDimensionsKey)->value != find(changed.parameters(), kDimensionsKey)->value) {
        throw UserError(fmt::format(
            "whatif: {} is varied in any case; leave it out and choose numbers of nodes by --sizes", kDimensionsKey));
    }
    if (!changes(current, changed).empty()) return;
    throw UserError(
        fmt::format("whatif: nothing is changed: {0} has these values already; "
                    "'ringmesh list parameters {0}' shows them",
                    current.platform()));
}

}  // namespace ringmesh::lab
