// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tlm/ncube/ncube_machine.h"
#include "workloads/vertex/vertex.h"
#include "workloads/vertex/vertex_library.h"
#include "workloads/workload.h"

namespace ringmesh::workloads::vertex {

enum class Program : std::uint8_t {
    kMessage,    ///< node 0 writes to the node that is `length` hops away, which reads
    kChain,      ///< programs forward a message from neighbour to neighbour, `length` times
    kExchange,   ///< nodes 0 and 1 write to each other and then read, `length` times
    kStream,     ///< node 0 writes `length` messages to node 1
    kBroadcast,  ///< from node 0 down a binomial tree, highest dimension first
    kAllToAll,   ///< every node to every other, a read after each write
};

struct ProgramOptions {
    Program program = Program::kChain;
    std::string sizes = "16,500,1000,1500,2000";
    std::int64_t length = 4;
    bool compute = true;

    void visit(ParameterVisitor& visitor);
};

/// Small programs over Vertex, to compare with the prediction of the six times. One size at a time, with an idle
/// machine between; every byte is checked.
class VertexProgram final : public WorkloadOn<NcubeMachine> {
public:
    explicit VertexProgram(ProgramOptions options = {}) : options_(std::move(options)) {}
    VertexProgram(const VertexProgram&) = delete;
    VertexProgram& operator=(const VertexProgram&) = delete;

    Library* library() override { return &library_; }
    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kProcessor; }
    void start_on(NcubeMachine& machine) override;
    void check() const override;
    Results results() const override;

private:
    struct Round {
        Duration began = Duration::never();
        Duration ended;
        std::uint64_t read = 0;
    };

    Task<> node(unsigned rank);
    Task<> round(unsigned rank, std::size_t number);
    Task<> chain(unsigned rank, std::size_t number);
    Task<> exchange(unsigned rank, std::size_t number);
    Task<> broadcast(unsigned rank, std::size_t number);
    Task<> all_to_all(unsigned rank, std::size_t number);
    Task<> write(unsigned rank, unsigned to, std::size_t number);
    Task<> read(unsigned rank, int from, std::size_t number);
    unsigned on_chain(unsigned step) const;
    std::uint64_t messages() const;

    ProgramOptions options_;
    VertexLibrary library_;
    NcubeMachine* machine_ = nullptr;
    std::vector<std::uint32_t> sizes_;
    std::vector<std::unique_ptr<Vertex>> vertices_;
    std::vector<std::uint64_t> from_, to_;
    std::vector<Round> rounds_;
    std::vector<bool> seen_;  // of all-to-all, by round, reader and writer
};

}  // namespace ringmesh::workloads::vertex
