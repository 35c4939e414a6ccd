// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/libraries/library.h"
#include "workloads/libraries/rcce/options.h"

namespace ringmesh::workloads::rcce {

class Rcce;

/// RCCE, or RCCE with iRCCE beside it: blocking messages are RCCE's in both.
class RcceLibrary final : public Library {
public:
    enum class Requests : std::uint8_t { kNone, kIrcce };
    explicit RcceLibrary(Requests requests, const LibraryOptions& options = {}) : requests_(requests), options_(options)
    {}

    std::vector<Offer> offers() const override;
    bool adds_labels() const override { return true; }
    Measured measured() const override { return Measured::kThesis; }
    void visit(ParameterVisitor& visitor) override;
    std::vector<std::unique_ptr<Rank>> make_ranks(Machine& machine, const Placement& ranks) override;
    std::uint32_t room_in_front() const override { return 512 * 1024; }
    std::optional<Frequency> declared_clock() const override { return options_.declared_clock; }
    std::vector<Column> columns() const override { return {{"handshakes", ""}}; }
    std::vector<Cell> cells(std::uint32_t size) const override;
    std::vector<std::string> notes(const MessagingStatistics& sum) const override;

private:
    Requests requests_;
    LibraryOptions options_;
    std::vector<const Rcce*> cores_;  // by their ranks
};

}  // namespace ringmesh::workloads::rcce
