// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tlm/scc/scc_machine.h"
#include "workloads/libraries/rcce/ircce.h"

namespace ringmesh::test {

/// A step of a core; a wait is for all earlier requests.
struct Step {
    enum class Kind : std::uint8_t { kSend, kRecv, kIsend, kIrecv, kWaitAll, kBarrier, kCompute };
    Kind kind = Kind::kWaitAll;
    unsigned peer = 0;
    std::uint32_t message = 0;  ///< of the bench
    Duration span;              ///< of computing
};

/// RCCE on the first cores.
std::vector<std::unique_ptr<workloads::rcce::Rcce>> make_rcce(SccMachine& machine, unsigned cores,
                                                              const workloads::rcce::LibraryOptions& options);

/// Both libraries on the first cores of an SCC, each core with a script.
class RcceScripts {
public:
    RcceScripts(SccMachine& chip, unsigned cores, const workloads::rcce::LibraryOptions& options);

    /// A message with buffers at both ends, followed by guard bytes.
    std::uint32_t message(std::uint32_t size, unsigned from, unsigned to, std::uint32_t misaligned = 0);
    void send(std::uint32_t message, bool blocking);
    void receive(std::uint32_t message, bool blocking);
    void add(unsigned core, const Step& step) { scripts.at(core).push_back(step); }
    void compute(unsigned core, Duration span) { add(core, {.kind = Step::Kind::kCompute, .span = span}); }
    void wait_all(unsigned core) { add(core, {.kind = Step::Kind::kWaitAll}); }
    /// Whether all bytes arrived and none around them changed.
    bool right(std::uint32_t message);
    /// Runs all scripts to their ends.
    void run();
    /// The error of a run that does not end; empty if it does
    std::string stuck();

    std::vector<std::unique_ptr<workloads::rcce::Rcce>> rcce;
    std::vector<std::unique_ptr<workloads::rcce::Ircce>> ircce;
    std::vector<std::vector<Step>> scripts;
    std::vector<std::vector<Duration>> ends;  ///< of each step of each core
    struct Sent {
        std::uint32_t size = 0;
        unsigned from = 0;
        unsigned to = 0;
        std::uint64_t source = 0;
        std::uint64_t target = 0;
    };
    std::vector<Sent> messages;

private:
    Task<> run_script(unsigned core);

    SccMachine& chip_;
};

/// The cores in a locked part with their times: cores run ahead of the kernel, so a counter would not detect overlaps.
struct Locked {
    struct Stay {
        Duration came, left;
    };
    std::vector<Stay> stays;
    /// Whether each entered after all earlier ones had left.
    bool one_at_a_time() const;
};

/// Takes a core's lock `rounds` times, for a microsecond each.
Task<> visit_locked(workloads::rcce::Rcce& rcce, unsigned lock, int rounds, Locked& locked);

}  // namespace ringmesh::test
