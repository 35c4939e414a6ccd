// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/options.h"
#include "workloads/broadcast/parts.h"

#include <fmt/format.h>

#include "tlm/error.h"
#include "tlm/scc/scc_processor.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads::broadcast {
namespace {

constexpr NameTable<Algorithm, 7> kAlgorithms{{{{"own", Algorithm::kOwn},
                                                {"linear", Algorithm::kLinear},
                                                {"binomial", Algorithm::kBinomial},
                                                {"scatter-allgather", Algorithm::kScatterAllgather},
                                                {"cube", Algorithm::kCube},
                                                {"dopl", Algorithm::kDopl},
                                                {"tree", Algorithm::kTree}}}};
constexpr NameTable<Method, 4> kMethods{{{{"part-size", Method::kPartSize},
                                          {"pipe-size", Method::kPipeSize},
                                          {"curve", Method::kCurve},
                                          {"quiet", Method::kQuiet}}}};

constexpr std::string_view kAuto = "auto";
constexpr std::uint32_t kMpbLine = SccProcessor::kLine;
constexpr std::uint32_t kBuffer = SccProcessor::kMessageBuffer;
constexpr std::uint32_t kTreePart = 96 * kMpbLine;  // two of them fill the payload but for a few lines

bool cuts(Algorithm algorithm)
{
    return algorithm == Algorithm::kCube || algorithm == Algorithm::kDopl || algorithm == Algorithm::kTree;
}

[[noreturn]] void wrong(std::string_view what, std::string_view cure)
{
    throw UserError(fmt::format("broadcast: {}; {}", what, cure));
}

}  // namespace

std::string_view word(Algorithm algorithm) { return kAlgorithms.name(algorithm); }
std::string_view word(Method method) { return kMethods.name(method); }

void Options::visit(ParameterVisitor& visitor)
{
    visitor.choice(
        {"algorithm", "own (the library's), linear, binomial, scatter-allgather, cube, dopl, or tree (one-sided)",
         assumed()},
        algorithm, kAlgorithms);
    visitor.numbers({"size", "bytes to broadcast, or a list as '10000..190000 step 5000'", assumed()}, size);
    visitor.when("algorithm", {"cube", "dopl", "tree"}, [&] {
        visitor.numbers({"part",
                         "bytes of a part, or a list; auto: cube 4096, dopl 8192, tree 3072. Of the tree: what lies in "
                         "one of the two halves of a message-passing buffer",
                         seed("004 5.5")},
                        part);
    });
    visitor.when("algorithm", {"dopl"}, [&] {
        visitor.numbers({"pipe", "dopl: bytes of the pieces of a part, or a list; auto: 2048", seed("004 6.3")}, pipe);
    });
    visitor.field({"root", "the rank that has the data", seed("004 4.1")}, root, {0, 1'000'000});
    visitor.choice(
        {"method",
         "what is timed: part-size: until the root returns; pipe-size and curve: until all have met in a barrier; "
         "pipe-size also cuts a part into part/pipe equal pieces; quiet: rounds without barriers, on an idle machine",
         seed("004 app.")},
        method, kMethods);
    visitor.field({"repetitions",
                   "timed repetitions, after one to warm up; 0: as many as the method's program made (5, 15, and for "
                   "curves 1000 up to 8192 bytes and 200 above)",
                   assumed()},
                  repetitions, {0, 1'000'000});
    visitor.when("algorithm", {"cube"}, [&] {
        visitor.choice({"final_exchange",
                        "cube, one part: thesis: each unit of two also passes on a part that lies in front of the "
                        "buffer; correct: it does not",
                        seed("004 5.3")},
                       final_exchange, kFinalExchanges);
    });
    visitor.when("algorithm", {"tree"}, [&] {
        visitor.field({"degree", "tree: children of a rank", assumed()}, degree, {1, 64});
    });
    visitor.field({"offset", "bytes from the start of a page to each rank's buffer", assumed()}, offset, {0, 4095});
    visitor.field(
        {"warm_up",
         "one whole repetition before the timed ones; not needed for several megabytes, which the caches cannot hold",
         seed("004 10.5")},
        warm_up);
    visitor.field({"per_rank", "a row for each rank: when it returned, in the fastest repetition", assumed()},
                  per_rank);
}

void Options::write_out_auto()
{
    if (cuts(algorithm) && part == kAuto) {
        const auto usual = algorithm == Algorithm::kTree   ? kTreePart
                           : algorithm == Algorithm::kCube ? kCubePart
                                                           : kDoplPart;
        part = std::to_string(usual);
    }
    if (algorithm == Algorithm::kDopl && pipe == kAuto) pipe = std::to_string(kDoplPipe);
}

std::vector<std::uint32_t> Options::part_list() const
{
    if (!cuts(algorithm)) return {0};
    // In DOPL and the tree a part fits one message-passing buffer; RCCE fragments the parts of Cube
    return parse_sizes(part, {.name = "broadcast: part",
                              .owner = "a part",
                              .examples = "'4096' or '256..8192 x2'",
                              .smallest = 1,
                              .largest = algorithm == Algorithm::kCube ? kLargest : kBuffer});
}

std::vector<std::uint32_t> Options::pipe_list() const
{
    if (algorithm != Algorithm::kDopl) return {0};
    return parse_sizes(pipe, {.name = "broadcast: pipe",
                              .owner = "a piece",
                              .examples = "'2048' or '256..8192 x2'",
                              .smallest = 1,
                              .largest = kBuffer});
}

void Options::require_pieces(const Case& sizes) const
{
    if (algorithm == Algorithm::kTree && sizes.part % kMpbLine != 0) {
        wrong(fmt::format("part = {}: the tree's parts are whole lines", sizes.part), "write a multiple of 32");
    }
    if (algorithm != Algorithm::kDopl) return;
    if (sizes.pipe > sizes.part) {
        wrong(fmt::format("pipe = {}: larger than the part of {} bytes", sizes.pipe, sizes.part),
              "write that or less, or larger parts");
    }
    if (method == Method::kPipeSize && sizes.part % sizes.pipe != 0) {
        wrong(fmt::format("pipe = {}: does not divide the part of {} bytes, which method=pipe-size cuts into equal "
                          "pieces",
                          sizes.pipe, sizes.part),
              "write a divisor, or method=curve");
    }
}

std::vector<Case> Options::cases() const
{
    Options settled = *this;
    settled.write_out_auto();
    const auto sizes = parse_sizes(size, {.name = "broadcast: size",
                                          .owner = "a broadcast",
                                          .examples = "'1900000' or '10000..190000 step 5000'",
                                          .step = 5000,
                                          .largest = kLargest});
    std::vector<Case> all;
    for (const auto bytes : sizes) {
        for (const auto part_bytes : settled.part_list()) {
            for (const auto pipe_bytes : settled.pipe_list()) {
                all.push_back({bytes, part_bytes, pipe_bytes});
                require_pieces(all.back());
            }
        }
    }
    return all;
}

void Options::require_sound(unsigned ranks) const
{
    if (ranks < 2) {
        wrong(fmt::format("ranks = {}: a broadcast needs a rank that has the data and one that lacks it", ranks),
              "write 2 or more");
    }
    if (root >= ranks) {
        wrong(fmt::format("root = {}: ranks 0 to {} take part", root, ranks - 1), "choose one of them");
    }
}

std::int64_t Options::timed_repetitions(std::uint32_t bytes) const
{
    if (repetitions > 0) return repetitions;
    if (method == Method::kQuiet) return 1;
    if (method == Method::kCurve) return bytes <= kBuffer ? 1000 : 200;
    return method == Method::kPartSize ? 5 : 15;
}

}  // namespace ringmesh::workloads::broadcast
