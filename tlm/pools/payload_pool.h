// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tlm>

#include "tlm/pools/pool.h"

/// Pooled generic payloads for PCI transactions.
namespace ringmesh {

/// Why a target refuses a transaction, which will be tried again.
struct Refusal {
    std::string_view why = "gap before the retry";  ///< a string literal; this if the target did not say
    std::uint64_t behind = 0;                       ///< the packet that it waits for, if that is known
};

/// The number of the packet that a memory-mapped transaction belongs to, for waveforms and logs.
struct PacketTag final : ::tlm::tlm_extension<PacketTag> {
    std::uint64_t packet = 0;  ///< 0: none
    Refusal refusal;           ///< the last one, if journeys are recorded

    ::tlm::tlm_extension_base* clone() const override { return new PacketTag(*this); }
    void copy_from(const ::tlm::tlm_extension_base& other) override { *this = static_cast<const PacketTag&>(other); }
};

/// Generic payloads with their own data and a PacketTag, reused by reference counting as TLM-2.0 has it: acquire()
/// counts one reference; release() of the last one brings the payload back.
class PayloadPool final : public ::tlm::tlm_mm_interface {
public:
    static constexpr std::string_view kKind = "bus transactions";
    static constexpr std::size_t kLargest = 128;  ///< bytes of data

    /// A write of these bytes, which are copied. @pre bytes.size() <= kLargest
    ::tlm::tlm_generic_payload& acquire_write(std::uint64_t address, std::span<const std::byte> bytes,
                                              std::uint64_t packet = 0);
    /// A read of so many bytes. @pre size <= kLargest
    ::tlm::tlm_generic_payload& acquire_read(std::uint64_t address, std::size_t size, std::uint64_t packet = 0);
    void free(::tlm::tlm_generic_payload* payload) override;
    std::size_t in_use() const { return cells_.in_use(); }

private:
    struct Cell : ::tlm::tlm_generic_payload {
        std::array<std::byte, kLargest> data{};
        PacketTag tag;
        ~Cell() override { clear_extension(&tag); }
        void renew();
    };
    Cell& acquire(std::uint64_t address, std::size_t size, std::uint64_t packet);

    Pool<Cell> cells_;
};

/// The bytes behind a payload.
inline std::span<std::byte> bytes_of(const ::tlm::tlm_generic_payload& payload)
{
    return {reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length()};
}

/// The target says why it refuses; nobody hears it if the payload has no PacketTag.
inline void refuse(::tlm::tlm_generic_payload& payload, const Refusal& refusal)
{
    auto* tag = payload.get_extension<PacketTag>();
    if (tag != nullptr) tag->refusal = refusal;
}
inline Refusal refusal_of(const ::tlm::tlm_generic_payload& payload)
{
    const auto* tag = payload.get_extension<PacketTag>();
    return tag == nullptr ? Refusal{} : tag->refusal;
}

/// The number of the packet behind a payload, or 0.
inline std::uint64_t packet_of(const ::tlm::tlm_generic_payload& payload)
{
    const auto* tag = payload.get_extension<PacketTag>();
    return tag == nullptr ? 0 : tag->packet;
}

}  // namespace ringmesh
