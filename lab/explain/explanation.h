// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/explain/journeys.h"
#include "lab/explain/steps.h"
#include "lab/run/experiment.h"
#include "tlm/machine/machine.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::lab {

/// An explained message or packet and its run.
struct Explanation {
    ExperimentRequest request;
    std::string library;  ///< empty: a packet from a source
    unsigned from = 0;
    unsigned to = 0;
    std::uint32_t bytes = 0;
    std::string node = "node";  ///< what a rank runs on
    std::vector<ParameterRow> parameters;
    std::vector<ParameterRow> library_options;
    std::vector<Way> ways;  ///< times count from the beginning of the first one
    std::vector<std::string> notes;
    std::string ended_by_fault = {};  ///< why the run ended by a fault; empty: it did not

    Duration zero() const { return ways.front().from; }
};

/// The way of a message that a program began to send at `begun` and another had at `received`; on a machine with SCI
/// cards also the way of the response to its last packet.
/// @param receiver name of the receiving processor's block @throws ModelError if they do not add up to exactly that
std::vector<Way> ways_of_message(std::span<const RecordedStage> stages, Duration begun, Duration received,
                                 std::string_view receiver, const Programs& programs, bool is_sci);

/// The way of one packet, request or response, from its first stage to its last one, from its own stages alone.
/// @pre at least one is among them @throws ModelError as above
Way way_of_packet(std::span<const RecordedStage> stages, std::uint64_t packet, Leg leg, bool is_sci);

/// "struck by a fault: lose-packet of node2.lc2, packet 40, 1,234.000 ns", for each. @param zero from which times count
std::vector<std::string> notes_of_strikes(const std::vector<RecordedStrike>& strikes, Duration zero);

/// Adds such notes to an explanation: of the packets that are on its ways.
void note_strikes(const std::vector<RecordedStrike>& strikes, Explanation& explanation);

/// The words of an explanation of a message.
std::vector<std::string> notes_of(std::span<const RecordedStage> stages, const std::vector<Way>& ways, bool is_sci);

}  // namespace ringmesh::lab
