// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tlm/error.h"
#include "tlm/files/csv_lines.h"
#include "tlm/machine/traffic_machine.h"

namespace ringmesh::workloads {

struct TracedPacket {
    std::uint32_t line = 0;  ///< of the file, from 1
    std::uint64_t id = 0;
    Duration at;  ///< not before this time
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    std::uint32_t size = 0;  ///< as Injection::size
    std::uint8_t kind = 0;
    bool answered = false;
    std::vector<std::uint64_t> waits_for;  ///< ids of packets that must have been delivered
};

/// Reads a table of packets line by line, for one network:
///
///     id,time_ns,source,destination,bytes,class,waits_for
///
/// Columns in any order; id, class and waits_for may be missing. Holds one line, and the ranges of the ids so far.
class PacketTrace {
public:
    /// @param network outlives it @throws UserError if the file or its header cannot be read
    PacketTrace(const std::string& path, const NetworkMachine& network);

    /// None: the file is over. @throws UserError naming file, line, value and cure
    std::optional<TracedPacket> next();
    std::uint32_t line() const { return lines_.line(); }
    UserError problem(const std::string& what) const { return lines_.problem(what); }
    /// Of an earlier line.
    UserError problem(std::uint32_t line, const std::string& what) const { return lines_.problem_of(line, what); }
    const std::string& path() const { return lines_.path(); }

private:
    enum Column : std::uint8_t { kId, kTimeNs, kTimeCycles, kSource, kDestination, kBytes, kFlits, kClass, kWaitsFor };
    static constexpr std::size_t kColumns = 9;

    void read_header();
    bool has(Column column) const { return place_[column] >= 0; }
    std::string_view cell(Column column) const { return lines_.cells()[static_cast<std::size_t>(place_[column])]; }
    std::uint64_t number(Column column, std::uint64_t most) const;
    std::uint32_t node(Column column) const;
    Duration time() const;
    const PacketForm& form(std::int64_t size, const std::string& kind);
    bool is_known(std::uint64_t id) const;
    void add_known(std::uint64_t id);

    const NetworkMachine& network_;
    CsvLines lines_;
    int place_[kColumns] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
    std::size_t columns_ = 0;
    std::uint64_t last_id_ = 0;
    Duration last_;
    std::map<std::pair<std::int64_t, std::string>, PacketForm> forms_;  // by size and class
    std::vector<std::pair<std::uint64_t, std::uint64_t>> known_;        // ranges of ids, ascending
};

}  // namespace ringmesh::workloads
