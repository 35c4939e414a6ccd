// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tlm/error.h"
#include "tlm/simulation/random.h"
#include "tlm/statistics/statistics.h"
#include "tlm/time/wakeup.h"
#include "workloads/traffic/kinds/delivery_log.h"
#include "workloads/traffic/measurements/accounts.h"
#include "workloads/traffic/measurements/latency_series.h"
#include "workloads/traffic/measurements/latency_table.h"
#include "workloads/traffic/measurements/resource_use.h"
#include "workloads/traffic/sources/arrivals.h"
#include "workloads/traffic/traffic.h"

namespace ringmesh::workloads {

/// The load exceeds the capacity of a source's injection port.
class TooMuchOffered : public UserError {
public:
    using UserError::UserError;
};

/// Prefix of the note that defines load.
inline constexpr std::string_view kLoadNote = "load: ";

/// Sources offer packets at a rate, independent of their delivery. Packets created after the warm-up are measured; when
/// the duration is over or each source has sent its number of packets, the sources stop and the network drains.
class OpenLoop final : public TrafficEngine {
public:
    /// @param beside name of a stream beside a workload, which goes on until stop(); empty: it is the workload
    /// @throws TooMuchOffered if the sources cannot offer this load, UserError if they offer hardly any packet in this
    /// time
    OpenLoop(TrafficMachine& machine, const TrafficOptions& options, const PacketForm& packets,
             std::unique_ptr<Pattern> pattern, std::string beside = {});

    void start(TrafficModel& seen) override;
    /// Ends the window, and the sources of a stream beside a workload. Call it once.
    void stop();
    bool finished() const override;
    void add_up(Totals& totals) override;
    void check() const override { accounts_.require_balanced(packets_.answered, machine_.simulation().losses()); }
    Results results() const override;

    /// Mean time between the packets of one source.
    MeanTime gap() const { return gap_; }
    Duration warm_up() const { return warm_up_; }
    Duration window_end() const { return window_end_; }

private:
    struct Source {
        Random random;
        Births births = {};
        std::int64_t measured = 0;
    };

    Injection next(unsigned source) override;
    std::string_view stream_name() const override { return beside_.empty() ? kOfWorkload : beside_; }
    bool takes_back(unsigned source, const Injection& packet) override;
    void delivered(const OfferedPacket& packet, Duration at) override;
    void answered(const OfferedPacket& packet, Duration at) override;
    void dropped(unsigned source, Duration born) override;

    void measure(const OfferedPacket& packet, Duration at);
    bool is_over(const Source& source, Duration birth) const;
    void look();
    bool in_window(Duration time) const { return time >= warm_up_ && time < window_end_; }
    void sample_backlog(Duration until);
    double mb_per_s() const;
    std::optional<double> latency_alone_ns(unsigned hops) const;
    void add_distances(std::vector<Cell>& row) const;
    void add_notes(Results& results) const;

    TrafficMachine& machine_;
    const TrafficOptions options_;
    const PacketForm packets_;
    const std::string beside_;
    std::uint8_t stream_ = 0;  ///< of the machine's
    bool stopped_ = false;
    std::unique_ptr<Pattern> pattern_;
    MeanTime gap_;
    std::vector<ArrivalProcess> arrivals_;  // of each source; a single one if all send as much
    double load_ = 0;
    unsigned senders_ = 0;
    Duration warm_up_;
    Duration window_end_ = Duration::never();  ///< from here on some sources have stopped
    std::vector<Source> sources_;
    Accounts accounts_;
    ResourceUse use_;
    InWindow in_window_;
    std::optional<Backlog> backlog_;  ///< none if the end of the window is not known before
    Duration next_sample_ = Duration::never();
    std::int64_t under_way_ = 0;
    std::size_t ended_ = 0;  ///< sources that send no more
    struct Measured {
        std::uint64_t packets = 0;
        std::uint64_t size = 0;
    };
    std::vector<Measured> hops_;        // by number of links
    std::uint64_t size_in_window_ = 0;  // of all packets delivered in it
    LatencySeries latency_;
    std::unique_ptr<LatencyTable> table_;  ///< null: the summary is shown
    DurationMean transaction_;
    std::unique_ptr<DeliveryLog> log_;       ///< null if one process runs all
    std::uint64_t crossings_elsewhere_ = 0;  ///< of links in other processes
    std::uint64_t retries_elsewhere_ = 0;
    Wakeup window_;  ///< of the whole machine: begins and ends
};

}  // namespace ringmesh::workloads
