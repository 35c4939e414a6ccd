// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "tlm/files/csv_lines.h"
#include "workloads/ranks/file_named.h"
#include "workloads/traffic/pattern_bases.h"

namespace ringmesh::workloads {

/// Open loop: flows of a CSV file, a line "source,destination,rate" for each, in any unit. The load is the mean of the
/// nodes that send; each sends more or less than it, as the table says.
class RateTable final : public Pattern {
public:
    static constexpr PolicyName kPolicy{.name = "table",
                                        .sentence = "flows of a CSV file: source, destination, rate",
                                        .aliases = "rates traffic-matrix",
                                        .file = "rate_table"};
    static constexpr PatternOption kOption = PatternOption::kRates;

    RateTable(const Layout& layout, const PatternOptions& options) : flows_(layout.nodes)
    {
        read(file_named(options.folder, "rates", options.rates));
    }

    std::optional<unsigned> next(unsigned source, Random& random) override
    {
        const auto& flows = flows_[source];
        if (flows.empty()) return std::nullopt;
        const double drawn = random.unit() * flows.back().up_to;
        return std::upper_bound(flows.begin(), flows.end() - 1, drawn,
                                [](double value, const Flow& flow) { return value < flow.up_to; })
            ->to;
    }
    void expect(Flows& flows) const override
    {
        for (unsigned source = 0; source < flows_.size(); ++source) {
            double before = 0;
            for (const Flow& flow : flows_[source]) {
                flows.flow(source, flow.to, (flow.up_to - before) / mean_);
                before = flow.up_to;
            }
        }
    }
    double weight(unsigned source) const override
    {
        return flows_[source].empty() ? 0 : flows_[source].back().up_to / mean_;
    }

private:
    struct Flow {
        unsigned to = 0;
        double up_to = 0;  ///< sum of the source's rates up to this one
    };

    void read(const std::string& file)
    {
        constexpr double kHighestRate = 1e12;
        const auto last = static_cast<std::int64_t>(flows_.size()) - 1;
        CsvLines lines(file);
        std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> line_of;
        while (lines.next()) {
            if (lines.is_head({"source", "destination", "rate"}) && line_of.empty()) continue;
            const std::int64_t from = lines.whole(0, "source", 0, last);
            const std::int64_t to = lines.whole(1, "destination", 0, last);
            const double rate = lines.number(2, "rate", 0, kHighestRate);
            if (from == to) throw lines.problem(1, fmt::format("node {} would send to itself; leave the line out", to));
            const auto [known, is_new] = line_of.try_emplace({from, to}, lines.line());
            if (!is_new) {
                throw lines.problem(
                    0, fmt::format("flow from {} to {} is in line {} already; write it once", from, to, known->second));
            }
            if (rate == 0) continue;
            auto& flows = flows_[static_cast<std::size_t>(from)];
            flows.push_back({static_cast<unsigned>(to), (flows.empty() ? 0 : flows.back().up_to) + rate});
        }
        double sum = 0;
        unsigned senders = 0;
        for (const auto& flows : flows_) {
            if (flows.empty()) continue;
            ++senders;
            sum += flows.back().up_to;
        }
        if (senders == 0) {
            throw UserError(fmt::format(
                "{}: no flow with a rate above 0; write lines source,destination,rate such as 0,5,0.2", file));
        }
        mean_ = sum / senders;
    }

    std::vector<std::vector<Flow>> flows_;  // of each source
    double mean_ = 0;                       // rate of a source that sends
};

}  // namespace ringmesh::workloads
