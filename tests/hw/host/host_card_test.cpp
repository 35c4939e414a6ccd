// SPDX-License-Identifier: Apache-2.0
/// A PC with a card that is not the PSB: what a card has to bring along is in this file and in card_window.h.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hw/host/host.h"
#include "tests/hw/host/card_window.h"
#include "tests/hw/printing.h"
#include "tlm/error.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/time/kernel_time.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

/// A card that holds the other nodes' memory. A store to a node's doorbell is echoed: its word is written to the PC's
/// memory at kEcho, and the PC is interrupted.
class MemoryCard final : public sc_core::sc_module, public CardWindow {
public:
    static constexpr std::uint64_t kEcho = 0x100;
    static constexpr Duration kWaitStates = 300_ns;  // of each store

    pci::Target<MemoryCard> from_pci{"from_pci"};
    pci::Initiator<MemoryCard> to_pci{"to_pci"};

    MemoryCard(const sc_core::sc_module_name& module_name, Simulation& simulation, const hw::PciSlot& slot)
        : sc_module(module_name), slot_(slot), payloads_(simulation.pool<PayloadPool>())
    {
        from_pci.register_nb_transport_fw(this, &MemoryCard::access);
        to_pci.register_nb_transport_bw(this, &MemoryCard::written);
        has_dma = false;
    }

    void plug_in(hw::PciBus& bus, std::size_t slot) override
    {
        to_pci.bind(bus.from_slot[slot]);
        bus.to_slot[slot].bind(from_pci);
    }

    std::map<std::pair<unsigned, std::uint64_t>, std::byte> memory;  ///< by node and offset
    int barriers = 0;
    int flushes = 0;

private:
    using Payload = ::tlm::tlm_generic_payload;

    ::tlm::tlm_sync_enum access(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay)
    {
        const std::uint64_t offset = payload.get_address() - slot_.window;
        if (phase == pci::Phase::kAddress) {
            if (payload.is_write()) delay += to_kernel(kWaitStates);
            return pci::target_answer(payload, true);
        }
        const auto bytes = bytes_of(payload);
        if (offset >= kRegisters) {
            ++(payload.is_read() ? barriers : flushes);
            return ::tlm::TLM_COMPLETED;
        }
        const auto mapping = std::find_if(mappings.begin(), mappings.end(), [offset](const Mapping& candidate) {
            return offset >= candidate.begin && offset < candidate.begin + candidate.size;
        });
        BOOST_TEST_REQUIRE((mapping != mappings.end()));
        const std::uint64_t at = mapping->offset + offset - mapping->begin;
        if (at >= kDoorbell) {
            auto& echo = payloads_.acquire_write(kEcho, bytes);
            pci::Phase request = pci::Phase::kRequest;
            sc_core::sc_time none;
            to_pci->nb_transport_fw(echo, request, none);
            return ::tlm::TLM_COMPLETED;
        }
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            std::byte& byte = memory[{mapping->node, at + i}];
            payload.is_read() ? bytes[i] = byte : byte = bytes[i];
        }
        return ::tlm::TLM_COMPLETED;
    }

    ::tlm::tlm_sync_enum written(Payload& payload, pci::Phase& phase, sc_core::sc_time&)
    {
        BOOST_TEST((phase == pci::Phase::kDone));
        payload.release();
        slot_.interrupt(0);
        return ::tlm::TLM_COMPLETED;
    }

    const hw::PciSlot slot_;
    PayloadPool& payloads_;
};

/// A PC of rank 0 with a MemoryCard, and segment 7 of a node 1 that exists only on that card.
class Pc final : public sc_core::sc_module {
public:
    static constexpr unsigned kPeer = 1;
    static constexpr SegmentId kSegment = 7;

    Pc(const sc_core::sc_module_name& module_name, Simulation& simulation)
        : sc_module(module_name),
          host(simulation, {.rank = 0, .host = {.memory = 1_MiB}}, tables, [&](const auto& slot) -> hw::PciCard& {
              card = std::make_unique<MemoryCard>("card", simulation, slot);
              return *card;
          })
    {
        tables.push_back(&peer);
        peer.create(kSegment, 4096);
        peer.export_segment(kSegment);
    }

    hw::SegmentTable peer{kPeer, 1 << 20, 16};
    hw::HostSegmentDriver::Tables tables;
    std::unique_ptr<MemoryCard> card;
    hw::Host host;
};

struct Bench {
    void run(Task<> program)
    {
        pc.host.cpu.run(std::move(program), "program");
        simulation.run();
        simulation.require_drained();
    }

    Simulation simulation{1};
    Pc pc{"pc", simulation};
    PcProcessor& cpu = pc.host.cpu;
};

Task<> store_and_load(PcProcessor& cpu, std::span<const std::byte> sent, std::span<std::byte> got, Duration& took)
{
    const std::uint64_t window = cpu.segments().import_and_map(Pc::kPeer, Pc::kSegment);
    const StoreRequest store{.kind = StoreKind::kMmx,
                             .address = window + 64,
                             .data = sent.data(),
                             .size = static_cast<std::uint32_t>(sent.size())};
    co_await cpu.store(store);
    co_await cpu.flush();
    co_await cpu.barrier();
    took = cpu.time();
    const LoadRequest load{
        .address = window + 64, .data = got.data(), .size = static_cast<std::uint32_t>(got.size()), .width = 4};
    co_await cpu.load(load);
}

Task<> ring_and_wait(PcProcessor& cpu, Duration& polled, Duration& interrupted)
{
    const std::uint64_t doorbell = cpu.segments().map_doorbell(Pc::kPeer);
    const std::array<std::byte, 4> word{std::byte{9}};
    const StoreRequest store{.address = doorbell, .data = word.data(), .size = 4};
    co_await cpu.store(store);
    const PollRequest poll{.address = MemoryCard::kEcho, .size = 4, .value = 9};
    co_await cpu.poll(poll);
    polled = cpu.time();
    co_await cpu.interrupt();
    interrupted = cpu.time();
}

Task<> copy_by_dma(PcProcessor& cpu)
{
    const std::uint64_t window = cpu.segments().import_and_map(Pc::kPeer, Pc::kSegment);
    const DmaRequest copy{.from = 0, .to = window, .size = 64};
    co_await cpu.dma(copy);
}

Task<> map_twice(PcProcessor& cpu)
{
    cpu.segments().import_and_map(Pc::kPeer, Pc::kSegment);
    cpu.segments().map_doorbell(Pc::kPeer);
    co_return;
}

/// A PC with two cards, of which each leads to one of two others.
class PcWithTwo final : public sc_core::sc_module {
public:
    PcWithTwo(const sc_core::sc_module_name& module_name, Simulation& simulation)
        : sc_module(module_name),
          host(simulation,
               {.rank = 0,
                .host = {.memory = 1_MiB},
                .cards = 2,
                .way_to = [](unsigned rank) -> hw::HostSegmentDriver::Way {
                    return {rank - 1, 10 + rank};
                }},
               tables, [&](const hw::PciSlot& slot) -> hw::PciCard& {
                   const std::string name = "card" + std::to_string(slot.card);
                   return *cards.emplace_back(std::make_unique<MemoryCard>(name.c_str(), simulation, slot));
               })
    {
        for (hw::SegmentTable* peer : {&first, &second}) {
            tables.push_back(peer);
            peer->create(Pc::kSegment, 4096);
            peer->export_segment(Pc::kSegment);
        }
    }

    hw::SegmentTable first{1, 1 << 20, 16};
    hw::SegmentTable second{2, 1 << 20, 16};
    hw::HostSegmentDriver::Tables tables;
    std::vector<std::unique_ptr<MemoryCard>> cards;
    hw::Host host;
};

/// To PC 1, then to both, with a barrier behind each; then reads from PC 2 and gives up its mapping.
Task<> store_to_both(PcProcessor& cpu, std::span<const std::byte> sent, std::vector<Duration>& barriers,
                     std::span<std::byte> got)
{
    const std::uint64_t one = cpu.segments().import_and_map(1, Pc::kSegment);
    const std::uint64_t two = cpu.segments().import_and_map(2, Pc::kSegment);
    const auto store = [&](std::uint64_t to) {
        return StoreRequest{StoreKind::kMmx, to, sent.data(), static_cast<std::uint32_t>(sent.size())};
    };
    co_await cpu.store(store(one));
    co_await cpu.flush();
    Duration from = cpu.time();
    co_await cpu.barrier();
    barriers.push_back(cpu.time() - from);
    co_await cpu.store(store(one));
    co_await cpu.store(store(two));
    co_await cpu.flush();
    from = cpu.time();
    co_await cpu.barrier();
    barriers.push_back(cpu.time() - from);
    const LoadRequest load{
        .address = two, .data = got.data(), .size = static_cast<std::uint32_t>(got.size()), .width = 4};
    co_await cpu.load(load);
    cpu.segments().unmap_segment(two);
}

auto says(const std::string& text)
{
    return [text](const std::exception& error) { return error.what() == text; };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(host_card)

BOOST_AUTO_TEST_CASE(stores_reach_the_card_and_loads_bring_them_back)
{
    Bench bench;
    std::vector<std::byte> sent(128);
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::byte>(i + 1);
    std::vector<std::byte> got(sent.size());
    Duration took;
    bench.run(store_and_load(bench.cpu, sent, got, took));
    BOOST_TEST((got == sent));
    BOOST_TEST(bench.pc.card->flushes == 1);
    BOOST_TEST(bench.pc.card->barriers == 1);
    const std::uint64_t first = bench.pc.peer.find(Pc::kSegment)->address + 64;
    BOOST_TEST((bench.pc.card->memory.at({Pc::kPeer, first}) == std::byte{1}));
    BOOST_TEST(took > 3 * MemoryCard::kWaitStates);  // of two bursts and the flush
}

BOOST_AUTO_TEST_CASE(a_card_writes_the_memory_and_interrupts_the_program)
{
    Bench bench;
    Duration polled;
    Duration interrupted;
    bench.run(ring_and_wait(bench.cpu, polled, interrupted));
    BOOST_TEST(bench.pc.host.cpu.finished());
    BOOST_TEST(polled > Duration::zero());
    BOOST_TEST(interrupted - polled > hw::HostParams{}.interrupt / 2);
}

BOOST_AUTO_TEST_CASE(of_two_cards_each_has_its_mappings_and_barriers_ask_those_that_were_stored_to)
{
    Simulation simulation(1);
    PcWithTwo pc("pc", simulation);
    std::vector<std::byte> sent(64);
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::byte>(i + 1);
    std::vector<std::byte> got(sent.size());
    std::vector<Duration> barriers;
    pc.host.cpu.run(store_to_both(pc.host.cpu, sent, barriers, got), "program");
    simulation.run();
    simulation.require_drained();
    BOOST_TEST((got == sent));
    const std::uint64_t first = pc.first.find(Pc::kSegment)->address;
    const std::uint64_t second = pc.second.find(Pc::kSegment)->address;
    BOOST_TEST((pc.cards[0]->memory.at({11U, first}) == std::byte{1}));
    BOOST_TEST((pc.cards[1]->memory.at({12U, second}) == std::byte{1}));
    BOOST_TEST(!pc.cards[1]->memory.contains({11U, first}));
    BOOST_TEST(pc.cards[0]->barriers == 2);
    BOOST_TEST(pc.cards[1]->barriers == 1);
    BOOST_TEST(pc.cards[0]->flushes == 2);
    BOOST_TEST(pc.cards[1]->flushes == 1);
    BOOST_TEST(barriers.at(1) > barriers.at(0));
}

BOOST_AUTO_TEST_CASE(a_card_without_a_dma_engine_says_so)
{
    Bench bench;
    BOOST_TEST(!bench.pc.host.cpu.has_dma_engine());
    BOOST_CHECK_THROW(bench.run(copy_by_dma(bench.cpu)), ModelError);
}

BOOST_AUTO_TEST_CASE(a_card_without_room_for_a_mapping_says_what_would_help)
{
    Bench bench;
    bench.pc.card->room = 1;
    BOOST_CHECK_EXCEPTION(
        bench.run(map_twice(bench.cpu)), UserError,
        says("node 0 cannot map 4 bytes of the doorbell of node 1: the card has 1 mappings; unmap one"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
