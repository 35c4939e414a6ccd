// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "lab/commands/line/command.h"
#include "lab/process/memory_limit.h"
#include "lab/study/description/study.h"
#include "lab/table/writers/cells.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"
#include "tlm/units/quantity.h"
#include "workloads/foreign/program_of_others.h"

/// Options that several commands have.
namespace ringmesh::lab {
namespace {

constexpr std::string_view kFaultForm = "write such as --fault \"where=node3.lc2*,what=lose-packet,when=1e-4/packet\"";

using Fault = std::vector<std::pair<std::string, std::string>>;

/// Keys and values of one --fault, "where=node3*,what=cut,when=5us..9us", in one form.
Fault read_fault(const std::string& fault)
{
    const std::vector<std::string> keys{"where", "what", "when", "lasts", "seed"};
    std::map<std::string, std::string> given;
    std::istringstream parts(fault);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::string key = part.substr(0, part.find('='));
        if (key.size() == part.size() || std::find(keys.begin(), keys.end(), key) == keys.end()) {
            throw UserError(fmt::format("--fault {}: '{}' is none of {}; {}{}", fault, part, fmt::join(keys, "=, "),
                                        kFaultForm, suggestion(key, keys)));
        }
        if (!given.emplace(key, one_form(part.substr(key.size() + 1))).second) {
            throw UserError(fmt::format("--fault {}: {} is there twice; leave one out", fault, key));
        }
    }
    for (const char* key : {"where", "what", "when"}) {
        if (given.contains(key)) continue;
        throw UserError(fmt::format("--fault {}: without {}; {}", fault.empty() ? "\"\"" : fault, key, kFaultForm));
    }
    Fault in_order;
    for (const std::string& key : keys) {
        if (const auto found = given.find(key); found != given.end()) in_order.emplace_back(*found);
    }
    return in_order;
}

/// Each --fault as settings of a table fault.NAME. Random numbers depend on the names: fault1, fault2, ... in the order
/// of their values, so that the order of the options makes no difference.
void add_faults(std::vector<std::string>& settings, const std::vector<std::string>& typed)
{
    std::vector<Fault> faults;
    for (const std::string& each : typed) faults.push_back(read_fault(each));
    std::sort(faults.begin(), faults.end());
    for (std::size_t i = 0; i < faults.size(); ++i) {
        for (const auto& [key, value] : faults[i]) {
            settings.push_back(fmt::format("fault.fault{}.{}={}", i + 1, key, value));
        }
    }
}

/// The names that --fault gives are its own, and a key stands once on the command line.
void add_settings(std::vector<std::string>& settings, const std::vector<std::string>& typed)
{
    std::set<std::string> keys;
    for (const std::string& setting : typed) {
        if (platforms::is_typed_fault(setting)) {
            throw UserError(fmt::format(
                "--set {}: --fault gives such names; write --fault \"where=...,what=...,when=...\", or another name",
                setting));
        }
        if (constexpr std::string_view kOption = "options."; setting.starts_with(kOption)) {
            throw UserError(fmt::format(
                "--set {}: an option of the workload is no parameter of the machine; write --workload NAME:{}, or of "
                "a sweep or what-if --axis or --variant NAME={}",
                setting, setting.substr(kOption.size()), setting));
        }
        for (const platforms::Setting& each : platforms::read_assignment(setting, "--set")) {
            if (keys.insert(each.key).second) continue;
            throw UserError(fmt::format("--set {}: {} is given twice; keep one", setting, each.key));
        }
    }
    settings = typed;
}

}  // namespace

void OptionList::flag(std::string names, bool& value, std::string meaning)
{
    options_.push_back(
        {std::move(names), "", std::move(meaning), Kind::kFlag, [&value](const auto&) { value = true; }});
}

void OptionList::text(std::string names, std::string& value, std::string meaning, std::string value_name)
{
    options_.push_back({std::move(names), std::move(value_name), std::move(meaning), Kind::kText,
                        [&value](const auto& typed) { value = typed.front(); }});
}

void OptionList::add_parsed(std::string names, std::function<void(const std::string&)> take, std::string meaning,
                            std::string value_name)
{
    options_.push_back({names, std::move(value_name), std::move(meaning), Kind::kText,
                        [names, take = std::move(take)](const std::vector<std::string>& typed) {
                            try {
                                take(typed.front());
                            } catch (const UserError& error) {
                                throw UserError(fmt::format("{} {}: {}", names, typed.front(), error.what()));
                            }
                        }});
}

void OptionList::repeated(std::string names, std::vector<std::string>& values, std::string meaning,
                          std::string value_name)
{
    options_.push_back({std::move(names), std::move(value_name), std::move(meaning), Kind::kRepeated,
                        [&values](const auto& typed) { values = typed; }});
}

void OptionList::argument(std::string name, std::string& value, std::string meaning, std::vector<std::string> choices)
{
    options_.push_back({std::move(name), "", std::move(meaning), Kind::kArgument,
                        [&value](const auto& typed) { value = typed.front(); }, std::move(choices)});
}

void OptionList::arguments(std::string name, std::vector<std::string>& values, std::string meaning)
{
    options_.push_back(
        {std::move(name), "", std::move(meaning), Kind::kArguments, [&values](const auto& typed) { values = typed; }});
}

OptionList& OptionList::action(std::string name, std::string meaning, std::string& chosen)
{
    return actions_.emplace_back(Action{std::move(name), std::move(meaning), &chosen}).list;
}

std::string Command::first_typed(std::initializer_list<const char*> options) const
{
    const auto found =
        std::find_if(options.begin(), options.end(), [this](const char* option) { return typed.contains(option); });
    return found == options.end() ? "" : *found;
}

std::string see_help(std::string_view command)
{
    return fmt::format("; see 'ringmesh {}{}--help'", command, command.empty() ? "" : " ");
}

void add_machine(OptionList& list, ExperimentRequest& request, std::string platform_meaning)
{
    list.argument("PLATFORM", request.platform, std::move(platform_meaning));
    list.need("no platform; 'ringmesh list platforms' shows what there is");
    list.repeated("--overlay", request.overlays, "Change the platform by an overlay, a name or a file", "FILE");
    list.add({"--set", "KEY=VALUE", "Change one parameter", OptionList::Kind::kRepeated,
              [&request](const auto& typed) { add_settings(request.settings, typed); }});
    list.add({"--fault", "where=BLOCKS,what=WORD,when=TIME",
              "Let hardware fail; `list faults PLATFORM` shows the choices", OptionList::Kind::kRepeated,
              [&request](const auto& faults) { add_faults(request.settings, faults); }});
    list.add({"--memory", "SIZE", "Most memory that a run may use; most of the free memory if not given",
              OptionList::Kind::kText, [](const auto& typed) { set_memory_limit(typed.front()); }});
}

void add_program(OptionList& list, ProgramOfRun& program, std::string ranks, std::string names)
{
    list.text(std::move(names), program.ranks, std::move(ranks), "N");
    list.text("--stack", program.stack, "Stack of each of its ranks; 8MiB if not given", "SIZE");
    list.text(
        "--compute", program.compute,
        "Time between its calls: none, measured (on this computer) or measured:FACTOR, record:FILE (measured, and "
        "written), file:FILE; none if not given",
        "HOW");
    list.repeated(
        "--algorithm", program.algorithms,
        "Algorithm of one of its collective calls, such as bcast=binomial; `list workloads program` shows all",
        "CALL=NAME");
    list.flag("--prefix", program.prefix, "Rank and simulated time stand before each line that it prints");
}

void add_workload(OptionList& list, AskedWorkload& asked, std::string meaning)
{
    list.text("--workload", asked.workload, std::move(meaning), "NAME[:KEY=VALUE,...]");
    list.text("--program", asked.program.file,
              "MPI or RCCE program to run in place of a workload, made by ringmesh cc, c++ or fc", "PROGRAM");
    add_program(list, asked.program, "Number of its ranks; all nodes if not given");
    list.flag("--numbers", asked.program.numbers,
              "Take the numbers in the lines that the program prints as results, in place of the times of its calls");
    list.text("--map", asked.map,
              "Node of each rank: linear, random, snake, sub-torus, or a file with one node a line; the same as the "
              "workload's option map",
              "MAP");
    list.repeated(
        "--background", asked.backgrounds,
        "Traffic of packet sources beside the workload until it has finished; each one is a class of its own; "
        "the same as the workload's options background.KEY, background2.KEY",
        "traffic[:KEY=VALUE,...]");
    list.arguments("ARGUMENTS", asked.program.arguments, "Arguments of the program, behind --");
}

std::string AskedWorkload::text(std::string_view command) const
{
    std::string all = workload;
    if (!program.file.empty()) {
        if (!workload.empty()) {
            throw UserError(
                fmt::format("{}: --program and --workload: one of them runs; leave the other out", command));
        }
        all = workload_of(program);
    } else if (!program.arguments.empty() && workload.starts_with("program:")) {
        throw UserError(
            fmt::format("{}: unexpected argument '{}'; those of --workload program are its option: write --workload "
                        "'{},arguments={}', or --program FILE -- ARGUMENTS",
                        command, program.arguments.front(), workload, workloads::arguments_text(program.arguments)));
    } else if (!program.arguments.empty()) {
        throw UserError(
            fmt::format("{}: unexpected argument '{}'{}", command, program.arguments.front(), see_help(command)));
    } else if (!program.ranks.empty() || !program.stack.empty() || !program.compute.empty() ||
               !program.algorithms.empty() || program.numbers || program.prefix) {
        throw UserError(fmt::format(
            "{}: --ranks, --stack, --compute, --algorithm, --numbers and --prefix are a program's; add --program FILE, "
            "or write --workload NAME:ranks=N",
            command));
    }
    return with_backgrounds(with_map(all, map), backgrounds);
}

void AskedWorkload::require_given(std::string_view command) const
{
    if (is_given()) return;
    throw UserError(fmt::format(
        "{}: no workload; write --workload NAME, or --program FILE of a program of others; 'ringmesh list workloads' "
        "shows what there is{}",
        command, see_help(command)));
}

void add_seed(OptionList& list, std::uint64_t& seed, std::string meaning)
{
    list.parsed(
        "--seed", seed,
        [](const std::string& text) {
            const auto number = number_from<std::uint64_t>(text);
            if (!number) throw UserError(fmt::format("not a whole number from 0 to {}; write --seed 1", UINT64_MAX));
            return *number;
        },
        std::move(meaning), "N");
}

void add_folder(OptionList& list, std::string& folder)
{
    list.text("--store", folder, "Folder of the points; $RINGMESH_STORE if not given", "DIR");
}

void add_jobs(OptionList& list, unsigned& jobs)
{
    list.count("--jobs", jobs, "Number of runs at the same time; one for each processor if not given");
}

void add_retry(OptionList& list, StoreOptions& store)
{
    list.flag("--retry", store.retry, "Also run points again that failed before");
}

void add_store(OptionList& list, StoreOptions& store)
{
    add_folder(list, store.folder);
    add_jobs(list, store.jobs);
    list.flag("--fresh", store.fresh, "Run all points again, even those in the store");
    list.flag("--check-order", store.check_order,
              "Run all points again, each also with the machine's places in other orders at equal times, and fail if a "
              "value differs");
    add_retry(list, store);
}

void add_shard(OptionList& list, std::optional<Shard>& shard, std::string meaning)
{
    list.add({"--shard", "I/N", std::move(meaning), OptionList::Kind::kText,
              [&shard](const auto& typed) { shard = shard_from(typed.front()); }});
}

void add_report(OptionList& list, std::string& file, std::string names, std::string meaning)
{
    list.text(std::move(names), file, std::move(meaning), "FILE");
}

Format FormatOptions::chosen(std::string_view command) const
{
    if (int{markdown} + int{json} + int{csv} > 1) {
        throw UserError(fmt::format("{}: --markdown, --json and --csv: choose one of them", command));
    }
    return json ? Format::kJson : markdown ? Format::kMarkdown : csv ? Format::kCsv : Format::kText;
}

void add_format(OptionList& list, FormatOptions& format)
{
    list.flag("--markdown", format.markdown, "Write Markdown");
    list.flag("--json", format.json, "Write JSON");
    list.flag("--csv", format.csv, "Write CSV");
}

unsigned OptionList::parse_count(const std::string& text, const std::string& option)
{
    constexpr unsigned kMost = 100'000;
    const auto count = number_from<unsigned>(text);
    if (count && *count >= 1 && *count <= kMost) return *count;
    throw UserError(fmt::format("not a whole number from 1 to {}; write {} 2", kMost, option));
}

std::chrono::duration<double> parse_limit(const std::string& text)
{
    const auto limit = time_limit(text, "--limit 60s");
    if (limit.count() > 0) return limit;
    throw UserError("not above zero; leave it out for none");
}

void require_one_standard_output(std::initializer_list<std::pair<const char*, const std::string&>> outputs)
{
    std::vector<std::string> given;
    for (const auto& [option, file] : outputs) {
        if (file == "-") given.push_back(fmt::format("{} -", option));
    }
    if (given.size() < 2) return;
    throw UserError(fmt::format("{}: only one of them can go to standard output", fmt::join(given, " and ")));
}

}  // namespace ringmesh::lab
