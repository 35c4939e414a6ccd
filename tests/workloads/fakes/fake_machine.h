// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "tests/workloads/fakes/fake_processor.h"
#include "tests/workloads/run_workload.h"
#include "tlm/sci/sci_machine.h"
#include "tlm/time/kernel_time.h"
#include "workloads/workload.h"

namespace ringmesh::test {

/// Calls functions at simulated times; at equal times in the order of the requests.
class Agenda final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Agenda);
    explicit Agenda(const sc_core::sc_module_name& name);
    void at(Duration time, std::function<void()> call);

private:
    void run_due();

    std::multimap<Duration, std::function<void()>> calls_;
    sc_core::sc_event due_{"due"};
};

/// A ring of fake processors, or of packet sources between which each packet takes the time of the first flight.
class FakeMachine final : public SciMachine, public TrafficMachine {
public:
    FakeMachine(Simulation& simulation, unsigned nodes, FakeCosts fake_costs = {});

    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return nodes_; }
    const TorusShape* torus() const override { return shape ? &*shape : nullptr; }
    unsigned rings() const override;
    unsigned links_per_node() const override { return shape ? shape->dimensions() : 1; }
    /// In the order of dimensions of a torus, or by `way`.
    Route route(unsigned from, unsigned to, sci::Class kind) const override;
    Duration hop_time() const override { return 70_ns; }
    Clock clock() const override { return Clock(200_MHz); }
    std::vector<SharedResources> shared() const override;
    std::string shared_name(std::size_t, std::size_t i) const override { return "link" + std::to_string(i); }
    std::uint64_t retries() const override { return 0; }
    void resume_traffic(unsigned source, std::uint8_t /*stream*/) override;
    Duration link_time(sci::Command command) const override { return (sci::symbols(command) + 2) * 5_ns; }
    Duration source_bus_time(sci::Command) const override { return bus_time; }
    FakeProcessor& processor(unsigned rank) override { return *processors_.at(rank); }
    TrafficMachine* sources() override { return nullptr; }
    std::uint64_t link_crossings() const override { return link_crossings_; }

    /// Asks the traffic model for packets and carries them; without it a test asks the model itself.
    void carry_traffic();

    FakeCosts costs;
    TrafficModel* model = nullptr;
    std::vector<Injection> injections;  ///< all that the model offered
    std::function<unsigned(unsigned, unsigned)> way;
    std::optional<TorusShape> shape;  ///< none: one ring that does not say that it is one
    /// How many times the n-th request of the run (from 0) and its response are delivered.
    std::function<int(std::size_t)> deliveries = [](std::size_t) { return 1; };
    std::function<int(std::size_t)> answers = [](std::size_t) { return 1; };
    std::uint64_t stores_made = 0;
    Duration bus_time;      ///< of a request between its source and the links
    Duration booked_ahead;  ///< on each link
    Agenda agenda;

private:
    void start_sources(TrafficModel& traffic, const PacketForm&) override { model = &traffic; }
    void carry_next(unsigned source);
    void carry(unsigned source, const Injection& injection);

    Simulation& simulation_;
    unsigned nodes_;
    std::uint64_t link_crossings_ = 0;
    std::vector<bool> asked_;  // which sources have a packet that is still to come
    std::vector<std::unique_ptr<FakeProcessor>> processors_;
};

/// A cell of a table by its row and the name of its column.
template <class Value>
Value cell(const workloads::Results& results, std::size_t row, const std::string& column)
{
    for (std::size_t i = 0; i < results.columns.size(); ++i) {
        if (results.columns[i].name == column) return std::get<Value>(results.rows.at(row).at(i));
    }
    throw std::out_of_range("no column " + column);
}

}  // namespace ringmesh::test
