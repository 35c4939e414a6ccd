// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/figure/chart.h"
#include "lab/figure/means.h"
#include "lab/study/description/study.h"
#include "lab/truth/rows/published.h"

/// charts.toml of a study: which charts its report has (docs/reference/results/report.md).
namespace ringmesh::lab {

/// A table [chart.NAME].
struct ChartRequest {
    /// A published number, and where it stands on the chart.
    struct Reference {
        StudyWord id;   ///< of published.csv; may have one *
        std::string x;  ///< a number; "*": what the * stands for; "level": a line; "x": it is itself a place on x
        std::string series = {};
        std::string facet = {};
    };

    std::string name;
    std::string where;
    StudyWord table;  ///< a test, a view, or a table of the study's SQL
    StudyWord title;
    StudyWord x;
    std::vector<StudyWord> y;
    std::vector<StudyWord> series;
    std::vector<StudyWord> facets;
    StudyWord interval;  ///< column of half the interval
    StudyWord low;       ///< columns of its ends
    StudyWord high;
    StudyWord x_title;
    StudyWord y_title;
    StudyWord x_unit;
    StudyWord y_unit;
    std::optional<Scale> x_scale;
    std::optional<Scale> y_scale;
    std::optional<ChartForm> form;
    std::vector<std::string> lines;   ///< names of curves
    std::vector<std::string> points;  ///< likewise
    StudyWord beneath;                ///< column of a lower panel
    StudyWord beneath_unit;
    bool crossings = false;
    std::vector<Reference> published;
    std::vector<std::string> notes;
};

struct ChartsFile {
    std::vector<ChartRequest> charts;  ///< in the order of the file
    bool derived = false;              ///< the tests get their own charts as well
};

/// Reads FOLDER/charts.toml; nothing if there is none.
/// @throws UserError with every problem found, one a line: FILE:LINE, key, what is wrong and a cure
std::optional<ChartsFile> read_charts(const std::filesystem::path& folder);

/// The chart on its table.
/// @param means of the table, which give what the request leaves out
/// @param id of the page's table
/// @throws UserError "FILE:LINE: KEY = VALUE: ..." for columns that the table lacks or that hold no numbers, ids that
/// published.csv lacks, and published numbers of another unit
Chart chart_as_asked(const ChartRequest& request, const Means& means, const std::string& id,
                     const Published& published);

}  // namespace ringmesh::lab
