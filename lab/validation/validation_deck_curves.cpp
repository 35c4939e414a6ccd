// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "lab/validation/deck_parts.h"

/// The figures of [002] as curves over size: one experiment for each curve.
namespace ringmesh::lab::deck {
namespace {

struct Curve {
    const char* figure;
    const char* name;
    const char* workload;
    const char* library = "";  ///< empty: none
    const char* setting = nullptr;
    const char* latency = "latency_avg_ns";  ///< column, in ns
    const char* bandwidth = "throughput_mb_per_s";
};

constexpr const char* kBlockLatency = "latency_ns";
constexpr const char* kBlockBandwidth = "bandwidth_mb_per_s";

constexpr std::array kCurves{
    Curve{"1", "remote write", "remote-write:sizes=1..256 step 1,repetitions=2", "", nullptr, kBlockLatency,
          kBlockBandwidth},
    Curve{"1", "remote read", "remote-read:sizes=8..256 step 8,widths=8", "", nullptr, "load_ns", kBlockBandwidth},
    Curve{"1", "remote read, prefetch", "remote-read:sizes=8..256 step 8,widths=8", "", "psb.read_prefetch=true",
          "load_ns", kBlockBandwidth},
    Curve{"2", "MMX stores", "remote-write:sizes=64..1024 step 64,2048..65536 x2,repetitions=20", "", nullptr,
          kBlockLatency, kBlockBandwidth},
    Curve{"2", "memcpy", "remote-write:stores=memcpy,sizes=64..1024 step 64,2048..65536 x2,repetitions=20", "", nullptr,
          kBlockLatency, kBlockBandwidth},
    Curve{"4, 6, 7", "protocol 1", "ping-pong:sizes=0..62 step 1,repetitions=10", "deck:protocol=1"},
    Curve{"4, 7", "protocol 2", "ping-pong:sizes=64..2048 step 64,repetitions=16", "deck:protocol=2"},
    Curve{"4, 7", "protocol 3", "ping-pong:sizes=64..2048 step 64,repetitions=16", "deck:protocol=3"},
    Curve{"5, 8", "protocol 2", "ping-pong:sizes=1024..1048576 x2,repetitions=1", "deck:protocol=2"},
    Curve{"5, 8", "protocol 3", "ping-pong:sizes=1024..1048576 x2,repetitions=1", "deck:protocol=3"},
    Curve{"6, 7", "ScaMPI", "ping-pong:sizes=0..64 step 4,128..2048 step 64,repetitions=16", "scampi"},
    Curve{"6, 7", "SCI-MPICH", "ping-pong:sizes=0..64 step 4,128..2048 step 64,repetitions=16", "sci-mpich"},
    Curve{"8", "ScaMPI", "ping-pong:sizes=1024..1048576 x2,repetitions=1", "scampi"},
    Curve{"8", "SCI-MPICH", "ping-pong:sizes=1024..1048576 x2,repetitions=1", "sci-mpich"},
};

std::string name_of(const Curve& curve) { return fmt::format("deck figure {}: {}", curve.figure, curve.name); }

/// A load's column is the time of one instruction: a block takes size / width of them.
double instructions(const Curve& curve, double size)
{
    constexpr double kWidth = 8;
    return curve.latency == std::string_view("load_ns") ? size / kWidth : 1;
}

}  // namespace

void plan_curves(Experiments& experiments)
{
    for (const Curve& curve : kCurves) {
        std::vector<std::string> settings;
        if (curve.setting != nullptr) settings.emplace_back(curve.setting);
        experiments.plan(name_of(curve), over(curve.library, request(curve.workload, std::move(settings))));
    }
}

std::vector<CurvePoint> curves(const Experiments& experiments)
{
    std::vector<CurvePoint> points;
    for (const Curve& curve : kCurves) {
        const Outcome& outcome = experiments.outcome(name_of(curve));
        const auto sizes = column(outcome, "size_bytes");
        const auto latencies = column(outcome, curve.latency);
        const auto bandwidths = column(outcome, curve.bandwidth);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            points.push_back({curve.figure, curve.name, sizes[i], latencies.at(i) * instructions(curve, sizes[i]) / 1e3,
                              bandwidths.at(i)});
        }
    }
    return points;
}

}  // namespace ringmesh::lab::deck
