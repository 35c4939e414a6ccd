// SPDX-License-Identifier: Apache-2.0
#include "workloads/ranks/mapping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "tlm/error.h"
#include "tlm/files/input_lines.h"
#include "tlm/machine/torus_shape.h"
#include "tlm/parameters/names.h"
#include "tlm/simulation/random.h"
#include "workloads/ranks/file_named.h"

namespace ringmesh::workloads {
namespace {

enum class MapKind : std::uint8_t { kLinear, kRandom, kSnake, kSubTorus };
constexpr NameTable<MapKind, 4> kMapNames{{{{"linear", MapKind::kLinear},
                                            {"random", MapKind::kRandom},
                                            {"snake", MapKind::kSnake},
                                            {"sub-torus", MapKind::kSubTorus}}}};

TorusShape shape_for(const ProcessorMachine& machine, const std::string& map)
{
    if (const auto shape = machine.shape()) return *shape;
    throw UserError(
        fmt::format("map = {}: this machine is no torus, mesh or hypercube; take linear, random or a file", map));
}

std::vector<unsigned> shuffled(unsigned nodes, Random random)
{
    std::vector<unsigned> all = Placement(nodes).nodes();
    for (unsigned left = nodes; left > 1; --left) std::swap(all[left - 1], all[random.below(left)]);
    return all;
}

std::vector<unsigned> snake_through(const TorusShape& shape)
{
    std::vector<unsigned> all;
    for (unsigned step = 0; step < shape.nodes(); ++step) {
        unsigned node = step;
        // A line is walked backwards if the number of lines before it is odd
        unsigned lines = step;
        for (unsigned d = 0; d < shape.dimensions(); ++d) {
            lines /= shape.size(d);
            if (lines % 2 == 1) node = shape.moved(node, d, shape.size(d) - 1 - shape.coordinate(step, d));
        }
        all.push_back(node);
    }
    return all;
}

struct Block {
    unsigned first = 0;           // the node with the lowest coordinates
    std::vector<unsigned> sides;  // by dimension
};

void add_blocks(const TorusShape& shape, const Block& block, std::vector<unsigned>& all)
{
    // Of equal sides the last: then the first half of a cube has the lower numbers
    const auto longest = std::max_element(block.sides.rbegin(), block.sides.rend());
    if (*longest == 1) {
        all.push_back(block.first);
        return;
    }
    const auto d = static_cast<unsigned>(block.sides.rend() - longest - 1);
    Block lower = block;
    Block upper = block;
    lower.sides[d] = (*longest + 1) / 2;
    upper.sides[d] = *longest - lower.sides[d];
    upper.first = shape.moved(block.first, d, shape.coordinate(block.first, d) + lower.sides[d]);
    add_blocks(shape, lower, all);
    add_blocks(shape, upper, all);
}

std::vector<unsigned> blocks_of(const TorusShape& shape)
{
    Block whole;
    for (unsigned d = 0; d < shape.dimensions(); ++d) whole.sides.push_back(shape.size(d));
    std::vector<unsigned> all;
    add_blocks(shape, whole, all);
    return all;
}

std::vector<unsigned> read_map(const std::string& file, unsigned ranks, unsigned nodes)
{
    std::vector<unsigned> all;
    std::vector<unsigned> line_of(nodes);  // 0: not named yet
    InputLines lines(file);
    while (lines.next()) {
        const std::string_view word = trimmed(lines.text().substr(0, lines.text().find('#')));
        if (word.empty()) continue;
        const auto refuse = [&](const std::string& what) {
            throw UserError(fmt::format("{}:{}: {}", file, lines.number(), what));
        };
        unsigned node = 0;
        const char* const end = word.data() + word.size();
        const auto read = std::from_chars(word.data(), end, node);
        if (read.ec != std::errc() || read.ptr != end) {
            refuse(fmt::format("'{}' is no node; write one number from 0 to {} a line", word, nodes - 1));
        }
        if (node >= nodes) {
            refuse(fmt::format("node {}: this machine has nodes 0 to {}; write one of them", node, nodes - 1));
        }
        if (line_of[node] != 0) {
            refuse(fmt::format("node {} is in line {} already, and a node runs one rank; write another", node,
                               line_of[node]));
        }
        line_of[node] = lines.number();
        all.push_back(node);
    }
    if (all.empty()) throw UserError(fmt::format("{}: names no node; write the node of each rank, one a line", file));
    if (all.size() < ranks) {
        throw UserError(
            fmt::format("{}:{}: ends after {} nodes, and the program has {} ranks; add a line for each, or "
                        "write ranks={}",
                        file, lines.number(), all.size(), ranks, all.size()));
    }
    return all;
}

}  // namespace

std::vector<std::string> Mapping::files() const
{
    if (kMapNames.find(map) != nullptr) return {};
    try {
        return {file_named(folder, "map", map)};
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}; write {}, or the name of a file with one node a line{}", error.what(),
                                    fmt::join(kMapNames.names(), ", "), nearest_hint(map, kMapNames.names())));
    }
}

Placement Mapping::placement(ProcessorMachine& machine, unsigned ranks) const
{
    const unsigned nodes = machine.processors();
    std::vector<unsigned> all;
    if (const MapKind* const kind = kMapNames.find(map)) {
        switch (*kind) {
            case MapKind::kLinear: return {ranks};
            case MapKind::kRandom: all = shuffled(nodes, machine.simulation().random_for("map")); break;
            case MapKind::kSnake: all = snake_through(shape_for(machine, map)); break;
            case MapKind::kSubTorus: all = blocks_of(shape_for(machine, map)); break;
        }
    } else {
        all = read_map(files().front(), ranks, nodes);
    }
    // Of nodes with two processors all first ones, then all second ones
    for (std::size_t i = 0; all.size() < ranks; ++i) all.push_back(machine.nodes() + all[i]);
    all.resize(ranks);
    return Placement(std::move(all));
}

}  // namespace ringmesh::workloads
