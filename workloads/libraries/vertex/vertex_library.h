// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "workloads/libraries/library.h"
#include "workloads/libraries/vertex/vertex.h"
#include "workloads/libraries/vertex/vertex_labelled.h"

namespace ringmesh::workloads::vertex {

/// Vertex as a rank: tags are types. A message's buffer is the program's own memory; Vertex copies it.
class VertexRank final : public Rank {
public:
    VertexRank(NcubeMachine& machine, unsigned rank) : vertex_(machine, rank) {}

    Vertex& vertex() { return vertex_; }
    const Vertex& vertex() const { return vertex_; }

    Processor& processor() const override { return vertex_.cpu(); }
    using Rank::create_buffer;
    BufferId create_buffer(std::uint32_t size, std::uint32_t largest_part) override;
    std::uint64_t address(BufferId buffer) const override { return buffers_.at(buffer).address; }

    using Rank::receive;
    using Rank::send;
    Task<> send(unsigned to, Part bytes, Tag tag) override;
    Task<> send_constant(unsigned to, Part bytes, Tag tag) override;
    Task<workloads::Received> receive(unsigned from, Part room, Tag tag) override;
    bool has_mail() const override { return vertex_.unread() > 0; }
    LabelledMessages* labelled() override
    {
        if (!labelled_) labelled_ = std::make_unique<VertexLabelled>(vertex_);
        return labelled_.get();
    }
    MessagingStatistics statistics() const override;
    std::string problem() const override;

private:
    struct Buffer {
        std::uint32_t size = 0;
        std::uint64_t address = 0;
    };
    mutable Vertex vertex_;
    std::vector<Buffer> buffers_;
    std::unique_ptr<LabelledMessages> labelled_;
};

/// The operating system of the NCUBE's nodes. What it costs are parameters of the machine: vertex.*.
class VertexLibrary final : public Library {
public:
    std::vector<Offer> offers() const override;
    bool adds_labels() const override { return true; }
    Measured measured() const override { return Measured::kVertex; }
    void visit(ParameterVisitor& /*visitor*/) override {}
    std::vector<std::unique_ptr<Rank>> make_ranks(Machine& machine, const Placement& ranks) override;
    /// @pre the ranks are made
    void require_carried(std::uint32_t size, std::string_view subject, Cure cure) const override;

private:
    std::uint32_t room_ = 0;                           // bytes of a node's system buffers
    std::vector<std::unique_ptr<VertexRank>> others_;  // nodes that only forward
};

}  // namespace ringmesh::workloads::vertex
