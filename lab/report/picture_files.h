// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/figure/gnuplot/gnuplot.h"
#include "lab/process/output_file.h"
#include "lab/report/page.h"

namespace ringmesh::lab {

struct LogarithmicAxes {
    bool x = false;
    bool y = false;
};
/// "x", "y", "x,y" or "none". @throws UserError without the text
LogarithmicAxes parse_axes(const std::string& text);

/// The name of a machine's figure; behind it a number if it is not the page's first.
inline constexpr std::string_view kMachineFigure = "machine";
/// The name of the figure of one message's way.
inline constexpr std::string_view kMessageFigure = "message";

/// The options --svg, --png, --pdf, --plot of a command, and what is changed of the figure that they draw.
struct PictureRequest {
    std::string svg = {};  ///< files, "-" for standard output; empty for none
    std::string png = {};
    std::string pdf = {};
    bool plot = false;  ///< in the terminal
    double width_cm = 8;
    std::string figure = {};  ///< of the page; empty: its first one
    std::string x = {};       ///< columns of its table; empty: its own
    std::string y = {};
    std::string x_title = {};  ///< empty: its own; the unit stays
    std::string y_title = {};
    std::optional<LogarithmicAxes> logarithmic = {};  ///< none: the chart's own scales

    bool shows_machine() const { return figure.starts_with(kMachineFigure); }
    bool has_axes() const
    {
        return !x.empty() || !y.empty() || !x_title.empty() || !y_title.empty() || logarithmic.has_value();
    }

    bool wants_files() const { return !svg.empty() || !png.empty() || !pdf.empty(); }
};

/// A figure of a page with the table that it draws; of a waterfall the table alone.
struct ChosenFigure {
    Chart chart;
    const PageTable* table = nullptr;  ///< null: of a machine without use
    bool is_waterfall = false;
    const PageMachine* machine = nullptr;  ///< null: one of the others
    std::vector<std::string> others = {};  ///< names of the figures that were not chosen
};

/// Before there is a page: @throws UserError if the table of its figure has not the columns that are asked for
void require_columns(const workloads::Results& table, const PictureRequest& request);

/// @throws UserError if there is no such figure, column or scale, or none at all
ChosenFigure chosen_figure(const Page& page, const PictureRequest& request);

/// The picture files of a command, opened before anything runs; each appears whole or not at all.
class PictureFiles {
public:
    /// @throws UserError if gnuplot is not there, a file cannot be written, or holds something else than such a picture
    explicit PictureFiles(PictureRequest request);

    bool wanted() const { return request_.plot || request_.wants_files(); }
    bool has_standard_output() const;
    /// @throws UserError as chosen_figure(), or if gnuplot fails
    void write(const Page& page);

private:
    PictureRequest request_;
    std::vector<std::pair<PictureForm, OutputFile>> files_;
};

}  // namespace ringmesh::lab
