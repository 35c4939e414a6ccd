#pragma once

#include <ringmesh/workloads/messaging/message_bytes.h>
#include <ringmesh/workloads/programs/rank_program.h>

#include <memory>

namespace @snake@ {

using namespace ringmesh;
using namespace ringmesh::workloads;

/// A message of `size` bytes is handed on from rank to rank, once round. One class is the whole program: its options, its
/// buffers, what each rank does, and what comes of it.
class @Pascal@ final : public RankProgram {
public:
    explicit @Pascal@(std::unique_ptr<Library> library) : RankProgram("@name@", std::move(library)) {}

    Results results() const override
    {
        return {{{"ranks", ""}, {"size", "bytes"}, {"time_ns", "ns"}},
                {{std::int64_t{ranks()}, size_, took_.ns()}},
                {"from rank 0's send to its receipt of the message"}};
    }

private:
    void visit_options(ParameterVisitor& visitor) override
    {
        visitor.field({"size", "bytes of the message", assumed()}, size_, {1, 65'536});
    }
    void prepare() override
    {
        require_two();
        for (unsigned n = 0; n < ranks(); ++n) rank(n).create_buffer(static_cast<std::uint32_t>(size_));
    }
    Started program(unsigned n) override { return {run(n), name()}; }
    std::string doing(unsigned) const override { return "the round"; }

    /// Await alone or as a plain initialiser; name what you hand over.
    Task<> run(unsigned n)
    {
        Rank& me = rank(n);
        const Message message{.size = static_cast<std::uint32_t>(size_)};
        const Part part{.buffer = 0, .offset = 0, .size = message.size};
        const unsigned before = (n + ranks() - 1) % ranks();
        co_await me.begin();
        if (n == 0) poke_message(me.processor(), me.address(0), message);
        const Duration begin = me.processor().time();
        if (n > 0) co_await me.receive(before, part);
        co_await me.send((n + 1) % ranks(), part);
        if (n == 0) co_await me.receive(before, part);
        require_bytes(me.processor(), me.address(0), message, before);
        if (n == 0) took_ = me.processor().time() - begin;
        co_await me.end();
    }

    std::int64_t size_ = 64;
    Duration took_;
};

}  // namespace @snake@
