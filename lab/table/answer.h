// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// The answer to what a command was asked, before all tables: text, JSON and report have the same sentences.
struct Answer {
    std::vector<std::string> sentences;      ///< one to three, with numbers and units
    std::vector<std::string> evidence = {};  ///< what published numbers say of it

    bool empty() const { return sentences.empty(); }
};

/// The first lines of a text: the sentences as a paragraph, the evidence beneath, a blank line; empty for none.
std::string answer_lines(const Answer& answer, Room room);
/// The object with `answer` and `evidence` behind its first member. @pre it is an object
Json with_answer(Json object, const Answer& answer);

/// What a table of results says: of its first time and its first rate the lowest and the highest, and where; of traffic
/// what is accepted of what is offered, and what was used most.
/// @param bottleneck in place of the last one, from a measurement of all places; empty: there is none
/// @param axes so many columns at the beginning are axes, which were put in, whatever their names
Answer answer_of(const workloads::Results& results, std::string bottleneck = {}, std::size_t axes = 0);

}  // namespace ringmesh::lab
