// SPDX-License-Identifier: Apache-2.0
#include "lab/store/point.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lab/json.h"
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

}  // namespace

std::string key_of(const Experiment& experiment)
{
    const std::string text = fmt::format("model {}\nmachine {}\nprogram {}\nlibrary {}\nseed {}\n", model_version(),
                                         experiment.machine_kind(), experiment.workload_name(),
                                         experiment.library_name(), experiment.request().seed) +
                             rows_text("parameter", experiment.parameters()) +
                             rows_text("option", experiment.workload_options()) +
                             rows_text("library", experiment.library_options());
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
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
                        {"machine", header.machine},
                        {"finished", header.finished},
                        {"record_bytes", record.size()}};
    return first.line() + '\n' + record;
}

PointHeader header_from_line(const std::string& line)
{
    const Json json = Json::parse(line);
    const PointState* state = kPointStates.find(json.at("state").as_text());
    if (state == nullptr) throw ModelError("unknown state of a point");
    return {.key = json.at("key").as_text(),
            .model = json.at("model").as_text(),
            .state = *state,
            .message = json.at("message").as_text(),
            .limit_seconds = json.at("limit_seconds").as_number(),
            .every_block = json.at("every_block").as_flag(),
            .machine = json.at("machine").as_text(),
            .finished = json.at("finished").as_text(),
            .record_bytes = static_cast<std::size_t>(json.at("record_bytes").as_integer())};
}

Point point_from_text(const std::string& text)
{
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) throw ModelError("a point has two lines");
    return {header_from_line(text.substr(0, end)), record_from(Json::parse(text.substr(end + 1)))};
}

}  // namespace ringmesh::lab
