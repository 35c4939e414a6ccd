// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/params.h"

namespace ringmesh::hw {

void PsbParams::visit(ParameterVisitor& visitor)
{
    // A source's packets may be as long as the card's, whose length the streams bound
    const auto of_the_host = [&visitor](const auto& walk) {
        visitor.only_if(visitor.nodes() == NodeKind::kProcessor, kNoPrograms, walk);
    };
    of_the_host([&] {
        visitor.field({"stream_buffers", "write stream buffers"}, stream_buffers,
                      {1, StreamAssignmentPolicy::kMostBuffers});
        visitor.only_if(stream_buffers > 1, "the card has one stream buffer; set more psb.stream_buffers", [&] {
            visitor.choice(
                {"stream_assignment", "which stream buffer takes a block: one by its address, or any free one"},
                stream_assignment);
        });
    });
    visitor.field({"stream_bytes", "bytes of one stream buffer: 64 or 128"}, stream_bytes, {64_B, 128_B});
    visitor.field(
        {"transaction_bytes",
         "bytes of the largest SCI transaction, 64 or 128: a full stream buffer leaves as one or two of them"},
        transaction_bytes, {64_B, 128_B});
    of_the_host([&] {
        visitor.field(
            {"crossing", "passage through the card between PCI and B-Link, of each packet in either direction"},
            crossing, {0_ns, 10_us});
        visitor.field(
            {"stream_open", "PCI wait states of a store that opens a stream buffer: address lookup and allocation"},
            stream_open, {0_cycles, 64_cycles});
        visitor.field({"flush_timeout", "time after its last store at which a partly filled stream buffer leaves"},
                      flush_timeout, {100_ns, 1_ms});
        visitor.field({"inbound_slots", "requests from the network that wait for the PCI bus"}, inbound_slots,
                      {1, 1024});
        visitor.field({"att_page", "bytes of address space that one translation entry maps"}, att_page,
                      {4_KiB, 16_MiB});
        visitor.field({"att_entries", "entries of the address translation table"}, att_entries, {1, 1'048'576});
        const std::string_view no_loads =
            "no program loads from remote memory; choose a workload that does, such as remote-read";
        visitor.only_if(visitor.programs().loads, no_loads, [&] {
            visitor.field({"read_prefetch", "a load of remote memory fetches its whole block of 64 bytes"},
                          read_prefetch);
        });
        const std::string_view no_dma =
            "no program copies by DMA; choose a library that does, such as deck:transfer=dma";
        visitor.only_if(visitor.programs().dma, no_dma, [&] {
            visitor.field({"dma_startup", "time from the order to the DMA engine to its first read, with the driver"},
                          dma_startup, {0_ns, 1_ms});
            visitor.field({"dma_burst", "bytes that the DMA engine reads in one PCI transaction"}, dma_burst,
                          {4_B, 64_B});
            visitor.field(
                {"dma_buffers", "blocks of 64 bytes that the DMA engine sends before their responses are there"},
                dma_buffers, {1, 64});
        });
    });
}

sci::Command PsbParams::largest_request() const
{
    return sci::write_of(static_cast<std::size_t>(transaction_bytes.count()));
}

}  // namespace ringmesh::hw
