// SPDX-License-Identifier: Apache-2.0
#include "lab/store/point.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>
#include <iterator>
#include <systemc>

#include "lab/store/content.h"
#include "lab/table/writers/json.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// Lines "name key=value".
std::string rows_text(std::string_view name, const std::vector<ParameterRow>& rows)
{
    std::string text;
    for (const ParameterRow& row : rows) text += fmt::format("{} {}={}\n", name, row.key, row.value);
    return text;
}

std::string host_name()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string_view record_line(std::string_view point) { return point.substr(point.find('\n') + 1); }

/// Where values come from; ranges and reasons stay with the platform.
Json short_provenance(const Json& all)
{
    Json result = Json::object();
    for (const auto& [parameter, origin] : all.members()) {
        for (const char* key : {"provenance", "source", "set_by"}) {
            if (const Json* value = origin.find(key)) result[parameter][key] = *value;
        }
    }
    return result;
}

/// Of this process, set once before anything asks; empty without additions.
std::string& version_of_additions()
{
    static std::string version;
    return version;
}

/// Lines "file HASH": what the files of a workload hold. @throws UserError if one cannot be read
std::string contents_text(const Experiment& experiment)
{
    std::string text;
    for (const std::string& name : experiment.files()) {
        if (name.empty()) continue;  // the workload says so
        const auto hash = hash_of_file(name);
        if (!hash) throw UserError(fmt::format("{}: {} cannot be read", experiment.workload_name(), name));
        text += fmt::format("file {}\n", *hash);
    }
    return text;
}

}  // namespace

KeysBySeed::KeysBySeed(const Experiment& experiment)
    : before_seed_(fmt::format("key 2\nmodel {}\nmachine {}\nprogram {}\nlibrary {}\nseed ", model_version(),
                               experiment.machine_kind(), experiment.workload_name(), experiment.library_name())),
      after_seed_('\n' + rows_text("parameter", experiment.parameters()) +
                  rows_text("option", experiment.workload_options()) +
                  rows_text("library", experiment.library_options()) + contents_text(experiment))
{}

std::string KeysBySeed::key(std::uint64_t seed) const
{
    return hash_of(before_seed_ + std::to_string(seed) + after_seed_);
}

std::string model_version() { return sources_version() + version_of_additions(); }

void count_program_as_model()
{
    constexpr std::size_t kShown = 8;
    std::ifstream file("/proc/self/exe", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.empty()) throw UserError("the program's own file cannot be read; mount /proc");
    version_of_additions() = "+" + hash_of(bytes).substr(0, kShown);
}

std::string key_of(const Experiment& experiment) { return KeysBySeed(experiment).key(experiment.request().seed); }

Point point_of(Experiment& experiment, const std::string& key, bool every_block)
{
    const PointHeader header{.key = key,
                             .model = model_version(),
                             .message = {},
                             .every_block = every_block,
                             .sample_ps = experiment.use() == nullptr ? 0 : experiment.use()->asked().ps(),
                             .machine = host_name(),
                             .finished = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
                             .delta_cycles = experiment.has_run() ? experiment.simulation().steps() : 0};
    return {header, record_of(experiment)};
}

std::string point_text(const Point& point)
{
    const PointHeader& header = point.header;
    Json json = record_json(point.record, header.every_block);
    json["provenance"] = short_provenance(json.at("provenance"));
    const std::string record = json.line() + '\n';
    const Json first = {{"key", header.key},
                        {"model", header.model},
                        {"state", kPointStates.name(header.state)},
                        {"message", header.message},
                        {"limit_seconds", header.limit_seconds},
                        {"every_block", header.every_block},
                        {"sample_ps", header.sample_ps},
                        {"machine", header.machine},
                        {"finished", header.finished},
                        {"delta_cycles", header.delta_cycles},
                        {"record_bytes", record.size()},
                        {"record_hash", hash_of(record)}};
    return first.line() + '\n' + record;
}

PointHeader header_from_text(std::string_view text)
{
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) throw ModelError("a point has two lines");
    const std::string_view record = text.substr(end + 1);
    const Json json = Json::parse(text.substr(0, end));
    const PointState* state = kPointStates.find(json.at("state").as_text());
    if (state == nullptr) throw ModelError("unknown state of a point");
    const Json* hash = json.find("record_hash");
    const Json* delta_cycles = json.find("delta_cycles");
    const Json* sample = json.find("sample_ps");
    PointHeader header{.key = json.at("key").as_text(),
                       .model = json.at("model").as_text(),
                       .state = *state,
                       .message = json.at("message").as_text(),
                       .limit_seconds = json.at("limit_seconds").as_number(),
                       .every_block = json.at("every_block").as_flag(),
                       .sample_ps = sample == nullptr ? 0 : sample->as_integer(),
                       .machine = json.at("machine").as_text(),
                       .finished = json.at("finished").as_text(),
                       .delta_cycles = 0,
                       .record_bytes = static_cast<std::size_t>(json.at("record_bytes").as_integer()),
                       .record_hash = hash == nullptr ? "" : hash->as_text()};
    if (delta_cycles != nullptr) header.delta_cycles = static_cast<std::uint64_t>(delta_cycles->as_integer());
    if (record.size() != header.record_bytes) throw ModelError("the record of a point is cut short");
    if (hash != nullptr && hash_of(record) != header.record_hash) throw ModelError("the record of a point is damaged");
    return header;
}

Point point_from_text(std::string_view text)
{
    return {header_from_text(text), record_from(Json::parse(record_line(text)))};
}

Outcome outcome_from_text(std::string_view text, bool statistics)
{
    if (header_from_text(text).state != PointState::kDone) throw ModelError("the point is not done");
    const std::string_view record = record_line(text);
    if (statistics) return outcome_from(Json::parse(record, {"results", "simulated_ns", "statistics"}));
    return outcome_from(Json::parse(record, {"results", "simulated_ns"}));
}

}  // namespace ringmesh::lab
