// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lab/figure/chart.h"
#include "tlm/parameters/names.h"
#include "workloads/workload.h"

/// Charts as pictures, drawn by gnuplot.
namespace ringmesh::lab {

enum class PictureForm : std::uint8_t { kSvg, kPng, kPdf, kText };
inline constexpr NameTable<PictureForm, 4> kPictureForms{{{{"svg", PictureForm::kSvg},
                                                           {"png", PictureForm::kPng},
                                                           {"pdf", PictureForm::kPdf},
                                                           {"text", PictureForm::kText}}}};

struct PictureFormat {
    PictureForm form = PictureForm::kSvg;
    double width_cm = 8;       ///< but of a text
    std::size_t columns = 79;  ///< of a text
};

/// What gnuplot is told: the first quantity of the chart, at most kMostPanels panels, with what is beneath it.
inline constexpr std::size_t kMostPanels = 6;
std::string gnuplot_script(const Chart& chart, const workloads::Results& table, const PictureFormat& format);
/// The same of a heat map; a text has curves in its place.
std::string heat_map_script(const Chart& chart, const workloads::Results& table, const PictureFormat& format);

/// The same of a message or packets, from begin to end: a bar for each part, hollow where it waits; a line for each
/// place where there are many parts.
/// @param table as legs_table() of lab/explain/report.h has it
std::string waterfall_script(const workloads::Results& table, const PictureFormat& format);

/// Whether the program is on the path.
bool has_gnuplot();

/// The picture, byte by byte. @throws UserError if gnuplot is not there or fails
std::string drawn_by_gnuplot(const std::string& script);

}  // namespace ringmesh::lab
