// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "lab/commands/help.h"
#include "lab/study/catalog.h"
#include "lab/study/scripts.h"

namespace ringmesh::lab {
namespace {

/// An option that may be repeated, with one value each time.
void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& meaning,
                  const std::string& value_name)
{
    app.add_option(name, values, meaning)
        ->type_name(value_name)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// An option without its value takes the next option as the value; an unset shell variable leaves it empty.
std::string problem_of_value(const std::string& value)
{
    if (value.empty()) return "its value is empty; write one, or leave it out";
    const bool number = value.size() > 1 && value[1] >= '0' && value[1] <= '9';  // "-1" is checked by its own option
    if (value.size() > 1 && value.front() == '-' && !number) {
        return fmt::format("'{}' is not a value; write a value, ./{} for a file of that name", value, value);
    }
    return {};
}

/// An argument without an option; "-" may begin a folder's name.
std::string problem_of_word(const std::string& value)
{
    return value.empty() ? "its value is empty; write one, or leave it out" : "";
}

void add_text(CLI::App& app, const std::string& name, std::string& value, const std::string& meaning,
              const std::string& value_name)
{
    app.add_option(name, value, meaning)
        ->type_name(value_name)
        ->check(name.front() == '-' ? &problem_of_value : &problem_of_word);
}

CLI::App& add_command(CLI::App& app, const std::string& name)
{
    const CommandHelp& help = help_of(name);
    CLI::App& command = *app.add_subcommand(name, std::string(help.meaning));
    command.footer(std::string(help.examples));
    // Extra arguments are rejected below, with the nearest known name
    command.allow_extras();
    return command;
}

void add_folder(CLI::App& command, std::string& folder)
{
    add_text(command, "--store", folder, "Folder of the points; $RINGMESH_STORE if not given", "DIR");
}

void add_report_file(CLI::App& command, CommandOptions& options)
{
    add_text(command, "--report", options.report, "Write a report that a browser shows: charts, machine, tables",
             "FILE");
}

/// The options that select the machine.
void add_machine(CLI::App& command, ExperimentRequest& request, CommandOptions& options)
{
    add_text(command, "PLATFORM", request.platform, "Name of a platform, or a TOML file", "");
    add_repeated(command, "--overlay", request.overlays, "Change the platform by an overlay, a name or a file", "FILE");
    add_repeated(command, "--set", request.settings, "Change one parameter", "KEY=VALUE");
    add_repeated(command, "--fault", options.faults, "Let hardware fail; `list faults PLATFORM` has the words",
                 "where=BLOCKS,what=WORD,when=TIME");
    add_text(command, "--memory", options.memory, "What a run may take; most of what is free if not given", "SIZE");
}

void add_list(CLI::App& app, CommandOptions& options)
{
    CLI::App& command = add_command(app, "list");
    add_text(command, "WHAT", options.subject,
             "platforms, overlays, workloads, libraries, parameters, signals, ...: the examples have all", "");
    add_text(command, "NAME", options.list.name,
             "A platform, workload, library or policy to show in full; of functions: how they begin", "");
    add_text(command, "PATTERN", options.list.pattern, "Of a platform's signals: those to show, such as '*.lc2'", "");
    add_repeated(command, "--overlay", options.list.overlays,
                 "Of a platform's parameters or routes: change it by an overlay, a name or a file", "FILE");
    add_repeated(command, "--set", options.list.settings, "Likewise one parameter", "KEY=VALUE");
    add_text(command, "--library", options.list.library, "of one workload: show its defaults over this library",
             "NAME");
    command.add_flag("--markdown", options.markdown, "Write Markdown");
    command.add_flag("--json", options.json, "Write JSON");
}

void add_run(CLI::App& app, CommandOptions& options)
{
    RunCommand& run = options.run;
    CLI::App& command = add_command(app, "run");
    add_text(command, "--workload", run.request.workload, "What to run, with options", "NAME[:KEY=VALUE,...]");
    add_text(command, "--library", run.request.library,
             "What it runs over, with options; the first that will do if not given", "NAME[:KEY=VALUE,...]");
    add_machine(command, run.request, options);
    add_text(command, "--seed", options.seed, "Seed of the random numbers; 1 if not given", "N");
    add_text(command, "--json", run.json, "Write results, parameters and statistics; '-' for standard output", "FILE");
    add_text(command, "--csv", run.csv, "Write the results as a table; '-' for standard output", "FILE");
    add_report_file(command, options);
    add_text(command, "--vcd", run.waves.vcd, "Record a waveform, and views of it for GTKWave beside it", "FILE");
    add_text(command, "--fst", run.waves.fst, "Likewise as FST, a third of the size or less", "FILE");
    add_text(command, "--timeline", run.waves.timeline, "Record a timeline for Perfetto", "FILE");
    add_text(command, "--trace", run.waves.trace,
             "Signals or modules to record, such as 'node0,*.lc2'; all if not given", "PATTERN");
    add_text(command, "--window", run.waves.window,
             "Part of the run to record: 2us..4us, packet:7, call:3, first:busy-echo, slowest, last:5us", "WINDOW");
    add_text(command, "--log", run.log, "Levels of log lines, such as 'node0.*=debug'", "PATTERN=LEVEL,...");
    add_text(command, "--status", run.status, "Write each second, while it runs, where it stands", "FILE");
    add_text(command, "--limit", options.study.limit,
             "Stop it if it takes longer, or by its progress twice as long, such as 600s", "TIME");
    command.add_flag("--statistics", run.statistics,
                     "Show what the blocks counted; in JSON also for each block by itself");
    command.add_flag("--every-block", run.every_block,
                     "Show the use of places: links, buses, queues, memory banks, processors, the busiest first");
    add_text(command, "--sample", options.sample,
             "Record the use of places at this interval, such as 1us, for --json, --report and the store", "TIME");
    add_text(command, "--packets", run.packets,
             "Write when each packet was born, injected and arrived, and what it waited for, as CSV", "FILE");
    add_text(command, "--record", run.trace_out,
             "Write a trace that 'replay' runs again: a program as GOAL text, or the packets of sources as CSV",
             "goal=FILE|packets=FILE");
    command.add_flag("--no-wall-time", options.no_wall_time,
                     "Leave wall_seconds out of the JSON, so that equal runs give equal files");
    add_folder(command, run.store);
    command.add_flag("--fresh", run.fresh, "Run it again, also if it is in the store");
}

void add_retry(CLI::App& command, StoreOptions& store)
{
    command.add_flag("--retry", store.retry, "Run points again that have failed");
}

/// How points are run, and where they lie.
void add_store(CLI::App& command, StoreOptions& store, std::string& jobs)
{
    add_folder(command, store.folder);
    add_text(command, "--jobs", jobs, "Runs at a time; as many as there are processors if not given", "N");
    command.add_flag("--fresh", store.fresh, "Run all points again, also those in the store");
    add_retry(command, store);
}

void add_where(CLI::App& command, StudyCommand& study)
{
    add_text(command, "--where", study.where, "Only points that meet this: an SQL expression over axes", "EXPR");
}

void add_limit(CLI::App& command, StudyCommand& study)
{
    add_text(command, "--limit", study.limit, "Longest time of a run, such as 60s", "TIME");
}

void add_table(CLI::App& command, StudyCommand& study)
{
    add_text(command, "--csv", study.csv, "Write the table; '-' for standard output", "FILE");
    add_text(command, "--json", study.json, "Likewise as JSON", "FILE");
}

void add_points(CLI::App& command, CommandOptions& options)
{
    add_store(command, options.study.store, options.jobs);
    add_where(command, options.study);
    add_limit(command, options.study);
    command.add_flag("--dry-run", options.study.dry_run, "List the points, run nothing");
    add_table(command, options.study);
    add_report_file(command, options);
}

void add_shard(CLI::App& command, CommandOptions& options)
{
    add_text(command, "--shard", options.shard,
             "Only share I of N of the points; in a Slurm array 'slurm' takes it from there", "I/N");
}

std::string parts_of_studies()
{
    std::string text = "Studies and their parts:\n";
    for (const std::string& name : list_studies()) {
        std::vector<std::string> parts;
        for (const auto& file : script_files(find_study(name))) parts.push_back(part_name(file));
        text += fmt::format("  {:8} {}\n", name, fmt::join(parts, ", "));
    }
    return text + "\n";
}

void add_validate(CLI::App& app, CommandOptions& options)
{
    CLI::App& command = add_command(app, "validate");
    add_text(command, "STUDY", options.validate.study, "A name or a folder; all that have names if not given", "");
    command.footer(parts_of_studies() + command.get_footer());
    add_text(command, "--part", options.validate.part, "Only these rows; the parts of each study are below", "PART");
    command.add_flag("--full", options.validate.full, "Also the rows that take minutes, which are left out otherwise");
    command.add_flag("--details", options.validate.details, "Also say of each row what it is and why it has its role");
    command.add_flag("--uncertainty", options.validate.uncertainty,
                     "Make error bars: run the study with each input at the ends of its range, with other seeds, and "
                     "with samples");
    command.add_flag("--keep", options.validate.keep, "Keep the bars in the study's folder uncertainty/");
    command.add_flag("--freeze", options.validate.freeze,
                     "Write the study's predictions.csv: views prediction_* with their bars, as they are now");
    add_text(command, "--samples", options.samples,
             fmt::format("Latin hypercube, where rows are not linear; {} if not given", kHypercubeSamples), "N");
    add_text(command, "--shard", options.shard, "Of --uncertainty: only this share of the runs", "I/N");
    add_text(command, "--json", options.validate.json, "Write the rows; '-' for standard output", "FILE");
    add_text(command, "--tables", options.validate.tables,
             "Write the tables below the rows as CSV, in their own shape; '-' for standard output", "FILE");
    add_text(command, "--how-true", options.validate.how_true,
             "Write a page in Markdown: what misses, was entered, agrees, is unknown; '-' for standard output", "FILE");
    add_text(command, "--predictions", options.validate.predictions,
             "Write all frozen predictions as CSV; '-' for standard output", "FILE");
    add_text(command, "--markdown", options.validate.markdown, "Write the report as Markdown; '-' for standard output",
             "FILE");
    add_report_file(command, options);
    add_store(command, options.validate.store, options.jobs);
}

void add_sensitivity(CLI::App& app, CommandOptions& options)
{
    SensitivityCommand& sensitivity = options.sensitivity;
    CLI::App& command = add_command(app, "sensitivity");
    add_text(command, "STUDY", sensitivity.study, "A name or a folder", "");
    add_text(command, "--row", sensitivity.row, "Only this row, or those that begin so, input by input", "ID");
    add_text(command, "--part", sensitivity.part, "Only the rows of one script", "PART");
    command.add_flag("--full", sensitivity.full, "Also the rows that take minutes");
    add_text(command, "--shard", options.shard, "Only this share of the runs", "I/N");
    add_text(command, "--json", sensitivity.json, "Write inputs, rows and effects; '-' for standard output", "FILE");
    add_text(command, "--csv", sensitivity.csv,
             "Write the matrix, a line for each row and input; '-' for standard output", "FILE");
    add_store(command, sensitivity.store, options.jobs);
}

void add_calibrate(CLI::App& app, CommandOptions& options)
{
    CalibrateCommand& calibrate = options.calibrate;
    CLI::App& command = add_command(app, "calibrate");
    add_text(command, "STUDY", calibrate.study, "A name or a folder", "");
    add_repeated(command, "--free", calibrate.rules.free, "An input to set within its range, as sensitivity lists it",
                 "INPUT");
    add_repeated(command, "--row", calibrate.rules.rows,
                 "A published row to set it by, or the beginning of several with *; all if not given", "ID");
    add_text(command, "--leave-out", options.leave_out,
             "Groups of the cross-validation: section, row, machine, or id:3, the third part of the ids; section if "
             "not given",
             "GROUP");
    add_text(command, "--part", calibrate.part, "Only the rows of one script", "PART");
    command.add_flag("--full", calibrate.full, "Also the rows that take minutes");
    add_text(command, "-o,--output", calibrate.overlay, "Write the values as an overlay, with their provenance",
             "FILE");
    add_text(command, "--json", calibrate.json, "Write inputs, rows and fit; '-' for standard output", "FILE");
    add_text(command, "--csv", calibrate.csv, "Write the rows; '-' for standard output", "FILE");
    add_store(command, calibrate.rules.store, options.jobs);
}

void add_explain(CLI::App& app, CommandOptions& options)
{
    ExplainCommand& explain = options.explain;
    CLI::App& command = add_command(app, "explain");
    add_text(command, "--from", options.from, "Node that sends", "A");
    add_text(command, "--to", options.to, "Node that receives", "B");
    add_text(command, "--bytes", options.bytes, "Size of the message; 64 if not given", "N");
    add_text(command, "--workload", explain.request.workload,
             "In place of one message: a whole run, of which the slowest packets are explained",
             "NAME[:KEY=VALUE,...]");
    add_text(command, "--slowest", options.slowest, "How many of them, or which part; 5 if not given", "N|P%");
    add_text(command, "--seed", options.seed, "Seed of the random numbers; 1 if not given", "N");
    add_text(command, "--library", explain.request.library,
             "What carries the message, with options; the first suitable one if not given", "NAME[:KEY=VALUE,...]");
    add_machine(command, explain.request, options);
    add_text(command, "--json", explain.json, "Write every stage; '-' for standard output", "FILE");
    add_text(command, "--csv", explain.csv, "Write every stage as a table; '-' for standard output", "FILE");
    add_report_file(command, options);
}

/// Where points lie and how they are run.
void add_saturate(CLI::App& app, CommandOptions& options)
{
    SaturateCommand& saturate = options.saturate;
    CLI::App& command = add_command(app, "saturate");
    add_machine(command, saturate.request, options);
    add_text(command, "--workload", saturate.request.workload, "The traffic, without its load; uniform if not given",
             "NAME[:KEY=VALUE,...]");
    add_text(command, "--seed", options.seed, "Seed of the random numbers; 1 if not given", "N");
    add_text(command, "--width", options.width, "Width of a sound interval at most; 0.031 if not given", "LOAD");
    add_text(command, "--longest", options.longest,
             "Longest runs, in times the duration; a sound interval ends it before; 128 if not given", "N");
    add_store(command, saturate.store, options.jobs);
    add_text(command, "--json", saturate.json,
             "Write curve, runs and interval with all parameters; '-' for standard output", "FILE");
    add_text(command, "--csv", saturate.csv, "Write the curve as a table; '-' for standard output", "FILE");
    add_report_file(command, options);
}

/// The options that say what is swept.
void add_axes(CLI::App& command, CommandOptions& options)
{
    add_machine(command, options.sweep, options);
    add_text(command, "--workload", options.sweep.workload, "What to run, with options", "NAME[:KEY=VALUE,...]");
    add_text(command, "--library", options.sweep.library, "What it runs over, with options", "NAME[:KEY=VALUE,...]");
    add_repeated(command, "--axis", options.axes,
                 "Run for each of these values of a parameter, of options.NAME, or of "
                 "a name used as ${name}",
                 "NAME=VALUES");
    add_repeated(command, "--together", options.together, "Axes that go in step", "NAME,NAME");
    add_repeated(command, "--variant", options.variants,
                 "Compare with the base: overlays, settings, options.NAME=VALUE, platform=NAME, library=NAME",
                 "NAME=CHANGE,...");
    add_text(command, "--repeat", options.repeat, "Repetitions, each with a seed of its own", "N");
    add_text(command, "--seed", options.seed, "Seed of the first repetition; 1 if not given", "N");
    add_points(command, options);
    add_text(command, "--save", options.study.save, "Write it as a study, which `ringmesh study` takes", "DIR");
}

void add_sweep(CLI::App& app, CommandOptions& options)
{
    CLI::App& command = add_command(app, "sweep");
    add_axes(command, options);
    add_shard(command, options);
}

void add_whatif(CLI::App& app, CommandOptions& options)
{
    CLI::App& command = add_command(app, "whatif");
    add_axes(command, options);
    command.get_option("PLATFORM")->description("Name of a platform, or a TOML file; or a study, a name or a folder");
    add_text(command, "--by", options.question.by, "Result to compare; the first time or rate if not given", "COLUMN");
    command.add_flag("--smaller", options.smaller, "The smaller result is the better one");
    command.add_flag("--larger", options.larger, "The larger one is");
    add_text(command, "--test", options.test, "Of a study: the test to compare", "NAME");
    add_text(command, "--sizes", options.sizes, "Without --workload: numbers of nodes; to 1024 if not given",
             "N,N..N,N..N step N,N..N xN");
    command.add_flag("--uncertainty", options.study.uncertainty,
                     "Say how sure the answers are, for every value that assumed parameters may have");
    add_text(command, "--samples", options.samples,
             fmt::format("Latin hypercube, where answers are not linear; {} if not given", kHypercubeSamples), "N");
}

/// Some actions have the names of other commands, so each is a command of its own.
CLI::App& add_action_of(CLI::App& command, CommandOptions& options, const std::string& name, const std::string& meaning)
{
    CLI::App& action = *command.add_subcommand(name, meaning);
    action.allow_extras();
    action.footer(examples_of(command.get_name(), name));
    action.callback([&options, name] { options.action = name; });
    return action;
}

/// Each action has the options that mean something for it.
void add_study(CLI::App& app, CommandOptions& options)
{
    StudyCommand& study = options.study;
    CLI::App& command = add_command(app, "study");
    command.require_subcommand(0, 1);
    const auto add_action = [&](const std::string& name, const std::string& meaning) -> CLI::App& {
        CLI::App& action = add_action_of(command, options, name, meaning);
        add_text(action, "STUDY", study.path, "Name of a study, folder with study.toml, or the file", "");
        return action;
    };
    const auto add_stored = [&](CLI::App& action) {
        add_folder(action, study.store.folder);
        add_where(action, study);
    };

    CLI::App& run = add_action("run", "Run what is missing, print the tables");
    add_points(run, options);
    add_shard(run, options);
    for (CLI::App* action : {&add_action("status", "Count what is done, failed, still to run; say what cannot run"),
                             &add_action("list", "Print the points, one a line")}) {
        add_stored(*action);
        add_shard(*action, options);
        add_table(*action, study);
    }
    CLI::App& query = add_action("query", "Ask the tables of what is done");
    add_text(query, "SQL", study.sql, "A SELECT over the study's tables", "");
    add_stored(query);
    add_table(query, study);
    CLI::App& exported = add_action("export", "Write all tables as an SQLite database");
    add_text(exported, "--sqlite", study.database, "The database", "FILE");
    add_stored(exported);
    CLI::App& clean = add_action("clean", "Take the study's points out of the store; they can be run again");
    clean.add_flag("--dry-run", study.dry_run, "List the points that would go");
    add_stored(clean);
    CLI::App& merge = add_action("merge", "Copy finished points from other stores into this one");
    add_repeated(merge, "--from", study.from, "Another store, once for each", "DIR");
    add_stored(merge);
    CLI::App& compare = add_action("compare", "Show what differs between two variants, stores or models");
    compare.add_option("VARIANT", study.variants, "Two variants")->type_name("");
    add_repeated(compare, "--with", study.from, "The same points of another store", "DIR");
    add_text(compare, "--model", study.model, "The same points of another model version in this store", "VERSION");
    add_stored(compare);
    add_table(compare, study);
    CLI::App& submit = add_action("submit", "Run it as an array job over a store that all machines see");
    submit.add_flag("--slurm", study.slurm, "By Slurm's sbatch");
    add_text(submit, "--tasks", options.tasks, "Shares; 1 if not given", "N");
    add_repeated(submit, "--sbatch", study.sbatch, "A further option of sbatch: --sbatch=--partition=long", "OPTION");
    add_stored(submit);
    add_limit(submit, study);
    add_retry(submit, study.store);
    submit.add_flag("--dry-run", study.dry_run, "Print the batch script, submit nothing");
}

void add_store_command(CLI::App& app, CommandOptions& options)
{
    CLI::App& store = add_command(app, "store");
    store.require_subcommand(0, 1);
    const auto add_action = [&](const std::string& name, const std::string& meaning) -> CLI::App& {
        CLI::App& action = add_action_of(store, options, name, meaning);
        add_folder(action, options.study.store.folder);
        return action;
    };
    add_text(add_action("status", "Count the points by model version and state"), "--json", options.store.json,
             "Write it as JSON; '-' for standard output", "FILE");
    CLI::App& index = add_action("index", "Bring the SQLite index beside the points up to date");
    index.add_option("STUDY", options.store.studies, "Studies to index with them: members, axes, published, ledger")
        ->type_name("");
    add_text(index, "--sqlite", options.store.database, "The index; index.sqlite in the store if not given", "FILE");
    CLI::App& clean = add_action("clean", "Take points out that are no longer wanted, and damaged files");
    clean.add_flag("--other-models", options.store.other_models, "Those of another version of the model");
    clean.add_flag("--failed", options.store.failed, "Those that failed, were refused, stuck or late");
}

void add_compare(CLI::App& app, CommandOptions& options)
{
    CompareCommand& compare = options.compare;
    CLI::App& command = add_command(app, "compare");
    add_text(command, "A", compare.a,
             "Key of a point, or its beginning; the folder of a store; or a waveform (.vcd, .fst)", "");
    add_text(command, "B", compare.b, "Likewise", "");
    add_folder(command, compare.store);
    add_text(command, "--json", compare.json, "Write all values; '-' for standard output", "FILE");
    add_text(command, "--csv", compare.csv, "Likewise as a table", "FILE");
}

void add_help(CLI::App& app, CommandOptions& options)
{
    CLI::App& help = add_command(app, "help");
    help.add_option("COMMAND", options.names, "A command, and its action")->type_name("")->expected(0, 2);
    help.add_flag("--man", options.manual, "Write the manual page, for man -l");
    add_command(app, "version");
    CLI::App& completion = add_command(app, "completion");
    completion.add_option("SHELL", options.subject, "bash, zsh or fish")->type_name("")->required();
}

void add_report(CLI::App& app, CommandOptions& options)
{
    ReportCommand& report = options.report_of;
    CLI::App& command = add_command(app, "report");
    add_text(command, "STUDY", report.subject,
             "A study, a name or a folder; or a point, its key or the beginning; or the folder of a store", "");
    add_text(command, "-o,--output", options.report, "The report", "FILE");
    command.add_flag("--full", report.full, "Of a validated study also the points that take long");
    add_folder(command, report.store);
}

void add_check(CLI::App& app, CommandOptions& options)
{
    CheckCommand& check = options.check;
    CLI::App& command = add_command(app, "check");
    add_machine(command, check.request, options);
    command.add_flag("--sources", check.sources, "With packet sources in place of processors, as for traffic");
    command.add_flag("--markdown", options.markdown, "Write Markdown");
    command.add_flag("--json", options.json, "Write JSON");
}

void add_reproduce(CLI::App& app, CommandOptions& options)
{
    ReproduceCommand& reproduce = options.reproduce;
    CLI::App& command = add_command(app, "reproduce");
    add_text(command, "STUDY", reproduce.study, "A study, a name or a folder; or the folder of an earlier reproduction",
             "");
    add_text(command, "-o,--output", reproduce.output, "The folder that is made", "FOLDER");
    command.add_flag("--full", reproduce.full, "Of a validated study also the points that take long");
    add_text(command, "--jobs", options.jobs, "Runs at a time; as many as there are processors if not given", "N");
}

void add_new(CLI::App& app, CommandOptions& options)
{
    CLI::App& command = add_command(app, "new");
    add_text(command, "KIND", options.made.kind, "program, study, pattern, arbiter, card or machine", "");
    add_text(command, "NAME", options.made.name, "Of the new folder: small letters, digits, single hyphens", "");
}

}  // namespace

void add_commands(CLI::App& app, CommandOptions& options)
{
    add_list(app, options);
    add_run(app, options);
    add_validate(app, options);
    add_sensitivity(app, options);
    add_calibrate(app, options);
    add_whatif(app, options);
    add_explain(app, options);
    add_saturate(app, options);
    add_sweep(app, options);
    add_study(app, options);
    add_store_command(app, options);
    add_compare(app, options);
    add_report(app, options);
    add_reproduce(app, options);
    add_check(app, options);
    add_new(app, options);
    add_help(app, options);
}

}  // namespace ringmesh::lab
