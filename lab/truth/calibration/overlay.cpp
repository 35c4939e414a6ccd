// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/calibration/calibration.h"

#include <fmt/format.h>

#include "lab/study/description/study.h"
#include "lab/table/writers/text_table.h"

namespace ringmesh::lab {

std::string overlay_text(const Calibration& calibration, const std::string& study)
{
    const std::string text = fmt::format(
        "description = {}\napplies_to = [{}]\n",
        toml_text(fmt::format("Calibrated by {} of the study {}", counted(calibration.rows.size(), "row"), study)),
        toml_text(calibration.machine));
    std::vector<std::string> ids;
    for (const FittedRow& row : calibration.rows) ids.push_back(toml_text(row.id));
    std::string values;
    std::string provenance;
    for (const FreeInput& free : calibration.inputs) {
        const Input& input = *free.input;
        if (input.of != InputOf::kMachine) continue;
        const bool number = input.kind == "number" || input.kind == "integer";
        values += fmt::format("\n{} = {}\n", input.key, number ? free.text : toml_text(free.text));
        provenance += fmt::format(
            "\n[provenance.{}]\nfrom   = \"calibrated\"\nset_by = [{}]\nlow    = {}\nhigh   = {}\nnote   = {}\n",
            toml_text(input.key), fmt::join(ids, ", "), toml_text(input.low), toml_text(input.high),
            toml_text(fmt::format("{}; least squares over {} leave {}", input.reason,
                                  counted(calibration.rows.size(), "row"),
                                  free.determined ? free.region : "all of the range")));
    }
    return values.empty() ? "" : text + values + provenance;
}

std::vector<std::string> option_texts(const Calibration& calibration)
{
    std::vector<std::string> texts;
    for (const FreeInput& input : calibration.inputs) {
        if (input.input->of == InputOf::kMachine) continue;
        texts.push_back(fmt::format("--{} {}:{}={}", input.input->of == InputOf::kLibrary ? "library" : "workload",
                                    input.input->owner, input.input->key, input.text));
    }
    return texts;
}

}  // namespace ringmesh::lab
