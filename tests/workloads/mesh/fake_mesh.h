// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "tests/workloads/fake_machine.h"
#include "tlm/mesh/mesh_machine.h"

namespace ringmesh::test {

/// A mesh without contention: every packet takes its zero-load latency and `late` more.
class FakeMesh final : public MeshMachine {
public:
    FakeMesh(Simulation& simulation, unsigned columns, unsigned rows, Frequency frequency = 1000_MHz)
        : agenda("agenda"), simulation_(simulation), columns_(columns), rows_(rows), clock_(frequency)
    {}

    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return columns_ * rows_; }
    unsigned columns() const override { return columns_; }
    unsigned rows() const override { return rows_; }
    Clock clock() const override { return clock_; }
    /// Ten cycles for each link, and one for each flit.
    Duration zero_load_latency(unsigned from, unsigned to, std::uint32_t flits) const override
    {
        return Cycles(10 * std::int64_t{hops(from, to)} + flits) * clock_;
    }
    std::string_view detail() const override { return "fake"; }
    std::uint64_t flit_hops() const override { return flit_hops_; }
    std::vector<std::uint64_t> link_flits() const override { return link_flits_; }
    std::string link_name(std::size_t i) const override { return "link" + std::to_string(i); }
    void start_traffic(mesh::TrafficModel& model) override
    {
        model_ = &model;
        for (unsigned node = 0; node < nodes(); ++node) carry_next(node);
    }

    Agenda agenda;
    Duration late;
    /// How often the n-th packet of the run (from 0) is delivered.
    std::function<int(std::size_t)> deliveries = [](std::size_t) { return 1; };
    std::vector<mesh::Injection> injections;
    std::vector<unsigned> sources;  ///< of the injections

private:
    unsigned hops(unsigned from, unsigned to) const
    {
        const auto part = [](unsigned a, unsigned b) { return a < b ? b - a : a - b; };
        return part(from % columns_, to % columns_) + part(from / columns_, to / columns_);
    }
    void carry_next(unsigned node)
    {
        const mesh::Injection injection = model_->next(node);
        if (injection.at == Duration::never()) return;
        agenda.at(injection.at, [this, node, injection] { carry(node, injection); });
    }
    void carry(unsigned node, const mesh::Injection& injection)
    {
        const std::size_t number = injections.size();
        injections.push_back(injection);
        sources.push_back(node);
        const auto place = [this](unsigned at) {
            return mesh::Terminal{.x = static_cast<std::uint16_t>(at % columns_),
                                  .y = static_cast<std::uint16_t>(at / columns_)};
        };
        mesh::Packet packet{.from = place(node),
                            .to = place(injection.to),
                            .kind = injection.kind,
                            .flits = injection.flits,
                            .born_ps = injection.at.ps(),
                            .source = node};
        flit_hops_ += hops(node, injection.to) * injection.flits;
        link_flits_[node % link_flits_.size()] += injection.flits;
        const Duration arrival = injection.at + zero_load_latency(node, injection.to, injection.flits) + late;
        for (int i = 0; i < deliveries(number); ++i) {
            agenda.at(arrival, [this, packet, arrival] { model_->delivered(packet, arrival); });
        }
        carry_next(node);
    }

    Simulation& simulation_;
    unsigned columns_, rows_;
    Clock clock_;
    mesh::TrafficModel* model_ = nullptr;
    std::uint64_t flit_hops_ = 0;
    std::vector<std::uint64_t> link_flits_ = std::vector<std::uint64_t>(2);
};

}  // namespace ringmesh::test
