// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// Published numbers as printed: never rounded, converted or corrected here. The use of a row (calibration or
/// prediction) is set where it is compared.
namespace ringmesh::lab {

struct PublishedRow {
    std::string_view id;  ///< unique, begins with the machine; never changes once released: reports are compared by it
    std::string_view quantity;
    double value;
    std::string_view unit;
    /// "measured": a test result; "simulated": a result of another program; "derived": the authors' arithmetic, on
    /// measurements or on other rows; "figure": read off a label in a figure; "claim": said in the text without a test
    /// that one could repeat.
    std::string_view kind;
    std::string_view conditions;
    std::string_view source;  ///< tags of docs/sources.md
    std::string_view note;
};

/// The Wulfkit ring and torus testbed: nine PCs with a 400 MHz Pentium II, 32-bit 33 MHz PCI and a 64-bit 50 MHz
/// B-Link.
std::span<const PublishedRow> published_wulfkit();

/// The DECK/SCI cluster: four PCs with two 500 MHz Pentium III each and D312 cards; protocols of DECK and of two MPIs.
std::span<const PublishedRow> published_deck();

/// The SCC chip: latencies measured on silicon, and its makers' statements.
std::span<const PublishedRow> published_scc();

/// Meshes of routers under uniform traffic, simulated by another simulator.
std::span<const PublishedRow> published_mesh();

/// The NCUBE/seven: times of communication under Vertex on 64 nodes.
std::span<const PublishedRow> published_ncube();

/// Whether any of these machines, or a cell of the tables of broadcasts, has this id.
bool is_published(std::string_view id);

/// The row of any of these machines with this id.
/// @throws std::out_of_range if there is none.
const PublishedRow& published_row(std::string_view id);

}  // namespace ringmesh::lab
