// SPDX-License-Identifier: Apache-2.0
#include "workloads/scc/probe_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tlm/error.h"
#include "tlm/scc/scc_processor.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads::scc {
namespace {

constexpr NameTable<ProbeTarget, 3> kTargets{
    {{{"mpb", ProbeTarget::kMpb}, {"memory", ProbeTarget::kMemory}, {"cached", ProbeTarget::kCached}}}};
constexpr NameTable<ProbeOperation, 2> kOperations{
    {{{"read", ProbeOperation::kRead}, {"write", ProbeOperation::kWrite}}}};
constexpr NameTable<ProbeBy, 4> kBys{{{{"auto", ProbeBy::kAuto},
                                       {"distance", ProbeBy::kDistance},
                                       {"stride", ProbeBy::kStride},
                                       {"size", ProbeBy::kSize}}}};

constexpr std::int64_t kLargestBuffer = 16 * 1024 * 1024;

}  // namespace

std::string_view word(ProbeTarget target) { return kTargets.name(target); }
std::string_view word(ProbeOperation operation) { return kOperations.name(operation); }

void ProbeOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice(
        {"target", "what is accessed: a message-passing buffer, private memory, or that through the caches", assumed()},
        target, kTargets);
    visitor.choice({"operation", "read or write", assumed()}, operation, kOperations);
    visitor.choice(
        {"by",
         "what changes from row to row: distance, stride or size of the buffer; auto: distance, or of caches size",
         assumed()},
        by, kBys);
    visitor.field({"core", "the core that accesses; of memory by distance: others take their turn", assumed()}, core,
                  {0, 1'000'000});
    visitor.field({"bytes", "bytes of each access: 1, 2, 4, or a multiple of 4 up to the line of 32", assumed()}, bytes,
                  {1, SccProcessor::kLine});
    visitor.field(
        {"accesses", "timed accesses of each row; by size and stride at least once through the buffer", assumed()},
        accesses, {2, 1'000'000});
    visitor.field({"size", "by stride: bytes of the buffer", assumed()}, size, {32, kLargestBuffer});
    visitor.field({"stride", "by size: bytes from one access to the next", assumed()}, stride, {1, 65536});
    visitor.text(
        {"sizes", "by size: bytes of the buffers, as '1024..1048576 x2'; auto: what fits the target", assumed()},
        sizes);
    visitor.text({"strides", "by stride: bytes from one access to the next, as '4..4096 x2'", assumed()}, strides);
    visitor.field({"contenders",
                   "cores that access the same buffer, or their memory behind the same controller, all "
                   "the while",
                   assumed()},
                  contenders, {0, 1'000'000});
}

ProbeBy ProbeOptions::axis() const
{
    if (by != ProbeBy::kAuto) return by;
    return target == ProbeTarget::kCached ? ProbeBy::kSize : ProbeBy::kDistance;
}

std::vector<std::uint32_t> ProbeOptions::buffer_sizes() const
{
    const bool mpb = target == ProbeTarget::kMpb;
    const SizeRules rules{.name = "sizes",
                          .owner = "a buffer",
                          .examples = "'8192' or '1024..1048576 x2'",
                          .smallest = SccProcessor::kLine,
                          .largest = mpb ? SccProcessor::kMessageBuffer : static_cast<std::uint32_t>(kLargestBuffer)};
    if (sizes != "auto") return parse_sizes(sizes, rules);
    return parse_sizes(mpb ? "1024..8192 x2" : "4096..1048576 x2", rules);
}

std::vector<std::uint32_t> ProbeOptions::stride_list() const
{
    return parse_sizes(strides, {.name = "strides",
                                 .owner = "a stride",
                                 .examples = "'32' or '4..4096 x2'",
                                 .smallest = 1,
                                 .largest = static_cast<std::uint32_t>(size)});
}

void ProbeOptions::require_sound() const
{
    const auto wrong = [](std::string_view what, std::string_view cure) {
        throw UserError(fmt::format("memory-probe: {}; {}", what, cure));
    };
    if (bytes % 4 != 0 && bytes != 1 && bytes != 2) {
        wrong(fmt::format("bytes = {}: no access has so many", bytes), "write 1, 2, 4, 8, 12, ... or 32");
    }
    const auto only_by = [&](bool given, std::string_view option, ProbeBy its) {
        if (!given || axis() == its) return;
        wrong(fmt::format("{} is looked at by {} alone, and this probe goes by {}", option, kBys.name(its),
                          kBys.name(axis())),
              fmt::format("write by={}, or leave it out", kBys.name(its)));
    };
    only_by(sizes != "auto", "sizes", ProbeBy::kSize);
    only_by(stride != kDefaultStride, "stride", ProbeBy::kSize);
    only_by(strides != kDefaultStrides, "strides", ProbeBy::kStride);
    only_by(size != kDefaultSize, "size", ProbeBy::kStride);
    if (axis() == ProbeBy::kDistance && target == ProbeTarget::kCached) {
        wrong("target = cached by = distance: a cache is as near to each core", "write by=size or by=stride");
    }
    if (target == ProbeTarget::kMpb && axis() == ProbeBy::kStride && size > SccProcessor::kMessageBuffer) {
        wrong(
            fmt::format("size = {}: a core's message-passing buffer has {} bytes", size, SccProcessor::kMessageBuffer),
            "write that or less");
    }
    const auto require_step = [&](std::int64_t step, std::string_view name) {
        // So that no access crosses a line
        const auto unit = std::min<std::int64_t>(
            static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes))), SccProcessor::kLine);
        if (step % unit == 0) return;
        wrong(fmt::format("{} = {}: accesses of {} bytes would not stay in their lines", name, step, bytes),
              fmt::format("write a multiple of {}", unit));
    };
    if (axis() == ProbeBy::kSize) {
        require_step(stride, "stride");
        const auto all = buffer_sizes();
        if (*std::min_element(all.begin(), all.end()) < stride) {
            wrong(fmt::format("stride = {}: larger than the smallest buffer", stride), "write less, or larger sizes");
        }
    }
    if (axis() == ProbeBy::kStride) {
        for (const std::uint32_t step : stride_list()) require_step(step, "strides");
    }
}

}  // namespace ringmesh::workloads::scc
