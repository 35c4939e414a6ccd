// SPDX-License-Identifier: Apache-2.0
/// Every parameter of every machine has a witness: a short run in which another value changes a result or a statistic.
#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "lab/run/record/run_record.h"
#include "lab/table/writers/json.h"
#include "platforms/builder.h"
#include "platforms/files/catalog.h"
#include "tests/lab/run/experiments.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

using Settings = std::map<std::string, std::string>;

/// A run, and what is set in it besides what makes the machine small.
struct Run {
    const char* workload;
    Settings settings = {};
    const char* library = "";
};

struct Witness {
    const char* key;
    const char* value;  ///< another than the platforms'
    Run run;
    bool refused = false;  ///< an exception: with this value the run ends with a message that names the key
};

const Run kPingPong{"ping-pong:sizes=64,repetitions=2,series=1"};
const Run kUnaligned{"ping-pong:sizes=4,repetitions=2,series=1", {}, "raw:aligned=false"};
const Run kSingleStores{"latency-map:size=12,repetitions=1,stores=single"};
const Run kBlocks{"remote-write:sizes=100..300 step 100,repetitions=4,series=1"};
const Run kLongBlocks{kBlocks.workload, {{"psb.stream_bytes", "128 B"}, {"lc2.bypass_capacity", "96"}}};
const Run kReads{"remote-read:sizes=64,repetitions=2"};
const Run kDma{"ping-pong:sizes=4096,repetitions=2", {}, "deck:transfer=dma,protocol=3"};
const Run kCopies{"ping-pong:sizes=1024,repetitions=2", {}, "deck:protocol=2"};
const Run kInterrupt{"ping-pong:sizes=60,repetitions=2", {}, "deck:notification=interrupt"};
const Run kRetries{"traffic:pattern=hot-spot,load=0.8,duration=10us,warm_up=1us", {{"lc2.receive_slots", "1"}}};
const Run kSources{"traffic:pattern=uniform,load=0.4,duration=10us,warm_up=1us"};
const Run kTorus{kSources.workload, {{"topology.kind", "torus"}, {"topology.dimensions", "[3, 3]"}}};
const Run kLossy{kSources.workload,
                 {{"fault.a.where", "node*.lc2*"}, {"fault.a.what", "lose-packet"}, {"fault.a.when", "0.2/packet"}}};
const Run kLostMessage{kPingPong.workload,
                       {{"fault.a.where", "node0.lc2"},
                        {"fault.a.what", "lose-packet"},
                        {"fault.a.when", "packet 1"},
                        {"recovery.tries", "0"}},
                       "deck"};
const Run kSwitched{kPingPong.workload, {{"topology.kind", "switch"}, {"topology.dimensions", "[2, 2]"}}};

const std::vector<Witness> kWulfkit{
    {"topology.kind", "counter-rotating", kPingPong},
    {"topology.dimensions", "[2, 3]", kPingPong},
    {"topology.routing", "up-down", kTorus},
    {"topology.check_routes", "true", kTorus, true},
    {"recovery.echo_timeout", "20 us", kLossy},
    {"recovery.tries", "2", kLossy},
    {"recovery.response_timeout", "1 ms", kLostMessage},
    {"recovery.transfer_tries", "1", kLostMessage, true},
    {"cable.length", "2 m", kPingPong},
    {"cable.velocity_factor", "1.0", kPingPong},
    {"link.symbol_time", "10 ns", kPingPong},
    {"link.idle_symbols", "4", kBlocks},
    {"link.flow_control", "off", kSources},
    {"lc2.bypass", "24 cycles", kPingPong},
    {"lc2.decode", "40 ns", kPingPong},
    {"lc2.in_fifo_to_blink", "212 ns", kPingPong},
    {"lc2.blink_to_out_fifo", "164 ns", kPingPong},
    {"lc2.link_clocked", "all", kPingPong},
    {"lc2.bypass_capacity", "63", {kPingPong.workload, {{"link.idle_symbols", "24"}}}, true},
    {"lc2.send_slots", "1", kBlocks},
    {"lc2.receive_slots", "1", kBlocks},
    {"lc2.first_phase", "notry", kRetries},
    {"lc2.echo_place", "tail", kRetries},
    {"lc2.own_before_passing", "arrives", kSources},
    {"lc2.retry_interval", "2 ns", kRetries},
    {"lc2.switching", "cut-through", kPingPong},
    {"lc2.transit_share", "0.5", kTorus},
    {"lc2.admission", "free-slot", kRetries},
    {"blink.clock", "100 MHz", kPingPong},
    {"blink.arbitration", "2 cycles", kPingPong},
    {"blink.header", "4 cycles", kPingPong},
    {"blink.trailer", "2 cycles", kPingPong},
    {"blink.bytes_per_cycle", "16 B", kPingPong},
    {"switch_blink.clock", "150 MHz", kSwitched},
    {"switch_blink.arbitration", "2 cycles", kSwitched},
    {"switch_blink.header", "4 cycles", kSwitched},
    {"switch_blink.trailer", "2 cycles", kSwitched},
    {"switch_blink.bytes_per_cycle", "16 B", kSwitched},
    {"psb.stream_buffers", "4", kBlocks},
    {"psb.stream_assignment", "any-free", kBlocks},
    {"psb.stream_bytes", "128 B", kBlocks},
    {"psb.transaction_bytes", "128 B", kLongBlocks},
    {"psb.crossing", "374 ns", kPingPong},
    {"psb.stream_open", "3 cycles", kPingPong},
    {"psb.flush_timeout", "10 us", kUnaligned},
    {"psb.inbound_slots", "1", kBlocks},
    {"psb.att_page", "4 KiB", kDma},
    {"psb.att_entries", "8192", kDma},
    {"psb.read_prefetch", "true", kReads},
    {"psb.dma_startup", "20 us", kDma},
    {"psb.dma_burst", "32 B", kDma},
    {"psb.dma_buffers", "4", kDma},
    {"pci.clock", "66 MHz", kPingPong},
    {"pci.arbitration", "4 cycles", kPingPong},
    {"pci.address_phase", "2 cycles", kPingPong},
    {"pci.write_wait", "3 cycles", kPingPong},
    {"pci.read_turnaround", "2 cycles", kBlocks},
    {"pci.data_phase", "2 cycles", kPingPong},
    {"pci.width", "8 B", kPingPong},
    {"pci.turnaround", "2 cycles", kPingPong},
    {"pci.retry_response", "2 cycles", kBlocks},
    {"pci.retry_gap", "4 cycles", kBlocks},
    {"host.clock", "800 MHz", kPingPong},
    {"host.processors", "2", kPingPong},
    {"host.library", "374 ns", kPingPong},
    {"host.crossing", "374 ns", kPingPong},
    {"host.read_crossing", "374 ns", kReads},
    {"host.store_issue", "8 cycles", kPingPong},
    {"host.poll_loop", "8 cycles", kPingPong},
    {"host.poll_miss", "300 ns", kPingPong},
    {"host.local_access", "200 ns", kReads},
    {"host.line_write", "100 ns", kCopies},
    {"host.cache_line", "64 B", kDma},
    {"host.cache", "0 B", kCopies},
    {"host.cache_hit", "24 cycles", kCopies},
    {"host.memory", "64 MiB", kDma},
    {"host.segments", "1", kDma, true},
    {"host.posted_writes", "1", kPingPong},
    {"host.inbound_writes", "1", {kBlocks.workload, {{"host.crossing", "1 us"}}}},
    {"host.single_gather", "8 B", kSingleStores},
    {"host.memcpy_gather", "16 B", kPingPong},
    {"host.mmx_gather", "16 B", kDma},
    {"host.barrier", "free", kReads},
    {"host.interrupt", "24 us", kInterrupt},
};

const Run kBuffers{"memory-probe:accesses=2"};
const Run kMemory{"memory-probe:target=memory,accesses=4,contenders=8"};
const Run kMemoryWrites{"memory-probe:target=memory,operation=write,accesses=4,contenders=8,bytes=4"};
const Run kReadsAndWrites{kMemoryWrites.workload, {{"memory.dram.partial_write", "read-modify-write"}}};
const Run kReordered{"memory-probe:target=memory,operation=write,accesses=40,contenders=8,bytes=4",
                     {{"memory.order", "row-hit-first"}, {"clock.memory", "200 MHz"}, {"clock.tile_dividers", "[2]"}}};
const Run kHotBuffer{"memory-probe:accesses=4,contenders=40"};
const Run kCaches{"memory-probe:target=memory,page=cached,by=size,sizes=65536,accesses=100"};
const Run kSmallCache{kCaches.workload, {{"core.l2.size", "8 KiB"}}};
const Run kBroadcast{"broadcast:size=4096,ranks=8,repetitions=1"};
const Run kLongBroadcast{"broadcast:algorithm=cube,size=20000,ranks=8,repetitions=1"};
const Run kTree{"broadcast:algorithm=tree,size=4096,repetitions=1"};
const Run kChipFlits{"traffic:load=0.6,flits=3,kind=mixed,warm_up=100 cycles,duration=300 cycles",
                     {{"mesh.detail", "flit"}}};

/// The only packet over a link: nobody waits for it afterwards.
const Run kOneCorrupt{
    "traffic:pattern=tornado,packets=1,warm_up=0 ns",
    {{"fault.a.where", "mesh.r0_0.local"}, {"fault.a.what", "corrupt"}, {"fault.a.when", "packet 1"}}};

const Run kSlowMemory{kMemory.workload, {{"fault.a.where", "mc*"}, {"fault.a.what", "slow"}, {"fault.a.when", "0 ns"}}};

const std::vector<Witness> kScc{
    {"clock.tile_dividers", "[4]", kBuffers},
    {"clock.memory", "1600 MHz", kMemory},
    {"mesh.shape", "graph", kBuffers, true},
    {"layout.controllers", "r0_0.south r5_0.south r0_3.north r5_3.north", kTree},
    {"mesh.columns", "3", kBuffers},
    {"mesh.rows", "2", kBuffers},
    {"mesh.clock", "1600 MHz", kBuffers},
    {"mesh.pipeline", "6 cycles", kBuffers},
    {"mesh.link", "2 cycles", kBuffers},
    {"mesh.terminal", "1 cycle", kBuffers},
    {"mesh.virtual_channels", "4", kHotBuffer},
    {"mesh.reserved_channels", "2", kChipFlits},
    {"mesh.speculation", "true", kChipFlits},
    {"mesh.buffer_flits", "2", kHotBuffer},
    {"mesh.injection_slots", "1", kHotBuffer},
    {"mesh.detail", "flit", kBuffers},
    {"mesh.routing", "yx", kTree},
    {"mesh.routes_by", "up-down", kTree},
    {"mesh.holes", "r2_2", {kTree.workload, {{"mesh.routes_by", "up-down"}}, kTree.library}},
    {"mesh.cut_links", "r0_0.east", {kTree.workload, {{"mesh.routes_by", "up-down"}}, kTree.library}},
    {"mesh.flow", "wormhole", kChipFlits},
    {"mesh.arbitration", "oldest", kChipFlits},
    {"mesh.switch_hold", "flit", kChipFlits},
    {"mesh.channel_choice", "per-output", kChipFlits},
    {"recovery.retry", "64 cycles", kOneCorrupt},
    {"recovery.tries", "1", kOneCorrupt},
    {"recovery.slow_memory", "300 cycles", kSlowMemory},
    {"core.l1.size", "1 KiB", kBroadcast},
    {"core.l1.ways", "1", kBroadcast},
    {"core.l1.replacement", "random", kCaches},
    {"core.l2.size", "1 KiB", kCaches},
    {"core.l2.ways", "1", kCaches},
    {"core.l2.replacement", "random", kSmallCache},
    {"core.memory", "320 MiB", kMemory},
    {"core.page_placement", "contiguous", kMemory},
    {"core.write_combine", "overlapped", kBroadcast},
    {"core.load_issue", "2 cycles", kBuffers},
    {"core.store_issue", "2 cycles", kBuffers},
    {"core.loop", "4 cycles", kBuffers},
    {"core.copy_loop", "8 cycles", kLongBroadcast},
    {"core.l2_hit", "36 cycles", kCaches},
    {"core.l2_store", "30 cycles", kLongBroadcast},
    {"core.l2_miss", "8 cycles", kBroadcast},
    {"core.to_miu", "10 cycles", kBuffers},
    {"core.from_miu", "10 cycles", kBuffers},
    {"core.acknowledge", "14 cycles", kMemory},
    {"core.invalidate", "2 cycles", kBuffers},
    {"miu.request", "32 cycles", kBuffers},
    {"miu.response", "30 cycles", kBuffers},
    {"miu.incoming", "4 cycles", kBuffers},
    {"miu.outgoing", "4 cycles", kBuffers},
    {"miu.flit", "2 cycles", kMemory},
    {"miu.slots", "1", kBroadcast},
    {"mpb.access", "4 cycles", kBuffers},
    {"mpb.bypass", "true", kBuffers},
    {"registers.access", "4 cycles", kBroadcast},
    {"memory.size", "4 GiB", kMemory, true},
    {"memory.latency", "108 cycles", kMemory},
    {"memory.slots", "1", kMemory},
    {"memory.order", "row-hit-first", kMemory},
    {"memory.patience", "1", kReordered},
    {"memory.dram.t_rcd", "30 ns", kMemory},
    {"memory.dram.t_rp", "30 ns", kMemory},
    {"memory.dram.t_cl", "30 ns", kMemory},
    {"memory.dram.t_rc", "105 ns", kMemory},
    {"memory.dram.t_cwl", "25 ns", kMemoryWrites},
    {"memory.dram.t_wr", "30 ns", kMemoryWrites},
    {"memory.dram.t_wtr", "20 ns", kReadsAndWrites},
    {"memory.dram.burst", "8 cycles", kMemory},
    {"memory.dram.t_ccd", "16 cycles", kMemory},
    {"memory.dram.turn", "40 cycles", kReadsAndWrites},
    {"memory.dram.banks", "16", kMemory},
    {"memory.dram.row", "16 KiB", kMemory},
    {"memory.dram.partial_write", "read-modify-write", kMemoryWrites},
};

const Run kFlits{"traffic:load=0.4,flits=5,kind=mixed,warm_up=100 cycles,duration=300 cycles"};

const std::vector<Witness> kMesh{
    {"recovery.retry", "64 cycles", kOneCorrupt},
    {"recovery.tries", "1", kOneCorrupt},
    {"mesh.shape", "graph", kFlits, true},
    {"mesh.columns", "3", kFlits},
    {"mesh.rows", "3", kFlits},
    {"mesh.clock", "2 GHz", kFlits},
    {"mesh.pipeline", "8 cycles", kFlits},
    {"mesh.link", "2 cycles", kFlits},
    {"mesh.terminal", "4 cycles", kFlits},
    {"mesh.virtual_channels", "16", kFlits},
    {"mesh.reserved_channels", "1", kFlits},
    {"mesh.buffer_flits", "16", kFlits},
    {"mesh.injection_slots", "1", kFlits},
    {"mesh.wrap", "true", kFlits},
    {"mesh.speculation", "true", kFlits},
    {"mesh.detail", "path", kFlits},
    {"mesh.routing", "yx", kFlits},
    {"mesh.routes_by", "up-down", kFlits},
    {"mesh.holes", "r2_2", {kFlits.workload, {{"mesh.routes_by", "up-down"}}}},
    {"mesh.cut_links", "r1_1.east", {kFlits.workload, {{"mesh.routes_by", "up-down"}}}},
    {"mesh.flow", "cut-through", kFlits},
    {"mesh.arbitration", "oldest", kFlits},
    {"mesh.switch_hold", "packet", kFlits},
    {"mesh.channel_choice", "per-input", kFlits},
    {"mesh.ring_classes", "dateline", {kFlits.workload, {{"mesh.wrap", "true"}}}},
    {"mesh.equal_ways", "drawn", {kFlits.workload, {{"mesh.wrap", "true"}}}},
};

const Run kTiming{"vertex-timing:sizes=64,trials=1"};
const Run kStream{"one-way:sizes=200,repetitions=20"};

const Run kTwoWays{"exchange:overlap=true,sizes=200,repetitions=20"};

const std::vector<Witness> kNcube{
    {"topology.dimension", "4", kStream},
    {"processor.clock", "14 MHz", kTiming},
    {"processor.longest_instruction", "24 cycles", kTiming},
    {"channel.byte", "18 cycles", kTiming},
    {"memory.size", "64 KiB", kTiming, true},
    {"processor.instruction", "20 cycles", kTiming},
    {"processor.instruction_buffer", "64 B", kTiming},
    {"memory.access", "3 cycles", kTiming},
    {"memory.refresh", "30 cycles", kTiming},
    {"memory.priority", "free", kTiming},
    {"loop.instructions", "22", kTiming},
    {"loop.code", "100 B", kTiming},
    {"loop.reads", "18", kTiming},
    {"loop.writes", "10", kTiming},
    {"loop.arithmetic", "320 cycles", kTiming},
    {"system.code", "0 B", kTwoWays},
    {"system.instruction", "80 cycles", kTwoWays},
    {"vertex.crossing", "300 cycles", kTiming},
    {"vertex.access", "26 cycles", kTiming},
    {"vertex.call", "922 cycles", kTiming},
    {"vertex.read", "1246 cycles", kTiming},
    {"vertex.copy", "34 cycles", kTiming},
    {"vertex.timer_grain", "2048 cycles", kTiming},
    {"vertex.request", "32 B", kTiming},
    {"vertex.reply", "8 B", kTiming},
    {"vertex.buffer_memory", "256 B", {kStream.workload, {{"vertex.full_buffers", "wait"}}}},
    {"vertex.buffering", "none", kTiming},
    {"vertex.full_buffers",
     "repeat",
     {kStream.workload, {{"vertex.buffer_memory", "256 B"}, {"vertex.full_buffers", "wait"}}}},
};

struct Case {
    const char* platform;
    const std::vector<Witness>* witnesses;
    Settings small;  ///< as few nodes as will do
    friend std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.platform; }
};

const std::vector<Case> kCases{
    {"wulfkit-ring", &kWulfkit, {{"topology.dimensions", "[4]"}}},

    {"wulfkit-switch", &kWulfkit, {{"topology.dimensions", "[2, 2]"}}},
    {"deck-cluster", &kWulfkit, {}},
    {"scc", &kScc, {}},
    {"mesh-8x8", &kMesh, {{"mesh.columns", "4"}, {"mesh.rows", "4"}}},
    {"ncube-64", &kNcube, {{"topology.dimension", "3"}}},
};

lab::ExperimentRequest request(const std::string& platform, const Run& what, const Settings& settings)
{
    lab::ExperimentRequest request{
        .platform = platform, .overlays = {}, .settings = {}, .workload = what.workload, .seed = 1};
    request.library = what.library;
    for (const auto& [key, value] : settings) request.settings.push_back(key + "=" + value);
    return request;
}

/// The message with which a run is refused, or given up.
std::string refusal_of(const lab::ExperimentRequest& request)
{
    lab::Store store(lab::Store::usual_folder());
    lab::Experiments experiments;
    experiments.plan("refused", request);
    try {
        experiments.run(store, 1);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(parameters)

BOOST_DATA_TEST_CASE(each_has_a_run_in_which_another_value_changes_something, data::make(kCases), one)
{
    lab::Store store(lab::Store::usual_folder());
    lab::Experiments experiments;
    std::map<std::tuple<std::string, std::string, Settings>, std::string> as_it_was;  // names of runs
    std::map<std::string, std::string> compared;                                      // key, and name of that run
    const auto configuration = platforms::Configuration::load(platforms::find_platform(one.platform));
    for (const auto& row : platforms::machine_kind(configuration).effective_parameters(configuration)) {
        const std::string& key = row.key;
        const auto& all = *one.witnesses;
        const auto witness = std::find_if(all.begin(), all.end(), [&](const Witness& each) { return each.key == key; });
        BOOST_TEST_REQUIRE((witness != all.end()), key << " has no witness");
        Settings settings = one.small;
        for (const auto& [other, value] : witness->run.settings) settings[other] = value;
        std::string& before = as_it_was[{witness->run.workload, witness->run.library, settings}];
        if (before.empty()) {
            before = "as it was, for " + key;
            experiments.plan(before, request(one.platform, witness->run, settings));
        }
        settings[key] = witness->value;
        const auto changed = request(one.platform, witness->run, settings);
        if (witness->refused) {
            const std::string refusal = refusal_of(changed);
            BOOST_TEST(contains(refusal, key), key << ": " << refusal);
        } else {
            experiments.plan(key, changed);
            compared[key] = before;
        }
        if (row.not_in_use.empty()) continue;
        const std::string refusal = refusal_of(request(one.platform, kPingPong, {{key, witness->value}}));
        BOOST_TEST(contains(refusal, " has no effect while "), key << ": " << refusal);
    }
    experiments.run(store, 1);
    for (const auto& [key, before] : compared) {
        const auto text_of = [&experiments](const std::string& name) {
            return outcome_json(experiments.outcome(name), true).line();
        };
        BOOST_TEST((text_of(key) != text_of(before)), key << " changes nothing");
    }
}

BOOST_AUTO_TEST_CASE(at_most_eight_are_limits)
{
    std::ptrdiff_t exceptions = 0;
    for (const auto* all : {&kWulfkit, &kScc, &kMesh, &kNcube}) {
        exceptions += std::count_if(all->begin(), all->end(), [](const Witness& each) { return each.refused; });
    }
    BOOST_TEST(exceptions <= 8);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
