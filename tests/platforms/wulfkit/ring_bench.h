// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/wulfkit/machine.h"
#include "tests/hw/printing.h"
#include "tests/support/statistics.h"
#include "tlm/error.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

/// A whole Wulfkit ring of PCs or of packet sources, with sums over all of its blocks.
template <class SomeMachine>
struct RingBenchOf {
    static constexpr std::uint64_t kInbox = hw::SegmentTable::kFirst;
    static constexpr SegmentId kInboxSegment = 0;

    explicit RingBenchOf(const platforms::WulfkitParams& wanted, std::uint64_t seed = 1)
        : params(wanted), simulation(seed), machine(simulation, wanted)
    {}

    static platforms::WulfkitParams nodes(unsigned count)
    {
        platforms::WulfkitParams params;
        params.topology.dimensions = {static_cast<std::int64_t>(count)};
        return params;
    }
    unsigned nodes() const { return machine.nodes(); }

    /// Gives every node a segment of this size, exported, at kInbox in its memory.
    void open_inboxes(std::uint64_t size)
    {
        for (unsigned rank = 0; rank < nodes(); ++rank) {
            SegmentDriver& segments = machine.processor(rank).segments();
            if (segments.create_segment(kInboxSegment, size) != kInbox) throw ModelError("the inbox is elsewhere");
            segments.export_segment(kInboxSegment);
        }
    }
    /// @return the address where `cpu` accesses `size` bytes from `offset` of the inbox of node `to`
    static std::uint64_t map_inbox(PcProcessor& cpu, unsigned to, std::uint64_t offset, std::uint64_t size)
    {
        SegmentDriver& segments = cpu.segments();
        return segments.map_segment(segments.import_segment(to, kInboxSegment), offset, size);
    }

    /// The sum of one statistic over all blocks with this suffix.
    double sum(std::string_view block, std::string_view statistic) const
    {
        double all = 0;
        visit([&](const std::string& name, std::string_view key, double value) {
            if (name.ends_with(block) && key == statistic) all += value;
        });
        return all;
    }
    /// Every statistic of every block, to the last digit, and the end of the run.
    std::string digest() const
    {
        std::string text = std::to_string(now().ps());
        visit([&text](const std::string& name, std::string_view key, double value) {
            char number[32];
            std::snprintf(number, sizeof number, "%.17g", value);
            text += "\n" + name + "." + std::string(key) + " = " + number;
        });
        return text;
    }

    platforms::WulfkitParams params;
    Simulation simulation;
    SomeMachine machine;

private:
    template <class Function>
    void visit(const Function& function) const
    {
        for (const Component* component : simulation.components()) {
            for (const auto& [key, value] : statistics_of(*component)) {
                function(component->component_name(), key, value);
            }
        }
    }
};

using RingBench = RingBenchOf<platforms::WulfkitMachine>;
using SourceBench = RingBenchOf<platforms::BareRings>;

/// Some bytes that differ from message to message.
inline std::vector<std::byte> message(std::size_t size, std::uint64_t number)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(1 + (number * 131 + i * 17) % 255);
    return bytes;
}

}  // namespace ringmesh::test
