// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tlm/units/units.h"

namespace ringmesh {

/// A recording in the making, as small records in blocks: what the simulation writes, a few nanoseconds a change. A
/// record is words of 64 bits; the first has the kind (4 bits), a number (28) and a number or size (32). What follows:
enum class RecordKind : std::uint8_t {
    kStep,     ///< nothing; the upper 60 bits are the time in ps. What is recorded next holds at the end of it
    kSmall,    ///< of signal A, the number B: nothing
    kNumber,   ///< of signal A: the number
    kReal,     ///< of signal A: the double
    kWord,     ///< of signal A, the word B: nothing
    kTrigger,  ///< of signal A, an event: nothing
    kText,     ///< of signal A, B bytes: digits, or a word if the signal is one
    kBusy,     ///< of slot A, with word B: from, to, id
    kNewWord,  ///< of B bytes: its number is that of the words before it
    kComment,  ///< of B bytes
    kStage,    ///< at place A / 16 (a word), of kind A % 16, with word B: number of the packet, from, to
};

using RecordBlock = std::span<const std::uint64_t>;

/// Beside the kind of a stage: in a block that was not selected.
inline constexpr std::uint32_t kNotShown = 8;

class ChangeLog {
public:
    static constexpr std::size_t kBlockWords = 64 * 1024;
    static constexpr std::size_t kLongestText = 64 * 1024;

    /// Full blocks go to `take`, which returns an empty one for them.
    using Block = std::unique_ptr<std::uint64_t[]>;
    using Take = std::function<Block(Block, std::size_t)>;
    explicit ChangeLog(Take take);

    void step(Duration time)
    {
        reserve(1);
        *at_++ = static_cast<std::uint64_t>(RecordKind::kStep) | static_cast<std::uint64_t>(time.ps()) << 4;
    }
    void number(std::uint32_t signal, std::uint64_t value)
    {
        reserve(2);
        if (value <= UINT32_MAX) {
            *at_++ = head(RecordKind::kSmall, signal, static_cast<std::uint32_t>(value));
        } else {
            *at_++ = head(RecordKind::kNumber, signal, 0);
            *at_++ = value;
        }
    }
    void real(std::uint32_t signal, double value)
    {
        reserve(2);
        *at_++ = head(RecordKind::kReal, signal, 0);
        std::memcpy(at_++, &value, sizeof value);
    }
    void trigger(std::uint32_t signal)
    {
        reserve(1);
        *at_++ = head(RecordKind::kTrigger, signal, 0);
    }
    void word(std::uint32_t signal, std::string_view text)
    {
        const std::uint32_t word = number_of(text);
        reserve(1);
        *at_++ = head(RecordKind::kWord, signal, word);
    }
    void busy(std::uint32_t slot, Duration from, Duration to, std::string_view what, std::uint64_t id)
    {
        const std::uint32_t word = number_of(what);
        reserve(4);
        at_[0] = head(RecordKind::kBusy, slot, word);
        at_[1] = static_cast<std::uint64_t>(from.ps());
        at_[2] = static_cast<std::uint64_t>(to.ps());
        at_[3] = id;
        at_ += 4;
    }
    /// @param kind below 16
    void stage(std::string_view where, std::uint32_t kind, std::string_view what, std::uint64_t transaction,
               Duration from, Duration to)
    {
        const std::uint32_t place = number_of(where);
        const std::uint32_t word = number_of(what);
        reserve(4);
        at_[0] = head(RecordKind::kStage, place << 4 | kind, word);
        at_[1] = transaction;
        at_[2] = static_cast<std::uint64_t>(from.ps());
        at_[3] = static_cast<std::uint64_t>(to.ps());
        at_ += 4;
    }
    void text(std::uint32_t signal, std::string_view text) { bytes(RecordKind::kText, signal, text); }
    void comment(std::string_view text) { bytes(RecordKind::kComment, 0, text); }

    /// What has not been taken yet.
    RecordBlock rest() const { return {begin_.get(), static_cast<std::size_t>(at_ - begin_.get())}; }
    void hand_over();

private:
    static std::uint64_t head(RecordKind kind, std::uint32_t a, std::uint32_t b)
    {
        return static_cast<std::uint64_t>(kind) | std::uint64_t{a} << 4 | std::uint64_t{b} << 32;
    }
    void reserve(std::ptrdiff_t words)
    {
        if (end_ - at_ < words) hand_over();
    }
    /// Blocks say the same few words again and again.
    std::uint32_t number_of(std::string_view text)
    {
        // Names of places differ at their ends
        const auto at = [text](std::size_t i) { return std::size_t{static_cast<unsigned char>(text[i])}; };
        const std::size_t size = text.size();
        std::size_t place = size;
        if (size > 0) place += 3 * at(0) + 7 * at(size - 1) + 31 * at(size / 2);
        if (size > 3) place += 67 * at(size - 2) + 131 * at(size - 3) + 257 * at(size - 4);
        Known& known = known_[place % known_.size()];
        return known.text == text && known.text.data() != nullptr ? known.number : look_up(text, known);
    }
    struct Known {
        std::string_view text{};
        std::uint32_t number = 0;
    };
    std::uint32_t look_up(std::string_view text, Known& known);
    void bytes(RecordKind kind, std::uint32_t a, std::string_view text);

    Take take_;
    Block begin_;
    std::uint64_t* at_;
    std::uint64_t* end_;
    std::unordered_map<std::string_view, std::uint32_t> words_;
    std::vector<std::unique_ptr<std::string>> texts_;  ///< that words_ views
    std::array<Known, 1024> known_;
};

}  // namespace ringmesh
