// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/machine/processor.h"

namespace ringmesh {

/// How a program copies memory, word by word or line by line.
enum class CopyKind : std::uint8_t {
    kPlain,                ///< load a word, store a word
    kPrefetchDestination,  ///< first load a word of each destination line, so that the stores hit the cache
    kPrefetchSource,       ///< load a word of the next source line before storing this one
};

/// Copy bytes as a program does. The ranges must not overlap.
struct CopyRequest {
    CopyKind kind = CopyKind::kPlain;
    std::uint64_t to = 0;
    std::uint64_t from = 0;
    std::uint32_t size = 0;
    std::uint32_t width = 4;  ///< bytes of each load and store instruction: 1, 2, 4 or 8; the rest takes narrower ones
};

/// CL1INVMB: drop every line of a message-passing buffer from the first-level cache.
struct InvalidateRequest {};

/// How a page of memory is cached.
enum class PageKind : std::uint8_t {
    kCached,         ///< in both levels
    kUncached,       ///< in none
    kMessageBuffer,  ///< MPBT: first level only; stores go through the write-combine buffer
};

/// A core of the SCC. Addresses are virtual, 32 bits wide, translated by the core's page table and the tile's look-up
/// table (LUT). Stores to a message-passing buffer are write-combined: a line leaves when it is full or another line is
/// stored to. An access to an unmapped address is a UserError that names core and address.
class SccProcessor : public PollingProcessor {
public:
    static constexpr std::uint32_t kLine = 32;                 ///< bytes of a cache line
    static constexpr std::uint32_t kMessageBuffer = 8 * 1024;  ///< bytes of a core's message-passing buffer

    Operation<SccProcessor, CopyRequest> copy(const CopyRequest& request) { return {*this, request}; }
    Operation<SccProcessor, InvalidateRequest> invalidate_message_buffers() { return {*this, {}}; }

    /// Where this core sees a byte of a core's message-passing buffer, as an MPBT page.
    /// @throws UserError if there is no such core or the offset is not below kMessageBuffer
    virtual std::uint64_t message_buffer(unsigned core, std::uint32_t offset = 0) const = 0;
    /// Where this core sees a core's test-and-set register: a load of 4 bytes returns 1 if it acquired the lock, 0 if
    /// the lock was held; any store releases it. @throws UserError if there is no such core
    virtual std::uint64_t test_and_set(unsigned core) const = 0;
    /// Private memory behind the core's memory controller, zeroed, whole pages. @return its first address
    /// @throws UserError if there is not enough memory
    virtual std::uint64_t allocate(std::uint64_t size, PageKind kind = PageKind::kCached) = 0;
    /// Where this core sees the memory behind a controller that all cores share, through pages of this kind. All calls
    /// of all cores see the same bytes; nothing keeps caches coherent. @param size bytes from its start on
    /// @throws UserError if there is no such controller or it has less
    virtual std::uint64_t shared_memory(unsigned controller, std::uint32_t size, PageKind kind) = 0;

protected:
    using PollingProcessor::begin;
    virtual void begin(const CopyRequest& request) = 0;
    virtual void begin(InvalidateRequest request) = 0;

    template <class SomeProcessor, class Request>
    friend struct Processor::Operation;
};

}  // namespace ringmesh
