// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <utility>

#include "tlm/parameters/parameters.h"
#include "tlm/parameters/policy.h"
#include "tlm/sci/link.h"
#include "tlm/simulation/simulation.h"

/// Your own blocks in the cables of a Wulfkit machine, one in front of each link controller:
///
///     link controller --> cable --> link_in | the block | link_out --> next link controller
///
/// A block is a class that is an sc_module and a Component, with
///
///     static constexpr PolicyName kPolicy{"repeater", "a repeater at the end of each cable"};
///     struct Params { void visit(ParameterVisitor& visitor); };
///     Block(const sc_core::sc_module_name& name, Simulation& simulation, const Params& params);
///     static Duration latency(const Params& params);   // that it adds to a packet's head on an idle link
///     sci::LinkTarget<Block> link_in{"link_in"};
///     sci::LinkInitiator<Block> link_out{"link_out"};
///
/// `LinkBlockPolicy::of<Block>()` is a row for command_line(). On every platform of the kind wulfkit,
/// `--set link_block.kind=repeater` then puts the blocks in, and link_block.NAME sets their parameters. A program
/// without such a row has no table link_block.
namespace ringmesh::platforms {

/// What takes packets at the end of a cable.
using LinkEnd = ::tlm::tlm_target_socket<sci::kLinkWidth, sci::LinkProtocol>;

/// The parameters of such blocks, which makes them.
class LinkBlocks {
public:
    virtual ~LinkBlocks() = default;
    virtual std::unique_ptr<LinkBlocks> copy() const = 0;
    virtual void visit(ParameterVisitor& visitor) = 0;
    virtual Duration latency() const = 0;

    struct Made {
        std::unique_ptr<sc_core::sc_module> block;
        LinkEnd& end;  ///< its own
    };
    /// Makes one in front of the end `next`.
    virtual Made make(const std::string& name, Simulation& simulation, LinkEnd& next) const = 0;
};

template <class Block>
class LinkBlocksOf final : public LinkBlocks {
public:
    std::unique_ptr<LinkBlocks> copy() const override { return std::make_unique<LinkBlocksOf>(*this); }
    void visit(ParameterVisitor& visitor) override { params_.visit(visitor); }
    Duration latency() const override { return Block::latency(params_); }
    Made make(const std::string& name, Simulation& simulation, LinkEnd& next) const override
    {
        auto block = std::make_unique<Block>(name.c_str(), simulation, params_);
        block->link_out.bind(next);
        LinkEnd& end = block->link_in;
        return {std::move(block), end};
    }

private:
    typename Block::Params params_;
};

/// A sort of such blocks.
struct LinkBlockPolicy : PolicyName {
    std::unique_ptr<LinkBlocks> (*make)();  ///< null for none

    static constexpr PolicyKindName kKind{"link-block", "platforms/wulfkit"};
    static std::span<const LinkBlockPolicy> table();
    template <class Block>
    static constexpr LinkBlockPolicy of()
    {
        return {Block::kPolicy,
                []() -> std::unique_ptr<LinkBlocks> { return std::make_unique<LinkBlocksOf<Block>>(); }};
    }
};

/// The table link_block of a platform.
class LinkBlockParams {
public:
    LinkBlockParams() = default;
    LinkBlockParams(const LinkBlockParams& other)
        : kind_(other.kind_), blocks_(other.blocks_ ? other.blocks_->copy() : nullptr)
    {}
    LinkBlockParams(LinkBlockParams&&) = default;
    LinkBlockParams& operator=(LinkBlockParams other)
    {
        kind_ = other.kind_;
        blocks_ = std::move(other.blocks_);
        return *this;
    }
    ~LinkBlockParams() = default;

    /// Whether this program has blocks to choose from.
    static bool any() { return LinkBlockPolicy::table().size() > 1; }
    void visit(ParameterVisitor& visitor);
    /// Null if there are none.
    const LinkBlocks* blocks() const { return blocks_.get(); }

private:
    PolicyChoice<LinkBlockPolicy> kind_ = "none";
    std::unique_ptr<LinkBlocks> blocks_;
};

}  // namespace ringmesh::platforms
