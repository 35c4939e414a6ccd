// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kProgram{
    .name = "",
    .meaning =
        "Simulates four parallel machines from the literature: SCI rings and tori of Wulfkit cards, the DECK/SCI\n"
        "cluster, the SCC chip, the NCUBE/seven hypercube.",
    .arguments = "COMMAND [ARGUMENTS]",
    .examples = R"(Examples:
  ringmesh list platforms
  ringmesh run wulfkit-ring --workload ping-pong
  ringmesh explain wulfkit-ring --from 0 --to 2
  ringmesh validate wulfkit
  ringmesh run scc --workload memory-probe:target=mpb
  ringmesh run --help
)"};

constexpr CommandHelp kList{.name = "list",
                            .meaning = "List platforms, overlays, workloads, libraries, parameters, studies, functions",
                            .arguments = "list WHAT [NAME] [OPTIONS]",
                            .examples = R"(Examples:
  ringmesh list workloads                            workloads, and over which libraries on which platforms they run
  ringmesh list workloads ping-pong                  its options
  ringmesh list libraries deck                       likewise of a message passing library
  ringmesh list parameters                           every parameter of every machine, with its default
  ringmesh list parameters wulfkit-ring              the values that this platform gives them
  ringmesh list parameters --markdown                the page docs/parameters.md
  ringmesh list routes wulfkit-torus-2d              by which port packets go where, as an overlay
  ringmesh list faults wulfkit-ring                  what its hardware can suffer, for --fault
  ringmesh list policies                             arbitration, routing, switching, ...: what there is to choose from
  ringmesh list policies mesh-arbitration            this kind in detail: defaults, files
  ringmesh list studies                              what `validate` and `study` know by name
  ringmesh list functions sci_                       formulas that a study's SQL may call
  ringmesh list signals scc                          what a waveform of this platform shows
  ringmesh list signals wulfkit-ring 'node0.*'       each signal of node 0
  ringmesh list platforms --json
)"};

constexpr CommandHelp kRun{
    .name = "run",
    .meaning = "Run a workload on a platform and show what it measured",
    .arguments = "run PLATFORM --workload NAME[:KEY=VALUE,...] [--library NAME[:KEY=VALUE,...]] [OPTIONS]",
    .examples = R"(Examples:
  ringmesh run wulfkit-ring --workload ping-pong
  ringmesh run wulfkit-ring --workload ping-pong:sizes=64,128,repetitions=10 --set topology.dimensions=8
  ringmesh run wulfkit-torus-2d --workload ping-pong --library scampi
  ringmesh run deck-cluster --workload 'ping-pong:sizes=0..62 step 1' --library deck:protocol=1
  ringmesh run wulfkit-ring --workload one-way --overlay link-4.0Gbps --json result.json
  ringmesh run wulfkit-ring --workload ping-pong:sizes=64 --vcd run.vcd --trace 'node0,*.lc2' --window 20us..30us
  ringmesh run wulfkit-ring --workload ping-pong:sizes=64 --fst run.fst --timeline run.pftrace --window packet:3
  ringmesh run wulfkit-ring --workload traffic:load=0.5 --set topology.dimensions=64 --statistics

'ringmesh list workloads' shows the workloads with their options, 'ringmesh list parameters' what --set can change.
Values carry their unit: --set cable.length=3m. The exit status is 0 for success, 2 for bad input, 3 if
the simulated machine makes no progress (deadlock, livelock) or an invariant of the model is violated, 130 for Ctrl-C.
)"};

constexpr CommandHelp kValidate{.name = "validate",
                                .meaning = "Compare simulated, calculated and published numbers of a study",
                                .arguments = "validate [STUDY] [OPTIONS]",
                                .examples = R"(Examples:
  ringmesh validate
  ringmesh validate wulfkit --json validation.json
  ringmesh validate wulfkit --markdown validation.md
  ringmesh validate wulfkit --part rings                only these rows, in a second
  ringmesh validate my-study/                           a study of your own, with its published.csv
  ringmesh validate scc --part broadcasts --tables -    a published table beside the simulated one
  ringmesh validate scc --full                          also rows that take minutes
  ringmesh validate my-study/ --uncertainty --keep      error bars: thousands of runs, each cached

The exit status is 0 if every row is within its tolerance or misses it as stated, and every frozen prediction
holds; 1 if not.
)"};

constexpr CommandHelp kSensitivity{
    .name = "sensitivity",
    .meaning = "Show which parameters each result of a study hangs on, over their ranges",
    .arguments = "sensitivity STUDY [OPTIONS]",
    .examples = R"(Examples:
  ringmesh sensitivity wulfkit                                   the inputs, and what each row hangs on
  ringmesh sensitivity wulfkit --row wulfkit.component.switching one row, input by input: a tornado
  ringmesh sensitivity my-study/ --csv matrix.csv                a line for each row and input

Inputs are the parameters of machines, and the options of programs and libraries, that were assumed, calibrated or
derived; their ranges stand beside their values (ringmesh list parameters PLATFORM). Every run is cached.
)"};

constexpr CommandHelp kCalibrate{
    .name = "calibrate",
    .meaning = "Set parameters by published rows: least squares within their ranges, with cross-validation",
    .arguments = "calibrate STUDY --free INPUT [--free INPUT...] [--row ID...] [OPTIONS]",
    .examples = R"(Examples:
  ringmesh calibrate wulfkit --free host.crossing --row wulfkit.ping_pong.1_hop_64B
  ringmesh calibrate ncube --free vertex.deliver --free vertex.release --row 'ncube.U.*' --leave-out row
  ringmesh calibrate my-study/ --free bus.clock -o calibrated.toml

Rows that took part predict nothing: what counts is how far a group is missed that took no part. Every run is cached.
)"};

constexpr CommandHelp kWhatIf{.name = "whatif",
                              .meaning = "Compare variants of a machine, and see where their curves cross",
                              .arguments = "whatif PLATFORM|STUDY [OPTIONS]",
                              .examples = R"(Examples:
  ringmesh whatif wulfkit-torus-2d                            the papers' question: switching in half the time
  ringmesh whatif wulfkit-torus-2d --overlay blink-100MHz
  ringmesh whatif wulfkit-torus-2d --set lc2.in_fifo_to_blink=50ns --sizes 16,64,81,256
  ringmesh whatif scc --workload ping-pong:sizes=256 --axis 'options.to=1..11 step 2' \
           --variant fast=thesis-mesh-1600 --variant slow=clock.tile_dividers=4 --by latency_avg_ns
  ringmesh whatif mesh-8x8 --workload traffic --axis options.load=0.1,0.2,0.3 --set mesh.pipeline=2cycles --repeat 5
  ringmesh whatif my-study --test rings --by latency_min_ns

Without --workload it compares the platform as it is with the changed one on tori of 1 to 4 equal dimensions, by the
papers' equations and by simulation. topology.dimensions is varied, overriding the platform. 'ringmesh list overlays'
shows ready-made changes.

With --workload it compares the variants of any machine over any axes, by one result of the program: means, differences
from the base in percent, with --repeat their 95 % intervals, and along each axis of numbers where the curves cross.
Without --variant, --overlay and --set make the variant 'changed' beside 'base'; with it they hold for all, as settings
with ${axis} always do. Of a study the variants of one test are compared. A platform's name wins over a study's, unless
--test is given; a path such as studies/scc is a study in any case. docs/whatif.md has more.
)"};

constexpr CommandHelp kExplain{.name = "explain",
                               .meaning = "Show the latency of one message, or of a run's slowest packets, by stages",
                               .arguments = "explain PLATFORM {--from A --to B | --workload NAME} [OPTIONS]",
                               .examples = R"(Examples:
  ringmesh explain wulfkit-ring --from 0 --to 2
  ringmesh explain wulfkit-ring --from 0 --to 1 --bytes 512 --set topology.dimensions=4 --csv stages.csv
  ringmesh explain wulfkit-torus-3x3 --from 0 --to 8 --overlay link-4.0Gbps --json -
  ringmesh explain scc --from 0 --to 47 --bytes 32 --library rcce
  ringmesh explain mesh-8x8 --workload traffic:load=0.3 --slowest 5

Without --workload the machine is otherwise idle. Working and waiting add up to the latencies exactly. docs/explain.md
has more.
)"};

constexpr CommandHelp kSaturate{.name = "saturate",
                                .meaning = "Raise the offered load until a network saturates",
                                .arguments = "saturate PLATFORM [--workload NAME:KEY=VALUE,...] [OPTIONS]",
                                .examples = R"(Examples:
  ringmesh saturate wulfkit-ring
  ringmesh saturate wulfkit-torus-2d --set topology.dimensions=4x4 --workload traffic:pattern=transpose
  ringmesh saturate wulfkit-ring --workload traffic:inject=blink,duration=1ms --csv curve.csv
  ringmesh saturate mesh-8x8 --workload traffic:flits=5

A grid of runs of the workload traffic at loads up to 1 (the link rate, or a flit per node and cycle) shows the curve.
Then five seeds, from --seed on, each search where their runs turn saturated: where less than 95 % of the offered load
is accepted, or the mean latency is above 10 times the unloaded one. Durations double until the interval is sound: at
most --width, overlapping that of half the duration, after three durations at least. It holds for a run of any seed, 100
times as long as the given duration, with 95 % confidence, and allows for each further doubling to move it as the last
one did. If --longest does not suffice, the output says NOT SOUND.

Every run is a point of the store: what is there is not run again. docs/saturation.md has more.
)"};

constexpr CommandHelp kSweep{.name = "sweep",
                             .meaning = "Run a workload over values of parameters and options, one table",
                             .arguments = "sweep PLATFORM --workload NAME --axis NAME=VALUES ... [OPTIONS]",
                             .examples = R"(Examples:
  ringmesh sweep wulfkit-ring --workload ping-pong:sizes=64 --axis link.symbol_time=5ns,2.5ns
  ringmesh sweep wulfkit-torus-2d --workload ping-pong:sizes=64 --axis topology.dimensions=4x4,8x8 \
           --variant fast=half-switching --csv -
  ringmesh sweep mesh-8x8 --workload traffic --axis 'options.load=0.1..0.3 step 0.1' --repeat 5
  ringmesh sweep wulfkit-ring --workload ping-pong:sizes=64 --axis 'hops=1..4 step 1' \
           --set 'topology.dimensions=${2*hops}' --save my-study

Finished points are kept in a store: what is there is not run again. Ctrl-C loses nothing that has finished. The exit
status is 1 if a point failed.
)"};

constexpr CommandHelp kStudy{.name = "study",
                             .meaning = "Run a study from files, look at its points, ask its tables by SQL",
                             .arguments = "study ACTION STUDY [SQL] [OPTIONS]",
                             .examples = R"(Examples:
  ringmesh study run my-study                              runs what is missing, prints its tables
  ringmesh study status my-study                           what is done, failed, still to run
  ringmesh study list my-study --where 'hops > 2'          the points, one a line
  ringmesh study query my-study 'SELECT hops, latency_min_ns FROM ping_pong'
  ringmesh study export my-study --sqlite results.sqlite   for pandas, R, sqlite3
  ringmesh study run my-study --shard 2/8                  the second of eight shares of its points
  ringmesh study merge my-study --from other-store         takes finished points from another store
  ringmesh study submit my-study --slurm --tasks 8         runs it as an array job of Slurm
  ringmesh study compare my-study base fast                what differs between two variants
  ringmesh study clean my-study --dry-run                  the points that would go, and how long they took
  ringmesh study clean my-study                            takes its points out of the store

docs/studies.md describes the files of a study.
)"};

constexpr CommandHelp kStore{.name = "store",
                             .meaning = "Look at the store of finished points, index it for SQL, clean it",
                             .arguments = "store ACTION [OPTIONS]",
                             .examples = R"(Examples:
  ringmesh store status                                 how many points there are, by model version and state
  ringmesh store index wulfkit my-study/                index.sqlite beside the points, with these studies' ledgers
  ringmesh store clean --other-models                   takes out what another version of the model gave

docs/store.md describes the files and the tables of the index.
)"};

constexpr CommandHelp kCompare{.name = "compare",
                               .meaning = "Show what differs between two points, or two stores",
                               .arguments = "compare A B [OPTIONS]",
                               .examples = R"(Examples:
  ringmesh compare 90f7 33cf              two points; `ringmesh study list` shows their keys
  ringmesh compare old-store new-store    points that are alike but for model and seed
  ringmesh study compare my-study base fast

Configuration first, then results and statistics with differences in percent. With repetitions it says which differences
are beyond their noise: larger than the 95 % interval of the difference of two means (Welch).
)"};

constexpr CommandHelp kReport{.name = "report",
                              .meaning = "Write what has been run as a page for the browser",
                              .arguments = "report STUDY|POINT|STORE -o FILE [OPTIONS]",
                              .examples = R"(Examples:
  ringmesh report wulfkit -o wulfkit.html        a study: its charts, tables and ledger, as far as it has run
  ringmesh report my-study/ -o report.html       better with a charts.toml in its folder
  ringmesh report 90f7 -o point.html             a point; `ringmesh study list` shows keys
  ringmesh report my-store/ -o store.html        all points of a store
  ringmesh sweep mesh-8x8 --workload traffic --axis options.load=0.1,0.2,0.3 --report sweep.html

One file, which opens from the disk without a network. Nothing is run: run, sweep, validate, whatif, saturate and
explain write the report of what they did by --report FILE. docs/report.md has more.
)"};

constexpr CommandHelp kReproduce{.name = "reproduce",
                                 .meaning = "Run a study anew into a folder, with inputs, hashes and times",
                                 .arguments = "reproduce STUDY|FOLDER -o FOLDER [OPTIONS]",
                                 .examples = R"(Examples:
  ringmesh reproduce ncube -o ncube-again           every point anew; tables, ledger, report, inputs, hashes
  ringmesh reproduce my-study/ -o for-the-paper
  ringmesh reproduce for-the-paper/ -o checked      the same again from that folder, and what differs

Nothing is taken from the store. The folder that is made holds a copy of the study, the points as a store of their own,
tables as CSV, the ledger, a report, and reproduction.json with the versions of program and model, and the hash of each
input and result. Interrupted, the same command goes on. docs/studies.md has more.

The exit status is 1 if a row leaves its tolerance, or a result differs from that of the earlier folder.
)"};

constexpr CommandHelp kCheck{.name = "check",
                             .meaning = "Whether packets of a machine can wait for each other in a circle",
                             .arguments = "check PLATFORM [OPTIONS]",
                             .examples = R"(Examples:
  ringmesh check wulfkit-torus-2d                             queues of the whole machine, requests and responses
  ringmesh check mesh-8x8 --set mesh.holes=r2_3 --set mesh.routes_by=up-down
  ringmesh check scc --set mesh.detail=flit --set mesh.reserved_channels=0       a circle, channel by channel

Nothing runs. The exit status is 1 if there is a circle, in which packets can wait for ever. docs/deadlock.md has more.
)"};

constexpr CommandHelp kNew{.name = "new",
                           .meaning = "Write a working skeleton of a program, study, pattern, ... of your own",
                           .arguments = "new KIND NAME",
                           .examples = R"(Examples:
  ringmesh new program token-ring       software over any message passing library: a CMake project with its test
  ringmesh new pattern bit-reversal     destinations of packets, for the workload traffic
  ringmesh new arbiter youngest-first   which packet a router of a mesh serves
  ringmesh new card memory-channel      a network card for PCs, and a machine of such PCs
  ringmesh new machine two-rings        a platform file of your own, and a study of it
  ringmesh new study ring-latency       a question as data, with numbers to compare with; no code

Each is a folder NAME with a README. What has code builds against an installed Ringmesh (docs/api.md).
)"};

constexpr CommandHelp kHelp{.name = "help",
                            .meaning = "Show the help of a command, or the manual page",
                            .arguments = "help [COMMAND [ACTION]] [--man]",
                            .examples = R"(Examples:
  ringmesh help study query
  ringmesh help --man > ringmesh.1 && man -l ringmesh.1
)"};

constexpr CommandHelp kVersion{.name = "version",
                               .meaning = "Show the versions of the program, the model and SystemC, and the commit",
                               .arguments = "version",
                               .examples = R"(
Programs with the same model version give the same results.
)"};

constexpr CommandHelp kCompletion{.name = "completion",
                                  .meaning = "Write what a shell needs to complete commands, options and names by Tab",
                                  .arguments = "completion bash|zsh|fish",
                                  .examples = R"(Examples:
  source <(ringmesh completion bash)      in ~/.bashrc
  source <(ringmesh completion zsh)       in ~/.zshrc, after compinit
  ringmesh completion fish | source       in ~/.config/fish/config.fish
)"};

constexpr std::array kCommands{kList,     kRun,   kValidate, kSensitivity, kCalibrate, kWhatIf, kExplain,
                               kSaturate, kSweep, kStudy,    kReport,      kReproduce, kCheck,  kNew,
                               kCompare,  kStore, kHelp,     kVersion,     kCompletion};

}  // namespace

const CommandHelp& help_of(std::string_view command)
{
    const auto* const found = std::find_if(kCommands.begin(), kCommands.end(),
                                           [command](const CommandHelp& help) { return help.name == command; });
    return found == kCommands.end() ? kProgram : *found;
}

std::string see_help(std::string_view command)
{
    return fmt::format("; see 'ringmesh {}{}--help'", command, command.empty() ? "" : " ");
}

std::string examples_of(std::string_view command, std::string_view action)
{
    const std::string_view all = help_of(command).examples;
    const std::string prefix = fmt::format("  ringmesh {} {} ", command, action);
    std::string text = "Examples:\n";
    std::string_view rest = all;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n') + 1);
        if (line.starts_with(prefix)) text += line;
        rest.remove_prefix(line.size());
    }
    return text.append(all.substr(all.find("\n\n") + 1));
}

}  // namespace ringmesh::lab
