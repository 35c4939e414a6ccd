// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/mpi/options.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads::mpi {
namespace {

constexpr std::int64_t kLargestLimit = 1 << 20;
constexpr std::int64_t kLargestBuffer = 64 * 1024 * 1024;

}  // namespace

void Options::visit(ParameterVisitor& visitor)
{
    visitor.field(
        {"short_limit", "bytes up to which a message goes inline in blocks of 64 bytes",
         assumed().between("38", "472", "what one block carries, and eight, beyond which one copy is cheaper")},
        short_limit, {0, kLargestLimit});
    visitor.field(
        {"eager_limit", "bytes up to which a longer message goes to a buffer at the receiver", seed("002 IV.A")},
        eager_limit, {0, kLargestLimit});
    visitor.field(
        {"envelope", "bytes in front of a message: kind, size, number, and room for tag and communicator",
         assumed().between("16", "48", "kind, size and number; with tag, communicator and request numbers of 8 bytes")},
        envelope, {16, 48});
    visitor.field({"slots", "blocks that the ring for each sender holds",
                   assumed().between("8", "120", "fewer stall a stream; more would repeat a slot's identifier")},
                  slots, {1, RingShape::kMostSlots});
    visitor.field(
        {"eager_buffer", "bytes of the eager buffer for each sender, a multiple of 64",
         assumed().between("32832", "1048576", "the largest eager message; what MPI libraries of the time had")},
        eager_buffer, {kBlockBytes, kLargestBuffer});
    visitor.field({"chunk", "bytes of a message that rendez-vous sends at a time",
                   calibrated("deck.scampi_peak_bandwidth")
                       .between("2048", "32768", "half a page; the smallest message by rendez-vous")},
                  chunk, {1, kLargestBuffer});
    visitor.field({"chunk_buffers", "chunks that are on their way or being copied out at a time",
                   assumed().between("2", "8", "sending and copying overlap [002 IV]; more than a few gain nothing")},
                  chunk_buffers, {1, 64});
    visitor.field({"acknowledge", "messages after which a receiver writes its read positions back",
                   assumed().between("1", "16", "each message; a quarter of the ring")},
                  acknowledge, {1, RingShape::kMostSlots});
    visitor.field({"check", "a send ends with a store barrier, which tells whether all arrived without error",
                   Origin{.from = Provenance::kCalibrated,
                          .set_by = {"deck.scampi_min_latency", "deck.scimpich_min_latency"},
                          .alternatives = {"false"},
                          .note = "no source tells it; the measured latencies decide"}},
                  check);
    visitor.field(
        {"call", "processor cycles of MPI software for each message, at its sender and at its receiver",
         Origin{.from = Provenance::kCalibrated, .set_by = {"deck.scampi_min_latency", "deck.scimpich_min_latency"}}
             .between("300 cycles", "2337 cycles",
                      "of both measured latencies, and of what DECK gains on them, the largest error is "
                      "least; a send and its matching take some hundred instructions; without the check the "
                      "one-way figure of [000] needs 2337")},
        call, {Cycles(0), Cycles(1'000'000)});
}

void Options::require_valid() const
{
    const std::int64_t payload = kBlockPayload;
    const std::int64_t blocks = (envelope + short_limit + payload - 1) / payload;
    if (blocks > slots) {
        throw UserError(
            fmt::format("mpi: a message of short_limit = {} takes {} blocks, and the ring has slots = {}; "
                        "take short_limit of at most {}",
                        short_limit, blocks, slots, slots * payload - envelope));
    }
    if (short_limit > eager_limit) {
        throw UserError(fmt::format("mpi: short_limit = {} is more than eager_limit = {}; take at most as much",
                                    short_limit, eager_limit));
    }
    const auto largest = static_cast<std::int64_t>(largest_eager());
    if (eager_buffer < largest || eager_buffer % kBlockBytes != 0) {
        throw UserError(
            fmt::format("mpi: eager_buffer = {} must be a multiple of {} that holds the largest message with "
                        "its envelope; take {} or more",
                        eager_buffer, kBlockBytes, largest));
    }
    // The last message before an acknowledgement must fit after the others.
    if (acknowledge > slots / blocks) {
        throw UserError(
            fmt::format("mpi: with acknowledge = {} messages of up to {} blocks, a sender would deadlock "
                        "with slots = {}; take acknowledge of at most {}",
                        acknowledge, blocks, slots, slots / blocks));
    }
}

}  // namespace ringmesh::workloads::mpi
