// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/run/experiment.h"
#include "lab/study/description/study.h"
#include "lab/study/running/execution.h"
#include "lab/truth/findings.h"
#include "lab/truth/uncertainty/analysis.h"

/// The papers' question [000 ch.6] for two systems: from how many nodes is another dimension faster? It is the study
/// studies/wulfkit/topologies, whose SQL answers it, on any platform of rings and with any change.
namespace ringmesh::lab {

/// The overlay of the papers' own question: what if a change of dimension took half the time?
inline constexpr const char* kPapersChange = "enhanced";

/// The tori of 1 to 4 equal dimensions of 2 and more nodes that have one of these numbers of nodes: "4", "2x2".
std::vector<std::string> equal_tori(const std::vector<unsigned>& nodes);

/// @param changed the platform, with the overlays and settings that change it; without any, the papers' own
/// @param both settings of the platform, changed or not, which the caller writes into the tests
/// @param tori those of the study if there are none
/// @throws UserError for anything wrong in the request, for a platform that is not made of rings whose dimensions can
/// be varied, and if nothing is changed, or the dimensions are
Study topologies_study(const ExperimentRequest& changed, const std::vector<std::string>& both,
                       const std::vector<std::string>& tori);

/// {ringmesh, platform, overlays, settings, seed, parameters of both systems, then the rows of each of the study's
/// views answer_*, error_bars}. @param findings found @throws ModelError if a number is not finite
Json topologies_json(const ExperimentRequest& changed, const AskedPoints& asked, const Findings& findings,
                     const std::optional<Analysis>& error_bars);
/// The latencies, below the parameters of the current system and what is changed.
std::string topologies_csv(const ExperimentRequest& changed, const AskedPoints& asked, const Findings& findings);

}  // namespace ringmesh::lab
