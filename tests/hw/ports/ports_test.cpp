// SPDX-License-Identifier: Apache-2.0
/// Models of another make on a PC, a core, a PCI bus and a mesh.
#include <array>
#include <memory>
#include <vector>

#include "hw/ports/mesh_port.h"
#include "hw/ports/pci_port.h"
#include "hw/ports/processor_port.h"
#include "tests/hw/ports/stranger.h"
#include "tests/platforms/scc/scc_bench.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "tests/support/statistics.h"
#include "tlm/error.h"

BOOST_TEST_DONT_PRINT_LOG_VALUE(ringmesh::hw::MeshDetail)

namespace ringmesh::ports_test {
namespace {

using namespace ringmesh::test;
using RingOfPcs = RingBenchOf<platforms::WulfkitMachine>;

std::vector<unsigned char> peeked(const Processor& processor, std::uint64_t address, std::size_t size)
{
    std::vector<unsigned char> bytes(size);
    processor.peek(address, std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

Task<> timed_stores(PcProcessor& cpu, std::uint64_t address, std::vector<Duration>& took)
{
    const std::vector<std::byte> bytes(64, std::byte{1});
    for (int i = 0; i < 3; ++i) {
        const StoreRequest store{StoreKind::kSingle, address, bytes.data(), 64};
        const Duration began = cpu.time();
        co_await cpu.store(store);
        took.push_back(cpu.time() - began);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(base_protocol_ports)

BOOST_AUTO_TEST_CASE(an_initiator_on_a_pc_takes_the_time_of_a_program_and_its_bytes_arrive)
{
    RingOfPcs ring(RingOfPcs::nodes(4));
    ring.open_inboxes(4096);
    std::vector<Duration> of_program;
    std::vector<Duration> of_stranger;
    // Two pairs that share no link: 0 to 1, 2 to 3
    ring.machine.processor(2).run(timed_stores(ring.machine.processor(2),
                                               RingOfPcs::map_inbox(ring.machine.processor(2), 3, 0, 4096), of_program),
                                  "stores");
    const std::uint64_t there = RingOfPcs::map_inbox(ring.machine.processor(0), 1, 0, 4096);
    hw::ProcessorPort<> port("port", ring.simulation, ring.machine.processor(0));
    Initiator initiator("initiator", [&](Initiator& self) {
        for (unsigned i = 0; i < 3; ++i) of_stranger.push_back(self.write(there, counting(64, i)).took);
        std::vector<unsigned char> back(64);
        BOOST_TEST(self.read(there, back).status == ::tlm::TLM_OK_RESPONSE);
        BOOST_TEST((back == counting(64, 2)));
        BOOST_TEST(!self.dmi_);
        port.close();
    });
    initiator.socket.bind(port.socket);
    ring.simulation.run();
    ring.simulation.require_drained();
    BOOST_TEST((of_stranger == of_program));
    BOOST_TEST(statistic_of(port, "writes") == 3);
    BOOST_TEST(statistic_of(port, "reads") == 1);
    BOOST_TEST(statistic_of(port, "bytes") == 4 * 64);
    BOOST_TEST(statistic_of(port, "failed") == 0);
    BOOST_TEST(port.pending() == "");
    BOOST_TEST((of_stranger.at(2) > Duration::zero()));
    BOOST_TEST((peeked(ring.machine.processor(1), RingOfPcs::kInbox, 64) == counting(64, 2)));
}

BOOST_AUTO_TEST_CASE(what_is_not_mapped_or_cannot_be_meant_gets_the_standards_response)
{
    RingOfPcs ring(RingOfPcs::nodes(2));
    hw::ProcessorPort<> port("port", ring.simulation, ring.machine.processor(0));
    Initiator initiator("initiator", [&](Initiator& self) {
        auto bytes = counting(8);
        BOOST_TEST(self.write(hw::Host::kWindow + 4096, bytes).status == ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
        BOOST_TEST(!port.last_error().empty());
        BOOST_TEST(statistic_of(port, "failed") == 1);
        unsigned char enable = 0xff;
        const auto changed = [&](const std::function<void(::tlm::tlm_generic_payload&)>& change) {
            return self.call(::tlm::TLM_WRITE_COMMAND, 0, bytes, change).status;
        };
        BOOST_TEST(changed([&](auto& payload) { payload.set_byte_enable_ptr(&enable); }) ==
                   ::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        BOOST_TEST(changed([](auto& payload) { payload.set_streaming_width(4); }) == ::tlm::TLM_BURST_ERROR_RESPONSE);
        BOOST_TEST(changed([](auto& payload) { payload.set_data_length(0); }) == ::tlm::TLM_BURST_ERROR_RESPONSE);
        BOOST_TEST(changed([](auto& payload) { payload.set_command(::tlm::TLM_IGNORE_COMMAND); }) ==
                   ::tlm::TLM_OK_RESPONSE);
        ::tlm::tlm_dmi dmi;
        ::tlm::tlm_generic_payload payload;
        BOOST_TEST(!self.socket->get_direct_mem_ptr(payload, dmi));
        // An own delay is waited for
        self.delay_ = sc_core::sc_time(1, sc_core::SC_US);
        BOOST_TEST((self.write(4096, bytes).took >= 1_us));
        BOOST_TEST((self.late_ == sc_core::SC_ZERO_TIME));
        BOOST_TEST((peeked(ring.machine.processor(0), 4096, 8) == counting(8)));
        port.close();
        BOOST_TEST(self.write(4096, bytes).status == ::tlm::TLM_GENERIC_ERROR_RESPONSE);
    });
    initiator.socket.bind(port.socket);
    ring.simulation.run();
}

BOOST_AUTO_TEST_CASE(four_phases_are_such_a_call)
{
    RingOfPcs ring(RingOfPcs::nodes(2));
    hw::ProcessorPort<> port("port", ring.simulation, ring.machine.processor(0));
    struct Phases final : sc_core::sc_module {
        tlm_utils::simple_initiator_socket<Phases> socket{"socket"};
        sc_core::sc_event answered;
        std::vector<unsigned> seen;
        explicit Phases(const sc_core::sc_module_name& module_name) : sc_module(module_name)
        {
            socket.register_nb_transport_bw(this, &Phases::back);
        }
        ::tlm::tlm_sync_enum back(::tlm::tlm_generic_payload&, ::tlm::tlm_phase& phase, sc_core::sc_time&)
        {
            seen.push_back(phase);
            if (phase != ::tlm::BEGIN_RESP) return ::tlm::TLM_ACCEPTED;
            answered.notify(sc_core::SC_ZERO_TIME);
            phase = ::tlm::END_RESP;
            return ::tlm::TLM_COMPLETED;
        }
    } phases("phases");
    phases.socket.bind(port.socket);
    auto bytes = counting(4);
    PayloadPool payloads;
    auto& payload = payloads.acquire_write(256, std::as_bytes(std::span(bytes)));
    Initiator unused("unused", [&](Initiator&) {
        ::tlm::tlm_phase phase = ::tlm::BEGIN_REQ;
        sc_core::sc_time none;
        phases.socket->nb_transport_fw(payload, phase, none);
        sc_core::wait(phases.answered);
        BOOST_TEST(payload.is_response_ok());
        payload.release();
        port.close();
    });
    Store nothing("nothing", 4, 1_ns);
    unused.socket.bind(nothing.socket);
    ring.simulation.run();
    BOOST_TEST((peeked(ring.machine.processor(0), 256, 4) == counting(4)));
    BOOST_TEST(phases.seen.back() == static_cast<unsigned>(::tlm::BEGIN_RESP));
}

BOOST_AUTO_TEST_CASE(an_initiator_on_a_core_uses_its_caches_and_message_buffers)
{
    SccBench scc;
    SccProcessor& core = scc.chip.processor(0);
    Duration program_took;
    // A core as far from its neighbour's buffer
    scc.chip.processor(12).run(
        timed_load(scc.chip.processor(12), scc.chip.processor(12).message_buffer(14), program_took), "load");
    hw::ProcessorPort<> port("port", scc.simulation, core);
    Initiator initiator("initiator", [&](Initiator& self) {
        std::vector<unsigned char> word(4);
        BOOST_TEST((self.read(core.message_buffer(2), word).took == program_took));
        const std::uint64_t mine = core.allocate(4096);
        const Duration first = self.read(mine, word).took;
        const Duration second = self.read(mine, word).took;
        BOOST_TEST((second < first));  // cached
        BOOST_TEST(self.write(mine, counting(4)).status == ::tlm::TLM_OK_RESPONSE);
        self.read(mine, word);
        BOOST_TEST((word == counting(4)));
        sc_core::wait(5, sc_core::SC_US);
        BOOST_TEST((self.read(mine, word).took == second));  // the core's time has not stood still
        BOOST_TEST(self.read(0xdead'0000, word).status == ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
        port.close();
    });
    initiator.socket.bind(port.socket);
    scc.run();
    BOOST_TEST((program_took > Duration::zero()));
}

BOOST_AUTO_TEST_CASE(strangers_meet_over_pci)
{
    Simulation simulation(1);
    hw::PciBus bus("bus", simulation, {}, 2);
    hw::PciMasterPort<> master("master", simulation);
    hw::PciTargetPort<> target("target", simulation, 0x1000, 2);
    Store device("device", 1024, 2_us);
    master.to_bus.bind(bus.from_slot[0]);
    bus.to_slot[1].bind(target.from_bus);
    hw::PciMasterPort<> idle_master("idle_master", simulation);
    hw::PciTargetPort<> idle_target("idle_target", simulation);
    idle_master.to_bus.bind(bus.from_slot[1]);
    bus.to_slot[0].bind(idle_target.from_bus);
    Store nowhere("nowhere", 16, 1_ns);
    idle_target.socket.bind(nowhere.socket);
    bus.decode(0, 0);
    bus.decode(0x1000, 1);
    target.socket.bind(device.socket);
    Initiator initiator("initiator", [&](Initiator& self) {
        // Ends at multiples of 64; three bursts, of which two are posted: the third waits for the device
        const auto ended = self.write(0x1000 + 32, counting(160));
        BOOST_TEST(ended.status == ::tlm::TLM_OK_RESPONSE);
        BOOST_TEST((ended.took > 2_us));
        BOOST_TEST((ended.took < 4_us));
        std::vector<unsigned char> back(160);
        BOOST_TEST((self.read(0x1000 + 32, back).took > 6_us));
        BOOST_TEST((back == counting(160)));
    });
    initiator.socket.bind(master.socket);
    std::string under_way;
    Initiator other("other", [&](Initiator&) {
        sc_core::wait(1, sc_core::SC_US);
        under_way = master.pending();
    });
    other.socket.bind(idle_master.socket);
    simulation.run();
    simulation.require_drained();
    BOOST_TEST((device.sizes == std::vector<std::size_t>{32, 64, 64, 32, 64, 64}));
    BOOST_TEST(statistic_of(target, "retries") > 0);
    BOOST_TEST(statistic_of(master, "retries") == statistic_of(target, "retries"));
    BOOST_TEST(statistic_of(master, "bursts") == 6);
    BOOST_TEST(statistic_of(master, "bytes") == 320);
    BOOST_TEST(under_way == "1 transaction");
    BOOST_TEST(statistic_of(target, "writes") == 3);
    BOOST_TEST(statistic_of(target, "reads") == 3);
    BOOST_TEST(statistic_of(target, "bytes") == 320);
}

BOOST_AUTO_TEST_CASE(an_error_of_a_device_ends_the_run_as_an_exception)
{
    Simulation simulation(1);
    hw::PciBus bus("bus", simulation, {}, 1);
    hw::PciMasterPort<> master("master", simulation);
    hw::PciTargetPort<> target("target", simulation);
    Store device("device", 64, 10_ns);
    master.to_bus.bind(bus.from_slot[0]);
    bus.to_slot[0].bind(target.from_bus);
    bus.decode(0, 0);
    target.socket.bind(device.socket);
    Initiator initiator("initiator", [](Initiator& self) { self.write(64, counting(4)); });
    initiator.socket.bind(master.socket);
    BOOST_CHECK_EXCEPTION(simulation.run(), UserError, [](const UserError& error) {
        return std::string(error.what()).find("target: the device answers") == 0;
    });
}

BOOST_DATA_TEST_CASE(payloads_cross_a_mesh_in_its_time, data::make({hw::MeshDetail::kPath, hw::MeshDetail::kFlit}),
                     detail)
{
    Simulation simulation(1);
    hw::MeshParams params;
    params.detail = detail;
    params.columns = 2;
    params.rows = 1;
    const auto mesh = hw::make_mesh("mesh", simulation, params, {});
    const mesh::Terminal west = mesh::local_port(0, 2);
    const mesh::Terminal east = mesh::local_port(1, 2);
    hw::MeshPort<> here("here", simulation, west);
    hw::MeshPort<> there("there", simulation, east);
    here.to_mesh.bind(mesh->port(west));
    there.to_mesh.bind(mesh->port(east));
    here.decode(0x8000, 256, east);
    BOOST_CHECK_THROW(here.decode(0x80ff, 1, west), UserError);
    Store store("store", 256, 30_ns);
    there.to_target.bind(store.socket);
    Initiator initiator("initiator", [&](Initiator& self) {
        const Duration cycle = 1_cycles * Clock(params.clock);
        const auto way = [&](std::uint32_t flits, bool back) {
            return mesh->zero_load_latency(back ? east : west, back ? west : east, flits);
        };
        // A header and 40 bytes in 3 flits; the response and its edge of the clock
        const auto wrote = self.write(0x8000 + 8, counting(40));
        const Duration least = way(4, false) + 30_ns + way(1, true);
        BOOST_TEST((wrote.took >= least));
        BOOST_TEST((wrote.took < least + cycle * 3));
        std::vector<unsigned char> back(40);
        const auto read = self.read(0x8000 + 8, back);
        BOOST_TEST((read.took >= way(1, false) + 30_ns + way(4, true)));
        BOOST_TEST((back == counting(40)));
        std::vector<unsigned char> word(4);
        BOOST_TEST(self.read(0x8000 + 254, word).status == ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
        BOOST_TEST(self.read(0x7000, word).status == ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
        std::vector<unsigned char> large(1009);
        BOOST_TEST(self.read(0x8000, large).status == ::tlm::TLM_BURST_ERROR_RESPONSE);
    });
    initiator.socket.bind(here.from_initiator);
    simulation.run();
    simulation.require_drained();
    BOOST_TEST((std::vector<unsigned char>(store.bytes.begin() + 8, store.bytes.begin() + 48) == counting(40)));
    BOOST_TEST(statistic_of(there, "served") == 2);
    BOOST_TEST(statistic_of(here, "failed") == 3);
}

/// What the bytes mean, say.
struct Label final : ::tlm::tlm_extension<Label> {
    int number = 0;
    ::tlm::tlm_extension_base* clone() const override { return new Label(*this); }
    void copy_from(const ::tlm::tlm_extension_base& other) override { *this = static_cast<const Label&>(other); }
};

struct TwoTerminals {
    TwoTerminals()
    {
        here.to_mesh.bind(mesh->port(west));
        there.to_mesh.bind(mesh->port(east));
        here.decode(0, 256, east);
    }
    static hw::MeshParams params()
    {
        hw::MeshParams params;
        params.columns = 2;
        params.rows = 1;
        return params;
    }
    const mesh::Terminal west = mesh::local_port(0, 2), east = mesh::local_port(1, 2);
    Simulation simulation{1};
    std::unique_ptr<hw::Mesh> mesh = hw::make_mesh("mesh", simulation, params(), {});
    hw::MeshPort<> here{"here", simulation, west}, there{"there", simulation, east};
};

BOOST_AUTO_TEST_CASE(an_initiator_may_be_killed_while_its_payload_crosses_a_mesh)
{
    TwoTerminals mesh;
    Store store("store", 256, 1_us);
    mesh.there.to_target.bind(store.socket);
    Initiator initiator("initiator", [&](Initiator& self) {
        auto bytes = counting(16);
        auto killed = sc_core::sc_spawn([&] {
            auto gone = counting(8, 50);
            self.write(0, gone);
        });
        sc_core::wait(100, sc_core::SC_NS);
        killed.kill();
        BOOST_TEST(self.write(64, bytes).status == ::tlm::TLM_OK_RESPONSE);
    });
    initiator.socket.bind(mesh.here.from_initiator);
    mesh.simulation.run();
    mesh.simulation.require_drained();
    // What was on its way arrives
    BOOST_TEST((std::vector<unsigned char>(store.bytes.begin(), store.bytes.begin() + 8) == counting(8, 50)));
    BOOST_TEST((std::vector<unsigned char>(store.bytes.begin() + 64, store.bytes.begin() + 80) == counting(16)));
}

BOOST_AUTO_TEST_CASE(an_extension_crosses_a_mesh_and_comes_back)
{
    TwoTerminals mesh;
    struct Target final : sc_core::sc_module {
        tlm_utils::simple_target_socket<Target> socket{"socket"};
        std::uint64_t address = 0;
        explicit Target(const sc_core::sc_module_name& module_name) : sc_module(module_name)
        {
            socket.register_b_transport(this, &Target::transport);
        }
        void transport(::tlm::tlm_generic_payload& payload, sc_core::sc_time&)
        {
            address = payload.get_address();
            payload.get_extension<Label>()->number += 1;
            payload.set_response_status(::tlm::TLM_OK_RESPONSE);
        }
    } target("target");
    mesh.there.to_target.bind(target.socket);
    Initiator initiator("initiator", [&](Initiator& self) {
        Label label;
        label.number = 7;
        auto bytes = counting(4);
        ::tlm::tlm_generic_payload payload;
        payload.set_write();
        payload.set_address(32);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(4);
        payload.set_streaming_width(4);
        payload.set_extension(&label);
        sc_core::sc_time none;
        self.socket->b_transport(payload, none);
        payload.clear_extension(&label);
        BOOST_TEST(label.number == 8);
    });
    initiator.socket.bind(mesh.here.from_initiator);
    mesh.simulation.run();
    BOOST_TEST(target.address == 32u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::ports_test
