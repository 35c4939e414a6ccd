// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "tlm/scc/scc_processor.h"

namespace ringmesh::workloads::scc {

enum class ProbeTarget : std::uint8_t {
    kMpb,     ///< a message-passing buffer
    kMemory,  ///< the core's private memory, or what all cores share behind a chosen controller
};

/// The pages through which memory is accessed.
enum class ProbePage : std::uint8_t {
    kAuto,      ///< of memory uncached
    kUncached,  ///< past the caches
    kCached,    ///< through both caches
    kMpbt,      ///< as a message-passing buffer: through the first-level cache and the write-combine buffer
};

enum class ProbeOperation : std::uint8_t { kRead, kWrite };

/// The variable of the rows.
enum class ProbeBy : std::uint8_t {
    kAuto,      ///< distance; of cached pages, size, unless controllers are chosen
    kDistance,  ///< links between the core and its target, or the chosen tiles or controllers
    kStride,    ///< bytes from one access to the next
    kSize,      ///< bytes of the buffer that is walked
};

struct ProbeOptions {
    static constexpr std::int64_t kDefaultSize = 8192;
    static constexpr std::int64_t kDefaultStride = 32;
    static constexpr std::string_view kDefaultStrides = "4..4096 x2";

    ProbeTarget target = ProbeTarget::kMpb;
    ProbeOperation operation = ProbeOperation::kRead;
    ProbeBy by = ProbeBy::kAuto;
    ProbePage page = ProbePage::kAuto;
    std::int64_t core = 0;
    std::string tile = "auto";
    std::string controller = "auto";
    std::int64_t bytes = 4;
    std::int64_t accesses = 64;
    std::int64_t size = kDefaultSize;
    std::int64_t stride = kDefaultStride;
    std::string sizes = "auto";
    std::string strides{kDefaultStrides};
    std::int64_t contenders = 0;

    void visit(ParameterVisitor& visitor);
    /// Writes what "auto" means, but for lists of places.
    void write_out_auto();
    /// The variable of the rows, with auto resolved.
    ProbeBy axis() const;
    /// How the buffer is mapped.
    PageKind page_kind() const;
    /// The chosen tiles or controllers; empty: none is chosen. @throws UserError naming the option
    std::vector<std::uint32_t> chosen(std::uint32_t there_are) const;
    /// The sizes or strides to measure. @throws UserError naming the option
    std::vector<std::uint32_t> buffer_sizes() const;
    std::vector<std::uint32_t> stride_list() const;
    /// Checks combinations of options. @throws UserError
    void require_sound() const;
};

std::string_view word(ProbeTarget target);
std::string_view word(ProbeOperation operation);
/// "uncached", "cached" or "mpbt".
std::string_view word(PageKind page);

}  // namespace ringmesh::workloads::scc
