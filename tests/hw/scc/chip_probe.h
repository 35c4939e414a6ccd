// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/memory.h"
#include "hw/scc/core/core_port.h"
#include "tests/hw/timetable.h"
#include "tlm/error.h"
#include "tlm/pools/payload_pool.h"

namespace ringmesh::test {

/// Models the chip outside one core: bytes at every system address, and a port with a constant access time. Accesses
/// take effect half-way. A read of a test-and-set register returns 1 if it acquired it; any write releases it.
class ChipProbe final : public hw::CorePort, public hw::ChipBytes {
public:
    ChipProbe(const std::string& name, Duration latency_of_all) : latency(latency_of_all), timetable_(name.c_str()) {}

    struct Access {
        bool read = false;
        hw::SystemAddress where;
        std::uint32_t size = 0;
        std::vector<bool> enabled;
        Duration asked;
        Duration leaves;
        Duration met;
        Duration answered;
    };
    const Duration latency;
    std::vector<Access> accesses;
    hw::CoreSide* core = nullptr;
    unsigned out = 0, most_reads_out = 0, most_writes_out = 0;  // at one time

    void request(unsigned, ::tlm::tlm_generic_payload& transaction, Duration leaves) override
    {
        const auto where = hw::decode(transaction.get_address());
        Access access{transaction.is_read(), where,           transaction.get_data_length(), {}, now(), leaves,
                      leaves + latency / 2,  leaves + latency};
        for (unsigned i = 0; i < access.size; ++i) access.enabled.push_back(enabled(transaction, i));
        accesses.push_back(access);
        auto& here = access.read ? reads_out_ : writes_out_;
        auto& most = access.read ? most_reads_out : most_writes_out;
        most = std::max(most, ++here);
        timetable_.at(access.met, [this, &transaction, where] { meet(transaction, where); });
        timetable_.at(access.answered, [this, &transaction, &here] {
            --here;
            core->answered(transaction, now());
        });
    }

    void read(const hw::SystemAddress& from, std::span<std::byte> into) const override
    {
        memory(from).read(from.offset, into);
    }
    void write(const hw::SystemAddress& to, std::span<const std::byte> from) override
    {
        memory(to).write(to.offset, from);
    }
    void watch(const hw::SystemAddress& place, hw::CoreSide& by) override
    {
        if (!watched_.insert({line(place), &by}).second) throw ModelError("watched twice");
    }
    void unwatch(const hw::SystemAddress& place, hw::CoreSide& by) override
    {
        if (watched_.erase({line(place), &by}) == 0) throw ModelError("not watched");
    }
    std::size_t watched() const { return watched_.size(); }

    /// Another core writes a byte.
    void set_at(Duration time, const hw::SystemAddress& place, unsigned value)
    {
        timetable_.at(time, [this, place, value] {
            const std::byte byte{static_cast<unsigned char>(value)};
            write(place, {&byte, 1});
            notify(place);
        });
    }
    /// Another core releases a lock.
    void release(const hw::SystemAddress& place) { free_.release(place.offset); }
    void call_at(Duration time, std::function<void()> call) { timetable_.at(time, std::move(call)); }

private:
    static hw::SystemAddress line(hw::SystemAddress place)
    {
        place.offset = place.offset / 32 * 32;
        return place;
    }
    static bool enabled(const ::tlm::tlm_generic_payload& transaction, unsigned i)
    {
        const auto* enables = transaction.get_byte_enable_ptr();
        return enables == nullptr || enables[i % transaction.get_byte_enable_length()] != TLM_BYTE_DISABLED;
    }
    hw::Memory& memory(hw::SystemAddress where) const
    {
        where.offset = 0;
        auto& found = memories_[where];
        if (!found) found = std::make_unique<hw::Memory>(std::uint64_t{1} << 32);
        return *found;
    }
    void meet(::tlm::tlm_generic_payload& transaction, const hw::SystemAddress& where)
    {
        const auto bytes = bytes_of(transaction);
        if (where.space == hw::Space::kRegisters) {
            if (transaction.is_read()) bytes[0] = std::byte{free_.exchange_taken(where.offset)};
            if (!transaction.is_read()) free_.release(where.offset);
            return;
        }
        if (transaction.is_read()) {
            read(where, bytes);
            return;
        }
        for (unsigned i = 0; i < bytes.size(); ++i) {
            if (!enabled(transaction, i)) continue;
            auto at = where;
            at.offset += i;
            write(at, bytes.subspan(i, 1));
        }
        notify(where);
    }
    void notify(const hw::SystemAddress& place)
    {
        const auto watched = watched_;
        for (const auto& [where, by] : watched) {
            if (where == line(place)) by->changed(where, 0);
        }
    }

    struct Locks {
        std::set<std::uint64_t> taken;
        unsigned char exchange_taken(std::uint64_t offset) { return taken.insert(offset).second ? 1 : 0; }
        void release(std::uint64_t offset) { taken.erase(offset); }
    } free_;
    mutable std::map<hw::SystemAddress, std::unique_ptr<hw::Memory>> memories_;
    std::set<std::pair<hw::SystemAddress, hw::CoreSide*>> watched_;
    unsigned reads_out_ = 0, writes_out_ = 0;
    Timetable timetable_;
};

}  // namespace ringmesh::test
