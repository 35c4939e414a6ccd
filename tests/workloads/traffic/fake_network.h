// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/machine/traffic_machine.h"

namespace ringmesh::test {

/// A network of rows and columns with a clock and without contention: every packet takes its zero-load latency and
/// `late` more. It has packets of `size`, of one kind or the other.
class FakeNetwork final : public TrafficMachine {
public:
    FakeNetwork(Simulation& simulation, unsigned columns, unsigned rows, Frequency frequency = 1000_MHz)
        : agenda("agenda"), simulation_(simulation), columns_(columns), rows_(rows), clock_(frequency)
    {}

    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return columns_ * rows_; }
    Layout layout() const override { return mesh_layout(columns_, rows_); }
    Clock clock() const override { return clock_; }
    Defaults traffic_defaults(const PacketForm&) const override
    {
        return {.load = 0.1, .arrivals = Arrivals::kBernoulli, .duration = 20'000_cycles * clock_};
    }
    std::string_view load_unit() const override { return "parts/cycle"; }
    std::string_view load_meaning() const override { return "parts per sending node and cycle"; }
    bool sends_to_itself() const override { return true; }
    PacketForm packets(PacketOptions& options) const override
    {
        options.require_only({"size", "kind"});
        const auto size = number_of("size", options.size, 1, 1, 64);
        if (options.kind == "mixed") return {static_cast<std::uint32_t>(size), {1, 2}, static_cast<double>(size)};
        return {static_cast<std::uint32_t>(size), {1, 1}, static_cast<double>(size)};
    }
    std::unique_ptr<ExpectedLoad> expected_load(const PacketForm& packets) const override
    {
        return std::make_unique<InjectedLoad>(nodes(), packets.mean_size(), 2'000_cycles, clock_, "port");
    }
    unsigned hops(unsigned from, unsigned to) const override
    {
        const auto part = [](unsigned a, unsigned b) { return a < b ? b - a : a - b; };
        return part(from % columns_, to % columns_) + part(from / columns_, to / columns_);
    }
    /// Ten cycles for each link, and one for each part of the packet.
    std::optional<Duration> unloaded_latency(unsigned hops, const PacketForm& packets) const override
    {
        return Cycles(10 * std::int64_t{hops} + packets.size) * clock_;
    }
    std::vector<SharedResources> shared() const override
    {
        SharedResources links{.sort = "link", .busy = {}};
        for (const std::uint64_t parts : carried_) {
            links.busy.push_back({Cycles(static_cast<std::int64_t>(parts)) * clock_, Duration::zero()});
        }
        return {links};
    }
    std::string shared_name(std::size_t, std::size_t i) const override { return "link" + std::to_string(i); }
    std::uint64_t link_crossings() const override { return crossings_; }
    void resume_traffic(unsigned source, std::uint8_t /*stream*/) override
    {
        if (silent_.at(source)) carry_next(source);
    }

    Agenda agenda;
    Duration late;
    /// How often the n-th packet of the run (from 0) is delivered.
    std::function<int(std::size_t)> deliveries = [](std::size_t) { return 1; };
    std::vector<Injection> injections;
    std::vector<unsigned> sources;  ///< of the injections

private:
    void start_sources(TrafficModel& model, const PacketForm& packets) override
    {
        model_ = &model;
        packets_ = packets;
        silent_.assign(nodes(), false);
        for (unsigned node = 0; node < nodes(); ++node) carry_next(node);
    }

    void carry_next(unsigned node)
    {
        const Injection injection = model_->next(node);
        silent_[node] = injection.at == Duration::never();
        if (!silent_[node]) agenda.at(injection.at, [this, node, injection] { carry(node, injection); });
    }
    void carry(unsigned node, const Injection& injection)
    {
        const std::size_t number = injections.size();
        injections.push_back(injection);
        sources.push_back(node);
        const unsigned way = hops(node, injection.to);
        crossings_ += way * injection.size;
        carried_[node % carried_.size()] += injection.size;
        const OfferedPacket packet{
            .source = node, .target = injection.to, .born = injection.at, .size = injection.size};
        const Duration arrival = injection.at + *unloaded_latency(way, {.size = injection.size}) + late;
        for (int i = 0; i < deliveries(number); ++i) {
            agenda.at(arrival, [this, packet, arrival] { model_->delivered(packet, arrival); });
        }
        carry_next(node);
    }

    Simulation& simulation_;
    unsigned columns_, rows_;
    Clock clock_;
    TrafficModel* model_ = nullptr;
    PacketForm packets_;
    std::vector<bool> silent_;
    std::uint64_t crossings_ = 0;
    std::vector<std::uint64_t> carried_ = std::vector<std::uint64_t>(2);
};

}  // namespace ringmesh::test
