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

constexpr NameTable<ProbeTarget, 2> kTargets{{{{"mpb", ProbeTarget::kMpb}, {"memory", ProbeTarget::kMemory}}}};
constexpr NameTable<ProbePage, 4> kPages{{{{"auto", ProbePage::kAuto},
                                           {"uncached", ProbePage::kUncached},
                                           {"cached", ProbePage::kCached},
                                           {"mpbt", ProbePage::kMpbt}}}};
constexpr NameTable<ProbeOperation, 2> kOperations{
    {{{"read", ProbeOperation::kRead}, {"write", ProbeOperation::kWrite}}}};
constexpr NameTable<ProbeBy, 4> kBys{{{{"auto", ProbeBy::kAuto},
                                       {"distance", ProbeBy::kDistance},
                                       {"stride", ProbeBy::kStride},
                                       {"size", ProbeBy::kSize}}}};

constexpr std::string_view kAuto = "auto";
constexpr std::int64_t kLargestBuffer = 16 * 1024 * 1024;

}  // namespace

std::string_view word(ProbeTarget target) { return kTargets.name(target); }
std::string_view word(ProbeOperation operation) { return kOperations.name(operation); }
std::string_view word(PageKind page)
{
    return kPages.name(page == PageKind::kCached     ? ProbePage::kCached
                       : page == PageKind::kUncached ? ProbePage::kUncached
                                                     : ProbePage::kMpbt);
}

void ProbeOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"target", "what is accessed: a message-passing buffer, or memory behind a controller", assumed()},
                   target, kTargets);
    visitor.choice(
        {"page", "how memory is accessed: uncached, cached, or as a message-passing buffer (mpbt); auto: uncached",
         assumed()},
        page, kPages);
    visitor.choice({"operation", "read or write", assumed()}, operation, kOperations);
    visitor.choice(
        {"by",
         "what changes from row to row: distance, stride or size of the buffer; auto: distance, for cached pages size",
         assumed()},
        by, kBys);
    visitor.field({"core", "the core that accesses; of memory by distance: others take their turn", assumed()}, core,
                  {0, 1'000'000});
    visitor.numbers({"tile",
                     "by distance, of mpb: the tiles whose buffers are accessed, as '23' or '0..23 step 1'; auto: the "
                     "nearest core's at each distance",
                     assumed()},
                    tile);
    visitor.numbers({"controller",
                     "by distance, of memory: the controllers behind which the core accesses what all cores share, as "
                     "'3' or '0..3 step 1'; auto: private memory",
                     assumed()},
                    controller);
    visitor.field({"bytes", "bytes of each access: 1, 2, 4, or a multiple of 4 up to the line of 32", assumed()}, bytes,
                  {1, SccProcessor::kLine});
    visitor.field(
        {"accesses", "timed accesses of each row; by size and stride at least once through the buffer", assumed()},
        accesses, {2, 1'000'000});
    visitor.field({"size", "by stride: bytes of the buffer", assumed()}, size, {32, kLargestBuffer});
    visitor.field({"stride", "by size: bytes from one access to the next", assumed()}, stride, {1, 65536});
    visitor.numbers(
        {"sizes", "by size: bytes of the buffers, as '1024..1048576 x2'; auto: what fits the target", assumed()},
        sizes);
    visitor.numbers({"strides", "by stride: bytes from one access to the next, as '4..4096 x2'", assumed()}, strides);
    visitor.field({"contenders",
                   "cores that access the same buffer, or their memory behind the same controller, all "
                   "the while",
                   assumed()},
                  contenders, {0, 1'000'000});
}

void ProbeOptions::write_out_auto()
{
    by = axis();
    if (page == ProbePage::kAuto) page = target == ProbeTarget::kMpb ? ProbePage::kMpbt : ProbePage::kUncached;
    if (sizes == kAuto && by == ProbeBy::kSize) {
        sizes = target == ProbeTarget::kMpb ? "1024..8192 x2" : "4096..1048576 x2";
    }
}

ProbeBy ProbeOptions::axis() const
{
    if (by != ProbeBy::kAuto) return by;
    const bool chosen = tile != kAuto || controller != kAuto;
    return page == ProbePage::kCached && !chosen ? ProbeBy::kSize : ProbeBy::kDistance;
}

PageKind ProbeOptions::page_kind() const
{
    if (target == ProbeTarget::kMpb || page == ProbePage::kMpbt) return PageKind::kMessageBuffer;
    return page == ProbePage::kCached ? PageKind::kCached : PageKind::kUncached;
}

std::vector<std::uint32_t> ProbeOptions::chosen(std::uint32_t there_are) const
{
    const bool mpb = target == ProbeTarget::kMpb;
    const std::string& list = mpb ? tile : controller;
    if (list == kAuto) return {};
    return parse_sizes(list, {.name = mpb ? "memory-probe: tile" : "memory-probe: controller",
                              .owner = mpb ? "a list of tiles" : "a list of controllers",
                              .unit = mpb ? "tiles" : "controllers",
                              .examples = mpb ? "'23', '0,5,18' or '0..23 step 1'" : "'3' or '0..3 step 1'",
                              .step = 1,
                              .smallest = 0,
                              .largest = there_are - 1});
}

std::vector<std::uint32_t> ProbeOptions::buffer_sizes() const
{
    const bool mpb = target == ProbeTarget::kMpb;
    const SizeRules rules{.name = "sizes",
                          .owner = "a buffer",
                          .examples = "'8192' or '1024..1048576 x2'",
                          .smallest = SccProcessor::kLine,
                          .largest = mpb ? SccProcessor::kMessageBuffer : static_cast<std::uint32_t>(kLargestBuffer)};
    return parse_sizes(sizes, rules);
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
    only_by(sizes != kAuto, "sizes", ProbeBy::kSize);
    only_by(stride != kDefaultStride, "stride", ProbeBy::kSize);
    only_by(strides != kDefaultStrides, "strides", ProbeBy::kStride);
    only_by(size != kDefaultSize, "size", ProbeBy::kStride);
    if (axis() == ProbeBy::kDistance && page_kind() == PageKind::kCached &&
        accesses > kLargestBuffer / SccProcessor::kLine) {
        wrong(fmt::format("accesses = {}: by distance each needs a line that no cache has, and there are {}", accesses,
                          kLargestBuffer / SccProcessor::kLine),
              "write that or less");
    }
    only_by(tile != kAuto, "tile", ProbeBy::kDistance);
    only_by(controller != kAuto, "controller", ProbeBy::kDistance);
    if (target == ProbeTarget::kMpb && page != ProbePage::kMpbt) {
        wrong(fmt::format("page = {}: a message-passing buffer has pages mpbt", kPages.name(page)),
              "leave it out, or write target=memory");
    }
    if (target == ProbeTarget::kMpb && controller != kAuto) {
        wrong(fmt::format("controller = {}: no message-passing buffer is behind one", controller),
              "write target=memory, or tile for a buffer");
    }
    if (target == ProbeTarget::kMemory && tile != kAuto) {
        wrong(fmt::format("tile = {}: memory is behind a controller and on no tile", tile),
              "write controller, or target=mpb");
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
