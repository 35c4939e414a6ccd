// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tlm/parameters/names.h"

namespace ringmesh::workloads::broadcast {

/// The final exchange between the two cores of a unit when there is only one part.
enum class FinalExchange : std::uint8_t {
    kThesis,   ///< also send part -1, which is before the buffer, like the thesis' program
    kCorrect,  ///< send only what the other lacks
};
inline constexpr NameTable<FinalExchange, 2> kFinalExchanges{
    {{{"thesis", FinalExchange::kThesis}, {"correct", FinalExchange::kCorrect}}}};

/// One blocking call.
struct Transfer {
    bool sends = false;  ///< or receives
    unsigned peer = 0;
    std::int64_t part = 0;
    bool operator==(const Transfer&) const = default;
};

/// The calls of one core in one round: at most two, in this order.
class Calls {
public:
    void add(Transfer transfer) { calls_[count_++] = transfer; }
    const Transfer* begin() const { return calls_.data(); }
    const Transfer* end() const { return calls_.data() + count_; }
    std::size_t size() const { return count_; }
    const Transfer& operator[](std::size_t i) const { return calls_[i]; }

private:
    std::array<Transfer, 2> calls_{};
    std::size_t count_ = 0;
};

/// Which part to exchange: for each bit of a number the distance to the next 1 above it, wrapping from the top to the
/// lowest; for 0 always the number of bits [004 5.2].
std::vector<unsigned> distances(unsigned number, unsigned bits);
/// The number of role changes: for each bit of a number the count of ones up to it [004 5.3].
std::vector<unsigned> switches(unsigned number, unsigned bits);

/// Bin Jia's broadcast from core 0 [004 ch. 5] as one core sees it: the units of a hypercube of dimension q =
/// floor(log2 n) exchange parts over one dimension after the other, in parts + q - 1 rounds. With a power of two each
/// core is a unit. Otherwise core p forms a unit with core 2^q - 1 + p if that exists, and core 0 is alone. In each
/// round one core of a pair, "out", sends the unit's part, then receives from the other the part of the previous round;
/// the other, "in", receives, then forwards. They swap roles whenever the previous round was over a bit that is 1 in
/// the lower of their numbers. A single core sends first if its number is below its partner's. After the last round the
/// two of a pair exchange what each lacks.
///
/// As in the thesis: unless the number of cores is a power of two, core 0 takes part in the exchanges and so receives
/// all parts except the last, which it already has.
class CubeSchedule {
public:
    /// @pre 2 <= cores, core < cores, parts >= 1
    CubeSchedule(unsigned cores, unsigned core, std::int64_t parts, FinalExchange final_exchange);

    unsigned dimension() const { return dimension_; }
    /// Rounds over the cube, without the final exchange.
    std::int64_t rounds() const { return parts_ + dimension_ - 1; }
    /// Rounds and the final exchange, which is empty for a core that is alone in its unit.
    std::int64_t steps() const { return rounds() + 1; }
    /// @pre 0 <= step < steps()
    Calls at(std::int64_t step) const;

    /// The other core of the unit, or the core itself.
    unsigned companion(unsigned core) const;
    /// The core of this unit that sends in a round.
    unsigned out(std::int64_t round) const;

private:
    Calls single(unsigned to, unsigned from, std::int64_t sent, std::int64_t received) const;
    Calls exchange_at_end() const;
    unsigned changes_before(std::int64_t round) const;

    unsigned cores_;
    unsigned core_;
    std::int64_t parts_;
    FinalExchange final_exchange_;
    unsigned dimension_;
    unsigned units_;           // 2^q
    unsigned representative_;  // the lower number of the unit
    std::vector<unsigned> distances_;
    std::vector<unsigned> switches_;
};

}  // namespace ringmesh::workloads::broadcast
