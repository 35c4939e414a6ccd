// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <ostream>
#include <string_view>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

/// Bad input, as a user sees it: every message word for word, status 2, nothing on standard output, no file left.
namespace {

/// A result of an earlier run.
const std::string kKept = "{\n  \"ringmesh\": {\n    \"version\": \"as it was\"\n  }\n}\n";

using ringmesh::test::Ended;
using ringmesh::test::files_in;
using ringmesh::test::TemporaryFolder;
using ringmesh::test::words;

struct Mistake {
    const char* arguments;
    const char* message;  ///< without "ringmesh: " and the end of the line
};

std::ostream& operator<<(std::ostream& stream, const Mistake& mistake) { return stream << mistake.arguments; }

#define RUN "run wulfkit-ring --workload ping-pong"
#define TRAFFIC "run wulfkit-ring --workload traffic"
#define WULFKITS                                                                                          \
    "deck-cluster, wulfkit-ring, wulfkit-switch, wulfkit-torus-2d, wulfkit-torus-3d, wulfkit-torus-3x3, " \
    "wulfkit-torus-4d"
#define MESH "run mesh-8x8 --workload traffic"
#define EXPLAIN "explain wulfkit-ring"
#define CUBE "run ncube-64"
#define CHIP "run scc"

const std::vector<Mistake> kMistakes{
    // The command line itself
    {"",
     "no command; write one of: list, run, validate, sensitivity, calibrate, whatif, explain, saturate, sweep, study, "
     "store, compare, report, reproduce, check, new, cc, c++, fc, mpiexec, "
     "help, version, completion; see 'ringmesh --help'"},
    {"rnu wulfkit-ring", "unknown command 'rnu'; did you mean 'run'?"},
    {"whatever",
     "unknown command 'whatever'; known: list, run, validate, sensitivity, calibrate, whatif, explain, saturate, "
     "sweep, study, store, "
     "compare, report, reproduce, check, new, cc, c++, fc, mpiexec, help, version, completion"},
    {"--hlep", "unknown option '--hlep'; did you mean '--help'?"},
    {"run", "run: no platform; 'ringmesh list platforms' shows what there is; see 'ringmesh run --help'"},
    {"run wulfkit-ring",
     "run: no workload; write --workload NAME, or --program FILE of a program of others; 'ringmesh list workloads' "
     "shows what there is; see 'ringmesh run "
     "--help'"},
    {RUN " --seeed 3", "run: unknown option '--seeed'; did you mean '--seed'?"},
    {RUN " one-way", "run: unexpected argument 'one-way'; see 'ringmesh run --help'"},
    {RUN " --seed", "run: --seed has no value; write one behind it; see 'ringmesh run --help'"},
    {RUN " --seed 1 --seed 2", "run: --seed is given twice; keep one; see 'ringmesh run --help'"},
    {RUN " --json --csv x",
     "run: --json: '--csv' is not a value; write a value, ./--csv for a file of that name; see 'ringmesh run --help'"},
    {RUN " --json=", "run: --json has no value; write one behind it; see 'ringmesh run --help'"},
    {RUN " --statistics=yes", "run: --statistics takes no value; leave it out; see 'ringmesh run --help'"},
    {"list platforms -- --json", "list: unexpected argument '--json'; 'list platforms' takes no name"},
    {"study run", "study run: no study; write the folder that has study.toml; see 'ringmesh study run --help'"},
    {RUN " --seed 1.5", "run: --seed 1.5: not a whole number from 0 to 18446744073709551615; write --seed 1"},
    {"validate --json - --markdown -", "--json - and --markdown -: only one of them can go to standard output"},
    {"validate mesh --part mesh --tables -",
     "validate: --tables: there are none; write it without --part, or another study or part"},
    {RUN " --json - --csv -", "--json - and --csv -: only one of them can go to standard output"},
    {RUN " --trace node0", "--trace: needs --vcd FILE, --fst FILE or --timeline FILE, where the signals go"},
    {RUN " --window 1us..2us", "--window: needs --vcd FILE, --fst FILE or --timeline FILE, where the signals go"},
    {RUN " --vcd -", "--vcd -: a waveform needs a file; write --vcd FILE"},
    {RUN " --log nope=debug", "--log nope=debug: no module matches; known: kernel, node0..node7"},
    {"run scc --workload memory-probe --vcd run.vcd --trace nothing",
     "--trace nothing: no traced object of this name; known: core0..core47, mc0..mc3, mesh, tile0..tile23"},
    {RUN " --log node0=loud", "--log: unknown level 'loud'; known: trace, debug, info, warning, error, off"},
    {"validate --freeze", "validate: --freeze: writes a study's expectations again; name one: validate STUDY --freeze"},
    {"calibrate mesh --cross-validate",
     "calibrate: --cross-validate: no rows calibrated a constant of this study, so none can be set without them"},
    {TRAFFIC " --map random", "--map random: traffic has no ranks to place; leave it out"},
    {RUN " --map Random",
     "map = Random: cannot read 'Random': No such file or directory; write linear, random, snake, sub-torus, or the "
     "name of a file with one node a line; did you mean 'random'?"},
    {"list",
     "list: no subject; write one of: platforms, overlays, workloads, libraries, parameters, policies, studies, "
     "functions, signals, routes, faults, cut; see 'ringmesh list --help'"},
    {"list platfroms", "list: unknown subject 'platfroms'; did you mean 'platforms'?"},
    {"list platforms wulfkit-ring", "list: unexpected argument 'wulfkit-ring'; 'list platforms' takes no name"},
    {"list policies mesh-arbitraton", "unknown kind of policy 'mesh-arbitraton'; did you mean 'mesh-arbitration'?"},
    {"list workloads deck-satges", "unknown workload 'deck-satges'; did you mean 'deck-stages'?"},
    {"list workloads --library deck",
     "list: --library: goes with one workload; write 'list workloads NAME', or leave it out"},
    {"list workloads barrier --library raw",
     "list: --library raw: barrier does not run over it; take one of: deck, scampi, sci-mpich, rcce, ircce, vertex"},
    {"list libraries rwa", "unknown library 'rwa'; did you mean 'raw'?"},
    {"list parameters --json --markdown", "list: --markdown, --json and --csv: choose one of them"},
    {"validate wulfkt", "unknown study 'wulfkt'; did you mean 'wulfkit'?; or write a folder that has study.toml"},

    // Names
    {"run wulfkit-rnig --workload ping-pong", "unknown platform 'wulfkit-rnig'; did you mean 'wulfkit-ring'?"},
    {"run wulfkit-ring --workload pingpong", "unknown workload 'pingpong'; did you mean 'ping-pong'?"},
    {RUN " --overlay link-4Gbps", "unknown overlay 'link-4Gbps'; did you mean 'link-4.0Gbps'?"},
    {"run scc --set mesh.arbitration=oldest --workload memory-probe",
     "--set mesh.arbitration=oldest: mesh.arbitration = \"oldest\": has no effect while mesh.detail = \"path\"; set "
     "mesh.detail=flit, or leave it out"},
    {RUN " --set switch_blink.clock=50MHz",
     "--set switch_blink.clock=50MHz: switch_blink.clock = \"50MHz\": has no effect while topology.kind = \"torus\"; "
     "set topology.kind=switch or graph, or leave it out"},
    {TRAFFIC " --set host.crossing=1us",
     "--set host.crossing=1us: host.crossing = \"1us\": has no effect while packet sources stand in place of the "
     "hosts; choose a workload that runs programs, or leave it out"},
    {"run ncube-64 --workload traffic --set vertex.copy=34cycles",
     "--set vertex.copy=34cycles: vertex.copy = \"34cycles\": has no effect while packet sources stand in place of "
     "processors and "
     "memory; choose a workload that runs programs, or leave it out"},
    {TRAFFIC " --set lc2.switching=cut-through",
     "--set lc2.switching=cut-through: lc2.switching = \"cut-through\": has no effect while packet sources stand on "
     "the link controllers, without a B-Link; write inject=blink, or choose more dimensions or another workload, or "
     "leave it out"},
    {RUN " --set psb.dma_burst=32B",
     "--set psb.dma_burst=32B: psb.dma_burst = \"32B\": has no effect while no program copies by DMA; choose a library "
     "that does, such as deck:transfer=dma, or leave it out"},
    {RUN " --library deck --set host.interrupt=1us",
     "--set host.interrupt=1us: host.interrupt = \"1us\": has no effect while no program waits for an interrupt; "
     "choose "
     "a library that does, such as deck:notification=interrupt, or leave it out"},
    {RUN " --library raw:stores=single --set host.memcpy_gather=8B",
     "--set host.memcpy_gather=8B: host.memcpy_gather = \"8B\": has no effect while no program writes remote memory by "
     "memcpy; choose stores=memcpy where there is that option, or leave it out"},
    {"explain wulfkit-ring --from 0 --to 1 --set host.barrier=free",
     "--set host.barrier=free: host.barrier = \"free\": has no effect while no program waits for a "
     "store "
     "barrier; choose a workload or library that does, such as remote-write or deck, or leave it out"},
    {RUN " --overlay range.toml",
     "range.toml:6: provenance.\"lc2.decode\": a range without a reason; write note = \"...\""},
    {RUN " --set psb.stream_buffers=1 --set psb.stream_assignment=any-free",
     "--set psb.stream_assignment=any-free: psb.stream_assignment = \"any-free\": has no effect while the card has one "
     "stream buffer; set more psb.stream_buffers, or leave it out"},
    {"run scc --workload ping-pong --set memory.slots=1 --set memory.order=row-hit-first",
     "--set memory.order=row-hit-first: memory.order = \"row-hit-first\": has no effect while a controller holds one "
     "request; set more memory.slots, or leave it out"},
    {MESH " --set mesh.rows=1 --set mesh.routing=yx",
     "--set mesh.routing=yx: mesh.routing = \"yx\": has no effect while the mesh is a line; set more rows and columns, "
     "or leave it out"},
    {RUN " --set link.symbl_time=4ns",
     "--set link.symbl_time=4ns: unknown key 'link.symbl_time'; did you mean 'link.symbol_time'?"},
    {RUN ":sizs=64", "--workload ping-pong sizs=64: unknown key 'sizs'; did you mean 'sizes'?"},

    {"run deck-cluster --overlay free-barrier --workload remote-write",
     "remote-write measures until the store barrier answers, and with host.barrier = free it answers at once; drop "
     "--overlay free-barrier, or set host.barrier to card-register"},
    {"run wulfkit-torus-4d --workload ping-pong:sizes=64 --library deck",
     "deck: the mail box for 80 other ranks has 160.6 MiB, buffer=2097152 in each part; write buffer=65536, or --set "
     "host.memory=256MiB: node 0 has 134152192 bytes of memory left, too few for segment 1 of 168427520; make it "
     "smaller or raise host.memory, 134217728 bytes"},
    {"run wulfkit-torus-4d --workload all-to-all --library mpi:eager_buffer=4194304",
     "mpi: rank 7 has no room to connect to rank 16: node 16 has 3681792 bytes of memory left, too few for segment 91 "
     "of 4208640; make it smaller or raise host.memory, 134217728 bytes; eager_buffer=4194304 and chunk_buffers=2 of "
     "chunk=4096 in each part; write eager_buffer=32832, chunk=1024, or --set host.memory to more"},
    {RUN ":sizes=64,sizes=128", "--workload ping-pong:sizes=64,sizes=128: sizes is given twice; keep one"},

    // Lists of sizes
    {"run scc --workload broadcast:part=0", "broadcast: part = 0 is out of bounds; a part has 1 to 4194304 bytes"},
    {"run scc --workload broadcast:size=1000..2000",
     "broadcast: size = 1000..2000 lacks a step; write '1000..2000 step 100' or '1000..2000 x2'"},
    {"run scc --workload broadcast:part=5..1",
     "broadcast: part = 5..1 runs downwards; write '1..5 step 1' or '1..5 x2'"},
    {"run scc --workload broadcast:size=100,",
     "--workload broadcast:size=100,: nothing comes after the last comma; write it there, or leave the comma out"},
    {"run scc --workload broadcast:size=100,,200",
     "broadcast: size = 100,,200: a comma has no number on one of its sides; write one there, or leave the comma out"},
    {"run scc --workload ping-pong:to=-1",
     "ping-pong: to = -1 cannot be read; write plain numbers of ranks, for example '1,2,47', '1..47 step 1' or "
     "'opposite'"},
    {"run scc --workload ping-pong:ranks=49", "ping-pong: ranks = 49: this machine has 48; write 1 to 48"},
    {RUN ":sizes=0", "ping-pong: sizes = 0 is out of bounds; a message has 1 to 1048576 bytes"},

    // Machines and workloads
    {"run ncube-64 --workload broadcast:algorithm=tree",
     "broadcast: algorithm = tree: it needs one-sided, which this library lacks; leave it out, or take another "
     "machine (ringmesh list workloads) and --library rcce, ircce"},
    {RUN ":meet=true",
     "ping-pong: meet = true: it needs queues, which this library lacks; leave it out, or take --library deck, "
     "scampi, sci-mpich"},
    {CHIP " --workload chain:ranks=1", "chain: ranks = 1: at least two take part; write ranks=2 or more"},
    {CHIP " --workload ping-pong:ranks=4,to=37",
     "ping-pong: to = 37: with ranks = 4, ranks 0 to 3 take part; choose one of them, or write ranks=38 or more"},
    {"run mesh-8x8 --workload ping-pong",
     "ping-pong runs over a library for PCs whose cards map memory or the cores of an SCC or an NCUBE hypercube, and "
     "mesh-8x8 offers a network with packet sources; run it on one of: deck-cluster, ncube-64, scc, wulfkit-ring, "
     "wulfkit-switch, wulfkit-torus-2d, wulfkit-torus-3d, wulfkit-torus-3x3, wulfkit-torus-4d"},
    {"run wulfkit-ring --workload barrier --library raw",
     "--library raw: barrier needs queues, which raw lacks; take one of: deck, scampi, sci-mpich"},
    {RUN " --library dekc", "unknown library 'dekc'; did you mean 'deck'?"},
    {"run mesh-8x8 --workload ping-pong --library deck",
     "--library deck: it runs on PCs whose cards map memory, and mesh-8x8 offers a network with packet sources; run it "
     "on one of: " WULFKITS},
    {"run deck-cluster --workload deck-stages --library scampi",
     "--library scampi: deck-stages is about deck alone; take deck"},
    {"run wulfkit-ring --workload traffic --library deck",
     "--library deck: traffic runs over no library; leave --library out"},
    {RUN " --library deck:limt=3", "--library deck limt=3: unknown key 'limt'; did you mean 'limit'?"},
    {RUN " --library deck:protocol=1,limit=9999",
     "--library deck limit=9999: has no effect while protocol = \"1\"; set protocol=auto, or leave it out"},
    {RUN " --library deck:protocol=3,acknowledge=4",
     "--library deck acknowledge=4: has no effect while protocol = \"3\"; set protocol=auto or 1 or 2, or leave it "
     "out"},
    {"run scc --workload broadcast:algorithm=linear,degree=7",
     "--workload broadcast degree=7: has no effect while algorithm = \"linear\"; set algorithm=tree, or leave it out"},
    {RUN " --library deck:",
     "--library deck:: nothing comes after the colon; write --library deck:KEY=VALUE,..., or leave the colon out"},
    {RUN " --library :limit=3", "--library :limit=3: no name; write --library NAME or --library NAME:KEY=VALUE,..."},
    {"run mesh-8x8 --workload vertex-timing",
     "vertex-timing runs over a library for an NCUBE hypercube, and mesh-8x8 offers a network with packet sources; run "
     "it on ncube-64"},
    {"run scc --workload ping-pong --library rcce:preset=rcce-1.2",
     "--library rcce preset=rcce-1.2: preset = \"rcce-1.2\": no such choice; did you mean 'rcce-1.1'?"},
    {"run scc --workload ping-pong --library rcce-1.1",
     "unknown library 'rcce-1.1': that is a preset; write --library rcce:preset=rcce-1.1 or ircce:preset=rcce-1.1"},
    {RUN " --library deck:preset=rcce-1.1",
     "--library deck preset=rcce-1.1: unknown key 'preset'; known: protocol, limit, slots, buffer, "
     "packet, acknowledge, call, stores, notification, transfer"},
    {"run ncube-64 --workload ping-pong --library rcce:preset=pichler-2012",
     "--library rcce: it runs on the cores of an SCC, and ncube-64 offers an NCUBE hypercube and a network with packet "
     "sources; take vertex, or run it on scc"},
    {"run ncube-64 --workload ping-pong --library rcce",
     "--library rcce: it runs on the cores of an SCC, and ncube-64 offers an NCUBE hypercube and a network with packet "
     "sources; take vertex, or run it on scc"},

    // Traffic
    {TRAFFIC ":pattern=unifrom",
     "--workload traffic pattern=unifrom: pattern = \"unifrom\": no such choice; did you mean 'uniform'?"},
    {TRAFFIC ":load=much", "traffic: load = much: not a number from 1e-06 to 1000000; write load=0.3, or leave it out"},
    {TRAFFIC ":load=0.5,rate=10",
     "traffic: load and rate are both given, and each makes the other; leave one of them out"},
    {TRAFFIC ":rate=1000",
     "traffic: rate = 1000: each source would offer a packet every 64.000 ns, and its link needs 210.000 ns to send "
     "one; write rate=304.761 or less"},
    {TRAFFIC ":rate=270,inject=blink --set topology.dimensions=4x4",
     "traffic: rate = 270: each source would offer a packet every 237.037 ns, and its B-Link needs 240.000 ns to send "
     "one; write rate=266.666 or less"},
    {TRAFFIC ":load=10",
     "traffic: load = 10: each source would offer a packet every 128.000 ns, and its link needs 210.000 ns to send "
     "one; write load=6.095 or less"},
    {TRAFFIC ":warm_up=5", "traffic: warm_up = 5: neither cycles nor a time; write such as 20000 cycles or 20 us"},
    {TRAFFIC ":pattern=transpose",
     "traffic: pattern = transpose: needs a torus of two or more dimensions whose sizes read the same backwards, and "
     "this one is a ring of 8; write --set topology.dimensions=8x8, or choose another pattern"},
    {TRAFFIC ":pattern=all-to-all,load=0.5",
     "--workload traffic load=0.5: has no effect while pattern = \"all-to-all\"; set pattern=uniform or "
     "nearest-neighbour or hot-spot or transpose or bit-complement or tornado or between or bit-reversal or shuffle or "
     "bit-rotation or butterfly or neighbour or random-permutation or nearest or quadrant or hot-spots or table, or "
     "leave it out"},
    {TRAFFIC ":window=2",
     "--workload traffic window=2: has no effect while pattern = \"uniform\"; set pattern=one-to-all or all-to-all or "
     "tree-multicast, or leave it out"},
    {TRAFFIC ":hot_node=0",
     "--workload traffic hot_node=0: has no effect while pattern = \"uniform\"; set pattern=hot-spot, or leave it out"},
    {TRAFFIC ":pattern=hot-spot,hot_node=8",
     "traffic: hot_node = 8: this machine has nodes 0 to 7; choose one of them"},
    {TRAFFIC ":pattern=between,receivers=8",
     "traffic: receivers = 8: this machine has nodes 0 to 7; choose one of them"},
    {TRAFFIC " --set node8.lc2.send_slots=2",
     "--set node8.lc2.send_slots=2: node8.lc2.send_slots = 2: there are node0 to node7; write one of them"},
    {TRAFFIC " --set node1.lc2.send_slot=2",
     "--set node1.lc2.send_slot=2: unknown key 'node1.lc2.send_slot'; did you mean 'node1.lc2.send_slots'?"},
    {TRAFFIC ":inject=link --set topology.dimensions=4x4",
     "traffic: inject = link: a source stands on one link controller, and each node of this machine has 2; write "
     "inject=blink"},
    {"run wulfkit-switch --workload traffic:pattern=tornado",
     "traffic: pattern = tornado: needs coordinates: a ring, a torus, a hypercube, or a mesh without holes; choose "
     "pattern=uniform, or such a platform"},
    {"saturate",
     "saturate: no platform; 'ringmesh list platforms' shows what there is; see 'ringmesh saturate --help'"},
    {"saturate wulfkit-ring --workload ping-pong",
     "saturate: --workload ping-pong: has no load to raise; write --workload traffic:pattern=..."},
    {"saturate mesh-8x8 --workload traffic:load=0.1", "saturate: load = 0.1: the search varies it; leave it out"},
    {"saturate mesh-8x8 --interval 2", "saturate: --interval 2: not a load from 0.001 to 1; write --interval 0.02"},
    {"saturate mesh-8x8 --longest 0", "saturate: --longest 0: not a whole number from 1 to 100000; write --longest 2"},
    {"saturate mesh-8x8 --jobs x", "saturate: --jobs x: not a whole number from 1 to 100000; write --jobs 2"},
    {"saturate wulfkit-ring --workload traffic:packets=100",
     "saturate: packets = 100: the first source that has sent them ends the measurement, so what is accepted says "
     "nothing; write duration instead"},
    {"saturate wulfkit-ring --workload traffic:pattern=all-to-all",
     "saturate: pattern = all-to-all: is an operation, which has no load to raise; choose one of: uniform, "
     "nearest-neighbour, hot-spot, transpose, bit-complement, tornado, between, bit-reversal, shuffle, bit-rotation, "
     "butterfly, neighbour, random-permutation, nearest, quadrant, hot-spots, table"},

    // A mesh
    {MESH ":pattern=tornado,self=true",
     "--workload traffic self=true: has no effect while pattern = \"tornado\"; set pattern=uniform or transpose or "
     "bit-reversal or shuffle or bit-rotation or butterfly or random-permutation, or leave it out"},
    {MESH ":pattern=transpose --set mesh.rows=4",
     "traffic: pattern = transpose: needs a mesh of as many rows as columns, and this one is 8x4; write --set "
     "mesh.columns=8 --set mesh.rows=8, or choose another pattern"},
    {MESH ":pattern=bitrev --set mesh.rows=7",
     "traffic: pattern = bit-reversal: needs 2, 4, 8 ... nodes, and this machine has 56; write --set mesh.columns=8 "
     "--set mesh.rows=8, or choose another pattern"},
    {MESH ":pattern=hotspot,hot_shares=5:0.7,6:0.7",
     "traffic: hot_shares = 5:0.7,6:0.7: the shares add up to 1.4, more than 1; write a node and its share, such as "
     "hot_shares=1:0.2,4:0.1"},
    {MESH ":flits=uniform:1..65",
     "traffic: flits = 65: not a whole number from 1 to 64; write flits=1, or leave it out"},
    {MESH ":flits=1:0.5",
     "flits = 1:0.5: the shares add up to 0.5, not to 1; write a length and its share, such as "
     "flits=2:0.2,5:0.8"},
    {MESH ":pattern=table", "traffic: rates = : names no file; write one, or leave the option out"},
    {MESH ":burst=5",
     "--workload traffic burst=5: has no effect while arrivals = \"bernoulli\"; set arrivals=on-off, or leave it out"},
    {MESH ":flits=0", "traffic: flits = 0: not a whole number from 1 to 64; write flits=1, or leave it out"},
    {MESH ":kind=reply", "traffic: kind = reply: there is none such; known: request, response, mixed"},
    {MESH ":command=write64", "traffic: command = write64: the packets of this network have flits, kind; leave it out"},
    {"run scc --workload traffic:size=64",
     "traffic: size = 64: the packets of this network have flits, kind; leave it out"},
    {MESH ":load=1.5",
     "traffic: load = 1.5: each source would offer a packet every 0.667 ns, and its local port needs 1.000 ns to send "
     "one; write load=1.000 or less"},
    {MESH " --set mesh.reserved_channels=5",
     "--set mesh.reserved_channels=5: mesh.reserved_channels = 5: two classes of packets cannot reserve 5 of 8 virtual "
     "channels each; reserve at most half of them, or set more"},
    {"run scc --workload ping-pong --set mesh.detail=flit --set mesh.virtual_channels=1",
     "--set mesh.virtual_channels=1: mesh.virtual_channels = 1: two classes of packets cannot reserve 1 of 1 virtual "
     "channels each; reserve at most half of them, or set more"},

    // Explanations
    {EXPLAIN, "explain: no --from; write --from and the rank of a node; see 'ringmesh explain --help'"},
    {EXPLAIN " --from 0", "explain: no --to; write --to and the rank of a node; see 'ringmesh explain --help'"},
    {EXPLAIN " --from 3 --to 3", "explain: from and to are both 3; choose two different ranks of 0 to 7"},
    {EXPLAIN " --from 0 --to 8", "explain: this machine has no rank to = 8; choose one of 0 to 7"},
    {EXPLAIN " --from 4294967295 --to 1", "explain: this machine has no rank from = 4294967295; choose one of 0 to 7"},
    {EXPLAIN " --from 0 --to -1", "explain: --to -1: not the rank of a node; write a whole number, --to 0"},
    {EXPLAIN " --from 0 --to 1 --bytes 0", "explain: --bytes 0: a message has 1 to 1048576 bytes"},
    {EXPLAIN " --from 0 --to 1 --bytes 1048577", "explain: --bytes 1048577: a message has 1 to 1048576 bytes"},
    {EXPLAIN " --from 0 --to 1 --bytes 1k", "explain: --bytes 1k: not a whole number of bytes; write --bytes 64"},

    // What if
    {"whatif wulfkit-switch",
     "whatif: wulfkit-switch joins its rings by a switch, so that there are no dimensions to compare; use 'ringmesh "
     "run wulfkit-switch --workload latency-map'"},
    {"whatif ncube-64",
     "whatif: ncube-64 is not made of rings, which the papers' question is about; write --workload NAME to compare "
     "variants of it, or wulfkit-torus-2d"},
    {"whatif wulfkit-torus-2d --sizes 1",
     "whatif: --sizes 1 is out of bounds; a machine to compare has 2 to 4096 nodes"},
    {"whatif wulfkit-torus-2d --sizes abc",
     "whatif: --sizes abc cannot be read; write plain numbers of nodes, for example '16,64,81', '4..64 step 4' or "
     "'4..1024 x4'"},
    {"whatif wulfkit-torus-2d --set topology.dimensions=[4,4]",
     "whatif: topology.dimensions is varied in any case; leave it out and choose numbers of nodes by --sizes"},
    {"whatif wulfkit-torus-2d --set blink.clock=50MHz",
     "whatif: nothing is changed: wulfkit-torus-2d has these values already; 'ringmesh list parameters "
     "wulfkit-torus-2d' shows them"},

    // An NCUBE
    {CUBE " --set topology.dimension=11 --workload vertex-timing",
     "--set topology.dimension=11: topology.dimension = 11 is above 10, the largest allowed value; write a value from "
     "0 to 10"},
    {CUBE " --set topology.dimension=0 --workload chain",
     "chain needs two nodes, and this machine has 1; take a larger one"},
    {CUBE " --workload ping-pong:sizes=100000",
     "ping-pong: a message has 100000 bytes, and the system buffers of a node hold 65536; take sizes=0..65536 step 64, "
     "or raise vertex.buffer_memory"},
    {CUBE " --set topology.dimension=1 --workload vertex-timing",
     "vertex-timing: a cube of dimension 1 is too small: node 0 needs two neighbours; set topology.dimension to 2 or "
     "more"},
    {CUBE " --workload stream:quiet=true,to=64", "stream: this machine has no rank to = 64; choose one of 0 to 63"},
    {CUBE " --workload stream:quiet=true,sizes=600000",
     "stream: a message has 600000 bytes, and the system buffers of a node hold 65536; take sizes of at most 65536, "
     "or raise vertex.buffer_memory"},
    {CUBE " --set vertex.buffer_memory=300KiB --workload vertex-timing",
     "--set vertex.buffer_memory=300KiB: vertex.buffer_memory = \"300KiB\": programs need at least half of "
     "memory.size; write 256 KiB or less"},
    {CUBE " --set vertex.buffer_memory=1KiB --workload vertex-timing:trials=2",
     "nwrite on node 0 to 1: a message of 1500 bytes is longer than the memory for buffers, 1024 bytes; write a "
     "shorter one, or raise vertex.buffer_memory"},
    {CUBE " --set topology.dimension=1 --set vertex.buffer_memory=64B --workload "
          "stream:quiet=true,messages=10,sizes=32",
     "receiving on node 1: no system buffer for message 13 of 32 bytes from node 0 to 1 (type 1): 64 of 64 bytes are "
     "taken, 1 message is unread; read sooner, write fewer or smaller messages, raise vertex.buffer_memory, or set "
     "vertex.full_buffers = wait, with which nodes may deadlock"},
    {CUBE " --workload vertex-timing:sizes=9000,trials=1",
     "vertex-timing: the computations, 5857 us the short one, do not cover the transfers of messages of 9000 bytes; "
     "raise integer_turn or float_turn, or write smaller sizes"},
    {CUBE " --workload vertex-timing:measure=channels,channel_bytes=20000,channel_blocks=1",
     "vertex-timing: no message of 20000 bytes came while node 0 computed; raise channel_blocks, or write smaller "
     "channel_bytes"},
    {CUBE " --workload traffic:pattern=quadrant",
     "traffic: pattern = quadrant: no node of this machine has another one to send to; take a larger machine, or "
     "another pattern"},
    {CUBE " --workload traffic:pattern=tornado",
     "traffic: pattern = tornado: needs rings of 3 nodes or more, and this machine has 2x2x2x2x2x2; choose another "
     "pattern"},
    {CUBE " --workload latency-map:between=processors",
     "latency-map: between = processors: needs PCs with SCI cards, and this platform is none; write between=sources"},
    {CUBE " --workload latency-map:stores=mmx",
     "--workload latency-map stores=mmx: has no effect while packet sources send one packet for each pair; choose "
     "between=processors on a platform of PCs with SCI cards, or leave it out"},
    {CUBE " --workload latency-map:flits=2",
     "latency-map: flits = 2: the packets of this network have size; leave it out"},
    {CUBE " --workload traffic:self=true",
     "traffic: self = true: no node of this network sends to itself; leave it out"},

    // The SCC
    {CHIP " --workload memory-probe --set clock.tile_dividers=2x3",
     "--set clock.tile_dividers=2x3: clock.tile_dividers = \"2x3\": tile_dividers has 2 values, and the chip has 6x4 "
     "tiles in 6 voltage islands; give one value for all, 6 for the islands or 24 for the tiles"},
    {CHIP " --workload broadcast:algorithm=dopl,size=100,ranks=12 --set mesh.columns=5",
     "broadcast: algorithm = dopl: its pipelines follow rows of 6 tiles, and this mesh has others; set mesh.columns=6, "
     "or choose another algorithm"},
    {CHIP " --workload memory-probe --set mesh.columns=40",
     "--set mesh.columns=40: mesh.columns = 40: there are 160 tiles, and a core's look-up table has entries for 125; "
     "write "
     "fewer columns or rows, or ask a bare mesh (platform mesh-8x8)"},
    {CHIP " --workload memory-probe --set core.memory=1GiB",
     "--set core.memory=1GiB: core.memory = \"1GiB\": 12 cores share a controller, whose memory.size is 8 GiB; write "
     "682 MiB or less"},
    {CHIP " --workload memory-probe --set core.l1.size=100B",
     "--set core.l1.size=100B: core.l1.size = \"100B\": 4 ways of 32-byte lines make no power of two of sets; write "
     "128 B times a power of two"},
    {CHIP " --workload memory-probe --set core.l2.size=256KiB --set core.l2.ways=3",
     "--set core.l2.size=256KiB: core.l2.size = \"256KiB\": 3 ways of 32-byte lines make no power of two of sets; "
     "write 96 B times a power of two"},
    {CHIP " --workload memory-probe --set core.l1.ways=3 --set core.l1.size=12KiB --set core.l1.replacement=pseudo-lru",
     "--set core.l1.replacement=pseudo-lru: core.l1.replacement = \"pseudo-lru\": replacement \"pseudo-lru\" needs 1, "
     "2, 4, 8, 16 or 32 ways; use \"lru\" for others"},
    {CHIP " --workload memory-probe --set memory.dram.t_rc=10ns",
     "--set memory.dram.t_rc=10ns: memory.dram.t_rc = \"10ns\": t_rc = 8 memory cycles is less than t_rcd + t_rp = 24; "
     "make t_rc longer"},
    {CHIP " --workload memory-probe:core=48",
     "memory-probe: core = 48: this machine has cores 0 to 47; choose one of them"},

    // Values
    {RUN " --set link.symbol_time=4",
     "--set link.symbol_time=4: link.symbol_time = 4: a duration needs a unit; write \"4 ns\""},
    {RUN " --set link.symbol_time=4MHz",
     "--set link.symbol_time=4MHz: link.symbol_time = \"4MHz\": 'MHz' is not a unit of time; write ps, ns, us, ms or "
     "s"},
    {RUN " --set link.symbol_time=4s",
     "--set link.symbol_time=4s: link.symbol_time = \"4s\" is above \"1 us\", the largest allowed value; write a value "
     "from \"100 ps\" to \"1 us\""},
    {RUN " --set topology.dimensions=1",
     "--set topology.dimensions=1: topology.dimensions = 1: 1 is below 2, the smallest allowed value; write values "
     "from 2 to 4096"},
    {RUN " --set topology.dimensions=8x",
     "--set topology.dimensions=8x: topology.dimensions = \"8x\": not a list of whole numbers; write it such as [8], "
     "or \"4x4\""},
    {RUN " --set topology.dimensions=256x257",
     "--set topology.dimensions=256x257: topology.dimensions = \"256x257\": more than 65536 nodes, which node numbers "
     "of 16 bits cannot tell apart; write smaller dimensions"},
    {"run wulfkit-switch --workload latency-map --set topology.dimensions=2x4x2",
     "--set topology.dimensions=2x4x2: topology.dimensions = \"2x4x2\": a switch joins 2 to 8 rings of equal size; "
     "write [nodes on each ring, rings], such as [2, 4]"},
    {"run wulfkit-ring --workload latency-map:from=8",
     "latency-map: this machine has no rank from = 8; choose one of 0 to 7, or -1"},
    {RUN " --set nodes", "run: --set nodes: not an assignment; write --set KEY=VALUE"},
    {RUN " --set topology.dimensions=1 --set link.symbol_time=4",
     "--set topology.dimensions=1: topology.dimensions = 1: 1 is below 2, the smallest allowed value; write values "
     "from 2 to 4096\nringmesh: --set link.symbol_time=4: link.symbol_time = 4: a duration needs a unit; write \"4 "
     "ns\""},
    {RUN " --set topology.dimensions=3 --set link.symbol_time=4ns --set topology.dimensions=4",
     "run: --set topology.dimensions=4: topology.dimensions is given twice; keep one"},
    {"explain wulfkit-ring --from 0 --to 1 --set lc2.decode=4ns --set lc2.decode=4ns",
     "explain: --set lc2.decode=4ns: lc2.decode is given twice; keep one"},
    {RUN " --set link={symbol_time=\"4ns\"} --set link.symbol_time=5ns",
     "run: --set link.symbol_time=5ns: link.symbol_time is given twice; keep one"},
    {"run wulfkit-ring --workload ping-pong --overlay nameless.toml",
     "nameless.toml:1: no description; write description = \"one sentence\" at the top\nringmesh: nameless.toml:2: "
     "link.symbol_time = 4: a duration needs a unit; write \"4 ns\""},
    {"run scc --workload ping-pong --library rcce:call=-1cycles",
     "--library rcce call=-1cycles: call = \"-1cycles\" is below \"0 cycles\", the smallest allowed value; write a "
     "value from \"0 cycles\" to \"1000000 cycles\""},
    {RUN ":repetitions=0",
     "--workload ping-pong repetitions=0: repetitions = 0 is below 1, the smallest allowed value; write a value from 1 "
     "to 1000000"},
    {RUN ":from=8", "ping-pong: this machine has no rank from = 8; choose one of 0 to 7"},

    // Files
    {"run none.toml --workload ping-pong", "cannot read 'none.toml': No such file or directory"},
    {"run broken.toml --workload ping-pong",
     "broken.toml:3:22: Error while parsing key-value pair: expected a comment or whitespace, saw 'n'; write texts and "
     "quantities in quotes, as in \"5 ns\""},
    {"run ring.toml --workload ping-pong",
     "ring.toml:4: link.symbol_time = 4: a duration needs a unit; write \"4 ns\"\nringmesh: ring.toml:5: unknown key "
     "'link.idle_symbol'; did you mean 'link.idle_symbols'?"},
    {"run based.toml --workload ping-pong",
     "based.toml:3: based_on = \"none.toml\": no such file beside this one; name an existing one, or a platform of "
     "`ringmesh list platforms`"},
    {RUN " --json none/result.json", "cannot write 'none/result.json': No such file or directory"},
    {RUN " --csv .", "cannot write '.': Is a directory"},
    {RUN " --vcd none/run.vcd", "cannot write 'none/run.vcd': No such file or directory"},
    {RUN " --json same --csv same",
     "cannot write 'same': this run is already writing a file of that name; give one of them another"},
    {RUN " --csv q.csv --vcd q.vcd --json q.gtkw",
     "cannot write 'q.gtkw': this run is already writing a file of that name; give one of them another"},
    {RUN " --csv ./same --json same",
     "cannot write './same': this run is already writing a file of that name; give one of them another"},
    {RUN " --vcd run.wave --fst ./run.wave",
     "cannot write './run.wave': this run is already writing a file of that name; give one of them another"},
    {RUN " --fst none/run.fst", "cannot write 'none/run.fst': No such file or directory"},
    {RUN " --vcd y.gtkw", "--vcd y.gtkw: the view beside the waveform has this name; write --vcd y.vcd"},
    {RUN " --json kept.json --vcd run.vcd --trace nod0",
     "--trace nod0: no traced object of this name; did you mean 'node0'?"},
    {RUN " --vcd run.vcd --window packet:x", "--window packet:x: not the number of a packet; write packet:1"},
    {RUN " --vcd run.vcd --window last:0us", "--window last:0us: the window is empty; write last:5us"},
    {RUN " --vcd run.vcd --window first:",
     "--window first:: no word; write one that a signal shows, such as first:busy-echo"},
    {"list signals wulfkit-ring nod0", "list signals wulfkit-ring nod0: no signal of this name; did you mean 'node0'?"},
    {"list workloads ping-pong x", "list: unexpected argument 'x'; only 'list signals PLATFORM' takes a pattern"},
    {"new block",
     "new: no name for the new folder; write new KIND NAME, such as new program token-ring; see 'ringmesh new --help'"},
    {"completion",
     "completion: no shell; write completion bash, completion zsh or completion fish; see 'ringmesh completion "
     "--help'"},
    {"sweep wulfkit-ring --workload ping-pong --axis a=1 --shard 3/2",
     "sweep: --shard 3/2: there are shares 1 to 2; write --shard 1/2 to --shard 2/2"},
    {"run kept.json --workload ping-pong",
     "kept.json: not a platform, whose file ends in .toml; write such a file, or a name"},
    {"compare none.vcd none.fst", "'none.vcd': no such file"},
    {"compare none.vcd none", "compare: none.vcd is a waveform and none is not; compare two of a kind"},
    {RUN " --vcd run.vcd --window 4us..2us",
     "--window 4us..2us: the window ends before it begins; write FROM..TO with FROM below TO"},
    {"validate --markdown none/page.md", "cannot write 'none/page.md': No such file or directory"},

};

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(mistakes)

BOOST_DATA_TEST_CASE(are_named_with_their_cure, data::make(kMistakes), mistake)
{
    const TemporaryFolder folder;
    folder.write("broken.toml", "machine = \"wulfkit\"\ndescription = \"x\"\nlink.symbol_time = 4 ns\n");
    folder.write("ring.toml", "machine = \"wulfkit\"\ndescription = \"x\"\n[link]\nsymbol_time = 4\nidle_symbol = 3\n");
    folder.write("based.toml", "machine = \"wulfkit\"\ndescription = \"x\"\nbased_on = \"none.toml\"\n");
    folder.write("nameless.toml", "[link]\nsymbol_time = 4\n");
    folder.write("range.toml",
                 "description = \"x\"\napplies_to = [\"wulfkit\"]\n[lc2]\ndecode = \"21 ns\"\n"
                 "[provenance.\"lc2.decode\"]\nfrom = \"assumed\"\nlow = \"10 ns\"\nhigh = \"30 ns\"\n");
    folder.write("rows.toml",
                 "description = \"x\"\napplies_to = [\"wulfkit\"]\n[lc2]\ndecode = \"21 ns\"\n"
                 "[provenance.\"lc2.decode\"]\nfrom = \"calibrated\"\nset_by = [\"no.such.row\"]\n"
                 "low = \"10 ns\"\nhigh = \"30 ns\"\nnote = \"x\"\n");
    folder.write("kept.json", kKept);
    const Ended ended = ringmesh::test::ringmesh(words(mistake.arguments));
    BOOST_TEST(ended.err == std::string("ringmesh: ") + mistake.message + '\n');
    BOOST_TEST(ended.out == "");
    BOOST_TEST(ended.status == 2);
    const std::vector<std::string> expected{"based.toml", "broken.toml", "kept.json", "nameless.toml",
                                            "range.toml", "ring.toml",   "rows.toml"};
    BOOST_TEST(files_in(".") == expected, boost::test_tools::per_element());
    BOOST_TEST(ringmesh::test::read_file("kept.json") == kKept);
}

BOOST_DATA_TEST_CASE(a_full_disk_under_standard_output_is_noticed,
                     data::make({"list parameters", "--help", "run wulfkit-ring --workload ping-pong:sizes=64",
                                 "run wulfkit-ring --workload ping-pong:sizes=64 --json -",
                                 "validate scc --part latency --json -"}),
                     arguments)
{
    const Ended ended = ringmesh::test::ringmesh(words(arguments), "/dev/full");
    BOOST_TEST(ended.err == "ringmesh: cannot write to standard output: No space left on device\n");
    BOOST_TEST(ended.status == 2);
}

BOOST_DATA_TEST_CASE(a_full_disk_under_a_file_is_noticed, data::make({"--json", "--csv", "--vcd"}), option)
{
    const TemporaryFolder folder;
    const Ended ended =
        ringmesh::test::ringmesh({"run", "wulfkit-ring", "--workload", "ping-pong:sizes=64", option, "/dev/full"});
    BOOST_TEST(ended.err == "ringmesh: cannot write '/dev/full': No space left on device\n");
    // The results are not lost with a file of theirs; a waveform is written during the run, and ends it
    BOOST_TEST((ended.out == "") == (std::string_view(option) == "--vcd"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(files_in(".").empty());
}

/// Files of many packets are written during the run.
BOOST_DATA_TEST_CASE(a_disk_that_is_full_during_the_run_ends_it,
                     data::make({"--packets /dev/full", "--record packets=/dev/full"}), option)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        words(std::string("run mesh-8x8 --workload traffic:load=0.4,duration=200us --json run.json ") + option));
    BOOST_TEST(ended.err.ends_with("ringmesh: cannot write '/dev/full': No space left on device\n"), ended.err);
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(files_in(".").empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
