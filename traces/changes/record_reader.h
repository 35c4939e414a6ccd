// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "tlm/units/units.h"
#include "traces/changes/change_log.h"

namespace ringmesh {

/// Calls `reader` for each record of a block. It has: step, number, real, word, trigger, text, busy, new_word, comment,
/// stage, as ChangeLog has, with numbers in place of words.
template <class Reader>
void read_records(RecordBlock block, Reader& reader)
{
    const std::uint64_t* at = block.data();
    const std::uint64_t* const end = at + block.size();
    const auto time = [](std::uint64_t word) { return Duration::picoseconds(static_cast<std::int64_t>(word)); };
    const auto text = [&at](std::uint32_t size) {
        const std::string_view found(reinterpret_cast<const char*>(at), size);
        at += (size + sizeof *at - 1) / sizeof *at;
        return found;
    };
    while (at != end) {
        const std::uint64_t head = *at++;
        const auto kind = static_cast<RecordKind>(head & 0xf);
        const auto a = static_cast<std::uint32_t>(head >> 4 & 0xfff'ffff);
        const auto b = static_cast<std::uint32_t>(head >> 32);
        switch (kind) {
            case RecordKind::kStep: reader.step(time(head >> 4)); break;
            case RecordKind::kSmall: reader.number(a, b); break;
            case RecordKind::kNumber: reader.number(a, *at++); break;
            case RecordKind::kReal: {
                double value = 0;
                std::memcpy(&value, at++, sizeof value);
                reader.real(a, value);
                break;
            }
            case RecordKind::kWord: reader.word(a, b); break;
            case RecordKind::kTrigger: reader.trigger(a); break;
            case RecordKind::kText: reader.text(a, text(b)); break;
            case RecordKind::kBusy:
                reader.busy(a, time(at[0]), time(at[1]), b, at[2]);
                at += 3;
                break;
            case RecordKind::kNewWord: reader.new_word(text(b)); break;
            case RecordKind::kComment: reader.comment(text(b)); break;
            case RecordKind::kStage:
                reader.stage(a >> 4, a & 0xf, b, at[0], time(at[1]), time(at[2]));
                at += 3;
                break;
        }
    }
}

}  // namespace ringmesh
