// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <vector>

#include "hw/psb/stream_buffers.h"
#include "tests/hw/printing.h"
#include "tests/support/policies.h"

namespace ringmesh::test {

/// Bytes of a card's stream buffers and of its largest transaction.
struct Card {
    std::uint64_t stream;
    std::uint64_t transaction;

    void set(hw::PsbParams& params) const
    {
        params.stream_bytes = Bytes(static_cast<std::int64_t>(stream));
        params.transaction_bytes = Bytes(static_cast<std::int64_t>(transaction));
    }
    friend std::ostream& operator<<(std::ostream& out, const Card& card)
    {
        return out << card.stream << '/' << card.transaction;
    }
};

/// D308 to D312, D320 and D330 [MPMPICH].
inline constexpr std::array kCards{Card{64, 64}, Card{128, 64}, Card{128, 128}};

inline hw::PsbParams streams_with(std::int64_t buffers, hw::StreamAssignment assignment = "any-free",
                                  const Card& card = kCards[0])
{
    hw::PsbParams params;
    params.stream_buffers = buffers;
    params.stream_assignment = assignment;
    card.set(params);
    return params;
}

inline std::vector<std::byte> bytes(std::size_t size, unsigned first = 1)
{
    std::vector<std::byte> all(size);
    for (std::size_t i = 0; i < size; ++i) all[i] = static_cast<std::byte>(first + i * 7);
    return all;
}

/// Stores as the bus does: in pieces that end at multiples of `piece`. @return whether the buffers took everything
inline bool store(hw::StreamBuffers& streams, std::uint64_t address, const std::vector<std::byte>& all,
                  std::uint64_t piece, Duration time = 1_us)
{
    std::size_t done = 0;
    while (done < all.size()) {
        const auto count = std::min<std::size_t>(piece - (address + done) % piece, all.size() - done);
        if (!streams.open(address + done)) return false;
        streams.store(address + done, {all.data() + done, count}, time);
        done += count;
    }
    return true;
}

/// Answers every transaction at once until none is left.
inline std::vector<hw::StreamTransaction> drain(hw::StreamBuffers& streams, std::map<std::uint64_t, std::byte>& memory)
{
    std::vector<hw::StreamTransaction> all;
    while (const auto transaction = streams.next_transaction()) {
        for (std::size_t i = 0; i < transaction->size; ++i) memory[transaction->address + i] = transaction->data[i];
        all.push_back(*transaction);
        streams.respond(transaction->buffer);
    }
    return all;
}

/// How many transactions of whole blocks, of the largest size or 64 bytes, and how many of up to 16 bytes a range of
/// bytes has to make.
struct ExpectedTransactions {
    ExpectedTransactions(const Card& card, std::uint64_t address, std::uint64_t size)
    {
        const std::uint64_t end = address + size;
        while (address < end) {
            const std::uint64_t stream_end = std::min(end, (address / card.stream + 1) * card.stream);
            const auto whole = [&](std::uint64_t block) {
                return address % block == 0 && address + block <= stream_end;
            };
            if (whole(card.transaction) || whole(sci::kBlockBytes)) {
                ++large;
                address += whole(card.transaction) ? card.transaction : sci::kBlockBytes;
            } else {
                ++small;
                address = std::min(stream_end, (address / sci::kSubBlockBytes + 1) * sci::kSubBlockBytes);
            }
        }
    }
    std::size_t all() const { return large + small; }

    std::size_t large = 0, small = 0;
};

}  // namespace ringmesh::test
