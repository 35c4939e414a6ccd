// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tlm/parameters/names.h"
#include "tlm/parameters/node_kind.h"
#include "tlm/pc/pc_processor.h"

/// The layout of a benchmark's message in memory [000 app. A]. The receiver polls only the last word; all other bytes
/// are a pattern that differs between messages, so that the receiver can check every byte.
namespace ringmesh::workloads {

/// How a program writes a message.
enum class Stores : std::uint8_t {
    kAuto,  ///< 1, 2, 4 and 8 bytes by one assignment, all other sizes by memcpy
    kMemcpy,
    kMmx,
    kSingle,  ///< assignments of up to 8 bytes in a row
};

inline constexpr NameTable<Stores, 4> kStoresNames{
    {{{"auto", Stores::kAuto}, {"memcpy", Stores::kMemcpy}, {"mmx", Stores::kMmx}, {"single", Stores::kSingle}}}};

StoreKind store_kind(Stores stores, std::uint32_t size);
/// Of programs that write remote memory so, and do nothing else with it.
ProgramUse use_of(Stores stores);

/// Size of the next assignment when single stores write `left` bytes at `address`: up to 8 bytes, aligned to its size.
std::uint32_t assignment_bytes(std::uint64_t address, std::uint32_t left);

struct Message {
    std::uint32_t size = 0;
    std::uint32_t repetition = 0;  ///< within its size; 0 warms up
    std::uint64_t sequence = 0;    ///< its number among all messages of the run in the same direction
    bool awaited = true;           ///< the receiver polls for it
};

/// Bytes from the start of a receive area (a 64-byte boundary) to the message. An aligned one ends on a 64-byte
/// boundary, so that its last store makes the bridge flush; any other begins on the boundary.
std::uint64_t message_offset(std::uint32_t size, bool aligned);
/// Size of a receive area for messages of up to this size.
std::uint64_t area_bytes(std::uint32_t largest);

/// Bytes of the polled word at the end of a message: all of 1, 2, 4 or 8; of others 4, or 1 if they are no multiple
/// of 4.
std::uint32_t polled_bytes(std::uint32_t size);
/// The polled word's value: messages less than 128 apart never share it, nor do an awaited one and one that is not, and
/// no awaited one has the value 0 of a cleared word.
std::uint64_t polled_value(const Message& message);

/// A byte of the pattern. It differs between any two messages less than 256 apart.
constexpr std::byte pattern_byte(std::uint64_t sequence, std::uint64_t index)
{
    return static_cast<std::byte>((131 * sequence + 13 * index + 31 * (index >> 8) + 57 * (index >> 16)) & 0xff);
}

/// Writes all bytes of a message. @pre bytes.size() == message.size
void write_message(const Message& message, std::span<std::byte> bytes);

struct WrongByte {
    std::size_t index;
    std::byte found;
    std::byte expected;
};
std::optional<WrongByte> first_wrong_byte(const Message& message, std::span<const std::byte> bytes);

/// The messages of a run in order, the same for both sides: for each size one warm-up, then `series` times
/// `repetitions`. The receiver awaits every `answer_every`-th of them, the warm-up among them.
class Schedule {
public:
    struct Shape {
        std::uint32_t series = 1;
        std::uint32_t repetitions = 1;
        std::uint32_t answer_every = 1;
    };
    Schedule() = default;
    Schedule(std::vector<std::uint32_t> sizes, Shape shape);

    const std::vector<std::uint32_t>& sizes() const { return sizes_; }
    std::uint32_t series() const { return shape_.series; }
    std::uint32_t repetitions() const { return shape_.repetitions; }
    std::uint64_t messages() const { return sizes_.size() * per_size(); }
    /// @pre number < messages()
    Message message(std::uint64_t number) const;
    /// The first awaited message from this number on, or none.
    std::optional<Message> awaited_from(std::uint64_t number) const;

private:
    std::uint64_t per_size() const { return 1 + std::uint64_t{shape_.series} * shape_.repetitions; }

    std::vector<std::uint32_t> sizes_;
    Shape shape_;
};

}  // namespace ringmesh::workloads
