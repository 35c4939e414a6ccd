// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Communication on an NCUBE as six times, each a line over the message's size [001], and what programs should take by
/// them. Times are in microseconds.
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

/// A message that the operating systems forward over so many hops, to a read that waits.
double ncube_message(const NcubeTimes& times, int hops);
/// A message that programs hand from neighbour to neighbour: each reads it and writes it on.
double ncube_chain(const NcubeTimes& times, int hops);
/// Neighbours that write to each other and then read: what overlaps is E with S, R and A.
double ncube_exchange(const NcubeTimes& times);
/// So many messages in a row to a neighbour that reads them: the slowest of sender, channel and receiver sets the pace.
double ncube_stream(const NcubeTimes& times, int messages);
/// Down a binomial tree, highest dimension first: until the last node has it. Each node's writes follow one another,
/// and the load of sending one message comes before the next is formatted.
double ncube_broadcast(const NcubeTimes& times, int dimension);

/// Every node to every other of a cube, each in the same order of differing dimensions, so that no two messages ever
/// want one channel: as long as the messages need one after the other, or as the processors are busy with their own and
/// with those that they forward.
double ncube_all_to_all(const NcubeTimes& times, int dimension);

/// [001 5.2]: how much longer a computation takes that interrupts alone slow down, when so many neighbours each send a
/// message every `period`, which passes the node and costs it a `load` of R + S. @throws std::domain_error if nothing
/// is left for it
double ncube_interrupt_slowdown(double load, int senders, double period);
/// The processor speed that explains a slowdown, if work of `load` for each message and the computation are slowed
/// alike.
double ncube_processor_speed(double slowdown, double load, int senders, double period);

}  // namespace ringmesh::analytic
