// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ringmesh/tlm/parameters/names.h>
#include <ringmesh/workloads/libraries/messaging/message_bytes.h>
#include <ringmesh/workloads/programs/rank_program.h>

#include <memory>
#include <string>
#include <vector>

namespace token_ring {

using namespace ringmesh;
using namespace ringmesh::workloads;

enum class By : std::uint8_t { kPut, kGet };
inline constexpr NameTable<By, 2> kBys{{{{"put", By::kPut}, {"get", By::kGet}}}};

/// A token of some bytes goes round all ranks by one-sided accesses: each writes it into the window of the next one
/// (put), or into its own, from which the next one reads it (get). A flag tells the next one. One round warms up.
class TokenRing final : public RankProgram {
public:
    explicit TokenRing(std::unique_ptr<Library> library) : RankProgram("token-ring", std::move(library)) {}

    Results results() const override
    {
        const double rounds = static_cast<double>(rounds_);
        return {{{"bytes", "bytes"}, {"rounds", ""}, {"round_ns", "ns"}, {"hop_ns", "ns"}},
                {{bytes_, rounds_, took_.ns() / rounds, took_.ns() / rounds / ranks()}},
                {"from rank 0's flag to rank 0's receipt of the token, without the round that warms up"}};
    }

private:
    void visit_options(ParameterVisitor& visitor) override
    {
        visitor.field({"bytes", "bytes of the token", assumed()}, bytes_, {4, 4096});
        visitor.field({"rounds", "timed rounds", assumed()}, rounds_, {1, 10'000});
        visitor.choice({"by", "how the token changes hands", assumed()}, by_, kBys);
    }
    void prepare() override
    {
        require_two();
        for (unsigned n = 0; n < ranks(); ++n) {
            rank(n).create_buffer(static_cast<std::uint32_t>(bytes_));
            flag_ = rank(n).one_sided()->create_flag();
        }
    }
    Started program(unsigned n) override { return {run(n), name()}; }
    std::string doing(unsigned) const override { return "its turn"; }

    Task<> run(unsigned n)
    {
        Rank& me = rank(n);
        OneSided& memory = *me.one_sided();
        const Part token{.buffer = 0, .offset = 0, .size = static_cast<std::uint32_t>(bytes_)};
        const Message content{.size = token.size};
        const unsigned next = (n + 1) % ranks();
        const unsigned holder = by_ == By::kPut ? n : (n + ranks() - 1) % ranks();  // of the window that I read
        co_await me.begin();
        if (n == 0) poke_message(me.processor(), me.address(0), content);
        Duration began;
        for (std::int64_t round = 0; round <= rounds_; ++round) {
            const auto turn = static_cast<std::uint8_t>(1 + round % 255);
            if (n == 0 && round == 1) began = me.processor().time();
            if (n > 0) co_await memory.wait_flag(flag_, turn);
            if (n > 0) co_await memory.get(token, holder, 0);
            co_await memory.put(token, by_ == By::kPut ? next : n, 0);
            co_await memory.set_flag(flag_, turn, next);
            if (n == 0) co_await memory.wait_flag(flag_, turn);
            if (n == 0) co_await memory.get(token, holder, 0);
            require_bytes(me.processor(), me.address(0), content, holder);
        }
        if (n == 0) took_ = me.processor().time() - began;
        co_await me.end();
    }

    std::int64_t bytes_ = 64;
    std::int64_t rounds_ = 10;
    By by_ = By::kPut;
    OneSided::Flag flag_ = 0;
    Duration took_;
};

}  // namespace token_ring
