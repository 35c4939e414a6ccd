// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "platforms/configuration.h"
#include "tests/platforms/configuration/temporary_folder.h"

/// A machine with a parameter of every type, and a folder for its files.
namespace ringmesh::platforms::test {

enum class Arbiter { kRoundRobin, kFixed };
inline constexpr NameTable<Arbiter, 2> kArbiters{{{{"round_robin", Arbiter::kRoundRobin}, {"fixed", Arbiter::kFixed}}}};

struct LinkParams {
    Duration symbol_time = 4_ns;
    Length cable = 1_m;
    Arbiter arbiter = Arbiter::kFixed;
    void visit(ParameterVisitor& visitor)
    {
        visitor.field({"symbol_time", "One symbol", assumed()}, symbol_time, {1_ps, 1_us});
        visitor.field({"cable", "A cable", assumed()}, cable, {0_m, 100_m});
        visitor.choice({"arbiter", "Who goes first", assumed()}, arbiter, kArbiters);
    }
};

struct MachineParams {
    std::int64_t nodes = 8;
    LinkParams link;
    Frequency clock = 50_MHz;
    Bytes fifo = 2_KiB;
    Cycles latency = 3_cycles;
    double load = 0.5;
    bool checks = true;
    std::string sizes = "64";
    void visit(ParameterVisitor& visitor)
    {
        TopologyGroup topology{nodes};
        visitor.group("topology", "The shape", topology);
        visitor.group("link", "The link", link);
        visitor.field({"clock", "The clock", assumed()}, clock, {1_MHz, 999_MHz});
        visitor.field({"fifo", "A FIFO", assumed()}, fifo, {0_B, 1_MiB});
        visitor.field({"latency", "Its latency", assumed()}, latency, {0_cycles, 99_cycles});
        visitor.field({"load", "The load", assumed()}, load, {0.0, 1.0});
        visitor.field({"checks", "Whether to check", assumed()}, checks);
        visitor.text({"sizes", "Sizes", assumed()}, sizes);
    }

private:
    struct TopologyGroup {
        std::int64_t& nodes;
        void visit(ParameterVisitor& visitor) { visitor.field({"nodes", "How many", assumed()}, nodes, {2, 4096}); }
    };
};

/// Two header lines; a test's own text begins in line 3.
inline const std::string kHeader = "machine = \"wulfkit\"\ndescription = \"A ring\"\n";
inline const std::string kFile = "platforms/wulfkit-ring.toml";

struct ConfigurationFixture {
    ringmesh::test::TemporaryFolder folder;

    Configuration with(const std::string& text) const
    {
        return Configuration::load(folder.write(kFile, kHeader + text));
    }
    static MachineParams read(const Configuration& configuration)
    {
        MachineParams params;
        configuration.read_into(params);
        return params;
    }
};

}  // namespace ringmesh::platforms::test
