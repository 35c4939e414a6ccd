// SPDX-License-Identifier: Apache-2.0
/// A SystemC model of one's own with two machines of Ringmesh in it: twelve PCs on an SCI ring, and a mesh.
///
///     producer --> PC 0 ... ring of twelve ... PC 6 --> bridge --> mesh (0,0) ... (3,3) --> memory
///
/// The producer, the bridge and the memory know nothing but TLM-2.0's base protocol.
#include <ringmesh/hw/mesh/mesh.h>
#include <ringmesh/hw/ports/mesh_port.h>
#include <ringmesh/hw/ports/processor_port.h>
#include <ringmesh/platforms/builder.h>
#include <ringmesh/platforms/configuration.h>
#include <ringmesh/platforms/files/catalog.h>
#include <ringmesh/tlm/pc/pc_machine.h>
#include <ringmesh/tlm/simulation/simulation.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

namespace {

constexpr unsigned kBlock = 64;  // bytes
constexpr unsigned kBlocks = 8;

// ---- the stranger's own models

struct Transfer : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Transfer> socket{"socket"};
    explicit Transfer(const sc_core::sc_module_name& module_name) : sc_module(module_name) {}

    bool transfer(tlm::tlm_command command, sc_dt::uint64 address, unsigned char* data)
    {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(data);
        payload.set_data_length(kBlock);
        payload.set_streaming_width(kBlock);
        sc_core::sc_time delay;
        socket->b_transport(payload, delay);
        return payload.is_response_ok();
    }
};

/// Writes blocks, each with its number in all bytes.
struct Producer : Transfer {
    sc_dt::uint64 to = 0;
    SC_HAS_PROCESS(Producer);
    explicit Producer(const sc_core::sc_module_name& module_name) : Transfer(module_name) { SC_THREAD(produce); }
    void produce()
    {
        unsigned char block[kBlock];
        for (unsigned i = 1; i <= kBlocks; ++i) {
            std::memset(block, static_cast<int>(i), kBlock);
            if (!transfer(tlm::TLM_WRITE_COMMAND, to + (i - 1) * kBlock, block)) sc_core::sc_stop();
        }
    }
};

/// Looks each microsecond whether the next block is there, and carries it on.
struct Bridge : sc_core::sc_module {
    Transfer pc{"pc"}, chip{"chip"};
    sc_dt::uint64 from = 0;
    bool finished = false;
    SC_HAS_PROCESS(Bridge);
    explicit Bridge(const sc_core::sc_module_name& module_name) : sc_module(module_name) { SC_THREAD(carry); }
    void carry()
    {
        unsigned char block[kBlock];
        for (unsigned i = 1; i <= kBlocks;) {
            wait(1, sc_core::SC_US);
            pc.transfer(tlm::TLM_READ_COMMAND, from + (i - 1) * kBlock, block);
            if (block[0] != i || block[kBlock - 1] != i) continue;
            chip.transfer(tlm::TLM_WRITE_COMMAND, (i - 1) * kBlock, block);
            ++i;
        }
        finished = true;
    }
};

struct Memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<Memory> socket{"socket"};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(kBlock * kBlocks);
    explicit Memory(const sc_core::sc_module_name& module_name) : sc_module(module_name)
    {
        socket.register_b_transport(this, &Memory::access);
    }
    void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        unsigned char* const place = bytes.data() + payload.get_address();
        if (payload.is_write()) std::memcpy(place, payload.get_data_ptr(), payload.get_data_length());
        if (payload.is_read()) std::memcpy(payload.get_data_ptr(), place, payload.get_data_length());
        delay += sc_core::sc_time(40, sc_core::SC_NS);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

// ---- Ringmesh

/// A machine from a platform, below a module of its own, so that several have different names: ring.node0.
struct Machine : sc_core::sc_module {
    std::unique_ptr<ringmesh::Machine> machine;
    Machine(const sc_core::sc_module_name& module_name, ringmesh::Simulation& simulation,
            const ringmesh::platforms::Configuration& configuration)
        : sc_module(module_name),
          machine(ringmesh::platforms::machine_kind(configuration)
                      .build(configuration, ringmesh::NodeKind::kProcessor, simulation))
    {}
};

/// Counts what packets do. Others draw it, or write it down.
struct Stages : ringmesh::JourneyListener {
    std::size_t count = 0;
    void stage(const ringmesh::Component&, const ringmesh::Stage&) override { ++count; }
};

struct Printer : ringmesh::StatisticsVisitor {
    std::string block;
    void value(std::string_view name, double value, std::string_view unit, std::string_view) override
    {
        std::cout << block << "." << name << " " << value << " " << unit << "\n";
    }
};

void simulate(const char* setting)
{
    using namespace ringmesh;
    Simulation simulation(1);
    Stages stages;
    simulation.on_journey(stages);

    auto pcs = platforms::Configuration::load(platforms::find_platform("wulfkit-ring"));
    pcs.set("topology.dimensions=12");
    if (setting != nullptr) pcs.set(setting);  // checked as on the command line
    Machine ring("ring", simulation, pcs);
    auto& machine = machine_as<PcMachine>(*ring.machine);

    hw::MeshParams routers;
    routers.columns = routers.rows = 4;
    const auto mesh = hw::make_mesh("mesh", simulation, routers, {});
    // Each router wants a terminal, also where nobody is
    std::vector<std::unique_ptr<hw::MeshPort<>>> terminals;
    for (unsigned i = 0; i < 16; ++i) {
        const auto place = mesh::local_port(i, 4);
        const std::string name = "terminal" + std::to_string(i);
        terminals.push_back(std::make_unique<hw::MeshPort<>>(name.c_str(), simulation, place));
        terminals.back()->to_mesh.bind(mesh->port(place));
    }
    hw::MeshPort<>& west = *terminals.front();
    hw::MeshPort<>& east = *terminals.back();

    // A segment of PC 6 that PC 0 maps
    const std::uint64_t inbox = machine.processor(6).segments().create_segment(0, 4096);
    machine.processor(6).segments().export_segment(0);

    hw::ProcessorPort<> first("first", simulation, machine.processor(0), {.store = StoreKind::kMmx});
    hw::ProcessorPort<> sixth("sixth", simulation, machine.processor(6));
    west.decode(0, kBlock * kBlocks, mesh::local_port(15, 4));

    Producer producer("producer");
    Bridge bridge("bridge");
    Memory memory("memory");
    producer.socket.bind(first.socket);
    bridge.pc.socket.bind(sixth.socket);
    bridge.chip.socket.bind(west.from_initiator);
    east.to_target.bind(memory.socket);
    producer.to = machine.processor(0).segments().import_and_map(6, 0);
    bridge.from = inbox;

    sc_core::sc_trace_file* waves = sc_core::sc_create_vcd_trace_file("own_systemc");
    mesh->trace(waves);
    for (sc_core::sc_object* node : ring.get_child_objects()) {
        for (sc_core::sc_object* block : node->get_child_objects()) block->trace(waves);
    }
    simulation.run();
    sc_core::sc_close_vcd_trace_file(waves);

    std::cout << "time " << sc_core::sc_time_stamp() << ", stages " << stages.count << "\n";
    Printer printer;
    for (const Component* component : simulation.components()) {
        printer.block = component->component_name();
        if (printer.block == "terminal0" || printer.block == "ring.node0.pci") component->statistics(printer);
    }
    for (unsigned i = 0; i < kBlock * kBlocks; ++i) {
        if (memory.bytes[i] != i / kBlock + 1) throw std::runtime_error("a block has not come");
    }
    if (!bridge.finished) throw std::runtime_error("the bridge waits");
    std::cout << "all blocks have come\n";
}

}  // namespace

int sc_main(int argc, char** argv)
{
    try {
        simulate(argc > 1 ? argv[1] : nullptr);
        return 0;
    } catch (const std::exception& error) {  // nothing exits the process
        std::cerr << "own_systemc: " << error.what() << "\n";
        return 2;
    }
}
