// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "hw/sci/link/cut_link.h"
#include "hw/sci/link/faulty_link.h"
#include "platforms/wulfkit/network.h"
#include "platforms/wulfkit/node.h"
#include "tlm/sci/sci_machine.h"

namespace ringmesh::platforms {

/// The links of Wulfkit nodes and switches, connected as the graph of WulfkitNetwork says.
class WulfkitRings : public virtual SciNetwork {
public:
    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return network_.nodes(); }
    const TorusShape* torus() const override { return network_.torus(); }
    unsigned links_per_node() const override { return network_.links_per_node(); }
    unsigned rings() const override { return network_.rings(); }
    Route route(unsigned from, unsigned to, sci::Class kind) const override
    {
        return network_.routes().route(from, to, kind);
    }
    Duration link_time(sci::Command command) const override;
    Duration hop_time() const override;
    Clock clock() const override;
    /// Links, B-Links and, of a machine with hosts, PCI buses. A link is busy with a packet and its idle symbols, a
    /// B-Link with arbitration and transfer, PCI with transactions that succeed.
    std::vector<SharedResources> shared() const override;
    std::string shared_name(std::size_t sort, std::size_t i) const override;
    std::uint64_t retries() const override;
    /// Of packets, echoes included.
    std::uint64_t link_crossings() const override;

protected:
    WulfkitRings(Simulation& simulation, const WulfkitParams& params) : simulation_(simulation), network_(params) {}
    /// @param all nodes, in the order of their ranks; null: another process builds it @pre blinks_ and pcis_ are those
    /// of the nodes
    void join(const std::vector<WulfkitNode*>& all);
    bool builds(unsigned box) const { return simulation_.builds(network_.part_of(box)); }
    /// Of a divided run, before anything is built.
    void cut_places();

    Simulation& simulation_;
    const WulfkitNetwork network_;
    std::vector<const hw::BLinkBus*> blinks_;  ///< null: another process builds it
    std::vector<const hw::PciBus*> pcis_;
    std::unique_ptr<CutCables> cut_cables_;  ///< null if one process runs it

private:
    /// Of the link controller, or of a block in front of it.
    LinkEnd& end_of_cable(unsigned chip, hw::LinkController& lc2);

    /// Directly, or by a link with the faults of either. @param end of the cable that leads to `to`: a socket
    template <class End>
    void connect(hw::LinkController& from, hw::LinkController& to, End& end);
    /// A cable from this chip to a part that another process runs, or from there. @return whether it is one
    bool cut(unsigned chip, hw::LinkController* from, hw::LinkController* to);

    std::vector<std::unique_ptr<SwitchNode>> switches_;
    std::vector<std::unique_ptr<hw::FaultyLink>> faulty_links_;
    std::vector<std::unique_ptr<hw::CutLink>> cut_links_;
    std::vector<std::unique_ptr<sc_core::sc_module>> link_blocks_;
    std::vector<const hw::LinkController*> links_;  // null: another process builds it
};

/// A machine whose nodes are PCs. Programs run on it, and background traffic of sources beside them.
class WulfkitMachine final : public SciMachine, public TrafficMachine, public WulfkitRings {
public:
    WulfkitMachine(Simulation& simulation, const WulfkitParams& params);

    /// PCs.
    unsigned nodes() const override { return network_.graph().pcs(); }
    /// Between the PCs of two processors.
    Route route(unsigned from, unsigned to, sci::Class kind) const override;
    unsigned processors() const override { return nodes() * processors_; }
    PcProcessor& processor(unsigned number) override
    {
        return hosts_.at(number % nodes())->pc.processor(number / nodes());
    }
    bool runs(unsigned processor) const override;
    TrafficMachine* sources() override { return network_.params().sources ? this : nullptr; }
    /// As without sources, if there are none.
    Duration source_bus_time(sci::Command command) const override;
    PacketForm packets(PacketOptions& options) const override;
    void resume_traffic(unsigned source, std::uint8_t stream) override { hosts_.at(source)->source()->resume(stream); }
    /// Access to the hardware, for tests and studies.
    HostNode& host(unsigned rank) { return *hosts_.at(rank); }

private:
    void start_sources(TrafficModel& model, const PacketForm& packets) override;
    unsigned processors_ = 1;  // of each PC
    hw::HostSegmentDriver::Tables segments_;
    std::vector<std::unique_ptr<HostNode>> hosts_;
};

/// A machine whose nodes are packet sources, without PCs: traffic runs on it.
class BareRings final : public TrafficMachine, public WulfkitRings {
public:
    /// @param kind of source
    BareRings(Simulation& simulation, const WulfkitParams& params, NodeKind kind = NodeKind::kPacketSource);

    Duration source_bus_time(sci::Command command) const override;
    void resume_traffic(unsigned source, std::uint8_t stream) override { sources_.at(source)->source.resume(stream); }
    /// Access to the hardware, for tests and studies.
    SourceNode& source(unsigned rank) { return *sources_.at(rank); }

private:
    void start_sources(TrafficModel& model, const PacketForm& packets) override;
    std::vector<std::unique_ptr<SourceNode>> sources_;  // null: another process builds it
    bool on_blink_ = false;
};

}  // namespace ringmesh::platforms
