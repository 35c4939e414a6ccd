// SPDX-License-Identifier: Apache-2.0
#include "workloads/replay/packet_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "tlm/parameters/names.h"

namespace ringmesh::workloads {
namespace {

constexpr std::array<std::string_view, 9> kNames{"id",    "time_ns", "time_cycles", "source",   "destination",
                                                 "bytes", "flits",   "class",       "waits_for"};
constexpr std::int64_t kLatestNs = 1'000'000'000'000'000;  // eleven days
constexpr std::uint64_t kHighest = std::numeric_limits<std::int64_t>::max();

std::optional<std::uint64_t> parse(std::string_view text)
{
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return value;
}

}  // namespace

PacketTrace::PacketTrace(const std::string& path, const NetworkMachine& network) : network_(network), lines_(path)
{
    read_header();
}

void PacketTrace::read_header()
{
    if (!lines_.next()) {
        throw UserError(
            fmt::format("{}: no lines; begin with id,time_ns,source,destination,bytes,class,waits_for", path()));
    }
    const auto& cells = lines_.cells();
    columns_ = cells.size();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto found = std::find(kNames.begin(), kNames.end(), cells[i]);
        if (found == kNames.end()) {
            const std::vector<std::string> known(kNames.begin(), kNames.end());
            throw problem(fmt::format("unknown column '{}'{}; the first line names the columns", cells[i],
                                      suggestion(std::string(cells[i]), known)));
        }
        int& place = place_[found - kNames.begin()];
        if (place >= 0) throw problem(fmt::format("column '{}' for the second time; keep one", cells[i]));
        place = static_cast<int>(i);
    }
    const auto need_one = [this](Column a, Column b) {
        if (has(a) != has(b)) return;
        throw problem(
            fmt::format("{} of {} and {}; write one of them", has(a) ? "both" : "none", kNames[a], kNames[b]));
    };
    need_one(kTimeNs, kTimeCycles);
    need_one(kBytes, kFlits);
    for (const Column column : {kSource, kDestination}) {
        if (!has(column))
            throw problem(fmt::format("no column '{}'; the first line names the columns", kNames[column]));
    }
}

std::uint64_t PacketTrace::number(Column column, std::uint64_t most) const
{
    const auto value = parse(cell(column));
    if (!value || *value > most) {
        throw problem(fmt::format("{} = {}: write a whole number from 0 to {}", kNames[column], cell(column), most));
    }
    return *value;
}

std::uint32_t PacketTrace::node(Column column) const
{
    const auto value = number(column, kHighest);
    if (value < network_.nodes()) return static_cast<std::uint32_t>(value);
    throw problem(fmt::format("{} = {}: unknown {}; this network has {} nodes, 0 to {}", kNames[column], value,
                              kNames[column], network_.nodes(), network_.nodes() - 1));
}

/// To the picosecond, without a way through binary fractions.
Duration PacketTrace::time() const
{
    if (has(kTimeCycles)) {
        return Cycles(static_cast<std::int64_t>(number(kTimeCycles, 1'000'000'000'000))) * network_.clock();
    }
    const std::string_view text = cell(kTimeNs);
    const std::size_t point = text.find('.');
    const auto whole = parse(text.substr(0, point));
    std::string digits(point == std::string_view::npos ? std::string_view() : text.substr(point + 1));
    while (digits.size() > 3 && digits.back() == '0') digits.pop_back();
    const bool has_digits = point != std::string_view::npos;
    const auto part = digits.empty() ? std::optional<std::uint64_t>(0) : parse(digits);
    if (!whole || *whole > static_cast<std::uint64_t>(kLatestNs) || !part || digits.size() > 3 ||
        (has_digits && digits.empty())) {
        throw problem(fmt::format("time_ns = {}: write ns with at most three decimals, from 0 to {}", text, kLatestNs));
    }
    std::uint64_t ps = *part;
    for (std::size_t i = digits.size(); i < 3; ++i) ps *= 10;
    return Duration::picoseconds(static_cast<std::int64_t>(*whole * 1000 + ps));
}

const PacketForm& PacketTrace::form(std::int64_t size, const std::string& kind)
{
    const auto known = forms_.find({size, kind});
    if (known != forms_.end()) return known->second;
    try {
        PacketOptions options = network_.options_for(size, has(kBytes) ? "bytes" : "flits", kind);
        return forms_[{size, kind}] = network_.packets(options);
    } catch (const UserError& error) {
        throw problem(error.what());
    }
}

bool PacketTrace::is_known(std::uint64_t id) const
{
    const auto after = std::upper_bound(known_.begin(), known_.end(), id,
                                        [](std::uint64_t wanted, const auto& range) { return wanted < range.first; });
    return after != known_.begin() && id <= (after - 1)->second;
}

void PacketTrace::add_known(std::uint64_t id)
{
    if (!known_.empty() && known_.back().second + 1 == id) {
        known_.back().second = id;
    } else {
        known_.emplace_back(id, id);
    }
}

std::optional<TracedPacket> PacketTrace::next()
{
    if (!lines_.next()) return std::nullopt;
    if (lines_.cells().size() != columns_) {
        throw problem(fmt::format("{} cells, and the first line names {} columns; write one for each",
                                  lines_.cells().size(), columns_));
    }
    TracedPacket packet;
    packet.line = line();
    packet.id = has(kId) ? number(kId, kHighest) : last_id_ + 1;
    if (has(kId) && !known_.empty() && packet.id <= last_id_) {
        throw problem(fmt::format("id = {} after id {}; ids ascend", packet.id, last_id_));
    }
    packet.at = time();
    if (packet.at < last_) {
        throw problem(fmt::format("{} = {} after {} ns in a line before; sort the lines by time",
                                  has(kTimeNs) ? "time_ns" : "time_cycles", cell(has(kTimeNs) ? kTimeNs : kTimeCycles),
                                  last_.ns()));
    }
    packet.source = node(kSource);
    packet.target = node(kDestination);
    if (packet.source == packet.target && !network_.sends_to_itself()) {
        throw problem(
            fmt::format("destination = {}: no node of this network sends to itself; take the line out", packet.target));
    }
    const auto size = static_cast<std::int64_t>(number(has(kBytes) ? kBytes : kFlits, 1'000'000'000));
    const PacketForm& made = form(size, has(kClass) ? std::string(cell(kClass)) : "");
    packet.size = made.size;
    packet.kind = made.kinds[0];
    packet.answered = made.answered;
    if (has(kWaitsFor)) {
        std::string_view left = cell(kWaitsFor);
        while (!left.empty()) {
            const std::size_t end = left.find(';');
            const std::string_view one = left.substr(0, end);
            const auto id = parse(one);
            if (!id) throw problem(fmt::format("waits_for = {}: write ids, with ';' between several", cell(kWaitsFor)));
            if (*id >= packet.id) {
                throw problem(
                    fmt::format("waits_for = {}: packet {} waits for itself or a later one; a packet waits "
                                "for lines above its own",
                                one, packet.id));
            }
            if (!is_known(*id)) {
                throw problem(fmt::format("waits_for = {}: unknown id; no line above has it", one));
            }
            packet.waits_for.push_back(*id);
            left = end == std::string_view::npos ? std::string_view() : left.substr(end + 1);
        }
    }
    last_id_ = packet.id;
    last_ = packet.at;
    add_known(packet.id);
    return packet;
}

}  // namespace ringmesh::workloads
