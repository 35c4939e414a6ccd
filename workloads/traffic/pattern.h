// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/machine/traffic_machine.h"
#include "tlm/parameters/parameters.h"
#include "tlm/parameters/policy.h"
#include "tlm/simulation/random.h"

/// Traffic patterns: the destinations of packets.
namespace ringmesh::workloads {

enum class Loop : std::uint8_t {
    kOpen,    ///< sources offer packets at a rate, independent of their delivery
    kClosed,  ///< an operation with an end: a source sends the next packet after the response to the previous one
};

/// Options used by some patterns.
struct PatternOptions {
    std::int64_t hot_node = 0;
    double hot_part = 0.5;
    std::int64_t root = 0;
    bool self = false;
    std::string senders = "0";
    std::string receivers = "1";
    std::string hot_shares = "0:0.25,1:0.25";
    std::int64_t distance = 2;
    std::int64_t permutation = 1;
    std::string rates;
    std::string folder;  ///< from which `rates` names a file; empty: the current one
};
enum class PatternOption : std::uint8_t {
    kNone,
    kHotSpot,
    kRoot,
    kSelf,
    kBetween,
    kHotSpots,
    kDistance,
    kPermutation,
    kRates
};

/// A pattern is a policy: a class derived from this one, with a constructor from Layout and PatternOptions.
class Pattern {
public:
    static constexpr Loop kLoop = Loop::kOpen;
    static constexpr PatternOption kOption = PatternOption::kNone;  ///< that it uses

    virtual ~Pattern() = default;
    /// The destination of a node's next packet. None: in an open loop the node never sends; in a closed loop it has
    /// nothing to send before a packet reaches it, or has finished.
    virtual std::optional<unsigned> next(unsigned source, Random& random) = 0;
    /// Open loops: the long-term flows of each node's packets.
    virtual void expect(Flows&) const {}
    /// Open loops: packets of a node by the mean of those that send.
    virtual double weight(unsigned /*source*/) const { return 1; }
    /// Closed loops: a packet has reached this node.
    virtual void reached(unsigned) {}
    /// Closed loops: packets of the whole operation.
    virtual std::uint64_t messages() const { return 0; }
};

struct PatternPolicy : PolicyName {
    Loop loop = Loop::kOpen;
    PatternOption option = PatternOption::kNone;
    /// @throws UserError if the pattern does not exist for this layout
    std::unique_ptr<Pattern> (*make)(const Layout& layout, const PatternOptions& options) = nullptr;

    static constexpr PolicyKindName kKind{"traffic-pattern", "workloads/traffic/patterns"};
    static std::span<const PatternPolicy> table();
    template <class SomePattern>
    static constexpr PatternPolicy of()
    {
        return {SomePattern::kPolicy, SomePattern::kLoop, SomePattern::kOption,
                [](const Layout& layout, const PatternOptions& options) -> std::unique_ptr<Pattern> {
                    return std::make_unique<SomePattern>(layout, options);
                }};
    }
};
using PatternChoice = PolicyChoice<PatternPolicy>;

/// Those of open loops alone.
PolicyKind open_patterns();
/// Names, of which the options of patterns depend.
std::vector<std::string> patterns_with(PatternOption option);
std::vector<std::string> patterns_of(Loop loop);
/// The pattern for one workload, whose name begins the messages. @throws UserError if it does not exist on this machine
std::unique_ptr<Pattern> make_pattern(std::string_view workload, const PatternChoice& pattern, const Layout& layout,
                                      const PatternOptions& options);

/// Files of the pattern whose content decides what it does.
std::vector<std::string> files_of(const PatternPolicy& pattern, const PatternOptions& options);

/// The options of open patterns that place the traffic, such as hot spots, senders and receivers.
void visit_places(ParameterVisitor& visitor, PatternOptions& places);

/// @throws UserError naming the pattern if no node sends
void require_senders(const ExpectedLoad& expected, const PatternPolicy& pattern);

/// @throws UserError if this machine has no such node
void require_node(const Layout& layout, const std::string& option, std::int64_t node);

}  // namespace ringmesh::workloads
