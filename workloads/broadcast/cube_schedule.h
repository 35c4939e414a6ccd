// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tlm/names.h"

namespace ringmesh::workloads::broadcast {

/// What the two cores of a unit do after the last round with one part only.
enum class FinalExchange : std::uint8_t {
    kThesis,   ///< pass on part -1 too, which lies in front of the buffer, as the thesis' program did
    kCorrect,  ///< pass on what the other lacks
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

/// What one core does in one round: at most two calls, in this order.
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

/// Which of the parts to exchange: of each bit of a number the distance to the next 1 above it, from the top on to the
/// lowest; of 0 always the number of bits [004 5.2].
std::vector<unsigned> distances(unsigned number, unsigned bits);
/// How often roles have changed: of each bit of a number the count of ones up to it [004 5.3].
std::vector<unsigned> switches(unsigned number, unsigned bits);

/// Bin Jia's broadcast from core 0 [004 ch. 5] as one core sees it: the units of a hypercube of dimension q =
/// floor(log2 n) exchange parts over one dimension after the other, in parts + q - 1 rounds. Of a power of two each
/// core is a unit. Of others core p forms one with core 2^q - 1 + p as far as these go, and core 0 is alone. In each
/// round one core of a pair, out, sends what the unit sends, then takes from the other what that received the round
/// before; the other, in, receives, then passes on. They change roles whenever the round before was over a bit that is
/// 1 in the lower of their numbers. A single core sends first if its number is below its partner's. After the last
/// round the two of a pair give each other what each lacks.
///
/// Kept as the thesis has it: with any number of cores but a power of two, core 0 takes part in exchanges and so
/// receives all parts but the last, which it has.
class CubeSchedule {
public:
    /// @pre 2 <= cores, core < cores, parts >= 1
    CubeSchedule(unsigned cores, unsigned core, std::int64_t parts, FinalExchange final_exchange);

    unsigned dimension() const { return dimension_; }
    /// Of parts over the cube, without the final exchange.
    std::int64_t rounds() const { return parts_ + dimension_ - 1; }
    /// Rounds and the final exchange, which is empty for who is alone in its unit.
    std::int64_t steps() const { return rounds() + 1; }
    /// @pre 0 <= step < steps()
    Calls at(std::int64_t step) const;

    /// The other core of the unit, or the core itself.
    unsigned companion(unsigned core) const;
    /// Which core of this unit sends in a round.
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
