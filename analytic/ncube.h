// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Communication on an NCUBE as six times, each linear in the message's size [001], and the run times of programs that
/// follow from them. Times are in microseconds.
namespace ringmesh::analytic {

/// base + slope * bytes
struct NcubeLine {
    double base = 0;
    double slope = 0;

    double at(double bytes) const { return base + slope * bytes; }
};

/// Of one message: E is elapsed time over one hop, the others are processor time.
struct NcubeTimes {
    double e = 0;  ///< transfer, from one system buffer to the next node's
    double r = 0;  ///< load of receiving
    double s = 0;  ///< load of sending
    double f = 0;  ///< formatting: the write call
    double u = 0;  ///< unformatting: the read call once the message is there
    double a = 0;  ///< accepting: the read call up to there
};

/// The six lines; by default those of [001 Table 3].
struct NcubeModel {
    NcubeLine e{220, 1.285};
    NcubeLine r{180, 0.04};
    NcubeLine s{150, 0.01};
    NcubeLine f{160, 0.60};
    NcubeLine u{130, 0.61};
    NcubeLine a{120, 0};

    /// @throws std::domain_error if bytes is negative
    NcubeTimes at(double bytes) const;
};

/// A message forwarded by the operating systems over so many hops, to a read that is already waiting.
double ncube_message(const NcubeTimes& times, int hops);
/// A message forwarded by programs: each reads it and writes it to the next neighbour.
double ncube_chain(const NcubeTimes& times, int hops);
/// Neighbours that write to each other and then read: E overlaps with S, R and A.
double ncube_exchange(const NcubeTimes& times);
/// So many messages in a row to a neighbour that reads them: the slowest of sender, channel and receiver sets the pace.
double ncube_stream(const NcubeTimes& times, int messages);
/// Broadcast down a binomial tree, highest dimension first, until the last node has the message. Each node's writes
/// follow one another, and the load of sending one message comes before the next is formatted.
double ncube_broadcast(const NcubeTimes& times, int dimension);

/// All-to-all on a cube; all nodes take the dimensions in the same order, so that no two messages compete for a
/// channel. The maximum of two bounds: the messages of a node one after the other, and the processor time for own and
/// forwarded messages.
double ncube_all_to_all(const NcubeTimes& times, int dimension);

/// [001 5.2]: the slowdown of a computation by interrupts alone, when so many neighbours each send a message every
/// `period` through the node, each costing it a `load` of R + S. @throws std::domain_error if interrupts take all of
/// its time
double ncube_interrupt_slowdown(double load, int senders, double period);
/// The processor speed that explains a slowdown, if work of `load` for each message and the computation are slowed
/// alike.
double ncube_processor_speed(double slowdown, double load, int senders, double period);

}  // namespace ringmesh::analytic
